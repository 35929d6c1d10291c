import PredicateChecks
import PredicateData
import PredicateEvaluation
import PredicateJSON
@_spi(Dialect) import PredicateSQL
import PredicateSession
import PredicateSyntax

extension Subcommand {
    static let sql = Subcommand(
        "sql", "Compile a predicate to SQL",
        usage: [
            "predicate sql [OPTION...] FORMAT --schema FILE [--entity NAME]",
            "predicate sql [OPTION...] FORMAT --table NAME --types NAME=TYPE,...",
        ],
        operands: [.predicate, .files],
        options: [
            [
                SQLCommand.schema, SQLCommand.entity, SQLCommand.table, SQLCommand.types, SQLCommand.primaryKey,
                SQLCommand.dialect, SQLCommand.named,
            ],
            OptionGroup.statement,
            [
                SQLCommand.residual, SQLCommand.index, .argument, .variable, SQLCommand.json, .zone, .untrusted,
            ],
        ],
        help: [
            .paragraph(
                "Compile a predicate to SQL that selects exactly the rows for which it holds, nil and accents"
                    + " included; a comparison that fails for a row does not hold for it. Prints the WHERE condition,"
                    + " the values bound to its parameters, and the whole statement, which returns primary keys. A part"
                    + " that SQL cannot express exactly is an error with its position; with --residual it is left out, and"
                    + " printed as the residual predicate to evaluate for each row. 'calls' are functions that the"
                    + " application must register. Run the 'setup' statements on every connection, and the 'prelude'"
                    + " statements once per database."),
            .paragraph(
                "Options choose another statement around the same condition: the values of --keys, the number of rows,"
                    + " groups, an UPDATE or a DELETE. Rows that --sort leaves equal are in the order of their primary"
                    + " keys, so that pages do not overlap."),
            .options, .values, .rows("JSON", jsonMembers), .lines("Schema", schemaExample),
            .rows("In a schema", schemaWords), .exitStatus([("0", "success"), ("2", "an error")]),
            .examples([
                "predicate sql 'age >= 21' --table people --types name=string,age=integer",
                "predicate sql 'ANY phone.number BEGINSWITH \"0\"' --schema library.sqlite \\",
                "    --table person",
                "predicate sql 'name ==[cd] %@' --arg jose --schema library.json \\",
                "    --entity person --dialect postgresql",
                "predicate sql 'age >= 21' --schema library.json --entity person \\",
                "    --keys name,boss.name --sort -age,name --first 10",
                "predicate sql 'age < 18' --schema library.json --entity person \\",
                "    --update name=null",
                "predicate sql --json --residual 'name.capitalizedString == \"Jo\"' \\",
                "    --schema library.json --entity person",
            ]),
        ]
    ) { (reader, console) throws(CommandFailure) in try SQLCommand(reader).run(console) }

    private static let jsonMembers = [
        ("dialect, entity", "their names"),
        ("statement", "the whole statement"),
        ("select", "the same, if it is a SELECT; otherwise null"),
        ("where", "the condition in it"),
        (
            "bindings",
            "the parameters of the statement: {\"type\": \"bigint\", \"value\": 21}; the types are bigint, double"
                + " (\"inf\" and \"-inf\" as strings), boolean, text, blob (base 64), decimal, uuid, json and timestamp"
                + " (strings); a value of any type is null for NULL; with --named each begins with \"name\": \"p1\""
        ),
        (
            "columns",
            "with --keys or groups, the columns that the statement returns: {\"name\": \"born\", \"type\":"
                + " \"date:iso8601\"}, with types as in --types"
        ),
        (
            "parameters",
            "numbered: a placeholder has the number of its value; positional: placeholders take the values"
                + " in order; named: a placeholder has the name of its binding"
        ),
        ("calls", "the names of the functions that the application must register"),
        ("setup, prelude", "the statements to run on every connection, and once per database"),
        (
            "transactionSetup",
            "setup for one transaction instead, after which the connection is as before (postgresql); null for others"
        ),
        ("indexes", "with --index: the statements that create indexes for the predicate"),
        ("residual", "the residual predicate; null if SQL expresses all of it"),
    ]

