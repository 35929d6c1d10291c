import PredicateSQL
import PredicateSyntax

/// How the objects of an entity are read: which column of a statement holds which key.
///
/// The primary key comes first, then the attributes, then the to-one relationships.
final class EntityLayout: Sendable {
    let entity: SQLEntity
    /// The keys that columns hold, in their order.
    let keys: [String]
    private let types: [SQLType]
    private let linkCount: Int
    private let columns: [String: Column]

    /// Where the value of a key is.
    enum Column: Hashable, Sendable {
        /// Among the attributes.
        case attribute(Int)
        /// Among the primary keys of other objects; the entity that they belong to.
        case toOne(Int, String)
        /// In the rows of other objects.
        case toMany(SQLRelationship)
    }

    /// The layout for some keys of an entity, or for all. Throws the error of an unknown key.
    init(_ entity: SQLEntity, keys wanted: [String]? = nil) throws(StoreError) {
        let all = entity.attributes.keys.sorted() + entity.relationships.keys.sorted()
        var sorted = SortedKeys()
        for key in wanted ?? all {
            guard sorted.add(key, of: entity) else { throw Self.lack(of: key, entity) }
        }
        self.entity = entity
        keys = sorted.attributes + sorted.links
        types = sorted.attributes.map { entity.attributes[$0]?.type ?? .data }
        linkCount = sorted.links.count
        columns = sorted.columns
    }

    private static func lack(of key: String, _ entity: SQLEntity) -> StoreError {
        StoreError(.compilation(SQLCompilationError(entity.missingKey(key), text: key, range: 0..<key.utf8.count)))
    }

    /// The attributes, in the order of a row's values.
    var attributes: [String] { Array(keys.dropLast(linkCount)) }

    /// All keys that an object answers.
    var allKeys: [String] { columns.keys.sorted() }

    func column(_ key: String) -> Column? {
        guard let index = columns.index(forKey: key), columns[index].key.hasSameCodePoints(as: key) else { return nil }
        return columns[index].value
    }

    /// Whether a statement can name every key as a path: one with a dot, or one that means something else in a path,
    /// is read with the row of each object, when it is asked for.
    var isReadByPaths: Bool {
        keys.allSatisfy { key in
            !key.utf8.contains(UInt8(ascii: ".")) && key.utf8.first != UInt8(ascii: "@") && key != "self"
        }
    }

    /// The row that a statement stands on.
    func row(_ statement: SQLiteStatement) -> StoredRow {
        var row = StoredRow(values: [], links: [])
        row.values.reserveCapacity(types.count)
        for (index, type) in types.enumerated() { row.values.append(type.value(of: statement.value(index + 1))) }
        for index in 0..<linkCount { row.links.append(statement.value(types.count + index + 1)) }
        return row
    }

    /// What a row that is not there holds.
    var emptyRow: StoredRow {
        StoredRow(
            values: Array(repeating: .null, count: types.count), links: Array(repeating: .null, count: linkCount))
    }
}

/// Keys put in order while a layout is made.
private struct SortedKeys {
    private(set) var attributes: [String] = []
    private(set) var links: [String] = []
    private(set) var columns: [String: EntityLayout.Column] = [:]

    /// False for a key that the entity does not have. One that stands twice counts once.
    mutating func add(_ key: String, of entity: SQLEntity) -> Bool {
        if columns[key] != nil { return true }
        if entity.attributes[key] != nil {
            columns[key] = .attribute(attributes.count)
            attributes.append(key)
            return true
        }
        guard let relationship = entity.relationships[key] else { return false }
        guard case .toOne(let destination, _) = relationship else {
            columns[key] = .toMany(relationship)
            return true
        }
        columns[key] = .toOne(links.count, destination)
        links.append(key)
        return true
    }
}

/// What an object's row holds.
struct StoredRow: Sendable {
    var values: [PredicateValue]
    /// The primary keys of the objects that to-one relationships lead to.
    var links: [SQLBinding]
}
