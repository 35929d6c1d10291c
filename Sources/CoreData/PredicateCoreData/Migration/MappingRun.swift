import PredicateEvaluation
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// Runs a migration by a mapping model: creates objects, relates them, applies policies and checks the result.
struct MappingRun {
    private let migration: StoreMigration
    private let mapping: MappingModel
    private let connection: StoreConnection
    private let check: MigrationCheck

    init(
        _ migration: StoreMigration, _ mapping: MappingModel, _ path: String, _ layout: StoreLayout
    ) throws(CoreDataError) {
        self.migration = migration
        do throws(ModelError) {
            self.mapping = try mapping.resolved(from: migration.source.model, to: migration.destination)
        } catch {
            throw CoreDataError(.invalidMapping("model", .unreadable(error)))
        }
        connection = try .migrating(path)
        check = MigrationCheck(connection: connection, layout: layout)
        for entity in self.mapping.entityMappings { try checkPolicy(entity) }
    }

    /// Checks that a policy class is registered, or replaced by a rule for its entity or by messages.
    private func checkPolicy(_ mapping: EntityMapping) throws(CoreDataError) {
        guard let name = mapping.migrationPolicyClassName, migration.policies[name] == nil else { return }
        let entity = mapping.destinationEntityName ?? ""
        guard migration.rules.messages.isEmpty, !migration.rules.rules.contains(where: { $0.entity == entity }) else {
            return
        }
        throw CoreDataError(.missingPolicy(className: name, mapping: mapping.name))
    }

    /// Writes all objects in one transaction, from one snapshot of the old store.
    func write(_ progress: (StoreMigration.Stage) -> Void) throws(CoreDataError) {
        try migration.source.objects.reading { () throws(CoreDataError) in
            try connection.migrate { () throws(CoreDataError) in try writeTables(progress) }
        }
    }

    private func run(_ fragment: SQLFragment) throws(CoreDataError) { try connection.runMigrating(fragment) }

    private func writeTables(_ progress: (StoreMigration.Stage) -> Void) throws(CoreDataError) {
        let tables = StoreTables(layout: check.layout)
        for statement in tables.tables { try run(SQLFragment(statement)) }
        for row in tables.ownRows() { try run(row) }
        let metadata = migration.migratedMetadata
        try run(metadata.row(try metadata.data()))
        // External data of the old store is copied into the rows of the new one.
        let store = try migration.newStore(connection)
        let pass = try MappingPass(migration, mapping, store)
        try pass.run(progress)
        try checkCounts(pass.instances)
        _ = try PolicyRun(store, migration, .mapped(pass.instances)).run(migration.derivations(), progress)
        progress(.indexes)
        try connection.makeIndexes(tables, check)
        progress(.verification)
        try checkMandatory()
    }

    /// Checks that all created objects are present, before policies add others.
    private func checkCounts(_ instances: MappedInstances) throws(CoreDataError) {
        var made: [String: Int64] = [:]
        for (index, mapping) in mapping.entityMappings.enumerated() {
            guard let name = mapping.destinationEntityName else { continue }
            made[name, default: 0] += Int64(instances.pairs(index).count)
        }
        for (name, wanted) in made.sorted(by: { $0.key < $1.key }) {
            guard let entity = check.layout.entities[name] else { continue }
            let found = try check.count(entity)
            guard found == wanted else {
                throw CoreDataError(.verification("\(name) has \(found) objects, \(wanted) were created"))
            }
        }
    }

    /// Checks that all mandatory values are present.
    private func checkMandatory() throws(CoreDataError) {
        for entity in check.layout.ordered where !entity.isAbstract {
            try check.count(entity, mandatory: migration.destination.mandatoryKeys(of: entity.name))
        }
    }
}

/// The mapping of an entity with its expressions prepared for evaluation.
struct PreparedMapping {
    /// The value expression of one property.
    struct PreparedProperty {
        let name: String
        let evaluator: ExpressionEvaluator
        /// The format string of the expression.
        let format: String
    }

    let name: String
    let source: String?
    let destination: String?
    /// The class of the policy; nil if there is none.
    let policy: String?
    let filter: FormatPredicate?
    /// The properties with a value expression. All others keep the values of a new object.
    let attributes: [(property: PreparedProperty, description: AttributeDescription)]
    let relationships: [(property: PreparedProperty, description: RelationshipDescription)]
    /// `$entityMapping`
    let entityMapping: PredicateValue
    /// The attributes to which rules or a policy may assign other values than their expressions.
    let replaced: Set<String>

