/// Rules for untrusted predicates: the keys, constructs and sizes that they may have.
///
/// ```
/// var policy = PredicatePolicy.untrusted
/// policy.keys = .only(["name", "age", "address.*"])
/// let predicate = try FormatPredicate(text, policy: policy)
/// let evaluator = try PredicateEvaluator(predicate, limits: policy.limits)
/// ```
///
/// A policy checks the tree once, after parsing; a predicate that passes is evaluated or compiled as any other. A policy
/// does not make anything reachable: functions and messages are those of the registry, keys those that objects offer.
public struct PredicatePolicy: Hashable, Sendable {
    /// The key paths that may be followed from the object.
    public enum Keys: Hashable, Sendable {
        /// Every key.
        case any
        /// These paths, and with `.*` at the end all paths that begin with one: `["name", "address.*"]`. Keys of elements
        /// count from the object: with `friends.age` listed, `SUBQUERY(friends, $f, $f.age > 21)` is allowed.
        ///
        /// Other ways to reach keys are refused: the object as a value, keys held by variables or data.
        case only(Set<String>)
    }

    /// The regular expressions that `MATCHES` may be given.
    public enum Patterns: Hashable, Sendable {
        /// Every pattern, patterns found in the data included.
        case any
        /// Constants without nested repetitions, back-references and look-around, which cannot make a matcher backtrack
        /// for long.
        case plain
    }

    /// The keys that a predicate may read.
    public var keys: Keys
    /// The allowed constructs.
    public var features: Set<PredicateFeature>
    /// The allowed functions of the language, operators of arithmetic among them.
    public var functions: Set<FunctionExpression.Predefined>
    /// The allowed functions, messages and selectors of the host, by name; nil for all of them. Each also needs its
    /// feature.
    public var names: Set<String>?
    /// The types that `CAST` may name; nil for all types.
    public var castTypes: Set<String>?
    /// The allowed collection operators of key paths, such as `@count`; nil for all of them.
    public var collectionOperators: Set<String>?
    /// The regular expressions that a predicate may use.
    public var patterns: Patterns
    /// The limits for the size of a predicate and for the work of an evaluator.
    public var limits: PredicateLimits

    /// A policy that allows the named constructs.
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

    /// A policy for untrusted predicates: comparisons, texts, collections and arithmetic over any key that names no class;
    /// no `FUNCTION`, no functions, selectors or blocks of the host, no classes, no free variables and no assignment;
    /// patterns that cannot backtrack for long; ``PredicateLimits/untrusted``.
    ///
    /// Set ``keys`` where not all of an object is public.
    public static let untrusted = PredicatePolicy(
        features: Set(PredicateFeature.allCases).subtracting(PredicateFeature.unsafe),
        functions: Set(FunctionExpression.Predefined.allCases),
        castTypes: ["NSString", "NSNumber", "NSDecimalNumber", "NSDate", "NSUUID", "NSSet", "NSArray"],
        collectionOperators: ["@count", "@sum", "@avg", "@min", "@max"])

    /// Checks a predicate against the policy: `try PredicatePolicy.untrusted.check(predicate)`.
    /// - Throws: ``PredicatePolicyError`` with the refused construct, its source range, and a hint.
    public func check(_ predicate: FormatPredicate) throws(PredicatePolicyError) {
        try check(.predicate(predicate.node), predicate.source)
    }

    /// Checks an expression against the policy.
    public func check(_ expression: FormatExpression) throws(PredicatePolicyError) {
        try check(.expression(expression.node), expression.source)
    }

    private func check(_ tree: TreeNode, _ source: PredicateSourceMap?) throws(PredicatePolicyError) {
        do throws(PolicyViolation) {
            var check = PolicyCheck(self)
            try check.check(tree)
        } catch {
            throw PredicatePolicyError(error, in: tree, source)
        }
    }
}

extension FormatPredicate {
    /// Parses an untrusted format string and checks it against a policy.
    ///
    /// `try FormatPredicate(text, policy: .untrusted)`
    /// - Throws: ``PredicateFormatError``, ``PredicatePolicyError``.
    public init(_ format: String, _ arguments: (any PredicateValueConvertible)?..., policy: PredicatePolicy) throws {
        try self.init(format: format, arguments: arguments.map { $0?.predicateValue ?? .null }, policy: policy)
    }

    /// Parses an untrusted format string with an array of arguments and checks it against a policy.
    public init(format: String, arguments: [PredicateValue], policy: PredicatePolicy) throws {
        try self.init(format: format, arguments: arguments, options: FormatOptions(limits: policy.limits))
        try policy.check(self)
    }
}
