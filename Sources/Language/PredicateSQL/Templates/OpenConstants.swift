import PredicateSyntax
import PredicateText

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The constants of a predicate that affect only bindings: `21` in `age > 21`, `"jo"` in `name BEGINSWITH "jo"`.
///
/// A constant is open if it is compared with a column, a count or arithmetic on a column, by an operator that binds
/// it unchanged, and has a ``ConstantClass``. All other constants are part of the predicate's shape.
struct OpenConstants {
    /// The open operand of a comparison.
    enum Side {
        case neither, left, right
    }

    /// The open operands of all comparisons, in the order of the tree.
    private(set) var sides: [Side] = []
    private(set) var classes: [ConstantClass] = []
    /// The values that replace the constants.
    private(set) var sentinels: [PredicateValue] = []

    /// Replaces every open constant by a sentinel, in the order of the tree.
    mutating func mark(_ node: PredicateNode) -> PredicateNode {
        switch node {
        case .constant, .block: return node
        case .comparison(let comparison): return .comparison(mark(comparison, comparison.operator.binding))
        case .string(let comparison): return .string(mark(comparison, comparison.operator.binding))
        case .compound(let compound):
            return .compound(CompoundPredicate(compound.type, compound.subpredicates.map { mark($0) }))
        }
    }

    private mutating func mark<Operator>(
        _ comparison: OperatorComparison<Operator>, _ binding: OperandBinding?
    ) -> OperatorComparison<Operator> {
        var comparison = comparison
        if let value = comparison.rightExpression.open(beside: comparison.leftExpression, binding) {
            sides.append(.right)
            comparison.rightExpression = .constantValue(mark(value))
        } else if let value = comparison.leftExpression.open(beside: comparison.rightExpression, binding) {
            sides.append(.left)
            comparison.leftExpression = .constantValue(mark(value))
        } else {
            sides.append(.neither)
        }
        return comparison
    }

    private mutating func mark(_ value: PredicateValue) -> PredicateValue {
        if case .array(let elements) = value { return .array(elements.map { mark($0) }) }
        guard let constantClass = ConstantClass(value) else { return value }
        classes.append(constantClass)
        sentinels.append(constantClass.sentinel(sentinels.count))
        return sentinels[sentinels.count - 1]
    }
}

/// The constants that an operator binds unchanged.
enum OperandBinding {
    /// `age > 21`
    case value
    /// `age IN {18, 21}`
    case list
    /// `age BETWEEN {18, 65}`
    case range

    /// The maximum number of elements of a list with open values.
    private static let longestList = 16

    /// Returns the common class of the constants of an open operand; nil for any other operand. The bounds of a range must be in
    /// order.
    func constantClass(of value: PredicateValue) -> ConstantClass? {
        guard case .array(let elements) = value else { return self == .range ? nil : ConstantClass(value) }
        guard let first = elements.first, elements.count <= Self.longestList, let common = ConstantClass(first) else {
            return nil
        }
        for element in elements.dropFirst() where ConstantClass(element) != common { return nil }
        switch self {
        case .value: return nil
        case .list: return common
        case .range: return elements.count == 2 && elements[0].isBelow(elements[1]) ? common : nil
        }
    }
}

extension ComparisonOperator {
    /// The constants that the operator binds unchanged; nil for an operator that SQL lacks.
    var binding: OperandBinding? {
        switch self {
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo: .value
        case .in: .list
        case .between: .range
        case .customSelector: nil
        }
    }
}

extension StringOperator {
    /// The constants that the operator binds unchanged; nil if the pattern determines the SQL.
    var binding: OperandBinding? { rightSide == .needle ? .value : nil }
}

extension ExpressionNode {
    /// Returns the open constants of this operand; nil for any other operand.
    fileprivate func open(beside other: ExpressionNode, _ binding: OperandBinding?) -> PredicateValue? {
        guard case .constantValue(let value) = self, other.isColumn else { return nil }
        return binding?.constantClass(of: value) == nil ? nil : value
    }

    private static let arithmetic: Set<FunctionExpression.Predefined> = [.add, .subtract, .multiply, .divide]

    /// True for a path of keys, and for arithmetic with one: constants compared with it are never folded.
    private var isColumn: Bool {
        switch self {
        case .keyPath(let path):
            switch path.steps {
            case .key, .keys, .components: return true
            case .basedKey, .based: return false
            }
        case .function(let call):
            guard case .predefined(let function) = call.function, Self.arithmetic.contains(function) else {
                return false
            }
            let others = call.arguments.filter { !$0.isColumn }
            return others.count < call.count && others.allSatisfy(\.isConstant)
        case .constantValue, .evaluatedObject, .variable, .member, .message, .cast, .aggregate, .index, .symbol,
            .subquery, .conditional, .set, .assignment, .anyKey, .block, .fetch:
            return false
        }
    }

