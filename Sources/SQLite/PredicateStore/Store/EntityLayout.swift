import Foundation
import PredicateEvaluation
internal import PredicateSQL
import PredicateSQLite
package import PredicateSyntax

/// Maps the keys of an entity to the columns of the statement that reads its objects.
///
/// The primary key comes first, then the attributes, then the to-one relationships.
final class EntityLayout: Sendable {
    let entity: SQLEntity
    /// The keys with a column, in column order.
    let keys: [String]
    /// True if every key can be used as a key path in a statement. If a key contains a dot, or has another meaning in a path,
    /// the row of each object is read by a separate statement on first access.
    let isReadByPaths: Bool
    /// The statements that read rows in this layout by key.
    let statements: RowStatements
    /// The same string for all entities that may contain the same object.
    let identity: String
    private let types: [SQLType]
    /// The time zone of dates in strings without an offset; nil for UTC. [NSP-496]
    private let zone: LocalZone?
    /// The folders of external data files, by attribute index.
    private let folders: [String?]
    /// Decodes the data of the attributes that `decoded` marks; nil for data of another form.
    private let decoder: StoreCore.Decoder?
    private let decoded: [Bool]
    private let conversions: [CellConversion]
    private let toOneCount: Int
    /// The object's keys: ``keys``, then the keys without a column. The number of an attribute is its index.
    private let names: [ExactName: Int]
    private let locations: [KeyLocation]
    /// The composite attributes by path.
    private let composites: [String: CompositeAttribute]
    /// All keys of an object in this layout, sorted.
    let allKeys: [String]

    /// Where the value of a key is found.
    enum KeyLocation: Sendable {
        /// An index into the attributes.
        case attribute(Int)
        /// An index into the foreign keys, and the destination entity.
        case toOne(Int, String)
        /// Rows of another entity.
        case toMany(String, RelatedCondition)
    }

    /// How the stored values of an attribute are converted to the values that objects return.
    enum CellConversion {
        case identity
        /// Integers become doubles.
        case double
        /// The integers 0 and 1 become Booleans.
        case boolean
        /// Numbers are seconds since 2001.
        case seconds
        /// Follows the rules of ``SQLType/value(of:)`` and of external data.
        case converted

        init(_ type: SQLType, _ folder: String?) {
            switch type {
            case .integer, .string, .paddedString, .any: self = folder == nil ? .identity : .converted
            case .double, .single: self = .double
            case .boolean: self = .boolean
            case .date(.since2001): self = .seconds
            case .date, .decimal, .uuid, .data, .array, .json: self = .converted
            }
        }
    }

    @inline(__always)
    func conversion(_ index: Int) -> CellConversion { conversions[index] }

    /// The layout for some keys of an entity, or for all. Throws `unknownKey`.
    init(
        _ entity: SQLEntity, in schema: SQLSchema, _ zone: LocalZone?, _ decoder: StoreCore.Decoder? = nil,
        keys selected: [String]? = nil
    ) throws(StoreError) {
        let all = entity.attributes.keys.sorted() + entity.relationships.keys.sorted()
        var sorted = SortedKeys(entity, schema)
        for key in selected ?? all {
            guard sorted.add(key) else { throw Self.unknownKey(of: key, entity, schema) }
        }
        (self.entity, self.zone) = (entity, zone)
        keys = sorted.attributes + sorted.toOneKeys
        types = sorted.attributes.map { entity.attributes[$0]?.type ?? .data }
        folders = sorted.attributes.map { entity.attributes[$0]?.externalFolder }
        decoded = sorted.attributes.map { entity.attributes[$0]?.isDecoded ?? false }
        self.decoder = decoder
        let sharesTable = schema.entities.values.contains { $0.table == entity.table && $0.discriminator != nil }
        identity = sharesTable ? "\(entity.table) of several" : entity.name
        conversions = zip(types, folders).map(CellConversion.init)
        toOneCount = sorted.toOneKeys.count
        let numbered = keys + sorted.toManyKeys
        names = Dictionary(
            numbered.enumerated().map { (ExactName($0.element), $0.offset) }, uniquingKeysWith: { $1 })
        locations = numbered.compactMap { sorted.locations[$0] }
        allKeys = numbered.sorted()
        composites = CompositeAttribute.all(among: sorted.attributes, of: entity)
        isReadByPaths = keys.allSatisfy { $0.isSimpleKey || entity.isElement($0) }
        statements = RowStatements(entity, keys: keys)
    }

