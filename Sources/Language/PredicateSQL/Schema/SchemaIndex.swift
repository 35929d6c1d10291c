import PredicateSyntax
import PredicateText

/// The compiler's index of a schema: entities with quoted names, by name.
final class SchemaIndex: Sendable {
    let schema: SQLSchema
    private let entities: [ExactName: EntityReference]

    init(_ schema: SQLSchema, _ dialect: CompilerDialect) {
        self.schema = schema
        entities = Dictionary(
            uniqueKeysWithValues: schema.entities.map { (ExactName($0), EntityReference($1, dialect.base)) })
    }

    /// Returns the entity of a name; nil for an unknown name.
    func entity(_ name: String) -> EntityReference? { entities[ExactName(name)] }
}

/// An entity as a reference, so that passing it on copies nothing.
final class EntityReference: Sendable {
    let entity: SQLEntity
    let table: QuotedName
    let primaryKey: ColumnReference
    let primaryKeyKind: ValueKind
    /// The columns that identify a row in a change: the primary key, unless rows are numbered.
    let keys: [ColumnReference]
    /// The columns that a statement selects for a row: the columns that identify it, or its number. A SQLite store identifies
    /// rows without a key by their numbers.
    let selectedKeys: [ColumnReference]
    /// The column and the values that distinguish the entity's rows in a shared table.
    let discriminator: (column: ColumnReference, values: [Int64])?
    /// True if some attributes are elements of a composite attribute: ``SQLEntity/isComposite(_:)``.
    let hasElements: Bool
    private let properties: [ExactName: PropertyReference]

    init(_ entity: SQLEntity, _ dialect: any SQLDialect) {
        self.entity = entity
        table = QuotedName(entity.tableName, of: entity, dialect)
        hasElements = entity.attributes.keys.contains { $0.utf8.contains(UInt8(ascii: ".")) }
        primaryKey = ColumnReference(
            entity.primaryKey, collation: nil, isNumber: entity.numbersRows, dialect)
        primaryKeyKind = ValueKind(entity.primaryKeyType)
        keys =
            entity.numbersRows
            ? entity.keyColumns.map { ColumnReference($0, collation: nil, dialect) } : [primaryKey]
        selectedKeys = keys.isEmpty || dialect.features.contains(.storageClasses) ? [primaryKey] : keys
        discriminator = entity.discriminator.map {
            (ColumnReference($0.column, collation: nil, dialect), $0.values)
        }
        var properties: [ExactName: PropertyReference] = [:]
        for (key, relationship) in entity.relationships {
            properties[ExactName(key)] = PropertyReference(relationship, dialect)
        }
        var attributes = entity.attributes
        if let own = entity.primaryKeyAttribute { attributes[entity.primaryKey] = own }
        for (key, attribute) in attributes {
            properties[ExactName(key)] = .attribute(AttributeReference(attribute, key, of: entity, dialect))
        }
        self.properties = properties
    }

    /// Returns the property of a key; nil for an unknown key.
    func property(_ key: String) -> PropertyReference? { properties[ExactName(key)] }
}

/// The property of a key, with the quoted names of its columns and tables.
enum PropertyReference: Sendable {
    case attribute(AttributeReference)
    case toOne(String, ColumnReference)
    case toMany(String, inverse: ColumnReference)
    case manyToMany(String, table: QuotedName, source: ColumnReference, target: ColumnReference)

    var isAttribute: Bool {
        if case .attribute = self { true } else { false }
    }

    /// The entity at the other end of a to-many relationship; nil for other keys.
    var toManyDestination: String? {
        switch self {
        case .attribute, .toOne: nil
        case .toMany(let name, _), .manyToMany(let name, _, _, _): name
        }
    }

    fileprivate init(_ relationship: SQLRelationship, _ dialect: any SQLDialect) {
        let name = relationship.destination
        switch relationship.kind {
        case .toOne(let column): self = .toOne(name, ColumnReference(column, collation: nil, dialect))
        case .toMany(let inverse):
            self = .toMany(name, inverse: ColumnReference(inverse, collation: nil, dialect))
        case .manyToMany(let table, let source, let target):
            self = .manyToMany(
                name, table: QuotedName(TableName(table, in: relationship.joinSchema), dialect),
                source: ColumnReference(source, collation: nil, dialect),
                target: ColumnReference(target, collation: nil, dialect))
        }
    }
}

