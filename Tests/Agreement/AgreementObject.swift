import PredicateEvaluation
import PredicateSQL
import PredicateSyntax

/// An object of a world in memory, with nothing of the store in it.
package final class AgreementObject: KeyValueCoding, Hashable, @unchecked Sendable {
    package let entity: String
    package let number: Int
    package let key: PredicateValue
    /// All values by key; set once, before the object is shared.
    fileprivate(set) var values: [String: KeyedValue] = [:]

    package init(entity: String, number: Int, key: PredicateValue) {
        self.entity = entity
        self.number = number
        self.key = key
    }

    package func value(forKey key: String) -> KeyedValue? { values[key] }
    package var allKeys: [String] { Array(values.keys) }

    package static func == (left: AgreementObject, right: AgreementObject) -> Bool {
        left.number == right.number && left.entity == right.entity
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(entity)
        hasher.combine(number)
    }
}

/// All objects of a world, tied together. The ties are cut when the graph goes.
package final class AgreementGraph {
    package private(set) var objects: [String: [AgreementObject]] = [:]
    private let world: AgreementWorld

    package init(_ world: AgreementWorld) {
        self.world = world
        for name in world.entityNames {
            let entity = world.entity(name)
            objects[name] = (world.rows[name] ?? []).map {
                AgreementObject(entity: name, number: $0.number, key: world.key(entity, $0.number))
            }
        }
        for name in world.entityNames { fill(world.entity(name)) }
    }

    deinit {
        for object in objects.values.joined() { object.values = [:] }
    }

    package func object(_ entity: String, _ number: Int) -> AgreementObject? {
        objects[entity]?.first { $0.number == number }
    }

    /// The object that an identity in a predicate means.
    package func object(_ id: SQLObjectID) -> AgreementObject? {
        objects[id.entity]?.first { $0.key == id.key }
    }

    private func fill(_ entity: SQLEntity) {
        for (row, object) in zip(world.rows[entity.name] ?? [], objects[entity.name] ?? []) {
            var values = row.cells.mapValues { KeyedValue.value($0.value) }
            values["id"] = .value(object.key)
            for (key, relationship) in entity.relationships {
                values[key] = related(key, relationship, of: row)
            }
            object.values = values
        }
    }

    private func related(
        _ key: String, _ relationship: SQLRelationship, of row: AgreementWorld.Row
    ) -> KeyedValue {
        let target = relationship.destination
        switch relationship.kind {
        case .toOne:
            return row.links[key].flatMap { object(target, $0) }.map { .object($0) } ?? .null
        case .toMany(let column):
            let link = world.entity(target).toOneKey(column: column)
            let sources = (world.rows[target] ?? []).filter { $0.links[link] == row.number }
            return set(target, sources.map(\.number))
        case .manyToMany(let table, let column, _):
            let pairs = world.pairs[table] ?? []
            return set(
                target,
                column == "a"
                    ? pairs.filter { $0.source == row.number }.map(\.target)
                    : pairs.filter { $0.target == row.number }.map(\.source))
        }
    }

    private func set(_ entity: String, _ numbers: [Int]) -> KeyedValue {
        let elements = numbers.compactMap { object(entity, $0) }.map { KeyedValue.object($0) }
        return elements.isEmpty ? .value(.set([])) : .collection(KeyedCollection(elements, kind: .set))
    }
}

extension SQLEntity {
    /// The to-one relationship that a column holds.
    package func toOneKey(column: String) -> String {
        let found = sortedRelationships.first { _, relationship in
            relationship.kind == .toOne(column: column)
        }
        return found?.key ?? ""
    }
}
