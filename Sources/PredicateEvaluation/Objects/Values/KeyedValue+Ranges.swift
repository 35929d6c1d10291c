import Foundation
import PredicateSyntax

// Ranges and sets of indexes as values: `2 IN pages`, where pages is `1...3`. [NSP-173]

extension PredicateRange: KeyValueCoding {
    package func value(forKey key: String) -> KeyedValue? {
        switch key {
        case "lowerBound": lowerBound?.keyedValue ?? .null
        case "upperBound": upperBound?.keyedValue ?? .null
        default: nil
        }
    }

    package var allKeys: [String] { ["lowerBound", "upperBound"] }
}

extension KeyedValue {
    /// The range that the value is; nil for every other value.
    package var range: PredicateRange? {
        if case .object(let object) = self { object as? PredicateRange } else { nil }
    }

    /// The set of indexes that is too large to be listed; nil for every other value.
    package var indexes: IndexSet? {
        if case .object(let object) = self { (object as? LargeIndexSet)?.indexes } else { nil }
    }

    /// Makes a range of its bounds, nil where it has none; bounds that no constant can be make it an object by reflection.
    fileprivate init(
        _ range: some Any, _ lower: KeyedValue?, _ upper: KeyedValue?, includesUpperBound: Bool = false
    ) {
        let bounds = [lower, upper].map { $0.map { $0.predicateValue } }
        switch (bounds[0], bounds[1]) {
        case (.some(nil), _), (_, .some(nil)): self = .object(ReflectedObject(range))
        case (let lower, let upper):
            self = .object(
                PredicateRange(lower ?? nil, upper ?? nil, includesUpperBound: includesUpperBound))
        }
    }
}

extension ClosedRange: KeyedValueConvertible where Bound: KeyedValueConvertible {
    /// The range, for `BETWEEN`, `IN` and the keys `lowerBound` and `upperBound`.
    public var keyedValue: KeyedValue {
        KeyedValue(self, lowerBound.keyedValue, upperBound.keyedValue, includesUpperBound: true)
    }
}

extension Range: KeyedValueConvertible where Bound: KeyedValueConvertible {
    /// The range, for `BETWEEN`, `IN` and the keys `lowerBound` and `upperBound`.
    public var keyedValue: KeyedValue { KeyedValue(self, lowerBound.keyedValue, upperBound.keyedValue) }
}

extension PartialRangeFrom: KeyedValueConvertible where Bound: KeyedValueConvertible {
    /// The range, whose key `upperBound` is nil.
    public var keyedValue: KeyedValue { KeyedValue(self, lowerBound.keyedValue, nil) }
}

extension PartialRangeThrough: KeyedValueConvertible where Bound: KeyedValueConvertible {
    /// The range, whose key `lowerBound` is nil.
    public var keyedValue: KeyedValue { KeyedValue(self, nil, upperBound.keyedValue, includesUpperBound: true) }
}

extension PartialRangeUpTo: KeyedValueConvertible where Bound: KeyedValueConvertible {
    /// The range, whose key `lowerBound` is nil.
    public var keyedValue: KeyedValue { KeyedValue(self, nil, upperBound.keyedValue) }
}

extension IndexSet: KeyedValueConvertible, PredicateValueConvertible {
    /// The number of indexes that are listed; a few ranges may hold billions.
    private static let listedCount = 65_536

    /// A set of integers; more than 65,536 of them have no elements, and can only be looked in by `IN`.
    public var keyedValue: KeyedValue {
        if count > Self.listedCount { return .object(LargeIndexSet(indexes: self)) }
        return .value(.set(Set(map { .integer(Int64($0)) })))
    }

    public var predicateValue: PredicateValue {
        if count > Self.listedCount { return .object(PredicateObject(LargeIndexSet(indexes: self))) }
        return .set(Set(map { .integer(Int64($0)) }))
    }
}

/// A set of indexes that is not listed.
struct LargeIndexSet: KeyValueCoding, Hashable, Sendable {
    let indexes: IndexSet

    func value(forKey key: String) -> KeyedValue? {
        key == "count" ? indexes.count.keyedValue : nil
    }

    var allKeys: [String] { ["count"] }
}
