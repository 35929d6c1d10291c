import Foundation
import PredicateSyntax
import PredicateText

/// An operator with its options: `==[c]`, `BETWEEN`, `LIKE`, …
///
/// A relation does not depend on expressions, modifiers or the tree: plans do. The type of each operator defines its
/// meaning, and describes the leaf that programs and batches run.
protocol Relation: AnyObject, Sendable {
    /// True if the operator holds between two values.
    func holds(_ left: KeyedValue, _ right: KeyedValue) throws(Fault) -> Bool

    /// Checks a constant on the right during planning. Throws what every comparison with the constant would throw.
    func check(_ right: PredicateValue) throws(Fault)

    /// Describes the comparison of a value with a constant on the right: `age > 21`. Nil if only `holds` can decide.
    func leaf(against right: PredicateValue) -> LeafDescription?

    /// Describes the comparison of a value with a constant on the left: `21 < age`. Nil if only `holds` can decide.
    func leaf(from left: PredicateValue) -> LeafDescription?

    /// The outcomes with which the operator holds for two numbers: `spent > budget`; nil for other operators.
    var outcomes: Ordering.Outcomes? { get }

    /// True if `holds` compiles an operand and keeps it: `name LIKE pattern`.
    var compilesOperands: Bool { get }
}

extension Relation {
    func check(_ right: PredicateValue) throws(Fault) {}
    func leaf(against right: PredicateValue) -> LeafDescription? { nil }
    func leaf(from left: PredicateValue) -> LeafDescription? { nil }
    var outcomes: Ordering.Outcomes? { nil }
    var compilesOperands: Bool { false }
}

// MARK: - Leaves

/// The comparison of a value with a constant, by the kind of the value.
///
/// `age > 21`: numbers by their order, false for nil. Kinds that are undecided or not listed here are left to the
/// operator, which may throw. Operators create descriptions, and ``Leaf`` compiles them; a description contains no
/// pointers.
struct LeafDescription: Sendable {
    var numbers = Scalar<Number>.undecided
    var dates = Scalar<Date>.undecided
    var texts = Text.undecided
    var lists = List.undecided
    /// The result for nil; nil if it is undecided.
    var null: Bool?
}

extension LeafDescription {
    /// A condition on numbers or on dates.
    enum Scalar<Value: Sendable>: Sendable {
        case undecided
        /// `age == "jo"`
        case constant(Bool)
        /// `age > 21`
        case compared(Ordering.Outcomes, Value)
        /// `age BETWEEN {18, 65}`
        case between(Value, Value)
        /// `age IN {1, 2}`
        case member([Value])
    }

    /// A condition on strings; needles are folded.
    enum Text: Sendable {
        case undecided
        /// `name == 3`
        case constant(Bool)
        /// `name BEGINSWITH[c] "jo"`, `name LIKE "jo*"`, `name != "jo"`
        case matches(TextMatch, PreparedNeedle, isNegated: Bool = false)
        /// `name < "m"`
        case compared(Ordering.Outcomes, PreparedNeedle)
        /// `name IN {"jo", "al"}`
        case member([PreparedNeedle])
        /// `name MATCHES "j.*n"`
        case pattern(WholePattern)
    }

    /// A condition on the elements of a list.
    indirect enum List: Sendable {
        case undecided
        /// `tags CONTAINS "swift"`
        case any(LeafDescription)
    }
}

// MARK: - Operands

extension ComparisonOptions {
    /// The fold of strings under these options: `[n]` overrides `[c]` and `[d]`; for `[l]` see ``Collation``.
    /// [NSP-078]
    var foldMode: FoldMode {
        if contains(.normalized) { return .none }
        switch (contains(.caseInsensitive), contains(.diacriticInsensitive)) {
        case (false, false): return .none
        case (true, false): return .caseInsensitive
        case (false, true): return .diacriticInsensitive
        case (true, true): return .caseAndDiacriticInsensitive
        }
    }
}

