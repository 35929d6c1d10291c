import Foundation
import PredicateLint
import PredicateModel

/// A project whose documents are open: its data models, and the linter with its settings.
package struct Project: Sendable {
    /// Nil for an editor that opened files without a folder.
    let folder: String?
    /// The objects of its data models; nil for a project without a model.
    let schema: ModelSchema?
    let linter: Linter
    /// The files that were read with their modification times, which show whether they changed.
    let stamp: [String: Date]

    /// No project.
    package init() {
        (folder, schema, linter, stamp) = (nil, nil, Linter(), [:])
    }

    /// The project in a folder. Its models are the ones that `.predicate-lint` names or else the ones found in the
    /// folder.
    package init(folder: String) {
        let file = folder + "/.predicate-lint"
        let configuration = (try? String(contentsOfFile: file, encoding: .utf8)).flatMap { try? LintConfiguration($0) }
        let named = configuration?.models.map { $0.hasPrefix("/") ? $0 : folder + "/" + $0 } ?? []
        let paths = named.isEmpty ? ProjectFiles.models(in: folder) : named
        self.folder = folder
        let models = paths.compactMap { try? ManagedObjectModel(path: $0) }
        schema = models.isEmpty ? nil : ModelSchema(models, isFetch: true)
        linter = Linter(configuration?.settings ?? LintSettings(), schema: schema)
        stamp = ProjectFiles.times(of: paths + [file])
    }

    /// The path of a `file:` URI; nil for other URIs.
    static func path(_ uri: String) -> String? {
        guard uri.utf8.count <= 1 << 16, uri.hasPrefix("file:"), let url = URL(string: uri) else { return nil }
        return url.path(percentEncoded: false)
    }
}

/// The files of a project.
enum ProjectFiles {
    /// The maximum depth of the search.
    private static let deepest = 8
    private static let mostNames = 50_000
    /// Folders that do not contain the project's own models.
    private static let foreign = ForeignFolders.names.union(["build"])

    /// The data models in a folder and its subfolders, sorted by path.
    static func models(in folder: String) -> [String] {
        var left = mostNames
        return models(in: folder, depth: 0, &left)
    }

    private static func models(in folder: String, depth: Int, _ left: inout Int) -> [String] {
        guard depth < deepest, let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
            return []
        }
        var found: [String] = []
        for name in names.sorted() where left > 0 && !name.hasPrefix(".") && !foreign.contains(name) {
            left -= 1
            let path = folder + "/" + name
            if isModel(name) {
                found.append(path)
            } else if isFolder(path) {
                found += models(in: path, depth: depth + 1, &left)
            }
        }
        return found
    }

    private static func isModel(_ name: String) -> Bool {
        [".xcdatamodeld", ".xcdatamodel", ".momd", ".mom"].contains { name.hasSuffix($0) }
    }

    /// A link to a folder is not followed.
    private static func isFolder(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.type] as? FileAttributeType == .typeDirectory
    }

    /// The modification times of model files.
    static func times(of models: [String]) -> [String: Date] {
        var times: [String: Date] = [:]
        for model in models {
            let inner = (try? FileManager.default.subpathsOfDirectory(atPath: model)) ?? []
            for path in [model] + inner.prefix(100).map({ model + "/" + $0 }) {
                let attributes = try? FileManager.default.attributesOfItem(atPath: path)
                times[path] = attributes?[.modificationDate] as? Date
            }
        }
        return times
    }
}
