import Foundation
import PredicateEvaluation
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The derived attributes of a model: `books.@count`, `uppercase:(name)`, `now()`. An expression of Core Data reads the
/// attributes of the object and of related objects.
struct DerivedAttributes: Sendable {
    /// A derived attribute and its expression.
    struct Derivation: Sendable {
        let attribute: AttributeDescription
        let evaluator: ExpressionEvaluator
        /// True if the value depends on other objects.
        let isRelated: Bool
    }

    /// The derived attributes of each entity, inherited ones included.
    private(set) var byEntity: [String: [Derivation]] = [:]
    /// The relationships that expressions follow, each with the entity that declares it.
    private(set) var relationships: [(entity: String, relationship: RelationshipDescription)] = []

    /// Throws `expression` for an expression that cannot be evaluated.
    init(_ model: ManagedObjectModel) throws(CoreDataError) {
        for entity in model.entities {
            for attribute in model.attributes(of: entity.name) where attribute.isStored {
                guard let derivation = attribute.derivation else { continue }
                let expression = derivation.overObjects(of: entity.name, in: model)
                let evaluator = try expression.evaluator("\(entity.name), \(attribute.name)", Self.registry)
                let isRelated = follow(PredicateReferences(evaluator.expression.node).keyPaths, entity.name, model)
                byEntity[entity.name, default: []].append(
                    Derivation(attribute: attribute, evaluator: evaluator, isRelated: isRelated))
            }
        }
    }

    var isEmpty: Bool { byEntity.isEmpty }

    /// The functions of Core Data: `canonical:` returns a string without case and diacritics.
    private static let registry: EvaluationRegistry = {
        var registry = EvaluationRegistry.standard
        registry.registerFunction("canonical:") { arguments in
            guard arguments.count == 1, case .value(.string(let text)) = arguments[0] else { return .null }
            return .value(.string(text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)))
        }
        return registry
    }()

    /// Adds the relationships in key paths. Returns true if there are any.
    private mutating func follow(_ paths: [String], _ entity: String, _ model: ManagedObjectModel) -> Bool {
        let followed = paths.flatMap { model.relationships(along: $0.split(separator: "."), from: entity) }
        for (entity, relationship) in followed {
            let isKnown = relationships.contains { ($0.entity, $0.relationship.name) == (entity, relationship.name) }
            if !isKnown { relationships.append((entity, relationship)) }
        }
        return !followed.isEmpty
    }
}

extension ObjectWriter {
    var derived: DerivedAttributes { get throws(CoreDataError) { try store.pendingChanges.derived } }

    /// Records an object whose derived attributes may change, and the objects whose derived attributes depend on it.
    func recordDerived(_ object: ObjectKey) throws(CoreDataError) {
        guard !defersValidation, try !derived.isEmpty else { return }
        store.pendingChanges.recordTouched(object)
        try recordDependents(of: object)
    }

    /// Objects may depend on each other in chains of any length.
    private func recordDependents(of object: ObjectKey) throws(CoreDataError) {
        let relationships = try derived.relationships
        var open = [object]
        while let object = open.popLast() {
            for (entity, relationship) in relationships {
                guard let destination = relationship.destinationEntityName,
                    store.model.isEntity(object.entity, kindOf: destination)
                else { continue }
                open += try related(object, relationship, of: entity, isReversed: true)
                    .filter(store.pendingChanges.recordDependent)
            }
        }
    }

    /// Validates the relationships of imported objects, and computes their derived attributes, beginning with those that depend
    /// on no other object. Memory does not grow with the number of objects.
    func finishImport(_ imported: [(entity: String, firstKey: Int64)]) throws(CoreDataError) {
        for (entity, key) in imported { try validate(entity, from: key) }
        for isRelated in [false, true] {
            for (entity, key) in imported { try derive(entity, from: key) { $0.isRelated == isRelated } }
        }
        for (entity, _) in imported { store.pendingChanges.beginImport(of: entity, at: nil) }
    }