    private static func unknownKey(of key: String, _ entity: SQLEntity, _ schema: SQLSchema) -> StoreError {
        let code = schema.missingKey(key, of: entity)
        return StoreError(.compilation(SQLCompilationError(code, text: key, range: 0..<key.utf8.count)))
    }

    /// The attributes, in the order of a row's values.
    var attributes: [String] { Array(keys.dropLast(toOneCount)) }

    func location(of key: String) -> KeyLocation? { names[ExactName(key)].map { locations[$0] } }

    /// The index of an attribute; nil for other keys.
    func attribute(_ key: String) -> Int? {
        guard let number = names[ExactName(key)], number < types.count else { return nil }
        return number
    }

    /// The dictionary of a composite attribute; nil for any other key.
    func composite(_ key: String, in values: [PredicateValue]) -> PredicateValue? {
        composites.isEmpty ? nil : composites[key]?.value(in: values)
    }

    /// True for the path of a composite attribute.
    func isComposite(_ key: String) -> Bool { composites[key] != nil }

    /// Reads the current row of a statement.
    func row(_ statement: SQLiteStatement) -> StoredRow {
        let values = [PredicateValue](unsafeUninitializedCapacity: types.count) { buffer, count in
            for index in 0..<buffer.count { buffer.initializeElement(at: index, to: value(index, statement)) }
            count = buffer.count
        }
        guard toOneCount > 0 else { return StoredRow(values: values, foreignKeys: []) }
        return StoredRow(values: values, foreignKeys: (0..<toOneCount).map { statement.value(types.count + $0 + 1) })
    }

    /// Reads the current row of a statement in place, into an existing row.
    func read(_ statement: SQLiteStatement, into row: inout StoredRow) {
        row.values.withUnsafeMutableBufferPointer { values in
            for index in values.indices { values[index] = value(index, statement) }
        }
        for index in row.foreignKeys.indices { row.foreignKeys[index] = statement.value(types.count + index + 1) }
    }

    /// Reads one attribute of the current row.
    @inline(__always)
    func value(_ index: Int, _ statement: SQLiteStatement) -> PredicateValue {
        let cell = statement.cell(index + 1)
        switch (cell.storage, conversions[index]) {
        case (.null, _): return .null
        case (.integer, .identity): return .integer(cell.integer)
        case (.integer, .double): return .double(Double(cell.integer))
        case (.integer, .boolean): return Self.boolean(cell.integer)
        case (.double, .identity), (.double, .double), (.double, .boolean): return .double(cell.double)
        case (.integer, .seconds), (.double, .seconds): return .date(Date(timeIntervalSinceReferenceDate: cell.double))
        case (.text, .identity), (.text, .double), (.text, .boolean), (.text, .seconds): return .string(cell.text)
        case (.blob, _), (.integer, .converted), (.double, .converted), (.text, .converted):
            return converted(index, statement)
        }
    }

    @inline(__always)
    private static func boolean(_ number: Int64) -> PredicateValue {
        number == 0 || number == 1 ? .bool(number == 1) : .integer(number)
    }

    @inline(never)
    private func converted(_ index: Int, _ statement: SQLiteStatement) -> PredicateValue {
        let value = types[index].value(of: statement.value(index + 1), in: zone)
        let content = folders[index].map { ExternalData.value(of: value, in: $0) } ?? value
        guard decoded[index], let decoder, case .data(let data) = content else { return content }
        return decoder(Array(data)) ?? content
    }

    /// The row of a deleted object: nil for every key.
    var emptyRow: StoredRow {
        StoredRow(
            values: Array(repeating: .null, count: types.count), foreignKeys: Array(repeating: .null, count: toOneCount)
        )
    }
}

/// The keys of a layout under construction, divided into attributes and relationships.
private struct SortedKeys {
    private let entity: SQLEntity
    private let schema: SQLSchema
    private(set) var attributes: [String] = []
    private(set) var toOneKeys: [String] = []
    private(set) var toManyKeys: [String] = []
    private(set) var locations: [String: EntityLayout.KeyLocation] = [:]

    init(_ entity: SQLEntity, _ schema: SQLSchema) {
        self.entity = entity
        self.schema = schema
    }