extension KeyedValue {
    /// The string; nil for every other value.
    var text: String? {
        if case .value(.string(let text)) = self { text } else { nil }
    }

    /// Returns the operand as a string. Throws `notAString` for any other value.
    @inline(never)
    func requiredText(operand: Int? = nil) throws(Fault) -> String {
        guard let text else { throw Fault(.notAString(found: found), operand: operand) }
        return text
    }

    /// Returns the operand as a number. Throws `notANumber` for any other value.
    @inline(never)
    func requiredNumber(operand: Int? = nil) throws(Fault) -> Number {
        guard let number else { throw Fault(.notANumber(found: found), operand: operand) }
        return number
    }

    /// Returns the operand as an integer; a double without a fraction is accepted.
    @inline(never)
    func requiredInteger(operand: Int? = nil) throws(Fault) -> Int64 {
        guard let integer = try requiredNumber(operand: operand).exactInteger else {
            throw Fault(.notAnInteger(found: found), operand: operand)
        }
        return integer
    }
}

// MARK: - Ordering

/// `age < 21`, `name >= "m"`: numbers by value, strings by code point, dates by time; other values have no order.
///
/// NaN is ordered between the negative numbers and 0, and a date whose time is NaN is ordered like its seconds.
/// [NSP-176] If both sides are nil, `<=` and `>=` hold; if one side is nil, no operator holds. Throws `incomparable`
/// for values of different kinds and for kinds without an order.
final class Ordering: Relation {
    /// A set of results of comparing two values: `<=` is satisfied by less or equal.
    struct Outcomes: OptionSet, Sendable {
        let rawValue: UInt8
        static let less = Outcomes(rawValue: 1)
        static let equal = Outcomes(rawValue: 2)
        static let greater = Outcomes(rawValue: 4)
    }

    private let satisfying: Outcomes
    private let mode: FoldMode

    init(_ outcomes: Outcomes, _ mode: FoldMode) {
        satisfying = outcomes
        self.mode = mode
    }

    var outcomes: Outcomes? { satisfying }

    func holds(_ left: KeyedValue, _ right: KeyedValue) throws(Fault) -> Bool {
        if left.isNull || right.isNull { return left.isNull && right.isNull && satisfying.contains(.equal) }
        return satisfying.contains(try Self.compare(left, right, mode))
    }

    func leaf(against right: PredicateValue) -> LeafDescription? {
        Self.leaf(satisfying, right, mode)
    }

    func leaf(from left: PredicateValue) -> LeafDescription? {
        Self.leaf(satisfying.mirrored, left, mode)
    }

    private static func leaf(_ outcomes: Outcomes, _ constant: PredicateValue, _ mode: FoldMode) -> LeafDescription? {
        if let number = Number(constant) { return LeafDescription(numbers: .compared(outcomes, number), null: false) }
        if case .string(let text) = constant {
            return LeafDescription(texts: .compared(outcomes, PreparedNeedle(text, mode)), null: false)
        }
        if case .date(let date) = constant {
            return LeafDescription(dates: .compared(outcomes, date), null: false)
        }
        return nil
    }

    /// Compares two values, neither of which is nil.
    static func compare(_ left: KeyedValue, _ right: KeyedValue, _ mode: FoldMode) throws(Fault) -> Outcomes {
        guard let order = left.order(right, mode) else {
            throw Fault(.incomparable(left: left.found, right: right.found))
        }
        return Outcomes(order)
    }
}

extension Ordering.Outcomes {
    init(_ order: NumberOrder) {
        switch order {
        case .less: self = .less
        case .equal: self = .equal
        case .greater: self = .greater
        }
    }

    /// Makes the result of a comparison from a number that is below, at or above zero.
    init(_ sign: Int) {
        self = sign < 0 ? .less : sign == 0 ? .equal : .greater
    }

    /// The results that are not in the set.
    var complement: Self { Self([.less, .equal, .greater]).subtracting(self) }

