import Foundation
import PredicateEvaluation
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The changed objects, whose relationships are validated and whose derived attributes are computed when the changes are
/// saved.
///
/// As in Core Data, that is at the end of a ``CoreDataStore/transaction(_:)``, so that two objects that require each
/// other can be inserted one after the other.
final class PendingChanges: @unchecked Sendable {
    private let lock = NSLock()
    private var changed = ObjectList()
    /// The relationships to validate, by entity. Entities without such relationships are left out.
    let checked: [String: [RelationshipDescription]]
    private let derivations: Result<DerivedAttributes, CoreDataError>
    /// The objects whose derived attributes must be computed: all attributes, or those that depend on other objects.
    private var touched = ObjectList()
    private var dependents = ObjectList()
    /// The first keys of the objects that an import inserts. They are validated and derived at its end, and not recorded.
    private var imported: [String: Int64] = [:]
    /// The conditions on values of the entities that were changed.
    private var conditions: [String: ValidationConditions] = [:]

    init(_ model: ManagedObjectModel) {
        var checked: [String: [RelationshipDescription]] = [:]
        for entity in model.entities {
            let found = model.relationships(of: entity.name).filter(\.needsValidation)
            if !found.isEmpty { checked[entity.name] = found }
        }
        self.checked = checked
        derivations = Result { () throws(CoreDataError) in try DerivedAttributes(model) }
    }

    /// The derived attributes of the model. Throws `expression` if one of them cannot be computed.
    var derived: DerivedAttributes { get throws(CoreDataError) { try derivations.get() } }

    func recordChange(_ object: ObjectKey) {
        guard checked[object.entity] != nil else { return }
        lock.withLock { if !isImported(object) { _ = changed.add(object) } }
    }

    func recordTouched(_ object: ObjectKey) { lock.withLock { if !isImported(object) { _ = touched.add(object) } } }

    /// Records an object that depends on a changed one. Returns false if it was recorded before.
    func recordDependent(_ object: ObjectKey) -> Bool {
        lock.withLock { !isImported(object) && dependents.add(object) }
    }

    private func isImported(_ object: ObjectKey) -> Bool { imported[object.entity].map { $0 <= object.key } ?? false }

    /// Begins an import with the first key that the objects of an entity get; nil ends it.
    func beginImport(of entity: String, at key: Int64?) { lock.withLock { imported[entity] = key } }

    /// Removes and returns the objects to validate and to derive, in the order in which they changed.
    func take() -> (changed: [ObjectKey], touched: [ObjectKey], dependents: [ObjectKey]) {
        lock.withLock {
            defer { (changed, touched, dependents, imported) = (ObjectList(), ObjectList(), ObjectList(), [:]) }
            return (changed.all, touched.all, dependents.all.filter { !touched.contains($0) })
        }
    }

    func forget() { _ = take() }

    /// The conditions on the values of an entity, which are prepared once. Throws `invalidValue` for one that cannot be
    /// evaluated.
    func conditions(of entity: String, _ model: ManagedObjectModel) throws(CoreDataError) -> ValidationConditions {
        if let known = lock.withLock({ conditions[entity] }) { return known }
        let prepared = try ValidationConditions(model, entity)
        lock.withLock { conditions[entity] = prepared }
        return prepared
    }
}

/// Objects in the order in which they were added, each once.
private struct ObjectList {
    private(set) var all: [ObjectKey] = []
    private var known: Set<ObjectKey> = []

    /// Returns false if the object was added before.
    mutating func add(_ object: ObjectKey) -> Bool {
        guard known.insert(object).inserted else { return false }
        all.append(object)
        return true
    }

    func contains(_ object: ObjectKey) -> Bool { known.contains(object) }
}

extension RelationshipDescription {
    /// True if the relationship does not allow every number of objects.
    fileprivate var needsValidation: Bool {
        guard !isTransient else { return false }
        return isToMany ? minimumCount > 0 || maximumCount > 0 : !isOptional
    }
}

extension ObjectWriter {
    /// Records an object whose relationships may have changed.
    func recordChange(_ object: ObjectKey) throws(CoreDataError) {
        if !defersValidation { store.pendingChanges.recordChange(object) }
        try recordDerived(object)
    }

