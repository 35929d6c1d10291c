import PredicateCoreData
import PredicateData
import PredicateModel
import PredicateSession
import PredicateStore
import PredicateSyntax

/// The values of `--set KEY=VALUE`, read as the types of the model say.
struct ChangeValues {
    private let store: CoreDataStore
    private let entity: String

    private init(_ store: CoreDataStore, _ entity: String) {
        (self.store, self.entity) = (store, entity)
    }

    /// The values for objects of an entity. An unknown key is left to the store, which knows similar ones.
    static func values(
        _ settings: [String], of entity: String, in store: CoreDataStore
    ) throws(CommandFailure) -> ObjectValues {
        let reader = ChangeValues(store, entity)
        var values: ObjectValues = [:]
        for (key, words) in try words(settings) { values[key] = try reader.value(words, of: key) }
        return values
    }

    /// The words for each key.
    static func words(_ settings: [String]) throws(CommandFailure) -> [String: [String]] {
        var words: [String: [String]] = [:]
        for setting in settings {
            let parts = setting.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty else {
                throw .message("--set takes KEY=VALUE, found '\(setting)'")
            }
            words[parts[0], default: []].append(parts[1])
        }
        return words
    }

    private func value(_ words: [String], of key: String) throws(CommandFailure) -> PredicateValue {
        if let relationship = store.model.relationships(of: entity).first(where: { $0.name == key }) {
            return try objects(words, relationship)
        }
        guard words.count == 1, let word = words.first else {
            throw .message("--set \(key): an attribute has one value, found \(words.count)")
        }
        let type = type(of: key)
        do throws(ValueError) {
            return try Self.value(word, type)
        } catch {
            throw .message("--set \(key): \(error.message)", hints: type?.spelling.map { [$0] } ?? error.hints)
        }
    }

    // MARK: - Records

    /// The values of a record: texts are read as the types of the model say, relationships take URIs.
    static func values(
        of record: PredicateValue, for entity: String, in store: CoreDataStore
    ) throws(CommandFailure) -> ObjectValues {
        guard case .dictionary(let fields) = record else {
            throw .message("expected an object with keys, found \(record.kindName)")
        }
        let reader = ChangeValues(store, entity)
        var values: ObjectValues = [:]
        // What names the object itself, as rows are printed.
        for (key, value) in fields where key != "Z_PK" && key != "objectID" {
            values[key] = try reader.value(value, of: key)
        }
        return values
    }

    private func value(_ value: PredicateValue, of key: String) throws(CommandFailure) -> PredicateValue {
        if let relationship = store.model.relationships(of: entity).first(where: { $0.name == key }) {
            return try objects(value.words, relationship)
        }
        // The elements of a composite attribute, each under its path.
        if case .dictionary(let entries) = value, type(of: key) == .composite || type(of: key) == nil {
            var typed: [String: PredicateValue] = [:]
            for (name, value) in entries { typed[name] = try self.value(value, of: "\(key).\(name)") }
            return .dictionary(typed)
        }
        let type = type(of: key)
        do throws(ValueError) {
            return try Self.typed(value, type)
        } catch {
            throw .message("\(key): \(error.message)", hints: type?.spelling.map { [$0] } ?? error.hints)
        }
    }

    /// The type of an attribute, or of an element of a composite attribute; nil for any other key.
    private func type(of key: String) -> AttributeType? {
        let attributes = store.model.attributes(of: entity)
        if let own = attributes.first(where: { $0.name == key }) { return own.type }
        guard key.contains(".") else { return nil }
        return store.model.storedAttributes(of: entity).first { $0.name == key }?.type
    }

    /// A value of a file in the kind of an attribute: what JSON and CSV have as text, and cells of another kind.
    private static func typed(_ value: PredicateValue, _ type: AttributeType?) throws(ValueError) -> PredicateValue {
        switch type {
        case .date, .uuid, .binaryData, .transformable:
            if case .string(let text) = value { try self.value(text, type) } else { value }
        case .boolean: boolean(value)
        case .string, .uri, .integer16, .integer32, .integer64, .decimal, .double, .float, .undefined, .objectID,
            .composite, .unknown, nil:
            value
        }
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

    /// `Buy milk`, `YES`, `2026-01-31T12:00:00Z` by the type of the attribute; `null` is nil for every type.
    private static func value(_ word: String, _ type: AttributeType?) throws(ValueError) -> PredicateValue {
        let value = try ValueWord.value(word)
        if value == .null { return value }
        switch type {
        case .string, .uri:
            if case .string = value { return value }
            if case .url(let url) = value { return .string(url.absoluteString) }
            return .string(word)
        case .boolean: return boolean(value)
        case .date: return try read(value, as: .date)
        case .uuid: return try read(value, as: .uuid)
        case .binaryData, .transformable: return try read(value, as: .data)
        case .integer16, .integer32, .integer64, .decimal, .double, .float, .undefined, .objectID, .composite,
            .unknown, nil:
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

    /// The value of a text without the prefix that says its type.
    private static func read(_ value: PredicateValue, as prefix: ValuePrefix) throws(ValueError) -> PredicateValue {
        guard case .string(let text) = value else { return value }
        return try ValueWord.value("\(prefix.rawValue):\(text)")
    }
}

extension AttributeType {
    /// How a value is written, for a hint; nil where an error says it.
    fileprivate var spelling: String? {
        switch self {
        case .date: "write 2026-01-31, or 2026-01-31T12:00:00Z with a time; null is nil"
        case .uuid: "write 137DECC8-0000-4000-8000-0000000000FF; null is nil"
        case .binaryData, .transformable: "write the data in base 64, as aGVsbG8=; null is nil"
        case .string, .uri, .boolean, .integer16, .integer32, .integer64, .decimal, .double, .float, .undefined,
            .objectID, .composite, .unknown:
            nil
        }
    }

    /// The type of a column of CSV that an attribute has its values from; nil where the cells say it.
    var columnType: ColumnType? {
        switch self {
        case .string, .uri, .uuid, .binaryData, .transformable: .string
        case .boolean, .integer16, .integer32, .integer64, .decimal, .double, .float, .date, .undefined, .objectID,
            .composite, .unknown:
            nil
        }
    }
}

extension PredicateValue {
    /// The words that name objects: a text, or those of an array.
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
