import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// Writing relationships: both ends, the numbers of entities, and places in an order.
extension ObjectWriter {
    /// Sets a relationship of an object to what a value lists.
    func relate(
        _ object: ObjectKey, _ relationship: RelationshipDescription, _ value: PredicateValue
    ) throws(CoreDataError) {
        let targets = try targets(value, relationship, object.entity)
        guard let stored = store.layout.entities[object.entity]?.relationships[relationship.name],
            let destination = relationship.destinationEntityName
        else { return }
        let inverse = inverse(of: relationship, to: destination)
        try touchEnds(of: object, relationship, targets)
        switch stored {
        case .toOne:
            guard targets.count <= 1 else { throw wrongKind(value, relationship, object.entity) }
            try setToOne(object, stored, targets.first, inverse)
        case .toMany(let column, let order):
            try setToMany(object, column, order, targets, destination, inverse)
        case .manyToMany(let table): try setPairs(object, table, targets)
        }
    }

    /// Notes the object, those that it leads to before and after, and those that its new ends belonged to.
    private func touchEnds(
        of object: ObjectKey, _ relationship: RelationshipDescription, _ targets: [ObjectKey]
    ) throws(CoreDataError) {
        touch(object)
        try touchRelated(object, relationship)
        let inverse = store.model.inverse(of: relationship)?.relationship
        for target in targets {
            touch(target)
            if let inverse { try touchRelated(target, inverse) }
        }
    }

    private func inverse(
        of relationship: RelationshipDescription, to destination: String
    ) -> (stored: StoredRelationship, table: String)? {
        guard let found = store.model.inverse(of: relationship), let entity = store.layout.entities[destination],
            let stored = store.layout.entities[found.declaringEntity.name]?.relationships[found.relationship.name]
        else { return nil }
        return (stored, entity.table)
    }

    // MARK: - Values

