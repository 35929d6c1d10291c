public import PredicateEvaluation
public import PredicateModel
public import PredicateSQL
public import PredicateStore
import PredicateSyntax

/// Applies policies and rules to the objects of a store during a migration.
///
/// All keys are fetched first, so that a change cannot affect which objects follow. Objects are read one at a time.
struct PolicyRun {
    private let store: CoreDataStore
    private let migration: StoreMigration
    private let origins: Origins
    private let mapping: MappingModel?

    /// The origin of the objects in the new store.
    private enum Origins {
        case inferred(KeyMap)
        case mapped(MappedInstances)
    }

    /// After an inferred migration.
    init(_ store: CoreDataStore, _ migration: StoreMigration, _ keys: KeyMap) {
        (self.store, self.migration, origins, mapping) = (store, migration, .inferred(keys), nil)
    }

    /// After a migration by a mapping model, which names policies by their classes.
    init(
        _ store: CoreDataStore, _ migration: StoreMigration, _ instances: MappedInstances, _ mapping: MappingModel
    ) {
        (self.store, self.migration, origins, self.mapping) = (store, migration, .mapped(instances), mapping)
    }

    /// Applies rules, then policies, then computes derived attributes.
    func run(
        _ derivations: [MigrationRules.Rule], _ progress: (StoreMigration.Stage) -> Void
    ) throws(CoreDataError) {
        try applyRulesAndPolicies(progress)
        for rule in derivations { try apply(rule) }
    }

