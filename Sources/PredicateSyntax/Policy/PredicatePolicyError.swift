/// Why a policy refuses a predicate: a code, and the sub-expression at fault with its place.
///
/// `FUNCTION(name, "class") == 1` under ``PredicatePolicy/untrusted``: `feature(.message)`
///
/// ``description`` shows the place under a caret, and what to do instead.
public struct PredicatePolicyError: Error, Hashable, Sendable {
    /// What is refused. Above each case stands a format that ``PredicatePolicy/untrusted``, or a stricter policy,
    /// refuses.
    @nonexhaustive
    public enum Code: Hashable, Sendable {
        /// `FUNCTION(name, "class") == 1`
        case feature(PredicateFeature)
        /// `salary > 1` where only `name` is allowed
        case key(String)
        /// `SELF == 1`, `dept[name] == 1` where only some keys are allowed
        case unnamedKey
        /// `random() > 1` where that function is not allowed
        case function(PredefinedFunction)
        /// `mgl_round:(a) == 1` where functions of the host's are allowed, but not this one
        case name(String)
        /// `CAST(a, "NSData") == 1`
        case castType(String)
        /// `a.@unionOfObjects.b == 1`
        case collectionOperator(String)
        /// `name MATCHES pattern`
        case variablePattern
        /// `name MATCHES "(a+)+"`
        case costlyPattern(String)
        /// A tree with more of something than the policy's limits allow
        case exceeds(PredicateLimits.Limit, limit: Int)
    }

    public var code: Code
    /// The sub-expression at fault, as its position in the tree: children before parents, left before right.
    /// Nil when the whole predicate is.
    public var culprit: Int?
    /// The format string, or the sub-expression as it prints when there was none; empty where there is neither.
    public var text: String
    /// The place in ``text``, as UTF-8 offsets.
    public var range: Range<Int>

    public init(_ code: Code, culprit: Int? = nil, text: String = "", range: Range<Int> = 0..<0) {
        self.code = code
        self.culprit = culprit
        self.text = text
        self.range = range
    }

    /// The violation with its place: in the format string, or in the node as it prints.
    init(_ violation: PolicyViolation, in tree: TreeNode, _ source: PredicateSourceMap?) {
        self.init(violation.code, culprit: violation.node)
        guard let number = violation.node else { return }
        if let source, let place = source.range(ofNode: number) {
            (text, range) = (source.text, place)
        } else if let node = tree.node(number: number) {
            switch node {
            case .predicate(let node): text = node.predicateFormat
            case .expression(let node): text = node.expressionFormat
            }
            range = 0..<text.utf8.count
        }
    }
}

/// What a policy refuses, before it is known where that stands in the text.
struct PolicyViolation: Error {
    var code: PredicatePolicyError.Code
    var node: Int?
}

extension PredicatePolicyError: CustomStringConvertible {
    /// The error with its excerpt, as a terminal shows it.
    public var description: String {
        ErrorRenderer.render(title: code.title, source: text, range: range, label: code.label, hints: code.hints)
    }
}
