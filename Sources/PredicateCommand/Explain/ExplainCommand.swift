import PredicateSession
import PredicateSyntax

/// The options of `predicate explain`.
enum ExplainOption: RecordReadingOption {
    case object
    case table
    case arg
    case set
    case format
    case types
    case path
    case delimiter
    case decimal
    case dayFirst
    case monthFirst
    case skip
    case encoding
    case color

    var declaration: OptionDeclaration {
        switch self {
        case .object:
            .init("object", "n", value: .required("N"), help: "Also show the values of object N, counted from 1")
        case .table: FilterOption.table.declaration
        case .arg: FilterOption.arg.declaration
        case .set: FilterOption.set.declaration
        case .format: FilterOption.format.declaration
        case .types: FilterOption.types.declaration
        case .path: FilterOption.path.declaration
        case .delimiter: FilterOption.delimiter.declaration
        case .decimal: FilterOption.decimal.declaration
        case .dayFirst: FilterOption.dayFirst.declaration
        case .monthFirst: FilterOption.monthFirst.declaration
        case .skip: FilterOption.skip.declaration
        case .encoding: FilterOption.encoding.declaration
        case .color: ReplOption.color.declaration
        }
    }
}

/// `predicate explain 'age > 21 AND name BEGINSWITH "jo"' people.json`: counts the matches of each clause.
struct ExplainCommand {
    private let format: String
    private let file: String
    private let object: Int?
    private let table: String?
    private let words: [String]
    private let settings: [String]
    private let records: RecordWords
    private let colour: ColourChoice

    init(_ words: ArraySlice<String>) throws(CommandFailure) {
        let reader = try ArgumentReader<ExplainOption>(words, .explain)
        guard reader.positionals.count == 2 else {
            throw .usage(UsageError("expected a format and a file", in: .explain))
        }
        format = reader.positionals[0]
        file = reader.positionals[1]
        object = try Self.number(reader.value(of: .object))
        table = reader.value(of: .table)
        self.words = reader.values(of: .arg)
        settings = reader.values(of: .set)
        records = try RecordWords(reader, in: .explain)
        colour = try ColourChoice(reader.value(of: .color), in: .explain)
    }

    private static func number(_ word: String?) throws(CommandFailure) -> Int? {
        guard let word else { return nil }
        if let number = Int(word), number > 0 { return number }
        throw .usage(UsageError("--object takes a number above 0, found '\(word)'", in: .explain))
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        let session = try LoadedSession.make(
            for: format, file: file, table: table, records, settings: settings, colour, console)
        let explanation: Session.Explanation
        do throws(SessionError) {
            explanation = try session.explanation(of: format, words: words, object: object)
        } catch {
            console.report(error.text)
            return .failure
        }
        try console.write(explanation.text + "\n")
        return session.loadProblems.isEmpty && explanation.failures == 0 ? .success : .failure
    }
}