    private static let schemaExample = [
        "{\"entities\": {\"Person\": {\"table\": \"person\", \"primaryKey\": \"id\",",
        "  \"attributes\": {\"name\": {\"column\": \"full_name\", \"type\": \"string\"},",
        "                 \"born\": {\"type\": \"date\", \"storage\": \"iso8601\"}},",
        "  \"relationships\": {",
        "    \"boss\":   {\"to\": \"Person\", \"column\": \"boss_id\"},",
        "    \"phones\": {\"to\": \"Phone\", \"toMany\": true, \"inverseColumn\": \"person_id\"},",
        "    \"tags\":   {\"to\": \"Tag\", \"toMany\": true, \"joinTable\": \"person_tag\",",
        "               \"sourceColumn\": \"person_id\", \"targetColumn\": \"tag_id\"}}}}}",
    ]

    private static let schemaWords = [
        ("type", "integer, double, decimal, boolean, string, date, uuid, data; any (values of several types)"),
        ("type of an array", "string[], integer[] and so on; storage native or json"),
        ("storage", "of a date since2001, since1970, iso8601, timestamp; of a uuid blob, text, lowercaseText"),
        ("storage of others", "of a double single (32 bits); of a string padded (char(n))"),
        ("nullable, collation, nativeType, labels, affinity, indexedFolds", "further properties of an attribute"),
        ("column, table", "by default the name of the attribute or the entity"),
        ("primaryKey", "by default id; primaryKeyType if it is not an integer; keyColumns beside numbered rows"),
    ]
}

extension SQLCommand {
    static let schema = CommandOption(
        "schema", value: "FILE", .files, help: "Schema: JSON, or a SQLite file with the tables")
    static let entity = CommandOption("entity", value: "NAME", help: "Entity to select (default: the only one)")
    static let table = CommandOption(
        "table", value: "NAME", .tables, help: "Entity by the name of its table; with --types, instead of a schema")
    static let types = CommandOption(
        "types", "t", value: "NAME=TYPE,...", .types,
        help: "Columns of --table: string, integer, double, decimal, boolean, date (the database's own timestamps, and"
            + " ISO 8601 strings in SQLite), uuid, data; date:since1970, date:since2001 (Core Data), date:iso8601 and"
            + " date:timestamp for other storage; string[] and string[]:json for arrays, double:single,"
            + " string:padded")
    static let primaryKey = CommandOption(
        "primary-key", value: "NAME", help: "With --types, the column of the primary key (default: id)")
    static let dialect = CommandOption(
        "dialect", value: "NAME", .values(of: SQLEngine.self),
        help: "Database: \(SQLEngine.list()) (default: sqlite)")
    static let named = CommandOption(
        "named", help: "Parameters with names, :p1 and :p2, instead of ?; for --dialect spark")
    static let residual = CommandOption(
        "residual", help: "Leave what SQL cannot express exactly to be evaluated in memory, instead of an error")
    static let index = CommandOption(
        "index", help: "Print statements that create indexes for the predicate; run the prelude before them")
    static let json = CommandOption("json", "j", help: "Print one JSON object (see JSON)")
}

/// `predicate sql 'age >= 21' --schema library.json --entity Person`: prints a predicate as SQL.
struct SQLCommand {
    private let predicateOptions: PredicateOptions
    private let rows: TableChoice
    private let types: [String]
    private let engine: SQLEngine
    private let namesParameters: Bool
    private let mode: SQLCompiler.Mode
    private let statement: StatementOptions
    private let reader: ArgumentReader