    /// Records the objects that a relationship currently refers to.
    func recordRelated(_ object: ObjectKey, _ relationship: RelationshipDescription) throws(CoreDataError) {
        let isDerived = try !derived.isEmpty
        guard !defersValidation, isDerived || !store.pendingChanges.checked.isEmpty else { return }
        for other in try related(object, relationship) { try recordChange(other) }
    }

    /// Validates the relationships of the recorded objects, and computes derived attributes. Within a transaction, that
    /// happens at its end.
    ///
    /// Throws `missingValue` for a mandatory relationship without an object, `tooFewObjects` and `tooManyObjects` for
    /// a count out of bounds.
    func validate() throws(CoreDataError) {
        guard connection.isInOutermostTransaction else { return }
        let (changed, touched, dependents) = store.pendingChanges.take()
        for object in changed {
            for relationship in store.pendingChanges.checked[object.entity] ?? [] where try exists(object) {
                try validate(object, relationship)
            }
        }
        for object in touched where try exists(object) { try derive(object) { _ in true } }
        for object in dependents where try exists(object) { try derive(object, \.isRelated) }
    }

    /// Validates the relationships of an entity's own objects from a key on, by one statement for each relationship. Throws
    /// as ``validate()``.
    func validate(_ name: String, from key: Int64) throws(CoreDataError) {
        guard let entity = store.layout.entities[name] else { return }
        for relationship in store.pendingChanges.checked[name] ?? [] {
            guard let related = relatedRows("owner.Z_PK", relationship, of: name) else { continue }
            let (least, most) = relationship.isToMany ? (relationship.minimumCount, relationship.maximumCount) : (1, 1)
            let count: SQLText = "(SELECT COUNT(*) FROM \(related))"
            // An optional relationship may have none, which is then NULL.
            let checked: SQLText = relationship.isOptional ? "NULLIF(\(count), 0)" : count
            let wrong = try rows(
                """
                SELECT Z_PK FROM \(name: entity.table) AS owner WHERE Z_PK >= \(bind: .integer(key))
                AND Z_ENT = \(bind: .integer(entity.number)) AND \(checked) NOT BETWEEN \(number: Int64(least))
                AND \(number: most > 0 ? Int64(most) : .max) ORDER BY Z_PK LIMIT 1
                """)
            guard let found = wrong.first?.first?.number else { continue }
            try validate(ObjectKey(entity: name, key: found), relationship)
        }
    }

    private func validate(
        _ object: ObjectKey, _ relationship: RelationshipDescription
    ) throws(CoreDataError) {
        let count = try related(object, relationship).count
        let (key, entity) = (relationship.name, object.entity)
        guard relationship.isToMany else {
            guard count == 0 else { return }
            throw CoreDataError(.missingValue(key: key, entity: entity, count: 1))
        }
        if count == 0, relationship.isOptional { return }
        if count < relationship.minimumCount {
            throw CoreDataError(
                .tooFewObjects(key: key, entity: entity, found: count, minimum: relationship.minimumCount))
        }
        if relationship.maximumCount > 0, count > relationship.maximumCount {
            throw CoreDataError(
                .tooManyObjects(key: key, entity: entity, found: count, maximum: relationship.maximumCount))
        }
    }

    private func exists(_ object: ObjectKey) throws(CoreDataError) -> Bool {
        try concreteEntity(of: object.entity, object.key) != nil
    }

    /// The object's own entity (not a superentity); nil if no object has the key.
    func concreteEntity(of name: String, _ key: Int64) throws(CoreDataError) -> String? {
        guard let entity = store.layout.entities[name] else { return nil }
        let query: SQLText = "SELECT Z_ENT FROM \(name: entity.table) WHERE Z_PK = \(bind: .integer(key))"
        guard let number = try rows(query).first?.first?.number else { return nil }
        return number == entity.number ? name : store.layout.entity(numbered: number)?.name
    }

    /// The objects of a relationship, each with its own entity.
    func related(
        _ object: ObjectKey, _ relationship: RelationshipDescription
    ) throws(CoreDataError) -> [ObjectKey] {
        try related(object, relationship, of: object.entity, isReversed: false)
    }

