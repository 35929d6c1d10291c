import PredicateChecks
import PredicateEvaluation

extension ValueKind {
    /// Creates the kind of a value; nil for nil, which keys of every kind may hold.
    package init?(_ value: KeyedValue) {
        if value.isNull { return nil }
        if value.collectionKind != nil {
            self = .array
        } else if case .value(let data) = value {
            guard let kind = ValueKind(data) else { return nil }
            self = kind
        } else {
            self = value.entries == nil ? .other : .dictionary
        }
    }
}
