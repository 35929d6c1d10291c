package import PredicateSyntax

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A mapping of keys to tables and columns: an entity is a table, an attribute a column, a relationship a join.
///
///     let schema = SQLSchema([
///         SQLEntity("Person", table: "person", primaryKey: "id", attributes: [
///             "name": .init(.string), "age": .init(.integer)], relationships: [
///             "boss": .toOne("Person", column: "boss_id"),
///             "phones": .toMany("Phone", inverseColumn: "person_id")])])
///
/// A single table takes one line: `SQLSchema(table: "person", columns: ["name": .string, "age": .integer])`.
public struct SQLSchema: Hashable, Sendable {
    /// The entities by name.
    public private(set) var entities: [String: SQLEntity]
    /// A Boolean value that indicates whether the tables are those of a Core Data store, for which ANY and ALL of a single
    /// value are the comparison itself, and IN looks among the keys of a dictionary. [NSP-106] [NSP-087]
    package var isCoreData = false

    /// Creates a schema. If two entities have the same name, the later one is kept.
    public init(_ entities: [SQLEntity]) {
        self.entities = Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
    }

    /// An entity by its name.
    ///
    ///     var schema = try connection.schema()
    ///     schema["task"]?.versionKey = "version"
    ///     schema["task"]?.relationships["note"]?.deleteRule = .cascade
    ///
    /// An assigned entity is stored under its own name. Assigning nil removes the entity.
    public subscript(name: String) -> SQLEntity? {
        get { entities[name] }
        set {
            entities[name] = nil
            if let newValue { entities[newValue.name] = newValue }
        }
    }

    /// The only entity, or the only one that is not a view.
    package var onlyTable: SQLEntity? {
        let tables = entities.count == 1 ? Array(entities.values) : entities.values.filter { !$0.numbersRows }
        return tables.count == 1 ? tables.first : nil
    }

    /// Creates a schema of one table whose columns have the names of the keys.
    public init(table: String, schema: String? = nil, primaryKey: String = "id", columns: [String: SQLType]) {
        var entity = SQLEntity(table, primaryKey: primaryKey, attributes: columns.mapValues { SQLAttribute($0) })
        entity.schema = schema
        self.init([entity])
    }
}

/// A type of object, stored in one table.
public struct SQLEntity: Hashable, Sendable {
    /// The name that fetch requests and relationships use.
    public var name: String
    /// The unquoted name of the table or view that holds the objects.
    public var table: String
    /// The unquoted name of the table's schema, `sales` of `sales.orders`, if the connection does not search that schema: a
    /// database of MariaDB, MySQL and Spark, or a file that is attached to a connection of SQLite or DuckDB. nil by default.
    public var schema: String?
    /// The name of the primary key column. It is also a key, `id == 3`, unless another key has that name.
    public var primaryKey: String
    /// The type of the primary key.
    public var primaryKeyType: SQLType
    /// The columns that together identify a row, if no single column does; empty by default. Statements select and change such a
    /// row by these columns; SQLite selects it by its number, which is not a column and has the name ``primaryKey``.
    public var keyColumns: [String]
    /// The attributes by key. A key with dots is the path to an element of a composite attribute, which has no column
    /// itself: `address.street`
    public var attributes: [String: SQLAttribute]
    /// The relationships by key.
    public var relationships: [String: SQLRelationship]
    /// The integer attribute that counts the changes of an object, for optimistic locking: an object that was changed
    /// since it was read is not overwritten. nil for an entity without versions.
    public var versionKey: String?
    /// About how many rows the table has; nil, the default, if that is not known. The compiler chooses the forms of conditions
    /// by it, which select the same rows whatever the number.
    public var rowCount: Int?
    /// The condition that selects the rows of this entity if several entities share the table; nil if all rows are
    /// objects of this entity.
    package var discriminator: SQLDiscriminator?
    /// True if statements on SQLite number the rows of a table without a primary key, such as a view.
    ///
    /// `FROM (SELECT row_number() OVER () AS "rowid", "grown_ups".* FROM "grown_ups") AS t0`
    ///
    /// Rows are numbered from 1, in the order in which the database returns them, and ``primaryKey`` is the name of
    /// that number, which is not a column. A number refers to the same row until the data or the order change. An
    /// update or a deletion whose condition needs the number, or joins, identifies rows by ``keyColumns``.
    package var numbersRows: Bool { hasNoKey || !keyColumns.isEmpty }
    /// True if nothing identifies the rows, such as those of a view.
    var hasNoKey = false