/// An attribute and its column.
final class AttributeReference: Sendable {
    let type: SQLType
    let kind: ValueKind
    let column: ColumnReference
    /// The column in comparisons with strings, written so that SQLite does not convert the strings to numbers.
    let textColumn: ColumnReference
    let isNullable: Bool
    /// The affinity of a column whose values may have types other than its own, so that conditions test storage classes; nil
    /// for a trusted column.
    let guardedAffinity: SQLiteAffinity?
    /// The conversion of the column's values to values of its kind; nil for a column that is used as it is.
    let conversion: SQLPiece.Cast?
    /// The elements of an array; nil for a single value.
    let array: ArrayReference?
    /// True if the attribute is the primary key under another name.
    let isPrimaryKey: Bool

    fileprivate init(_ attribute: SQLAttribute, _ key: String, of entity: SQLEntity, _ dialect: any SQLDialect) {
        type = attribute.type
        let isExternal = attribute.externalFolder != nil || attribute.isDecoded
        kind = isExternal ? .any : ValueKind(attribute.type)
        let isUnknown = attribute.affinity == nil && attribute.type == .any
        let affinity = isUnknown ? .unknown : attribute.affinity
        // With external storage the column does not hold the data, so its storage class says nothing about the value.
        guardedAffinity = dialect.features.contains(.storageClasses) && !isExternal ? affinity : nil
        let name = attribute.column ?? key
        column = ColumnReference(
            name, collation: attribute.collation, hasSign: guardedAffinity == .unknown,
            isNumber: entity.numbersRows && name.hasSameCodePoints(as: entity.primaryKey),
            of: attribute, dialect)
        conversion = SQLPiece.Cast(reading: attribute.type, dialect)
        array = ArrayReference(attribute, dialect)
        let keepsTexts = guardedAffinity?.keepsTexts ?? true
        textColumn =
            keepsTexts ? column : ColumnReference(name, collation: attribute.collation, hasSign: true, dialect)
        isPrimaryKey = column.name.text.hasSameCodePoints(as: entity.primaryKey)
        // SQLite allows NULL in a primary key that is not the rowid. A schema with affinities takes that into
        // account.
        isNullable = attribute.isNullable && (!isPrimaryKey || guardedAffinity != nil)
    }
}

/// The elements of an array of plain values, as rows with one column.
final class ArrayReference: Sendable {
    let storage: SQLType.ArrayStorage
    let kind: ValueKind
    /// `t1."value"`
    let value: ColumnReference
    /// The conversion of an element to a value of its kind; nil for one that is used as it is.
    let conversion: SQLPiece.Cast?
    /// `unnest(t0."tags") AS t1(value)`, with the array and the alias as operands; nil if the database cannot read
    /// the elements.
    let rows: SQLTemplate?
    /// `t0."tags" @> ARRAY[$1]`, with the array and the element as operands; nil if no index serves such a test.
    let containment: SQLTemplate?

    fileprivate init?(_ attribute: SQLAttribute, _ dialect: any SQLDialect) {
        guard case .array(let element, let storage) = attribute.type else { return nil }
        self.storage = storage
        kind = ValueKind(element)
        value = ColumnReference("value", collation: storage == .native ? attribute.collation : nil, dialect)
        let cast = storage == .json ? element.castFromJSON : SQLPiece.Cast(reading: element, dialect)
        conversion = cast.flatMap { $0.changes(dialect) ? $0 : nil }
        let (first, second) = (SQLText(operand: 0), SQLText(operand: 1))
        let isKnown = element == .string || element == .integer
        containment = isKnown ? dialect.template(of: .mayContain(array: first, second, element, storage)) : nil
        let isReadable = storage == .native || cast.flatMap { dialect.text(of: .cast(first, $0)) } != nil
        rows = isReadable ? dialect.template(of: .elements(of: first, element, storage, as: second)) : nil
    }

    /// The elements of arrays in JSON objects, which may be any values.
    fileprivate init(ofMembersFor dialect: any SQLDialect) {
        (storage, kind, conversion, containment) = (.json, .any, nil, nil)
        value = ColumnReference("value", collation: nil, dialect)
        rows = dialect.template(of: .elements(of: SQLText(operand: 0), .json, .json, as: SQLText(operand: 1)))
    }
}

