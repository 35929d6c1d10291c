import PredicateSyntax

/// The options of `predicate parse`.
enum ParseOption: CommandOption {
    case expression
    case json

    var declaration: OptionDeclaration {
        switch self {
        case .expression: .init("expression", "e", help: "FORMAT is an expression, such as 'price * 2'")
        case .json: .init("json", "j", help: "Print one JSON object")
        }
    }
}

/// `predicate parse 'age >= %@' 18`: describes a format string.
struct ParseCommand {
    private let format: String
    private let words: [String]
    private let isExpression: Bool
    private let isJSON: Bool

    init(_ words: ArraySlice<String>) throws(CommandFailure) {
        let reader = try ArgumentReader<ParseOption>(words, .parse)
        guard let format = reader.positionals.first else { throw .usage(UsageError("expected a format", in: .parse)) }
        self.format = format
        self.words = Array(reader.positionals.dropFirst())
        isExpression = reader.has(.expression)
        isJSON = reader.has(.json)
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        let report = try makeReport()
        try console.write(isJSON ? report.json : report.text)
        return .success
    }

    private func makeReport() throws(CommandFailure) -> ParseReport {
        let arguments = try ArgumentValue.arguments(words, for: format)
        do throws(PredicateFormatError) {
            if isExpression {
                let expression = try FormatExpression(format: format, arguments: arguments, options: .strict)
                return ParseReport(expression, format: format, arguments: arguments)
            }
            let predicate = try FormatPredicate(format: format, arguments: arguments, options: .strict)
            return ParseReport(predicate, format: format, arguments: arguments)
        } catch {
            throw .format(error)
        }
    }
}