    /// Creates an entity. The default table has the name of the entity.
    public init(
        _ name: String, table: String? = nil, primaryKey: String = "id", primaryKeyType: SQLType = .integer,
        attributes: [String: SQLAttribute], relationships: [String: SQLRelationship] = [:], versionKey: String? = nil,
        keyColumns: [String] = [], schema: String? = nil
    ) {
        self.keyColumns = keyColumns
        self.name = name
        self.table = table ?? name
        self.schema = schema
        self.primaryKey = primaryKey
        self.primaryKeyType = primaryKeyType
        self.attributes = attributes
        self.relationships = relationships
        self.versionKey = versionKey
    }

    /// Creates an entity whose rows are numbered.
    package init(
        _ name: String, table: String? = nil, primaryKey: String, attributes: [String: SQLAttribute],
        relationships: [String: SQLRelationship] = [:], numbersRows: Bool, keyColumns: [String] = [],
        schema: String? = nil
    ) {
        self.init(
            name, table: table, primaryKey: primaryKey, attributes: attributes, relationships: relationships,
            keyColumns: keyColumns, schema: schema)
        hasNoKey = numbersRows && keyColumns.isEmpty
    }

    /// Returns true for the path of a composite attribute: `address`, if the keys include `address.street` and
    /// `address.city` but not `address`.
    package func isComposite(_ path: String) -> Bool {
        guard attributes[path] == nil, relationships[path] == nil else { return false }
        let start = path + "."
        // A column with a dot in its own name is not an element of a composite attribute: its key is a single key.
        return attributes.contains { key, attribute in key.hasPrefix(start) && (attribute.column ?? key) != key }
    }

    /// Returns the sorted key paths of a composite attribute's elements; an empty array for any other key.
    package func elements(of path: String) -> [String] {
        guard isComposite(path) else { return [] }
        return attributes.keys.filter { $0.hasPrefix(path + ".") }.sorted()
    }

    /// The primary key as an attribute; nil if another key has its name.
    var primaryKeyAttribute: SQLAttribute? {
        let isTaken = attributes[primaryKey] != nil || relationships[primaryKey] != nil || isComposite(primaryKey)
        if isTaken { return nil }
        var attribute = SQLAttribute(primaryKeyType, isNullable: false)
        attribute.valueCount = rowCount
        return attribute
    }

    /// The table as it appears after FROM: its name, or a subquery that numbers its rows.
    package var rows: SQLText {
        guard numbersRows else { return tableName.quoted }
        let rows: SQLText = schema == nil ? tableName.quoted : "\(tableName.quoted) AS \(name: table)"
        return "(SELECT row_number() OVER () AS \(name: primaryKey), \(name: table).* FROM \(rows))"
    }

    /// The name of the table with that of its schema.
    package var tableName: TableName { TableName(table, in: schema) }
}

