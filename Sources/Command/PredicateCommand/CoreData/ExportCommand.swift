import PredicateCoreData
import PredicateData
import PredicateSQL
import PredicateSession
import PredicateStore
import PredicateSyntax

extension Subcommand {
    static let export = Subcommand(
        "store export", "Write the objects of a Core Data store for other tools",
        usage: [
            "predicate store export [OPTION...] STORE", "predicate store export [OPTION...] FORMAT STORE --entity NAME",
        ],
        operands: [.predicate, .files],
        options: [
            [
                ExportCommand.output, ExportCommand.format, ExportCommand.dialect, ExportCommand.entity,
                ExportCommand.anonymize, .allowMissingFiles, .argument, .untrusted, .model, ExportCommand.quiet,
            ]
        ],
        help: [
            .paragraph(
                "Write the objects of a Core Data or SwiftData store, under the names of the model: as JSON (an object"
                    + " with its entity, its URI and the URIs of its related objects), as a SQLite file, as CSV or as SQL"
                    + " (a table for each entity, a table for each many-to-many relationship, and the history). Dates are"
                    + " ISO 8601, UUIDs strings, archives of transformable attributes JSON with their bytes beside them;"
                    + " each element of a composite attribute is a column. FORMAT selects objects of an entity. Links are"
                    + " written as they are, even to objects that are left out. The store is only read."),
            .options, .values,
            .paragraph(
                "--anonymize replaces letters, digits and bytes by others: strings, dates, numbers and data keep their"
                    + " shape, and equal values stay equal. Dates are shifted by up to ten years, and each by up to a month"
                    + " more. Names of the model, links, Booleans, integers of less than"
                    + " four digits and the numbers of objects are kept. Transformable values and the names in the"
                    + " history are left out."),
            .exitStatus([("0", "the objects are written"), ("2", "an error: there is no new file")]),
            .examples([
                "predicate store export Photos.sqlite -o plain.sqlite",
                "predicate store export default.store --entity Recipe -o recipes.csv",
                "predicate store export 'due < %@' ToDo.sqlite --arg date:2026-01-31 --entity ToDo",
                "predicate store export ToDo.sqlite --format sql --dialect postgresql -o todo.sql",
                "predicate store export ToDo.sqlite --anonymize -o shared.jsonl",
            ]),
        ]
    ) { (reader, console) throws(CommandFailure) in try ExportCommand(reader).run(console) }
}

/// `predicate store export Photos.sqlite -o plain.sqlite`: writes the objects of a Core Data store for other tools.
struct ExportCommand {
    private let reader: ArgumentReader
    private let file: String
    private let output: String?
    private let format: ExportFormat
    private let entities: [String]
    private let predicate: PredicateOptions?

    static let output = CommandOption(
        "output", "o", value: "NEW", .files,
        help: "The new file, which must not exist yet (default: standard output); for CSV of several tables, a folder")
    static let format = CommandOption(
        "format", value: "KIND", .values(of: Kind.self),
        help:
            "jsonl, json, csv, sql or sqlite (default: by the name of the new file, else sqlite for a file and jsonl for"
            + " standard output)")
    static let dialect = CommandOption(
        "dialect", value: "NAME", .words(SQLEngine.scripted.map(\.rawValue)),
        help: "Database for --format sql: \(SQLEngine.list(SQLEngine.scripted)) (default: sqlite)")
    static let entity = CommandOption(
        "entity", value: "NAME", help: "Entity to write, with its subentities; may be repeated")
    static let anonymize = CommandOption(
        "anonymize", help: "Replace values that may tell of a person by others of the same shape")
    static let quiet = CommandOption("quiet", "q", help: "Do not print the number of objects")

    /// The kinds of output that `--format` names.
    enum Kind: String, CaseIterable {
        case jsonl, json, csv, sql, sqlite

        /// The kind of a new file; nil for an unknown file extension.
        init?(fileName: String) {
            switch fileName.split(separator: ".").last?.lowercased() {
            case "jsonl", "ndjson": self = .jsonl
            case "json": self = .json
            case "csv": self = .csv
            case "sql": self = .sql
            case "sqlite", "sqlite3", "db": self = .sqlite
            default: return nil
            }
        }
    }

