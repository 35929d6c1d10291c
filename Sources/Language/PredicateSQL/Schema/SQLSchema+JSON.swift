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
        let fields = try SchemaFields(SQLSchemaError.decoding(json), ["entities"], path: "")
        var entities: [SQLEntity] = []
        for (name, entity, path) in try fields.required("entities", fields.objects("entities")) {
            entities.append(try SQLEntity(name, SchemaFields(entity, SQLEntity.fields, path: path)))
        }
        self.init(entities)
        try check()
    }

    /// The schema as JSON with sorted fields, in the format that ``init(json:)`` reads.
    public var json: Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
        return (try? encoder.encode(JSONElement.members(["entities": .object(entities.mapValues(\.json))]))) ?? Data()
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
        let place = "\(path).storage"
        if word.hasSuffix("[]") {
            let storage: ArrayStorage = try SQLSchemaError.choice(storage, place) ?? .native
            self = .array(try SQLType(element: String(word.dropLast(2)), path), storage)
            return
        }
        guard let plain = Self.plain.first(where: { $0.word == word }) else {
            throw SQLSchemaError(.unknownWord(word, expected: Self.plain.map(\.word)), path: "\(path).type")
        }
        switch plain {
        case .double: self = try SQLSchemaError.choice(storage, among: ["single"], place) == nil ? .double : .single
        case .string:
            self = try SQLSchemaError.choice(storage, among: ["padded"], place) == nil ? .string : .paddedString
        case .date: self = .date(try SQLSchemaError.choice(storage, place) ?? .since2001)
        case .uuid: self = .uuid(try SQLSchemaError.choice(storage, place) ?? .blob)
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
    /// `[c]`, `[d]` and `[cd]`
    package static let foldModes: [ComparisonOptions] = [
        .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
    ]

    /// `cd`
    package var foldWord: String { "\(foldMode.letters)" }
}

extension SQLSchemaError {
    /// Decodes the parts of a JSON document.
    static func decoding<Document: Decodable>(_ json: Data) throws(SQLSchemaError) -> Document {
        do {
            return try JSONDecoder().decode(Document.self, from: json)
        } catch let error as DecodingError {
            throw SQLSchemaError(error)
        } catch {
            throw SQLSchemaError(.notJSON("\(error)"), path: "")
        }
    }

    private init(_ error: DecodingError) {
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

    /// Returns a word of a list. Throws for another word.
    fileprivate static func choice(
        _ word: String?, among words: [String], _ path: String
    ) throws(SQLSchemaError) -> String? {
        guard let word, !words.contains(word) else { return word }
        throw SQLSchemaError(.unknownWord(word, expected: words), path: path)
    }

    fileprivate static func choice<Word: RawRepresentable<String> & CaseIterable>(
        _ word: String?, _ path: String
    ) throws(SQLSchemaError) -> Word? {
        try choice(word, among: Word.allCases.map(\.rawValue), path).flatMap(Word.init)
    }
}

extension DecodingError.Context {
    fileprivate var path: String {
        codingPath.map(\.stringValue).joined(separator: ".")
    }
}

// MARK: Reading

/// The fields of an object in the JSON of a schema.
private struct SchemaFields {
    let path: String
    private let members: [String: JSONElement]

    /// Throws for an element that is not an object, and for a field that the format does not have, such as a mistyped `colum`.
    init(_ element: JSONElement, _ names: [String], path: String) throws(SQLSchemaError) {
        self.path = path
        guard let members = element.object else { throw SQLSchemaError(.expected("an object"), path: path) }
        self.members = members
        guard let unknown = members.keys.filter({ !names.contains($0) }).min() else { return }
        let nearMisses = NearMiss.candidates(for: unknown, among: names)
        throw SQLSchemaError(.unknownField(unknown, nearMisses: nearMisses), path: path)
    }

