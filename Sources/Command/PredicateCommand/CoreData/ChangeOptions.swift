import Foundation
import PredicateCoreData
import PredicateData
import PredicateJSON
import PredicateModel
import PredicateSQL
import PredicateSession
import PredicateStore
import PredicateSyntax

extension OptionGroup {
    /// The options for changing a Core Data store.
    static let change: [CommandOption] = [.result, .once, .allowWrite, .model]
}

extension CommandOption {
    static let changedEntity = CommandOption("entity", value: "NAME", help: "Entity of the objects")
    static let changedValue = CommandOption(
        "set", "s", value: "KEY=VALUE",
        help:
            "Set the value of a key (see Values); a relationship takes URIs; repeat the option for a to-many relationship"
    )
    static let result = CommandOption(
        "result", value: "KIND", .values(of: ChangeOptions.PrintedResult.self),
        help: "Print the count of objects, their ids (one URI per line) or only the status (default: count)")
    static let once = CommandOption(
        "once", value: "KEY",
        help: "Change nothing if the metadata contains KEY; otherwise set it in the same transaction")
    static let allowWrite = CommandOption(
        "allow-write", value: "COPY", .files,
        help: "Copy the store to a new file and change the copy; required for the store of another program")
}

extension HelpPage.Block {
    static let whichStores =
        "The store must have been created, migrated or copied by predicate; --allow-write copies the store of another"
        + " program first. Changes are added to the history that SwiftData's stores have. Stores with CloudKit tables or"
        + " with triggers are refused."

    static let changeStatus = exitStatus([
        ("0", "objects were changed"), ("1", "nothing matched, or the key of --once exists already"),
        ("2", "an error: nothing was changed or copied"),
    ])

    /// The notation of values in `--set`. The attribute's type determines how a word is read.
    static let storedValues = rows(
        "Values",
        [
            ("Buy milk, 18", "for an attribute of strings, the word itself"),
            ("YES, NO", "for a Boolean"),
            ("2026-01-31T12:00:00Z", "for a date; UUIDs and data in base 64 need no prefix either"),
            ("[\"a\", 1], Buy milk", "for a transformable attribute, a value to archive; or an archive in base 64"),
            ("null", "nil; 'string:null' is the string"),
            ("x-coredata://…/Item/p1", "for a relationship, the URI of an object, as --object-ids prints it"),
        ] + valueRows)
}

/// The store, the entity and the kind of output of `insert`, `update` and `delete`.
struct ChangeOptions {
    /// The entity; empty if the records name their entities themselves.
    let entity: String
    private let file: WritableStore
    private let once: String?
    private let result: PrintedResult

    /// What is printed about a change. The kinds are the result types of Core Data's batch requests.
    enum PrintedResult: String, CaseIterable {
        case status
        case ids
        case count
    }

    /// Throws a usage error if an entity is needed and not given.
    init(_ reader: ArgumentReader, file: String, needsEntity: Bool = true) throws(CommandFailure) {
        let entity = reader.value(of: .changedEntity)
        if needsEntity, entity == nil { throw reader.failure("expected the entity: --entity NAME") }
        (self.entity, once) = (entity ?? "", reader.value(of: .once))
        result = try reader.choice(of: .result) ?? .count
        self.file = WritableStore(reader, path: file)
    }

    /// Prepares a change, runs it in one transaction, and prints its result.
    ///
    /// The change returns the number of changed objects and, if `writesIDs` is true, their URIs.
    func run(
        _ console: Console,
        _ prepare: (CoreDataStore, _ writesIDs: Bool) throws(CommandFailure) -> Change
    ) throws(CommandFailure) -> ExitStatus {
        try file.changing { (store) throws(CommandFailure) in
            let change = try prepare(store, result == .ids)
            let changed = try CoreDataFile.reading(file.path) { () throws(CoreDataError) in
                try store.transaction { () throws(CoreDataError) in try guarded(change, store) }
            }
            guard let changed else {
                console.report(
                    "note: \(file.path): the metadata already contains '\(once ?? "")', so nothing was changed")
                return .negative
            }
            try write(changed, console)
            return changed.count > 0 ? .success : .negative
        }
    }

    /// A change to a store.
    typealias Change = () throws(CoreDataError) -> Changed

    /// The number of changed objects, and their URIs if they are printed.
    struct Changed {
        var count: Int
        var uris: [ObjectURI]
    }

    private func guarded(_ change: Change, _ store: CoreDataStore) throws(CoreDataError) -> Changed? {
        guard let once else { return try change() }
        guard store.metadata.values[once] == nil else { return nil }
        let changed = try change()
        try store.setMetadata(true, for: once)
        return changed
    }

