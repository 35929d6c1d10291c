import PredicateModel
import PredicateSyntax

/// The tables, columns and numbers that Core Data gives a model in a SQLite store, computed from the model alone.
///
///     let layout = StoreLayout(model)
///     layout.entities["Photo"]?.table                  // ZASSET, the table of its root entity
///     layout.entities["Photo"]?.columns["title"]       // ZTITLE1, if a sibling has ZTITLE
package struct StoreLayout: Sendable {
    /// The entities by name.
    package private(set) var entities: [String: StoredEntity] = [:]
    /// The tables by name, with their columns in the order of a new store.
    package private(set) var tables: [String: [StoredColumn]] = [:]
    /// The join tables, each once.
    package private(set) var joinTables: [JoinTable] = []
    package let model: ManagedObjectModel
    /// True for an XML store: objects may share the targets of a to-many relationship without an inverse, so it has a join
    /// table instead of a foreign key. [NSP-453]
    let sharesTargets: Bool
    /// The join tables of relationships without an inverse, with the destinations.
    private(set) var sharedJoins: [(table: JoinTable, destination: String)] = []

    /// The layout of a model. `numbers` are the entity numbers of a file, by default the positions in preorder.
    package init(_ model: ManagedObjectModel, numbers: [String: Int64]? = nil, sharesTargets: Bool = false) {
        (self.model, self.sharesTargets) = (model, sharesTargets)
        var builder = LayoutBuilder(model, numbers ?? Self.numbers(of: model), sharesTargets)
        builder.build()
        (entities, tables, joinTables) = (builder.entities, builder.tables, builder.joinTables)
        sharedJoins = builder.sharedJoins
    }

    /// The layout with changed join tables.
    func mapJoinTables(_ change: (JoinTable) -> JoinTable) -> StoreLayout {
        var copy = self
        copy.joinTables = joinTables.map(change)
        copy.sharedJoins = sharedJoins.map { (change($0.table), $0.destination) }
        for (name, entity) in entities {
            copy.entities[name]?.relationships = entity.relationships.mapValues {
                if case .manyToMany(let table) = $0 { .manyToMany(change(table)) } else { $0 }
            }
        }
        return copy
    }

    /// The entity numbers: positions in preorder, starting at 1, with siblings sorted by upper-case name.
    package static func numbers(of model: ManagedObjectModel) -> [String: Int64] {
        var numbers: [String: Int64] = [:]
        for (index, entity) in model.entitiesInPreorder.enumerated() { numbers[entity.name] = Int64(index) + 1 }
        return numbers
    }

    /// The entities sorted by number.
    package var ordered: [StoredEntity] { entities.values.sorted { $0.number < $1.number } }

    /// The entity with a number.
    package func entity(numbered number: Int64) -> StoredEntity? { entities.values.first { $0.number == number } }
}

/// An entity in a store.
package struct StoredEntity: Sendable {
    package let name: String
    /// The value of `Z_ENT` in its rows.
    package let number: Int64
    /// The number of its superentity; 0 if it has none.
    package let parent: Int64
    /// The root entity of its hierarchy, whose table it shares.
    package let root: String
    /// `ZPHOTO`
    package let table: String
    package let isAbstract: Bool
    /// The numbers of its subentities at all levels, sorted.
    package var descendants: [Int64] = []
    /// The columns of attributes by key; elements of composite attributes by path: `address.street`.
    package var columns: [String: String] = [:]
    /// Relationships by key.
    package var relationships: [String: StoredRelationship] = [:]
}

/// A relationship in a store.
package enum StoredRelationship: Hashable, Sendable {
    /// A foreign key in the object's own row. `entityColumn` has the related object's entity number, if the
    /// destination has subentities. `orderColumn` has the position within an ordered inverse.
    case toOne(column: String, entityColumn: String?, orderColumn: String?)
    /// A foreign key in the destination's rows, and the column that orders them.
    case toMany(inverseColumn: String, orderColumn: String?)
    /// A join table.
    case manyToMany(JoinTable)
}

