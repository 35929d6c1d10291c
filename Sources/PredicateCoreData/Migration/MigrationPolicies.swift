import PredicateSQL
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
/// A policy is given each migrated object of the entity, and writes the values that it changes.
public struct MigrationPolicies: Sendable {
    /// What is done for a migrated object: the object as it is, and the values that it gets.
    public typealias Policy = @Sendable (_ object: StoredObject, _ changes: inout ObjectValues) throws -> Void

    private var byClass: [String: Policy]
    private(set) var byEntity: [String: Policy] = [:]

    /// Policies by the names of classes.
    public init(_ policies: [String: Policy] = [:]) {
        byClass = policies
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