/// A key that holds a value: `age`
///
/// A key with dots whose column has another name is an element of a composite attribute or an embedded struct:
/// `"address.street": SQLAttribute(.string, column: "address_street")` is reached by the key path `address.street`.
/// [NSP-410]
public struct SQLAttribute: Hashable, Sendable {
    /// The type of the values, and how the column stores them.
    public var type: SQLType
    /// The name of the column; nil if it is the key.
    public var column: String?
    /// A Boolean value that indicates whether the column may hold NULL; `true` by default.
    public var isNullable: Bool
    /// The declared collation of the column, or nil. A collation that does not compare by code points (`BINARY` on
    /// SQLite, `C` on PostgreSQL) is overridden in every comparison.
    public var collation: String?
    /// The name of the column's type in the database, if it matters. For strings it is a type other than the plain one: an
    /// enumeration such as `order_state`, `citext`, or `character(3)`. PostgreSQL needs it to assign a value and to use an
    /// index of the column, and MariaDB needs it for `enum`. For dates it is `date` if they are whole days. For integers and
    /// decimal numbers it is the type that limits them, `smallint`, `int unsigned`, `numeric(10,2)`: sums and products that
    /// cannot exceed a type of the database need no tests. nil by default; SQLite does not limit numbers.
    public var nativeType: String?
    /// The labels of the enumeration that ``nativeType`` names. PostgreSQL needs them to use an index of the column, since a
    /// comparison with any other string would end the statement. Empty by default.
    public var labels: [String]
    /// About how many different values the column has; nil, the default, if that is not known. As ``SQLEntity/rowCount``, it
    /// decides about forms only.
    public var valueCount: Int?
    /// About the least and the greatest value of a column of numbers, or of dates in seconds since 2001; nil, the default, if
    /// they are not known. As ``SQLEntity/rowCount``, they decide about forms only.
    public var valueRange: ClosedRange<Double>?
    /// The affinity of a column of SQLite that may hold values of types other than its own, as any column of a table that is
    /// not `STRICT` may; nil if all values of the column have its type.
    ///
    /// With an affinity, conditions test the storage class of each value and treat it as the evaluator does: a
    /// string in a column of doubles is not greater than any number, and an integer in such a column is converted
    /// to the nearest double. Without an affinity, and in other databases, the declared type is trusted, and the
    /// column must have the affinity of its type.
    package var affinity: SQLiteAffinity?
    /// The folds under which a column of SQLite has an index: `[[.caseInsensitive, .diacriticInsensitive]]` for `[cd]`.
    /// Equality, order and prefixes under these folds use that index, which is an index of
    /// ``SQLFunction/foldCase`` or a related function.
    package var indexedFolds: Set<ComparisonOptions> = []
    /// The folder of the files that hold large data (external storage) of a Core Data store; nil if the column holds all data
    /// itself.
    ///
    /// The first byte of such a column is 1 before the data, or 2 before the name of a file and a zero byte. SQL
    /// compares the column with nil only; other comparisons are left to the residual.
    package var externalFolder: String?
    /// True if the data of a column is decoded for objects, for example to an array from JSON. As with an external folder, SQL
    /// compares the column with nil only.
    package var isDecoded = false

    /// The numbers that ``nativeType`` holds; nil if they are not known.
    var range: NumberRange? {
        guard type == .integer || type == .decimal, let range = nativeType.flatMap(NumberRange.init) else { return nil }
        return type == .decimal || range.fitsInt64 ? range : nil
    }

    /// Creates an attribute. The default column has the name of the key.
    public init(
        _ type: SQLType, column: String? = nil, isNullable: Bool = true, collation: String? = nil,
        nativeType: String? = nil, labels: [String] = []
    ) {
        (self.nativeType, self.labels) = (nativeType, labels)
        self.type = type
        self.column = column
        self.isNullable = isNullable
        self.collation = collation
    }

    /// Creates an attribute with the affinity of its column.
    package init(
        _ type: SQLType, column: String? = nil, isNullable: Bool = true, collation: String? = nil,
        affinity: SQLiteAffinity?, indexedFolds: Set<ComparisonOptions> = []
    ) {
        self.init(type, column: column, isNullable: isNullable, collation: collation)
        self.affinity = affinity
        self.indexedFolds = indexedFolds
    }
}