    /// Computes derived attributes of an entity's own objects whose keys are not less than a given one.
    func derive(
        _ name: String, from key: Int64 = .min, _ isIncluded: (DerivedAttributes.Derivation) -> Bool
    ) throws(CoreDataError) {
        guard let stored = store.layout.entities[name], try derived.byEntity[name]?.contains(where: isIncluded) ?? false
        else { return }
        var next: Int64? = key
        while let first = next {
            let keys = try rows(
                """
                SELECT Z_PK FROM \(name: stored.table) WHERE Z_ENT = \(bind: .integer(stored.number))
                AND Z_PK >= \(bind: .integer(first)) ORDER BY Z_PK LIMIT 512
                """
            ).compactMap { $0.first?.number }
            for key in keys { try derive(ObjectKey(entity: name, key: key), isIncluded) }
            next = keys.last.flatMap { $0 < .max ? $0 + 1 : nil }
        }
    }

    /// Computes derived attributes of an object and stores them. The version of the object does not change.
    func derive(
        _ object: ObjectKey, _ isIncluded: (DerivedAttributes.Derivation) -> Bool
    ) throws(CoreDataError) {
        let derivations = try derived.byEntity[object.entity]?.filter(isIncluded) ?? []
        guard !derivations.isEmpty, let found = store.changing?.object(object.id) else { return }
        var values: [String: PredicateValue] = [:]
        for derivation in derivations {
            let value = try evaluating("\(found), \(derivation.attribute.name)") { () throws(EvaluationError) in
                try derivation.evaluator.value(with: found as Any)
            }
            values[derivation.attribute.name] = value.storedValue(as: derivation.attribute.type)
        }
        let assignments = try columns(values, of: object.entity).map { SQLText.assignment($0.name, $0.value) }
        let table = try stored(object.entity).entity.table
        try run("\(SQLText.update("\(name: table)", assignments)) WHERE Z_PK = \(bind: .integer(object.key))")
        try keepDigits(values, of: object.entity, [object.key])
    }
}

extension ManagedObjectModel {
    /// The relationships with which a key path begins, each with the entity that declares it. Collection operators are skipped.
    fileprivate func relationships(
        along keys: some Sequence<some StringProtocol>, from entity: String
    ) -> [(entity: String, relationship: RelationshipDescription)] {
        var (owner, found): (String, [(String, RelationshipDescription)]) = (entity, [])
        for key in keys where key.first != "@" {
            guard let own = property(String(key), of: owner), case .relationship(let relationship) = own.property
            else { break }
            found.append((own.declaringEntity.name, relationship))
            owner = relationship.destinationEntityName ?? ""
        }
        return found
    }
}

extension ModelExpression {
    /// The expression with its collection operator before the attribute of a to-many relationship's objects, `books.@sum.pages`
    /// for `books.pages.@sum` and, in an archive, `sum:(books.pages)`: equal values of several objects are all added.
    fileprivate func overObjects(of entity: String, in model: ManagedObjectModel) -> ModelExpression {
        var node = (try? expression())?.node
        var aggregate: String?
        if case .function(let function)? = node, function.arguments.count == 1, function.function == .predefined(.sum) {
            (node, aggregate) = (function.arguments[0], "@sum")
        }
        guard case .keyPath(let path)? = node, path.base == nil, var keys = path.keys else { return self }
        if aggregate == nil, keys.last == "@sum" { aggregate = keys.removeLast() }
        let relationships = model.relationships(along: keys.dropLast(), from: entity)
        guard let aggregate, relationships.contains(where: \.relationship.isToMany) else { return self }
        keys.insert(aggregate, at: keys.count - 1)
        return ModelExpression(FormatExpression(.keyPath(KeyPathExpression(keys.map { .key($0) }))))
    }

    /// The expression, prepared for evaluation. Throws `expression` with the place if that fails.
    func evaluator(_ place: String, _ registry: EvaluationRegistry) throws(CoreDataError) -> ExpressionEvaluator {
        let problem: CoreDataError.ExpressionProblem
        do {
            return try ExpressionEvaluator(try expression(), registry: registry)
        } catch let error as PredicateFormatError {
            problem = .format(error)
        } catch let error as EvaluationError {
            problem = .evaluation(error)
        } catch {
            problem = .host("\(error)")
        }
        throw CoreDataError(.expression(place, problem))
    }
}