    /// The results with both sides exchanged: `21 < age` is `age > 21`.
    var mirrored: Self {
        var mirrored = intersection(.equal)
        if contains(.less) { mirrored.insert(.greater) }
        if contains(.greater) { mirrored.insert(.less) }
        return mirrored
    }
}

// MARK: - Equality

/// `name == "jo"`, `name !=[cd] "jo"`: equality by value. Values of different kinds are unequal, without an error.
///
/// nil equals only nil. Options fold strings and do not affect other values. Throws `notEquatable` for values of the
/// host that cannot be compared, unless a path is compared with itself. [NSP-172]
final class Equality: Relation {
    private let mode: FoldMode
    private let negated: Bool
    /// True if both sides are the same path: `SELF == SELF`.
    private let isReflexive: Bool

    init(_ mode: FoldMode, negated: Bool, isReflexive: Bool = false) {
        self.mode = mode
        self.negated = negated
        self.isReflexive = isReflexive
    }

    var outcomes: Ordering.Outcomes? { Self.outcomes(negated) }

    func holds(_ left: KeyedValue, _ right: KeyedValue) throws(Fault) -> Bool {
        do {
            return try Self.areEqual(left, right, mode) != negated
        } catch {
            guard isReflexive, case .notEquatable = error.code else { throw error }
            return !negated
        }
    }

    func leaf(against right: PredicateValue) -> LeafDescription? {
        Self.leaf(to: right, mode, negated: negated)
    }

    func leaf(from left: PredicateValue) -> LeafDescription? {
        Self.leaf(to: left, mode, negated: negated)
    }

    private static func outcomes(_ negated: Bool) -> Ordering.Outcomes {
        negated ? [.less, .greater] : .equal
    }

    /// Describes the equality with a constant. Values of other kinds differ from it.
    static func leaf(to constant: PredicateValue, _ mode: FoldMode, negated: Bool) -> LeafDescription? {
        var leaf = LeafDescription(
            numbers: .constant(negated), dates: .constant(negated), texts: .constant(negated), null: negated)
        if let number = Number(constant) {
            leaf.numbers = .compared(outcomes(negated), number)
        } else if case .string(let text) = constant {
            leaf.texts = .matches(.equal, PreparedNeedle(text, mode), isNegated: negated)
        } else if case .date(let date) = constant {
            leaf.dates = .compared(outcomes(negated), date)
        } else if KeyedValue.value(constant).isNull {
            leaf.null = !negated
        } else {
            return nil
        }
        return leaf
    }

    /// True if two values are equal; strings are folded.
    ///
    /// Throws `nestingTooDeep` if both values exceed the nesting limit of comparisons, `notEquatable` for two values
    /// of the host that cannot be compared.
    static func areEqual(_ left: KeyedValue, _ right: KeyedValue, _ mode: FoldMode) throws(Fault) -> Bool {
        if let left = left.text, let right = right.text { return TextSearch.equal(left, right, mode) }
        if left.isNull || right.isNull { return left.isNull && right.isNull }
        if isEqual(left, right) { return true }
        if left.isLive || right.isLive, let open = left.openComparison(with: right) {
            throw Fault(.notEquatable(open.type, against: FoundValue(open.other)))
        }
        let limit = PredicateLimits.standard.nesting
        guard left.isCompound, right.isCompound, left.nests(to: limit), right.nests(to: limit) else { return false }
        throw Fault(.nestingTooDeep(limit: limit))
    }
}

extension KeyedValue {
    /// True if nested collections exceed a number of levels.
    fileprivate func nests(to limit: Int) -> Bool {
        var waiting: [(value: KeyedValue, depth: Int)] = [(self, 1)]
        while let (value, depth) = waiting.popLast() {
            if depth > limit { return true }
            guard value.isCompound, let elements = value.elements else { continue }
            for element in elements where element.isCompound { waiting.append((element, depth + 1)) }
        }
        return false
    }
}
