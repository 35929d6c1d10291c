public import PredicateSyntax

/// An error of preparing or evaluating a predicate: a code, the offending node, and its source range.
///
/// `name < 3` where name holds a string: `incomparable`, the string "jo" against the number 3
///
/// Errors are equal when their codes and nodes are: the text follows from the predicate.
public struct EvaluationError: PredicateDiagnostic {
    /// The kind of error, named by what was expected or violated.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Code: Hashable, Sendable {
        /// `name < 3` where name is a string: values of these two classes have no order
        case incomparable(left: FoundValue, right: FoundValue)
        /// `a + 1` where a is a string or nil: arithmetic takes numbers
        case notANumber(found: FoundValue)
        /// `a << 1.5`: bit operators take integers
        case notAnInteger(found: FoundValue)
        /// `9223372036854775807 + 1`
        case integerOverflow
        /// `1 / 0` in integers
        case divisionByZero
        /// `age LIKE "1*"` where age is a number: a text operator takes texts
        case notAString(found: FoundValue)
        /// `ANY age == 1` where age is a number; `UNION`, `SUBQUERY`, `@count` of one
        case notACollection(found: FoundValue)
        /// `age BETWEEN 25`: the right side must be a collection of two
        case notARange(found: FoundValue)
        /// `age IN 10`
        case notAContainer(found: FoundValue)
        /// `wings > 2` on an object that has no key wings; near misses best first
        case undefinedKey(String, of: String, nearMisses: [String])
        /// `noise == "meow"` where noise is a lazy property that nothing has read: reflection cannot
        case unreadLazyKey(String, of: String)
        /// `balance > 0` on an actor, whose state only the actor may read
        case isolatedKey(String, of: String)
        /// `home == office` where both are structs that are not `Equatable`; `shape == "round"` where shape is an enum
        /// without raw values
        case notEquatable(String, against: FoundValue)
        /// A value whose own `encode(to:)` throws, and what it throws
        case notEncodable(String, HostError)
        /// `a.@medium.b`
        case unknownCollectionOperator(String, nearMisses: [String])
        /// `a.d[0]`: after a dot comes a key; an index is written `(a.d)[0]`
        case notAKey(found: String)
        /// `a[7]` in an array of three
        case indexOutOfRange(Int, count: Int)
        /// `a["x"]` in an array; `a[FIRST]` of a number
        case notIndexable(found: FoundValue, index: String)
        /// `FIRST == 1`: the word means a position in an index, nothing else; as a key it is written `#first`
        case symbolOutsideIndex(String)
        /// `$limit` without a value; near misses among the names that have one
        case unboundVariable(String, nearMisses: [String])
        /// `mgl_round(x) == 1`
        case unknownFunction(String, nearMisses: [String])
        /// `sqrt(1, 2)`
        case argumentCount(function: String, expected: ClosedRange<Int>, found: Int)
        /// `FUNCTION(a, "erase")`: the registry has no such message for this value
        case unknownMessage(String, target: String, nearMisses: [String])
        /// `self conformsTo: %@`: the registry has no such selector
        case unknownSelector(String, nearMisses: [String])
        /// `CAST(x, "UIColor")`
        case unknownCastType(String, nearMisses: [String])
        /// `CAST("abc", "NSDate")`
        case castFailed(value: FoundValue, type: String)
        /// `name MATCHES "(a"`
        case invalidPattern(String)
        /// `name MATCHES "(a+)+$"` on a text that makes the pattern try too many ways
        case patternTooCostly(String)
        /// `FUNCTION(a, "stringByAppendingString:", a)` where that grows past all bounds
        case resultTooLarge(limit: Int)
        /// `max({})`
        case emptyCollection(function: String)
        /// `uppercase(1)`: a function's argument of the wrong kind
        case argumentKind(function: String, expected: String, found: FoundValue)
        /// `sum(ANYKEY) == 1`: only one side of a comparison may be `ANYKEY`
        case notEvaluable(String)
        /// `ANYKEY == 1` on an object whose ``KeyValueCoding/allKeys`` is empty
        case unlistedKeys(of: String)
        /// A NOT built by hand with no predicate or with several
        case subpredicateCount(found: Int)
        /// A tree that nests deeper than `PredicateLimits.nesting`
        case nestingTooDeep(limit: Int)
        /// More of something than `PredicateLimits` allow: `SUBQUERY(a, $x, $x == 1)` where a has more elements than steps
        case exceeds(PredicateLimits.Limit, limit: Int)
        /// A function, a block or an object of the host threw: see ``EvaluationError/underlyingError``
        case host(HostError)
    }

    /// The kind of error, with the values and names that it is about.
    public let code: Code
    /// The node number of the offending node: children before parents, left before right. Nil if the whole predicate is
    /// at fault.
    public let node: Int?
    /// The tree in which ``node`` counts; nil until the error leaves the evaluator.
    private var origin: ErrorOrigin?

    /// An error without a text, as functions of an ``EvaluationRegistry`` throw it; the evaluator adds node and text.
    public init(_ code: Code, node: Int? = nil) {
        self.code = code
        self.node = node
    }

    /// The format string, or the offending node as it prints; empty where there is neither.
    ///
    /// Worked out on access, like ``range``: an error costs no more than its code until it is shown.
    public var text: String { excerpt?.text ?? "" }

    /// The source range of the offending node in ``text``, as UTF-8 offsets.
    public var range: Range<Int> { excerpt?.range ?? 0..<0 }

    var excerpt: (text: String, range: Range<Int>)? {
        node.flatMap { origin?.excerpt(of: $0) }
    }

    public static func == (left: EvaluationError, right: EvaluationError) -> Bool {
        left.code == right.code && left.node == right.node
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(code)
        hasher.combine(node)
    }
}

