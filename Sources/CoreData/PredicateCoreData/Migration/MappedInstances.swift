import PredicateEvaluation
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The source and destination objects of each mapping, which the migration manager's messages look up. Only keys are
/// kept.
final class MappedInstances: Sendable {
    let mappings: [EntityMapping]
    private let source: CoreDataStore
    private let destination: CoreDataStore
    /// The source and destination keys of each mapping's objects, both ascending, by the index of the mapping.
    private let keys: Locked<[[KeyPair]]>
    /// The values that are left to the policy of a mapping, with their errors, by the index of the mapping.
    private let left = Locked<[Int: [String: CoreDataError]]>([:])
    /// The destination entity of the relationship whose expression is being evaluated.
    private let targetEntity = Locked<String?>(nil)

    init(_ mappings: [EntityMapping], from source: CoreDataStore, to destination: CoreDataStore) {
        (self.mappings, self.source, self.destination) = (mappings, source, destination)
        keys = Locked(Array(repeating: [], count: mappings.count))
    }

    /// Adds a pair of keys, which are greater than those added before.
    func add(_ index: Int, source: Int64, made: Int64) { keys.withLock { $0[index].append((source, made)) } }

    func leave(_ index: Int, _ errors: [String: CoreDataError]) { left.withLock { $0[index] = errors } }

    func leftValues(_ index: Int) -> [String: CoreDataError] { left.withLock { $0[index] ?? [:] } }

    /// The pairs of keys of a mapping.
    func pairs(_ index: Int) -> [KeyPair] { keys.withLock { $0[index] } }

    /// An object of the new store.
    func madeObject(_ entity: String, _ key: Int64) -> StoredObject? {
        destination.objects.object(SQLObjectID(entity, key: .integer(key)))
    }

    /// An object of the old store.
    func sourceObject(_ entity: String, _ key: Int64) -> StoredObject? {
        source.objects.object(SQLObjectID(entity, key: .integer(key)))
    }

    /// Evaluates the expression of a relationship with a destination entity. Meanwhile, look-ups by source
    /// relationship return only objects of that entity, since one source object may have become several objects.
    func looking<Value>(
        for entity: String?, _ evaluate: () throws(CoreDataError) -> Value
    ) throws(CoreDataError) -> Value {
        targetEntity.withLock { $0 = entity }
        defer { targetEntity.withLock { $0 = nil } }
        return try evaluate()
    }

    // MARK: - Look-ups

    /// Adds the migration manager's messages.
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
        return .value(PredicateFetchRequest(entity, try FormatPredicate(format: text, arguments: [])).predicateValue)
    }

    /// The side of a mapping to look up.
    private enum Side {
        case source
        case made
    }

    /// The objects on one side of a mapping (or of all mappings) for the given objects on the other side, in their
    /// order.
    private func counterparts(of objects: KeyedValue, _ side: Side, by name: String?) throws -> KeyedValue {
        if let name, !mappings.contains(where: { $0.name == name }) {
            throw CoreDataError(.invalidMapping(name, .unknownMapping))
        }
        let targetEntity = name == nil && side == .made ? targetEntity.withLock { $0 } : nil
        let (from, to) = side == .made ? (source, destination) : (destination, source)
        var found: [PredicateValue] = []
        for object in Self.objects(objects) {
            let key = try from.objectKey(object.id)
            for (index, mapping) in mappings.enumerated() where name == nil || mapping.name == name {
                guard targetEntity == nil || mapping.makes(targetEntity, in: destination.model) else { continue }
                guard let other = counterpart(of: key, side, index, mapping) else { continue }
                if let object = to.objects.object(other.id) { found.append(object.predicateValue) }
            }
        }
        return .value(.array(found))
    }

    /// The object of the old store from which an object was created, and the mapping that created it.
    func origin(of made: ObjectKey) -> (source: StoredObject, mapping: EntityMapping)? {
        for (index, mapping) in mappings.enumerated() {
            guard let source = counterpart(of: made, .source, index, mapping) else { continue }
            return sourceObject(source.entity, source.key).map { ($0, mapping) }
        }
        return nil
    }

    /// The object of an entity that was created from an object of the old store.
    func made(of source: ObjectKey, as entity: String) -> ObjectKey? {
        for (index, mapping) in mappings.enumerated() where mapping.makes(entity, in: destination.model) {
            if let made = counterpart(of: source, .made, index, mapping) { return made }
        }
        return nil
    }

    private func counterpart(
        of key: ObjectKey, _ side: Side, _ index: Int, _ mapping: EntityMapping
    ) -> ObjectKey? {
        guard let old = mapping.sourceEntityName, let new = mapping.destinationEntityName,
            key.entity == (side == .made ? old : new)
        else { return nil }
        switch side {
        case .made: return pairs(index).pair(key.key) { $0.source }.map { ObjectKey(entity: new, key: $0.made) }
        case .source: return pairs(index).pair(key.key) { $0.made }.map { ObjectKey(entity: old, key: $0.source) }
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
    /// True if the mapping creates objects of an entity.
    fileprivate func makes(_ entity: String?, in model: ManagedObjectModel) -> Bool {
        guard let entity, let own = destinationEntityName else { return false }
        return model.isEntity(own, kindOf: entity)
    }
}

/// The keys of an object of the old store, and of the object that was made of it.
typealias KeyPair = (source: Int64, made: Int64)

extension [KeyPair] {
    /// The pair with a key on one side, on which keys ascend.
    fileprivate func pair(_ key: Int64, _ side: (KeyPair) -> Int64) -> KeyPair? {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if side(self[middle]) < key { low = middle + 1 } else { high = middle }
        }
        return low < count && side(self[low]) == key ? self[low] : nil
    }
}

extension KeyedValue {
    /// The value in the form of an attribute's type: 1 for a Boolean becomes true, whole numbers become integers.
    func storedValue(as type: AttributeType?) -> PredicateValue {
        switch self {
        case .value(let value): value.converted(to: type)
        case .object(let object): (object as? StoredObject)?.predicateValue ?? .null
        case .collection(let collection): .array(collection.elements.map { $0.storedValue(as: nil) })
        }
    }
}

extension PredicateValue {
    /// The value converted to a type, if the conversion is lossless.
    func converted(to type: AttributeType?) -> PredicateValue {
        switch (self, type) {
        case (.integer(let number), .boolean?) where number == 0 || number == 1: .bool(number == 1)
        case (.bool(let flag), .integer16?), (.bool(let flag), .integer32?), (.bool(let flag), .integer64?):
            .integer(flag ? 1 : 0)
        case (.double(let number), .integer16?), (.double(let number), .integer32?), (.double(let number), .integer64?):
            Int64(exactly: number).map(PredicateValue.integer) ?? self
        default: self
        }
    }
}
