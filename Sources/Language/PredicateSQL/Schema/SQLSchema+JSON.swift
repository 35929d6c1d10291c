import PredicateSyntax

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The JSON format of schemas.
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
/// - An entity: `table` (default: the entity's name), `schema` (none: ``SQLEntity/schema``), `primaryKey` (`id`),
///   `primaryKeyType` (`integer`), `attributes`, `relationships`, `versionKey` (none), `discriminator` (none; `column`,
///   `value`, `descendants`), `numbersRows` (false: the rows have a key), `keyColumns` (none: ``SQLEntity/keyColumns``),
///   `rowCount` (unknown).
/// - An attribute: `type` (integer, double, decimal, boolean, string, date, uuid, data, any, json; `string[]` and so on for an
///   array), `column` (default: the attribute's name), `storage` (of a date: since2001, since1970, iso8601, timestamp; of a
///   uuid: blob, text, lowercaseText; of an array: native, json; of a double: single for 32 bits; of a string: padded for
///   `char(n)`), `nullable` (true), `collation` (none), `nativeType` (none: ``SQLAttribute/nativeType``), `labels` (none:
///   ``SQLAttribute/labels``), `affinity` (none; integer, real, numeric, text, blob, unknown: the affinity of the column),
///   `indexedFolds` (none; a list of `c`, `d`, `cd`), `externalFolder` (none: the folder of external data),
///   `valueCount` (unknown), `least` and `greatest` (both or none: ``SQLAttribute/valueRange``).
/// - A relationship: `to`; for a to-one `column`; for a to-many `toMany` with `inverseColumn`, or with `joinTable`,
///   `sourceColumn` and `targetColumn`; `deleteRule` (noAction, nullify, cascade, deny; default: noAction);
///   `orderColumn` and `joinSchema` (none).
extension SQLSchema {
    /// Reads a schema from JSON.
    ///
    /// `try SQLSchema(json: Data(text.utf8))`
    /// - Throws: ``SQLSchemaError`` with the path. A field that the format does not have is also an error.
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

    /// The schema as JSON with sorted fields, in the format that ``init(json:)`` reads.
    public var json: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return (try? encoder.encode(SchemaDocument(self))) ?? Data()
    }

    /// Checks that every relationship refers to an entity of the schema, that no key is both an attribute and a
    /// relationship, that a key path can lead to every key, that versions are integers, and that arrays hold plain
    /// values. [NSP-428]
    /// - Throws: ``SQLSchemaError`` with the path.
    public func check() throws(SQLSchemaError) {
        for (name, entity) in entities.sorted(by: { $0.key < $1.key }) {
            try entity.check(path: "entities.\(name)")
            for (key, relationship) in entity.relationships.sorted(by: { $0.key < $1.key }) {
                let path = "entities.\(name).relationships.\(key)"
                guard entities[exactly: relationship.destination] != nil else {
                    let nearMisses = NearMiss.candidates(for: relationship.destination, among: entities.keys)
                    throw SQLSchemaError(.unknownEntity(relationship.destination, nearMisses: nearMisses), path: path)
                }
                if entity.attributes[exactly: key] != nil { throw SQLSchemaError(.duplicateKey(key), path: path) }
                if SQLEntity.isUnreachable(key) { throw SQLSchemaError(.unreachableKey(key), path: path) }
            }
        }
    }
}

extension SQLEntity {
    fileprivate func check(path: String) throws(SQLSchemaError) {
        if let versionKey, attributes[exactly: versionKey]?.type != .integer {
            throw SQLSchemaError(.notAVersion(versionKey), path: "\(path).versionKey")
        }
        for (key, attribute) in attributes.sorted(by: { $0.key < $1.key }) {
            if isUnreachable(key, attribute) {
                throw SQLSchemaError(.unreachableKey(key), path: "\(path).attributes.\(key)")
            }
            if !attribute.type.isUsable {
                throw SQLSchemaError(.notAnElement(attribute.type.word), path: "\(path).attributes.\(key).type")
            }
        }
    }
}

extension SQLType {
    /// False for an array whose elements no array can hold.
    fileprivate var isUsable: Bool {
        guard case .array(let element, let storage) = self else { return true }
        switch element {
        case .integer, .double, .boolean, .string: return true
        case .decimal, .single, .date(.timestamp), .uuid(.blob), .data: return storage == .native
        case .date, .uuid, .paddedString, .array, .any, .json: return false
        }
    }
}

extension SQLType {
    /// The types but arrays, with their default storages.
    private static let plain: [SQLType] = [
        .integer, .double, .decimal, .boolean, .string, .date, .uuid, .data, .any, .json,
    ]

