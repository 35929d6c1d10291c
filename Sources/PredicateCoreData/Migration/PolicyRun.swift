import PredicateEvaluation
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// Applies policies and rules to the objects of a store that is being migrated.
struct PolicyRun {
    private let store: CoreDataStore
    private let migration: StoreMigration
    private var policies: [(entity: String, policy: MigrationPolicies.Policy)]

    /// `mapping` names policies by their classes.
    init(_ store: CoreDataStore, _ migration: StoreMigration, _ mapping: MappingModel? = nil) {
        (self.store, self.migration) = (store, migration)
        policies = migration.policies.byEntity.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        for entity in mapping?.entityMappings ?? [] {
            guard let name = entity.migrationPolicyClassName, let policy = migration.policies[name],
                let destination = entity.destinationEntityName
            else { continue }
            policies.append((destination, policy))
        }
    }

    func run(_ progress: (StoreMigration.Step) -> Void) throws(CoreDataError) {
        for rule in migration.rules.rules {
            progress(.policy(rule.entity))
            try apply(rule)
        }
        for (entity, policy) in policies {
            progress(.policy(entity))
            try apply(policy, entity)
        }
    }

    private func apply(_ rule: MigrationRules.Rule) throws(CoreDataError) {
        let evaluator = try expression(rule)
        for object in try objects(rule.entity, rule.predicate) {
            let value = try value(evaluator, object, rule)
            try write(object, [rule.key: value])
        }
    }

    private func objects(_ entity: String, _ predicate: FormatPredicate?) throws(CoreDataError) -> [StoredObject] {
        try storing { () throws(StoreError) in
            try store.objects.fetch(FetchRequest(entity, predicate, allowsResidual: true)).all()
        }
    }

    private func expression(_ rule: MigrationRules.Rule) throws(CoreDataError) -> ExpressionEvaluator {
        do throws(EvaluationError) {
            return try ExpressionEvaluator(rule.expression)
        } catch {
            throw CoreDataError(.expression(rule.key, reason: error.title))
        }
    }

    private func value(
        _ evaluator: ExpressionEvaluator, _ object: StoredObject, _ rule: MigrationRules.Rule
    ) throws(CoreDataError) -> PredicateValue {
        do throws(EvaluationError) {
            return try evaluator.value(with: object as Any).storedValue(
                as: store.model.attributes(of: rule.entity).first { $0.name == rule.key }?.type)
        } catch {
            throw CoreDataError(.expression("\(object), \(rule.key)", reason: error.title))
        }
    }

    private func apply(_ policy: MigrationPolicies.Policy, _ entity: String) throws(CoreDataError) {
        for object in try objects(entity, nil) {
            var changes: ObjectValues = [:]
            do {
                try policy(object, &changes)
            } catch {
                throw CoreDataError(.expression("\(object)", reason: "\(error)"))
            }
            if !changes.isEmpty { try write(object, changes.mapValues { $0?.predicateValue ?? .null }) }
        }
    }

    private func write(_ object: StoredObject, _ values: [String: PredicateValue]) throws(CoreDataError) {
        guard case .integer(let key) = object.id.key else { return }
        let name = try store.exactEntity(of: object.id.entity, key)
        try ObjectWriter(store).update(ObjectKey(entity: name, key: key), values)
    }
}

extension KeyedValue {
    /// The value as an attribute of a type keeps it: 1 of a Boolean is true, whole numbers are integers.
    func storedValue(as type: AttributeType?) -> PredicateValue {
        switch self {
        case .value(let value): value.converted(to: type)
        case .object(let object): Self.identity(object)
        case .collection(let collection): .array(collection.elements.map { $0.storedValue(as: nil) })
        }
    }

    private static func identity(_ object: any KeyValueCoding) -> PredicateValue {
        (object as? StoredObject)?.predicateValue ?? .null
    }
}

extension PredicateValue {
    /// The value in the kind of a type, where that keeps it.
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
