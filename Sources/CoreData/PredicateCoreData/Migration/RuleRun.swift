import Foundation
import PredicateEvaluation
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// Applying rules to migrated objects.
extension PolicyRun {
    /// Applies a rule and returns the entity for which it makes objects.
    func apply(_ rule: MigrationRules.Rule) throws(CoreDataError) -> String? {
        let keys = try keys(of: rule)
        switch rule.action {
        case .assign(let key, let expression):
            let value = try evaluator(expression, key)
            for key in keys { try assign(value, rule, key) }
            return nil
        case .relate(let key, let objects): return try make(objects, rule, keys, relationship: key)
        case .make(let objects): return try make(objects, rule, keys, relationship: nil)
        case .delete:
            try writer.delete(keys, of: rule.entity)
            return nil
        }
    }

    // MARK: - Selection

    /// The keys of the objects that satisfy the predicate. A predicate with `$source` is evaluated in memory.
    private func keys(of rule: MigrationRules.Rule) throws(CoreDataError) -> [Int64] {
        guard !PredicateReferences(rule.predicate.node).variables.isEmpty else {
            return try keys(rule.entity, rule.predicate)
        }
        let line = "line \(rule.place.line)"
        let evaluator = try evaluating(line) { () throws(EvaluationError) in
            try PredicateEvaluator(rule.predicate, registry: registry)
        }
        var selected: [Int64] = []
        for key in try keys(rule.entity, nil) {
            guard let object = try migrated(rule.entity, key) else { continue }
            let isSelected = try evaluating("\(object), \(line)") { () throws(EvaluationError) in
                try evaluator.evaluate(with: object.destination as Any, variables: variables(object))
            }
            if isSelected { selected.append(key) }
        }
        return selected
    }

    // MARK: - Values

    private func evaluator(_ expression: FormatExpression, _ key: String) throws(CoreDataError) -> ExpressionEvaluator {
        try evaluating(key) { () throws(EvaluationError) in try ExpressionEvaluator(expression, registry: registry) }
    }

    private func variables(_ object: MigratedObject) -> PredicateVariables {
        PredicateVariables([
            "source": object.source?.predicateValue ?? .null, "destination": object.destination.predicateValue,
        ])
    }

    private func value(
        _ evaluator: ExpressionEvaluator, _ key: String, _ object: MigratedObject, _ variables: PredicateVariables
    ) throws(CoreDataError) -> KeyedValue {
        try evaluating("\(object), \(key)") { () throws(EvaluationError) in
            try evaluator.value(with: object.destination as Any, variables: variables)
        }
    }

    private func assign(
        _ evaluator: ExpressionEvaluator, _ rule: MigrationRules.Rule, _ key: Int64
    ) throws(CoreDataError) {
        guard case .assign(let name, _) = rule.action, let object = try migrated(rule.entity, key) else { return }
        let value = try value(evaluator, name, object, variables(object))
        try write(object, [name: try stored(value, name, of: object.id.entity)])
    }

    /// The value to store for a key: in the type of an attribute, or with objects of the new store for a relationship.
    private func stored(_ value: KeyedValue, _ key: String, of entity: String) throws(CoreDataError) -> PredicateValue {
        guard let relationship = store.model.relationships(of: entity).first(where: { $0.name == key }) else {
            return value.storedValue(as: store.model.storedAttributes(of: entity).first { $0.name == key }?.type)
        }
        let value = value.storedValue(as: nil)
        guard let elements = value.listedObjects else { return value }
        var objects: [PredicateValue] = []
        for element in elements {
            if let made = try madeObject(of: element, relationship.destinationEntityName ?? "") { objects.append(made) }
        }
        return relationship.isToMany ? .array(objects) : objects.first ?? .null
    }

    // MARK: - Finding and making

    /// Finds or makes objects for each selected object. Returns the entity if any may be made.
    private func make(
        _ objects: MigrationRules.Objects, _ rule: MigrationRules.Rule, _ keys: [Int64], relationship: String?
    ) throws(CoreDataError) -> String? {
        var maker = try ObjectMaker(objects, self)
        for key in keys {
            guard let object = try migrated(rule.entity, key) else { continue }
            let found = try maker.objects(for: object)
            guard let relationship else { continue }
            let isToMany = store.model.relationships(of: rule.entity).first { $0.name == relationship }?.isToMany
            let ids = found.map(\.id.predicateValue)
            try write(object, [relationship: isToMany ?? false ? .array(ids) : ids.first ?? .null])
        }
        return objects.made == nil ? nil : objects.entity
    }

