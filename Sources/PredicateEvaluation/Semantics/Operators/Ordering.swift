import Foundation
import PredicateSyntax
import PredicateText

/// `age < 21`, `name >= "m"`: numbers by value, strings by code point, dates by time; all else has no order.
///
/// Two nils are `<=` and `>=`, one nil beside a value is neither.
/// Throws `incomparable` for values of different kinds and for kinds without an order.
final class Ordering: Relation {
    /// Which outcomes satisfy the operator.
    struct Outcomes: OptionSet, Sendable {
        let rawValue: Int
        static let less = Outcomes(rawValue: 1)
        static let equal = Outcomes(rawValue: 2)
        static let greater = Outcomes(rawValue: 4)
    }

    private let outcomes: Outcomes
    private let mode: FoldMode

    init(_ outcomes: Outcomes, _ mode: FoldMode) {
        self.outcomes = outcomes
        self.mode = mode
    }

    var kind: RelationKind { .ordering(outcomes, mode) }

    func holds(_ left: KeyedValue, _ right: KeyedValue) throws(Fault) -> Bool {
        if left.isNull || right.isNull { return left.isNull && right.isNull && outcomes.admits(.equal) }
        return outcomes.admits(try Self.compare(left, right, mode))
    }

    func test(against right: PredicateValue) -> (any ValueTest)? {
        switch right {
        case .integer, .double, .bool: Number(right).map { NumberOrdering(outcomes, $0) }
        case .string(let text): TextOrdering(outcomes, text, mode)
        case .null, .nullObject, .decimal, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet, .dictionary,
            .object, .expression, .predicate:
            nil
        }
    }

    /// How one value stands to another, neither nil: one outcome, or none where one is not a number.
    static func compare(_ left: KeyedValue, _ right: KeyedValue, _ mode: FoldMode) throws(Fault) -> Outcomes {
        if let left = left.number, let right = right.number { return Outcomes(left.compare(right)) }
        switch (left, right) {
        case (.value(.string(let left)), .value(.string(let right))):
            return Outcomes(TextSearch.compare(left, right, mode))
        case (.value(.date(let left)), .value(.date(let right))):
            return left < right ? .less : left == right ? .equal : .greater
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
        case .unordered: self = []
        }
    }

    /// Of a number below, at or above zero.
    init(_ sign: Int) {
        self = sign < 0 ? .less : sign == 0 ? .equal : .greater
    }

    /// Whether one of the outcomes of a comparison satisfies: a value that is not a number has none.
    fileprivate func admits(_ outcome: Self) -> Bool {
        !isDisjoint(with: outcome)
    }
}

/// `age > 21`
private final class NumberOrdering: ValueTest {
    private let outcomes: Ordering.Outcomes
    private let right: Number

    init(_ outcomes: Ordering.Outcomes, _ right: Number) {
        self.outcomes = outcomes
        self.right = right
    }

    func holds(_ left: KeyedValue) throws(Fault) -> Bool {
        guard let number = left.number else {
            if left.isNull { return false }
            throw Fault(.incomparable(left: left.found, right: right.predicateValue.found))
        }
        return outcomes.admits(Ordering.Outcomes(number.compare(right)))
    }
}

/// `name <[c] "m"` with the right side folded.
private final class TextOrdering: ValueTest {
    private let outcomes: Ordering.Outcomes
    private let text: String
    private let needle: PreparedNeedle

    init(_ outcomes: Ordering.Outcomes, _ text: String, _ mode: FoldMode) {
        self.outcomes = outcomes
        self.text = text
        self.needle = PreparedNeedle(text, mode)
    }

    func holds(_ left: KeyedValue) throws(Fault) -> Bool {
        guard let value = left.text else {
            if left.isNull { return false }
            throw Fault(.incomparable(left: left.found, right: PredicateValue.string(text).found))
        }
        return outcomes.admits(Ordering.Outcomes(needle.order(of: value)))
    }
}