    func path(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

    /// Returns the value of a field; nil if there is none. Throws for a value of another kind.
    func value<Value>(
        _ name: String, _ expected: String, _ read: (JSONElement) -> Value?
    ) throws(SQLSchemaError) -> Value? {
        guard let element = members[name], !element.isNull else { return nil }
        if let value = read(element) { return value }
        throw SQLSchemaError(.expected(expected), path: path(name))
    }

    func required<Value>(_ name: String, _ value: Value?) throws(SQLSchemaError) -> Value {
        if let value { return value }
        throw SQLSchemaError(.expected("'\(name)'"), path: path)
    }

    func text(_ name: String) throws(SQLSchemaError) -> String? { try value(name, "a string", \.text) }

    func texts(_ name: String) throws(SQLSchemaError) -> [String] {
        try value(name, "a list of strings") { $0.list(\.text) } ?? []
    }

    func flag(_ name: String) throws(SQLSchemaError) -> Bool? { try value(name, "true or false", \.boolean) }

    func count(_ name: String) throws(SQLSchemaError) -> Int? {
        try value(name, "a number from 0 on") { $0.integer.flatMap { $0 < 0 ? nil : Int(exactly: $0) } }
    }

    /// Returns the members of an object, sorted, with their paths.
    func objects(_ name: String) throws(SQLSchemaError) -> [(name: String, element: JSONElement, path: String)]? {
        let members = try value(name, "an object", \.object)
        return members?.sorted { $0.key < $1.key }.map { ($0, $1, path("\(name).\($0)")) }
    }
}

extension SQLEntity {
    fileprivate static let fields = [
        "table", "schema", "primaryKey", "primaryKeyType", "attributes", "relationships", "versionKey", "discriminator",
        "numbersRows", "keyColumns", "rowCount",
    ]

    fileprivate init(_ name: String, _ fields: SchemaFields) throws(SQLSchemaError) {
        let keyType = try fields.text("primaryKeyType") ?? "integer"
        self.init(
            name, table: try fields.text("table"), primaryKey: try fields.text("primaryKey") ?? "id",
            primaryKeyType: try SQLType(keyType, storage: nil, path: fields.path("primaryKeyType")),
            attributes: [:], versionKey: try fields.text("versionKey"), keyColumns: try fields.texts("keyColumns"),
            schema: try fields.text("schema"))
        for (key, element, path) in try fields.objects("attributes") ?? [] {
            attributes[key] = try SQLAttribute(SchemaFields(element, SQLAttribute.fields, path: path))
        }
        for (key, element, path) in try fields.objects("relationships") ?? [] {
            relationships[key] = try SQLRelationship(SchemaFields(element, SQLRelationship.fields, path: path))
        }
        if let element = try fields.value("discriminator", "an object", { $0 }) {
            let names = ["column", "value", "descendants"]
            discriminator = try SQLDiscriminator(SchemaFields(element, names, path: fields.path("discriminator")))
        }
        hasNoKey = try fields.flag("numbersRows") == true && keyColumns.isEmpty
        rowCount = try fields.count("rowCount")
    }
}

extension SQLDiscriminator {
    fileprivate init(_ fields: SchemaFields) throws(SQLSchemaError) {
        self.init(
            column: try fields.required("column", fields.text("column")),
            value: try fields.value("value", "an integer", \.integer),
            descendants: try fields.value("descendants", "a list of integers") { $0.list(\.integer) } ?? [])
    }
}

extension SQLAttribute {
    fileprivate static let fields = [
        "column", "type", "storage", "nullable", "collation", "nativeType", "labels", "affinity", "indexedFolds",
        "externalFolder", "valueCount", "least", "greatest",
    ]

    fileprivate init(_ fields: SchemaFields) throws(SQLSchemaError) {
        let type = try SQLType(
            fields.required("type", fields.text("type")), storage: fields.text("storage"), path: fields.path)
        self.init(
            type, column: try fields.text("column"), isNullable: try fields.flag("nullable") ?? true,
            collation: try fields.text("collation"), nativeType: try fields.text("nativeType"),
            labels: try fields.texts("labels"))
        affinity = try SQLSchemaError.choice(fields.text("affinity"), fields.path("affinity"))
        let modes = ComparisonOptions.foldModes
        for word in try fields.texts("indexedFolds") {
            _ = try SQLSchemaError.choice(word, among: modes.map(\.foldWord), fields.path("indexedFolds"))
            indexedFolds.formUnion(modes.filter { $0.foldWord == word })
        }
        externalFolder = try fields.text("externalFolder")
        valueCount = try fields.count("valueCount")
        switch (try fields.value("least", "a number", \.number), try fields.value("greatest", "a number", \.number)) {
        case (nil, nil): break
        case (let least?, let greatest?) where least <= greatest: valueRange = least...greatest
        default: throw SQLSchemaError(.expected("'least' and a 'greatest' that is not less"), path: fields.path)
        }
    }
}

extension SQLRelationship {
    fileprivate static let fields = [
        "to", "toMany", "column", "inverseColumn", "joinTable", "joinSchema", "sourceColumn", "targetColumn",
        "deleteRule", "orderColumn",
    ]

