/// A construct of the language that a policy allows or refuses.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum PredicateFeature: String, Hashable, Sendable, CaseIterable {
    /// `TRUEPREDICATE`
    case constantPredicate
    /// `a == 1 AND b == 2`
    case and
    /// `a == 1 OR b == 2`
    case or
    /// `NOT a == 1`
    case not
    /// `a == 1`, `a != 1`
    case equality
    /// `a < 1`, `a >= 1`
    case ordering
    /// `a BETWEEN {1, 2}`
    case between
    /// `a IN {1, 2}`
    case `in`
    /// `name BEGINSWITH "jo"`, `name ENDSWITH "n"`
    case textEnds
    /// `name CONTAINS "jo"`
    case contains
    /// `name LIKE "j*n"`
    case like
    /// `name MATCHES "j.*n"`
    case matches
    /// `type UTI-EQUALS "public.png"`, `type UTI-CONFORMS-TO "public.image"`
    case typeIdentifiers
    /// `self isKindOfClass: %@`
    case selector
    /// `ANY ages > 21`, `ALL ages > 21`
    case quantifiers
    /// `$limit`, unless an enclosing SUBQUERY binds the variable
    case variable
    /// `record.$key`: a key that a variable holds
    case variableKey
    /// `name.class`, `name.description`: keys that reveal types and descriptions
    case reflectiveKey
    /// `mgl_round:(a)`
    case hostFunction
    /// `FUNCTION(name, "uppercaseString")`, `name.upper('x')`
    case message
    /// `CAST(born, "NSString")`
    case cast
    /// `CAST("NSTask", "Class")`, a class passed for `%@`
    case classConstant
    /// A predicate or an expression inside a constant: `%@` with an array of expressions
    case treeConstant
    /// An object of the host passed for `%@`
    case objectConstant
    /// `{a, b}`
    case aggregate
    /// `a[0]`, `a["key"]`, `a[FIRST]`
    case index
    /// `SUBQUERY(friends, $f, $f.age > 21)`
    case subquery
    /// `TERNARY(a == 1, b, c)`
    case conditional
    /// `a UNION b`
    case setOperation
    /// `$a := 1`
    case assignment
    /// `ANYKEY`
    case anyKey
    /// `FETCH(…)`
    case fetch
    /// A closure of the host, which a format cannot make: `FormatPredicate(name: "adult") { … }`
    case block

    /// The features that ``PredicatePolicy/untrusted`` refuses.
    public static let unsafe: Set<PredicateFeature> = [
        .selector, .variable, .variableKey, .reflectiveKey, .hostFunction, .message, .classConstant, .treeConstant,
        .objectConstant, .assignment, .anyKey, .fetch, .block,
    ]
}
