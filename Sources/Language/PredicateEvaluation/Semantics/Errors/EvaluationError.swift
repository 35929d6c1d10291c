public import PredicateSyntax

/// An error in preparing or evaluating a predicate: a code, the offending node, and its source range.
///
/// `name < 3` where name holds a string: `incomparable`, the string "jo" against the number 3
///
/// Two errors are equal if their codes and nodes are equal. The text and the range follow from the predicate.
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
        /// `age LIKE "1*"` where age is a number: a text operator takes strings
        case notAString(found: FoundValue)
        /// `ANY age == 1` where age is a number; `UNION`, `SUBQUERY` or `@count` of a number
        case notACollection(found: FoundValue)
        /// `age BETWEEN 25`: the right side must be a collection of two bounds
        case notARange(found: FoundValue)
        /// `age IN 10`
        case notAContainer(found: FoundValue)
        /// `wings > 2` on an object that has no key wings; the best near miss comes first
        case undefinedKey(String, of: String, nearMisses: [String])
        /// `noise == "meow"` where noise is a lazy property that nothing has read, so that reflection cannot read it
        case unreadLazyKey(String, of: String)
        /// `balance > 0` on an actor, whose state only the actor may read
        case isolatedKey(String, of: String)
        /// `done == NO` on an object of an `@Observable` class inside `withObservationTracking`, which sees only the reads
        /// of getters
        case untrackedKey(String, of: String)
        /// `name == "jo"` where name has a property wrapper in which reflection does not find the value
        case unreadWrapper(String, of: String)
        /// `home == office` where both are structs that are not `Equatable`; `shape == "round"` where shape is an enum
        /// without raw values
        case notEquatable(String, against: FoundValue)
        /// A value whose own `encode(to:)` throws, and the thrown error
        case notEncodable(String, HostError)
        /// `a.@medium.b`
        case unknownCollectionOperator(String, nearMisses: [String])
        /// `a.d[0]`: a dot is followed by a key; an index is written `(a.d)[0]`
        case notAKey(found: String)
        /// `a[7]` in an array of three
        case indexOutOfRange(Int, count: Int)
        /// `a["x"]` in an array; `a[FIRST]` of a number
        case notIndexable(found: FoundValue, index: String)
        /// `FIRST == 1`: the word is a position in an index and nothing else; as a key it is written `#first`
        case symbolOutsideIndex(String)
        /// `$limit` without a value; near misses are names that have a value
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
        /// `name MATCHES "(a+)+$"` on a string for which the pattern tries too many alternatives
        case patternTooCostly(String)
        /// `FUNCTION(a, "stringByAppendingString:", a)` if the result exceeds the limit
        case resultTooLarge(limit: Int)
        /// `max({})`
        case emptyCollection(function: String)
        /// `uppercase(1)`: a function's argument of the wrong kind
        case argumentKind(function: String, expected: String, found: FoundValue)
        /// `sum(ANYKEY) == 1`: only one side of a comparison may be `ANYKEY`
        case notEvaluable(String)
        /// `ANYKEY == 1` on an object whose ``/PredicateSyntax/KeyValueCoding/allKeys`` is empty
        case unlistedKeys(of: String)
        /// A NOT built in code with no predicate or with more than one
        case subpredicateCount(found: Int)
        /// A tree that nests deeper than `PredicateLimits.nesting`
        case nestingTooDeep(limit: Int)
        /// A limit of `PredicateLimits` is exceeded: `SUBQUERY(a, $x, $x == 1)` where a has more elements than
        /// allowed steps
        case exceeds(PredicateLimits.Limit, limit: Int)
        /// A predicate that a `PredicatePolicy` does not allow, and the error of the policy with its source range
        case refused(PredicateFormatError)
        /// A function, a block or an object of the host threw: see ``EvaluationError/underlyingError``
        case host(HostError)
    }

    /// The kind of error, with the values and names that it is about.
    public let code: Code
    /// The node number of the offending node: children before parents, left before right. Nil if the whole predicate is
    /// at fault.
    public let node: Int?
    /// The tree that ``node`` refers to; nil until the error leaves the evaluator.
    private var origin: ErrorOrigin?

    /// Makes an error without a text, for functions of an ``EvaluationRegistry`` to throw. The evaluator adds the node and the
    /// text.
    package init(_ code: Code, node: Int? = nil) {
        self.code = code
        self.node = node
    }

    /// The format string, or the printed node if there was no format string; empty if there is neither.
    ///
    /// The text is computed on access, like ``range``: an error that nobody shows costs no more than its code.
    public var text: String { excerpt?.text ?? "" }

    /// The source range of the offending node in ``text``, as UTF-8 offsets.
    public var range: Range<Int> { excerpt?.range ?? 0..<0 }

    var excerpt: (text: String, range: Range<Int>)? {
        if case .refused(let error) = code { return error.text.isEmpty ? nil : (error.text, error.range) }
        return node.flatMap { origin?.excerpt(of: $0) }
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

    /// The words next to the caret: `this is the string "abc"`. Nil if the title is enough.
    public var label: String? { code.label }

    /// Hints with a cure, each a sentence without a full stop. They may depend on the format string.
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
    /// Returns the error with the text of the predicate that contains the node, unless the error already has a text.
    package func located(in predicate: FormatPredicate) -> EvaluationError {
        located { ErrorOrigin(.predicate(predicate.node), predicate.source) }
    }

    /// Returns the error with the text of the expression that contains the node, unless the error already has a text.
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
/// This is a class, so that an error stores only one word for it: plans throw the error through many frames.
private final class ErrorOrigin: Sendable {
    private let root: TreeNode
    private let source: PredicateSourceMap?

    init(_ root: TreeNode, _ source: PredicateSourceMap?) {
        self.root = root
        self.source = source
    }

    /// Returns the format string with the range of a node, or the printed node if there is no format string.
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

// MARK: - Faults

/// An error of an operator or a function, without a node. The plan that called it turns it into an
/// ``EvaluationError``.
///
/// `name < 3`: the operator knows the two values, but only the plan knows the node number of the comparison.
struct Fault: Error {
    var code: EvaluationError.Code
    /// The index of the offending operand, from the left; nil if no single operand is at fault.
    var operand: Int?

    init(_ code: EvaluationError.Code, operand: Int? = nil) {
        self.code = code
        self.operand = operand
    }
}

extension EvaluationError {
    /// Makes an error from a fault. Its node is the offending operand, or else the whole operation.
    @inline(never)
    init(_ fault: Fault, operands: [Int], whole: Int) {
        let operand = fault.operand.flatMap { operands.indices.contains($0) ? operands[$0] : nil }
        self.init(fault.code, node: operand ?? whole)
    }

    /// Returns the error with this offending node, unless it already has one.
    @inline(never)
    func placed(at node: Int) -> EvaluationError {
        EvaluationError(code, node: self.node ?? node)
    }

    /// Makes an error from what a closure of the host threw.
    @inline(never)
    init(host error: any Error, of name: String, at node: Int) {
        self.init(Fault(host: error, of: name).code, node: node)
    }
}

extension Fault {
    /// Makes a fault from what a closure of the host threw. An ``EvaluationError`` keeps its code; any other error is
    /// kept together with the name of the closure.
    @inline(never)
    init(host error: any Error, of name: String) {
        switch error {
        case let error as EvaluationError: self.init(error.code)
        case let fault as Fault: self = fault
        default: self.init(.host(EvaluationError.HostError(name: name, throwing: error)))
        }
    }
}

/// Runs work whose errors become faults.
@inline(__always)
func faulting<Result>(operand: Int? = nil, _ work: () throws(EvaluationError) -> Result) throws(Fault) -> Result {
    do { return try work() } catch { throw Fault(error.code, operand: operand) }
}

extension EvaluationError {
    /// An error that a closure or an object of the host threw: the name of the closure, and the error as a string.
    ///
    /// `mgl_round(x) == 1` where the registered function throws: `mgl_round`, `OutOfRange(value: 3)`
    public struct HostError: Hashable, Sendable {
        /// The name of the function, message, selector or block; `encode(to:)` for a value that cannot be encoded.
        public let name: String
        /// The thrown error as a string.
        public let description: String
        /// The thrown error itself. Equality ignores it.
        package let underlying: (any Error)?

        /// Makes an error from a name and a description, for code that throws an ``EvaluationError`` of its own.
        package init(name: String, description: String) {
            self.name = name
            self.description = description
            underlying = nil
        }

        /// Makes an error from what a closure threw, with the error's own description or a better one.
        package init(name: String, throwing error: any Error, saying description: String? = nil) {
            self.name = name
            self.description = description ?? String(describing: error)
            underlying = error
        }

        public static func == (left: HostError, right: HostError) -> Bool {
            left.name == right.name && left.description == right.description
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            hasher.combine(description)
        }
    }

    /// The error that a closure of the host threw: a registered function, a block, or a value's own `encode(to:)`.
    /// Nil for other codes.
    public var underlyingError: (any Error)? {
        if case .notEncodable(_, let error) = code { return error.underlying }
        return if case .host(let error) = code { error.underlying } else { nil }
    }
}
