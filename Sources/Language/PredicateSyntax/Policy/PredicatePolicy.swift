/// Rules for untrusted predicates: the keys, constructs and sizes that they may have.
///
/// ```
/// var policy = PredicatePolicy.untrusted
/// policy.keys = .only(["name", "age", "address.*"])
/// let predicate = try FormatPredicate(text, policy: policy)
/// let evaluator = try PredicateEvaluator(predicate, limits: policy.limits)
/// ```
///
/// A policy checks a tree once, after parsing. A predicate that passes is evaluated or compiled as any other. A
/// policy never grants access: functions and messages must still be registered, and keys must be offered by the
/// objects.
public struct PredicatePolicy: Hashable, Sendable {
    /// The key paths that may be followed from the object.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Keys: Hashable, Sendable {
        /// Every key.
        case any
        /// These paths and, for a path that ends with `.*`, the path before it and every path below it: `["name",
        /// "orders.*"]`. Keys of elements are relative to the object: with `orders.*`, or `orders` and `orders.total`,
        /// `SUBQUERY(orders, $o, $o.total > 10).@count > 0` is allowed.
        ///
        /// Other ways to reach keys are refused: the object as a value, and keys from variables or data.
        case only(Set<String>)
    }

    /// The regular expressions that `MATCHES` may use.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Patterns: Hashable, Sendable {
        /// Every pattern, including patterns found in the data.
        case any
        /// Constant patterns without nested repetitions, back-references or look-around, which cannot cause excessive
        /// backtracking.
        case plain
    }

    /// The keys that a predicate may read.
    public var keys: Keys
    /// The allowed constructs.
    public var features: Set<PredicateFeature>
    /// The allowed functions of the language, including arithmetic operators.
    public var functions: Set<FunctionExpression.Predefined>
    /// The allowed functions, messages and selectors of the host, by name; nil for all of them. Each also requires
    /// its feature.
    public var names: Set<String>?
    /// The types that `CAST` may name; nil for all types.
    public var castTypes: Set<String>?
    /// The allowed collection operators of key paths, such as `@count`; nil for all of them.
    public var collectionOperators: Set<String>?
    /// The regular expressions that a predicate may use.
    public var patterns: Patterns
    /// The limits for the size of a predicate and for the work of an evaluator.
    public var limits: PredicateLimits
    /// The types of the objects; nil if they are unknown.
    package var types: (any PolicyTypes)? {
        get { typesBox?.types }
        set { typesBox = newValue.map(TypesBox.init) }
    }
    private var typesBox: TypesBox?

    /// Makes a policy that allows the named constructs.
    ///
    /// `PredicatePolicy(keys: .only(["age"]), features: [.ordering, .equality, .and], functions: [])`
    public init(
        keys: Keys = .any, features: Set<PredicateFeature>, functions: Set<FunctionExpression.Predefined>,
        names: Set<String>? = [], castTypes: Set<String>? = [], collectionOperators: Set<String>? = [],
        patterns: Patterns = .plain, limits: PredicateLimits = .untrusted
    ) {
        self.keys = keys
        self.features = features
        self.functions = functions
        self.names = names
        self.castTypes = castTypes
        self.collectionOperators = collectionOperators
        self.patterns = patterns
        self.limits = limits
    }

    /// A policy that allows the whole language, within ``PredicateLimits/standard``.
    public static let unrestricted = PredicatePolicy(
        features: Set(PredicateFeature.allCases), functions: Set(FunctionExpression.Predefined.allCases), names: nil,
        castTypes: nil, collectionOperators: nil, patterns: .any, limits: .standard)

    /// A policy for untrusted predicates. It allows comparisons, strings, collections and arithmetic over any key
    /// that does not reveal a class. It refuses `FUNCTION`; functions, selectors and blocks of the host; classes;
    /// free variables and assignments; and patterns that may backtrack for long. The limits are
    /// ``PredicateLimits/untrusted``.
    ///
    /// Set ``keys`` if parts of the object are not public.
    public static let untrusted = PredicatePolicy(
        features: Set(PredicateFeature.allCases).subtracting(PredicateFeature.unsafe),
        functions: Set(FunctionExpression.Predefined.allCases),
        castTypes: ["NSString", "NSNumber", "NSDecimalNumber", "NSDate", "NSUUID", "NSSet", "NSArray"],
        collectionOperators: ["@count", "@sum", "@avg", "@min", "@max"])

    /// Checks a predicate against the policy: `try PredicatePolicy.untrusted.check(predicate)`.
    /// - Throws: ``PredicateFormatError`` with the code `refused` or `exceeds`, the source range, and a hint.
    public func check(_ predicate: FormatPredicate) throws(PredicateFormatError) {
        try check(.predicate(predicate.node), predicate.source)
        if let mistake = types?.mistake(in: predicate) { throw mistake }
    }

    /// Checks an expression against the policy.
    public func check(_ expression: FormatExpression) throws(PredicateFormatError) {
        try check(.expression(expression.node), expression.source)
        if let mistake = types?.mistake(in: expression) { throw mistake }
    }

    private func check(_ tree: TreeNode, _ source: PredicateSourceMap?) throws(PredicateFormatError) {
        do throws(PolicyViolation) {
            var check = PolicyCheck(self)
            try check.check(tree)
        } catch {
            throw PredicateFormatError(error, in: tree, source)
        }
    }
}

extension FormatPredicate {
    /// Parses an untrusted format string and checks it against a policy.
    ///
    /// `try FormatPredicate(text, policy: .untrusted)`
    /// - Throws: ``PredicateFormatError``; the code is `refused` for a construct that the policy does not allow.
    public init(
        _ format: String, _ arguments: (any PredicateValueConvertible)?..., policy: PredicatePolicy
    ) throws(PredicateFormatError) {
        try self.init(format: format, arguments: arguments.map { $0?.predicateValue ?? .null }, policy: policy)
    }

    /// Parses an untrusted format string with an array of arguments and checks it against a policy.
    public init(
        format: String, arguments: [PredicateValue], policy: PredicatePolicy
    ) throws(PredicateFormatError) {
        try self.init(format: format, arguments: arguments, options: FormatOptions(limits: policy.limits))
        try policy.check(self)
    }
}

// MARK: - Types

/// The types of a policy's objects, with a search for mistakes that contradict them.
package protocol PolicyTypes: Sendable {
    /// The keys of the objects.
    var keys: [String] { get }
    /// Returns the first mistake; nil if there is none.
    func mistake(in predicate: FormatPredicate) -> PredicateFormatError?
    func mistake(in expression: FormatExpression) -> PredicateFormatError?
}

/// A box of types that is equal only to itself, so that policies can be compared.
private final class TypesBox: Hashable, Sendable {
    let types: any PolicyTypes

    init(_ types: any PolicyTypes) { self.types = types }

    static func == (left: TypesBox, right: TypesBox) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// MARK: - Features

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
    /// `record.$key`: a key held by a variable
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
    /// A closure of the host, which a format cannot contain: `FormatPredicate(name: "adult") { … }`
    case block

    /// The features that ``PredicatePolicy/untrusted`` refuses.
    public static let unsafe: Set<PredicateFeature> = [
        .selector, .variable, .variableKey, .reflectiveKey, .hostFunction, .message, .classConstant, .treeConstant,
        .objectConstant, .assignment, .anyKey, .fetch, .block,
    ]
}