    /// Adds a key unless it has been added; returns false for an unknown key.
    mutating func add(_ key: String) -> Bool {
        if locations[key] != nil { return true }
        if entity.attributes[key] != nil {
            locations[key] = .attribute(attributes.count)
            attributes.append(key)
            return true
        }
        if let relationship = entity.relationships[key] {
            add(key, relationship)
            return true
        }
        let elements = entity.elements(of: key)
        for element in elements { _ = add(element) }
        // The primary key is read with every row.
        return !elements.isEmpty || key.hasSameCodePoints(as: entity.primaryKey)
    }

    private mutating func add(_ key: String, _ relationship: SQLRelationship) {
        let destination = relationship.destination
        switch relationship.kind {
        case .toOne:
            locations[key] = .toOne(toOneKeys.count, destination)
            toOneKeys.append(key)
        case .toMany(let column):
            let condition = RelatedCondition(inverseColumn: column, order: relationship.orderColumn)
            locations[key] = .toMany(destination, condition)
            toManyKeys.append(key)
        case .manyToMany(let table, let source, let target):
            let primaryKey = schema.entities[destination]?.primaryKey ?? ""
            let condition = RelatedCondition(
                primaryKey: primaryKey, joinTable: table, sourceColumn: source, targetColumn: target,
                order: relationship.orderColumn)
            locations[key] = .toMany(destination, condition)
            toManyKeys.append(key)
        }
    }
}

/// The values of an object's row.
struct StoredRow: Sendable {
    var values: [PredicateValue]
    /// The foreign keys of the to-one relationships.
    var foreignKeys: [SQLBinding]
}

extension String {
    /// True if the key is a single plain key when it is parsed as a key path: it has no dots, is not an operator, and
    /// is not `self`.
    fileprivate var isSimpleKey: Bool {
        !utf8.contains(UInt8(ascii: ".")) && utf8.first != UInt8(ascii: "@") && self != "self"
    }
}

/// A composite attribute of a layout: its elements by key.
struct CompositeAttribute: Sendable {
    private enum CompositeElement: Sendable {
        /// The index of an attribute.
        case value(Int)
        case composite(CompositeAttribute)
    }

    private var elements: [String: CompositeElement] = [:]

    /// The composite attributes that contain the given attributes, by path.
    static func all(among attributes: [String], of entity: SQLEntity) -> [String: CompositeAttribute] {
        var whole = CompositeAttribute()
        for (index, key) in attributes.enumerated() where entity.isElement(key) {
            whole.add(index, key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...])
        }
        var found: [String: CompositeAttribute] = [:]
        whole.collect("", &found)
        return found
    }

    private mutating func add(_ index: Int, _ path: ArraySlice<String>) {
        guard let first = path.first else { return }
        guard path.count > 1 else { return elements[first] = .value(index) }
        var inner = CompositeAttribute()
        if case .composite(let known)? = elements[first] { inner = known }
        inner.add(index, path.dropFirst())
        elements[first] = .composite(inner)
    }

    private func collect(_ path: String, _ found: inout [String: CompositeAttribute]) {
        for (key, element) in elements {
            guard case .composite(let inner) = element else { continue }
            found[path + key] = inner
            inner.collect("\(path)\(key).", &found)
        }
    }

    /// The dictionary of the elements that are not nil; nil if all of them are.
    func value(in values: [PredicateValue]) -> PredicateValue {
        var entries: [String: PredicateValue] = [:]
        for (key, element) in elements {
            let value =
                switch element {
                case .value(let index): values[index]
                case .composite(let inner): inner.value(in: values)
                }
            if value != .null { entries[key] = value }
        }
        return entries.isEmpty ? .null : .dictionary(entries)
    }
}

extension SQLEntity {
    /// True for the path of an element of a composite attribute: `address.street`
    func isElement(_ key: String) -> Bool {
        guard let end = key.firstIndex(of: "."), end > key.startIndex, attributes[key] != nil else { return false }
        return isComposite(String(key[..<end]))
    }
}

