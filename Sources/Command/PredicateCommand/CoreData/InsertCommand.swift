import PredicateCoreData
import PredicateData
import PredicateSQL
import PredicateStore
import PredicateSyntax

extension Subcommand {
    static let insert = Subcommand(
        "store insert", "Insert an object into a Core Data store",
        usage: [
            "predicate store insert [OPTION...] STORE --entity NAME --set KEY=VALUE...",
            "predicate store insert [OPTION...] STORE FILE [--entity NAME]",
        ],
        options: [[.changedEntity, .changedValue], OptionGroup.change, OptionGroup.records],
        help: [
            .paragraph(
                "Insert an object into a Core Data store, or one for each record of a file of JSON, JSON Lines, CSV"
                    + " or TSV, all in one transaction; '-' reads standard input. A key that is not set has the default of"
                    + " the model; a value of --set applies to every record without that key. A file of 'export' or of"
                    + " 'filter --object-ids' names its entities itself: the objects get new keys, and the links between"
                    + " them are kept, also in cycles. "
                    + HelpPage.Block.whichStores),
            .options, .storedValues, .changeStatus,
            .examples([
                "predicate store insert ToDo.sqlite --entity Category --set name=Home --result ids",
                "predicate store insert ToDo.sqlite --entity ToDo --set name='Buy milk' --set due=2026-01-31T12:00:00Z",
                "predicate store insert ToDo.sqlite items.csv --entity ToDo --set isDone=NO",
                "predicate store export ToDo.sqlite | predicate store insert New.sqlite -",
            ]),
        ]
    ) { (reader, console) throws(CommandFailure) in try InsertCommand(reader).run(console) }
}

/// `predicate store insert ToDo.sqlite --entity ToDo --set name='Buy milk'`: inserts an object, or one for each record of a file.
struct InsertCommand {
    private let change: ChangeOptions
    private let settings: [String]
    private let records: RecordReadingOptions
    /// The file of records, `-` for standard input; nil to insert one object.
    private let file: String?

    init(_ reader: ArgumentReader) throws(CommandFailure) {
        guard let store = reader.operands.first, reader.operands.count <= 2 else {
            throw reader.failure("expected one store, and at most one file of records")
        }
        file = reader.operands.dropFirst().first
        change = try ChangeOptions(reader, file: store, needsEntity: file == nil)
        settings = reader.values(of: .changedValue)
        records = try RecordReadingOptions(reader)
        if change.entity.isEmpty, !settings.isEmpty {
            throw reader.failure("--set is for the objects of one entity: --entity NAME")
        }
        if file == nil { try records.checkAbsence("is for a file of records: predicate store insert STORE FILE") }
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        guard let file else { return try insertOne(console) }
        let input = InsertedRecords(file)
        do throws(CommandFailure) {
            return try change.run(console) { (store, writesIDs) throws(CommandFailure) in
                let entity = change.entity.isEmpty ? InsertedRecords.entity(named: file, in: store) : change.entity
                let common = entity.isEmpty ? [:] : try ChangeValues.values(settings, of: entity, in: store)
                try input.open(try options(file, store, entity), console)
                guard try !input.namesObjects() else {
                    return { () throws(CoreDataError) in
                        let objects = ImportedObjects(
                            input, store, entity: change.entity.isEmpty ? nil : entity, common)
                        let changed = try objects.insert(writesIDs: writesIDs)
                        for note in objects.notes { console.report("note: \(file.displayName): \(note)") }
                        return changed
                    }
                }
                guard !entity.isEmpty else {
                    throw .message(
                        "the records do not name their entity", hints: ["--entity NAME is the entity of all of them"])
                }
                return { () throws(CoreDataError) in try insert(input, common, entity, store, writesIDs) }
            }
        } catch {
            throw input.failure(error)
        }
    }

    private func insert(
        _ input: InsertedRecords, _ common: ObjectValues, _ entity: String, _ store: CoreDataStore, _ writesIDs: Bool
    ) throws(CoreDataError) -> ChangeOptions.Changed {
        var changed = ChangeOptions.Changed(count: 0, uris: [])
        var keys: [Int64] = []
        let values = ChangeValues(store, entity)
        try store.insert(entity) { () throws(CoreDataError) in
            try input.next(common, values)
        } inserted: { key in
            changed.count += 1
            if writesIDs { keys.append(key) }
        }
        for key in keys { changed.uris.append(try store.uri(of: SQLObjectID(entity, key: .integer(key)))) }
        return changed
    }

    private func insertOne(_ console: Console) throws(CommandFailure) -> ExitStatus {
        try change.run(console) { (store, _) throws(CommandFailure) in
            let values = try ChangeValues.values(settings, of: change.entity, in: store)
            return { () throws(CoreDataError) in
                let id = try store.insert(change.entity, values)
                return ChangeOptions.Changed(count: 1, uris: [try store.uri(of: id)])
            }
        }
    }

    /// Returns the options for the file. Cells of string attributes are strings, even if they look like numbers.
    private func options(
        _ file: String, _ store: CoreDataStore, _ entity: String
    ) throws(CommandFailure) -> RecordOptions {
        var options = try records.options(for: file)
        options.mayLackTypedColumns = options.types.isEmpty
        var types: [String: ColumnType] = [:]
        for attribute in store.model.storedAttributes(of: entity) {
            types[attribute.name] = attribute.type.columnType
            if attribute.type == .transformable { types[attribute.name + ExportedKey.data] = .string }
        }
        options.types.merge(types) { given, _ in given }
        return options
    }
}
