extension PredicateKey {
    /// A collection of which any or all elements are compared.
    ///
    /// `PredicateKey("scores").any >= 21` is `ANY scores >= 21`.
    public struct Quantified: Hashable, Sendable {
        let key: PredicateKey
        let modifier: ComparisonModifier
    }
}

extension PredicateKey {
    /// `ANY scores …`
    public var any: PredicateKey.Quantified { PredicateKey.Quantified(key: self, modifier: .any) }

    /// `ALL scores …`
    public var all: PredicateKey.Quantified { PredicateKey.Quantified(key: self, modifier: .all) }

    /// `friends.@count`
    public var count: PredicateKey { PredicateKey(path + ".@count") }

    /// `friends.@sum.age` and the other collection operators by their names.
    public func aggregate(_ operator: String, _ key: String? = nil) -> PredicateKey {
        PredicateKey([path, "@" + `operator`, key].compactMap(\.self).joined(separator: "."))
    }
}

extension PredicateKey.Quantified {
    /// The comparison that a closure makes of the key, for any or all elements.
    ///
    /// `PredicateKey("names").any { $0.beginsWith("jo") }` is `ANY names BEGINSWITH "jo"`.
    public func callAsFunction(_ comparison: (PredicateKey) -> FormatPredicate) -> FormatPredicate {
        switch comparison(key).node {
        case .comparison(var node):
            node.modifier = modifier
            return FormatPredicate(.comparison(node))
        case .string(var node):
            node.modifier = modifier
            return FormatPredicate(.string(node))
        case .constant, .compound: return comparison(key)
        }
    }

    /// `ANY scores == 21`
    public static func == (left: Self, right: (any PredicateValueConvertible)?) -> FormatPredicate {
        left { $0 == right }
    }

    /// `ANY scores != 21`
    public static func != (left: Self, right: (any PredicateValueConvertible)?) -> FormatPredicate {
        left { $0 != right }
    }

    /// `ANY scores < 21`
    public static func < (left: Self, right: any PredicateValueConvertible) -> FormatPredicate {
        left { $0 < right }
    }

    /// `ANY scores <= 21`
    public static func <= (left: Self, right: any PredicateValueConvertible) -> FormatPredicate {
        left { $0 <= right }
    }

    /// `ANY scores > 21`
    public static func > (left: Self, right: any PredicateValueConvertible) -> FormatPredicate {
        left { $0 > right }
    }

    /// `ANY scores >= 21`
    public static func >= (left: Self, right: any PredicateValueConvertible) -> FormatPredicate {
        left { $0 >= right }
    }
}
