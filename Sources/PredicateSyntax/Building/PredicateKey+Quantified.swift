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

    /// `friends.@sum.age`; without a key, of the elements themselves: `prices.@sum.self`.
    public func aggregate(_ operator: CollectionOperator, _ key: String = "self") -> PredicateKey {
        PredicateKey("\(path).\(`operator`.rawValue).\(key)")
    }

    /// A value computed over the elements of a collection.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum CollectionOperator: String, Hashable, Sendable, CaseIterable {
        /// `friends.@sum.age`
        case sum = "@sum"
        /// `friends.@avg.age`
        case average = "@avg"
        /// `friends.@min.age`
        case minimum = "@min"
        /// `friends.@max.age`
        case maximum = "@max"
        /// `friends.@unionOfObjects.city`
        case unionOfObjects = "@unionOfObjects"
        /// `friends.@distinctUnionOfObjects.city`
        case distinctUnionOfObjects = "@distinctUnionOfObjects"
        /// `teams.@unionOfArrays.name`, where teams is an array of arrays
        case unionOfArrays = "@unionOfArrays"
        /// `teams.@distinctUnionOfArrays.name`
        case distinctUnionOfArrays = "@distinctUnionOfArrays"
        /// `teams.@unionOfSets.name`, where teams is a set of sets
        case unionOfSets = "@unionOfSets"
        /// `teams.@distinctUnionOfSets.name`
        case distinctUnionOfSets = "@distinctUnionOfSets"
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
        case .constant, .compound, .block: return comparison(key)
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
