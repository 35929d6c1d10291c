public import PredicateEvaluation
import PredicateModel
public import PredicateSQL
public import PredicateStore
import PredicateSyntax

/// Applies policies and rules to the objects of a store during a migration.
///
/// All keys are fetched first, so that a change cannot affect which objects follow. Objects are read one at a time.
struct PolicyRun {
    let store: CoreDataStore
    let writer: ObjectWriter
    let registry: EvaluationRegistry
    private let migration: StoreMigration
    private let origins: Origins

    /// The origin of the objects in the new store. A mapping model names policies by their classes.
    enum Origins {
        case inferred(KeyMap)
        case mapped(MappedInstances)
    }

    init(_ store: CoreDataStore, _ migration: StoreMigration, _ origins: Origins) throws(CoreDataError) {
        (self.store, self.migration, self.origins) = (store, migration, origins)
        writer = try ObjectWriter(store, defersValidation: true)
        registry = try migration.rules.registry(migration.policies.registry)
    }

    /// Applies rules, then policies, then computes derived attributes. Returns the entities for which rules make objects.
    func run(
        _ derivations: [String: Set<String>], _ progress: (StoreMigration.Stage) -> Void
    ) throws(CoreDataError) -> Set<String> {
        var (made, told): (Set<String>, Set<String>) = ([], [])
        for rule in migration.rules.rules {
            if told.insert(rule.entity).inserted { progress(.policy(rule.entity)) }
            if let entity = try apply(rule) { made.insert(entity) }
        }
        try applyPolicies(progress)
        // The objects that policies have inserted.
        try writer.validate()
        for (entity, names) in derivations.sorted(by: { $0.key < $1.key }) {
            try writer.derive(entity) { names.contains($0.attribute.name) }
        }
        return made
    }

    private func applyPolicies(_ progress: (StoreMigration.Stage) -> Void) throws(CoreDataError) {
        for (entity, policy) in migration.policies.byEntity.sorted(by: { $0.key < $1.key }) {
            progress(.policy(entity))
            let replaced = migration.replaced.filter { store.model.isEntity($0.entity, kindOf: entity) }
            var (assigned, lost) = (Set<String>(), Set<VersionMatch.Obstacle>())
            for key in try keys(entity, nil) {
                guard let object = try migrated(entity, key) else { continue }
                assigned.formUnion(try apply(policy, object))
                for obstacle in replaced where object.source?[obstacle.former] ?? .null != .null {
                    lost.insert(obstacle)
                }
            }
            let reasons = lost.filter { !assigned.contains($0.key) }.map(\.words)
            guard reasons.isEmpty else { throw CoreDataError(.notInferable(reasons.sorted())) }
        }
        guard case .mapped(let instances) = origins else { return }
        for (index, mapping) in instances.mappings.enumerated() {
            try applyPolicy(of: mapping, index, instances, progress)
        }
    }

    // MARK: - Policies

    /// Applies the policy of a mapping to the objects that the mapping created. Throws the error of a value that was left
    /// to the policy, if it has assigned none.
    private func applyPolicy(
        of mapping: EntityMapping, _ index: Int, _ instances: MappedInstances,
        _ progress: (StoreMigration.Stage) -> Void
    ) throws(CoreDataError) {
        guard let name = mapping.migrationPolicyClassName, let policy = migration.policies[name],
            let entity = mapping.destinationEntityName, let source = mapping.sourceEntityName
        else { return }
        progress(.policy(entity))
        var left = instances.leftValues(index)
        for pair in instances.pairs(index) {
            guard let made = instances.madeObject(entity, pair.made) else { continue }
            let object = MigratedObject(
                destination: made, source: instances.sourceObject(source, pair.source), mapping: mapping, store: store)
            for key in try apply(policy, object) { left[key] = nil }
        }
        if let error = left.min(by: { $0.key < $1.key })?.value { throw error }
    }

    /// Applies a policy and returns the keys that it has assigned.
    private func apply(
        _ policy: MigrationPolicies.Policy, _ object: MigratedObject
    ) throws(CoreDataError) -> Dictionary<String, PredicateValue>.Keys {
        if Task.isCancelled { throw CoreDataError(.cancelled) }
        var changes: ObjectValues = [:]
        do {
            try policy(object, &changes)
        } catch {
            throw CoreDataError(.expression("\(object)", .host("\(error)")))
        }
        let values = changes.mapValues { $0?.predicateValue ?? .null }
        if !values.isEmpty { try write(object, values) }
        return values.keys
    }

    // MARK: - Objects

    func keys(_ entity: String, _ predicate: FormatPredicate?) throws(CoreDataError) -> [Int64] {
        try storing { () throws(StoreError) in
            try store.objects.fetchIntegerKeys(PredicateFetchRequest(entity, predicate, allowsResidual: true))
        }
    }

