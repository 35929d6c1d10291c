/// What a predicate may say: the rules for text that comes from somebody else.
///
/// ```
/// var policy = PredicatePolicy.untrusted
/// policy.keys = .only(["name", "age", "address.*"])
/// let predicate = try FormatPredicate(text, policy: policy)
/// let evaluator = try PredicateEvaluator(predicate, limits: policy.limits)
/// ```
///
/// A policy looks at the tree once, after parsing; what passes is evaluated or compiled as ever. It does not make
/// anything reachable: functions and messages are those of the registry, keys those that objects offer.
public struct PredicatePolicy: Hashable, Sendable {
    /// Which key paths may be followed from the object.
    public enum Keys: Hashable, Sendable {
        /// Every key.
        case any
        /// These paths, and with `.*` at the end all that lie behind one: `["name", "address.*"]`. Keys of elements
        /// count from the object: with `friends.age` listed, `SUBQUERY(friends, $f, $f.age > 21)` is allowed.
        ///
        /// What reaches keys otherwise is refused: the object as a value, keys held by variables or data.
        case only(Set<String>)
    }

    /// Which patterns `MATCHES` may be given.
    public enum Patterns: Hashable, Sendable {
        /// Every pattern, one that is found in the data too.
        case any
        /// Constants in which nothing repeated repeats, without references back and looks around: those that a
        /// matcher is through with soon.
        case plain
    }

    public var keys: Keys
    /// The constructs that are allowed.
    public var features: Set<PredicateFeature>
    /// The functions of the language that are allowed, operators of arithmetic among them.
    public var functions: Set<FunctionExpression.Predefined>
    /// The functions, messages and selectors of the host's that are allowed, by their names; nil for all of them.
    /// Each also needs its feature.
    public var names: Set<String>?
    /// The types that `CAST` may name; nil for all of them.
    public var castTypes: Set<String>?
    /// The operators of key paths that are allowed, such as `@count`; nil for all of them.
    public var collectionOperators: Set<String>?
    public var patterns: Patterns
    /// How large a predicate may be, and how much an evaluator should do for it.
    public var limits: PredicateLimits

    /// A policy that allows what is named.
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

    /// Everything that the language has, within ``PredicateLimits/standard``.
    public static let unrestricted = PredicatePolicy(
        features: Set(PredicateFeature.allCases), functions: Set(FunctionExpression.Predefined.allCases), names: nil,
        castTypes: nil, collectionOperators: nil, patterns: .any, limits: .standard)

    /// For predicates of strangers: comparisons, texts, collections and arithmetic over any key that names no class;
    /// no `FUNCTION`, no functions or selectors of the host's, no classes, no free variables and no assignment;
    /// plain patterns; ``PredicateLimits/untrusted``.
    ///
    /// Name the ``keys`` where not all of an object is everybody's.
    public static let untrusted = PredicatePolicy(
        features: Set(PredicateFeature.allCases).subtracting(PredicateFeature.unsafe),
        functions: Set(FunctionExpression.Predefined.allCases),
        castTypes: ["NSString", "NSNumber", "NSDecimalNumber", "NSDate", "NSUUID", "NSSet", "NSArray"],
        collectionOperators: ["@count", "@sum", "@avg", "@min", "@max"])

    /// Refuses a predicate that says more than the policy allows: `try PredicatePolicy.untrusted.check(predicate)`.
    /// - Throws: ``PredicatePolicyError`` with what is refused, its place, and what to do instead.
    public func check(_ predicate: FormatPredicate) throws(PredicatePolicyError) {
        try check(.predicate(predicate.node), predicate.source)
    }

    /// Refuses an expression that says more than the policy allows.
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
    /// The predicate that a format string of somebody else's says, if the policy allows it.
    ///
    /// `try FormatPredicate(text, policy: .untrusted)`
    /// - Throws: ``PredicateFormatError``, ``PredicatePolicyError``.
    public init(_ format: String, _ arguments: (any PredicateValueConvertible)?..., policy: PredicatePolicy) throws {
        try self.init(format: format, arguments: arguments.map { $0?.predicateValue ?? .null }, policy: policy)
    }

    /// The same with the arguments in an array.
    public init(format: String, arguments: [PredicateValue], policy: PredicatePolicy) throws {
        try self.init(format: format, arguments: arguments, options: FormatOptions(limits: policy.limits))
        try policy.check(self)
    }
}
