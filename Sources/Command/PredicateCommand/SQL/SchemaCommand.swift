import PredicateData
import PredicateSQL
import PredicateStore

extension Subcommand {
    static let schema = Subcommand(
        "schema", "Print the schema of a database as JSON",
        usage: [
            "predicate schema FILE", "predicate schema --query DATABASE",
            "predicate schema --types [--table NAME] FILE", "predicate schema --declare DATABASE FILE",
        ],
        options: [[SchemaCommand.query, SchemaCommand.types, SchemaCommand.table, SchemaCommand.declare, .model]],
        help: [
            .paragraph(
                "Print the tables, columns and foreign keys of a SQLite file as the JSON schema that"
                    + " 'predicate sql' and 'predicate filter' read. A join table becomes a"
                    + " many-to-many relationship. What a schema cannot describe, such as a column of intervals, is"
                    + " reported on standard error."),
            .paragraph(
                "Other databases describe themselves: --query prints a query for PostgreSQL, MariaDB, MySQL or DuckDB,"
                    + " which the client of the database runs, and FILE is its result, one JSON document; '-' is"
                    + " standard input. The tables are those of the current schema or database. Rows of a view, and of"
                    + " a table whose primary key does not have one column, are numbered."),
            .options, .exitStatus([("0", "success"), ("2", "an error")]),
            .examples([
                "predicate schema library.sqlite > library.json",
                "psql -AtX -c \"$(predicate schema --query postgresql)\" shop \\",
                "    | predicate schema - > shop.json",
                "mariadb -NBr -e \"$(predicate schema --query mariadb)\" shop \\",
                "    | predicate schema - > shop.json",
                "duckdb -noheader -list shop.duckdb \"$(predicate schema --query duckdb)\" \\",
                "    | predicate schema - > shop.json",
                "predicate schema library.sqlite --declare postgresql | psql library",
                "predicate filter TRUEPREDICATE one.sqlite > rows.jsonl",
                "predicate filter --types \"$(predicate schema --types one.sqlite)\" \\",
                "    --arg date:2001-01-01 'born < %@' rows.jsonl",
                "predicate sql 'age > 21' --schema library.json --entity person",
            ]),
        ]
    ) { (reader, console) throws(CommandFailure) in try SchemaCommand(reader).run(console) }
}

/// `predicate schema store.sqlite`: prints the schema of a database, or the types of one table's columns.
struct SchemaCommand {
    /// The file to read; `-` is standard input. nil to print a query.
    private let file: String?
    private let database: SQLEngine?
    private let printsTypes: Bool
    /// The database for which the tables are declared; nil for the schema as JSON.
    private let target: SQLEngine?
    private let choice: TableChoice

    static let query = CommandOption(
        "query", value: "DATABASE", .words(SQLEngine.described.map(\.rawValue)),
        help: "Print the query that describes a database: \(SQLEngine.list(SQLEngine.described))")
    static let types = CommandOption(
        "types", "t", help: "Print what --types of other commands needs to read the rows of a table back from JSON")
    static let declare = CommandOption(
        "declare", value: "DATABASE", .values(of: SQLEngine.self),
        help: "Print the statements that create the tables in a database: \(SQLEngine.list())")
    static let table = CommandOption("table", value: "NAME", .tables, help: "Table to read (default: the only one)")

    init(_ reader: ArgumentReader) throws(CommandFailure) {
        database = try reader.engine(of: Self.query, among: SQLEngine.described)
        file = reader.operands.first
        printsTypes = reader.has(Self.types)
        target = try reader.engine(of: Self.declare)
        if target != nil, printsTypes { throw reader.failure("--declare and --types print different things: use one") }
        choice = try TableChoice(reader)
        if choice.table != nil, !printsTypes { throw reader.failure("--table is for --types") }
        if database != nil {
            guard file == nil, !printsTypes, target == nil else {
                let hints = ["run the query with the client of the database, then: predicate schema RESULT.json"]
                throw reader.failure("--query only prints a query, and reads no file", hints: hints)
            }
        } else if reader.operands.count != 1 {
            let hints = ["for a database other than SQLite, --query prints a query whose result is such a file"]
            throw reader.failure("expected one file", hints: hints)
        }
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        if let query = database?.catalogQuery { try console.write(query + "\n") }
        guard let file else { return .success }
        let found = try schema(of: file, console)
        return printsTypes ? try writeTypes(found, console) : try writeSchema(found, console)
    }

    /// Reads a SQLite file, or the document of another database.
    private func schema(of file: String, _ console: Console) throws(CommandFailure) -> SchemaFile {
        if file == "-" { return try document(console.input, "standard input") }
        // An empty file is a SQLite file without tables.
        let mayBeDocument = !SQLiteFile.isOne(file) && FileAccess.size(of: file) != 0
        if mayBeDocument, let source = try? FileSource(path: file) { return try document(source, file) }
        if let store = try CoreDataFile.open(file, choice) { return SchemaFile.entities(of: store) }
        let found = try SchemaFile.tables(of: try SQLiteFile.open(file))
        if choice.table == nil, CoreDataFile.isOne(file) {
            console.report("note: \(file): a Core Data store without its model: --model FILE gives its entities")
        }
        return found
    }

    private func document(_ source: any ByteSource, _ name: String) throws(CommandFailure) -> SchemaFile {
        let json: [UInt8]
        do throws(DataError) {
            json = try source.all()
        } catch {
            throw .message("\(name): \(error.message)")
        }
        return try SchemaFile.tables(ofDocument: json, name)
    }

    /// Prints the schema, and reports on standard error what it leaves out.
    private func writeSchema(_ found: SchemaFile, _ console: Console) throws(CommandFailure) -> ExitStatus {
        if found.schema.entities.isEmpty { console.report("note: \(found.name): there are no tables in it") }
        for omission in found.missing { console.report("note: \(found.name): left out \(omission)") }
        for omission in found.omissions { console.report("note: \(found.name): left out \(omission.reason)") }
        for column in found.looseUUIDs { console.report("note: \(found.name): \(column.words)") }
        try console.write(try text(of: found))
        return .success
    }

    private func text(of found: SchemaFile) throws(CommandFailure) -> String {
        guard let target else { return String(decoding: found.schema.json, as: UTF8.self) + "\n" }
        do throws(SQLSchemaError) {
            return try found.schema.declarations(for: target).map { $0 + ";\n" }.joined()
        } catch {
            throw .schema(error, found.name)
        }
    }

    /// Prints `born=date,photo=data`, and reports columns whose names cannot be written in a declaration.
    private func writeTypes(_ found: SchemaFile, _ console: Console) throws(CommandFailure) -> ExitStatus {
        var declarations: [String] = []
        for (name, attribute) in try choice.entity(of: found).attributes.sorted(by: { $0.key < $1.key }) {
            guard let type = ColumnType(restoring: attribute.type) else { continue }
            if name.contains(",") || name.isEmpty {
                console.report("note: \(found.name): no declaration can name the column '\(name)'")
            } else {
                declarations.append("\(name)=\(type.rawValue)")
            }
        }
        try console.write(declarations.joined(separator: ",") + "\n")
        return .success
    }
}

extension ColumnType {
    /// Creates the type with which a column's JSON is read back unchanged; nil if JSON preserves the type by itself.
    package init?(restoring type: SQLType) {
        switch type {
        case .decimal: self = .decimal
        case .date: self = .date
        case .uuid: self = .uuid
        case .data: self = .data
        case .integer, .double, .single, .boolean, .string, .paddedString, .array, .any, .json: return nil
        }
    }
}
