/// A schema as plain predicates are written with it: read by pointer, since counting references would take longer than
/// the writing.
final class PlainSchema: @unchecked Sendable {
    private let arena: Arena
    private let entities: UnsafePointer<PlainEntity>

    /// The entities in the order of their numbers.
    init(_ entities: [EntityReference], _ numbers: NameTable, _ templates: DialectTemplates, _ arena: Arena) {
        self.arena = arena
        var builder = PlainSchemaBuilder(numbers, templates, arena)
        let places = arena.keep(entities.map { builder.names($0) })
        self.entities = UnsafePointer(places)
        for (number, entity) in entities.enumerated() {
            places[number].properties = builder.properties(entity, among: self.entities)
        }
    }

    /// An entity by its number.
    func entity(_ number: Int) -> UnsafePointer<PlainEntity> { entities + number }
}

/// An entity with the texts that are written of it; nil where the database cannot hold the names.
struct PlainEntity {
    /// `SELECT t0."id" FROM "person" AS t0`
    let opening: KeptText?
    /// `"person"`
    let table: KeptText?
    /// Tells tables apart.
    let tableNumber: Int
    let primaryKey: AliasedText?
    let primaryKeyKind: ValueKind
    var properties = PlainProperties()
}

/// What keys hold that mean nothing else in a path.
struct PlainProperties {
    private var keys: NameTable?
    private var places: UnsafePointer<PlainProperty?>?

    init() {}

    init(_ properties: [(key: String, property: PlainProperty?)], _ arena: Arena) {
        keys = NameTable(properties.map(\.key), arena)
        places = UnsafePointer(arena.keep(properties.map(\.property)))
    }

    /// Nil where there is no such key, and where it holds what the database has no names for.
    @inline(__always)
    subscript(_ key: String) -> PlainProperty? {
        guard let keys, let places, let number = keys.number(of: key) else { return nil }
        return places[number]
    }
}

/// What a key of an entity holds.
enum PlainProperty {
    case attribute(UnsafePointer<PlainAttribute>)
    case toOne(UnsafePointer<PlainEntity>, UnsafePointer<PlainColumnText>)
    case toMany(UnsafePointer<PlainEntity>, UnsafePointer<PlainPairing>)
}

/// An attribute with its column.
struct PlainAttribute {
    let column: UnsafePointer<PlainColumnText>
    let kind: ValueKind
    let isNullable: Bool
    /// Whether it is the primary key under another name.
    let isPrimaryKey: Bool
}

/// A column with all that is written of it.
struct PlainColumnText {
    /// `t0."name"`
    let bare: AliasedText
    /// What is written of it as a text; nil where it holds none.
    let forms: AliasedForms?
    /// Tells names apart.
    let number: Int
}

/// How rows are tied to those that they belong to.
struct PlainPairing {
    /// `t1."person_id"`: the column that holds the primary key of the owner
    let owner: AliasedText
    /// The table of pairs, and its column that holds the primary key of the row.
    let pairs: (table: KeptText, row: AliasedText)?
}