    private var isConstant: Bool { if case .constantValue = self { true } else { false } }
}

extension PredicateValue {
    /// Returns true if both are numbers of one kind or dates, and this one is less.
    fileprivate func isBelow(_ other: PredicateValue) -> Bool {
        switch (self, other) {
        case (.integer(let left), .integer(let right)): left < right
        case (.double(let left), .double(let right)): left < right
        case (.date(let left), .date(let right)): left < right
        default: false
        }
    }
}

/// A class of constants for which a comparison with a column has the same SQL, whatever the value.
///
/// `age > 21` and `age > 65` differ only in a binding. `age > 0` is in no class, because for a count it is a test for
/// existence. Constants near zero, beyond 32 bits or without a stable string are compared by value.
enum ConstantClass: UInt8 {
    case positive, negative, wholeDouble, positiveFraction, negativeFraction, text, date, earlyDate, uuid

    /// Returns nil for a constant that is compared by value.
    init?(_ value: PredicateValue) {
        switch value {
        case .integer(let value) where value > 1 && value < 1 << 31: self = .positive
        case .integer(let value) where value < 0 && value >= -1 << 31: self = .negative
        case .double(let value) where value.magnitude > 1 && value.magnitude < 0x1p31:
            guard value == value.rounded() else {
                self = value > 0 ? .positiveFraction : .negativeFraction
                return
            }
            guard value > 0 else { return nil }
            self = .wholeDouble
        case .string(let text) where Self.isOrdinary(text): self = .text
        // Beyond that, integers in a column of seconds compare differently than doubles.
        case .date(let date) where date.timeIntervalSinceReferenceDate.magnitude < 0x1p52:
            self = date.timeIntervalSinceReferenceDate < 0 ? .earlyDate : .date
        case .uuid: self = .uuid
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .url, .type, .array, .set,
            .orderedSet, .dictionary, .object, .expression, .predicate:
            return nil
        }
    }

    /// Returns true for a string without U+0000 that has an ASCII character, which folding never removes, and that is
    /// not a UUID.
    private static func isOrdinary(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            if bytes.count == 36, bytes[8] == UInt8(ascii: "-") { return false }
            var hasASCII = false
            for byte in bytes {
                if byte == 0 { return false }
                if byte < 0x80 { hasASCII = true }
            }
            return hasASCII
        }
    }

    /// Returns a value of the class. Values for different numbers remain distinct after every conversion.
    func sentinel(_ number: Int) -> PredicateValue {
        let value = 1_000_003 + 7 * number
        // Dates are eight days apart, so that the days around them differ.
        let seconds = Double(1_000_003 + 700_003 * number) + 0.125
        switch self {
        case .positive: return .integer(Int64(value))
        case .negative: return .integer(Int64(-value))
        case .wholeDouble: return .double(Double(value))
        case .positiveFraction: return .double(Double(value) + 0.25)
        case .negativeFraction: return .double(-Double(value) - 0.25)
        // It begins with an ASCII character, because a LIKE pattern is made from the ASCII prefix.
        case .text: return .string("Z\(value)é1")
        case .date: return .date(Date(timeIntervalSinceReferenceDate: seconds))
        case .earlyDate: return .date(Date(timeIntervalSinceReferenceDate: -seconds))
        case .uuid:
            let bytes = UInt8(truncatingIfNeeded: number)
            return .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, UInt8(number >> 8 & 255), bytes)))
        }
    }
}

/// A conversion of a constant to its binding.
enum BindingConversion {
    case number, double, decimal, date, uuid, lowercaseUUID, uuidBytes
    /// The days with which strings of a date may begin.
    case firstDay, endDay
    case text(FoldMode)
    case bytes
    /// The least string above all strings with this prefix, folded.
    case successor(FoldMode)
    /// The LIKE pattern for strings that begin with the ASCII prefix of the constant, end with it, or contain it.
    case beginning, ending, containing
    /// The regular expression that finds the constant under a fold; without a search, that for the whole string.
    case expression(SQLPiece.Search?, FoldMode, SQLRegularExpressions)

    /// The conversions for a database. The first that fits is taken.
    static func all(_ expressions: SQLRegularExpressions?) -> [BindingConversion] {
        let values: [Self] = [.number, .double, .decimal, .date, .uuid, .lowercaseUUID, .uuidBytes, .firstDay, .endDay]
        let texts = FoldMode.allCases.map(Self.text) + [.bytes] + FoldMode.allCases.map(Self.successor)
        let searches: [SQLPiece.Search?] = SQLPiece.Search.allCases + [nil]
        let finds = FoldMode.allCases.dropFirst().flatMap { mode in
            searches.compactMap { search in expressions.map { Self.expression(search, mode, $0) } }
        }
        return values + texts + [.beginning, .ending, .containing] + finds
    }

