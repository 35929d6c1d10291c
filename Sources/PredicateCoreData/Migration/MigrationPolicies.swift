public import PredicateEvaluation
public import PredicateModel
public import PredicateSQL
public import PredicateStore
import PredicateSyntax

/// The code of custom migration policies, by the names of the classes that mapping models name, or by entities.
///
/// ```swift
/// let policies = MigrationPolicies(["ToDoMigrationPolicy": { object, changes in
///     guard case .string(let title)? = object["title"], title.hasPrefix("a") else { return }
///     changes["doNotAlert"] = true
/// }])
/// ```
///
/// A policy is given each migrated object of its mapping or of its entity, with the object of the old store that it was made
/// of, after all relationships are there, and writes the values that it changes. ``registry`` has the functions and messages
/// of the host that expressions of the mapping model call: `FUNCTION($entityPolicy, "halve:", $source.pages)`.
public struct MigrationPolicies: Sendable {
    /// What is done for a migrated object: the object as it is, and the values that it gets.
    public typealias Policy = @Sendable (_ object: MigratedObject, _ changes: inout ObjectValues) throws -> Void

    /// The functions and messages that value expressions and rules may call.
    public var registry: EvaluationRegistry

    private var byClass: [String: Policy]
    private(set) var byEntity: [String: Policy] = [:]

    /// Policies by the names of classes, and what expressions may call.
    public init(_ policies: [String: Policy] = [:], registry: EvaluationRegistry = .standard) {
        (byClass, self.registry) = (policies, registry)
    }

    /// The policy that has the name of a class.
    public subscript(className: String) -> Policy? {
        get { byClass[className] }
        set { byClass[className] = newValue }
    }

    /// Names the entity whose objects a policy is for, where no mapping model does.
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

/// A migrated object as a policy sees it: what it is in the new store, and what it was in the old one.
///
///     if object.source?["isLoud"] == .bool(false) { changes["doNotAlert"] = true }
public struct MigratedObject: Sendable, CustomStringConvertible {
    /// The object of the new store.
    public let destination: StoredObject
    /// The object of the old store that it was made of; nil where it is new.
    public let source: StoredObject?
    /// The mapping that made it; nil for a migration without a mapping model.
    public let mapping: EntityMapping?
    /// The new store, in the transaction of the migration: a policy may ask it and insert further objects.
    ///
    /// `changes["color"] = try object.store.insert("Color", ["hex": object.source?["hexColor"]])`
    public let store: CoreDataStore

    /// The identity in the new store.
    public var id: SQLObjectID { destination.id }

    /// The value of an attribute in the new store: `object["title"]`
    public subscript(key: String) -> PredicateValue? { destination[key] }

    /// `ToDo 7`
    public var description: String { destination.description }
}