/// A database's own type of strings: `order_state`, `citext`, `character(3)`.
struct NativeStrings: Sendable {
    let type: String
    private let labels: [String]
    /// The number of characters to which the database pads values; nil if it is unknown.
    private let length: Int?

    /// Returns nil for a column of plain strings.
    fileprivate init?(_ attribute: SQLAttribute) {
        let isPadded = attribute.type == .paddedString
        guard isPadded || attribute.type == .string, let type = isPadded ? "bpchar" : attribute.nativeType else {
            return nil
        }
        (self.type, labels) = (type, attribute.labels)
        let digits = isPadded ? attribute.nativeType?.filter { $0.isNumber } : nil
        length = attribute.collation == nil ? digits.flatMap { Int($0) } : nil
    }

    var isKnown: Bool { length != nil || !labels.isEmpty }

    /// Returns true if equality with a string is the same in the type as for plain strings: if the string is a label, or as
    /// long as padded values.
    func hasOwnEquality(_ text: String) -> Bool {
        length == text.unicodeScalars.count || labels.contains { $0.hasSameCodePoints(as: text) }
    }
}

extension SQLPiece.Cast {
    /// The conversion with which columns of a type are read; nil for a column that is used as it is.
    fileprivate init?(reading type: SQLType, _ dialect: any SQLDialect) {
        switch type {
        case .single: self = .singleToDouble
        case .paddedString: self = .paddedToText
        case .integer, .double, .decimal, .boolean, .string, .date, .uuid, .data, .array, .any, .json: return nil
        }
        if !changes(dialect) { return nil }
    }

    /// False if the dialect writes the operand itself.
    fileprivate func changes(_ dialect: any SQLDialect) -> Bool {
        dialect.template(of: .cast(SQLText(operand: 0), self))?.isOperandItself != true
    }
}

extension SQLType {
    /// The conversion of a value of JSON; nil for a type that JSON does not have.
    fileprivate var castFromJSON: SQLPiece.Cast? {
        switch self {
        case .string: .jsonToText
        case .integer: .jsonToInteger
        case .double: .jsonToDouble
        case .boolean: .jsonToBoolean
        case .single, .decimal, .paddedString, .date, .uuid, .data, .array, .any, .json: nil
        }
    }
}

/// A column, with the templates that compare its strings.
final class ColumnReference: Sendable {
    let name: QuotedName
    /// True for a column that is written with a unary plus, `+t1."age"`, which removes its affinity and keeps its
    /// collation.
    let hasSign: Bool
    /// True for the number of a row without a key, which is a column of a subquery only.
    let isNumber: Bool
    /// True for a column of Booleans: each value occurs in many rows.
    let isBoolean: Bool
    /// The members of JSON objects that are arrays, as rows of elements; nil for a column of another type.
    let elements: ArrayReference?
    /// The numbers that its type holds; nil if they are not known.
    let range: NumberRange?
    /// About how many different values it has; nil if that is not known.
    let valueCount: Double?
    /// About the least and the greatest of its numbers or dates; nil if they are not known.
    let valueRange: ClosedRange<Double>?
    /// True for a column of the type `date`, whose values are whole days.
    let holdsDays: Bool
    /// `t0."age"`; nil for a name that the database cannot quote.
    let rootName: [UInt8]?
    /// ``rootName`` as a string.
    var rootText: String { String(decoding: rootName ?? [], as: UTF8.self) }
    let comparable: (ordered: SQLTemplate?, unordered: SQLTemplate?)
    /// The declared collation; nil without one.
    let collation: String?
    /// `t0."email" = ANY (ARRAY[$1]::"citext"[])`, with the column and a list of strings as operands, or a list that is one
    /// JSON parameter; nil if an index serves the exact test.
    let mayEqual: (list: SQLTemplate?, json: SQLTemplate?)
    /// `$1::"order_state"`; nil if the database converts an assigned value itself.
    let assigned: SQLTemplate?
    /// The database's own type of the column's strings; nil for plain strings.
    private let native: NativeStrings?
    private let indexedFolds: Set<FoldMode>

