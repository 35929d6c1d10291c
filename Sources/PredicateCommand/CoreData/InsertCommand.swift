import PredicateCoreData
import PredicateData
import PredicateSQL
import PredicateStore
import PredicateSyntax

extension Subcommand {
    static let insert = Subcommand(
        "insert", "Insert an object into a Core Data store",
        usage: [
            "predicate insert [OPTION...] STORE --entity NAME --set KEY=VALUE...",
            "predicate insert [OPTION...] STORE FILE --entity NAME",
        ],
        options: [[.changedEntity, .changedValue], OptionGroup.change, OptionGroup.records],
        help: [
            .paragraph(
                "Insert an object into a Core Data store, or one for each record of a file of JSON, JSON Lines, CSV"
                    + " or TSV, all in one transaction; '-' reads standard input. A key that is not set has the default of"
                    + " the model; a value of --set applies to every record without that key. "
                    + HelpPage.Block.whichStores),
            .options, .storedValues, .changeStatus,
            .examples([
                "predicate insert ToDo.sqlite --entity Category --set name=Home --result ids",
                "predicate insert ToDo.sqlite --entity ToDo --set name='Buy milk' --set due=2026-01-31T12:00:00Z",
                "predicate insert ToDo.sqlite items.csv --entity ToDo --set isDone=NO",
            ]),
        ]
    ) { (reader, console) throws(CommandFailure) in try InsertCommand(reader).run(console) }
}

/// `predicate insert ToDo.sqlite --entity ToDo --set name='Buy milk'`: inserts an object, or one for each record of a file.
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
        change = try ChangeOptions(reader, file: store)
        settings = reader.values(of: .changedValue)
        records = try RecordReadingOptions(reader)
        file = reader.operands.dropFirst().first
        if file == nil { try records.checkAbsence("is for a file of records: predicate insert STORE FILE") }
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        guard let file else { return try insertOne(console) }
        let input = InsertedRecords(file, change.entity)
        do throws(CommandFailure) {
            return try change.run(console) { (store, writesIDs) throws(CommandFailure) in
                let common = try ChangeValues.values(settings, of: change.entity, in: store)
                try input.open(try options(file, store), console)
                return { () throws(CoreDataError) in
                    var changed = ChangeOptions.Changed(count: 0, uris: [])
                    var keys: [Int64] = []
                    try store.insert(change.entity) { () throws(CoreDataError) in
                        try input.next(common, store)
                    } inserted: { key in
                        changed.count += 1
                        if writesIDs { keys.append(key) }
                    }
                    for key in keys { changed.uris.append(try store.uri(of: change.entity, key)) }
                    return changed
                }
            }
        } catch {
            throw input.failure(error)
        }
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
    private func options(_ file: String, _ store: CoreDataStore) throws(CommandFailure) -> RecordOptions {
        var options = try records.options(for: file)
        options.mayLackTypedColumns = options.types.isEmpty
        for attribute in store.model.storedAttributes(of: change.entity) where options.types[attribute.name] == nil {
            options.types[attribute.name] = attribute.type.columnType
        }
        return options
    }
}

/// Reads the records of the inserted file, one at a time.
private final class InsertedRecords {
    private let file: String
    private let entity: String
    private var reader: RecordReader?
    /// The line of the record that is being inserted.
    private var line: Int?
    /// The failure that stopped reading. The store only sees the end of the records.
    private var stopped: CommandFailure?

    init(_ file: String, _ entity: String) {
        (self.file, self.entity) = (file, entity)
    }

    func open(_ options: RecordOptions, _ console: Console) throws(CommandFailure) {
        do throws(DataError) {
            reader = try RecordReader(source: file == "-" ? console.input : FileSource(path: file), options: options)
        } catch {
            throw failure(error)
        }
    }

    /// Returns the values of the next object, merged with the values that all objects have; nil after the last
    /// record.
    func next(_ common: ObjectValues, _ store: CoreDataStore) throws(CoreDataError) -> ObjectValues? {
        do throws(CommandFailure) {
            guard let record = try record() else { return nil }
            var values = try ChangeValues.values(of: record.value, for: entity, in: store)
            if reader?.header != nil { values = values.filter { $0.value?.predicateValue != .null } }
            return common.merging(values) { _, own in own }
        } catch {
            stopped = error
            throw CoreDataError(.cancelled)
        }
    }

    private func record() throws(CommandFailure) -> SourceRecord? {
        do throws(DataError) {
            let record = try reader?.next()
            line = record?.line
            return record
        } catch {
            throw failure(error)
        }
    }

    /// Returns the failure of the command, with the position in the file.
    func failure(_ error: CommandFailure) -> CommandFailure {
        guard let line else { return stopped ?? error }
        let place = "\(file.displayName):\(line): "
        switch stopped ?? error {
        case .message(let text, let hints): return .message(place + text, hints: hints)
        case .text(let text): return .text(text + "\nnote: \(place)nothing was inserted")
        case .helpRequested, .usage, .format, .evaluation, .reported, .output: return stopped ?? error
        }
    }

    private func failure(_ error: DataError) -> CommandFailure {
        line = nil
        return .text(RecordProblems.text(error, in: file))
    }
}

extension CoreDataStore {
    fileprivate func uri(of entity: String, _ key: Int64) throws(CoreDataError) -> ObjectURI {
        try uri(of: SQLObjectID(entity, key: .integer(key)))
    }
}
