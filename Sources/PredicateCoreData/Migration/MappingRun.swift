import Foundation
import PredicateEvaluation
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// A migration by a mapping model as it runs: objects are made, then related, then checked, mapping by mapping.
///
/// Value expressions know `$source`, `$destination`, `$manager`, `$entityMapping`, `$propertyMapping` and `$entityPolicy`, and the
/// messages of the manager that look up what mappings made of which objects.
final class MappingRun {
    private let migration: StoreMigration
    private let mapping: MappingModel
    private let connection: SQLiteConnection
    private let layout: StoreLayout
    private let instances = MappedInstances()
    private let registry: EvaluationRegistry

    init(_ migration: StoreMigration, _ mapping: MappingModel, _ path: String) throws(CoreDataError) {
        self.migration = migration
        do throws(ModelError) {
            self.mapping = try mapping.resolved(from: migration.source.model, to: migration.destination)
        } catch {
            throw CoreDataError(.invalidMapping("the mapping model", reason: error.title))
        }
        layout = StoreLayout(migration.destination)
        registry = instances.registry(migration.source)
        connection = try storing { () throws(StoreError) in
            let connection = try SQLiteConnection(path, SQLiteOptions(.create))
            try connection.execute("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY")
            return connection
        }
        for entity in self.mapping.entityMappings { try checkPolicy(entity) }
    }

    /// A policy of code needs its entry in the registry, or rules in its place.
    private func checkPolicy(_ mapping: EntityMapping) throws(CoreDataError) {
        guard let name = mapping.migrationPolicyClassName, migration.policies[name] == nil else { return }
        let entity = mapping.destinationEntityName ?? ""
        guard !migration.rules.rules.contains(where: { $0.entity == entity }) else { return }
        throw CoreDataError(.missingPolicy(className: name, mapping: mapping.name))
    }

    /// Makes all objects in one transaction.
    func write(_ progress: (StoreMigration.Step) -> Void) throws(CoreDataError) {
        try connection.migrate { () throws(CoreDataError) in try writeTables(progress) }
    }

    private func run(_ fragment: SQLFragment) throws(CoreDataError) { try connection.runMigrating(fragment) }

    private func writeTables(_ progress: (StoreMigration.Step) -> Void) throws(CoreDataError) {
        let tables = StoreTables(layout: layout)
        for statement in tables.tables { try run(SQLFragment(statement)) }
        for row in tables.entityRows() { try run(row) }
        let metadata = migration.migratedMetadata
        try run(metadata.row(try metadata.data()))
        let store = try CoreDataStore(connection, migration.destination, externalFrom: migration.source.path)
        let writer = try ObjectWriter(store)
        for entity in mapping.entityMappings { try makeObjects(entity, writer, progress) }
        progress(.relationships)
        for entity in mapping.entityMappings { try relateObjects(entity, writer) }
        try PolicyRun(store, migration, mapping).run(progress)
        progress(.indexes)
        for statement in tables.indexes { try run(SQLFragment(statement)) }
        progress(.verification)
        for entity in mapping.entityMappings { try checkObjects(entity, writer) }
    }

    // MARK: - Objects

    private func makeObjects(
        _ mapping: EntityMapping, _ writer: ObjectWriter, _ progress: (StoreMigration.Step) -> Void
    ) throws(CoreDataError) {
        guard let destination = mapping.destinationEntityName, let source = mapping.sourceEntityName else { return }
        let objects = try sourceObjects(source, mapping.sourceFilter)
        progress(.entity(destination, count: objects.count))
        let types = Dictionary(
            migration.destination.attributes(of: destination).map { ($0.name, $0.type) },
            uniquingKeysWith: { first, _ in first })
        let evaluators = try mapping.attributeMappings.map { (property) throws(CoreDataError) in
            (property.name, try evaluator(property, mapping))
        }
        for (object, key) in objects {
            if Task.isCancelled { throw CoreDataError(.cancelled) }
            var values: [String: PredicateValue] = [:]
            for (name, evaluator) in evaluators {
                let value = try value(evaluator, object, mapping, name, destination: nil)
                values[name] = value.storedValue(as: types[name])
            }
            let made = try writer.insert(destination, values, checksRelationships: false)
            instances.add(mapping.name, key, ObjectKey(entity: destination, key: made), object)
        }
    }

    /// The objects of the entity itself, without those of its subentities, which have mappings of their own.
    private func sourceObjects(
        _ entity: String, _ filter: ModelPredicate?
    ) throws(CoreDataError) -> [(StoredObject, ObjectKey)] {
        var predicate: FormatPredicate?
        do throws(PredicateFormatError) {
            predicate = try filter?.predicate()
        } catch {
            throw CoreDataError(.invalidMapping(entity, reason: error.title))
        }
        let request = FetchRequest(entity, predicate, allowsResidual: true)
        let found = try storing { () throws(StoreError) in try migration.source.objects.fetch(request).all() }
        var objects: [(StoredObject, ObjectKey)] = []
        for object in found {
            let key = try migration.source.objectKey(object.id)
            if key.entity == entity { objects.append((object, key)) }
        }
        return objects
    }

    // MARK: - Relationships

