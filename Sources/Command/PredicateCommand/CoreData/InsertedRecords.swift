import Foundation
import PredicateCoreData
import PredicateData
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// Reads the records of the inserted file, one at a time.
final class InsertedRecords {
    private let file: String
    private var reader: RecordReader?
    /// The first record, kept until it is returned as the next one.
    private var first: SourceRecord?
    /// The line of the record that is being inserted.
    private var line: Int?
    /// The failure that stopped the reading. The store only sees that there are no more records.
    private var stopped: CommandFailure?

    init(_ file: String) {
        self.file = file
    }

    func open(_ options: RecordOptions, _ console: Console) throws(CommandFailure) {
        do throws(DataError) {
            reader = try RecordReader(source: file == "-" ? console.input : FileSource(path: file), options: options)
        } catch {
            throw failure(error)
        }
    }

    /// The entity that has the name of a CSV file; empty if there is none.
    static func entity(named file: String, in store: CoreDataStore) -> String {
        let url = URL(fileURLWithPath: file)
        let name = url.deletingPathExtension().lastPathComponent
        return url.pathExtension.lowercased() == "csv" && store.schema.entities[name] != nil ? name : ""
    }

    /// True if the records name their objects, as in an export, or if there are no records.
    func namesObjects() throws(CommandFailure) -> Bool {
        first = try record()
        line = nil
        guard let first else { return true }
        guard case .dictionary(let fields) = first.value else { return false }
        return fields.keys.contains { $0.hasPrefix("@") || $0 == "objectID" }
    }

    /// Returns the values of the next object, merged with the values that all objects have; nil after the last
    /// record.
    func next(_ common: ObjectValues, _ values: ChangeValues) throws(CoreDataError) -> ObjectValues? {
        try reading { () throws(CommandFailure) in
            guard let fields = try fields() else { return nil }
            var values = try values.values(of: fields)
            if reader?.header != nil { values = values.filter { $0.value?.predicateValue != .null } }
            return common.merging(values) { _, own in own }
        }
    }

    /// Runs work on a record. If it fails, the failure is kept, and the store sees a cancelled change.
    func reading<Result>(_ work: () throws(CommandFailure) -> Result) throws(CoreDataError) -> Result {
        do throws(CommandFailure) {
            return try work()
        } catch {
            stopped = error
            throw CoreDataError(.cancelled)
        }
    }

    /// Returns the fields of the next record; nil after the last.
    func fields() throws(CommandFailure) -> [String: PredicateValue]? {
        guard let record = try record() else {
            line = nil
            return nil
        }
        guard case .dictionary(let fields) = record.value else {
            throw .message("expected an object with keys, found \(record.value.kindName)")
        }
        return fields
    }

    private func record() throws(CommandFailure) -> SourceRecord? {
        if let record = first {
            first = nil
            line = record.line
            return record
        }
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

/// Inserts records that name their objects: those of an export, or rows written by `filter --object-ids`.
final class ImportedObjects {
    private let input: InsertedRecords
    private let store: CoreDataStore
    /// The entity of `--entity`; nil if each record names its own.
    private let entity: String?
    private let common: ObjectValues
    private var readers: [String: ChangeValues] = [:]
    private var changes = 0

    init(_ input: InsertedRecords, _ store: CoreDataStore, entity: String?, _ common: ObjectValues) {
        (self.input, self.store, self.entity, self.common) = (input, store, entity, common)
    }

    /// Sentences about records that are not objects.
    var notes: [String] {
        changes == 0 ? [] : ["the history is not inserted: \(changes) \(changes == 1 ? "change" : "changes")"]
    }

    /// Inserts all objects, then sets their relationships.
    func insert(writesIDs: Bool) throws(CoreDataError) -> ChangeOptions.Changed {
        let objects = try ObjectImport(store)
        var uris: [ObjectURI] = []
        while let fields = try input.reading({ () throws(CommandFailure) in try input.fields() }) {
            if fields[ExportedKey.change] != nil {
                changes += 1
                continue
            }
            let uri = fields[ExportedKey.id]?.uri ?? fields["objectID"]?.uri
            var (name, values, links) = try input.reading { () throws(CommandFailure) in
                let name = try entity(of: fields, uri)
                let (values, links) = try reader(of: name).exported(fields)
                return (name, values, links)
            }
            for (key, value) in common where fields[key] == nil && values[key] == nil {
                values[key] = value?.predicateValue ?? .null
            }
            let key = try objects.insert(name, uri, values, links)
            if writesIDs { uris.append(ObjectURI(store: store.uuid, entity: name, key: key)) }
        }
        try objects.finish()
        return ChangeOptions.Changed(count: objects.count, uris: uris)
    }

    private func reader(of entity: String) -> ChangeValues {
        if let known = readers[entity] { return known }
        let reader = ChangeValues(store, entity)
        readers[entity] = reader
        return reader
    }

    /// The entity that a record names. Throws if it is neither the entity of `--entity` nor a subentity of it.
    private func entity(of fields: [String: PredicateValue], _ uri: ObjectURI?) throws(CommandFailure) -> String {
        var named = uri?.entity
        if case .string(let name)? = fields[ExportedKey.entity] { named = name }
        guard let name = named ?? entity else {
            throw .message(
                "the record names neither its object nor its entity", hints: ["--entity NAME is the entity of all"])
        }
        guard let entity, !store.model.isEntity(name, kindOf: entity) else { return name }
        throw .message("expected an object of \(entity), found an object of \(name)")
    }
}

extension PredicateValue {
    /// The URI in a string; nil for other values.
    fileprivate var uri: ObjectURI? { if case .string(let text) = self { ObjectURI(text) } else { nil } }
}