extension SQLType {
    /// Converts a stored value to the type that the schema declares.
    ///
    /// SQLite allows values of any storage class in any column. A value that the type cannot represent is returned unconverted.
    /// A date in a string without an offset is in the time zone `zone`, or in UTC if that is nil.
    package func value(of stored: SQLBinding, in zone: LocalZone? = nil) -> PredicateValue {
        switch (stored, self) {
        case (.null, _): .null
        case (.integer(let value), .double), (.integer(let value), .single): .double(Double(value))
        case (.integer(0), .boolean): .bool(false)
        case (.integer(1), .boolean): .bool(true)
        case (_, .date(let storage)): Self.date(stored, storage, zone)
        case (_, .decimal): Self.decimal(stored)
        case (.blob(let data), .uuid(.blob)): Self.uuid(data)
        case (.text(let text), .uuid(let storage)): storage.uuid(text).map(PredicateValue.uuid) ?? .string(text)
        case (.text(let text), .array(let element, _)):
            JSONArray.elements(of: text, element).map(PredicateValue.array) ?? .null
        case (.text(let text), .json): StoredJSON.object(text).map(PredicateValue.dictionary) ?? .null
        case (_, .array), (_, .json): .null
        case (_, .integer), (_, .double), (_, .single), (_, .string), (_, .paddedString), (_, .boolean), (_, .data),
            (_, .uuid), (_, .any):
            Self.unconverted(stored)
        }
    }

    /// The value by its storage class alone.
    private static func unconverted(_ stored: SQLBinding) -> PredicateValue {
        switch stored {
        case .null: .null
        case .integer(let value): .integer(value)
        case .double(let value): .double(value)
        case .boolean(let value): .bool(value)
        case .text(let text): .string(text)
        case .blob(let data): .data(data)
        }
    }

    private static func date(
        _ stored: SQLBinding, _ storage: SQLType.DateStorage, _ zone: LocalZone?
    ) -> PredicateValue {
        switch (stored, storage) {
        case (.integer(let value), .since1970): seconds(Double(value) - 978_307_200)
        case (.double(let value), .since1970): seconds(value - 978_307_200)
        case (.integer(let value), _): seconds(Double(value))
        case (.double(let value), _): seconds(value)
        case (.text(let text), .iso8601), (.text(let text), .timestamp):
            StoredText.date(text, in: zone).map(PredicateValue.date) ?? .string(text)
        case (.null, _), (.boolean, _), (.text, _), (.blob, _): unconverted(stored)
        }
    }

    private static func seconds(_ seconds: Double) -> PredicateValue {
        .date(Date(timeIntervalSinceReferenceDate: seconds))
    }

    private static func decimal(_ stored: SQLBinding) -> PredicateValue {
        switch stored {
        case .text(let text): StoredText.decimal(text).map(PredicateValue.decimal) ?? .string(text)
        case .integer(let value): .decimal(Decimal(value))
        case .double(let value): StoredText.decimal(value).map(PredicateValue.decimal) ?? .double(value)
        case .null, .boolean, .blob: unconverted(stored)
        }
    }

    private static func uuid(_ data: Data) -> PredicateValue {
        guard data.count == 16 else { return .data(data) }
        return .uuid(data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
    }
}

/// Data stored in the column itself or, if large, in a separate file.
///
/// The first byte is 1 before the data, or 2 before the name of a file and a zero byte.
package enum ExternalData {
    /// The data of a column; nil if the file is missing or larger than the limit in bytes. A value without this form is returned
    /// as it is.
    package static func value(of stored: PredicateValue, in folder: String, limit: Int = .max) -> PredicateValue {
        guard case .data(let bytes) = stored, let tag = bytes.first else { return stored }
        let rest = bytes.dropFirst()
        switch tag {
        case 1: return .data(Data(rest))
        case 2:
            guard let name = name(in: rest) else { return stored }
            return contents(of: name, folder, limit).map(PredicateValue.data) ?? .null
        default: return stored
        }
    }

    /// The name of a file directly inside the folder; nil for anything else, such as a path.
    package static func name(in bytes: Data) -> String? {
        let text = bytes.prefix { $0 != 0 }
        guard text.allSatisfy(plain.contains), !text.isEmpty, text.count <= 255 else { return nil }
        return String(decoding: text, as: UTF8.self)
    }

    private static let plain = Set("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_-abcdefghijklmnopqrstuvwxyz".utf8)

    private static func contents(of name: String, _ folder: String, _ limit: Int) -> Data? {
        let file = URL(fileURLWithPath: folder, isDirectory: true).appendingPathComponent(name)
        if limit < .max, ((try? file.resourceValues(forKeys: [.fileSizeKey]))?.fileSize ?? 0) > limit { return nil }
        return try? Data(contentsOf: file)
    }
}
