import PredicateCoreData
import PredicateData
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The options of `predicate insert`.
enum InsertOption: ChangingOption, RecordReadingOption {
    case entity
    case set
    case result
    case once
    case allowWrite
    case model
    case format
    case types
    case path
    case delimiter
    case decimal
    case dayFirst
    case monthFirst
    case skip
    case encoding

    var declaration: OptionDeclaration {
        switch self {
        case .entity: ChangeDeclarations.entity
        case .set: ChangeDeclarations.set
        case .result: ChangeDeclarations.result
        case .once: ChangeDeclarations.once
        case .allowWrite: ChangeDeclarations.allowWrite
        case .model: FilterOption.model.declaration
        case .format: FilterOption.format.declaration
        case .types: FilterOption.types.declaration
        case .path: FilterOption.path.declaration
        case .delimiter: FilterOption.delimiter.declaration
        case .decimal: FilterOption.decimal.declaration
        case .dayFirst: FilterOption.dayFirst.declaration
        case .monthFirst: FilterOption.monthFirst.declaration
        case .skip: FilterOption.skip.declaration
        case .encoding: FilterOption.encoding.declaration
        }
    }
}

/// `predicate insert ToDo.sqlite --entity ToDo --set name='Buy milk'`: inserts an object, or one for each record of a file.
struct InsertCommand {
    private let words: ChangeWords
    private let settings: [String]
    private let records: RecordWords
    /// The file of records, `-` for standard input; nil for one object.
    private let file: String?

    init(_ words: ArraySlice<String>) throws(CommandFailure) {
        let reader = try ArgumentReader<InsertOption>(words, .insert)
        guard let store = reader.positionals.first, reader.positionals.count <= 2 else {
            throw .usage(UsageError("expected one store, and at most one file of records", in: .insert))
        }
        self.words = try ChangeWords(reader, file: store, in: .insert)
        settings = reader.values(of: .set)
        records = try RecordWords(reader, in: .insert)
        file = reader.positionals.dropFirst().first
        if file == nil { try records.checkAbsence("is for a file of records: predicate insert STORE FILE") }
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        guard let file else { return try insertOne(console) }
        let input = InsertedRecords(file, words.entity)
        do throws(CommandFailure) {
            return try words.run(console) { (store, writesIDs) throws(CommandFailure) in
                let common = try ChangeValues.values(settings, of: words.entity, in: store)
                try input.open(try options(file, store), console)
                return { () throws(CoreDataError) in
                    var changed = ChangeWords.Changed(count: 0, uris: [])
                    var keys: [Int64] = []
                    try store.insert(words.entity) { () throws(CoreDataError) in
                        try input.next(common, store)
                    } inserted: { key in
                        changed.count += 1
                        if writesIDs { keys.append(key) }
                    }
                    for key in keys { changed.uris.append(try store.uri(of: words.entity, key)) }
                    return changed
                }
            }
        } catch {
            throw input.failure(error)
        }
    }

    private func insertOne(_ console: Console) throws(CommandFailure) -> ExitStatus {
        try words.run(console) { (store, _) throws(CommandFailure) in
            let values = try ChangeValues.values(settings, of: words.entity, in: store)
            return { () throws(CoreDataError) in
                let id = try store.insert(words.entity, values)
                return ChangeWords.Changed(count: 1, uris: [try store.uri(of: id)])
            }
        }
    }

    /// The options for the file: cells of attributes of strings are texts, whatever they look like.
    private func options(_ file: String, _ store: CoreDataStore) throws(CommandFailure) -> RecordOptions {
        var options = try records.options(for: file)
        options.mayLackTypedColumns = options.types.isEmpty
        for attribute in store.model.storedAttributes(of: words.entity) where options.types[attribute.name] == nil {
            options.types[attribute.name] = attribute.type.columnType
        }
        return options
    }
}

/// The records of a file that are inserted, read one at a time.
private final class InsertedRecords {
    private let file: String
    private let entity: String
    private var reader: RecordReader?
    /// The line of the record that is being inserted.
    private var line: Int?
    /// What stopped the reading, which the store only knows as an end.
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

    /// The values of the next object, with those that all have; nil after the last.
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

    /// The failure of the command, with the place in the file.
    func failure(_ error: CommandFailure) -> CommandFailure {
        guard let line else { return stopped ?? error }
        let place = "\(file.displayName):\(line): "
        switch stopped ?? error {
        case .message(let text, let hints): return .message(place + text, hints: hints)
        case .text(let text): return .text(text + "\nnote: \(place)nothing is inserted")
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