    /// Throws `invalidMapping` for an unknown property and for an invalid source filter, `expression` for a value
    /// expression that cannot be evaluated.
    init(
        _ mapping: EntityMapping, _ migration: StoreMigration, _ registry: EvaluationRegistry
    ) throws(CoreDataError) {
        let model = migration.destination
        (name, source, destination) = (mapping.name, mapping.sourceEntityName, mapping.destinationEntityName)
        policy = mapping.migrationPolicyClassName
        filter = try Self.filter(mapping)
        attributes = try Self.properties(
            mapping.attributeMappings, destination.map(model.attributes) ?? [], \.name, mapping, registry,
            unknown: CoreDataError.MappingProblem.unknownAttribute)
        relationships = try Self.properties(
            mapping.relationshipMappings, destination.map(model.relationships) ?? [], \.name, mapping, registry,
            unknown: CoreDataError.MappingProblem.unknownRelationship)
        entityMapping = [
            "name": .string(mapping.name), "userInfo": .dictionary(mapping.userInfo),
            "sourceEntityName": source.map(PredicateValue.string) ?? .null,
            "destinationEntityName": destination.map(PredicateValue.string) ?? .null,
        ]
        let (hasPolicy, entity) = (policy.map { migration.policies[$0] != nil } ?? false, destination ?? "")
        replaced = Set(
            attributes.map(\.property.name).filter { hasPolicy || migration.rules.assign($0, of: entity, in: model) })
    }

    /// The properties that have a value expression, each with its description in the new model.
    private static func properties<Description>(
        _ properties: [PropertyMapping], _ known: [Description], _ name: KeyPath<Description, String>,
        _ mapping: EntityMapping, _ registry: EvaluationRegistry,
        unknown: (String, String, [String]) -> CoreDataError.MappingProblem
    ) throws(CoreDataError) -> [(property: PreparedProperty, description: Description)] {
        var found: [(property: PreparedProperty, description: Description)] = []
        for property in properties {
            guard let description = known.first(where: { $0[keyPath: name] == property.name }) else {
                let near = NearMiss.candidates(for: property.name, among: known.map { $0[keyPath: name] })
                let entity = mapping.destinationEntityName ?? ""
                throw CoreDataError(.invalidMapping(mapping.name, unknown(property.name, entity, near)))
            }
            guard let value = property.valueExpression else { continue }
            let evaluator = try value.evaluator("\(mapping.name), \(property.name)", registry)
            let prepared = PreparedProperty(
                name: property.name, evaluator: evaluator, format: evaluator.expression.expressionFormat)
            found.append((prepared, description))
        }
        return found
    }

    private static func filter(_ mapping: EntityMapping) throws(CoreDataError) -> FormatPredicate? {
        do throws(PredicateFormatError) {
            return try mapping.sourceFilter?.predicate()
        } catch {
            throw CoreDataError(.invalidMapping(mapping.name, .sourceFilter(error)))
        }
    }
}

/// The passes of a mapping model over the old store: the first creates objects with attributes, the second relates
/// them.
///
/// Objects of the old store are read in chunks; only keys are kept between the passes. Value expressions can use
/// `$source`, `$destination`, `$manager`, `$entityMapping`, `$propertyMapping` and `$entityPolicy`, and the migration
/// manager's messages that look up source and destination objects.
struct MappingPass {
    private let migration: StoreMigration
    private let writer: ObjectWriter
    private let mappings: [PreparedMapping]
    let instances: MappedInstances
    private let manager: PredicateValue

    /// The number of objects read at a time.
    private static let chunk = 512

    /// Prepares all expressions, so that an invalid one is reported before anything is read.
    init(_ migration: StoreMigration, _ mapping: MappingModel, _ store: CoreDataStore) throws(CoreDataError) {
        (self.migration, writer) = (migration, try ObjectWriter(store, defersValidation: true))
        let instances = MappedInstances(mapping.entityMappings, from: migration.source, to: store)
        let registry = instances.registry(try migration.rules.registry(migration.policies.registry))
        var prepared: [PreparedMapping] = []
        for mapping in mapping.entityMappings {
            prepared.append(try PreparedMapping(mapping, migration, registry))
        }
        (self.instances, mappings) = (instances, prepared)
        manager = [
            "sourceContext": migration.source.objects.context.predicateValue,
            "destinationContext": store.objects.context.predicateValue,
        ]
    }

    func run(_ progress: (StoreMigration.Stage) -> Void) throws(CoreDataError) {
        for (index, mapping) in mappings.enumerated() { try makeObjects(index, mapping, progress) }
        progress(.relationships)
        for (index, mapping) in mappings.enumerated() { try relateObjects(index, mapping) }
    }

    private func checkCancellation() throws(CoreDataError) {
        if Task.isCancelled { throw CoreDataError(.cancelled) }
    }

    // MARK: - Objects

    private func makeObjects(
        _ index: Int, _ mapping: PreparedMapping, _ progress: (StoreMigration.Stage) -> Void
    ) throws(CoreDataError) {
        guard let source = mapping.source, let destination = mapping.destination else { return }
        try checkExternalData(source, mapping)
        let keys = try sourceKeys(source, mapping.filter)
        progress(.entity(destination, count: keys.count))
        let insertion = try ObjectInsertion(writer, destination)
        var unfit: [String: CoreDataError] = [:]
        for start in stride(from: 0, to: keys.count, by: Self.chunk) {
            try checkCancellation()
            let chunk = keys[start..<min(start + Self.chunk, keys.count)]
            let objects = try sourceObjects(source, chunk)
            try insertion.reserve(objects.count)
            for object in objects {
                guard case .integer(let key) = object.id.key else { continue }
                let made = try insertion.insert(try attributes(of: object, mapping, insertion, &unfit))
                instances.add(index, source: key, made: made)
            }
        }
        let model = migration.destination
        instances.leave(index, unfit.filter { !migration.rules.assign($0.key, of: destination, in: model) })
    }

