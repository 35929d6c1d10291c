import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// Writing relationships: both ends, entity columns and order columns.
extension ObjectWriter {
    /// Replaces the objects of a relationship with the objects in a value.
    func relate(
        _ object: ObjectKey, _ relationship: RelationshipDescription, _ value: PredicateValue
    ) throws(CoreDataError) {
        let targets = try targets(value, relationship, object.entity)
        guard let stored = store.layout.entities[object.entity]?.relationships[relationship.name],
            let destination = relationship.destinationEntityName
        else { return }
        let inverse = inverse(of: relationship, to: destination)
        try recordEnds(of: object, relationship, targets)
        switch stored {
        case .toOne:
            guard targets.count <= 1 else { throw wrongKind(value, relationship, object.entity) }
            try setToOne(object, stored, targets.first, inverse)
        // With an inverse, there are an entity column and the order of the inverse.
        case .toMany: try setToMany(object, relationship.name, inverse?.stored ?? stored, targets)
        case .manyToMany: try setToMany(object, relationship.name, stored, targets)
        }
    }

    /// Records the object, its old and new related objects, and the objects to which the new ones were related
    /// before.
    private func recordEnds(
        of object: ObjectKey, _ relationship: RelationshipDescription, _ targets: [ObjectKey]
    ) throws(CoreDataError) {
        try recordChange(object)
        try recordRelated(object, relationship)
        try recordHistory(of: object, relationship, targets)
        let inverse = store.model.inverse(of: relationship)?.relationship
        for target in targets {
            try recordChange(target)
            if let inverse { try recordRelated(target, inverse) }
        }
    }

    func inverse(
        of relationship: RelationshipDescription, to destination: String
    ) -> (stored: StoredRelationship, table: String)? {
        guard let found = store.model.inverse(of: relationship), let entity = store.layout.entities[destination],
            let stored = store.layout.entities[found.declaringEntity.name]?.relationships[found.relationship.name]
        else { return nil }
        return (stored, entity.table)
    }

    // MARK: - Values

    /// The objects in a value, each with its own entity.
    private func targets(
        _ value: PredicateValue, _ relationship: RelationshipDescription, _ entity: String
    ) throws(CoreDataError) -> [ObjectKey] {
        var keys: [ObjectKey] = []
        guard let elements = value.listedObjects else { throw wrongKind(value, relationship, entity) }
        for element in elements {
            guard case .object(let host) = element, let id = Self.id(of: host.base),
                case .integer(let key) = id.key, let destination = relationship.destinationEntityName
            else { throw wrongKind(element, relationship, entity) }
            guard let exact = try concreteEntity(of: id.entity, key) else {
                throw CoreDataError(
                    .missingObject(key: relationship.name, entity: entity, object: "\(id.entity) \(key)"))
            }
            guard store.model.isEntity(exact, kindOf: destination) else {
                throw wrongKind("an object of \(exact)", relationship, entity)
            }
            keys.append(ObjectKey(entity: exact, key: key))
        }
        return keys
    }

    static func id(of host: Any) -> SQLObjectID? {
        switch host {
        case let id as SQLObjectID: id
        case let object as StoredObject: object.id
        default: nil
        }
    }

    private func wrongKind(
        _ value: PredicateValue, _ relationship: RelationshipDescription, _ entity: String
    ) -> CoreDataError {
        wrongKind(value.kindName, relationship, entity)
    }

    private func wrongKind(
        _ found: String, _ relationship: RelationshipDescription, _ entity: String
    ) -> CoreDataError {
        let destination = relationship.destinationEntityName ?? ""
        let expected = "\(relationship.isToMany ? "objects" : "an object") of \(destination)"
        return CoreDataError(
            .invalidValue(key: relationship.name, entity: entity, .type(expected: expected, found: found)))
    }

    // MARK: - To-one

