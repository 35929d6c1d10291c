import PredicateEvaluation
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The passes of a mapping model over the old store: first all objects with their attributes, then their relationships.
///
/// Objects of the old store are read some at a time; from one pass to the next only keys are kept. Value expressions know
/// `$source`, `$destination`, `$manager`, `$entityMapping`, `$propertyMapping` and `$entityPolicy`, and the messages of the
/// manager that look up what mappings made of which objects.
struct MappingPass {
    private let migration: StoreMigration
    private let writer: ObjectWriter
    private let mappings: [PreparedMapping]
    let instances: MappedInstances
    private let manager: PredicateValue

    /// How many objects are read at a time.
    private static let chunk = 512

    /// Prepares all expressions, so that one that cannot be evaluated is an error before anything is read.
    init(_ migration: StoreMigration, _ mapping: MappingModel, _ store: CoreDataStore) throws(CoreDataError) {
        (self.migration, writer) = (migration, try ObjectWriter(store, isDraft: true))
        let instances = MappedInstances(mapping.entityMappings, from: migration.source, to: store)
        let registry = instances.registry(migration.policies.registry)
        var prepared: [PreparedMapping] = []
        for mapping in mapping.entityMappings {
            prepared.append(try PreparedMapping(mapping, migration.destination, registry))
        }
        (self.instances, mappings) = (instances, prepared)
        manager = [
            "sourceContext": migration.source.objects.predicateValue,
            "destinationContext": store.objects.predicateValue,
        ]
    }

    func run(_ progress: (StoreMigration.Step) -> Void) throws(CoreDataError) {
        for (index, mapping) in mappings.enumerated() { try makeObjects(index, mapping, progress) }
        progress(.relationships)
        for (index, mapping) in mappings.enumerated() { try relateObjects(index, mapping) }
    }

    private func checkCancellation() throws(CoreDataError) {
        if Task.isCancelled { throw CoreDataError(.cancelled) }
    }

    // MARK: - Objects

    private func makeObjects(
        _ index: Int, _ mapping: PreparedMapping, _ progress: (StoreMigration.Step) -> Void
    ) throws(CoreDataError) {
        guard let source = mapping.source, let destination = mapping.destination else { return }
        try checkExternalData(source, mapping)
        let keys = try sourceKeys(source, mapping.filter)
        progress(.entity(destination, count: keys.count))
        var insertion = try ObjectInsertion(writer, destination, isDraft: true)
        for start in stride(from: 0, to: keys.count, by: Self.chunk) {
            try checkCancellation()
            let chunk = keys[start..<min(start + Self.chunk, keys.count)]
            let objects = try sourceObjects(source, chunk)
            try insertion.reserve(objects.count)
            for object in objects {
                guard case .integer(let key) = object.id.key else { continue }
                let made = try insertion.insert(try attributes(of: object, mapping))
                instances.add(index, source: key, made: made)
            }
        }
    }

    private func attributes(
        of object: StoredObject, _ mapping: PreparedMapping
    ) throws(CoreDataError) -> [String: PredicateValue] {
        var values: [String: PredicateValue] = [:]
        let variables = variables(object, mapping, destination: nil)
        for attribute in mapping.attributes {
            let value = try value(attribute, object, variables, mapping)
            values[attribute.name] = value.storedValue(as: attribute.type)
        }
        return values
    }

    /// Throws where data that the expressions name are kept in a file that is missing.
    private func checkExternalData(_ source: String, _ mapping: PreparedMapping) throws(CoreDataError) {
        guard let entity = migration.source.layout.entities[source] else { return }
        for attribute in migration.source.model.attributes(of: source)
        where attribute.allowsExternalBinaryDataStorage
            && mapping.attributes.contains(where: { $0.format.contains(attribute.name) })
        {
            try migration.source.checkExternalData(attribute.name, of: entity)
        }
    }

    /// The keys of the objects of the entity itself, without those of its subentities, which have mappings of their own.
    private func sourceKeys(_ entity: String, _ filter: FormatPredicate?) throws(CoreDataError) -> [Int64] {
        let source = migration.source
        let request = FetchRequest(entity, filter, allowsResidual: true)
        let keys = try storing { () throws(StoreError) in try source.objects.integerKeys(request) }
        guard let stored = source.layout.entities[entity], !stored.descendants.isEmpty else { return keys }
        var own: [Int64] = []
        for key in keys where try source.exactEntity(of: entity, key) == entity { own.append(key) }
        return own
    }

    private func sourceObjects(_ entity: String, _ keys: ArraySlice<Int64>) throws(CoreDataError) -> [StoredObject] {
        try storing { () throws(StoreError) in try migration.source.objects.objects(entity, keys: keys) }
    }

    // MARK: - Relationships

    private func relateObjects(_ index: Int, _ mapping: PreparedMapping) throws(CoreDataError) {
        guard let source = mapping.source, let destination = mapping.destination, !mapping.relationships.isEmpty else {
            return
        }
        try instances.pairs(index).forEachChunk(of: Self.chunk) { (pairs) throws(CoreDataError) in
            try checkCancellation()
            let objects = try sourceObjects(source, pairs.map(\.source)[...])
            for (object, pair) in zip(objects, pairs) {
                try relate(object, ObjectKey(entity: destination, key: pair.made), mapping)
            }
        }
    }

    private func relate(
        _ object: StoredObject, _ made: ObjectKey, _ mapping: PreparedMapping
    ) throws(CoreDataError) {
        let variables = variables(object, mapping, destination: instances.madeObject(made.entity, made.key))
        for relationship in mapping.relationships {
            let goal = relationship.description.destinationEntityName
            let value = try instances.looking(for: goal) { () throws(CoreDataError) -> KeyedValue in
                try self.value(relationship.property, object, variables, mapping)
            }
            let targets = value.storedValue(as: nil)
            // What both ends say is written once: an end without objects takes nothing away.
            if targets.isNothing { continue }
            try writer.relate(made, relationship.description, targets)
        }
    }

    // MARK: - Expressions

    private func variables(
        _ object: StoredObject, _ mapping: PreparedMapping, destination: StoredObject?
    ) -> PredicateVariables {
        PredicateVariables([
            "source": object.predicateValue, "destination": destination?.predicateValue ?? .null, "manager": manager,
            "entityPolicy": .string(mapping.policy ?? ""), "entityMapping": mapping.entityMapping,
        ])
    }

    private func value(
        _ property: PreparedMapping.Property, _ object: StoredObject, _ variables: PredicateVariables,
        _ mapping: PreparedMapping
    ) throws(CoreDataError) -> KeyedValue {
        var variables = variables
        variables["propertyMapping"] = .value(["name": .string(property.name)])
        do throws(EvaluationError) {
            return try property.evaluator.value(with: object as Any, variables: variables)
        } catch {
            let reason = [error.title, error.label].compactMap(\.self).joined(separator: ": ")
            throw CoreDataError(.expression("\(mapping.name), \(property.name)", reason: reason))
        }
    }
}

extension PredicateValue {
    /// True for nil and for a collection without elements.
    fileprivate var isNothing: Bool { self == .null || self == .nullObject || self == .array([]) }
}

extension ObjectKey {
    /// The identity for predicates.
    var id: SQLObjectID { SQLObjectID(entity, key: .integer(key)) }
}