    init(
        _ name: String, collation: String?, hasSign: Bool = false, isNumber: Bool = false,
        of attribute: SQLAttribute? = nil, _ dialect: any SQLDialect
    ) {
        let name = QuotedName(name, dialect)
        self.name = name
        (self.hasSign, self.isNumber) = (hasSign, isNumber)
        isBoolean = attribute?.type == .boolean
        elements = attribute?.type == .json ? ArrayReference(ofMembersFor: dialect) : nil
        holdsDays = attribute?.type == .date(.timestamp) && attribute?.nativeType?.lowercased() == "date"
        self.collation = collation
        range = dialect.features.contains(.storageClasses) ? nil : attribute?.range
        valueCount = isBoolean ? 2 : attribute?.valueCount.map { Double(max($0, 1)) }
        valueRange = attribute?.boundRange
        indexedFolds = Set(attribute?.indexedFolds.map(\.foldMode) ?? [])
        rootName = name.quoted.map { Array((hasSign ? "+t0." : "t0.").utf8) + $0 }
        let text = SQLText(operand: 0)
        let origin = SQLPiece.TextOrigin.column(collation: collation)
        comparable = (
            dialect.template(of: .comparable(text, origin, ordered: true)),
            dialect.template(of: .comparable(text, origin, ordered: false))
        )
        let native = attribute.flatMap(NativeStrings.init)
        func mayEqual(isJSON: Bool) -> SQLTemplate? {
            native.flatMap {
                dialect.template(of: .mayEqual(text, anyOf: SQLText(operand: 1), isJSON: isJSON, type: $0.type))
            }
        }
        self.mayEqual = (mayEqual(isJSON: false), mayEqual(isJSON: true))
        assigned = native.flatMap { dialect.template(of: .assigned(text, type: $0.type)) }
        self.native = native
    }
}

extension SQLAttribute {
    /// The least and the greatest value as they are bound: dates of the storage `since1970` count from 1970.
    fileprivate var boundRange: ClosedRange<Double>? {
        let offset = type == .date(.since1970) ? Resolver.epoch : 0
        return finiteRange.map { ($0.lowerBound + offset)...($0.upperBound + offset) }
    }
}

extension ColumnReference {
    /// True if the column's own equality is known to be that of strings for some of them: `t0."state" = $1::"order_state"`
    var hasOwnEquality: Bool { assigned != nil && native?.isKnown == true }

    /// Returns true if the column's own equality with each string is that of strings.
    func hasOwnEquality(_ texts: [String]) -> Bool {
        hasOwnEquality && texts.allSatisfy { native?.hasOwnEquality($0) == true }
    }

    /// True if the column is known to have an index of many values, of its own or under a fold: SQLite and MariaDB count the
    /// values of columns with an index only.
    var hasIndex: Bool { valueCount != nil && !isBoolean || !indexedFolds.isEmpty }

    /// Returns true if the column has an index under a fold.
    func hasIndex(of fold: FoldMode) -> Bool { !indexedFolds.isEmpty && indexedFolds.contains(fold) }
}

/// An identifier and its quoted form; nil if the database cannot quote it.
final class QuotedName: Sendable {
    let text: String
    /// The schema of a table; nil for the default one, and for other names.
    let schema: String?
    let quoted: [UInt8]?
    /// About how many rows a table has; nil for other names, and if that is not known.
    let rowCount: Double?
    /// The rows of the table with their numbers, and the name of the number, which is the key of rows that have none; nil for
    /// other tables.
    let numbered: (rows: [UInt8], number: String)?

    fileprivate init(_ text: String, _ dialect: any SQLDialect) {
        (self.text, schema, numbered, rowCount) = (text, nil, nil, nil)
        quoted = dialect.quoted(text).map { Array($0.utf8) }
    }

    /// The table of an entity, whose rows may be numbered, or a join table.
    fileprivate init(_ table: TableName, of entity: SQLEntity? = nil, _ dialect: any SQLDialect) {
        (text, schema, rowCount) = (table.table, table.schema, entity?.rowCount.map { Double(max($0, 1)) })
        quoted = table.quoted.utf8(dialect)
        let rows = entity?.numbersRows == true ? entity?.rows.utf8(dialect) : nil
        numbered = rows.map { ($0, entity?.primaryKey ?? "") }
    }

    /// The name as one of a table.
    var table: TableName { TableName(text, in: schema) }

    /// Returns true for the name of the same table.
    func isSame(as other: QuotedName) -> Bool {
        text.hasSameCodePoints(as: other.text) && (schema ?? "").hasSameCodePoints(as: other.schema ?? "")
    }
}
