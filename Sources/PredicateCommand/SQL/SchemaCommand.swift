import PredicateData
import PredicateSQL
import PredicateStore

extension Subcommand {
    static let schema = Subcommand(
        "schema", "Print the schema of a SQLite file as JSON",
        usage: ["predicate schema FILE", "predicate schema --types [--table NAME] FILE"],
        options: [[SchemaCommand.types, SchemaCommand.table, .model]],
        help: [
            .paragraph(
                "Print the tables, columns and foreign keys of a SQLite file as the JSON schema that"
                    + " 'predicate sql' and 'predicate filter' read. A join table becomes a"
                    + " many-to-many relationship. What a schema cannot describe, such as a view, is reported on standard"
                    + " error."),
            .options, .exitStatus([("0", "success"), ("2", "an error")]),
            .examples([
                "predicate schema library.sqlite > library.json",
                "predicate filter TRUEPREDICATE one.sqlite > rows.jsonl",
                "predicate filter --types \"$(predicate schema --types one.sqlite)\" \\",
                "    --arg date:2001-01-01 'born < %@' rows.jsonl",
                "predicate sql 'age > 21' --schema library.json --entity person",
            ]),
        ]
    ) { (reader, console) throws(CommandFailure) in try SchemaCommand(reader).run(console) }
}

/// `predicate schema store.sqlite`: prints the schema of a SQLite file, or the types of one table's columns.
struct SchemaCommand {
    private let file: String
    private let printsTypes: Bool
    private let choice: TableChoice

    static let types = CommandOption(
        "types", "t", help: "Print what --types of other commands needs to read the rows of a table back from JSON")
    static let table = CommandOption("table", value: "NAME", .tables, help: "Table to read (default: the only one)")

    init(_ reader: ArgumentReader) throws(CommandFailure) {
        guard reader.operands.count == 1 else { throw reader.failure("expected one SQLite file") }
        file = reader.operands[0]
        printsTypes = reader.has(Self.types)
        choice = try TableChoice(reader)
        if choice.table != nil, !printsTypes { throw reader.failure("--table is for --types") }
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        let store = try CoreDataFile.open(file, choice)
        let found =
            if let store { SchemaFile.entities(of: store) } else {
                try SchemaFile.tables(of: try SQLiteFile.open(file))
            }
        if store == nil, choice.table == nil, CoreDataFile.isOne(file) {
            console.report("note: \(file): a Core Data store without its model: --model FILE gives its entities")
        }
        return printsTypes ? try writeTypes(found, console) : try writeSchema(found, console)
    }

    /// Prints the schema, and reports on standard error what it leaves out.
    private func writeSchema(_ found: SchemaFile, _ console: Console) throws(CommandFailure) -> ExitStatus {
        if found.schema.entities.isEmpty { console.report("note: \(file): there are no tables in it") }
        for omission in found.missing { console.report("note: \(file): left out \(omission)") }
        for omission in found.omissions { console.report("note: \(file): left out \(omission.reason)") }
        for column in found.looseUUIDs { console.report("note: \(file): \(column.words)") }
        try console.write(String(decoding: found.schema.json, as: UTF8.self) + "\n")
        return .success
    }

    /// Prints `born=date,photo=data`, and reports columns whose names cannot be written in a declaration.
    private func writeTypes(_ found: SchemaFile, _ console: Console) throws(CommandFailure) -> ExitStatus {
        var declarations: [String] = []
        for (name, attribute) in try choice.entity(of: found).attributes.sorted(by: { $0.key < $1.key }) {
            guard let type = ColumnType(restoring: attribute.type) else { continue }
            if name.contains(",") || name.isEmpty {
                console.report("note: \(file): no declaration can name the column '\(name)'")
            } else {
                declarations.append("\(name)=\(type.rawValue)")
            }
        }
        try console.write(declarations.joined(separator: ",") + "\n")
        return .success
    }
}

extension ColumnType {
    /// Creates the type with which JSON of a column is read back unchanged; nil if JSON keeps the type.
    package init?(restoring type: SQLType) {
        switch type {
        case .decimal: self = .decimal
        case .date: self = .date
        case .uuid: self = .uuid
        case .data: self = .data
        case .integer, .double, .single, .boolean, .string, .paddedString, .array, .any: return nil
        }
    }
}
