import Foundation
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The objects that changes of a store have touched, whose relationships are validated when the changes are saved.
///
/// Within ``CoreDataStore/transaction(_:)`` that is its end, as Core Data validates at a save: two objects that need each other
/// are inserted one after the other.
final class ChangeLedger: @unchecked Sendable {
    private let lock = NSLock()
    private var depth = 0
    private var touched: [ObjectKey] = []
    /// The relationships that are validated, by entity; entities without any are not there.
    let checked: [String: [RelationshipDescription]]

    init(_ model: ManagedObjectModel) {
        var checked: [String: [RelationshipDescription]] = [:]
        for entity in model.entities {
            let found = model.relationships(of: entity.name).filter(\.needsValidation)
            if !found.isEmpty { checked[entity.name] = found }
        }
        self.checked = checked
    }

    func touch(_ object: ObjectKey) {
        guard checked[object.entity] != nil else { return }
        lock.withLock { touched.append(object) }
    }

    /// The objects to validate now, once; none while a transaction goes on.
    func take() -> [ObjectKey] {
        lock.withLock {
            guard depth == 0 else { return [] }
            defer { touched = [] }
            var seen: Set<ObjectKey> = []
            return touched.filter { seen.insert($0).inserted }
        }
    }

    func begin() { lock.withLock { depth += 1 } }

    func end() { lock.withLock { depth -= 1 } }

    func forget() { lock.withLock { if depth == 0 { touched = [] } } }
}

extension RelationshipDescription {
    /// True if a store refuses some numbers of objects at its end.
    fileprivate var needsValidation: Bool {
        guard !isTransient else { return false }
        return isToMany ? minimumCount > 0 || maximumCount > 0 : !isOptional
    }
}

extension ObjectWriter {
    /// Notes an object whose relationships may have changed.
    func touch(_ object: ObjectKey) {
        if !isDraft { store.ledger.touch(object) }
    }

    /// Notes the objects that lead to an object by the inverse of a relationship, as long as they still do.
    func touchRelated(_ object: ObjectKey, _ relationship: RelationshipDescription) throws(CoreDataError) {
        guard !isDraft, !store.ledger.checked.isEmpty else { return }
        for other in try related(object, relationship) { touch(other) }
    }

    /// Validates the relationships of the objects that were touched, unless a transaction goes on, which does so at its end.
    ///
    /// Throws `missingValue` for a mandatory relationship that leads to nothing, `tooFewObjects` and `tooManyObjects` for one
    /// with bounds.
    func validate() throws(CoreDataError) {
        for object in store.ledger.take() {
            for relationship in store.ledger.checked[object.entity] ?? [] where try exists(object) {
                try validate(object, relationship)
            }
        }
    }

    private func validate(
        _ object: ObjectKey, _ relationship: RelationshipDescription
    ) throws(CoreDataError) {
        let count = try related(object, relationship).count
        let (key, entity) = (relationship.name, object.entity)
        guard relationship.isToMany else {
            guard count == 0 else { return }
            throw CoreDataError(.missingValue(key: key, entity: entity, count: 1))
        }
        if count == 0, relationship.isOptional { return }
        if count < relationship.minimumCount {
            throw CoreDataError(
                .tooFewObjects(key: key, entity: entity, found: count, least: relationship.minimumCount))
        }
        if relationship.maximumCount > 0, count > relationship.maximumCount {
            throw CoreDataError(
                .tooManyObjects(key: key, entity: entity, found: count, most: relationship.maximumCount))
        }
    }

    private func exists(_ object: ObjectKey) throws(CoreDataError) -> Bool {
        try exactEntity(of: object.entity, object.key) != nil
    }

    /// The entity that an object is of itself; nil where there is no object with the key.
    func exactEntity(of name: String, _ key: Int64) throws(CoreDataError) -> String? {
        guard let entity = store.layout.entities[name] else { return nil }
        let text = "SELECT Z_ENT FROM \(entity.table.quotedName) WHERE Z_PK = ?1"
        guard let number = try rows(text, [.integer(key)]).first?.first?.number else { return nil }
        return number == entity.number ? name : store.layout.entity(numbered: number)?.name
    }

    /// The objects that a relationship leads to, each with the entity that it is of itself.
    func related(
        _ object: ObjectKey, _ relationship: RelationshipDescription
    ) throws(CoreDataError) -> [ObjectKey] {
        let layout = store.layout
        guard let entity = layout.entities[object.entity], let stored = entity.relationships[relationship.name],
            let table = relationship.destinationEntityName.flatMap({ layout.entities[$0]?.table })
        else { return [] }
        let condition: String
        switch stored {
        case .toOne(let column, _, _):
            condition = "Z_PK IN (SELECT \(column.quotedName) FROM \(entity.table.quotedName) WHERE Z_PK = ?1)"
        case .toMany(let column, _): condition = "\(column.quotedName) = ?1"
        case .manyToMany(let join):
            guard let name = store.file.name(of: join) else { return [] }
            let pairs = "\(name.quotedName) WHERE \(join.sourceColumn.quotedName) = ?1"
            condition = "Z_PK IN (SELECT \(join.targetColumn.quotedName) FROM \(pairs))"
        }
        let text = "SELECT Z_PK, Z_ENT FROM \(table.quotedName) WHERE \(condition)"
        return try rows(text, [.integer(object.key)]).compactMap { row in
            guard let key = row[0].number, let name = row[1].number.flatMap({ layout.entity(numbered: $0)?.name })
            else { return nil }
            return ObjectKey(entity: name, key: key)
        }
    }
}
