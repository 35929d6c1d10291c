import PredicateEvaluation
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// Applies policies and rules to the objects of a store that is being migrated.
///
/// Objects are found by their keys first, so that no change moves one among those that are still to come, and read one at a
/// time.
struct PolicyRun {
    private let store: CoreDataStore
    private let migration: StoreMigration
    private let origins: Origins
    private let mapping: MappingModel?

    /// What an object of the new store was made of.
    private enum Origins {
        case inferred(KeyMap)
        case mapped(MappedInstances)
    }

    /// After an inferred migration.
    init(_ store: CoreDataStore, _ migration: StoreMigration, _ keys: KeyMap) {
        (self.store, self.migration, origins, mapping) = (store, migration, .inferred(keys), nil)
    }

    /// After the passes of a mapping model, which names policies by their classes.
    init(
        _ store: CoreDataStore, _ migration: StoreMigration, _ instances: MappedInstances, _ mapping: MappingModel
    ) {
        (self.store, self.migration, origins, self.mapping) = (store, migration, .mapped(instances), mapping)
    }

    /// Applies rules, then policies, and works out derived attributes in the end.
    func run(
        _ derivations: [MigrationRules.Rule], _ progress: (StoreMigration.Step) -> Void
    ) throws(CoreDataError) {
        try applyRulesAndPolicies(progress)
        for rule in derivations { try apply(rule) }
    }

    private func applyRulesAndPolicies(_ progress: (StoreMigration.Step) -> Void) throws(CoreDataError) {
        for rule in migration.rules.rules {
            progress(.policy(rule.entity))
            try apply(rule)
        }
        for (entity, policy) in migration.policies.byEntity.sorted(by: { $0.key < $1.key }) {
            progress(.policy(entity))
            for key in try keys(entity, nil) {
                let object = try migrated(entity, key)
                try apply(policy, object, nil)
            }
        }
        guard case .mapped(let instances) = origins else { return }
        for (index, entity) in (mapping?.entityMappings ?? []).enumerated() {
            try applyPolicy(of: entity, instances.pairs(index), instances, progress)
        }
    }

    // MARK: - Rules

    private func apply(_ rule: MigrationRules.Rule) throws(CoreDataError) {
        let evaluator = try expression(rule)
        let type = store.model.storedAttributes(of: rule.entity).first { $0.name == rule.key }?.type
        for key in try keys(rule.entity, rule.predicate) {
            guard let object = try migrated(rule.entity, key) else { continue }
            let value: KeyedValue
            do throws(EvaluationError) {
                value = try evaluator.value(
                    with: object.destination as Any,
                    variables: [
                        "source": object.source?.predicateValue ?? .null,
                        "destination": object.destination.predicateValue,
                    ])
            } catch {
                throw CoreDataError(.expression("\(object), \(rule.key)", reason: error.title))
            }
            try write(object, [rule.key: value.storedValue(as: type)])
        }
    }

    private func expression(_ rule: MigrationRules.Rule) throws(CoreDataError) -> ExpressionEvaluator {
        do throws(EvaluationError) {
            return try ExpressionEvaluator(rule.expression, registry: migration.policies.registry)
        } catch {
            throw CoreDataError(.expression(rule.key, reason: error.title))
        }
    }

    // MARK: - Policies

    /// Runs the policy of a mapping on the objects that this mapping made.
    private func applyPolicy(
        of mapping: EntityMapping, _ pairs: KeyRuns, _ instances: MappedInstances,
        _ progress: (StoreMigration.Step) -> Void
    ) throws(CoreDataError) {
        guard let name = mapping.migrationPolicyClassName, let policy = migration.policies[name],
            let entity = mapping.destinationEntityName, let source = mapping.sourceEntityName
        else { return }
        progress(.policy(entity))
        try pairs.forEachChunk(of: 512) { (pairs) throws(CoreDataError) in
            for pair in pairs {
                guard let made = instances.madeObject(entity, pair.made) else { continue }
                let object = MigratedObject(
                    destination: made, source: instances.sourceObject(source, pair.source), mapping: mapping,
                    store: store)
                try apply(policy, object, mapping)
            }
        }
    }

    private func apply(
        _ policy: MigrationPolicies.Policy, _ object: MigratedObject?, _ mapping: EntityMapping?
    ) throws(CoreDataError) {
        guard let object else { return }
        if Task.isCancelled { throw CoreDataError(.cancelled) }
        var changes: ObjectValues = [:]
        do {
            try policy(object, &changes)
        } catch {
            throw CoreDataError(.expression("\(object)", reason: "\(error)"))
        }
        if !changes.isEmpty { try write(object, changes.mapValues { $0?.predicateValue ?? .null }) }
    }

    // MARK: - Objects

    private func keys(_ entity: String, _ predicate: FormatPredicate?) throws(CoreDataError) -> [Int64] {
        try storing { () throws(StoreError) in
            try store.objects.integerKeys(FetchRequest(entity, predicate, allowsResidual: true))
        }
    }

    /// The object with a key, and what it was made of.
    private func migrated(_ entity: String, _ key: Int64) throws(CoreDataError) -> MigratedObject? {
        let exact = try store.exactEntity(of: entity, key)
        guard let made = store.objects.object(SQLObjectID(exact, key: .integer(key))) else { return nil }
        let (source, mapping) = origin(exact, key)
        return MigratedObject(destination: made, source: source, mapping: mapping, store: store)
    }

    private func origin(_ entity: String, _ key: Int64) -> (StoredObject?, EntityMapping?) {
        switch origins {
        case .inferred(let keys):
            guard let passage = keys.passages.first(where: { $0.destination.name == entity }) else { return (nil, nil) }
            let id = SQLObjectID(passage.source.name, key: .integer(key - passage.offset))
            return (migration.source.objects.object(id), nil)
        case .mapped(let instances):
            for (index, mapping) in (mapping?.entityMappings ?? []).enumerated() {
                guard mapping.destinationEntityName == entity, let old = mapping.sourceEntityName,
                    let source = instances.pairs(index).source(of: key)
                else { continue }
                return (instances.sourceObject(old, source), mapping)
            }
            return (nil, nil)
        }
    }

    private func write(_ object: MigratedObject, _ values: [String: PredicateValue]) throws(CoreDataError) {
        guard case .integer(let key) = object.id.key else { return }
        try ObjectWriter(store, isDraft: true).update(ObjectKey(entity: object.id.entity, key: key), values)
    }
}
