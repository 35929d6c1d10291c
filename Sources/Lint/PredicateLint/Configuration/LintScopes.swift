import PredicateModel
import PredicateSyntax

/// The configurations of a run, one for each folder, with their data models.
struct LintScopes: Sendable {
    private struct Scope: Sendable {
        var configuration: NestedConfiguration
        var schema: (any PredicateSchema)?
        /// The settings of all files in the folder; nil if they depend on the path.
        var settings: LintSettings?

        init(_ configuration: NestedConfiguration, _ schema: (any PredicateSchema)?) {
            (self.configuration, self.schema) = (configuration, schema)
            settings = configuration.hasPathLevels ? nil : configuration.settings(for: "")
        }
    }

    private var scopes: [Scope]
    /// Mistakes in the configurations of inner folders.
    private(set) var errors: [NestedConfigurationError] = []
    private let levels: [LintName: LintLevel?]

    /// `schema` describes the objects of the outermost configuration. `levels` override the levels of all configurations.
    init(
        _ configuration: LintConfiguration, folder: String, schema: (any PredicateSchema)?,
        levels: [LintName: LintLevel?]
    ) {
        self.levels = levels
        scopes = [Scope(NestedConfiguration(configuration, root: folder), schema)]
    }

    /// The index of a folder's scope, given the scope of the folder around it.
    mutating func index(entering folder: String, from outer: Int) -> Int {
        index(inside: outer) { $0.entering(folder, $1) }
    }

    /// The index of a folder's scope, with the configurations of all folders above it.
    mutating func index(descendingTo folder: String) -> Int { index(inside: 0) { $0.descending(to: folder, $1) } }

    private mutating func index(
        inside outer: Int,
        _ inner: (NestedConfiguration, (NestedConfigurationError) -> Void) -> NestedConfiguration
    ) -> Int {
        var mistakes: [NestedConfigurationError] = []
        let configuration = inner(scopes[outer].configuration) { mistakes.append($0) }
        mistakes.forEach { note($0) }
        return add(configuration, outer)
    }

    private mutating func note(_ error: NestedConfigurationError) {
        if !errors.contains(error) { errors.append(error) }
    }

    private mutating func add(_ configuration: NestedConfiguration, _ outer: Int) -> Int {
        if let known = scopes.firstIndex(where: { $0.configuration.paths == configuration.paths }) { return known }
        var schema = scopes[outer].schema
        let models = configuration.ownModels
        if !models.isEmpty {
            do throws(ModelError) {
                schema = try ModelSchema(paths: models)
            } catch {
                note(
                    NestedConfigurationError(
                        file: configuration.paths.last ?? "", line: 1, message: error.description))
            }
        }
        scopes.append(Scope(configuration, schema))
        return scopes.count - 1
    }

    func excludes(_ path: String, in scope: Int) -> Bool {
        scopes[scope].configuration.hasExcludes && scopes[scope].configuration.excludes(path)
    }

    /// True if any configuration excludes files.
    var hasExcludes: Bool { scopes.contains { $0.configuration.hasExcludes } }

    /// The linter for a file.
    func linter(for item: LintFiles.Item, types: SourceTypes = SourceTypes()) -> Linter {
        let scope = scopes[item.scope]
        var settings = scope.settings ?? scope.configuration.settings(for: item.path)
        settings.levels.merge(levels) { _, option in option }
        return Linter(settings, schema: scope.schema, types: types)
    }
}