    init(_ reader: ArgumentReader) throws(CommandFailure) {
        self.reader = reader
        guard let format = reader.operands.first else { throw reader.failure("expected a format") }
        if reader.operands.count > 1 {
            throw reader.failure("expected one format, found '\(reader.operands[1])' too")
        }
        predicateOptions = try PredicateOptions(format, reader)
        rows = try TableChoice(reader)
        types = reader.values(of: Self.types)
        engine = try reader.engine(of: Self.dialect) ?? .sqlite
        namesParameters = reader.has(Self.named)
        if namesParameters, engine != .spark {
            throw reader.failure("--named needs --dialect spark: only Spark has named parameters")
        }
        mode = reader.has(Self.residual) ? .residual : .exact
        statement = try StatementOptions(reader)
        if mode == .residual, !statement.leavesResidual {
            let hints = ["without --residual, a part that SQL cannot express is an error"]
            throw reader.failure("--residual is for the statement that selects all primary keys", hints: hints)
        }
        if reader.has(Self.primaryKey), types.isEmpty { throw reader.failure("--primary-key needs --types") }
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        let format = try predicateOptions.predicate()
        let file = try schemaFile()
        let entity = try rows.entity(of: file)
        let context = predicateOptions.context
        let predicate = try TextReadings(entity, file.schema, in: context.zone).read(format)
        let dialect: any SQLDialect = namesParameters ? SparkDialect(parameters: .named) : engine.dialect
        let compiler = SQLCompiler(schema: file.schema, dialect: dialect, mode: mode, context: context)
        let variables = PredicateVariables(plain: context.variables)
        let query: SQLQuery
        var indexes: [SQLIndex]?
        do throws(SQLCompilationError) {
            query = try compiler.compile(predicate, entity: entity.name, variables: variables)
            if reader.has(Self.index) {
                indexes = try compiler.indexes(for: predicate, entity: entity.name, variables: variables)
            }
        } catch {
            throw .compilation(error, file.schema, mayLeaveResidual: statement.leavesResidual)
        }
        let scope = CheckScope(file.schema, entity: entity.name)
        let notes =
            PredicateNotes.mismatches(predicate, scope, mayRead: nil) + PredicateNotes.divisions(predicate, scope)
        for note in notes { console.report("note: \(note)") }
        let report = SQLReport(
            query: query, statement: try statement.statement(of: query, file.schema, in: context.zone),
            dialect: engine.rawValue, namesParameters: namesParameters, indexes: indexes)
        try console.write(reader.has(Self.json) ? report.json : report.text)
        return .success
    }

    private func schemaFile() throws(CommandFailure) -> SchemaFile {
        switch (rows.schema, rows.table, types.isEmpty) {
        case (let path?, _, true): return try SchemaFile.load(path, rows)
        case (.some, _, false): throw reader.failure("--types needs --table, and no --schema")
        case (nil, let table?, false): return try SchemaFile.flat(table, types, engine, reader)
        case (nil, nil, false): throw reader.failure("--types needs --table NAME")
        case (nil, _, _):
            let hints = ["give --schema FILE, or --table NAME --types NAME=TYPE,..."]
            throw reader.failure("expected a schema", hints: hints)
        }
    }
}

/// The report that shows a predicate as SQL.
struct SQLReport {
    let query: SQLQuery
    let statement: PrintedStatement
    let dialect: String
    let namesParameters: Bool
    /// nil if they are not asked for.
    let indexes: [SQLIndex]?

    /// The report for readers:
    ///
    ///     where      t0."age" >= ?1
    ///     bindings   1  bigint  21
    ///     select     SELECT t0."id" FROM "person" AS t0 WHERE t0."age" >= ?1
    var text: String {
        var rows = [
            ("where", query.where.text), ("bindings", bindings(statement.fragment)),
            (statement.verb, statement.fragment.text),
        ]
        let calls = statement.calls.map(\.name).sorted()
        if !calls.isEmpty { rows.append(("calls", calls.joined(separator: ", "))) }
        rows += query.setup.map { ("setup", $0) }
        rows += statement.prelude.map { ("prelude", Self.shortened($0)) }
        if let indexes { rows += indexes.isEmpty ? [("index", "(none)")] : indexes.map { ("index", $0.statement) } }
        if let residual = query.residual { rows.append(("residual", residual.predicateFormat)) }
        return rows.map(Self.row).joined()
    }

    private static let longest = 300

