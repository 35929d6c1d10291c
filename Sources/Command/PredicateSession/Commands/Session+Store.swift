import PredicateData
import PredicateEvaluation
import PredicateQuery
import PredicateSQL
import PredicateStore
import PredicateSyntax

// Commands about SQLite files and SQL

extension Session {
    /// The tables of the open SQLite file.
    package var tableNames: [String] { store?.tableNames ?? [] }

    private var store: OpenedStore? {
        if case .table(_, let store)? = source { store } else { nil }
    }

    /// The name of the loaded table; nil if there is none.
    package var tableName: String? {
        if case .table(let name?, _)? = source { name } else { nil }
    }

    /// Opens a SQLite file, and reads its table if it has only one.
    func loadStore(_ path: String) throws(SessionError) -> String {
        let store = try OpenedStore(path: path, environment, context)
        hold(.empty, .table(name: nil, store: store))
        if let only = store.onlyTable { return try takeTable(only) }
        return "\(Count.of(store.tableNames.count, "table")) in \(path)\n" + listTables(store)
    }

    /// `:table people`, `:table`
    func takeTable(_ rest: String) throws(SessionError) -> String {
        guard let store else {
            throw SessionError("no SQLite file is loaded", hints: [":load store.sqlite opens one"])
        }
        guard !rest.isEmpty else { return listTables(store) }
        guard store.tableNames.contains(rest) else {
            throw SessionError(
                "there is no table '\(rest)'",
                hints: NearMiss.hints(for: rest, among: store.tableNames) + [
                    "the tables are \(store.tableNames.joined(separator: ", "))"
                ])
        }
        let start = ContinuousClock.now
        let (objects, omissions) = try store.load(rest, first: settings.mostSampled)
        hold(objects, .table(name: rest, store: store))
        stream = store.stream(after: objects)
        days = store.days(of: rest)
        texts = store.schema.entities[rest].map { TextReadings($0, store.schema, in: zone) }
        self.omissions = omissions
        var lines = [loadSummary(ofTable: rest) + time(since: start)] + columnNote()
        if !omissions.isEmpty {
            lines.append("not read, since the table is large: \(omissions.joined(separator: ", "))")
        }
        return lines.joined(separator: "\n")
    }

    private func loadSummary(ofTable name: String) -> String {
        guard let count = stream?.count else { return "\(Count.of(table.count, "object")) from table \(name)" }
        return "\(Count.of(count, "object")) in table \(name): keys and types of the first"
            + " \(Count.of(table.count, "object")); each question reads the whole table"
    }

    /// Reads more related objects if a query needs them. Throws a ``SessionError`` if the table is too large.
    func follow(_ query: Query) throws(SessionError) {
        guard let store, let tableName else { return }
        let keys = query.keys
        if let name = keys.first(where: omissions.contains) {
            throw SessionError(
                "the table is too large to read '\(name)' here", hints: ["predicate filter runs the query in SQLite"])
        }
        guard let reach = store.furtherReach(for: keys) else { return }
        table = try store.load(tableName, reach: reach, first: settings.mostSampled).objects
        stream = store.stream(after: table)
    }

    /// Throws if the schema lacks a key of the query, as the SQL compiler does.
    func requireKeys(of query: Query) throws(SessionError) {
        guard let store, let tableName, case .predicate(let predicate) = query.content else { return }
        do throws(SQLCompilationError) {
            _ = try SQLCompiler(schema: store.schema, mode: .residual)
                .compile(predicate, entity: tableName, variables: PredicateVariables(plain: context.variables))
        } catch {
            switch error.code {
            case .unknownKey, .subentityKey: throw SessionError(rendered: error.description)
            default: return
            }
        }
    }

    private func listTables(_ store: OpenedStore) -> String {
        var counts: [String] = []
        // A view can fail although its columns are known. It is listed without a count.
        for name in store.tableNames { counts.append((try? store.count(of: name)).map(Count.grouped) ?? "?") }
        let columns = [
            TextTable.Column("table", store.tableNames), TextTable.Column("rows", counts, alignsRight: true),
        ]
        let lines = TextTable(columns, width: settings.width).lines(painter)
        return (lines + [painter.paint(":table NAME reads one", .faint)]).joined(separator: "\n")
    }

