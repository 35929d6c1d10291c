import PredicateChecks
import PredicateSQL
import PredicateSession
import PredicateSyntax

/// The options of `predicate sql`.
enum SQLOption: CommandOption {
    case schema
    case entity
    case table
    case types
    case dialect
    case named
    case residual
    case arg
    case set
    case json
    case untrusted

    var declaration: OptionDeclaration {
        switch self {
        case .schema:
            .init("schema", value: .required("FILE"), help: "Schema: JSON, or a SQLite file with the tables")
        case .entity:
            .init(
                "entity", value: .required("NAME"), help: "Entity to select (default: the only one)")
        case .table:
            .init(
                "table", value: .required("NAME"),
                help: "Entity by the name of its table; with --types, instead of a schema")
        case .types:
            .init(
                "types", "t", value: .required("NAME=TYPE,..."),
                help: "Columns of --table: string, integer, double, decimal, boolean, date, uuid, data;"
                    + " date:since1970, date:iso8601 and date:timestamp for other storage; the primary key is id")
        case .dialect:
            .init("dialect", value: .required("NAME"), help: "Database: \(Dialect.list("or")) (default: sqlite)")
        case .named:
            .init("named", help: "Parameters with names, :p1 and :p2, instead of ?; for --dialect spark")
        case .residual:
            .init(
                "residual", help: "Leave what SQL cannot express exactly to be evaluated in memory, instead of an error"
            )
        case .arg: FilterOption.arg.declaration
        case .set: FilterOption.set.declaration
        case .json: .init("json", "j", help: "Print one JSON object (see JSON)")
        case .untrusted: FilterOption.untrusted.declaration
        }
    }
}

/// `predicate sql 'age >= 21' --schema library.json --entity Person`: prints a predicate as SQL.
struct SQLCommand {
    private let words: PredicateWords
    private let rows: EntityWords
    private let types: [String]
    private let dialect: Dialect
    private let namesParameters: Bool
    private let mode: SQLCompiler.Mode
    private let isJSON: Bool

    init(_ words: ArraySlice<String>) throws(CommandFailure) {
        let reader = try ArgumentReader<SQLOption>(words, .sql)
        guard let format = reader.positionals.first else { throw .usage(UsageError("expected a format", in: .sql)) }
        if reader.positionals.count > 1 {
            throw .usage(UsageError("expected one format, found '\(reader.positionals[1])' too", in: .sql))
        }
        self.words = try PredicateWords(
            format, arguments: reader.values(of: .arg), settings: reader.values(of: .set),
            isUntrusted: reader.has(.untrusted), in: .sql)
        rows = try EntityWords(
            schema: reader.value(of: .schema), entity: reader.value(of: .entity), table: reader.value(of: .table),
            in: .sql)
        types = reader.values(of: .types)
        dialect = try Self.dialect(reader.value(of: .dialect))
        namesParameters = reader.has(.named)
        if namesParameters, dialect != .spark {
            throw .usage(UsageError("--named needs --dialect spark, the one whose parameters have names", in: .sql))
        }
        mode = reader.has(.residual) ? .residual : .exact
        isJSON = reader.has(.json)
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        let format = try words.predicate()
        let file = try schemaFile()
        let entity = try rows.entity(of: file)
        let predicate = TextReadings(entity, file.schema).reading(format)
        let compiler = SQLCompiler(schema: file.schema, dialect: target, mode: mode, limits: words.limits)
        let query: SQLQuery
        do throws(SQLCompilationError) {
            query = try compiler.compile(predicate, entity: entity.name, variables: words.variables)
        } catch {
            throw .compilation(error, file.schema)
        }
        let scope = CheckScope(file.schema, entity: entity.name)
        let notes =
            PredicateNotes.mismatches(predicate, scope, mayRead: nil) + PredicateNotes.divisions(predicate, scope)
        for note in notes { console.report("note: \(note)") }
        let report = SQLReport(query, dialect: dialect.rawValue, namesParameters: namesParameters)
        try console.write(isJSON ? report.json : report.text)
        return .success
    }

    private var target: any SQLDialect {
        namesParameters ? SparkDialect(parameters: .named) : dialect.dialect
    }

    private static func dialect(_ word: String?) throws(CommandFailure) -> Dialect {
        guard let word else { return .sqlite }
        if let dialect = Dialect(word: word) { return dialect }
        let names = Dialect.allCases.map(\.rawValue)
        let hints = UsageError.suggestions(for: word, among: names)
        throw .usage(UsageError("--dialect takes \(Dialect.list("or")), found '\(word)'", hints: hints, in: .sql))
    }

    private func schemaFile() throws(CommandFailure) -> SchemaFile {
        switch (rows.schema, rows.table, types.isEmpty) {
        case (let path?, _, true): return try SchemaFile.load(path, rows)
        case (.some, _, false): throw .usage(UsageError("--types needs --table, and no --schema", in: .sql))
        case (nil, let table?, false): return try SchemaFile.flat(table: table, types: types)
        case (nil, _, _):
            let hints = ["give --schema FILE, or --table NAME --types NAME=TYPE,..."]
            throw .usage(UsageError("expected a schema", hints: hints, in: .sql))
        }
    }
}
