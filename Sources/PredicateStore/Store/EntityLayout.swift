import Foundation
import PredicateSQL
import PredicateSyntax

/// The mapping of an entity's keys to the columns of a statement that reads its objects.
///
/// The primary key comes first, then the attributes, then the to-one relationships.
final class EntityLayout: Sendable {
    let entity: SQLEntity
    /// The keys with a column, in the order of the columns.
    let keys: [String]
    /// True if a statement can name every key as a key path. A key with a dot, or one that means something else in a
    /// path, is read by a statement of its own for each object, on first access.
    let isReadByPaths: Bool
    /// The statements that read rows in this layout by key.
    let statements: RowStatements
    /// The same for entities whose objects may be the same.
    let identity: String
    private let types: [SQLType]
    /// The folders of large data, by attribute.
    private let folders: [String?]
    private let plainnesses: [Plainness]
    private let linkCount: Int
    /// The keys of the objects: ``keys``, then those without a column; the number of an attribute is its index.
    private let names: NameTable
    private let namedColumns: [Column]
    private let arena = Arena()
    /// The composite attributes, by their paths.
    private let composites: [String: CompositeAttribute]
    /// The keys of an object in this layout, sorted.
    let allKeys: [String]

    /// The location of a key's value.
    enum Column: Hashable, Sendable {
        /// An index among the attributes.
        case attribute(Int)
        /// An index among the primary keys of other objects, and their entity.
        case toOne(Int, String)
        /// Rows of another entity.
        case toMany(String, RelatedCondition)
    }

    /// Whether the stored values of an attribute are its values.
    enum Plainness {
        case plain
        /// Integers are doubles.
        case double
        /// Integers 0 and 1 are truth values.
        case boolean
        /// Numbers are seconds since 2001.
        case seconds
        /// Some are converted.
        case converted

        init(_ type: SQLType, _ folder: String?) {
            switch type {
            case .integer, .string, .any: self = folder == nil ? .plain : .converted
            case .double: self = .double
            case .boolean: self = .boolean
            case .date(.since2001): self = .seconds
            case .date, .decimal, .uuid, .data: self = .converted
            }
        }
    }

    @inline(__always)
    func plainness(_ index: Int) -> Plainness { plainnesses[index] }

    /// The layout for some keys of an entity, or for all. Throws the error of an unknown key.
    init(_ entity: SQLEntity, in schema: SQLSchema, keys selected: [String]? = nil) throws(StoreError) {
        let all = entity.attributes.keys.sorted() + entity.relationships.keys.sorted()
        var sorted = SortedKeys(entity, schema)
        for key in selected ?? all {
            guard sorted.add(key) else { throw Self.lack(of: key, entity, schema) }
        }
        self.entity = entity
        keys = sorted.attributes + sorted.links
        types = sorted.attributes.map { entity.attributes[$0]?.type ?? .data }
        folders = sorted.attributes.map { entity.attributes[$0]?.externalFolder }
        let sharesTable = schema.entities.values.contains { $0.table == entity.table && $0.discriminator != nil }
        identity = sharesTable ? "\(entity.table) of several" : entity.name
        plainnesses = zip(types, folders).map(Plainness.init)
        linkCount = sorted.links.count
        let numbered = keys + sorted.lists
        names = NameTable(numbered, arena)
        namedColumns = numbered.compactMap { sorted.columns[$0] }
        allKeys = numbered.sorted()
        composites = CompositeAttribute.all(among: sorted.attributes, of: entity)
        isReadByPaths = keys.allSatisfy { $0.isSimpleKey || entity.isElement($0) }
        statements = RowStatements(entity, keys: keys)
    }

    private static func lack(of key: String, _ entity: SQLEntity, _ schema: SQLSchema) -> StoreError {
        let code = schema.missingKey(key, of: entity)
        return StoreError(.compilation(SQLCompilationError(code, text: key, range: 0..<key.utf8.count)))
    }

    /// The attributes, in the order of a row's values.
    var attributes: [String] { Array(keys.dropLast(linkCount)) }

    func column(_ key: String) -> Column? { names.number(of: key).map { namedColumns[$0] } }