    init(_ reader: ArgumentReader) throws(CommandFailure) {
        guard let file = reader.operands.last, reader.operands.count <= 2 else {
            throw reader.failure("expected one store, and at most one format before it")
        }
        (self.reader, self.file) = (reader, file)
        (output, entities) = (reader.value(of: Self.output), reader.values(of: Self.entity))
        format = try Self.format(reader, output)
        guard reader.operands.count == 2 else {
            predicate = nil
            return
        }
        guard entities.count == 1 else { throw reader.failure("a format selects objects of one entity: --entity NAME") }
        predicate = try PredicateOptions(reader.operands[0], reader, takesVariables: false)
    }

    private static func format(_ reader: ArgumentReader, _ output: String?) throws(CommandFailure) -> ExportFormat {
        let given: Kind? = try reader.choice(of: format)
        let engine = try reader.engine(of: dialect, among: SQLEngine.scripted)
        let named = output.flatMap { Kind(fileName: $0) }
        let kind = given ?? (engine != nil ? .sql : named ?? (output == nil ? .jsonl : .sqlite))
        if engine != nil, kind != .sql { throw reader.failure("--dialect is for --format sql") }
        switch kind {
        case .jsonl: return .jsonLines
        case .json: return .json
        case .csv: return .csv
        case .sql: return .sql(engine ?? .sqlite)
        case .sqlite:
            guard output != nil else { throw reader.failure("a SQLite file needs a name: --output NEW") }
            return .sqlite
        }
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        let models = try reader.value(of: .model).map(CoreDataFile.models) ?? []
        let anonymizes = reader.has(Self.anonymize)
        let format = try predicate?.predicate()
        let store = try CoreDataFile.reading(file) { () throws(CoreDataError) in
            try CoreDataStore(file, models: models, context: predicate?.context ?? .standard)
        }
        for omission in store.omissions { console.report("note: \(file): left out \(omission)") }
        for note in store.notes { console.report("note: \(file): \(note)") }
        var options = ExportOptions(
            entities: entities.isEmpty ? nil : entities, anonymizes: anonymizes,
            allowsMissingData: reader.has(.allowMissingFiles))
        options.predicate = try format.map { (format) throws(CommandFailure) in try reading(format, store) }
        let report = try write(store, options, console)
        for note in report.notes { console.report("note: \(output ?? file): \(note)") }
        guard !reader.has(Self.quiet) else { return .success }
        if anonymizes { console.report("note: \(output ?? file): \(Self.kept)") }
        let count = report.count
        if let output { console.report("\(output): \(count) \(count == 1 ? "object" : "objects")") }
        return .success
    }

    private static let kept =
        "not anonymized are the names of the model, links, Booleans, integers of less than four digits, punctuation,"
        + " and the numbers and lengths of everything"

    /// The predicate with its strings interpreted as dates, UUIDs and URIs, according to the types of the entity.
    private func reading(_ format: FormatPredicate, _ store: CoreDataStore) throws(CommandFailure) -> FormatPredicate {
        // The store's error suggests similar names.
        guard let entity = entities.first.flatMap({ store.schema.entities[$0] }) else { return format }
        return try Optional(store).reading(format, of: entity, in: store.schema, zone: nil)
    }

    private func write(
        _ store: CoreDataStore, _ options: ExportOptions, _ console: Console
    ) throws(CommandFailure) -> ExportReport {
        var failure: DataError?
        do throws(CoreDataError) {
            if let output { return try store.export(to: output, as: format, options) }
            return try store.export(as: format, options) { (bytes) throws(CoreDataError) in
                do throws(DataError) {
                    try console.output(bytes)
                } catch {
                    failure = error
                    throw CoreDataError(.cancelled)
                }
            }
        } catch {
            if let failure { throw .output(failure) }
            throw CoreDataFile.failure(error, file)
        }
    }
}