    private func setToOne(
        _ object: ObjectKey, _ stored: StoredRelationship, _ target: ObjectKey?,
        _ inverse: (stored: StoredRelationship, table: String)?
    ) throws(CoreDataError) {
        guard let entity = store.layout.entities[object.entity] else { return }
        // An unchanged reference keeps its position in the order.
        if let target, try leads(stored, in: entity.table, from: object.key, to: target) { return }
        if case .toOne(let back, _, _)? = inverse?.stored, case .toOne(let column, _, _) = stored, let inverse {
            // In a one-to-one relationship, earlier references to either end are cleared.
            try clear(inverse.stored, column: back, in: inverse.table, is: object.key)
            if let target {
                try clear(stored, column: column, in: entity.table, is: target.key)
                try point(inverse.stored, in: inverse.table, from: target.key, to: object)
            }
        }
        try point(stored, in: entity.table, from: object.key, to: target)
    }

    private func leads(
        _ stored: StoredRelationship, in table: String, from key: Int64, to target: ObjectKey
    ) throws(CoreDataError) -> Bool {
        guard case .toOne(let column, _, _) = stored else { return false }
        let query: SQLText = "SELECT \(name: column) FROM \(name: table) WHERE Z_PK = \(bind: .integer(key))"
        return try rows(query).first?.first?.number == target.key
    }

    /// Sets the columns of a to-one relationship, with the last position in the order.
    private func point(
        _ stored: StoredRelationship, in table: String, from key: Int64, to target: ObjectKey?
    ) throws(CoreDataError) {
        guard case .toOne(let column, let entityColumn, let orderColumn) = stored else { return }
        var assignments = [SQLText.assignment(column, target.map { .integer($0.key) } ?? .null)]
        if let entityColumn {
            let number = target.flatMap { store.layout.entities[$0.entity]?.number }
            assignments.append(.assignment(entityColumn, number.map(SQLBinding.integer) ?? .null))
        }
        if let orderColumn {
            let place = try target.map { (target) throws(CoreDataError) in
                try nextPlace(orderColumn, table, column, target.key)
            }
            assignments.append(.assignment(orderColumn, place.map(SQLBinding.integer) ?? .null))
        }
        try run("\(SQLText.update("\(name: table)", assignments)) WHERE Z_PK = \(bind: .integer(key))")
    }

    private func nextPlace(
        _ order: String, _ table: String, _ column: String, _ key: Int64
    ) throws(CoreDataError) -> Int64 {
        let query: SQLText =
            "SELECT MAX(\(name: order)) FROM \(name: table) WHERE \(name: column) = \(bind: .integer(key))"
        return (try rows(query).first?.first?.number ?? Self.orderStep) + Self.orderStep
    }

    /// Clears references to an object.
    private func clear(
        _ stored: StoredRelationship, column: String, in table: String, is key: Int64
    ) throws(CoreDataError) {
        try run(
            """
            UPDATE \(name: table) SET \(Self.columns(of: stored).removal(of: column))
            WHERE \(name: column) = \(bind: .integer(key))
            """)
    }

    // MARK: - To-many

    private func setToMany(
        _ object: ObjectKey, _ key: String, _ stored: StoredRelationship, _ targets: [ObjectKey]
    ) throws(CoreDataError) {
        guard let changing = store.changing else { throw CoreDataError(.readOnly) }
        let (entity, schema) = try self.stored(object.entity)
        try explaining { () throws(StoreError) in
            let rows = try RelatedRows(changing, schema, key, Self.columns(of: stored, owner: entity.number))
            try rows.set(targets.map { .integer($0.key) }, of: .integer(object.key))
        }
    }

    /// The columns of a relationship besides its keys, as seen from the end of the relationship that is to-many.
    static func columns(of stored: StoredRelationship, owner: Int64 = 0) -> RelatedColumns {
        var columns = RelatedColumns(version: .incrementedVersion, step: orderStep)
        switch stored {
        case .toOne(_, let entityColumn, let order):
            (columns.order, columns.ownerEntity) = (order, entityColumn.map { ($0, owner) })
        case .toMany(_, let order): columns.order = order
        case .manyToMany(let join):
            (columns.order, columns.inverseOrder) = (join.orderColumn, join.inverseOrderColumn)
            columns.isMirrored = join.ownColumns.count > 1
        }
        return columns
    }
}
