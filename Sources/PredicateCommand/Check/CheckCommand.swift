import PredicateChecks
import PredicateData
import PredicateSession
import PredicateSyntax

/// The options of `predicate check`.
enum CheckOption: RecordReadingOption {
    case arg
    case table
    case json
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
    case untrusted
    case model
    case entity

    var declaration: OptionDeclaration {
        switch self {
        case .arg: FilterOption.arg.declaration
        case .table: FilterOption.table.declaration
        case .json: .init("json", "j", help: "Print each finding as a JSON object")
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
        case .untrusted: FilterOption.untrusted.declaration
        case .model:
            .init("model", value: .required("FILE"), help: "Check against a Core Data model, or that of a store")
        case .entity: .init("entity", value: .required("NAME"), help: "The entity of the model that is fetched")
        }
    }
}

/// `predicate check 'age > 5 AND age < 3' people.json`: reports what is legal but probably wrong.
struct CheckCommand {
    private let format: String
    private let file: String?
    private let table: String?
    private let words: [String]
    private let isJSON: Bool
    private let isUntrusted: Bool
    private let records: RecordWords
    private let colour: ColourChoice
    private let model: ModelWords?

    init(_ words: ArraySlice<String>) throws(CommandFailure) {
        let reader = try ArgumentReader<CheckOption>(words, .check)
        guard let format = reader.positionals.first else { throw .usage(UsageError("expected a format", in: .check)) }
        guard reader.positionals.count < 3 else { throw .usage(UsageError("expected one file at most", in: .check)) }
        self.format = format
        file = reader.positionals.count > 1 ? reader.positionals[1] : nil
        table = reader.value(of: .table)
        self.words = reader.values(of: .arg)
        isJSON = reader.has(.json)
        isUntrusted = reader.has(.untrusted)
        records = try RecordWords(reader, in: .check)
        colour = try ColourChoice(reader.value(of: .color), in: .check)
        model = try ModelWords(reader.value(of: .model), entity: reader.value(of: .entity))
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        if isUntrusted {
            let words = try PredicateWords(format, arguments: words, settings: [], isUntrusted: true, in: .check)
            _ = try words.predicate()
        }
        let session = try LoadedSession.make(
            for: format, file: file, table: table, records, settings: [], colour, console)
        let scope = try model?.scope()
        let findings: [PredicateFinding]
        do throws(SessionError) {
            findings = try session.findings(in: format, words: words, scope: scope)
        } catch {
            console.report(error.text)
            return .failure
        }
        let painter = Painter(isColoured: session.settings.isColoured)
        for finding in findings { try console.write(text(of: finding, painter) + "\n") }
        // A model may be wrong about a store that takes the predicate all the same.
        let isError = model == nil && findings.contains { $0.level == .error }
        if !session.loadProblems.isEmpty || isError { return .failure }
        return findings.isEmpty ? .success : .negative
    }

    private func text(of finding: PredicateFinding, _ painter: Painter) -> String {
        isJSON ? json(finding) : painter.paint(finding: finding.description)
    }

    private func json(_ finding: PredicateFinding) -> String {
        var members: [String: PredicateValue] = [
            "code": .string(finding.code.rawValue), "level": .string(finding.level.rawValue),
            "message": .string(finding.message),
        ]
        members["suggestion"] = finding.hint.map(PredicateValue.string)
        if let range = finding.range {
            members["range"] = .array([.integer(Int64(range.lowerBound)), .integer(Int64(range.upperBound))])
        }
        return JSONWriter().text(of: .dictionary(members))
    }
}