    /// `:sql`, `:sql postgresql`, `:sql age > 5`, `:sql postgresql age > 5`
    func sql(_ rest: String) throws(SessionError) -> String {
        let (engine, format) = SQLEngine.divide(rest)
        let (query, predicate) = try predicateOrDialect(format)
        try requireVariables(of: query)
        let (schema, entity) = try sqlSchema()
        let compiler = SQLCompiler(schema: schema, dialect: engine.dialect, mode: .residual, context: context)
        let variables = PredicateVariables(plain: context.variables)
        let compiled: SQLQuery
        do throws(SQLCompilationError) {
            compiled = try compiler.compile(predicate, entity: entity, variables: variables)
        } catch {
            throw SessionError(rendered: error.description)
        }
        var lines = [compiled.select.text] + bindings(compiled.select)
        if let residual = compiled.residual {
            lines.append("residual, evaluated in memory: \(painter.highlight(residual.predicateFormat))")
        }
        if !compiled.requiredFunctions.isEmpty {
            lines.append("calls functions that ObjectStore registers")
        }
        if !compiled.prelude.isEmpty {
            lines.append(
                "needs \(Count.of(compiled.prelude.count, "SQL statement")) once per database, to create functions")
        }
        if engine == .sqlite, let store, let plan = store.plan(of: predicate, table: entity, variables) {
            lines += ["plan:"] + plan.split(separator: "\n").map { "  \($0)" }
        }
        return lines.joined(separator: "\n")
    }

    /// Parses a predicate. A single unknown word is reported as an unknown dialect.
    private func predicateOrDialect(
        _ format: String
    ) throws(SessionError) -> (query: Query, predicate: FormatPredicate) {
        do throws(SessionError) {
            return try predicate(format)
        } catch {
            guard !format.isEmpty, format.allSatisfy(\.isLetter) else { throw error }
            let hint = "the dialects are \(SQLEngine.list(last: "and"))"
            throw SessionError("unknown dialect '\(format)'", hints: [hint])
        }
    }

    private func bindings(_ fragment: SQLFragment) -> [String] {
        fragment.bindings.enumerated().map { "  \($0.offset + 1): \($0.element.text)" }
    }

    /// Returns the schema of the SQLite file, or one that is derived from the facts about the keys.
    private func sqlSchema() throws(SessionError) -> (schema: SQLSchema, entity: String) {
        if let store, let tableName { return (store.schema, tableName) }
        try requireObjects()
        let types = statistics.keys.filter { !$0.path.contains(".") }.compactMap { facts in
            facts.sqlType.map { (facts.path, $0) }
        }
        let columns = Dictionary(types, uniquingKeysWith: { first, _ in first })
        return (SQLSchema(table: "objects", columns: columns), "objects")
    }
}

extension SQLEngine {
    /// Returns the engine that the first word names (SQLite by default) and the format after it.
    static func divide(_ text: String) -> (engine: SQLEngine, format: String) {
        let word = text.prefix { !$0.isWhitespace }
        guard let engine = SQLEngine(word: String(word)) else { return (.sqlite, text) }
        return (engine, String(text.dropFirst(word.count)).trimmed)
    }
}

extension KeyFacts {
    /// The column type for these values; nil for mixed kinds and for kinds without a column type.
    fileprivate var sqlType: SQLType? {
        guard kinds.count == 1, let kind = kinds.keys.first, !isToMany else { return nil }
        switch kind {
        case .number: return isWhole ? .integer : .double
        case .boolean: return .boolean
        case .string: return .string
        case .date: return .date
        case .data: return .data
        case .uuid: return .uuid
        case .url, .array, .dictionary, .object: return nil
        }
    }
}

extension SQLBinding {
    fileprivate var text: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): String(value)
        case .double(let value): String(value)
        case .boolean(let value): value ? "TRUE" : "FALSE"
        case .text(let value): ValueText.literal(.value(.string(value)), in: nil)
        case .blob(let value): Count.of(value.count, "byte")
        }
    }
}