    /// The values of the expressions. Those that fail or do not fit are left to the rule or the policy that replaces them.
    private func attributes(
        of object: StoredObject, _ mapping: PreparedMapping, _ insertion: ObjectInsertion,
        _ unfit: inout [String: CoreDataError]
    ) throws(CoreDataError) -> [String: PredicateValue] {
        var values: [String: PredicateValue] = [:]
        let variables = variables(object, mapping, destination: nil)
        for (property, attribute) in mapping.attributes {
            let isReplaced = mapping.replaced.contains(property.name)
            do throws(CoreDataError) {
                let value = try value(property, object, variables, mapping).storedValue(as: attribute.type)
                if isReplaced { try insertion.check(value, of: property.name) }
                values[property.name] = value
            } catch {
                guard isReplaced else { throw error }
                unfit[property.name] = error
            }
        }
        return values
    }

    /// Throws `missingExternalData` if an expression uses external data whose file does not exist.
    private func checkExternalData(_ source: String, _ mapping: PreparedMapping) throws(CoreDataError) {
        guard let entity = migration.source.layout.entities[source] else { return }
        for attribute in migration.source.model.attributes(of: source)
        where attribute.allowsExternalBinaryDataStorage
            && mapping.attributes.contains(where: { $0.property.format.contains(attribute.name) })
        {
            let missing = try migration.source.missingData(attribute.name, of: entity)
            try [missing].compactMap(\.self).check(allowing: migration.allowsMissingData)
        }
    }

    /// The keys of the entity's own objects. Subentities have mappings of their own.
    private func sourceKeys(_ entity: String, _ filter: FormatPredicate?) throws(CoreDataError) -> [Int64] {
        let source = migration.source
        let request = PredicateFetchRequest(entity, filter, allowsResidual: true)
        let keys = try storing { () throws(StoreError) in try source.objects.fetchIntegerKeys(request) }
        guard let stored = source.layout.entities[entity], !stored.descendants.isEmpty else { return keys }
        var own: [Int64] = []
        for key in keys where try source.concreteEntity(of: entity, key) == entity { own.append(key) }
        return own
    }

    private func sourceObjects(_ entity: String, _ keys: ArraySlice<Int64>) throws(CoreDataError) -> [StoredObject] {
        try storing { () throws(StoreError) in try migration.source.objects.fetchAll(entity, keys: keys) }
    }

    // MARK: - Relationships

    private func relateObjects(_ index: Int, _ mapping: PreparedMapping) throws(CoreDataError) {
        guard let source = mapping.source, let destination = mapping.destination, !mapping.relationships.isEmpty else {
            return
        }
        let pairs = instances.pairs(index)
        for start in stride(from: 0, to: pairs.count, by: Self.chunk) {
            try checkCancellation()
            let chunk = pairs[start..<min(start + Self.chunk, pairs.count)]
            let objects = try sourceObjects(source, chunk.map(\.source)[...])
            for (object, pair) in zip(objects, chunk) {
                try relate(object, ObjectKey(entity: destination, key: pair.made), mapping)
            }
        }
    }

    private func relate(
        _ object: StoredObject, _ made: ObjectKey, _ mapping: PreparedMapping
    ) throws(CoreDataError) {
        let variables = variables(object, mapping, destination: instances.madeObject(made.entity, made.key))
        for relationship in mapping.relationships {
            let targetEntity = relationship.description.destinationEntityName
            let value = try instances.looking(for: targetEntity) { () throws(CoreDataError) -> KeyedValue in
                try self.value(relationship.property, object, variables, mapping)
            }
            let targets = value.storedValue(as: nil)
            // The mapping of either end may provide the objects, so an end without objects must not clear the relationship.
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
        _ property: PreparedMapping.PreparedProperty, _ object: StoredObject, _ variables: PredicateVariables,
        _ mapping: PreparedMapping
    ) throws(CoreDataError) -> KeyedValue {
        var variables = variables
        variables["propertyMapping"] = .value(["name": .string(property.name)])
        return try evaluating("\(mapping.name), \(property.name)") { () throws(EvaluationError) in
            try property.evaluator.value(with: object as Any, variables: variables)
        }
    }
}

extension PredicateValue {
    /// True for nil and for an empty array.
    fileprivate var isNothing: Bool { self == .null || self == .nullObject || self == .array([]) }
}

extension ObjectKey {
    /// The ID for predicates.
    var id: SQLObjectID { SQLObjectID(entity, key: .integer(key)) }
}
