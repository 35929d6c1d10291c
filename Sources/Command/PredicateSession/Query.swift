import Foundation
import PredicateData
import PredicateEvaluation
import PredicateQuery
import PredicateSyntax

/// A predicate or an expression that the user typed, with its arguments.
struct Query {
    enum Content {
        case predicate(FormatPredicate)
        case expression(FormatExpression)
    }

    let content: Content
    let format: String

    /// The hint for missing arguments in a session.
    static let argumentHint = ":args VALUE... sets the arguments"

    /// Parses a format as a predicate, or else as an expression. Throws a ``SessionError``, with `hint` if arguments
    /// are missing.
    init(
        _ format: String, words: [String], in zone: LocalZone?, hint: String = Self.argumentHint
    ) throws(SessionError) {
        let specifiers = FormatPredicate.specifiers(in: format)
        let words = Array(words.prefix(specifiers.count))
        let arguments = try SessionError.reading { () throws(ValueError) in
            try ValueWord.arguments(words, for: format, in: zone)
        }
        self.format = format
        content = try Self.content(format, arguments, hint)
    }

    /// Creates a query for a key or a constant, which needs no format.
    init(_ expression: ExpressionNode, _ name: String) {
        (content, format) = (.expression(FormatExpression(expression)), name)
    }

    private static func content(
        _ format: String, _ arguments: [PredicateValue], _ hint: String
    ) throws(SessionError) -> Content {
        do throws(PredicateFormatError) {
            return .predicate(try FormatPredicate(format: format, arguments: arguments))
        } catch {
            let predicateError = error
            do throws(PredicateFormatError) {
                return .expression(try FormatExpression(ofQuery: format, arguments: arguments))
            } catch {
                let shown = predicateError.code.isAboutOperators ? error : predicateError
                throw SessionError(rendered: text(of: shown, hint))
            }
        }
    }

    private static func text(of error: PredicateFormatError, _ hint: String) -> String {
        guard case .missingArgument = error.code else { return RecordErrorText.text(of: error) }
        return ErrorRenderer.render(
            title: error.title, source: error.text, range: error.range, label: error.label,
            hints: [hint])
    }

    /// The predicate as it was typed; nil for an expression.
    var predicate: FormatPredicate? {
        if case .predicate(let predicate) = content { predicate } else { nil }
    }

    /// The canonical form.
    var printed: String {
        switch content {
        case .predicate(let predicate): predicate.predicateFormat
        case .expression(let expression): expression.expressionFormat
        }
    }

    /// All keys in the tree, with repetitions: `boss`, `boss`, `name`.
    var keys: [String] {
        node.nodes.flatMap { node -> [String] in
            guard case .expression(.keyPath(let path)) = node else { return [] }
            return path.components.compactMap { if case .key(let key) = $0 { key } else { nil } }
        }
    }

    var node: TreeNode {
        switch content {
        case .predicate(let predicate): .predicate(predicate.node)
        case .expression(let expression): .expression(expression.node)
        }
    }

    var fields: PredicateReferences { PredicateReferences(node) }

    /// Runs work that prepares or evaluates the query.
    func evaluating<Outcome>(_ work: () throws(EvaluationError) -> Outcome) throws(SessionError) -> Outcome {
        do throws(EvaluationError) { return try work() } catch { throw SessionError(rendered: text(of: error)) }
    }

    /// Returns the error as a terminal shows it. An error of a clause is located in the whole query.
    func text(of error: EvaluationError, columns: [String] = []) -> String {
        let located =
            switch content {
            case .predicate(let predicate): error.located(in: predicate)
            case .expression(let expression): error.located(in: expression)
            }
        return RecordErrorText.text(of: located, columns: columns)
    }
}

extension PredicateFormatError.Code {
    /// A Boolean value that indicates whether the format may be an expression, because only an operator is missing.
    fileprivate var isAboutOperators: Bool {
        switch self {
        case .expectedOperator, .expectedPredicate: true
        default: false
        }
    }
}

/// The error for a line of input.
package struct SessionError: Error {
    /// The message that follows `error:`, then one line for each hint.
    package let text: String

    init(_ message: String, hints: [String] = []) {
        text = (["error: \(message)"] + hints.map { "hint: \($0)" }).joined(separator: "\n")
    }

    init(rendered text: String) {
        self.text = text
    }

    /// Reads values, and turns an error in a value into an error of the session.
    static func reading<Value>(_ work: () throws(ValueError) -> Value) throws(SessionError) -> Value {
        do throws(ValueError) { return try work() } catch { throw SessionError(error.message, hints: error.hints) }
    }

    /// Creates the error for a file that cannot be read.
    init(_ error: DataError, in name: String) {
        switch error.code {
        case .openFailed(let path, EEXIST):
            self.init("\(path) already exists", hints: ["choose another name; files are not overwritten"])
        case .openFailed: self.init(error.message)
        case .readFailed, .writeFailed: self.init("\(name): \(error.message)")
        case .unknownColumn, .recordsPathNotFound: self.init("\(name): \(error.message)")
        default: self.init("\(name):\(error.line): \(error.message) (column \(error.column))")
        }
    }
}

extension NearMiss {
    /// Returns the hint for a mistyped word: `did you mean :load?`
    static func hints(for word: String, among names: some Sequence<String>, prefix: String = "") -> [String] {
        hints(candidates(for: word, among: names).map { prefix + $0 })
    }
}
