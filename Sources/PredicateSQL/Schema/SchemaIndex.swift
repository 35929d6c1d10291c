import PredicateSyntax

/// A schema as a compiler reads it: names are quoted once, keys found at once.
final class SchemaIndex: Sendable {
    let schema: SQLSchema
    private let entities: KeyIndex<EntityReference>

    init(_ schema: SQLSchema, _ dialect: any SQLDialect) {
        self.schema = schema
        entities = KeyIndex(schema.entities.map { ($0, EntityReference($1, dialect)) })
    }

    /// An entity by its name; nil where the schema has none.
    func entity(_ name: String) -> EntityReference? { entities[name] }
}

/// An entity that is passed around without copies.
final class EntityReference: Sendable {
    let entity: SQLEntity
    let table: QuotedName
    let primaryKey: ColumnReference
    let primaryKeyKind: ValueKind
    /// `SELECT t0."id" FROM "person" AS t0`; nil where the database cannot hold the names.
    let opening: [UInt8]?
    private let properties: KeyIndex<PropertyReference>
    private let plainAttributes: KeyIndex<AttributeReference>

    init(_ entity: SQLEntity, _ dialect: any SQLDialect) {
        self.entity = entity
        table = QuotedName(entity.table, dialect)
        let primaryKey = ColumnReference(entity.primaryKey, collation: nil, dialect)
        self.primaryKey = primaryKey
        primaryKeyKind = ValueKind(entity.primaryKeyType)
        opening = Self.opening(table, primaryKey)
        let relationships = entity.relationships.map { key, relationship in
            (key, PropertyReference(relationship, dialect))
        }
        let attributes = entity.attributes.map { key, attribute in
            (key, AttributeReference(attribute, key, of: entity, dialect))
        }
        properties = KeyIndex(relationships + attributes.map { ($0.0, .attribute($0.1)) })
        plainAttributes = KeyIndex(attributes.filter { Self.isPlain($0.0) })
    }

    /// Whether a key means nothing else in a path.
    private static func isPlain(_ key: String) -> Bool { key != "self" && key.utf8.first != UInt8(ascii: "@") }

    private static func opening(_ table: QuotedName, _ primaryKey: ColumnReference) -> [UInt8]? {
        guard let table = table.quoted, let primaryKey = primaryKey.rootName else { return nil }
        return Array("SELECT ".utf8) + primaryKey + Array(" FROM ".utf8) + table + Array(" AS t0".utf8)
    }

    /// What a key holds; nil where the entity has no such key.
    func property(_ key: String) -> PropertyReference? { properties[key] }

    /// An attribute by a key that means nothing else in a path.
    func plainAttribute(_ key: String) -> AttributeReference? { plainAttributes[key] }

    /// A relationship by such a key.
    func plainRelationship(_ key: String) -> PropertyReference? {
        guard let property = properties[key], !property.isAttribute, Self.isPlain(key) else { return nil }
        return property
    }
}

/// What a key of an entity holds, with the names that lead to it.
enum PropertyReference: Sendable {
    case attribute(AttributeReference)
    case toOne(String, ColumnReference)
    case toMany(String, inverse: ColumnReference)
    case manyToMany(String, table: QuotedName, source: ColumnReference, target: ColumnReference)

    var isAttribute: Bool {
        if case .attribute = self { true } else { false }
    }

    /// The entity at the other end of a to-many relationship; nil of all else.
    var toManyDestination: String? {
        switch self {
        case .attribute, .toOne: nil
        case .toMany(let name, _), .manyToMany(let name, _, _, _): name
        }
    }

    fileprivate init(_ relationship: SQLRelationship, _ dialect: any SQLDialect) {
        switch relationship {
        case .toOne(let name, let column): self = .toOne(name, ColumnReference(column, collation: nil, dialect))
        case .toMany(let name, let inverse):
            self = .toMany(name, inverse: ColumnReference(inverse, collation: nil, dialect))
        case .manyToMany(let name, let table, let source, let target):
            self = .manyToMany(
                name, table: QuotedName(table, dialect), source: ColumnReference(source, collation: nil, dialect),
                target: ColumnReference(target, collation: nil, dialect))
        }
    }
}

/// An attribute with its column.
final class AttributeReference: Sendable {
    let type: SQLType
    let kind: ValueKind
    let column: ColumnReference
    let isNullable: Bool
    /// Whether it is the primary key under another name.
    let isPrimaryKey: Bool

    fileprivate init(_ attribute: SQLAttribute, _ key: String, of entity: SQLEntity, _ dialect: any SQLDialect) {
        type = attribute.type
        kind = ValueKind(attribute.type)
        column = ColumnReference(attribute.column ?? key, collation: attribute.collation, dialect)
        isNullable = attribute.isNullable
        isPrimaryKey = column.name.text.hasSameCodePoints(as: entity.primaryKey)
    }
}

/// A column, and how a text of it is compared.
final class ColumnReference: Sendable {
    let name: QuotedName
    /// `t0."age"`; nil for a name that the database cannot hold.
    let rootName: [UInt8]?
    let comparable: (ordered: SQLTemplate?, unordered: SQLTemplate?)

    fileprivate init(_ name: String, collation: String?, _ dialect: any SQLDialect) {
        let name = QuotedName(name, dialect)
        self.name = name
        rootName = name.quoted.map { Array("t0.".utf8) + $0 }
        let (text, origin) = (SQLText(hole: 0), SQLTextOrigin.column(collation: collation))
        comparable = (
            dialect.comparable(text, origin, ordered: true).map(SQLTemplate.init),
            dialect.comparable(text, origin, ordered: false).map(SQLTemplate.init)
        )
    }
}

/// A name, and the bytes of it in its quotes; nil for one that the database cannot hold.
final class QuotedName: Sendable {
    let text: String
    let quoted: [UInt8]?

    fileprivate init(_ text: String, _ dialect: any SQLDialect) {
        self.text = text
        quoted = dialect.quoted(text).map { Array($0.utf8) }
    }

    /// Whether it names the same.
    func isSame(as other: QuotedName) -> Bool { self === other || text.hasSameCodePoints(as: other.text) }
}
