import Foundation
import PredicateLint
import PredicateModel
import PredicateSyntax

/// A project whose documents are open: its data models, the types of its sources, and the linter with its settings.
package struct Project: Sendable {
    /// Nil for an editor that opened files without a folder.
    let folder: String?
    /// The linter for files without a configuration of their own.
    let linter: Linter
    /// The entities of the data models.
    let entityNames: [String]
    /// What is wrong with the configuration or with a model that it names.
    let problems: [String]
    /// The files that were read with their modification times, which show whether they changed.
    let stamp: [String: Date]
    private let configuration: NestedConfiguration

    /// No project.
    package init() {
        (folder, linter, entityNames, problems, stamp) = (nil, Linter(), [], [], [:])
        configuration = NestedConfiguration(LintConfiguration())
    }

    /// The project in a folder. Its models are the ones that `.predicate-lint` names or else the ones found in the
    /// folder.
    package init(folder: String) {
        var reader = ProjectReader(folder)
        self.folder = folder
        configuration = reader.configuration()
        let schema = reader.schema(configuration)
        let types = ProjectFiles.types(in: folder)
        linter = Linter(configuration.settings(for: folder), schema: schema, types: types)
        entityNames = reader.entityNames
        problems = reader.problems
        stamp = ProjectFiles.times(of: reader.files)
    }

    /// The linter for the file at a path, with the configurations of its folders.
    func linter(for path: String?) -> Linter {
        guard let folder, let path, path.hasPrefix(folder + "/"), let slash = path.lastIndex(of: "/"),
            let own = try? configuration.descending(to: String(path[..<slash]))
        else { return linter }
        let models = own.ownModels.compactMap { try? ManagedObjectModel(path: $0) }
        let schema = models.isEmpty ? linter.schema : ModelSchema(models, isFetch: true)
        return Linter(own.settings(for: path), schema: schema, types: linter.types)
    }

    /// The path of a `file:` URI; nil for other URIs.
    static func path(_ uri: String) -> String? {
        guard uri.utf8.count <= 1 << 16, uri.hasPrefix("file:"), let url = URL(string: uri) else { return nil }
        return url.path(percentEncoded: false)
    }
}

/// Reads the configuration and the models of a project, and notes what is wrong with them.
private struct ProjectReader {
    private let folder: String
    private(set) var files: [String]
    private(set) var problems: [String] = []
    private(set) var entityNames: [String] = []

    init(_ folder: String) {
        self.folder = folder
        files = [folder + "/" + NestedConfiguration.fileName]
    }

    mutating func configuration() -> NestedConfiguration {
        let none = NestedConfiguration(LintConfiguration(), root: folder)
        let file = files[0]
        guard FileManager.default.fileExists(atPath: file) else { return none }
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            problems.append("\(file): cannot be read")
            return none
        }
        do throws(LintConfigurationError) {
            return NestedConfiguration(try LintConfiguration(text), root: folder)
        } catch {
            problems.append("\(file):\(error.line): \(error.problem.message)")
            return none
        }
    }

    mutating func schema(_ configuration: NestedConfiguration) -> (any PredicateSchema)? {
        let named = configuration.models
        guard !named.isEmpty else {
            let found = FoundModels(paths: ProjectFiles.models(in: folder))
            files += found?.paths ?? []
            entityNames = found?.entityNames ?? []
            return found
        }
        files += named
        var models: [ManagedObjectModel] = []
        for path in named {
            do throws(ModelError) {
                models.append(try ManagedObjectModel(path: path))
            } catch {
                problems.append("\(path): \(error.description)")
            }
        }
        guard !models.isEmpty else { return nil }
        let schema = ModelSchema(models, isFetch: true)
        entityNames = schema.entityNames
        return schema
    }
}
