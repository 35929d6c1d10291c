#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif
public import PredicateSyntax

/// The tables and columns of keys: entities are tables, attributes columns, relationships joins.
///
///     let schema = SQLSchema([
///         SQLEntity("Person", table: "person", primaryKey: "id", attributes: [
///             "name": .init(.string), "age": .init(.integer)], relationships: [
///             "boss": .toOne("Person", column: "boss_id"),
///             "phones": .toMany("Phone", inverseColumn: "person_id")])])
///
/// A flat table takes one line: `SQLSchema(table: "person", columns: ["name": .string, "age": .integer])`.
public struct SQLSchema: Hashable, Sendable {
    /// The entities by name.
    public private(set) var entities: [String: SQLEntity]

    /// A later entity of the same name replaces an earlier one.
    public init(_ entities: [SQLEntity]) {
        self.entities = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
    }

    /// An entity by its name.
    ///
    ///     var schema = try connection.schema()
    ///     schema["task"]?.versionKey = "version"
    ///     schema["task"]?.deleteRules = ["note": .cascade]
    ///
    /// One that is set stands under the name that it has itself; nil removes the entity.
    public subscript(name: String) -> SQLEntity? {
        get { entities[name] }
        set {
            entities[name] = nil
            if let newValue { entities[newValue.name] = newValue }
        }
    }

    /// The only entity, or the only one beside views.
    package var onlyTable: SQLEntity? {
        let tables = entities.count == 1 ? Array(entities.values) : entities.values.filter { !$0.numbersRows }
        return tables.count == 1 ? tables.first : nil
    }

    /// One table whose columns are named like the keys.
    public init(table: String, primaryKey: String = "id", columns: [String: SQLType]) {
        self.init([
            SQLEntity(table, table: table, primaryKey: primaryKey, attributes: columns.mapValues { SQLAttribute($0) })
        ])
    }
}

/// An entity: a kind of object, kept in one table.
public struct SQLEntity: Hashable, Sendable {
    /// The name that fetch requests and relationships use.
    public var name: String
    /// The table or view that holds the objects, without quotes.
    public var table: String
    /// The column that tells objects apart; its type.
    public var primaryKey: String
    /// A Boolean value that indicates whether the table is one without a primary key, such as a view: statements number its
    /// rows from 1, in the order in which the database gives them, and ``primaryKey`` is the name of that number, which no
    /// column has.
    ///
    /// `FROM (SELECT row_number() OVER () AS "rowid", * FROM "grown_ups") AS t0`
    ///
    /// A number means the same row as long as neither the data nor the order change. Such objects are read only.
    public var numbersRows: Bool
    /// The type of the primary key.
    public var primaryKeyType: SQLType
    /// By key. A key with dots is the path to an element of a composite attribute, which has no column itself: `address.street`
    public var attributes: [String: SQLAttribute]
    /// By key.
    public var relationships: [String: SQLRelationship]
    /// The rules of relationships by key; one without has ``SQLRelationship/DeleteRule/noAction``.
    public var deleteRules: [String: SQLRelationship.DeleteRule]
    /// The attribute that counts the changes of an object, an integer: one that was changed since it was read is then not
    /// changed unseen. nil for none.
    public var versionKey: String?
    /// The rows of the table that are objects of this entity, where several entities share one table; nil for all rows.
    public var discriminator: SQLDiscriminator?
    /// The columns that order the objects of to-many relationships, by key: of the destination's table or of the table of pairs.
    public var orderColumns: [String: String]

    /// An entity; its table has its name unless another is given.
    public init(
        _ name: String, table: String? = nil, primaryKey: String = "id", primaryKeyType: SQLType = .integer,
        attributes: [String: SQLAttribute], relationships: [String: SQLRelationship] = [:],
        deleteRules: [String: SQLRelationship.DeleteRule] = [:], versionKey: String? = nil,
        discriminator: SQLDiscriminator? = nil, orderColumns: [String: String] = [:], numbersRows: Bool = false
    ) {
        self.name = name
        self.table = table ?? name
        self.primaryKey = primaryKey
        self.primaryKeyType = primaryKeyType
        self.attributes = attributes
        self.relationships = relationships
        self.deleteRules = deleteRules
        self.versionKey = versionKey
        self.discriminator = discriminator
        self.orderColumns = orderColumns
        self.numbersRows = numbersRows
    }

    /// True for a path that leads to several attributes, where no key stands in its way: `address` where there are
    /// `address.street` and `address.city`.
    package func isComposite(_ path: String) -> Bool {
        guard attributes[path] == nil, relationships[path] == nil else { return false }
        let start = path + "."
        // A column that has a dot in its own name is no element: its key is one key.
        return attributes.contains { key, attribute in key.hasPrefix(start) && (attribute.column ?? key) != key }
    }

    /// The paths of the attributes that a composite one leads to, sorted; none for any other key.
    package func elements(of path: String) -> [String] {
        guard isComposite(path) else { return [] }
        return attributes.keys.filter { $0.hasPrefix(path + ".") }.sorted()
    }