/// A join table, seen from one of its ends.
package struct JoinTable: Hashable, Sendable {
    /// The possible names of the table, which is named after either end. The usual name comes first.
    package var names: [String]
    package var sourceColumn: String
    package var targetColumn: String
    /// The column with the position of the target among the source's objects; nil if unordered.
    package var orderColumn: String?
    /// The column with the position of the source among the target's objects; nil if unordered.
    package var inverseOrderColumn: String?

    /// The columns of an object: both if the relationship is its own inverse.
    var ownColumns: [String] { sourceColumn == "REFLEXIVE" ? [sourceColumn, targetColumn] : [sourceColumn] }

    /// The table seen from its other end.
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
    /// The key of the column, and the entity that declares it; nil for a column that belongs to no key.
    package let key: String?
    package let entity: String?
}

extension AttributeType {
    /// The declared type of the attribute's column; nil for an attribute without a column of its own.
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

/// Computes the layout of a model: the columns of each table first, then join tables.
struct LayoutBuilder {
    private let model: ManagedObjectModel
    private let numbers: [String: Int64]
    private let sharesTargets: Bool
    private(set) var entities: [String: StoredEntity] = [:]
    private(set) var tables: [String: [StoredColumn]] = [:]
    private(set) var joinTables: [JoinTable] = []
    private(set) var sharedJoins: [(table: JoinTable, destination: String)] = []
    /// The column names in use, by table.
    private var taken: [String: Set<String>] = [:]
    private let joins: JoinNames

    init(_ model: ManagedObjectModel, _ numbers: [String: Int64], _ sharesTargets: Bool) {
        (self.model, self.numbers, self.sharesTargets) = (model, numbers, sharesTargets)
        joins = JoinNames(model, numbers)
    }

    mutating func build() {
        for entity in model.entitiesInPreorder { addEntity(entity) }
        for entity in model.entitiesInPreorder { addColumns(entity) }
        for entity in model.entitiesInPreorder { addToManys(entity) }
        for entity in model.entitiesInPreorder { inherit(entity) }
    }

    // MARK: - Entities

    private mutating func addEntity(_ entity: EntityDescription) {
        guard let number = numbers[entity.name], let root = model.rootEntity(of: entity.name) else { return }
        let table = "Z" + root.name.uppercased()
        let parent = model.lineage(of: entity.name).dropFirst().first.flatMap { numbers[$0.name] } ?? 0
        var stored = StoredEntity(
            name: entity.name, number: number, parent: parent, root: root.name, table: table,
            isAbstract: entity.isAbstract)
        stored.descendants = model.subtree(of: entity.name).dropFirst().compactMap { numbers[$0.name] }.sorted()
        entities[entity.name] = stored
        guard tables[table] == nil else { return }
        let keys = ["Z_PK", "Z_ENT", "Z_OPT"]
        tables[table] = keys.map { StoredColumn(name: $0, type: "INTEGER", key: nil, entity: nil) }
        taken[table] = Set(keys)
    }

    /// Adds a column under its name or, if that is taken, with the first free number appended.
    private mutating func add(
        _ name: String, _ type: String, to table: String, key: String? = nil, entity: String? = nil
    ) -> String {
        var (found, number) = (name, 0)
        while taken[table]?.contains(found) ?? false {
            number += 1
            found = "\(name)\(number)"
        }
        taken[table, default: []].insert(found)
        tables[table, default: []].append(StoredColumn(name: found, type: type, key: key, entity: entity))
        return found
    }

    // MARK: - Columns