    private func write(_ changed: Changed, _ console: Console) throws(CommandFailure) {
        switch result {
        case .status: try console.write("true\n")
        case .count: try console.write("\(changed.count)\n")
        case .ids: try console.write(changed.uris.map { "\($0)\n" }.joined())
        }
    }
}

/// A store to be changed: one that this library created, or a copy of another program's store.
struct WritableStore {
    let path: String
    let copy: String?
    let model: String?
    private let limits: PredicateLimits

    init(_ reader: ArgumentReader, path: String) {
        (self.path, copy, model) = (path, reader.value(of: .allowWrite), reader.value(of: .model))
        limits = reader.has(.untrusted) ? .untrusted : .standard
    }

    /// Opens the store, or makes the copy, and runs a change. If the change fails, no copy is left behind.
    func changing(
        _ change: (CoreDataStore) throws(CommandFailure) -> ExitStatus
    ) throws(CommandFailure) -> ExitStatus {
        let models = try model.map(CoreDataFile.models) ?? []
        let context = PredicateContext(limits: limits)
        var failure: CommandFailure?
        func run(_ store: CoreDataStore) throws(CoreDataError) -> ExitStatus {
            do throws(CommandFailure) {
                return try change(store)
            } catch {
                failure = error
                throw CoreDataError(.cancelled)
            }
        }
        do throws(CoreDataError) {
            guard let copy else { return try run(CoreDataStore(changing: path, context: context)) }
            return try CoreDataStore.copy(path, to: copy, models: models, context: context, run)
        } catch {
            if let failure { throw failure }
            if case .notAStore = error.code {
                throw .message(
                    "'\(path)' is a SQLite file, but not a Core Data store",
                    hints: [
                        "only Core Data stores can be changed: 'predicate sql FORMAT --schema \(path)' writes the"
                            + " condition for an UPDATE or DELETE by sqlite3",
                        "predicate store create makes a store from a model",
                    ])
            }
            throw CoreDataFile.failure(error, path)
        }
    }
}

/// Reads the values of `--set KEY=VALUE` and of records according to the types of the model.
final class ChangeValues {
    private let store: CoreDataStore
    /// The types of attributes and of elements of composite attributes, by key.
    private var types: [String: AttributeType] = [:]
    private var relationships: [String: RelationshipDescription] = [:]
    /// The attributes that are computed from others.
    private var derived: Set<String> = []
    /// What the keys of the records that were read stand for.
    private var roles: [String: Role] = [:]

    /// What a key of a record stands for.
    private struct Role {
        /// The key of the model; nil if the key is ignored.
        var key: String?
        /// The key for the bytes of the same attribute, which take precedence if a record has them.
        var bytes: String?
    }

    /// Looks up the keys of an entity once, for any number of records.
    init(_ store: CoreDataStore, _ entity: String) {
        self.store = store
        for attribute in store.model.storedAttributes(of: entity) + store.model.attributes(of: entity) {
            // Only the transformer of the app can make the data of its attributes.
            let isData = attribute.type == .transformable && !attribute.archivesValues
            types[attribute.name] = isData ? .binaryData : attribute.type
            if attribute.isDerived { derived.insert(attribute.name) }
        }
        for relationship in store.model.relationships(of: entity) { relationships[relationship.name] = relationship }
    }

    /// Returns the values for objects of an entity. Unknown keys are passed on, because the store's error suggests
    /// similar keys.
    static func values(
        _ settings: [String], of entity: String, in store: CoreDataStore
    ) throws(CommandFailure) -> ObjectValues {
        let reader = ChangeValues(store, entity)
        var values: ObjectValues = [:]
        for (key, words) in try words(settings, of: .changedValue) { values[key] = try reader.value(words, of: key) }
        return values
    }