// MARK: - Description

extension EvaluationError {
    /// One line that says what was expected: `expected a number`.
    public var title: String { code.title }

    /// The words next to the caret: `this is the string "abc"`.
    public var label: String? { code.label }

    /// Cures; the format string may tell more than the values do.
    public var hints: [String] {
        excerpt.map { hints(for: WrittenPhrase($0.text, $0.range)) } ?? code.hints
    }

    /// The error as a terminal shows it.
    ///
    /// ```
    /// error: expected a number
    ///   name + 1 > 2
    ///   ^~~~ this is the string "abc"
    /// hint: CAST(name, "NSNumber") reads a number from a string
    /// ```
    ///
    /// An error without a ``text`` has its label in parentheses.
    public var description: String {
        guard let (text, range) = excerpt else {
            let label = code.label.map { " (\($0))" } ?? ""
            return ErrorRenderer.render(
                title: code.title + label, source: "", range: 0..<0, label: nil, hints: code.hints)
        }
        return ErrorRenderer.render(
            title: code.title, source: text, range: range, label: code.label,
            hints: hints(for: WrittenPhrase(text, range)))
    }

    private func hints(for phrase: WrittenPhrase) -> [String] {
        phrase.hint(for: code).map { [$0] } ?? code.hints
    }
}

// MARK: - Source ranges

extension EvaluationError {
    /// The error with the text of the predicate in which its node counts, unless it has a text.
    package func located(in predicate: FormatPredicate) -> EvaluationError {
        located { ErrorOrigin(.predicate(predicate.node), predicate.source) }
    }

    /// The error with the text of the expression in which its node counts, unless it has a text.
    package func located(in expression: FormatExpression) -> EvaluationError {
        located { ErrorOrigin(.expression(expression.node), expression.source) }
    }

    private func located(_ makeOrigin: () -> ErrorOrigin) -> EvaluationError {
        guard origin == nil, node != nil else { return self }
        var error = self
        error.origin = makeOrigin()
        return error
    }
}

/// The tree whose evaluation failed, and its format string.
///
/// An object, so that an error holds one word: plans throw it through many frames.
private final class ErrorOrigin: Sendable {
    private let root: TreeNode
    private let source: PredicateSourceMap?

    init(_ root: TreeNode, _ source: PredicateSourceMap?) {
        self.root = root
        self.source = source
    }

    /// The format string with the range of a node; without a format string the node as it prints.
    func excerpt(of node: Int) -> (text: String, range: Range<Int>)? {
        if let source, let range = source.range(ofNode: node) { return (source.text, range) }
        let printed =
            switch root.node(number: node) {
            case .predicate(let node)?: node.predicateFormat
            case .expression(let node)?: node.expressionFormat
            case nil: ""
            }
        return (printed, 0..<printed.utf8.count)
    }
}