    /// Adds the columns of the properties that an entity declares itself, sorted by key.
    private mutating func addColumns(_ entity: EntityDescription) {
        guard let table = entities[entity.name]?.table else { return }
        let properties = entity.properties.filter { !isInherited($0.name, by: entity) }
            .sorted { Array($0.name.utf8).lexicographicallyPrecedes(Array($1.name.utf8)) }
        for property in properties where !property.isTransient {
            switch property {
            case .attribute(let attribute):
                guard attribute.isStored else { continue }
                for element in model.elements(of: attribute) { addColumn(element, of: entity.name, table) }
            case .relationship(let relationship) where !relationship.isToMany:
                addToOne(relationship, of: entity.name, table)
            case .relationship, .fetchedProperty: continue
            }
        }
    }

    /// Adds the column of an attribute. The column of a composite attribute's element is named after the element
    /// alone.
    private mutating func addColumn(_ attribute: AttributeDescription, of entity: String, _ table: String) {
        guard let type = attribute.type.columnType, let name = attribute.name.split(separator: ".").last else { return }
        let column = add("Z" + name.uppercased(), type, to: table, key: attribute.name, entity: entity)
        entities[entity]?.columns[attribute.name] = column
    }

    private func isInherited(_ key: String, by entity: EntityDescription) -> Bool {
        model.lineage(of: entity.name).dropFirst().contains { $0.property(key) != nil }
    }

    private mutating func addToOne(_ relationship: RelationshipDescription, of entity: String, _ table: String) {
        let name = relationship.name.uppercased()
        let column = add("Z" + name, "INTEGER", to: table, key: relationship.name, entity: entity)
        var (entityColumn, orderColumn): (String?, String?)
        if let destination = relationship.destinationEntityName, !model.subentities(of: destination).isEmpty,
            let number = numbers[destination]
        {
            entityColumn = add("Z\(number)_\(name)", "INTEGER", to: table)
        }
        if let inverse = model.inverse(of: relationship)?.relationship, inverse.isToMany, inverse.isOrdered {
            orderColumn = add("Z_FOK_\(name)", "INTEGER", to: table)
        }
        entities[entity]?.relationships[relationship.name] = .toOne(
            column: column, entityColumn: entityColumn, orderColumn: orderColumn)
    }

    // MARK: - To-many relationships

    private mutating func addToManys(_ entity: EntityDescription) {
        let relationships = entity.relationships.filter {
            $0.isToMany && !$0.isTransient && !isInherited($0.name, by: entity)
        }
        for relationship in relationships.sorted(by: { $0.name < $1.name }) {
            guard let stored = toMany(relationship, of: entity) else { continue }
            entities[entity.name]?.relationships[relationship.name] = stored
        }
    }

    private mutating func toMany(
        _ relationship: RelationshipDescription, of entity: EntityDescription
    ) -> StoredRelationship? {
        guard let inverse = model.inverse(of: relationship) else {
            return toManyWithoutInverse(relationship, of: entity)
        }
        guard inverse.relationship.isToMany else {
            let owner = entities[inverse.declaringEntity.name]
            guard case .toOne(let column, _, let order)? = owner?.relationships[inverse.relationship.name] else {
                return nil
            }
            return .toMany(inverseColumn: column, orderColumn: relationship.isOrdered ? order : nil)
        }
        guard let table = joins.table(of: relationship, of: entity.name, inverse) else { return nil }
        if !joinTables.contains(table), !joinTables.contains(table.reversed) { joinTables.append(table) }
        return .manyToMany(table)
    }

    /// A to-many relationship without an inverse has a foreign key in the destination's table, named after this
    /// entity, or a join table of that name.
    private mutating func toManyWithoutInverse(
        _ relationship: RelationshipDescription, of entity: EntityDescription
    ) -> StoredRelationship? {
        guard let number = numbers[entity.name], let destination = relationship.destinationEntityName,
            let table = entities[destination]?.table
        else { return nil }
        let name = "\(number)\(relationship.name.uppercased())"
        if sharesTargets {
            let target = "Z_\(name)"
            let join = JoinTable(
                names: [target], sourceColumn: "Z_OWNER", targetColumn: target,
                orderColumn: relationship.isOrdered ? JoinNames.order(target) : nil)
            joinTables.append(join)
            sharedJoins.append((join, destination))
            return .manyToMany(join)
        }
        let column = add("Z\(name)", "INTEGER", to: table)
        let order = relationship.isOrdered ? add("Z_FOK_\(name)", "INTEGER", to: table) : nil
        return .toMany(inverseColumn: column, orderColumn: order)
    }