    private func applyRulesAndPolicies(_ progress: (StoreMigration.Stage) -> Void) throws(CoreDataError) {
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
                throw CoreDataError(.expression("\(object), \(rule.key)", .evaluation(error)))
            }
            try write(object, [rule.key: value.storedValue(as: type)])
        }
    }

    private func expression(_ rule: MigrationRules.Rule) throws(CoreDataError) -> ExpressionEvaluator {
        do throws(EvaluationError) {
            return try ExpressionEvaluator(rule.expression, registry: migration.policies.registry)
        } catch {
            throw CoreDataError(.expression(rule.key, .evaluation(error)))
        }
    }

    // MARK: - Policies

    /// Applies the policy of a mapping to the objects that the mapping created.
    private func applyPolicy(
        of mapping: EntityMapping, _ pairs: KeyRuns, _ instances: MappedInstances,
        _ progress: (StoreMigration.Stage) -> Void
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
            throw CoreDataError(.expression("\(object)", .host("\(error)")))
        }
        if !changes.isEmpty { try write(object, changes.mapValues { $0?.predicateValue ?? .null }) }
    }

    // MARK: - Objects

    private func keys(_ entity: String, _ predicate: FormatPredicate?) throws(CoreDataError) -> [Int64] {
        try storing { () throws(StoreError) in
            try store.objects.fetchIntegerKeys(FetchRequest(entity, predicate, allowsResidual: true))
        }
    }

    /// The object with a key, and its source object.
    private func migrated(_ entity: String, _ key: Int64) throws(CoreDataError) -> MigratedObject? {
        let exact = try store.concreteEntity(of: entity, key)
        guard let made = store.objects.object(SQLObjectID(exact, key: .integer(key))) else { return nil }
        let (source, mapping) = origin(exact, key)
        return MigratedObject(destination: made, source: source, mapping: mapping, store: store)
    }

    private func origin(_ entity: String, _ key: Int64) -> (StoredObject?, EntityMapping?) {
        switch origins {
        case .inferred(let keys):
            guard let transfer = keys.transfers.first(where: { $0.destination.name == entity }) else {
                return (nil, nil)
            }
            let id = SQLObjectID(transfer.source.name, key: .integer(key - transfer.offset))
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
        try ObjectWriter(store, defersValidation: true).update(ObjectKey(entity: object.id.entity, key: key), values)
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
    public subscript(className: String) -> Policy? {
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
    public let mapping: EntityMapping?
    /// The new store, within the migration's transaction. A policy may query it and insert further objects.
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

/// Migration rules that need no code: a string with one rule per line.
///
///     # entity, predicate, property = expression
///     ToDo, title BEGINSWITH[c] "a", doNotAlert = YES
///     ToDo, TRUEPREDICATE, lastAlertDate = due
///     ToDo, TRUEPREDICATE, title = $source.name
///
/// The expression is evaluated with the migrated object; `$source` is its source object in the old store. Rules run
/// in order. Empty lines and lines that begin with `#` are ignored.
public struct MigrationRules: Hashable, Sendable {
    /// One rule.
    public struct Rule: Hashable, Sendable {
        /// The entity whose objects the rule changes, including objects of its subentities.
        public var entity: String
        /// Selects the objects to change.
        public var predicate: FormatPredicate
        /// The key to assign.
        public var key: String
        /// The assigned value.
        public var expression: FormatExpression
    }

    /// The rules in order.
    public private(set) var rules: [Rule] = []

    /// No rules.
    public init() {}

    /// Parses rules.
    ///
    /// Throws a ``CoreDataError``: `invalidRule` with the line.
    public init(_ text: String) throws(CoreDataError) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let line = String(line).trimmed
            if line.isEmpty || line.hasPrefix("#") { continue }
            rules.append(try Self.rule(line, index + 1))
        }
    }

    var isEmpty: Bool { rules.isEmpty }

    /// Commas and equals signs may also occur within the predicate and the expression: the first split whose parts
    /// parse is used.
    private static func rule(_ line: String, _ number: Int) throws(CoreDataError) -> Rule {
        guard let first = line.firstIndex(of: ",") else {
            throw CoreDataError(.invalidRule(line: number, .missingPredicate))
        }
        let entity = String(line[..<first]).trimmed
        let rest = line[line.index(after: first)...]
        var problem = CoreDataError.RuleProblem.missingAssignment
        for comma in rest.indices.reversed() where rest[comma] == "," {
            let assignment = String(rest[rest.index(after: comma)...])
            guard let sign = assignment.firstIndex(of: "=") else { continue }
            let key = String(assignment[..<sign]).trimmed
            guard !key.isEmpty, key.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }) else {
                continue
            }
            do throws(PredicateFormatError) {
                return Rule(
                    entity: entity,
                    predicate: try FormatPredicate(format: String(rest[..<comma]).trimmed, arguments: []),
                    key: key,
                    expression: try FormatExpression(
                        format: String(assignment[assignment.index(after: sign)...]).trimmed, arguments: []))
            } catch {
                problem = .format(error)
            }
        }
        throw CoreDataError(.invalidRule(line: number, problem))
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.first?.isWhitespace ?? false { text = text.dropFirst() }
        while text.last?.isWhitespace ?? false { text = text.dropLast() }
        return String(text)
    }
}

extension StoreMigration {
    /// Rules that compute derived attributes: those that are new or whose derivation changed. After a mapping model,
    /// rules or policies, all derived attributes are recomputed, since the values they depend on may have changed.
    func derivations() throws(CoreDataError) -> [MigrationRules.Rule] {
        var found: [MigrationRules.Rule] = []
        let keepsValues = mapping == nil && rules.isEmpty && policies.isEmpty
        for entity in destination.entitiesInPreorder {
            for attribute in entity.attributes where attribute.isStored {
                guard let derivation = attribute.derivation else { continue }
                let old = match.sourceAttribute(attribute, of: entity.name)
                if keepsValues, old?.derivation == derivation, old?.type == attribute.type { continue }
                do throws(PredicateFormatError) {
                    found.append(
                        MigrationRules.Rule(
                            entity: entity.name, predicate: FormatPredicate(.constant(true)), key: attribute.name,
                            expression: try derivation.expression()))
                } catch {
                    throw CoreDataError(.expression("\(entity.name), \(attribute.name)", .format(error)))
                }
            }
        }
        return found
    }
}