    /// The object with a key, and its source object.
    func migrated(_ entity: String, _ key: Int64) throws(CoreDataError) -> MigratedObject? {
        let exact = try store.concreteEntity(of: entity, key)
        guard let made = store.objects.object(SQLObjectID(exact, key: .integer(key))) else { return nil }
        let new = ObjectKey(entity: exact, key: key)
        switch origins {
        case .inferred(let keys):
            let source = keys.source(of: new).flatMap { migration.source.objects.object($0.id) }
            return MigratedObject(destination: made, source: source, mapping: nil, store: store)
        case .mapped(let instances):
            let origin = instances.origin(of: new)
            return MigratedObject(destination: made, source: origin?.source, mapping: origin?.mapping, store: store)
        }
    }

    /// The value for the new store. An object of the old store becomes the object of the given entity that was created from it,
    /// or nil if there is none; other values do not change.
    func madeObject(of value: PredicateValue, _ destination: String) throws(CoreDataError) -> PredicateValue? {
        guard case .object(let host) = value, let old = host.base as? StoredObject,
            old.isObject(of: migration.source.objects)
        else { return value }
        let key = try migration.source.objectKey(old.id)
        let made =
            switch origins {
            case .inferred(let keys): keys.made(of: key)
            case .mapped(let instances): instances.made(of: key, as: destination)
            }
        // An earlier rule may have deleted it.
        guard let made, try writer.concreteEntity(of: made.entity, made.key) != nil else { return nil }
        return made.id.predicateValue
    }

    func write(_ object: MigratedObject, _ values: [String: PredicateValue]) throws(CoreDataError) {
        guard case .integer(let key) = object.id.key else { return }
        try writer.update(ObjectKey(entity: object.id.entity, key: key), values)
    }
}

/// The code of custom migration policies, by the class names in mapping models, or by entity.
///
/// ```swift
/// let policies = MigrationPolicies(["ToDoMigrationPolicy": { object, changes in
///     guard case .string(let title)? = object["title"], title.hasPrefix("a") else { return }
///     changes["doNotAlert"] = true
/// }])
/// ```
///
/// After all relationships are written, a policy is called with each migrated object of its mapping or entity, and
/// its source object. It assigns the values to change. ``registry`` contains the host functions and messages that
/// expressions of the mapping model call: `FUNCTION($entityPolicy, "halve:", $source.pages)`.
public struct MigrationPolicies: Sendable {
    /// Migrates one object: receives the migrated object and assigns the values to change. It may throw any error,
    /// which `CoreDataError.Code.expression` reports.
    public typealias Policy = @Sendable (_ object: MigratedObject, _ changes: inout ObjectValues) throws -> Void

    /// The functions and messages that value expressions and rules may call.
    public var registry: EvaluationRegistry

    private var byClass: [String: Policy]
    private(set) var byEntity: [String: Policy] = [:]

    /// Policies by class name, and the functions that expressions may call.
    public init(_ policies: [String: Policy] = [:], registry: EvaluationRegistry = .standard) {
        (byClass, self.registry) = (policies, registry)
    }

    /// The policy with a class name.
    package subscript(className: String) -> Policy? {
        get { byClass[className] }
        set { byClass[className] = newValue }
    }

    /// Assigns a policy to an entity, for migrations without a mapping model.
    ///
    /// `policies.use("ToDoMigrationPolicy", for: "ToDo")`
    ///
    /// Throws a ``CoreDataError``: `missingPolicy`.
    public mutating func use(_ className: String, for entity: String) throws(CoreDataError) {
        guard let policy = byClass[className] else {
            throw CoreDataError(.missingPolicy(className: className, mapping: entity))
        }
        byEntity[entity] = policy
    }

    var isEmpty: Bool { byEntity.isEmpty }
}

/// A migrated object as a policy sees it: the new object and its source object.
///
///     if object.source?["isLoud"] == .bool(false) { changes["doNotAlert"] = true }
public struct MigratedObject: Sendable, CustomStringConvertible {
    /// The object of the new store.
    public let destination: StoredObject
    /// The source object in the old store; nil for a new object.
    public let source: StoredObject?
    /// The mapping that created the object; nil without a mapping model.
    package let mapping: EntityMapping?
    /// The new store, within the migration's transaction. A policy may query it, insert further
    /// objects, and delete this one.
    ///
    /// `changes["color"] = try object.store.insert("Color", ["hex": object.source?["hexColor"]])`
    public let store: CoreDataStore

    /// The ID in the new store.
    public var id: SQLObjectID { destination.id }

    /// The value of an attribute in the new store: `object["title"]`
    public subscript(key: String) -> PredicateValue? { destination[key] }

    /// `ToDo 7`
    public var description: String { destination.description }
}

extension StoreMigration {
    /// The derived attributes to compute, by entity: those that are new or whose derivation changed. If there are a mapping
    /// model, rules or policies, that is all of them, since the values they depend on may have changed.
    func derivations() -> [String: Set<String>] {
        let keepsValues = mapping == nil && !changesObjects
        var found: [String: Set<String>] = [:]
        for entity in destination.entities.map(\.name) {
            for attribute in destination.attributes(of: entity) where attribute.isStored && attribute.isDerived {
                let old = match.sourceAttribute(attribute, of: entity)
                if keepsValues, old?.derivation == attribute.derivation, old?.type == attribute.type { continue }
                found[entity, default: []].insert(attribute.name)
            }
        }
        return found
    }
}
