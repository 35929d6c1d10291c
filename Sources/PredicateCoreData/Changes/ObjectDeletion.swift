import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The deletion of objects by the delete rules of the model.
///
/// First all objects are found that are deleted too, then denials, then the objects that stay lose what leads to the deleted
/// ones, then rows are deleted. An object has the rules of the entity that it is of itself.
struct ObjectDeletion {
    private let writer: ObjectWriter
    private var doomed: Set<ObjectKey> = []
    private var order: [ObjectKey] = []

    init(_ writer: ObjectWriter) {
        self.writer = writer
    }

    private var model: ManagedObjectModel { writer.store.model }

    /// Adds objects, and those that a cascade reaches from them.
    mutating func add(_ objects: [ObjectKey]) throws(CoreDataError) {
        var open = objects
        while let object = open.popLast() {
            guard doomed.insert(object).inserted else { continue }
            order.append(object)
            for relationship in model.relationships(of: object.entity) where relationship.deleteRule == .cascade {
                open += try writer.related(object, relationship)
            }
        }
    }

    func run() throws(CoreDataError) {
        for object in order { try checkDenials(object) }
        for object in order {
            for relationship in model.relationships(of: object.entity) {
                try writer.touchRelated(object, relationship)
            }
        }
        for object in order { try loosen(object) }
        for object in order {
            guard let table = writer.store.layout.entities[object.entity]?.table else { continue }
            try writer.run("DELETE FROM \(table.quotedName) WHERE Z_PK = ?1", [.integer(object.key)])
        }
    }

    private func checkDenials(_ object: ObjectKey) throws(CoreDataError) {
        for relationship in model.relationships(of: object.entity) where relationship.deleteRule == .deny {
            guard try writer.related(object, relationship).contains(where: { !doomed.contains($0) }) else { continue }
            let id = SQLObjectID(object.entity, key: .integer(object.key))
            throw CoreDataError(.store(StoreError(.deletionDenied(id, key: relationship.name))))
        }
    }

    /// Takes away what leads to a deleted object from objects that stay, and removes its pairs.
    private func loosen(_ object: ObjectKey) throws(CoreDataError) {
        let entities = writer.store.layout.entities
        for relationship in model.relationships(of: object.entity) where relationship.deleteRule != .noAction {
            guard let stored = entities[object.entity]?.relationships[relationship.name],
                let table = relationship.destinationEntityName.flatMap({ entities[$0]?.table })
            else { continue }
            let inverse = model.inverse(of: relationship)
            let back = inverse.flatMap { entities[$0.declaringEntity.name]?.relationships[$0.relationship.name] }
            switch stored {
            case .manyToMany(let join): try writer.removePairs(of: object.key, join)
            case .toMany(let column, _):
                try writer.clear(back ?? stored, column: column, in: table, where: column, is: object.key)
            case .toOne:
                guard case .toOne(let column, _, _)? = back else { continue }
                try writer.clear(back ?? stored, column: column, in: table, where: column, is: object.key)
            }
        }
    }
}
