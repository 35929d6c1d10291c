#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
import PredicateSyntax

/// Schemas as JSON.
///
/// ```json
/// {"entities": {"Person": {"table": "person", "primaryKey": "id",
///   "attributes": {"name": {"column": "full_name", "type": "string"}, "born": {"type": "date", "storage": "iso8601"},
///                  "version": {"type": "integer"}},
///   "versionKey": "version",
///   "relationships": {
///     "boss":   {"to": "Person", "column": "boss_id"},
///     "phones": {"to": "Phone", "toMany": true, "inverseColumn": "person_id", "deleteRule": "cascade"},
///     "tags":   {"to": "Tag", "toMany": true, "joinTable": "person_tag", "sourceColumn": "person_id",
///                "targetColumn": "tag_id"}}}}}
/// ```
///
/// - An entity: `table` (the entity's name when left out), `primaryKey` (`id`), `primaryKeyType` (`integer`),
///   `attributes`, `relationships`, `versionKey` (none), `discriminator` (none; `column`, `value`, `descendants`),
///   `numbersRows` (false: ``SQLEntity/numbersRows``).
/// - An attribute: `type` (integer, double, decimal, boolean, string, date, uuid, data, any), `column` (the attribute's
///   name), `storage` (of a date: since2001, since1970, iso8601, timestamp; of a uuid: blob, text, lowercaseText),
///   `nullable` (true), `collation` (none), `affinity` (none; integer, real, numeric, text, blob, unknown:
///   ``SQLAttribute/affinity``), `indexedFolds` (none; a list of `c`, `d`, `cd`), `externalFolder` (none).
/// - A relationship: `to`, and for a to-one `column`, for a to-many `toMany` with `inverseColumn` or with `joinTable`,
///   `sourceColumn` and `targetColumn`; `deleteRule` (noAction, nullify, cascade, deny; noAction); `orderColumn` (none).
extension SQLSchema {
    /// Reads a schema.
    ///
    /// `try SQLSchema(json: Data(text.utf8))`
    /// - Throws: ``SQLSchemaError`` with the path; a field that the format does not know is an error too.
    public init(json: Data) throws(SQLSchemaError) {
        let document: SchemaDocument
        do {
            try FieldCheck.check(JSONDecoder().decode(FieldCheck.self, from: json))
            document = try JSONDecoder().decode(SchemaDocument.self, from: json)
        } catch let error as SQLSchemaError {
            throw error
        } catch let error as DecodingError {
            throw SQLSchemaError(error)
        } catch {
            throw SQLSchemaError(.notJSON("\(error)"), path: "")
        }
        self = try document.schema()
    }

    /// The schema as JSON, in the form that ``init(json:)`` reads, with its fields sorted.
    public var json: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return (try? encoder.encode(SchemaDocument(self))) ?? Data()
    }

    /// Checks that every relationship leads to an entity of the schema, that no key has two meanings, that every rule is one
    /// of a relationship, and that versions are integers.
    /// - Throws: ``SQLSchemaError`` with the path.
    public func check() throws(SQLSchemaError) {
        for (name, entity) in entities.sorted(by: { $0.key < $1.key }) {
            try entity.check(path: "entities.\(name)")
            for (key, relationship) in entity.relationships.sorted(by: { $0.key < $1.key }) {
                let path = "entities.\(name).relationships.\(key)"
                guard entities.exactly(relationship.destination) != nil else {
                    let nearMisses = NearMiss.candidates(for: relationship.destination, among: entities.keys)
                    throw SQLSchemaError(.unknownEntity(relationship.destination, nearMisses: nearMisses), path: path)
                }
                if entity.attributes.exactly(key) != nil { throw SQLSchemaError(.duplicateKey(key), path: path) }
            }
        }
    }
}

extension SQLEntity {
    fileprivate func check(path: String) throws(SQLSchemaError) {
        for key in deleteRules.keys.sorted() where relationships.exactly(key) == nil {
            let nearMisses = NearMiss.candidates(for: key, among: relationships.keys)
            throw SQLSchemaError(.unknownRelationship(key, nearMisses: nearMisses), path: "\(path).deleteRules")
        }
        if let versionKey, attributes.exactly(versionKey)?.type != .integer {
            throw SQLSchemaError(.notAVersion(versionKey), path: "\(path).versionKey")
        }
    }
}

