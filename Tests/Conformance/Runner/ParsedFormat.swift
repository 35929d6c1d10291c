import PredicateData
import PredicateEvaluation
import PredicateReference
import PredicateSyntax

/// A parsed format string: a predicate or an expression.
enum ParsedFormat: Hashable, Sendable {
    case predicate(FormatPredicate)
    case expression(FormatExpression)

    enum Kind: Hashable, Sendable {
        case predicate, expression
    }

    init(
        _ kind: Kind, _ format: String, _ arguments: [PredicateValue], _ options: FormatOptions = .standard
    ) throws(PredicateFormatError) {
        switch kind {
        case .predicate:
            self = .predicate(try FormatPredicate(format: format, arguments: arguments, options: options))
        case .expression:
            self = .expression(try FormatExpression(format: format, arguments: arguments, options: options))
        }
    }

    var kind: Kind {
        switch self {
        case .predicate: .predicate
        case .expression: .expression
        }
    }

    /// The canonical form.
    var printed: String {
        switch self {
        case .predicate(let predicate): predicate.predicateFormat
        case .expression(let expression): expression.expressionFormat
        }
    }

    var tree: TreeNode {
        switch self {
        case .predicate(let predicate): .predicate(predicate.node)
        case .expression(let expression): .expression(expression.node)
        }
    }

    /// Returns the format with values in place of variables.
    func substituting(_ values: [String: PredicateValue]) throws(PredicateFormatError) -> ParsedFormat {
        switch self {
        case .predicate(let predicate): .predicate(try predicate.substituting(PredicateVariables(values)))
        case .expression(let expression): .expression(try expression.substituting(PredicateVariables(values)))
        }
    }

    /// Returns the outcome for each object.
    func outcomes(
        for objects: [PredicateValue], _ variables: [String: PredicateValue], limits: PredicateLimits = .standard
    ) -> [EvaluationOutcome] {
        do throws(EvaluationError) {
            switch self {
            case .predicate(let predicate):
                let evaluator = try PredicateEvaluator(predicate, registry: .conformance, limits: limits)
                return objects.map { EvaluationOutcome(evaluator, $0, PredicateVariables(variables)) }
            case .expression(let expression):
                let evaluator = try ExpressionEvaluator(expression, registry: .conformance, limits: limits)
                return objects.map { EvaluationOutcome(evaluator, $0, PredicateVariables(variables)) }
            }
        } catch {
            return objects.map { _ in .failure(error) }
        }
    }

    func outcome(for object: PredicateValue, _ variables: [String: PredicateValue]) -> EvaluationOutcome {
        outcomes(for: [object], variables).first ?? .value(.null)
    }
}

/// The outcome of an evaluation.
enum EvaluationOutcome {
    case value(KeyedValue)
    case failure(EvaluationError)

    init(_ evaluator: PredicateEvaluator, _ object: PredicateValue, _ variables: PredicateVariables) {
        do {
            // Operators decide the first value, and leaves all others.
            let first = try evaluator.evaluate(object.keyedValue, variables: variables)
            let second = try evaluator.evaluate(object.keyedValue, variables: variables)
            self = .value(.value(first == second ? .bool(first) : .string("\(first), then \(second)")))
        } catch {
            self = .failure(error)
        }
    }

    init(_ evaluator: ExpressionEvaluator, _ object: PredicateValue, _ variables: PredicateVariables) {
        do {
            self = .value(try evaluator.value(object.keyedValue, variables: variables))
        } catch {
            self = .failure(error)
        }
    }

    /// Returns true if the outcome is the expected value. Numbers are compared by value, whatever their kind.
    func isValue(_ expected: PredicateValue) -> Bool {
        switch self {
        case .value(let value): isEqual(value, expected.keyedValue)
        case .failure: false
        }
    }

    /// The outcome in failure messages.
    var shown: String {
        switch self {
        case .value(.value(let value)): value.shown
        case .value(.object), .value(.collection): "a live object"
        case .failure(let error): "error(\(EvaluationErrorName(error.code).rawValue)): \(error.code)"
        }
    }
}

extension PredicateValue {
    /// The value in failure messages. Strings are quoted, so that they cannot be taken for numbers.
    var shown: String {
        switch self {
        case .null: "nil"
        case .bool(let value): value ? "true" : "false"
        case .nullObject, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type, .array, .set,
            .orderedSet, .dictionary, .object, .expression, .predicate:
            ExpressionNode.constantValue(self).expressionFormat
        }
    }
}

/// Checks that the canonical form of a valid format parses to an equal tree. [NSP-149]
enum RoundTripCheck {
    static func complaint(about format: ParsedFormat) -> String? {
        guard format.tree.hasLiterals else { return nil }
        let printed = format.printed
        do throws(PredicateFormatError) {
            let again = try ParsedFormat(format.kind, printed, [])
            if again == format { return nil }
            return "\(printed) parses to another tree, which prints \(again.printed)"
        } catch {
            return "\(printed) does not parse: \(error.inOneLine)"
        }
    }
}

extension TreeNode {
    /// A Boolean value that indicates whether every value in the tree has a literal. Some arguments have none: sets
    /// print as arrays, objects as their descriptions, and a key `$name` of `%K` as a variable.
    fileprivate var hasLiterals: Bool {
        switch self {
        case .expression(.constantValue(let value)): value.hasLiteral
        case .expression(.keyPath(let path)):
            path.components.allSatisfy(\.hasLiteral) && children.allSatisfy(\.hasLiterals)
        case .expression, .predicate: children.allSatisfy(\.hasLiterals)
        }
    }
}

extension KeyPathExpression.Component {
    fileprivate var hasLiteral: Bool {
        switch self {
        case .key(let key): !key.hasPrefix("$")
        case .variable: true
        }
    }
}

extension PredicateValue {
    fileprivate var hasLiteral: Bool {
        switch self {
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type: true
        case .array(let values), .orderedSet(let values): values.allSatisfy(\.hasLiteral)
        case .dictionary(let values): values.values.allSatisfy(\.hasLiteral)
        case .set, .object, .expression, .predicate: false
        }
    }
}

/// Checks that a format error has a valid source range and shows it.
enum ErrorRangeCheck {
    static func complaint(about error: PredicateFormatError, in given: String) -> String? {
        let format = error.text
        // The error of a format that is too long does not contain the format.
        guard format.isEmpty || format.hasSameCodePoints(as: given) else {
            return "\(error.inOneLine) holds another format: \(format)"
        }
        let (lower, upper, count) = (error.range.lowerBound, error.range.upperBound, format.utf8.count)
        guard lower >= 0, upper <= count, !error.range.isEmpty || lower == count else {
            return "the range of \(error.inOneLine) is not inside the format of \(count) bytes"
        }
        let bytes = Array(format.utf8)
        let bounds = [lower, upper].filter { $0 < count }
        guard bounds.allSatisfy({ bytes[$0] & 0xC0 != 0x80 }) else {
            return "the range of \(error.inOneLine) splits a code point"
        }
        guard format.isEmpty || error.description.contains("^") else {
            return "\(error.inOneLine) is rendered without a caret"
        }
        return nil
    }
}

extension PredicateFormatError {
    /// `no value for $limit`
    var missingValue: String {
        if case .unboundVariable(let name) = code { "no value for $\(name)" } else { inOneLine }
    }

    /// `expectedOperator @ 3..<3`
    var inOneLine: String {
        "\(FormatErrorName(code).rawValue) @ \(range.lowerBound)..<\(range.upperBound)"
    }
}
