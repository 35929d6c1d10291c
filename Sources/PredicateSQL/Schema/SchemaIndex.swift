import PredicateSyntax
import PredicateText

/// A schema as a compiler reads it: with quoted names and hash tables of keys.
final class SchemaIndex: Sendable {
    let schema: SQLSchema
    private let numbers: NameTable
    private let entities: [EntityReference]

    init(_ schema: SQLSchema, _ dialect: CompilerDialect) {
        let arena = Arena()
        self.schema = schema
        entities = schema.entities.values.map { EntityReference($0, dialect.base, arena) }
        numbers = NameTable(Array(schema.entities.keys), arena)
    }

    /// The number of an entity; nil for a name that the schema does not have.
    @inline(__always)
    func number(of name: String) -> Int? { numbers.number(of: name) }

    subscript(_ number: Int) -> EntityReference { entities[number] }

    /// An entity by its name; nil for a name that the schema does not have.
    func entity(_ name: String) -> EntityReference? { number(of: name).map { entities[$0] } }
}

/// An entity that is passed around without copies.
final class EntityReference: Sendable {
    let entity: SQLEntity
    let table: QuotedName
    /// The table as a statement reads it.
    let rows: QuotedName
    let primaryKey: ColumnReference
    let primaryKeyKind: ValueKind
    /// The column that tells the rows of entities in one table apart, and the values of this one.
    let discriminator: (column: ColumnReference, values: [Int64])?
    /// True if some attributes are elements of composite ones: ``SQLEntity/isComposite(_:)``.
    let hasElements: Bool
    private let arena: Arena
    private let properties: KeyIndex<PropertyReference>

    init(_ entity: SQLEntity, _ dialect: any SQLDialect, _ arena: Arena) {
        self.entity = entity
        self.arena = arena
        let table = QuotedName(entity.table, dialect)
        self.table = table
        hasElements = entity.attributes.keys.contains { $0.utf8.contains(UInt8(ascii: ".")) }
        rows = entity.numbersRows ? QuotedName(numberingRowsOf: entity, dialect) : table
        primaryKey = ColumnReference(entity.primaryKey, collation: nil, dialect)
        primaryKeyKind = ValueKind(entity.primaryKeyType)
        discriminator = entity.discriminator.map {
            (ColumnReference($0.column, collation: nil, dialect), $0.values)
        }
        let relationships = entity.relationships.map { key, relationship in
            (key, PropertyReference(relationship, dialect))
        }
        let attributes = entity.attributes.map { key, attribute in
            (key, PropertyReference.attribute(AttributeReference(attribute, key, of: entity, dialect)))
        }
        properties = KeyIndex(relationships + attributes, arena)
    }

    /// A column that is no key of the schema.
    func column(_ name: String, _ dialect: any SQLDialect) -> ColumnReference {
        ColumnReference(name, collation: nil, dialect)
    }

    /// The property of a key; nil if the entity has no such key.
    func property(_ key: String) -> PropertyReference? { properties[key] }
}

/// A key of an entity with the quoted names of its columns and tables.
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
    /// The column beside texts, which keep what they are.
    let textColumn: ColumnReference
    let isNullable: Bool
    /// The affinity of a column whose values are told by their kinds row by row; nil for one that is trusted.
    let guardedAffinity: SQLAffinity?
    /// True for the primary key under another name.
    let isPrimaryKey: Bool

    fileprivate init(_ attribute: SQLAttribute, _ key: String, of entity: SQLEntity, _ dialect: any SQLDialect) {
        type = attribute.type
        kind = attribute.externalFolder == nil ? ValueKind(attribute.type) : .any
        let isUnknown = attribute.affinity == nil && attribute.type == .any
        let affinity = isUnknown ? .unknown : attribute.affinity
        // What is kept in a file of its own is not what the column says.
        let isTold = dialect.features.contains(.storageClasses) && attribute.externalFolder == nil
        guardedAffinity = isTold ? affinity : nil
        let name = attribute.column ?? key
        column = ColumnReference(
            name, collation: attribute.collation, hasSign: guardedAffinity == .unknown,
            indexedFolds: attribute.indexedFolds, dialect)
        let keepsTexts = guardedAffinity?.keepsTexts ?? true
        textColumn =
            keepsTexts ? column : ColumnReference(name, collation: attribute.collation, hasSign: true, dialect)
        isPrimaryKey = column.name.text.hasSameCodePoints(as: entity.primaryKey)
        // SQLite takes NULL for a key that is no rowid, which a schema with affinities knows.
        isNullable = attribute.isNullable && (!isPrimaryKey || guardedAffinity != nil)
    }
}

/// A column, with the templates that compare its texts.
final class ColumnReference: Sendable {
    let name: QuotedName
    /// True for a column that is written with a sign, `+t1."age"`, which takes away the affinity and leaves the collation.
    let hasSign: Bool
    /// `t0."age"`; nil for a name that the database cannot hold.
    let rootName: [UInt8]?
    /// ``rootName`` as a string.
    var rootText: String { String(decoding: rootName ?? [], as: UTF8.self) }
    let comparable: (ordered: SQLTemplate?, unordered: SQLTemplate?)
    private let indexedFolds: Set<FoldMode>

    fileprivate init(
        _ name: String, collation: String?, hasSign: Bool = false, indexedFolds: Set<ComparisonOptions> = [],
        _ dialect: any SQLDialect
    ) {
        let name = QuotedName(name, dialect)
        self.name = name
        self.hasSign = hasSign
        self.indexedFolds = Set(indexedFolds.map(\.foldMode))
        rootName = name.quoted.map { Array((hasSign ? "+t0." : "t0.").utf8) + $0 }
        let text = SQLText(operand: 0)
        let origin = SQLPiece.TextOrigin.column(collation: collation)
        comparable = (
            dialect.text(of: .comparable(text, origin, ordered: true)).map(SQLTemplate.init),
            dialect.text(of: .comparable(text, origin, ordered: false)).map(SQLTemplate.init)
        )
    }
}

extension ColumnReference {
    /// True if an index has the column as it is folded.
    func hasIndex(of fold: FoldMode) -> Bool { !indexedFolds.isEmpty && indexedFolds.contains(fold) }
}

/// A name, and the bytes of it in its quotes; nil for one that the database cannot hold.
final class QuotedName: Sendable {
    let text: String
    let quoted: [UInt8]?

    fileprivate init(_ text: String, _ dialect: any SQLDialect) {
        self.text = text
        quoted = dialect.quoted(text).map { Array($0.utf8) }
    }

    /// The rows of a table without a primary key, with their numbers.
    fileprivate init(numberingRowsOf entity: SQLEntity, _ dialect: any SQLDialect) {
        text = entity.table
        guard let table = dialect.quoted(entity.table), let key = dialect.quoted(entity.primaryKey) else {
            quoted = nil
            return
        }
        quoted = Array(entity.rows(table: table, key: key).utf8)
    }
}