extension SQLType {
    /// The words of types.
    private static let words = ["integer", "double", "decimal", "boolean", "string", "date", "uuid", "data", "any"]

    init(_ word: String, storage: String?, path: String) throws(SQLSchemaError) {
        switch word {
        case "integer": self = .integer
        case "double": self = .double
        case "decimal": self = .decimal
        case "boolean": self = .boolean
        case "string": self = .string
        case "date": self = .date(try Self.storage(storage, path) ?? .since2001)
        case "uuid": self = .uuid(try Self.storage(storage, path) ?? .blob)
        case "data": self = .data
        case "any": self = .any
        default: throw SQLSchemaError(.unknownWord(word, expected: Self.words), path: "\(path).type")
        }
        if storage != nil, storageWord == nil, word != "date", word != "uuid" {
            throw SQLSchemaError(.unknownField("storage", nearMisses: []), path: path)
        }
    }

    private static func storage<Storage: RawRepresentable<String> & CaseIterable>(
        _ word: String?, _ path: String
    ) throws(SQLSchemaError) -> Storage? {
        guard let word else { return nil }
        guard let storage = Storage(rawValue: word) else {
            let words = Storage.allCases.map(\.rawValue)
            throw SQLSchemaError(.unknownWord(word, expected: words), path: "\(path).storage")
        }
        return storage
    }

    /// `integer`, `date`, …
    var word: String {
        switch self {
        case .integer: "integer"
        case .double: "double"
        case .decimal: "decimal"
        case .boolean: "boolean"
        case .string: "string"
        case .date: "date"
        case .uuid: "uuid"
        case .data: "data"
        case .any: "any"
        }
    }

    /// The word of the storage; nil for the usual storage.
    var storageWord: String? {
        switch self {
        case .date(let storage): storage == .since2001 ? nil : storage.rawValue
        case .uuid(let storage): storage == .blob ? nil : storage.rawValue
        case .integer, .double, .decimal, .boolean, .string, .data, .any: nil
        }
    }
}

extension ComparisonOptions {
    /// Options by their letters: `["c", "cd"]`
    static func folds(_ words: [String], path: String) throws(SQLSchemaError) -> Set<ComparisonOptions> {
        var folds: Set<ComparisonOptions> = []
        for word in words {
            guard let fold = foldModes.first(where: { $0.foldWord == word }) else {
                let expected = foldModes.map(\.foldWord)
                throw SQLSchemaError(.unknownWord(word, expected: expected), path: "\(path).indexedFolds")
            }
            folds.insert(fold)
        }
        return folds
    }

    /// `[c]`, `[d]` and `[cd]`
    package static let foldModes: [ComparisonOptions] = [
        .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
    ]

    /// `cd`
    package var foldWord: String { "\(foldMode.letters)" }
}

extension SQLAffinity {
    init(_ word: String, path: String) throws(SQLSchemaError) {
        guard let affinity = SQLAffinity(rawValue: word) else {
            let words = Self.allCases.map(\.rawValue)
            throw SQLSchemaError(.unknownWord(word, expected: words), path: "\(path).affinity")
        }
        self = affinity
    }
}

extension SQLSchemaError {
    init(_ error: DecodingError) {
        switch error {
        case .keyNotFound(let key, let context): self.init(.expected("'\(key.stringValue)'"), path: context.path)
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            self.init(.expected(Self.name(of: type)), path: context.path)
        case .dataCorrupted(let context): self.init(.notJSON(context.debugDescription), path: context.path)
        @unknown default: self.init(.notJSON("\(error)"), path: "")
        }
    }

    private static func name(of type: Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is Bool.Type: "true or false"
        default: "an object"
        }
    }
}

extension DecodingError.Context {
    fileprivate var path: String {
        codingPath.map(\.stringValue).joined(separator: ".")
    }
}
