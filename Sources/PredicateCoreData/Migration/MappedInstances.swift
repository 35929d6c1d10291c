import PredicateEvaluation
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Synchronization

/// What mappings made of which objects, as the manager of a migration knows it: keys, never objects.
final class MappedInstances: Sendable {
    private let mappings: [EntityMapping]
    private let source: CoreDataStore
    private let destination: CoreDataStore
    /// For each mapping in its place.
    private let runs: Mutex<[KeyRuns]>
    /// The entity that the relationship leads to whose expression is being evaluated.
    private let goal = Mutex<String?>(nil)

    init(_ mappings: [EntityMapping], from source: CoreDataStore, to destination: CoreDataStore) {
        (self.mappings, self.source, self.destination) = (mappings, source, destination)
        runs = Mutex(Array(repeating: KeyRuns(), count: mappings.count))
    }

    func add(_ index: Int, source: Int64, made: Int64) {
        runs.withLock { $0[index].add(source: source, made: made) }
    }

    /// The pairs of a mapping.
    func pairs(_ index: Int) -> KeyRuns { runs.withLock { $0[index] } }

    /// An object of the new store.
    func madeObject(_ entity: String, _ key: Int64) -> StoredObject? {
        destination.objects.object(SQLObjectID(entity, key: .integer(key)))
    }

    /// An object of the old store.
    func sourceObject(_ entity: String, _ key: Int64) -> StoredObject? {
        source.objects.object(SQLObjectID(entity, key: .integer(key)))
    }

    /// Evaluates the expression of a relationship that leads to an entity: only objects of it are found for a relationship of
    /// the source, since an object may have become several.
    func looking<Value>(
        for entity: String?, _ evaluate: () throws(CoreDataError) -> Value
    ) throws(CoreDataError) -> Value {
        goal.withLock { $0 = entity }
        defer { goal.withLock { $0 = nil } }
        return try evaluate()
    }

    // MARK: - Look-ups

    /// The messages of the manager.
    func registry(_ standard: EvaluationRegistry) -> EvaluationRegistry {
        var registry = standard
        registry.registerMessage("destinationInstancesForEntityMappingNamed:sourceInstances:") { [self] _, arguments in
            try lookUp(arguments) { try counterparts(of: $1, .made, by: $0) }
        }
        registry.registerMessage("sourceInstancesForEntityMappingNamed:destinationInstances:") { [self] _, arguments in
            try lookUp(arguments) { try counterparts(of: $1, .source, by: $0) }
        }
        registry.registerMessage("destinationInstancesForSourceRelationshipNamed:sourceInstances:") {
            [self] _, arguments in
            try lookUp(arguments) { try counterparts(of: $1, .made, by: nil) }
        }
        registry.registerMessage("fetchRequestForSourceEntityNamed:predicateString:") { [self] _, arguments in
            try lookUp(arguments) { entity, format in try request(entity, format) }
        }
        return registry
    }

    private func lookUp(
        _ arguments: [KeyedValue], _ body: (String, KeyedValue) throws -> KeyedValue
    ) throws -> KeyedValue {
        guard arguments.count == 2, case .value(.string(let name)) = arguments[0] else { return .null }
        return try body(name, arguments[1])
    }

    private func request(_ entity: String, _ format: KeyedValue) throws -> KeyedValue {
        guard case .value(.string(let text)) = format else { return .null }
        return .value(FetchRequest(entity, try FormatPredicate(format: text, arguments: [])).predicateValue)
    }

    /// A side of a mapping, which is looked for from the other one.
    private enum Side {
        case source
        case made
    }

    /// The objects on a side of one mapping, or of all, in the order of those that are given on the other.
    private func counterparts(of objects: KeyedValue, _ side: Side, by name: String?) throws -> KeyedValue {
        if let name, !mappings.contains(where: { $0.name == name }) {
            throw CoreDataError(.invalidMapping(name, reason: "there is no entity mapping of this name"))
        }
        let goal = name == nil && side == .made ? goal.withLock { $0 } : nil
        var found: [PredicateValue] = []
        for object in Self.objects(objects) {
            let key = try (side == .made ? source : destination).objectKey(object.id)
            for (index, mapping) in mappings.enumerated() where name == nil || mapping.name == name {
                guard goal == nil || mapping.makes(goal, in: destination.model) else { continue }
                if let other = counterpart(of: key, side, index, mapping) { found.append(other.predicateValue) }
            }
        }
        return .value(.array(found))
    }

    private func counterpart(
        of key: ObjectKey, _ side: Side, _ index: Int, _ mapping: EntityMapping
    ) -> StoredObject? {
        guard let old = mapping.sourceEntityName, let new = mapping.destinationEntityName else { return nil }
        let pairs = pairs(index)
        switch side {
        case .made:
            guard key.entity == old, let made = pairs.made(of: key.key) else { return nil }
            return madeObject(new, made)
        case .source:
            guard key.entity == new, let source = pairs.source(of: key.key) else { return nil }
            return sourceObject(old, source)
        }
    }

    private static func objects(_ value: KeyedValue) -> [StoredObject] {
        let elements: [KeyedValue] =
            switch value {
            case .value(let value): value.listedObjects?.map(KeyedValue.value) ?? []
            case .object: [value]
            case .collection(let collection): collection.elements
            }
        return elements.compactMap { element in
            switch element {
            case .object(let object): object as? StoredObject
            case .value(.object(let host)): host.base as? StoredObject
            case .value, .collection: nil
            }
        }
    }
}

extension EntityMapping {
    /// True if the mapping makes objects of an entity.
    fileprivate func makes(_ entity: String?, in model: ManagedObjectModel) -> Bool {
        guard let entity, let own = destinationEntityName else { return false }
        return model.isEntity(own, kindOf: entity)
    }
}