    /// The rows as a statement reads them, by the quoted names of the table and the key.
    package func rows(table: String, key: String) -> String {
        numbersRows ? "(SELECT row_number() OVER () AS \(key), * FROM \(table))" : table
    }
}

/// A key that holds a value: `age`
///
/// A key with dots, on a column of another name, is an element of a composite attribute or an embedded struct:
/// `"address.street": SQLAttribute(.string, column: "address_street")` is reached by the key path `address.street`. [NSP-410]
public struct SQLAttribute: Hashable, Sendable {
    /// The type of the values and how the column stores them.
    public var type: SQLType
    /// The column; nil when it has the key's name.
    public var column: String?
    /// A Boolean value that indicates whether the column may hold NULL; `true` by default.
    public var isNullable: Bool
    /// The declared collation of the column, or nil: one that does not compare by code
    /// points (`BINARY` on SQLite, `C` on PostgreSQL) is overridden in every comparison.
    public var collation: String?
    /// The affinity of a SQLite column that may hold values of other kinds than its type, as columns of any table that is
    /// not `STRICT` may; nil for a column whose values are all of its type.
    ///
    /// With an affinity conditions tell values by their kinds, row by row, as an evaluator does: a text in a column of doubles is
    /// greater than no number, and an integer in it is the double nearest to it. Without one, and in other databases, the schema
    /// is trusted, and the column must have the affinity of its type.
    public var affinity: SQLAffinity?
    /// The folds of which the column has an index, `[[.caseInsensitive, .diacriticInsensitive]]` for `[cd]`: equality, order
    /// and prefixes under them go by that index. SQLite only, where an index is one of ``SQLFunction/foldCase`` or its kin.
    public var indexedFolds: Set<ComparisonOptions>
    /// The folder of the files that hold large data, as Core Data's external storage has them; nil for data that the column
    /// holds as they are. The first byte of such a column is 1 before the data themselves, 2 before the name of a file and a
    /// zero byte. SQL compares it with nil only, and an evaluator does the rest.
    public var externalFolder: String?

    /// An attribute; its column has the name of the key unless another is given.
    public init(
        _ type: SQLType, column: String? = nil, isNullable: Bool = true, collation: String? = nil,
        affinity: SQLAffinity? = nil, indexedFolds: Set<ComparisonOptions> = [], externalFolder: String? = nil
    ) {
        self.type = type
        self.column = column
        self.isNullable = isNullable
        self.collation = collation
        self.affinity = affinity
        self.indexedFolds = indexedFolds
        self.externalFolder = externalFolder
    }
}

/// The type of a column.
public enum SQLType: Hashable, Sendable {
    /// Integers of up to 64 bits.
    case integer
    /// Floating-point numbers of 64 bits.
    case double
    /// Kept exactly, as the database can: on SQLite as text.
    case decimal
    /// 0 and 1, or the database's own
    case boolean
    /// Texts.
    case string
    /// Moments, stored as numbers, texts or the database's own type.
    case date(DateStorage)
    /// UUIDs, stored as bytes, texts or the database's own type.
    case uuid(UUIDStorage)
    /// Bytes.
    case data
    /// Values of several kinds, by row: SQLite compares them with constants by the kinds that they are stored as, other
    /// databases with nil only, and an evaluator does the rest.
    case any

    /// `.date(.since2001)`
    public static let date = SQLType.date(.since2001)
    /// `.uuid(.blob)`
    public static let uuid = SQLType.uuid(.blob)

    /// The storage of a UUID in a column.
    public enum UUIDStorage: String, Hashable, Sendable, CaseIterable {
        /// Sixteen bytes, or the database's own type.
        case blob
        /// Text in upper case with hyphens.
        case text
        /// Text in lower case with hyphens.
        case lowercaseText

        /// The text of a UUID in a column of texts.
        package func text(of uuid: UUID) -> String {
            switch self {
            case .text, .blob: uuid.uuidString
            case .lowercaseText: uuid.uuidString.lowercased()
            }
        }

        /// The UUID of a text that is spelled as the column's texts are; nil for every other text.
        package func uuid(_ text: String) -> UUID? {
            guard self != .blob, let uuid = UUID(uuidString: text) else { return nil }
            return self.text(of: uuid).hasSameCodePoints(as: text) ? uuid : nil
        }
    }
}

/// A key that holds other objects.
public enum SQLRelationship: Hashable, Sendable {
    /// `boss`: a column of this table holds the destination's primary key
    case toOne(String, column: String)
    /// `phones`: a column of the destination's table holds this object's primary key
    case toMany(String, inverseColumn: String)
    /// `tags`: a table of pairs
    case manyToMany(String, joinTable: String, sourceColumn: String, targetColumn: String)

    /// The entity at the other end.
    package var destination: String {
        switch self {
        case .toOne(let name, _), .toMany(let name, _), .manyToMany(let name, _, _, _): name
        }
    }

    package var isToMany: Bool {
        switch self {
        case .toOne: false
        case .toMany, .manyToMany: true
        }
    }
}
