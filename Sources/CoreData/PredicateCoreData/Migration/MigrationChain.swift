import Foundation
package import PredicateModel
import PredicateStore
import PredicateSyntax

/// The steps from a store's version of its model to another version: mapping models of a folder, and inferred migrations.
///
/// Versions are in the order of the bundle. From each version, the mapping model that leads farthest is used. If none begins
/// there, the step to the next version with a mapping model, or to the destination, is inferred. [NSP-477]
package struct MigrationChain: Sendable {
    /// A step to a version.
    package struct Step: Sendable, CustomStringConvertible {
        package let destination: ManagedObjectModel
        /// The mapping model with its file; nil for an inferred step.
        package let mapping: (file: String, model: MappingModel)?
        package let rules: MigrationRules
        /// `Model 1 to Model 2`; empty for the only step of a migration without a chain.
        let name: String

        package init(
            to destination: ManagedObjectModel, _ mapping: (file: String, model: MappingModel)?, rules: MigrationRules,
            name: String = ""
        ) {
            (self.destination, self.mapping, self.rules, self.name) = (destination, mapping, rules, name)
        }

        /// `Model 1 to Model 2 by 1to2.xcmappingmodel`; without a mapping model, `Model 1 to Model 2, inferred`
        package var description: String { name + (mapping.map { " by \($0.file)" } ?? ", inferred") }
    }

    /// A version of the bundle.
    private typealias Version = (name: String, model: ManagedObjectModel)
    /// A mapping model between two versions, by the positions of the versions.
    private typealias Mapping = (file: String, model: MappingModel, from: Int, to: Int, rules: MigrationRules)

    package let steps: [Step]

    package init(_ steps: [Step]) {
        self.steps = steps
    }

    /// Finds the steps. `mappings` are mapping models with their files and the rules next to them; `rules` are for the last.
    ///
    /// Throws a ``CoreDataError``: `modelMismatch` if no version is that of the store, `invalidMapping` for two mapping models
    /// between the same versions, and the errors of reading the store and the versions.
    package init(
        of path: String, models: [ManagedObjectModel], in bundle: ModelBundle, to name: String,
        mappings: [(file: String, model: MappingModel, rules: MigrationRules)], rules: MigrationRules
    ) throws(CoreDataError) {
        let versions = try Self.versions(of: bundle)
        guard let end = versions.firstIndex(where: { $0.name == name }) else {
            throw CoreDataError(.modelMismatch(path, differences: ["there is no version '\(name)'"]))
        }
        var place = try Self.start(path, models, versions)
        let known = try Self.placed(mappings, versions)
        var steps: [Step] = []
        while place != end {
            let best = known.filter { $0.from == place && Self.isBetween($0.to, place, end) }
                .max { abs($0.to - place) < abs($1.to - place) }
            let next = best?.to ?? Self.nextStart(after: place, end, known)
            steps.append(
                Step(
                    to: versions[next].model, best.map { ($0.file, $0.model) },
                    rules: next == end && !rules.isEmpty ? rules : best?.rules ?? MigrationRules(),
                    name: "\(versions[place].name) to \(versions[next].name)"))
            place = next
        }
        if steps.isEmpty { steps.append(Step(to: versions[end].model, nil, rules: rules, name: name)) }
        self.steps = steps
    }

    private static func versions(of bundle: ModelBundle) throws(CoreDataError) -> [Version] {
        var versions: [Version] = []
        for version in bundle.versions {
            versions.append((version.name, try CoreDataStore.reading(version.path, version.model)))
        }
        return versions
    }

    /// The position of the store's own version.
    private static func start(
        _ path: String, _ models: [ManagedObjectModel], _ versions: [Version]
    ) throws(CoreDataError) -> Int {
        let store: CoreDataStore
        do throws(CoreDataError) {
            store = try CoreDataStore(path, models: models)
        } catch {
            guard case .noModel = error.code else { throw error }
            store = try CoreDataStore(path, models: versions.map(\.model))
        }
        let (hashes, model) = (store.metadata.versionHashes, store.model)
        if let same = versions.firstIndex(where: { !hashes.isEmpty && $0.model.versionHashes == hashes }) {
            return same
        }
        let differences = versions.map { VersionHash.differences(model, $0.model) }
        if let same = differences.firstIndex(of: []) { return same }
        let closest = differences.min { $0.count < $1.count } ?? []
        throw CoreDataError(.modelMismatch(path, differences: ["no version of the bundle is its own"] + closest))
    }

    // MARK: - Mapping models

    private static func placed(
        _ mappings: [(file: String, model: MappingModel, rules: MigrationRules)], _ versions: [Version]
    ) throws(CoreDataError) -> [Mapping] {
        var placed: [Mapping] = []
        for mapping in mappings {
            let model = mapping.model
            guard
                let from = place(
                    model.sourceModelPath,
                    model.entityMappings.map { ($0.sourceEntityName, $0.sourceEntityVersionHash) },
                    versions),
                let to = place(
                    model.destinationModelPath,
                    model.entityMappings.map { ($0.destinationEntityName, $0.destinationEntityVersionHash) }, versions),
                from != to
            else { continue }
            if let other = placed.first(where: { $0.from == from && $0.to == to }) {
                throw CoreDataError(.invalidMapping(mapping.file, .sameVersions(other.file)))
            }
            placed.append((mapping.file, model, from, to, mapping.rules))
        }
        return placed
    }

    /// The version with the name in a path of the project or, without a path, with the hashes.
    private static func place(
        _ path: String?, _ hashes: [(entity: String?, hash: Data?)], _ versions: [Version]
    ) -> Int? {
        if let path {
            let name = URL(fileURLWithPath: path).deletingPathExtension().lastPathComponent
            if let found = versions.firstIndex(where: { $0.name == name }) { return found }
        }
        let known = hashes.compactMap { entity, hash in entity.flatMap { name in hash.map { (name, $0) } } }
        guard !known.isEmpty else { return nil }
        return versions.firstIndex { version in known.allSatisfy { version.model.versionHashes[$0.0] == $0.1 } }
    }

    private static func isBetween(_ place: Int, _ start: Int, _ end: Int) -> Bool {
        start < end ? start < place && place <= end : end <= place && place < start
    }

    /// The next version from which a mapping model leads towards the end; the end if there is none.
    private static func nextStart(after place: Int, _ end: Int, _ mappings: [Mapping]) -> Int {
        mappings.filter { isBetween($0.from, place, end) && isBetween($0.to, $0.from, end) }.map(\.from)
            .min { abs($0 - place) < abs($1 - place) } ?? end
    }

    // MARK: - Running

    /// Runs the steps, all but the last into a folder of temporary files, and returns the new store. Before each step, `accept`
    /// is called with the expected losses; if it refuses, nothing is written and the result is nil. An error names its step.
    package func run(
        _ path: String, models: [ManagedObjectModel], into output: String, type: StoreType?,
        _ prepare: (inout StoreMigration) -> Void, accept: (Step, [MigrationLoss], _ notes: [String]) -> Bool,
        progress: (StoreMigration.Stage) -> Void
    ) throws(CoreDataError) -> CoreDataStore? {
        let folder = try NewFile(output)
        defer { folder.remove() }
        let kind = StoreType(file: path) ?? .sqlite
        var (source, own) = (path, models)
        if steps.count > 1, mkdir(folder.temporary, 0o700) != 0 { throw NewFile.failure(output) }
        for (number, step) in steps.enumerated() {
            let isLast = number == steps.count - 1
            let (new, type) = isLast ? (output, type) : ("\(folder.temporary)/\(number).\(kind.rawValue)", kind)
            do throws(CoreDataError) {
                var migration = try StoreMigration(
                    of: source, models: own, to: step.destination, mapping: step.mapping?.model, rules: step.rules)
                prepare(&migration)
                let notes = try migration.source.notes + migration.source.strayNotes()
                guard try accept(step, migration.losses(into: type), notes) else { return nil }
                let store = try migration.run(into: new, type: type, progress: progress)
                if isLast { return store }
            } catch {
                throw error.in(step)
            }
            (source, own) = (new, [])
        }
        return nil
    }
}

extension CoreDataError {
    /// The error with the step of a chain.
    fileprivate func `in`(_ step: MigrationChain.Step) -> CoreDataError {
        var error = self
        if !step.name.isEmpty { error.step = step.description }
        return error
    }
}