/// A key that refers to other objects: the entity at its other end, and the columns that hold the references.
///
/// `"phones": .toMany("Phone", inverseColumn: "person_id", deleteRule: .cascade)`
public struct SQLRelationship: Hashable, Sendable {
    /// The columns that hold the references.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Kind: Hashable, Sendable {
        /// `boss`: a column of this table holds the destination's primary key.
        case toOne(column: String)
        /// `phones`: a column of the destination's table holds this object's primary key.
        case toMany(inverseColumn: String)
        /// `tags`: the rows of a join table hold the primary keys of both objects.
        case manyToMany(joinTable: String, sourceColumn: String, targetColumn: String)
    }

    /// The entity at the other end.
    public var destination: String
    /// The columns that hold the references.
    public var kind: Kind
    /// The effect of deleting an object on the objects at the other end.
    public var deleteRule: DeleteRule
    /// The column that orders the objects of a to-many relationship, in the destination's table or in the join table;
    /// nil for an unordered relationship.
    public var orderColumn: String?
    /// The schema of the join table, as ``SQLEntity/schema``; nil by default.
    public var joinSchema: String?

    /// Creates a relationship.
    package init(
        _ destination: String, _ kind: Kind, deleteRule: DeleteRule = .noAction, orderColumn: String? = nil
    ) {
        self.destination = destination
        self.kind = kind
        self.deleteRule = deleteRule
        self.orderColumn = orderColumn
    }

    /// Returns a to-one relationship: a column of this table holds the destination's primary key.
    public static func toOne(
        _ destination: String, column: String, deleteRule: DeleteRule = .noAction
    ) -> SQLRelationship {
        SQLRelationship(destination, .toOne(column: column), deleteRule: deleteRule)
    }

    /// Returns a to-many relationship: a column of the destination's table holds this object's primary key.
    public static func toMany(
        _ destination: String, inverseColumn: String, deleteRule: DeleteRule = .noAction, orderColumn: String? = nil
    ) -> SQLRelationship {
        SQLRelationship(
            destination, .toMany(inverseColumn: inverseColumn), deleteRule: deleteRule, orderColumn: orderColumn)
    }

    /// Returns a many-to-many relationship: the rows of a join table hold the primary keys of both objects.
    public static func manyToMany(
        _ destination: String, joinTable: String, sourceColumn: String, targetColumn: String,
        deleteRule: DeleteRule = .noAction, orderColumn: String? = nil
    ) -> SQLRelationship {
        SQLRelationship(
            destination, .manyToMany(joinTable: joinTable, sourceColumn: sourceColumn, targetColumn: targetColumn),
            deleteRule: deleteRule, orderColumn: orderColumn)
    }

    package var isToMany: Bool {
        switch kind {
        case .toOne: false
        case .toMany, .manyToMany: true
        }
    }

    /// The effect of deleting an object on the objects at the other end of a relationship.
    public enum DeleteRule: String, Hashable, Sendable, CaseIterable {
        /// Only the foreign keys that the database declares take effect.
        case noAction
        /// References to the deleted object are removed: foreign keys become NULL, rows of the join table are deleted.
        case nullify
        /// The related objects are deleted as well, by their own rules.
        case cascade
        /// The deletion is refused while related objects exist, unless they are deleted with the object.
        case deny
    }
}

/// The type of a column.
#if hasAttribute(nonexhaustive)
    @nonexhaustive
#endif
public enum SQLType: Hashable, Sendable {
    /// Integers of up to 64 bits.
    case integer
    /// 64-bit floating-point numbers.
    case double
    /// 32-bit floating-point numbers, `real` or `FLOAT`: each is compared as the double of the same value. [NSP-435]
    case single
    /// Decimal numbers, stored exactly: as TEXT on SQLite.
    case decimal
    /// Boolean values: 0 and 1, or the database's own type.
    case boolean
    /// Strings.
    case string
    /// Strings of a fixed length, `char(n)`, read with the blanks to which the database pads them. [NSP-436]
    case paddedString
    /// Dates, stored as numbers, strings or the database's own type.
    case date(DateStorage)
    /// UUIDs, stored as bytes, strings or the database's own type.
    case uuid(UUIDStorage)
    /// Bytes.
    case data
    /// Arrays of plain values: `text[]`, `["a", "b"]` in JSON. Elements may be nil. [NSP-430]
    ///
    /// In JSON they are strings, integers, doubles or Booleans. A native array may also hold decimals, dates of the
    /// storage ``DateStorage/timestamp``, UUIDs of the storage ``UUIDStorage/blob`` and data.
    indirect case array(SQLType, ArrayStorage)
    /// Values whose type differs from row to row. SQLite compares them with constants by their storage classes; other
    /// databases compare them with nil only, and other comparisons are left to the residual.
    case any
    /// JSON objects, whose members key paths reach: `payload.user.id == 5`, `ANY payload.tags == "new"`. Anything but an object
    /// reads as nil. [NSP-437]
    ///
    /// Databases read members in SQL, except Spark, which leaves them to the residual. The column itself compares with nil
    /// only, and is assigned as a string of JSON.
    case json

