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
        case .toMany(let column, let order):
            try setToMany(object, column, order, targets, destination, inverse)
        case .manyToMany(let table): try setJoinRows(object, table, targets)
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
            try clear(inverse.stored, column: back, in: inverse.table, where: back, is: object.key)
            if let target {
                try clear(stored, column: column, in: entity.table, where: column, is: target.key)
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

    /// Sets the columns of a to-one relationship, by default with the last position in the order.
    private func point(
        _ stored: StoredRelationship, in table: String, from key: Int64, to target: ObjectKey?, order: Int64? = nil
    ) throws(CoreDataError) {
        guard case .toOne(let column, let entityColumn, let orderColumn) = stored else { return }
        var assignments = [SQLText.assignment(column, target.map { .integer($0.key) } ?? .null)]
        if let entityColumn {
            let number = target.flatMap { store.layout.entities[$0.entity]?.number }
            assignments.append(.assignment(entityColumn, number.map(SQLBinding.integer) ?? .null))
        }
        if let orderColumn {
            let place = try target.map { (target) throws(CoreDataError) in
                if let order { return order }
                return try nextPlace(orderColumn, table, column, target.key)
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
        _ stored: StoredRelationship, column: String, in table: String, where condition: String, is key: Int64,
        except kept: [Int64] = []
    ) throws(CoreDataError) {
        let rest: SQLText = kept.isEmpty ? "" : " AND Z_PK NOT IN \(SQLText.keys(kept))"
        try run(
            """
            UPDATE \(name: table) SET \(Self.removal(of: column, stored))
            WHERE \(name: condition) = \(bind: .integer(key))\(rest)
            """)
    }

    /// The assignments that remove a reference, with its entity and its position: `"ZLIST" = NULL, "Z_OPT" = …`
    static func removal(of column: String, _ stored: StoredRelationship) -> SQLText {
        var columns: [String?] = [column]
        switch stored {
        case .toOne(_, let entity, let order): columns += [entity, order]
        case .toMany(_, let order): columns.append(order)
        case .manyToMany: break
        }
        let cleared: [SQLText] = columns.compactMap { $0.map { "\(name: $0) = NULL" } }
        return .joined(cleared + [.incrementedVersion], by: ", ")
    }

    // MARK: - To-many

    private func setToMany(
        _ object: ObjectKey, _ column: String, _ order: String?, _ targets: [ObjectKey], _ destination: String,
        _ inverse: (stored: StoredRelationship, table: String)?
    ) throws(CoreDataError) {
        guard let table = store.layout.entities[destination]?.table else { return }
        // Without an inverse there are no columns besides the foreign key and the order.
        let stored = inverse?.stored ?? .toOne(column: column, entityColumn: nil, orderColumn: order)
        let keys = targets.map(\.key)
        try clear(stored, column: column, in: table, where: column, is: object.key, except: keys)
        for (index, target) in targets.enumerated() {
            try point(
                stored, in: table, from: target.key, to: object, order: Int64(index + 1) * Self.orderStep)
            let update = SQLText.update("\(name: table)", [.incrementedVersion])
            try run("\(update) WHERE Z_PK = \(bind: .integer(target.key))")
        }
    }

    private func setJoinRows(_ object: ObjectKey, _ join: JoinTable, _ targets: [ObjectKey]) throws(CoreDataError) {
        guard let table = store.file.name(of: join) else { return }
        let isOwnInverse = join.ownColumns.count > 1
        let places = try inversePlaces(of: object.key, join, table)
        try removeJoinRows(of: object.key, join)
        for (index, target) in targets.enumerated() {
            var columns = [join.sourceColumn, join.targetColumn]
            var values: [SQLBinding] = [.integer(object.key), .integer(target.key)]
            if let order = join.orderColumn {
                columns.append(order)
                values.append(.integer(Int64(index + 1) * Self.orderStep))
            }
            if let order = join.inverseOrderColumn {
                columns.append(order)
                var place = places[target.key]
                if place == nil { place = try nextPlace(order, table, join.targetColumn, target.key) }
                values.append(place.map(SQLBinding.integer) ?? .null)
            }
            try addJoinRow(table, columns, values)
            if isOwnInverse { try addJoinRow(table, columns, [values[1], values[0]] + values.dropFirst(2)) }
        }
    }

    /// The position of an object in the order of each related object, by the key of the related object.
    private func inversePlaces(
        of key: Int64, _ join: JoinTable, _ table: String
    ) throws(CoreDataError) -> [Int64: Int64] {
        guard let order = join.inverseOrderColumn else { return [:] }
        let columns = SQLText.names([join.targetColumn, order])
        let condition: SQLText = "\(name: join.sourceColumn) = \(bind: .integer(key))"
        var places: [Int64: Int64] = [:]
        for row in try rows("SELECT \(columns) FROM \(name: table) WHERE \(condition)") {
            if let target = row[0].number, let place = row[1].number { places[target] = place }
        }
        return places
    }

    private func addJoinRow(_ table: String, _ columns: [String], _ values: [SQLBinding]) throws(CoreDataError) {
        try run(.insert(into: "\(name: table)", columns, .values(values), ignoringDuplicates: true))
    }

    /// Removes an object from a join table.
    private func removeJoinRows(of key: Int64, _ join: JoinTable) throws(CoreDataError) {
        guard let table = store.file.name(of: join) else { return }
        for end in join.ownColumns {
            try run("DELETE FROM \(name: table) WHERE \(name: end) = \(bind: .integer(key))")
        }
    }
}