    /// Returns the words that were set for each key.
    static func words(
        _ settings: [String], of option: CommandOption
    ) throws(CommandFailure) -> [String: [String]] {
        var words: [String: [String]] = [:]
        for setting in settings {
            let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw .message("--\(option.name) takes KEY=VALUE, found '\(setting)'")
            }
            words[parts[0], default: []].append(parts[1])
        }
        return words
    }

    private func value(_ words: [String], of key: String) throws(CommandFailure) -> PredicateValue {
        if let relationship = relationships[key] { return try objects(words, relationship) }
        guard words.count == 1, let word = words.first else {
            throw .message("--set \(key): an attribute has one value, found \(words.count)")
        }
        return try Self.value(word, types[key], of: "--set \(key)")
    }

    /// Returns the value that a word has for the type of an attribute. Error messages begin with `option`.
    static func value(
        _ word: String, _ type: AttributeType?, of option: String
    ) throws(CommandFailure) -> PredicateValue {
        try reading(option, type) { () throws(ValueError) in try value(word, type) }
    }

    private static func reading<Result>(
        _ place: String, _ type: AttributeType?, _ work: () throws(ValueError) -> Result
    ) throws(CommandFailure) -> Result {
        do throws(ValueError) {
            return try work()
        } catch {
            throw .message("\(place): \(error.message)", hints: type?.spelling.map { [$0] } ?? error.hints)
        }
    }

    // MARK: - Records

    /// Returns the values of a record. Strings are read according to the types of the model; relationships take URIs.
    func values(of fields: [String: PredicateValue]) throws(CommandFailure) -> ObjectValues {
        var values: ObjectValues = [:]
        for (name, value) in fields {
            if let key = key(name, in: fields) { values[key] = try self.value(value, of: key, isBytes: key != name) }
        }
        return values
    }

    /// Returns the values of an exported object, and the objects of its relationships.
    func exported(
        _ fields: [String: PredicateValue]
    ) throws(CommandFailure) -> (values: [String: PredicateValue], links: [String: [ObjectURI]]) {
        var (values, links): ([String: PredicateValue], [String: [ObjectURI]]) = ([:], [:])
        for (name, value) in fields {
            guard let key = key(name, in: fields) else { continue }
            if relationships[key] != nil {
                links[key] = try uris(value.words, key)
            } else {
                values[key] = try attribute(value, key, isBytes: key != name)
            }
        }
        return (values, links)
    }

    /// The key of the model for a key of a record; nil for one that an export adds, for a computed attribute, and for the JSON
    /// of an archive if its bytes are given as well.
    private func key(_ name: String, in fields: [String: PredicateValue]) -> String? {
        let role = roles[name] ?? role(of: name)
        if let bytes = role.bytes, fields[bytes] != nil { return nil }
        return role.key
    }

    private func role(of name: String) -> Role {
        var role = Role(key: name)
        if ExportedKey.identities.contains(name) || derived.contains(name) {
            role.key = nil
        } else if holdsData(name) {
            role.bytes = name + ExportedKey.data
        } else if let attribute = name.withoutSuffix(ExportedKey.data), holdsData(attribute) {
            role.key = attribute
        } else if types[name] == nil, relationships[name] == nil, let ordered = name.withoutSuffix(".position"),
            relationships[ordered] != nil
        {
            role.key = nil
        }
        roles[name] = role
        return role
    }

    /// True for an attribute whose decoded value is exported beside its bytes.
    private func holdsData(_ key: String) -> Bool { types[key] == .transformable || types[key] == .binaryData }

    /// `isBytes` is true for the bytes of an attribute, which are exported beside its decoded value.
    private func value(
        _ value: PredicateValue, of key: String, isBytes: Bool = false
    ) throws(CommandFailure) -> PredicateValue {
        if let relationship = relationships[key] { return try objects(value.words, relationship) }
        return try attribute(value, key, isBytes: isBytes)
    }

    private func attribute(
        _ value: PredicateValue, _ key: String, isBytes: Bool
    ) throws(CommandFailure) -> PredicateValue {
        let type = isBytes ? .binaryData : types[key]
        // Each element of a composite attribute is read by the type at its path.
        if case .dictionary(let entries) = value, type == .composite || type == nil {
            var typed: [String: PredicateValue] = [:]
            for (name, value) in entries { typed[name] = try self.value(value, of: "\(key).\(name)") }
            return .dictionary(typed)
        }
        return try Self.reading(key, type) { () throws(ValueError) in try Self.typed(value, type) }
    }

    /// Converts a value of a file to the type of an attribute, for the types that JSON and CSV write as strings or numbers. A
    /// string may have the form in which values are exported, or the form of a word of an option.
    private static func typed(_ value: PredicateValue, _ type: AttributeType?) throws(ValueError) -> PredicateValue {
        guard case .string(var text) = value else { return type == .boolean ? boolean(value) : value }
        switch type {
        case .date: if let date = text.withUTF8({ JSONDate.date(from: $0) }) { return .date(date) }
        case .uuid: if let uuid = UUID(uuidString: text) { return .uuid(uuid) }
        case .binaryData: if let data = Data(base64Encoded: text) { return .data(data) }
        case .transformable: return archive(value)
        case .boolean: return boolean(value)
        case .string, .uri, .integer16, .integer32, .integer64, .decimal, .double, .float, .undefined, .objectID,
            .composite, .unknown, nil:
            return value
        }
        return try self.value(text, type)
    }

    /// The data of an archive in base 64; any other value is archived by the store.
    private static func archive(_ value: PredicateValue) -> PredicateValue {
        guard case .string(let text) = value, let data = Data(base64Encoded: text), ArchivedTree.mayBeArchive(data)
        else { return value }
        return .data(data)
    }

    private func uris(_ words: [String], _ key: String) throws(CommandFailure) -> [ObjectURI] {
        var uris: [ObjectURI] = []
        for word in words {
            guard let uri = ObjectURI(word) else {
                throw .message("\(key): expected the URI of an object, found '\(word)'")
            }
            uris.append(uri)
        }
        return uris
    }

    private func objects(
        _ words: [String], _ relationship: RelationshipDescription
    ) throws(CommandFailure) -> PredicateValue {
        var ids: [PredicateValue] = []
        for word in words where word != "null" {
            do throws(CoreDataError) {
                ids.append(try store.id(of: word).predicateValue)
            } catch {
                throw .message(
                    "\(relationship.name): \(error.title)",
                    hints: ["predicate filter … --object-ids prints the URIs of objects"])
            }
        }
        if !relationship.isToMany, ids.count < 2 { return ids.first ?? .null }
        return .array(ids)
    }

    /// Reads `Buy milk`, `YES` or `2026-01-31T12:00:00Z` by the type of the attribute. `null` is nil for every type.
    private static func value(_ word: String, _ type: AttributeType?) throws(ValueError) -> PredicateValue {
        let value = try ValueWord.value(word, in: nil)
        if value == .null { return value }
        switch type {
        case .string, .uri:
            if case .string = value { return value }
            if case .url(let url) = value { return .string(url.absoluteString) }
            return .string(word)
        case .boolean: return boolean(value)
        case .date: return try read(value, as: .date)
        case .uuid: return try read(value, as: .uuid)
        case .binaryData: return try read(value, as: .data)
        case .transformable: return archive(value)
        case .decimal:
            // A word that was read as a double may have more digits than a double keeps.
            guard case .double = value else { return value }
            return (try? ValueWord.value("\(ValuePrefix.decimal.rawValue):\(word)", in: nil)) ?? value
        case .integer16, .integer32, .integer64, .double, .float, .undefined, .objectID, .composite, .unknown, nil:
            return value
        }
    }

    private static func boolean(_ value: PredicateValue) -> PredicateValue {
        switch value {
        case .integer(0), .string("NO"): .bool(false)
        case .integer(1), .string("YES"): .bool(true)
        default: value
        }
    }

    /// Reads a string as if it had the type prefix.
    private static func read(_ value: PredicateValue, as prefix: ValuePrefix) throws(ValueError) -> PredicateValue {
        guard case .string(let text) = value else { return value }
        return try ValueWord.value("\(prefix.rawValue):\(text)", in: nil)
    }
}