    init(_ word: String, storage: String?, path: String) throws(SQLSchemaError) {
        if word.hasSuffix("[]") {
            self = .array(
                try SQLType(element: String(word.dropLast(2)), path), try Self.storage(storage, path) ?? .native)
            return
        }
        guard let plain = Self.plain.first(where: { $0.word == word }) else {
            throw SQLSchemaError(.unknownWord(word, expected: Self.plain.map(\.word)), path: "\(path).type")
        }
        switch plain {
        case .double: self = try Self.has("single", storage, path) ? .single : .double
        case .string: self = try Self.has("padded", storage, path) ? .paddedString : .string
        case .date: self = .date(try Self.storage(storage, path) ?? .since2001)
        case .uuid: self = .uuid(try Self.storage(storage, path) ?? .blob)
        case .integer, .decimal, .boolean, .data, .any, .json, .single, .paddedString, .array: self = plain
        }
        if storage != nil, storageWord == nil, word != "date", word != "uuid" {
            throw SQLSchemaError(.unknownField("storage", nearMisses: []), path: path)
        }
    }

    /// The type of an array's elements: native dates and UUIDs have the database's own types.
    private init(element word: String, _ path: String) throws(SQLSchemaError) {
        self = try SQLType(word, storage: word == "date" ? DateStorage.timestamp.rawValue : nil, path: path)
    }

    /// Returns true for the only word that a storage may have besides the default.
    private static func has(_ word: String, _ storage: String?, _ path: String) throws(SQLSchemaError) -> Bool {
        guard let storage else { return false }
        guard storage == word else {
            throw SQLSchemaError(.unknownWord(storage, expected: [word]), path: "\(path).storage")
        }
        return true
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

    /// The type with its storage, as one word: `integer`, `date:iso8601`
    package var declaration: String { storageWord.map { "\(word):\($0)" } ?? word }

    /// `integer`, `date`, …
    var word: String {
        switch self {
        case .integer: "integer"
        case .double, .single: "double"
        case .decimal: "decimal"
        case .boolean: "boolean"
        case .string, .paddedString: "string"
        case .date: "date"
        case .uuid: "uuid"
        case .data: "data"
        case .array(let element, _): "\(element.word)[]"
        case .any: "any"
        case .json: "json"
        }
    }

    /// The word for the storage; nil for the default.
    var storageWord: String? {
        switch self {
        case .date(let storage): storage == .since2001 ? nil : storage.rawValue
        case .uuid(let storage): storage == .blob ? nil : storage.rawValue
        case .array(_, let storage): storage == .native ? nil : storage.rawValue
        case .single: "single"
        case .paddedString: "padded"
        case .integer, .double, .decimal, .boolean, .string, .data, .any, .json: nil
        }
    }
}

extension ComparisonOptions {
    /// Returns options by their letters: `["c", "cd"]`
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

extension SQLiteAffinity {
    init(_ word: String, path: String) throws(SQLSchemaError) {
        guard let affinity = SQLiteAffinity(rawValue: word) else {
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

/// The root of the JSON format.
struct SchemaDocument: Codable {
    var entities: [String: EntityDocument]

    enum CodingKeys: String, CodingKey, CaseIterable { case entities }
}

struct EntityDocument: Codable {
    var table: String?
    var schema: String?
    var primaryKey: String?
    var primaryKeyType: String?
    var attributes: [String: AttributeDocument]?
    var relationships: [String: RelationshipDocument]?
    var versionKey: String?
    var discriminator: DiscriminatorDocument?
    var numbersRows: Bool?
    var keyColumns: [String]?
    var rowCount: Int?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case table, schema, primaryKey, primaryKeyType, attributes, relationships, versionKey, discriminator,
            numbersRows
        case keyColumns, rowCount
    }
}

struct DiscriminatorDocument: Codable {
    var column: String
    var value: Int64?
    var descendants: [Int64]?

    enum CodingKeys: String, CodingKey, CaseIterable { case column, value, descendants }
}

struct AttributeDocument: Codable {
    var column: String?
    var type: String
    var storage: String?
    var nullable: Bool?
    var collation: String?
    var nativeType: String?
    var labels: [String]?
    var affinity: String?
    var indexedFolds: [String]?
    var externalFolder: String?
    var valueCount: Int?
    var least: Double?
    var greatest: Double?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case column, type, storage, nullable, collation, nativeType, labels, affinity, indexedFolds, externalFolder
        case valueCount, least, greatest
    }
}

struct RelationshipDocument: Codable {
    var to: String
    var toMany: Bool?
    var column: String?
    var inverseColumn: String?
    var joinTable: String?
    var joinSchema: String?
    var sourceColumn: String?
    var targetColumn: String?
    var deleteRule: String?
    var orderColumn: String?