    /// Returns the binding; nil for a constant that the conversion does not accept.
    func binding(of value: PredicateValue) -> SQLBinding? {
        switch (self, value) {
        case (.number, .integer(let value)): .integer(value)
        case (.number, .double(let value)): Int64(exactly: value).map(SQLBinding.integer)
        case (.double, .integer(let value)): .double(Double(value))
        case (.double, .double(let value)): .double(value)
        case (.decimal, .integer(let value)): .text(String(value))
        case (.date, .date(let date)): .double(date.timeIntervalSinceReferenceDate)
        case (.firstDay, .date(let date)):
            DayText.first(around: date.timeIntervalSinceReferenceDate).map(SQLBinding.text)
        case (.endDay, .date(let date)): DayText.end(around: date.timeIntervalSinceReferenceDate).map(SQLBinding.text)
        case (.uuid, .uuid(let uuid)): .text(uuid.uuidString)
        case (.lowercaseUUID, .uuid(let uuid)): .text(uuid.uuidString.lowercased())
        case (.uuidBytes, .uuid(let uuid)): .blob(uuid.bytes)
        case (_, .string(let text)): binding(of: text)
        default: nil
        }
    }

    private func binding(of text: String) -> SQLBinding? {
        switch self {
        case .text(let mode): .text(mode == .none ? text : Folding.fold(text, mode))
        case .bytes: .blob(text.bytes)
        case .successor(let mode): Folding.fold(text, mode).codePointSuccessor.map(SQLBinding.text)
        case .beginning: .text(LikePattern.beginning(text))
        case .ending: .text(LikePattern.ending(text))
        case .containing: .text(LikePattern.containing(text))
        case .expression(let search, let mode, let kind):
            kind.finding(search, [Folding.fold(text, mode)], mode).map(SQLBinding.text)
        case .number, .double, .decimal, .date, .firstDay, .endDay, .uuid, .lowercaseUUID, .uuidBytes: nil
        }
    }
}

/// A comparison of a predicate with the shape of a template. It collects the open constants.
///
/// `age > 65` has the shape of `age > 21`, and 65 is collected.
struct ShapeMatch {
    /// The open operands of the shape, for every comparison.
    private let sides: [OpenConstants.Side]
    /// The classes of the shape's open constants.
    private let classes: [ConstantClass]
    /// The open constants of the predicate, in the order of the tree.
    private(set) var values: [PredicateValue] = []
    /// The number of comparisons that were visited.
    private var count = 0

    init(_ sides: [OpenConstants.Side], _ classes: [ConstantClass]) {
        self.sides = sides
        self.classes = classes
        values.reserveCapacity(classes.count)
    }

    /// Returns true if the predicate has the shape; its open constants are then in ``values``.
    mutating func fits(_ node: PredicateNode, _ shape: PredicateNode) -> Bool {
        switch (node, shape) {
        case (.constant(let left), .constant(let right)): return left == right
        case (.comparison(let left), .comparison(let right)): return fits(left, right, left.operator.binding)
        case (.string(let left), .string(let right)): return fits(left, right, left.operator.binding)
        case (.compound(let left), .compound(let right)):
            guard left.type == right.type, left.count == right.count else { return false }
            for index in 0..<left.count where !fits(left[index], right[index]) { return false }
            return true
        case (.constant, _), (.comparison, _), (.string, _), (.compound, _), (.block, _): return false
        }
    }

    private mutating func fits<Operator>(
        _ node: OperatorComparison<Operator>, _ shape: OperatorComparison<Operator>, _ binding: OperandBinding?
    ) -> Bool {
        defer { count += 1 }
        guard node.operator == shape.operator, node.modifier == shape.modifier, node.options == shape.options else {
            return false
        }
        switch sides[count] {
        case .neither:
            return node.leftExpression == shape.leftExpression && node.rightExpression == shape.rightExpression
        case .right:
            return node.leftExpression == shape.leftExpression
                && fits(node.rightExpression, shape.rightExpression, binding)
        case .left:
            return node.rightExpression == shape.rightExpression
                && fits(node.leftExpression, shape.leftExpression, binding)
        }
    }

    /// Collects an open operand if its constants are as many as the shape's and have the same class.
    private mutating func fits(_ node: ExpressionNode, _ shape: ExpressionNode, _ binding: OperandBinding?) -> Bool {
        guard case .constantValue(let value) = node, case .constantValue(let shape) = shape,
            binding?.constantClass(of: value) == classes[values.count]
        else { return false }
        switch (value, shape) {
        case (.array(let elements), .array(let shapes)):
            guard elements.count == shapes.count else { return false }
            values += elements
        case (.array, _), (_, .array): return false
        default: values.append(value)
        }
        return true
    }
}
