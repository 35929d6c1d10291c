/// An operator that compares two values.
///
/// Each case shows its spellings, the canonical one first.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum ComparisonOperator: Hashable, Sendable {
    /// `age < 21`
    case lessThan
    /// `age <= 21`, `age =< 21`
    case lessThanOrEqualTo
    /// `age > 21`
    case greaterThan
    /// `age >= 21`, `age => 21`
    case greaterThanOrEqualTo
    /// `age == 21`, `age = 21`
    case equalTo
    /// `age != 21`, `age <> 21`
    case notEqualTo
    /// `age BETWEEN {18, 65}`
    case between
    /// `name IN {"jo", "al"}`
    case `in`
    /// `self isKindOfClass: %@`: a selector with one argument
    case customSelector(String)
}

/// An operator that compares texts.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum StringOperator: Hashable, Sendable, CaseIterable {
    /// `name BEGINSWITH "jo"`
    case beginsWith
    /// `name ENDSWITH "jo"`
    case endsWith
    /// `name CONTAINS "jo"`
    case contains
    /// `name LIKE "j*n"`
    case like
    /// `name MATCHES "j.*n"`
    case matches
    /// `type UTI-CONFORMS-TO "public.image"`
    case utiConformsTo
    /// `type UTI-EQUALS "public.png"`
    case utiEquals
}

/// The quantifier of a comparison with a collection on its left.
public enum ComparisonModifier: Int, Hashable, Sendable, CaseIterable, Codable {
    /// `age > 21`: once, for the value itself
    case direct = 0
    /// `ALL ages > 21`
    case all = 1
    /// `ANY ages > 21`, `SOME ages > 21`
    case any = 2
}

/// The logical operator of a compound.
public enum LogicalType: Int, Hashable, Sendable, CaseIterable, Codable {
    /// `NOT a == 1`, `!a == 1`
    case not = 0
    /// `a == 1 AND b == 2`, `a == 1 && b == 2`
    case and = 1
    /// `a == 1 OR b == 2`, `a == 1 || b == 2`
    case or = 2
}

extension SetExpression {
    /// An operator that makes a set of two collections.
    public enum Operator: String, Hashable, Sendable, CaseIterable, Codable {
        /// `a UNION b`
        case union = "UNION"
        /// `a INTERSECT b`
        case intersect = "INTERSECT"
        /// `a MINUS b`
        case minus = "MINUS"
    }
}

/// The letters in brackets after an operator.
///
/// `name ==[cd] "jo"`
public struct ComparisonOptions: OptionSet, Hashable, Sendable, Codable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// `[c]`: upper and lower case are the same
    public static let caseInsensitive = ComparisonOptions(rawValue: 1)
    /// `[d]`: accents do not count
    public static let diacriticInsensitive = ComparisonOptions(rawValue: 2)
    /// `[n]`: literal comparison; overrides `[c]` and `[d]` [NSP-078]
    public static let normalized = ComparisonOptions(rawValue: 4)
    /// `[l]`: by the rules of the locale that an evaluator has; without one it has no effect [NSP-184]
    public static let localeSensitive = ComparisonOptions(rawValue: 8)
}