    /// The objects that a value lists, each with the entity that it is of itself.
    private func targets(
        _ value: PredicateValue, _ relationship: RelationshipDescription, _ entity: String
    ) throws(CoreDataError) -> [ObjectKey] {
        var keys: [ObjectKey] = []
        guard let elements = value.listedObjects else { throw wrongKind(value, relationship, entity) }
        for element in elements {
            guard case .object(let host) = element, let id = Self.id(of: host.base),
                case .integer(let key) = id.key, let destination = relationship.destinationEntityName
            else { throw wrongKind(element, relationship, entity) }
            guard let exact = try exactEntity(of: id.entity, key) else {
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
        let reason =
            "expected \(relationship.isToMany ? "objects" : "an object") of \(destination), found \(found)"
        return CoreDataError(.invalidValue(key: relationship.name, entity: entity, reason: reason))
    }

    // MARK: - To-one

    private func setToOne(
        _ object: ObjectKey, _ stored: StoredRelationship, _ target: ObjectKey?,
        _ inverse: (stored: StoredRelationship, table: String)?
    ) throws(CoreDataError) {
        guard let entity = store.layout.entities[object.entity] else { return }
        // An object keeps its place in the order of the one that it leads to already.
        if let target, try leads(stored, in: entity.table, from: object.key, to: target) { return }
        if case .toOne(let back, _, _)? = inverse?.stored, case .toOne(let column, _, _) = stored, let inverse {
            // One object leads to one: whoever led to either end does so no longer.
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
        let text = "SELECT \(column.quotedName) FROM \(table.quotedName) WHERE Z_PK = ?1"
        return try rows(text, [.integer(key)]).first?.first?.number == target.key
    }

    /// Makes the column of a to-one relationship lead to an object, at the end of its order.
    private func point(
        _ stored: StoredRelationship, in table: String, from key: Int64, to target: ObjectKey?, order: Int64? = nil
    ) throws(CoreDataError) {
        guard case .toOne(let column, let entityColumn, let orderColumn) = stored else { return }
        var changes = [(column, target.map { SQLBinding.integer($0.key) } ?? .null)]
        if let entityColumn {
            let number = target.flatMap { store.layout.entities[$0.entity]?.number }
            changes.append((entityColumn, number.map(SQLBinding.integer) ?? .null))
        }
        if let orderColumn {
            let place = try target.map { (target) throws(CoreDataError) in
                if let order { return order }
                return try nextPlace(orderColumn, table, column, target.key)
            }
            changes.append((orderColumn, place.map(SQLBinding.integer) ?? .null))
        }
        let list = changes.enumerated().map { "\($0.element.0.quotedName) = ?\($0.offset + 2)" }
        try run(
            "UPDATE \(table.quotedName) SET \(list.joined(separator: ", ")) WHERE Z_PK = ?1",
            [.integer(key)] + changes.map(\.1))
    }

    private func nextPlace(
        _ order: String, _ table: String, _ column: String, _ key: Int64
    ) throws(CoreDataError) -> Int64 {
        let text = "SELECT MAX(\(order.quotedName)) FROM \(table.quotedName) WHERE \(column.quotedName) = ?1"
        return (try rows(text, [.integer(key)]).first?.first?.number ?? Self.orderStep) + Self.orderStep
    }

    /// Takes the way to an object away from rows that have it.
    func clear(
        _ stored: StoredRelationship, column: String, in table: String, where condition: String, is key: Int64,
        except kept: [Int64] = []
    ) throws(CoreDataError) {
        var columns = [column]
        if case .toOne(_, let entityColumn, let orderColumn) = stored {
            columns += [entityColumn, orderColumn].compactMap(\.self)
        }
        if case .toMany(_, let order?) = stored { columns.append(order) }
        let changes = columns.map { "\($0.quotedName) = NULL" } + ["Z_OPT = COALESCE(Z_OPT, 0) + 1"]
        let rest = kept.isEmpty ? "" : " AND Z_PK NOT IN (SELECT value FROM json_each(?2))"
        try run(
            "UPDATE \(table.quotedName) SET \(changes.joined(separator: ", ")) WHERE \(condition.quotedName) = ?1\(rest)",
            [.integer(key)] + (kept.isEmpty ? [] : [.list(kept)]))
    }

    // MARK: - To-many

    private func setToMany(
        _ object: ObjectKey, _ column: String, _ order: String?, _ targets: [ObjectKey], _ destination: String,
        _ inverse: (stored: StoredRelationship, table: String)?
    ) throws(CoreDataError) {
        guard let table = store.layout.entities[destination]?.table else { return }
        // Without an inverse the column is all there is.
        let stored = inverse?.stored ?? .toOne(column: column, entityColumn: nil, orderColumn: order)
        let keys = targets.map(\.key)
        try clear(stored, column: column, in: table, where: column, is: object.key, except: keys)
        for (index, target) in targets.enumerated() {
            try point(
                stored, in: table, from: target.key, to: object, order: Int64(index + 1) * Self.orderStep)
            try run(
                "UPDATE \(table.quotedName) SET Z_OPT = COALESCE(Z_OPT, 0) + 1 WHERE Z_PK = ?1", [.integer(target.key)])
        }
    }

    private func setPairs(_ object: ObjectKey, _ join: JoinTable, _ targets: [ObjectKey]) throws(CoreDataError) {
        guard let table = store.file.name(of: join) else { return }
        let isOwnInverse = join.sourceColumn == "REFLEXIVE"
        let places = try inversePlaces(of: object.key, join, table)
        try removePairs(of: object.key, join)
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
            try addPair(table, columns, values)
            if isOwnInverse { try addPair(table, columns, [values[1], values[0]] + values.dropFirst(2)) }
        }
    }

    /// The places that an object has in the orders of those that it leads to already, by their keys.
    private func inversePlaces(
        of key: Int64, _ join: JoinTable, _ table: String
    ) throws(CoreDataError) -> [Int64: Int64] {
        guard let order = join.inverseOrderColumn else { return [:] }
        let columns = "\(join.targetColumn.quotedName), \(order.quotedName)"
        let text = "SELECT \(columns) FROM \(table.quotedName) WHERE \(join.sourceColumn.quotedName) = ?1"
        var places: [Int64: Int64] = [:]
        for row in try rows(text, [.integer(key)]) {
            if let target = row[0].number, let place = row[1].number { places[target] = place }
        }
        return places
    }

    private func addPair(_ table: String, _ columns: [String], _ values: [SQLBinding]) throws(CoreDataError) {
        let names = columns.map(\.quotedName).joined(separator: ", ")
        let places = (1...columns.count).map { "?\($0)" }.joined(separator: ", ")
        try run("INSERT OR IGNORE INTO \(table.quotedName) (\(names)) VALUES (\(places))", values)
    }

    /// Removes the pairs of an object; those of a relationship that is its own inverse in both directions.
    func removePairs(of key: Int64, _ join: JoinTable) throws(CoreDataError) {
        guard let table = store.file.name(of: join) else { return }
        let ends = join.sourceColumn == "REFLEXIVE" ? [join.sourceColumn, join.targetColumn] : [join.sourceColumn]
        for end in ends {
            try run("DELETE FROM \(table.quotedName) WHERE \(end.quotedName) = ?1", [.integer(key)])
        }
    }
}
