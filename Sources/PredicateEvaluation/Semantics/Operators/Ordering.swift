import Foundation
import PredicateSyntax
import PredicateText

/// `age < 21`, `name >= "m"`: numbers by value, strings by code point, dates by time; other values have no order.
///
/// What is not a number stands between the negative numbers and 0, a date without a time as its seconds do. [NSP-176]
/// Two nils are `<=` and `>=`, one nil beside a value is neither.
/// Throws `incomparable` for values of different kinds and for kinds without an order.
final class Ordering: Relation {
    /// The results of comparing two values that satisfy an operator: `<=` is less or equal.
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

    /// Compares two values, neither of them nil.
    static func compare(_ left: KeyedValue, _ right: KeyedValue, _ mode: FoldMode) throws(Fault) -> Outcomes {
        if let left = left.number, let right = right.number { return Outcomes(left.compare(right)) }
        switch (left, right) {
        case (.value(.string(let left)), .value(.string(let right))):
            return Outcomes(TextSearch.compare(left, right, mode))
        case (.value(.date(let left)), .value(.date(let right))):
            return Outcomes(NumberOrder(left.timeIntervalSinceReferenceDate, right.timeIntervalSinceReferenceDate))
        case (.value, _), (.object, _), (.collection, _):
            throw Fault(.incomparable(left: left.found, right: right.found))
        }
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

    /// The outcome of a number below, at or above zero.
    init(_ sign: Int) {
        self = sign < 0 ? .less : sign == 0 ? .equal : .greater
    }

    /// The outcomes that do not satisfy.
    var complement: Self { Self([.less, .equal, .greater]).subtracting(self) }

    /// The outcomes with both sides exchanged: `21 < age` is `age > 21`.
    var mirrored: Self {
        var mirrored = intersection(.equal)
        if contains(.less) { mirrored.insert(.greater) }
        if contains(.greater) { mirrored.insert(.less) }
        return mirrored
    }
}
