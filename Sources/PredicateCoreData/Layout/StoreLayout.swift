import PredicateModel
import PredicateSyntax

/// Tables, columns and numbers that Core Data gives a model in a SQLite store, worked out from the model alone.
///
///     let layout = StoreLayout(model)
///     layout.entities["Photo"]?.table                  // ZASSET, the table of its root entity
///     layout.entities["Photo"]?.columns["title"]       // ZTITLE1, where a sibling has ZTITLE
package struct StoreLayout: Sendable {
    /// The entities by name.
    package private(set) var entities: [String: StoredEntity] = [:]
    /// The tables by name, with their columns in the order of a new store.
    package private(set) var tables: [String: [StoredColumn]] = [:]
    /// The tables of pairs, each once.
    package private(set) var joinTables: [JoinTable] = []
    package let model: ManagedObjectModel

    /// The layout of a model; `numbers` are those that a file gives its entities, by default their places in preorder.
    package init(_ model: ManagedObjectModel, numbers: [String: Int64]? = nil) {
        self.model = model
        var builder = LayoutBuilder(model, numbers ?? Self.numbers(of: model))
        builder.build()
        (entities, tables, joinTables) = (builder.entities, builder.tables, builder.joinTables)
    }

    /// The layout with other tables of pairs.
    func mapPairs(_ change: (JoinTable) -> JoinTable) -> StoreLayout {
        var copy = self
        copy.joinTables = joinTables.map(change)
        for (name, entity) in entities {
            copy.entities[name]?.relationships = entity.relationships.mapValues {
                if case .manyToMany(let table) = $0 { .manyToMany(change(table)) } else { $0 }
            }
        }
        return copy
    }

    /// The numbers of entities: from 1 in preorder, siblings by upper-case name.
    package static func numbers(of model: ManagedObjectModel) -> [String: Int64] {
        var numbers: [String: Int64] = [:]
        for (index, entity) in model.entitiesInPreorder.enumerated() { numbers[entity.name] = Int64(index) + 1 }
        return numbers
    }

    /// The entities in the order of their numbers.
    package var ordered: [StoredEntity] { entities.values.sorted { $0.number < $1.number } }

    /// The entity with a number.
    package func entity(numbered number: Int64) -> StoredEntity? { entities.values.first { $0.number == number } }
}

/// An entity in a store.
package struct StoredEntity: Sendable {
    package let name: String
    /// Its number, which rows have in `Z_ENT`.
    package let number: Int64
    /// The number of its superentity; 0 for none.
    package let parent: Int64
    /// The entity at the top of its hierarchy, whose table it shares.
    package let root: String
    /// `ZPHOTO`
    package let table: String
    package let isAbstract: Bool
    /// The numbers of the entities below it, in order.
    package var descendants: [Int64] = []
    /// The columns of attributes, by key; those of the elements of a composite attribute by their paths: `address.street`.
    package var columns: [String: String] = [:]
    /// Relationships by key.
    package var relationships: [String: StoredRelationship] = [:]
}

/// A relationship in a store.
package enum StoredRelationship: Hashable, Sendable {
    /// A column of the object's own row; `entityColumn` has the number of the other object's entity where that entity has
    /// subentities; `orderColumn` has the place among the objects of an ordered inverse.
    case toOne(column: String, entityColumn: String?, orderColumn: String?)
    /// A column of the destination's rows, and the one that orders them.
    case toMany(inverseColumn: String, orderColumn: String?)
    /// A table of pairs.
    case manyToMany(JoinTable)
}

/// A table of pairs, seen from one of its ends.
package struct JoinTable: Hashable, Sendable {
    /// The names that the table may have: it is called after either end. The usual one comes first.
    package var names: [String]
    package var sourceColumn: String
    package var targetColumn: String
    /// The column with the place of the target among those of the source; nil for no order.
    package var orderColumn: String?
    /// The column with the place of the source among those of the target; nil for no order.
    package var inverseOrderColumn: String?

    /// The table from its other end.
    var reversed: JoinTable {
        JoinTable(
            names: names, sourceColumn: targetColumn, targetColumn: sourceColumn, orderColumn: inverseOrderColumn,
            inverseOrderColumn: orderColumn)
    }
}

/// A column of a table.
package struct StoredColumn: Hashable, Sendable {
    package let name: String
    /// `VARCHAR`
    package let type: String
    /// The key, and the entity that declares it; nil for a column that no key alone has.
    package let key: String?
    package let entity: String?
}

extension AttributeType {
    /// The type that a store declares a column with; nil for a value without a column of its own.
    package var columnType: String? {
        switch self {
        case .integer16, .integer32, .integer64, .boolean, .objectID: "INTEGER"
        case .decimal: "DECIMAL"
        case .double, .float: "FLOAT"
        case .string, .uri: "VARCHAR"
        case .date: "TIMESTAMP"
        case .binaryData, .uuid, .transformable: "BLOB"
        case .undefined, .composite, .unknown: nil
        }
    }
}