    /// `.date(.since2001)`
    public static let date = SQLType.date(.since2001)
    /// `.uuid(.blob)`
    public static let uuid = SQLType.uuid(.blob)

    /// The storage of a date in a column.
    ///
    /// A date is a double, the seconds since 2001; a column may hold fewer distinct dates. A column of type
    /// ``timestamp`` holds microseconds, and its date is `Date(timeIntervalSinceReferenceDate: Double(microseconds) /
    /// 1_000_000)`, where microseconds are counted from 2001. SQL compares with exactly that double: a date between
    /// two microseconds equals no column value.
    ///
    /// `Date(timeIntervalSince1970: 1_709_207_999.999)` is such a date: the double nearest to these seconds since
    /// 1970 is not nearest to the seconds since 2001. Use ``rounded(_:)``:
    ///
    ///     let moment = SQLType.DateStorage.timestamp.rounded(Date(timeIntervalSince1970: 1_709_207_999.999))
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum DateStorage: String, Hashable, Sendable, CaseIterable {
        /// Seconds since 2001-01-01 00:00 UTC, as Core Data stores dates.
        case since2001
        /// Seconds since 1970-01-01 00:00 UTC.
        case since1970
        /// A string such as `2016-03-02T00:00:00Z`.
        case iso8601
        /// The database's own timestamp type: `timestamptz`.
        case timestamp

        /// Returns the date that a column holds after a date was stored in it. Strings and timestamps are rounded to
        /// microseconds.
        public func rounded(_ date: Date) -> Date {
            switch self {
            case .since2001: date
            case .since1970: Date(timeIntervalSince1970: date.timeIntervalSince1970)
            case .iso8601, .timestamp: Microseconds.nearest(to: date).map(Microseconds.date) ?? date
            }
        }
    }

    /// The storage of an array in a column.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum ArrayStorage: String, Hashable, Sendable, CaseIterable {
        /// The database's own array type: `text[]`, `BIGINT[]`, `ARRAY<STRING>`.
        case native
        /// A JSON array, as a string or in the database's own JSON type. Anything but an array reads as nil, and so does an
        /// element of another type than the declared one.
        case json
    }

    /// The storage of a UUID in a column.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum UUIDStorage: String, Hashable, Sendable, CaseIterable {
        /// Sixteen bytes, or the database's own type.
        case blob
        /// A string in upper case with hyphens.
        case text
        /// A string in lower case with hyphens.
        case lowercaseText

        /// Returns the string of a UUID in a column of strings.
        package func text(of uuid: UUID) -> String {
            switch self {
            case .text, .blob: uuid.uuidString
            case .lowercaseText: uuid.uuidString.lowercased()
            }
        }

        /// Returns the UUID of a string that is spelled as the column spells UUIDs; nil for any other string.
        package func uuid(_ text: String) -> UUID? {
            guard self != .blob, let uuid = UUID(uuidString: text) else { return nil }
            return self.text(of: uuid).hasSameCodePoints(as: text) ? uuid : nil
        }
    }
}

// MARK: - Affinity

