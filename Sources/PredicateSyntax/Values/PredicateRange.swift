/// A range of Swift as a value: `BETWEEN` and `IN` ask whether a value lies in it.
///
/// `age IN %@` with `18...65` is `age BETWEEN {18, 65}`; `18..<65`, `18...` and `..<65` have no spelling in the language.
/// [NSP-173]
package struct PredicateRange: Hashable, Sendable, CustomStringConvertible {
    /// The least value; nil without one.
    package let lowerBound: PredicateValue?
    /// The greatest value, or the first one above the range; nil without one.
    package let upperBound: PredicateValue?
    /// True if the upper bound belongs to the range.
    package let includesUpperBound: Bool

    package init(_ lowerBound: PredicateValue?, _ upperBound: PredicateValue?, includesUpperBound: Bool) {
        self.lowerBound = lowerBound
        self.upperBound = upperBound
        self.includesUpperBound = includesUpperBound
    }

    package var description: String {
        let bounds = [lowerBound, upperBound].map { $0?.printed ?? "" }
        return bounds[0] + (includesUpperBound || upperBound == nil ? "..." : "..<") + bounds[1]
    }

    /// The range as a constant.
    package var predicateValue: PredicateValue { .object(PredicateObject(self)) }

    /// The two bounds of a range that includes both: `{18, 65}`.
    fileprivate var twoBounds: PredicateValue? {
        guard let lowerBound, let upperBound, includesUpperBound else { return nil }
        return .array([lowerBound, upperBound])
    }
}

extension ComparisonPredicate {
    /// The comparison with a closed range on its right as its bounds, which every stage knows: `age IN %@` with `18...65`
    /// is `age BETWEEN {18, 65}`.
    @inline(__always)
    func spellingOutRange() -> ComparisonPredicate {
        guard case .constantValue(.object(let object)) = rightExpression else { return self }
        return spellingOut(object)
    }

    @inline(never)
    private func spellingOut(_ object: PredicateObject) -> ComparisonPredicate {
        guard `operator` == .in || `operator` == .between, let range = object.base as? PredicateRange,
            let bounds = range.twoBounds
        else { return self }
        return ComparisonPredicate(
            leftExpression, .between, .constantValue(bounds), modifier: modifier, options: options)
    }
}

extension ClosedRange: PredicateValueConvertible where Bound: PredicateValueConvertible {
    /// The range, for `age BETWEEN %@` and `age IN %@`.
    public var predicateValue: PredicateValue {
        PredicateRange(lowerBound.predicateValue, upperBound.predicateValue, includesUpperBound: true).predicateValue
    }
}

extension Range: PredicateValueConvertible where Bound: PredicateValueConvertible {
    /// The range without its upper bound, for `age IN %@`.
    public var predicateValue: PredicateValue {
        PredicateRange(lowerBound.predicateValue, upperBound.predicateValue, includesUpperBound: false).predicateValue
    }
}

extension PartialRangeFrom: PredicateValueConvertible where Bound: PredicateValueConvertible {
    /// The range, for `age IN %@`.
    public var predicateValue: PredicateValue {
        PredicateRange(lowerBound.predicateValue, nil, includesUpperBound: false).predicateValue
    }
}

extension PartialRangeThrough: PredicateValueConvertible where Bound: PredicateValueConvertible {
    /// The range, for `age IN %@`.
    public var predicateValue: PredicateValue {
        PredicateRange(nil, upperBound.predicateValue, includesUpperBound: true).predicateValue
    }
}

extension PartialRangeUpTo: PredicateValueConvertible where Bound: PredicateValueConvertible {
    /// The range without its upper bound, for `age IN %@`.
    public var predicateValue: PredicateValue {
        PredicateRange(nil, upperBound.predicateValue, includesUpperBound: false).predicateValue
    }
}