    enum CodingKeys: String, CodingKey, CaseIterable {
        case to, toMany, column, inverseColumn, joinTable, joinSchema, sourceColumn, targetColumn, deleteRule
        case orderColumn
    }
}

// MARK: Reading

extension SchemaDocument {
    /// Returns the schema. Throws if a relationship refers to an unknown entity.
    func schema() throws(SQLSchemaError) -> SQLSchema {
        var list: [SQLEntity] = []
        for (name, document) in entities.sorted(by: { $0.key < $1.key }) {
            list.append(try document.entity(name, path: "entities.\(name)"))
        }
        let schema = SQLSchema(list)
        try schema.check()
        return schema
    }
}

extension EntityDocument {
    fileprivate func entity(_ name: String, path: String) throws(SQLSchemaError) -> SQLEntity {
        var keyType = SQLType.integer
        if let primaryKeyType { keyType = try SQLType(primaryKeyType, storage: nil, path: "\(path).primaryKeyType") }
        var attributes: [String: SQLAttribute] = [:]
        for (key, document) in self.attributes ?? [:] {
            let attributePath = "\(path).attributes.\(key)"
            attributes[key] = try document.attribute(path: attributePath)
        }
        var relationships: [String: SQLRelationship] = [:]
        for (key, document) in self.relationships ?? [:] {
            relationships[key] = try document.relationship(path: "\(path).relationships.\(key)")
        }
        var entity = SQLEntity(
            name, table: table, primaryKey: primaryKey ?? "id", primaryKeyType: keyType, attributes: attributes,
            relationships: relationships, versionKey: versionKey, keyColumns: keyColumns ?? [],
            schema: schema)
        entity.discriminator = discriminator.map {
            SQLDiscriminator(column: $0.column, value: $0.value, descendants: $0.descendants ?? [])
        }
        entity.hasNoKey = numbersRows == true && entity.keyColumns.isEmpty
        entity.rowCount = try count(rowCount, path: "\(path).rowCount")
        return entity
    }
}

extension AttributeDocument {
    fileprivate func attribute(path: String) throws(SQLSchemaError) -> SQLAttribute {
        var attribute = SQLAttribute(
            try SQLType(type, storage: storage, path: path), column: column, isNullable: nullable ?? true,
            collation: collation, nativeType: nativeType, labels: labels ?? [])
        attribute.affinity = try affinity.map { (word) throws(SQLSchemaError) in try SQLiteAffinity(word, path: path) }
        attribute.indexedFolds = try ComparisonOptions.folds(indexedFolds ?? [], path: path)
        attribute.externalFolder = externalFolder
        attribute.valueCount = try count(valueCount, path: "\(path).valueCount")
        attribute.valueRange = try range(path: path)
        return attribute
    }

    private func range(path: String) throws(SQLSchemaError) -> ClosedRange<Double>? {
        if let least, let greatest, least <= greatest { return least...greatest }
        guard least == nil, greatest == nil else {
            throw SQLSchemaError(.expected("'least' and a 'greatest' that is not less"), path: path)
        }
        return nil
    }
}

private func count(_ value: Int?, path: String) throws(SQLSchemaError) -> Int? {
    if let value, value < 0 { throw SQLSchemaError(.expected("a number from 0 on"), path: path) }
    return value
}

extension RelationshipDocument {
    fileprivate func relationship(path: String) throws(SQLSchemaError) -> SQLRelationship {
        var relationship = SQLRelationship(
            to, try kind(path: path), deleteRule: try rule(path: path), orderColumn: orderColumn)
        relationship.joinSchema = joinSchema
        return relationship
    }

    private func kind(path: String) throws(SQLSchemaError) -> SQLRelationship.Kind {
        switch (toMany ?? false, column, inverseColumn, joinTable, sourceColumn, targetColumn) {
        case (false, let column?, nil, nil, nil, nil): return .toOne(column: column)
        case (true, nil, let column?, nil, nil, nil): return .toMany(inverseColumn: column)
        case (true, nil, nil, let table?, let source?, let target?):
            return .manyToMany(joinTable: table, sourceColumn: source, targetColumn: target)
        default: throw SQLSchemaError(.ambiguousRelationship, path: path)
        }
    }