    fileprivate init(_ fields: SchemaFields) throws(SQLSchemaError) {
        self.init(
            try fields.required("to", fields.text("to")), try Kind(fields),
            deleteRule: try SQLSchemaError.choice(fields.text("deleteRule"), fields.path("deleteRule")) ?? .noAction,
            orderColumn: try fields.text("orderColumn"))
        joinSchema = try fields.text("joinSchema")
    }
}

extension SQLRelationship.Kind {
    fileprivate init(_ fields: SchemaFields) throws(SQLSchemaError) {
        let columns = try [
            "column", "inverseColumn", "joinTable", "sourceColumn", "targetColumn",
        ].map { (name) throws(SQLSchemaError) in try fields.text(name) }
        switch (try fields.flag("toMany") ?? false, columns[0], columns[1], columns[2], columns[3], columns[4]) {
        case (false, let column?, nil, nil, nil, nil): self = .toOne(column: column)
        case (true, nil, let column?, nil, nil, nil): self = .toMany(inverseColumn: column)
        case (true, nil, nil, let table?, let source?, let target?):
            self = .manyToMany(joinTable: table, sourceColumn: source, targetColumn: target)
        default: throw SQLSchemaError(.ambiguousRelationship, path: fields.path)
        }
    }
}

// MARK: Writing

extension SQLAttribute {
    /// The least and the greatest value, if both are numbers that JSON can hold.
    var finiteRange: ClosedRange<Double>? {
        valueRange.flatMap { $0.lowerBound.isFinite && $0.upperBound.isFinite ? $0 : nil }
    }
}

extension SQLEntity {
    fileprivate var json: JSONElement {
        .members([
            "table": .text(table), "schema": schema.map(JSONElement.text), "primaryKey": .text(primaryKey),
            "primaryKeyType": primaryKeyType == .integer ? nil : .text(primaryKeyType.word),
            "attributes": .object(attributes.mapValues(\.json)),
            "relationships": relationships.isEmpty ? nil : .object(relationships.mapValues(\.json)),
            "versionKey": versionKey.map(JSONElement.text), "discriminator": discriminator?.json,
            "numbersRows": numbersRows ? .boolean(true) : nil, "keyColumns": .texts(keyColumns),
            "rowCount": rowCount.map { .integer(Int64(max($0, 0))) },
        ])
    }
}

extension SQLDiscriminator {
    fileprivate var json: JSONElement {
        .members([
            "column": .text(column), "value": value.map(JSONElement.integer),
            "descendants": descendants.isEmpty ? nil : .list(descendants.map(JSONElement.integer)),
        ])
    }
}

extension SQLAttribute {
    fileprivate var json: JSONElement {
        .members([
            "column": column.map(JSONElement.text), "type": .text(type.word),
            "storage": type.storageWord.map(JSONElement.text), "nullable": isNullable ? nil : .boolean(false),
            "collation": collation.map(JSONElement.text), "nativeType": nativeType.map(JSONElement.text),
            "labels": .texts(labels), "affinity": (affinity?.rawValue).map(JSONElement.text),
            "indexedFolds": .texts(indexedFolds.map(\.foldWord).sorted()),
            "externalFolder": externalFolder.map(JSONElement.text),
            "valueCount": valueCount.map { .integer(Int64(max($0, 0))) },
            "least": (finiteRange?.lowerBound).map(JSONElement.double),
            "greatest": (finiteRange?.upperBound).map(JSONElement.double),
        ])
    }
}

extension SQLRelationship {
    fileprivate var json: JSONElement {
        var members: [String: JSONElement?] = [
            "to": .text(destination), "toMany": isToMany ? .boolean(true) : nil,
            "deleteRule": deleteRule == .noAction ? nil : .text(deleteRule.rawValue),
            "orderColumn": orderColumn.map(JSONElement.text), "joinSchema": joinSchema.map(JSONElement.text),
        ]
        switch kind {
        case .toOne(let column): members["column"] = .text(column)
        case .toMany(let column): members["inverseColumn"] = .text(column)
        case .manyToMany(let table, let source, let target):
            members["joinTable"] = .text(table)
            (members["sourceColumn"], members["targetColumn"]) = (.text(source), .text(target))
        }
        return .members(members)
    }
}