    /// Shortens a string for reading. A folding function contains a table of letters, and a regular expression a
    /// table of marks.
    private static func shortened(_ text: String) -> String {
        guard text.count > longest else { return text }
        return "\(text.prefix(longest))…\n(\(text.count) characters; --json prints all)"
    }

    private static let column = 11

    /// Returns a name and a string. Further lines of the string are aligned with the first.
    private static func row(_ name: String, _ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let space = String(repeating: " ", count: column)
        return lines.enumerated().map { index, line in
            (index == 0 ? name + space.dropFirst(name.count) : line.isEmpty ? "" : space) + line + "\n"
        }.joined()
    }

    private func bindings(_ fragment: SQLFragment) -> String {
        if fragment.bindings.isEmpty { return "(none)" }
        let width = String(fragment.bindings.count).count
        let longest = fragment.parameterTypes.map(\.sqlName.count).max() ?? 0
        let lines = zip(fragment.parameterTypes, fragment.bindings).enumerated().map { index, parameter in
            let (number, type) = (String(index + 1), parameter.0.sqlName)
            let space = String(repeating: " ", count: longest - type.count)
            let lead = String(repeating: " ", count: width - number.count)
            return "\(lead)\(number)  \(type)\(space)  \(Self.shortened(JSONWriter().text(of: parameter.1.value)))"
        }
        return lines.joined(separator: "\n")
    }

    /// The report as a JSON object. Integers have up to 64 bits and are exact.
    var json: String {
        let fragment = statement.fragment
        let bindings = zip(fragment.parameterTypes, fragment.bindings).enumerated().map { index, parameter in
            binding(parameter.0, parameter.1, number: index + 1)
        }
        var object: [String: PredicateValue] = [
            "dialect": .string(dialect), "entity": .string(query.entity.name), "statement": .string(fragment.text),
            "select": statement.verb == "select" ? .string(fragment.text) : .null,
            "where": .string(query.where.text), "bindings": .array(bindings),
            "columns": .array(
                statement.columns.map { ["name": .string($0.name), "type": .string($0.type.declaration)] }),
            "parameters": .string(namesParameters ? "named" : query.parameterOrder),
            "setup": .array(query.setup.map(PredicateValue.string)),
            "transactionSetup": query.transactionSetup.map { .array($0.map(PredicateValue.string)) } ?? .null,
            "prelude": .array(statement.prelude.map(PredicateValue.string)),
            "calls": .array(statement.calls.map(\.name).sorted().map(PredicateValue.string)),
            "residual": query.residual.map { .string($0.predicateFormat) } ?? .null,
        ]
        if let indexes { object["indexes"] = .array(indexes.map { .string($0.statement) }) }
        return JSONWriter().text(of: .dictionary(object)) + "\n"
    }
}

extension SQLReport {
    /// `{"type":"bigint","value":21}`, or `{"name":"p1","type":"bigint","value":21}`
    private func binding(
        _ type: SQLBinding.ParameterType, _ binding: SQLBinding, number: Int
    ) -> PredicateValue {
        guard namesParameters else { return ["type": .string(type.sqlName), "value": binding.value] }
        return ["name": .string("p\(number)"), "type": .string(type.sqlName), "value": binding.value]
    }
}

extension SQLBinding {
    /// The value as JSON, which has no infinity: `"inf"`
    fileprivate var value: PredicateValue {
        switch self {
        case .null: .null
        case .integer(let value): .integer(value)
        case .double(let value): value.isFinite ? .double(value) : .string("\(value)")
        case .boolean(let value): .bool(value)
        case .text(let value): .string(value)
        case .blob(let value): .data(value)
        }
    }
}

extension ArgumentReader {
    /// Returns the database that an option names, by its own name or another common one: `postgres`.
    func engine(
        of option: CommandOption, among engines: [SQLEngine] = SQLEngine.allCases
    ) throws(CommandFailure) -> SQLEngine? {
        if let engine = value(of: option).flatMap(SQLEngine.init(word:)), engines.contains(engine) { return engine }
        return try choice(of: option, among: engines)
    }
}
