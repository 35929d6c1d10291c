import PredicateModel
import PredicateSyntax

/// Works out the layout of a model: columns table by table, then what joins tables.
struct LayoutBuilder {
    private let model: ManagedObjectModel
    private let numbers: [String: Int64]
    private(set) var entities: [String: StoredEntity] = [:]
    private(set) var tables: [String: [StoredColumn]] = [:]
    private(set) var joinTables: [JoinTable] = []
    /// The names of columns that are taken, by table.
    private var taken: [String: Set<String>] = [:]
    private let joins: JoinNames

    init(_ model: ManagedObjectModel, _ numbers: [String: Int64]) {
        (self.model, self.numbers) = (model, numbers)
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

    /// Adds a column under its name or, where that is taken, with the first free number.
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

    /// Adds the columns of what an entity declares itself, by the names of the keys.
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

    /// Adds the column of an attribute; that of an element of a composite attribute is called after the element alone.
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
        guard let inverse = model.inverse(of: relationship) else { return lonely(relationship, of: entity) }
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

    /// One without an inverse has a column in the table of its destination, named after this entity.
    private mutating func lonely(
        _ relationship: RelationshipDescription, of entity: EntityDescription
    ) -> StoredRelationship? {
        guard let number = numbers[entity.name], let destination = relationship.destinationEntityName,
            let table = entities[destination]?.table
        else { return nil }
        let name = "\(number)\(relationship.name.uppercased())"
        let column = add("Z\(name)", "INTEGER", to: table)
        let order = relationship.isOrdered ? add("Z_FOK_\(name)", "INTEGER", to: table) : nil
        return .toMany(inverseColumn: column, orderColumn: order)
    }

    // MARK: - Inheritance

    /// Gives an entity what its superentity has; a key that both declare is that of the superentity.
    private mutating func inherit(_ entity: EntityDescription) {
        guard let parent = model.lineage(of: entity.name).dropFirst().first, let above = entities[parent.name] else {
            return
        }
        entities[entity.name]?.columns.merge(above.columns) { _, inherited in inherited }
        entities[entity.name]?.relationships.merge(above.relationships) { _, inherited in inherited }
    }
}
