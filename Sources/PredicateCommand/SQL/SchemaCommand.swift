import PredicateData
import PredicateSQL
import PredicateStore

/// The options of `predicate schema`.
enum SchemaOption: CommandOption {
    case types
    case table
    case model

    var declaration: OptionDeclaration {
        switch self {
        case .types:
            OptionDeclaration(
                "types", "t",
                help: "Print what --types of other commands needs to read the rows of a table back from JSON"
            )
        case .table:
            OptionDeclaration("table", value: .required("NAME"), help: "Table to read (default: the only one)")
        case .model: FilterOption.model.declaration
        }
    }
}

/// `predicate schema store.sqlite`: prints the schema of a SQLite file, or the types of one table's columns.
struct SchemaCommand {
    private let file: String
    private let printsTypes: Bool
    private let words: EntityWords

    init(_ words: ArraySlice<String>) throws(CommandFailure) {
        let reader = try ArgumentReader<SchemaOption>(words, .schema)
        guard reader.positionals.count == 1 else {
            throw .usage(UsageError("expected one SQLite file", in: .schema))
        }
        file = reader.positionals[0]
        printsTypes = reader.has(.types)
        let table = reader.value(of: .table)
        if table != nil, !printsTypes { throw .usage(UsageError("--table is for --types", in: .schema)) }
        self.words = try EntityWords(
            schema: nil, entity: nil, table: table, model: reader.value(of: .model), in: .schema)
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        let store = try CoreDataFile.open(file, words)
        let found =
            if let store { SchemaFile.entities(of: store) } else {
                try SchemaFile.tables(of: try SQLiteFile.open(file))
            }
        if store == nil, words.table == nil, CoreDataFile.isOne(file) {
            console.report("note: \(file): a Core Data store without its model: --model FILE gives its entities")
        }
        return printsTypes ? try writeTypes(found, console) : try writeSchema(found, console)
    }

    /// Prints the schema; reports on standard error what was left out.
    private func writeSchema(_ found: SchemaFile, _ console: Console) throws(CommandFailure) -> ExitStatus {
        if found.schema.entities.isEmpty { console.report("note: \(file): there are no tables in it") }
        for omission in found.missing { console.report("note: \(file): left out \(omission)") }
        for omission in found.leftOut { console.report("note: \(file): left out \(omission.reason)") }
        for column in found.looseUUIDs { console.report("note: \(file): \(column.words)") }
        try console.write(String(decoding: found.schema.json, as: UTF8.self) + "\n")
        return .success
    }

    /// Prints `born=date,photo=data`; reports the columns that no declaration can name.
    private func writeTypes(_ found: SchemaFile, _ console: Console) throws(CommandFailure) -> ExitStatus {
        var declarations: [String] = []
        for (name, attribute) in try words.entity(of: found).attributes.sorted(by: { $0.key < $1.key }) {
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
    /// The type that the JSON of a column needs to read back as it was; nil where the JSON itself says what it is.
    package init?(restoring type: SQLType) {
        switch type {
        case .decimal: self = .decimal
        case .date: self = .date
        case .uuid: self = .uuid
        case .data: self = .data
        case .integer, .double, .boolean, .string, .any: return nil
        }
    }
}
