/// The refusal of a predicate by a policy: a code, and the offending node with its source range.
///
/// `FUNCTION(name, "class") == 1` under ``PredicatePolicy/untrusted``: `feature(.message)`
///
/// `description` shows the excerpt with a caret, and what to do instead.
public struct PredicatePolicyError: PredicateDiagnostic {
    /// The refused construct. Above each case stands a format that ``PredicatePolicy/untrusted``, or a stricter policy,
    /// refuses.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Code: Hashable, Sendable {
        /// `FUNCTION(name, "class") == 1`
        case feature(PredicateFeature)
        /// `salary > 1` where only `name` is allowed
        case key(String)
        /// `SELF == 1`, `dept[name] == 1` where only some keys are allowed
        case unnamedKey
        /// `random() > 1` where that function is not allowed
        case function(FunctionExpression.Predefined)
        /// `mgl_round:(a) == 1` where functions of the host's are allowed, but not this one
        case name(String)
        /// `CAST(a, "NSData") == 1`
        case castType(String)
        /// `a.@unionOfObjects.b == 1`
        case collectionOperator(String)
        /// `name MATCHES pattern`
        case variablePattern
        /// `name MATCHES "(a+)+"`
        case costlyPattern(CostlyConstruct)
        /// A tree with more of something than the policy's limits allow
        case exceeds(PredicateLimits.Limit, limit: Int)
    }

    /// The part of a regular expression for which a matcher may backtrack without a practical end.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum CostlyConstruct: Hashable, Sendable {
        /// `(?=a)`: a group other than `(…)` and `(?:…)`
        case specialGroup
        /// `a{x}`
        case malformedCount
        /// `a{2,1000}`: more repetitions than `most`
        case repetitions(most: Int)
        /// `(a|b)+`
        case repeatedChoice
        /// `a+b+c+d+`: more unbounded repetitions than `most`
        case unboundedRepetitions(most: Int)
        /// `a+{2}`
        case repeatedRepetition
        /// `(a)\1`
        case backreference
    }

    public var code: Code
    /// The number of the offending node: children before parents, left before right. Nil for the whole predicate.
    public var node: Int?
    /// The format string, or the offending node as it prints when there was none; empty where there is neither.
    public var text: String
    /// The offending range of ``text``, as UTF-8 offsets.
    public var range: Range<Int>

    /// An error at a node, with the format and the range of bytes where the node stands in it, as far as these are
    /// known.
    public init(_ code: Code, node: Int? = nil, text: String = "", range: Range<Int> = 0..<0) {
        self.code = code
        self.node = node
        self.text = text
        self.range = range
    }

    /// The violation with its source range: in the format string, or in the node as it prints.
    init(_ violation: PolicyViolation, in tree: TreeNode, _ source: PredicateSourceMap?) {
        self.init(violation.code, node: violation.node)
        guard let number = violation.node else { return }
        if let source, let found = source.range(ofNode: number) {
            (text, range) = (source.text, found)
        } else if let node = tree.node(number: number) {
            switch node {
            case .predicate(let node): text = node.predicateFormat
            case .expression(let node): text = node.expressionFormat
            }
            range = 0..<text.utf8.count
        }
    }
}

/// A refusal without its source range.
struct PolicyViolation: Error {
    var code: PredicatePolicyError.Code
    var node: Int?
}