    /// Finds and makes the objects of one rule. Existing objects are read once.
    private struct ObjectMaker {
        private let rule: MigrationRules.Objects
        private let run: PolicyRun
        private let found: [Prepared]
        private let made: [Prepared]
        private let each: Prepared?
        private var known: [[PredicateValue]: [ObjectKey]] = [:]
        private var insertion: ObjectInsertion?

        private struct Prepared {
            let key: String
            let evaluator: ExpressionEvaluator
        }

        init(_ rule: MigrationRules.Objects, _ run: PolicyRun) throws(CoreDataError) {
            (self.rule, self.run) = (rule, run)
            found = try Self.prepared(rule.found ?? [], run)
            made = try Self.prepared(rule.made ?? [], run)
            each = try rule.each.map { (each) throws(CoreDataError) in
                Prepared(key: each.variable, evaluator: try run.evaluator(each.collection, each.variable))
            }
            if rule.made != nil { insertion = try ObjectInsertion(run.writer, rule.entity) }
            if rule.found != nil { try readKnown() }
        }

        private static func prepared(
            _ fields: [MigrationRules.Field], _ run: PolicyRun
        ) throws(CoreDataError) -> [Prepared] {
            var prepared: [Prepared] = []
            for field in fields {
                prepared.append(Prepared(key: field.key, evaluator: try run.evaluator(field.expression, field.key)))
            }
            return prepared
        }

        private mutating func readKnown() throws(CoreDataError) {
            let keys = try run.keys(rule.entity, nil)
            for start in stride(from: 0, to: keys.count, by: 512) {
                let chunk = keys[start..<min(start + 512, keys.count)]
                let objects = try storing { () throws(StoreError) in
                    try run.store.objects.fetchAll(rule.entity, keys: chunk)
                }
                for object in objects {
                    let values = found.map { object[$0.key] ?? .null }
                    known[values, default: []].append(try run.store.objectKey(object.id))
                }
            }
        }

        /// The objects for a migrated object: for each element of the collection, or once.
        mutating func objects(for object: MigratedObject) throws(CoreDataError) -> [ObjectKey] {
            if Task.isCancelled { throw CoreDataError(.cancelled) }
            var variables = run.variables(object)
            guard let each else { return try objects(for: object, variables) }
            var all: [ObjectKey] = []
            let collection = try run.value(each.evaluator, each.key, object, variables)
            for element in collection.elements {
                variables[each.key] = element
                for other in try objects(for: object, variables) where !all.contains(other) { all.append(other) }
            }
            return all
        }

        private mutating func objects(
            for object: MigratedObject, _ variables: PredicateVariables
        ) throws(CoreDataError) -> [ObjectKey] {
            var values: [String: PredicateValue] = [:]
            for field in found { values[field.key] = try value(field, object, variables) }
            let wanted = found.map { values[$0.key] ?? .null }
            if rule.found != nil {
                if wanted.contains(.null) || wanted.contains(.nullObject) { return [] }
                if let objects = known[wanted] { return objects }
            }
            guard insertion != nil else { return [] }
            for field in made { values[field.key] = try value(field, object, variables) }
            guard let key = try insertion?.insert(values) else { return [] }
            let new = ObjectKey(entity: rule.entity, key: key)
            if rule.found != nil { known[wanted] = [new] }
            return [new]
        }

        private func value(
            _ field: Prepared, _ object: MigratedObject, _ variables: PredicateVariables
        ) throws(CoreDataError) -> PredicateValue {
            let value = try run.value(field.evaluator, field.key, object, variables)
            return try run.stored(value, field.key, of: rule.entity)
        }
    }
}

extension KeyedValue {
    /// The elements of a collection. Nil has none, and any other value is its only element.
    fileprivate var elements: [KeyedValue] {
        switch self {
        case .collection(let collection): collection.elements
        case .object: [self]
        case .value(let value): value.listedObjects.map { $0.map(KeyedValue.value) } ?? [self]
        }
    }
}

extension MigrationRules {
    /// The functions and messages of a migration: those of the host, and the messages that the rules define.
    func registry(_ standard: EvaluationRegistry) throws(CoreDataError) -> EvaluationRegistry {
        var registry = standard
        if registry.functions["UUID"] == nil { registry.registerFunction("UUID") { _ in .value(.uuid(UUID())) } }
        for message in messages {
            let evaluator = try evaluating("line \(message.place.line)") { () throws(EvaluationError) in
                try ExpressionEvaluator(message.expression, registry: registry)
            }
            registry.registerMessage(message.selector) { target, arguments in
                var variables = PredicateVariables([:])
                for (name, value) in zip(message.parameters, arguments) { variables[name] = value }
                return try evaluator.value(target, variables: variables)
            }
        }
        return registry
    }
}