extension AttributeType {
    /// An example of how to write a value, for a hint; nil if the error message is sufficient.
    fileprivate var spelling: String? {
        switch self {
        case .date: "write 2026-01-31, or 2026-01-31T12:00:00Z with a time; null is nil"
        case .uuid: "write 137DECC8-0000-4000-8000-0000000000FF; null is nil"
        case .binaryData: "write the data in base 64, as aGVsbG8=; null is nil"
        case .transformable:
            "write a plain value, as [\"a\", 1] or date:2026-01-31, or an archive in base 64; null is nil"
        case .string, .uri, .boolean, .integer16, .integer32, .integer64, .decimal, .double, .float, .undefined,
            .objectID, .composite, .unknown:
            nil
        }
    }

    /// The type with which a CSV column for this attribute is read; nil to infer it from the cells.
    var columnType: ColumnType? {
        switch self {
        case .string, .uri, .uuid, .binaryData, .transformable: .string
        case .boolean, .integer16, .integer32, .integer64, .decimal, .double, .float, .date, .undefined, .objectID,
            .composite, .unknown:
            nil
        }
    }
}

extension String {
    /// The string before a suffix; nil if it does not end in it.
    fileprivate func withoutSuffix(_ suffix: String) -> String? {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : nil
    }
}

extension PredicateValue {
    /// The words that name objects: a string, or the strings of an array.
    fileprivate var words: [String] {
        switch self {
        case .string(let word): [word]
        case .array(let values): values.flatMap(\.words)
        case .null, .nullObject: []
        case .bool, .integer, .double, .decimal, .date, .data, .uuid, .url, .set, .orderedSet, .dictionary, .type,
            .object, .expression, .predicate:
            ["\(self)"]
        @unknown default: ["\(self)"]
        }
    }
}