    /// The index of an attribute; nil for other keys.
    func attribute(_ key: String) -> Int? {
        guard let number = names.number(of: key), number < types.count else { return nil }
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
        guard linkCount > 0 else { return StoredRow(values: values, links: []) }
        return StoredRow(values: values, links: (0..<linkCount).map { statement.value(types.count + $0 + 1) })
    }

    /// Reads the current row of a statement into the place of another.
    func read(_ statement: SQLiteStatement, into row: inout StoredRow) {
        row.values.withUnsafeMutableBufferPointer { values in
            for index in values.indices { values[index] = value(index, statement) }
        }
        for index in row.links.indices { row.links[index] = statement.value(types.count + index + 1) }
    }

    /// Reads one attribute of the current row.
    @inline(__always)
    func value(_ index: Int, _ statement: SQLiteStatement) -> PredicateValue {
        let cell = statement.cell(index + 1)
        switch (cell.storage, plainnesses[index]) {
        case (.null, _): return .null
        case (.integer, .plain): return .integer(cell.integer)
        case (.integer, .double): return .double(Double(cell.integer))
        case (.integer, .boolean): return Self.boolean(cell.integer)
        case (.double, .plain), (.double, .double), (.double, .boolean): return .double(cell.double)
        case (.integer, .seconds), (.double, .seconds): return .date(Date(timeIntervalSinceReferenceDate: cell.double))
        case (.text, .plain), (.text, .double), (.text, .boolean), (.text, .seconds): return .string(cell.text)
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
        let value = types[index].value(of: statement.value(index + 1))
        return folders[index].map { ExternalData.value(of: value, in: $0) } ?? value
    }

    /// The contents of a deleted row: nil for every key.
    var emptyRow: StoredRow {
        StoredRow(
            values: Array(repeating: .null, count: types.count), links: Array(repeating: .null, count: linkCount))
    }
}

/// The keys of a layout under construction, divided into attributes and relationships.
private struct SortedKeys {
    private let entity: SQLEntity
    private let schema: SQLSchema
    private(set) var attributes: [String] = []
    private(set) var links: [String] = []
    /// The relationships to many objects.
    private(set) var lists: [String] = []
    private(set) var columns: [String: EntityLayout.Column] = [:]

    init(_ entity: SQLEntity, _ schema: SQLSchema) {
        self.entity = entity
        self.schema = schema
    }

    /// Adds a key once, however often it occurs; returns false for one that the entity does not have.
    mutating func add(_ key: String) -> Bool {
        if columns[key] != nil { return true }
        if entity.attributes[key] != nil {
            columns[key] = .attribute(attributes.count)
            attributes.append(key)
            return true
        }
        if let relationship = entity.relationships[key] {
            add(key, relationship)
            return true
        }
        let elements = entity.elements(of: key)
        for element in elements { _ = add(element) }
        return !elements.isEmpty
    }

    private mutating func add(_ key: String, _ relationship: SQLRelationship) {
        switch relationship {
        case .toOne(let destination, _):
            columns[key] = .toOne(links.count, destination)
            links.append(key)
        case .toMany(let destination, let column):
            let order = entity.orderColumns[key]
            columns[key] = .toMany(destination, RelatedCondition(inverseColumn: column, order: order))
            lists.append(key)
        case .manyToMany(let destination, let table, let source, let target):
            let primaryKey = schema.entities[destination]?.primaryKey ?? ""
            let condition = RelatedCondition(
                primaryKey: primaryKey, joinTable: table, sourceColumn: source, targetColumn: target,
                order: entity.orderColumns[key])
            columns[key] = .toMany(destination, condition)
            lists.append(key)
        }
    }
}

/// The contents of an object's row.
struct StoredRow: Sendable {
    var values: [PredicateValue]
    /// The primary keys of the objects at the ends of to-one relationships.
    var links: [SQLBinding]
}

extension String {
    /// True if the key, as a key path, names just itself.
    fileprivate var isSimpleKey: Bool {
        !utf8.contains(UInt8(ascii: ".")) && utf8.first != UInt8(ascii: "@") && self != "self"
    }
}
