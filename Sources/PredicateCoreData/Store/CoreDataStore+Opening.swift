public import PredicateModel
import PredicateSyntax

extension CoreDataStore {
    /// What is done with a store of another version.
    public enum VersionOption: Sendable {
        /// It is an error, which names both versions.
        case refuse
        /// It is migrated into a new file, which is opened.
        case migrate(
            into: String, policies: MigrationPolicies = MigrationPolicies(), rules: MigrationRules = MigrationRules())
    }

    /// Opens a store with the model of the app, as a stack of Core Data does.
    ///
    /// ```swift
    /// let store = try CoreDataStore.open("ToDo.sqlite", model: version2, options: .migrate(into: "ToDo 2.sqlite"))
    /// ```
    ///
    /// A store of the model's version is opened, for changes where this library made it. One of another version is an error
    /// with both versions, or is migrated where that is asked for. Versions are the same where Core Data's hashes would be:
    /// class names, user info, indexes, validation and renaming identifiers make no difference.
    ///
    /// Throws a ``CoreDataError``: `otherVersion`, and the errors of a migration.
    public static func open(
        _ path: String, model: ManagedObjectModel, options: VersionOption = .refuse
    ) throws(CoreDataError) -> CoreDataStore {
        let store = try CoreDataStore(path)
        let differences = VersionHash.differences(store.model, model)
        if differences.isEmpty { return (try? CoreDataStore(changing: path)) ?? store }
        switch options {
        case .refuse:
            throw CoreDataError(
                .otherVersion(
                    store: store.metadata.versionIdentifiers, model: model.versionIdentifiers,
                    differences: differences))
        case .migrate(let new, let policies, let rules):
            return try StoreMigration(of: path, to: model, policies: policies, rules: rules).run(into: new)
        }
    }
}

extension VersionHash {
    /// The entities that differ in two versions, in words; none where a store of one is a store of the other.
    static func differences(_ old: ManagedObjectModel, _ new: ManagedObjectModel) -> [String] {
        let names = Set(old.entities.map(\.name)).union(new.entities.map(\.name))
        return names.sorted().compactMap { name in
            switch (old.entity(name), new.entity(name)) {
            case (let before?, let after?):
                text(of: before, in: old) == text(of: after, in: new) ? nil : "\(name) is another one"
            case (nil, _?): "\(name) is new"
            case (_?, nil): "\(name) is gone"
            case (nil, nil): nil
            }
        }
    }
}