    private func relateObjects(_ mapping: EntityMapping, _ writer: ObjectWriter) throws(CoreDataError) {
        guard let destination = mapping.destinationEntityName else { return }
        for property in mapping.relationshipMappings {
            guard
                let relationship = migration.destination.relationships(of: destination)
                    .first(where: { $0.name == property.name })
            else {
                throw CoreDataError(.invalidMapping(mapping.name, reason: "there is no relationship \(property.name)"))
            }
            let evaluator = try evaluator(property, mapping)
            for pair in instances.pairs(of: mapping.name) {
                let value = try value(evaluator, pair.object, mapping, property.name, destination: pair.made)
                let targets = value.storedValue(as: nil)
                // What both ends say is written once: an end without objects takes nothing away.
                if targets.isNothing { continue }
                try writer.relate(pair.made, relationship, targets)
            }
        }
    }

    private func checkObjects(_ mapping: EntityMapping, _ writer: ObjectWriter) throws(CoreDataError) {
        guard let destination = mapping.destinationEntityName else { return }
        let mandatory = migration.destination.relationships(of: destination)
        for pair in instances.pairs(of: mapping.name) { try writer.checkMandatory(pair.made, mandatory) }
    }

    // MARK: - Expressions

    private func evaluator(
        _ property: PropertyMapping, _ mapping: EntityMapping
    ) throws(CoreDataError) -> ExpressionEvaluator {
        let place = "\(mapping.name), \(property.name)"
        do {
            let expression = try property.valueExpression?.expression() ?? FormatExpression(.constantValue(.null))
            return try ExpressionEvaluator(expression, registry: registry)
        } catch let error as PredicateFormatError {
            throw CoreDataError(.expression(place, reason: error.title))
        } catch let error as EvaluationError {
            throw CoreDataError(.expression(place, reason: error.title))
        } catch {
            throw CoreDataError(.expression(place, reason: "\(error)"))
        }
    }

    private func value(
        _ evaluator: ExpressionEvaluator, _ object: StoredObject, _ mapping: EntityMapping, _ property: String,
        destination: ObjectKey?
    ) throws(CoreDataError) -> KeyedValue {
        var values: [String: PredicateValue] = [
            "source": object.predicateValue, "manager": "manager", "entityPolicy": "policy",
            "entityMapping": ["name": .string(mapping.name), "userInfo": .dictionary(mapping.userInfo)],
            "propertyMapping": ["name": .string(property)],
        ]
        values["destination"] = destination.map { $0.id.predicateValue } ?? .null
        do throws(EvaluationError) {
            return try evaluator.value(with: object as Any, variables: PredicateVariables(values))
        } catch {
            throw CoreDataError(.expression("\(mapping.name), \(property)", reason: error.title))
        }
    }
}

/// What mappings made of which objects, as the manager of a migration knows it.
final class MappedInstances: @unchecked Sendable {
    /// An object of the old store, and what a mapping made of it.
    struct Pair {
        let object: StoredObject
        let made: ObjectKey
    }

    private let lock = NSLock()
    private var byMapping: [String: [Pair]] = [:]
    private var made: [String: [ObjectKey: [ObjectKey]]] = [:]

    func add(_ mapping: String, _ source: ObjectKey, _ made: ObjectKey, _ object: StoredObject) {
        lock.withLock {
            byMapping[mapping, default: []].append(Pair(object: object, made: made))
            self.made[mapping, default: [:]][source, default: []].append(made)
        }
    }

    func pairs(of mapping: String) -> [Pair] { lock.withLock { byMapping[mapping] ?? [] } }

    private func made(of source: ObjectKey, by mapping: String?) -> [ObjectKey] {
        lock.withLock {
            if let mapping { return made[mapping]?[source] ?? [] }
            return made.values.flatMap { $0[source] ?? [] }
        }
    }

    /// The messages of the manager.
    func registry(_ store: CoreDataStore) -> EvaluationRegistry {
        var registry = EvaluationRegistry.standard
        registry.registerMessage("destinationInstancesForEntityMappingNamed:sourceInstances:") { [self] _, arguments in
            guard arguments.count == 2, case .value(.string(let name)) = arguments[0] else { return .null }
            return try counterparts(arguments[1], name, store)
        }
        registry.registerMessage("destinationInstancesForSourceRelationshipNamed:sourceInstances:") {
            [self] _, arguments in
            arguments.count == 2 ? try counterparts(arguments[1], nil, store) : .null
        }
        return registry
    }

    private func counterparts(_ sources: KeyedValue, _ mapping: String?, _ store: CoreDataStore) throws -> KeyedValue {
        let objects: [KeyedValue] =
            switch sources {
            case .value: []
            case .object: [sources]
            case .collection(let collection): collection.elements
            }
        var found: [PredicateValue] = []
        for case .object(let object) in objects {
            guard let stored = object as? StoredObject else { continue }
            found += made(of: try store.objectKey(stored.id), by: mapping).map { $0.id.predicateValue }
        }
        return .value(.array(found))
    }
}

extension ObjectKey {
    /// The identity for predicates.
    var id: SQLObjectID { SQLObjectID(entity, key: .integer(key)) }
}

extension PredicateValue {
    /// True for nil and for a collection without elements.
    fileprivate var isNothing: Bool { self == .null || self == .nullObject || self == .array([]) }
}