    private func rule(path: String) throws(SQLSchemaError) -> SQLRelationship.DeleteRule {
        guard let deleteRule else { return .noAction }
        guard let rule = SQLRelationship.DeleteRule(rawValue: deleteRule) else {
            let words = SQLRelationship.DeleteRule.allCases.map(\.rawValue)
            throw SQLSchemaError(.unknownWord(deleteRule, expected: words), path: "\(path).deleteRule")
        }
        return rule
    }
}

// MARK: Writing

extension SQLAttribute {
    /// The least and the greatest value, if both are numbers that JSON can hold.
    var finiteRange: ClosedRange<Double>? {
        valueRange.flatMap { $0.lowerBound.isFinite && $0.upperBound.isFinite ? $0 : nil }
    }
}

extension SchemaDocument {
    init(_ schema: SQLSchema) {
        entities = schema.entities.mapValues(EntityDocument.init)
    }
}

extension EntityDocument {
    fileprivate init(_ entity: SQLEntity) {
        (table, schema) = (entity.table, entity.schema)
        primaryKey = entity.primaryKey
        primaryKeyType = entity.primaryKeyType == .integer ? nil : entity.primaryKeyType.word
        attributes = entity.attributes.mapValues { attribute in
            AttributeDocument(
                column: attribute.column, type: attribute.type.word, storage: attribute.type.storageWord,
                nullable: attribute.isNullable ? nil : false, collation: attribute.collation,
                nativeType: attribute.nativeType, labels: attribute.labels.isEmpty ? nil : attribute.labels,
                affinity: attribute.affinity?.rawValue,
                indexedFolds: attribute.indexedFolds.isEmpty
                    ? nil : attribute.indexedFolds.map(\.foldWord).sorted(),
                externalFolder: attribute.externalFolder, valueCount: attribute.valueCount.map { max($0, 0) },
                least: attribute.finiteRange?.lowerBound, greatest: attribute.finiteRange?.upperBound)
        }
        (versionKey, rowCount) = (entity.versionKey, entity.rowCount.map { max($0, 0) })
        numbersRows = entity.numbersRows ? true : nil
        keyColumns = entity.keyColumns.isEmpty ? nil : entity.keyColumns
        discriminator = entity.discriminator.map {
            DiscriminatorDocument(
                column: $0.column, value: $0.value, descendants: $0.descendants.isEmpty ? nil : $0.descendants)
        }
        if entity.relationships.isEmpty { return }
        relationships = entity.relationships.mapValues(RelationshipDocument.init)
    }
}

extension RelationshipDocument {
    fileprivate init(_ relationship: SQLRelationship) {
        deleteRule = relationship.deleteRule == .noAction ? nil : relationship.deleteRule.rawValue
        (orderColumn, joinSchema) = (relationship.orderColumn, relationship.joinSchema)
        to = relationship.destination
        toMany = relationship.isToMany ? true : nil
        switch relationship.kind {
        case .toOne(let column): self.column = column
        case .toMany(let column): inverseColumn = column
        case .manyToMany(let table, let source, let target):
            (joinTable, sourceColumn, targetColumn) = (table, source, target)
        }
    }
}

/// A check for fields that the format does not have, such as a mistyped `colum`.
struct FieldCheck: Decodable {
    private var fields: [String: FieldCheck] = [:]

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        guard let container = try? decoder.container(keyedBy: Key.self) else { return }
        for key in container.allKeys { fields[key.stringValue] = try container.decode(FieldCheck.self, forKey: key) }
    }

    static func check(_ document: FieldCheck) throws(SQLSchemaError) {
        try document.check(SchemaDocument.CodingKeys.self, "")
        for (name, entity) in document.fields["entities"]?.fields ?? [:] {
            let path = "entities.\(name)"
            try entity.check(EntityDocument.CodingKeys.self, path)
            try entity.fields["discriminator"]?.check(DiscriminatorDocument.CodingKeys.self, "\(path).discriminator")
            for (key, attribute) in entity.fields["attributes"]?.fields ?? [:] {
                try attribute.check(AttributeDocument.CodingKeys.self, "\(path).attributes.\(key)")
            }
            for (key, relationship) in entity.fields["relationships"]?.fields ?? [:] {
                try relationship.check(RelationshipDocument.CodingKeys.self, "\(path).relationships.\(key)")
            }
        }
    }

    private func check<Keys: CodingKey & CaseIterable>(_ keys: Keys.Type, _ path: String) throws(SQLSchemaError) {
        let names = keys.allCases.map(\.stringValue)
        guard let unknown = fields.keys.filter({ !names.contains($0) }).min() else { return }
        let nearMisses = NearMiss.candidates(for: unknown, among: names)
        throw SQLSchemaError(.unknownField(unknown, nearMisses: nearMisses), path: path)
    }
}