    // MARK: - Inheritance

    /// Adds the properties of the superentity. If both declare a key, the superentity's column is used.
    private mutating func inherit(_ entity: EntityDescription) {
        guard let parent = model.lineage(of: entity.name).dropFirst().first, let above = entities[parent.name] else {
            return
        }
        entities[entity.name]?.columns.merge(above.columns) { _, inherited in inherited }
        entities[entity.name]?.relationships.merge(above.relationships) { _, inherited in inherited }
    }
}

/// The names of join tables and of their columns.
///
/// Example: `Album.assets` and its inverse `Asset.albums`, with the entity numbers 28 and 3. The table is
/// `Z_28ASSETS` or `Z_3ALBUMS`. The foreign key to albums is `Z_28ALBUMS`, the one to assets `Z_3ASSETS`: each is
/// named after the relationship that refers to its objects.
struct JoinNames {
    private let model: ManagedObjectModel
    private let numbers: [String: Int64]
    /// For each relationship, by entity and key: the column of its join table that refers to the entity's own objects.
    private var ownColumns: [String: [String: String]] = [:]

    init(_ model: ManagedObjectModel, _ numbers: [String: Int64]) {
        (self.model, self.numbers) = (model, numbers)
        for entity in model.entitiesInPreorder { ownColumns[entity.name] = columns(of: entity) }
    }

    /// The columns in the order of the keys. A repeated name gets a number.
    ///
    /// Core Data may have numbered them in another order in a file: `FileTables.layout(of:)` adapts the layout to the
    /// file.
    private func columns(of entity: EntityDescription) -> [String: String] {
        guard let number = numbers[entity.name] else { return [:] }
        var columns: [String: String] = [:]
        var counts: [String: Int] = [:]
        for relationship in entity.relationships.sorted(by: { $0.name < $1.name }) where relationship.isToMany {
            guard let inverse = model.inverse(of: relationship)?.relationship, inverse.isToMany else { continue }
            let name = "Z_\(number)\(inverse.name.uppercased())"
            let count = counts[name, default: 0]
            columns[relationship.name] = count == 0 ? name : "\(name)\(count)"
            counts[name] = count + 1
        }
        return columns
    }

    func table(
        of relationship: RelationshipDescription, of entity: String,
        _ inverse: (relationship: RelationshipDescription, declaringEntity: EntityDescription)
    ) -> JoinTable? {
        let other = inverse.declaringEntity.name
        guard let number = numbers[entity], let otherNumber = numbers[other],
            let own = ownColumns[entity]?[relationship.name],
            let target = ownColumns[other]?[inverse.relationship.name]
        else { return nil }
        let name = "Z_\(number)\(relationship.name.uppercased())"
        let otherName = "Z_\(otherNumber)\(inverse.relationship.name.uppercased())"
        if name == otherName {
            // The relationship is its own inverse, so both columns would have the same name.
            return JoinTable(
                names: [name], sourceColumn: "REFLEXIVE", targetColumn: target,
                orderColumn: relationship.isOrdered ? Self.order(target) : nil)
        }
        let isFirst = (number, relationship.name) <= (otherNumber, inverse.relationship.name)
        return JoinTable(
            names: isFirst ? [name, otherName] : [otherName, name], sourceColumn: own, targetColumn: target,
            orderColumn: relationship.isOrdered ? Self.order(target) : nil,
            inverseOrderColumn: inverse.relationship.isOrdered ? Self.order(own) : nil)
    }

    /// `Z_FOK_3ASSETS` for `Z_3ASSETS`
    static func order(_ column: String) -> String { "Z_FOK_" + column.dropFirst(2) }
}