    /// The related objects of an object or, if `isReversed`, the objects of the entity whose relationship contains it.
    func related(
        _ object: ObjectKey, _ relationship: RelationshipDescription, of entity: String, isReversed: Bool
    ) throws(CoreDataError) -> [ObjectKey] {
        let key: SQLText = "\(bind: .integer(object.key))"
        guard let source = relatedRows(key, relationship, of: entity, isReversed: isReversed) else { return [] }
        return try rows("SELECT Z_PK, Z_ENT FROM \(source)").compactMap { row in
            guard let key = row[0].number, let name = row[1].number.flatMap({ store.layout.entity(numbered: $0)?.name })
            else { return nil }
            return ObjectKey(entity: name, key: key)
        }
    }

    /// `"ZITEM" WHERE "ZLIST" = ?1`: the rows of the related objects or, if `isReversed`, of the objects whose relationship
    /// contains an object; nil if the file does not have the relationship.
    private func relatedRows(
        _ key: SQLText, _ relationship: RelationshipDescription, of entity: String, isReversed: Bool = false
    ) -> SQLText? {
        let layout = store.layout
        guard let entity = layout.entities[entity],
            let other = relationship.destinationEntityName.flatMap({ layout.entities[$0]?.table }),
            let pairs = store.file.links(relationship, of: entity, in: layout)
        else { return nil }
        let (table, known, wanted) =
            isReversed ? (entity.table, pairs.target, pairs.source) : (other, pairs.source, pairs.target)
        guard pairs.table != table || wanted != "Z_PK" else { return "\(name: table) WHERE \(name: known) = \(key)" }
        return """
            \(name: table) WHERE Z_PK IN (SELECT \(name: wanted) FROM \(name: pairs.table) WHERE \(name: known) = \(key))
            """
    }
}

/// The model's conditions on attribute values other than bounds: regular expressions, and predicates of compiled
/// models.
///
/// `SELF MATCHES "[A-Z][a-z]*"` has the error number 1680; a predicate has the number that the model gives it.
struct ValidationConditions {
    private struct Condition {
        let evaluator: PredicateEvaluator
        let problem: CoreDataError.ValueProblem
    }

    private var conditions: [String: [Condition]] = [:]

    /// Throws `invalidValue` for a condition that cannot be evaluated.
    init(_ model: ManagedObjectModel, _ entity: String) throws(CoreDataError) {
        for attribute in model.storedAttributes(of: entity) {
            guard attribute.regularExpression != nil || !attribute.validations.isEmpty else { continue }
            do {
                conditions[attribute.name] = try Self.conditions(of: attribute)
            } catch {
                let reason = (error as? any PredicateDiagnostic)?.title ?? "\(error)"
                throw CoreDataError(
                    .invalidValue(key: attribute.name, entity: entity, .invalidCondition(reason)))
            }
        }
    }

    private static func conditions(of attribute: AttributeDescription) throws -> [Condition] {
        var found: [Condition] = []
        if let pattern = attribute.regularExpression {
            let node = PredicateNode.string(
                StringPredicate(.evaluatedObject, .matches, .constantValue(.string(pattern))))
            found.append(
                Condition(
                    evaluator: try PredicateEvaluator(FormatPredicate(node)), problem: .noMatch(pattern: pattern)))
        }
        for rule in attribute.validations {
            var number = 1550
            if case .integer(let given)? = rule.warning { number = Int(clamping: given) }
            found.append(
                Condition(
                    evaluator: try PredicateEvaluator(try rule.predicate.predicate()),
                    problem: .condition("\(rule.predicate)", number: number)))
        }
        return found
    }

    /// Throws `invalidValue` if a value does not satisfy a condition or the evaluation fails.
    func check(_ value: PredicateValue, of attribute: String, in entity: String) throws(CoreDataError) {
        for condition in conditions[attribute] ?? [] {
            guard (try? condition.evaluator.evaluate(value.keyedValue)) != true else { continue }
            throw CoreDataError(.invalidValue(key: attribute, entity: entity, condition.problem))
        }
    }
}