/// The affinity of a SQLite column, which decides how SQLite converts values that are stored in the column or
/// compared with it.
///
/// A column of any affinity may hold values of other types: `'abc'` in an INTEGER column stays a string.
package enum SQLiteAffinity: String, Hashable, Sendable, CaseIterable {
    /// `INTEGER`: a whole number is stored as an integer, and a numeric string as a number.
    case integer
    /// `REAL`: like ``numeric``, but an integer is stored as a floating-point number.
    case real
    /// `NUMERIC`, and declared types that SQLite does not know: `DECIMAL(10, 2)`, `DATETIME`, `STRING`.
    case numeric
    /// `TEXT`: a number is stored as a string.
    case text
    /// `BLOB`, and columns without a declared type: nothing is converted.
    case blob
    /// An expression whose affinity is not known, such as the column of a view over several queries.
    case unknown

    /// Creates the affinity of a declared type, by applying SQLite's five rules in order.
    ///
    /// `SQLiteAffinity(declaredType: "VARCHAR(20)")` is ``text``.
    package init(declaredType: String) {
        let name = declaredType.uppercased()
        let hasAny = { (words: [String]) in words.contains { name.contains($0) } }
        if hasAny(["INT"]) {
            self = .integer
        } else if hasAny(["CHAR", "CLOB", "TEXT"]) {
            self = .text
        } else if hasAny(["BLOB"]) || name.isEmpty {
            self = .blob
        } else {
            self = hasAny(["REAL", "FLOA", "DOUB"]) ? .real : .numeric
        }
    }

    /// True if a string that is compared with the column is not converted to a number.
    var keepsTexts: Bool {
        switch self {
        case .text, .blob, .unknown: true
        case .integer, .real, .numeric: false
        }
    }

    /// The storage classes that a column of this affinity may hold.
    var storages: [SQLPiece.Storage] {
        switch self {
        case .integer, .numeric, .blob, .unknown: [.integer, .double, .text, .data]
        case .real: [.double, .text, .data]
        case .text: [.text, .data]
        }
    }
}

// MARK: - Inheritance

/// A condition that selects the rows of one entity in a table that several entities of a hierarchy share
/// (single-table inheritance).
///
/// `SQLDiscriminator(column: "Z_ENT", value: 4, descendants: [5, 6])`: `t0."Z_ENT" IN (4, 5, 6)`
///
/// Statements about the objects of the entity select these rows. A relationship refers to objects of its destination
/// only, so that joins do not need the condition. An inserted object gets the value. Two objects of entities that
/// share a table are the same object if their primary keys are equal.
package struct SQLDiscriminator: Hashable, Sendable {
    /// The name of an integer column.
    package var column: String
    /// The value in the entity's own rows; nil for an abstract entity, of which no object can be inserted.
    package var value: Int64?
    /// The values of all subentities.
    package var descendants: [Int64]

    /// Creates a condition for the rows of an entity and its subentities.
    package init(column: String, value: Int64?, descendants: [Int64] = []) {
        self.column = column
        self.value = value
        self.descendants = descendants
    }

    /// All values, in order.
    package var values: [Int64] { (descendants + [value].compactMap(\.self)).sorted() }
}

extension SQLSchema {
    /// Returns the subentities of an entity, ordered by the values of their rows.
    func subentities(of entity: SQLEntity) -> [SQLEntity] {
        entities.values.filter { $0.isSubentity(of: entity) }.sorted {
            $0.rowValues.lexicographicallyPrecedes($1.rowValues)
        }
    }

    /// Returns the names of the subentities that declare a key which the entity lacks, but not of subentities that inherit it.
    func subentities(of entity: SQLEntity, having key: String) -> [String] {
        let owners = subentities(of: entity).filter { $0.keyNames.contains { $0.hasSameCodePoints(as: key) } }
        return owners.filter { owner in !owners.contains { owner.isSubentity(of: $0) } }.map(\.name)
    }
}

extension SQLEntity {
    /// The keys of its attributes and relationships.
    var keyNames: [String] {
        Array(attributes.keys) + Array(relationships.keys) + (primaryKeyAttribute == nil ? [] : [primaryKey])
    }

    /// The values of the discriminator in its rows.
    fileprivate var rowValues: [Int64] { discriminator?.values ?? [] }

    /// Returns true if the entity's rows are a subset of another entity's rows.
    fileprivate func isSubentity(of other: SQLEntity) -> Bool {
        guard tableName == other.tableName, let discriminator, !name.hasSameCodePoints(as: other.name) else {
            return false
        }
        guard let descendants = other.discriminator?.descendants else { return true }
        return discriminator.values.allSatisfy(descendants.contains)
    }

    /// Returns true if an object of this entity may be an object of the other: they are the same entity, or share a
    /// table.
    package func sharesObjects(with other: SQLEntity) -> Bool {
        if name.hasSameCodePoints(as: other.name) { return true }
        return tableName == other.tableName && (discriminator != nil || other.discriminator != nil)
    }
}
