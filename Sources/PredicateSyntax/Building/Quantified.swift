/// A collection of which any or all elements are compared.
///
/// `Key("scores").any >= 21` is `ANY scores >= 21`.
public struct QuantifiedKey: Hashable, Sendable {
    let key: Key
    let modifier: ComparisonModifier
}

extension Key {
    /// `ANY scores …`
    public var any: QuantifiedKey { QuantifiedKey(key: self, modifier: .any) }

    /// `ALL scores …`
    public var all: QuantifiedKey { QuantifiedKey(key: self, modifier: .all) }

    /// `friends.@count`
    public var count: Key { Key(path + ".@count") }

    /// `friends.@sum.age` and the other collection operators by their names.
    public func aggregate(_ operator: String, _ key: String? = nil) -> Key {
        Key([path, "@" + `operator`, key].compactMap(\.self).joined(separator: "."))
    }
}

extension QuantifiedKey {
    /// The comparison that a closure makes of the key, for any or all elements.
    ///
    /// `Key("names").any { $0.beginsWith("jo") }` is `ANY names BEGINSWITH "jo"`.
    public func callAsFunction(_ comparison: (Key) -> FormatPredicate) -> FormatPredicate {
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
