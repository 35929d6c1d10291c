import Foundation
import PredicateChecks
import PredicateModel
import PredicateSyntax

/// The data models and types of a project, found in its folder.
package enum ProjectFiles {
    /// The maximum depth of the search.
    private static let deepest = 8
    private static let mostNames = 50_000
    /// The maximum number of sources whose types are read.
    private static let mostSources = 5_000
    /// Folders that do not contain the project's own models.
    private static let foreign = ForeignFolders.names.union(["build"])

    /// The folders of the projects that contain the linted paths, none inside another.
    static func projects(of paths: [String], in folder: String) -> [String] {
        let root = SourceRoot(folder)
        let all = Set(paths.compactMap { project(of: $0, in: folder, root) }).sorted()
        return all.filter { own in !all.contains { SourceRoot($0).contains(own) } }
    }

    /// The project folder of a path: the innermost repository between it and `folder`, or else `folder`. Its declarations are
    /// known for all paths below it. A directory outside `folder` is a project of its own. The folder `/` contains other projects
    /// and the system, so in it the project is the linted directory or the folder of the linted file.
    private static func project(of path: String, in folder: String, _ root: SourceRoot) -> String? {
        guard root.contains(path) else {
            return LintFiles.isDirectory(path) && SourceRoot(path) != root ? path : folder
        }
        var inner = root.relative(path)[...]
        while !inner.isEmpty {
            let own = FolderEntries.path(String(inner), in: folder)
            // A submodule, whose `.git` is a file, belongs to the outer project.
            if LintFiles.isDirectory(own + "/.git") { return own }
            inner = inner[..<(inner.lastIndex(of: "/") ?? inner.startIndex)]
        }
        guard root == SourceRoot("/") else { return folder }
        if LintFiles.isDirectory(path) { return path }
        let own = LintFiles.folder(of: path)
        return SourceRoot(own) == root ? nil : own
    }

    /// The data models in a folder and its subfolders, sorted by path.
    package static func models(in folder: String) -> [String] {
        var left = mostNames
        return paths(in: folder, depth: 0, &left, isFound: isModel)
    }

    /// The declarations of the sources in a folder.
    package static func declarations(in folder: String) -> ProjectDeclarations {
        var declarations = ProjectDeclarations(folder: folder)
        declare(&declarations, in: folder, except: [])
        return declarations
    }

    /// Adds the declarations of the sources in a folder, except for files whose declarations are known.
    static func declare(_ declarations: inout ProjectDeclarations, in folder: String, except known: Set<String>) {
        var left = mostNames
        let root = SourceRoot(folder)
        let known = Set(known.map(root.relative))
        let endings = [".swift", ".m", ".mm", ".h"]
        let paths = paths(in: folder, depth: 0, &left) { name in endings.contains { name.hasSuffix($0) } }
        for path in paths.prefix(mostSources) where !known.contains(root.relative(path)) {
            guard let kind = SourceKind(path: path), let data = FileManager.default.contents(atPath: path) else {
                continue
            }
            let source = Array(data)
            declarations.note(source)
            let result = Linter.declarations(in: source, kind)
            declarations.add(ProjectDeclarations.Source(path: path, source, kind, result))
        }
    }

    private static func paths(
        in folder: String, depth: Int, _ left: inout Int, isFound: (String) -> Bool
    ) -> [String] {
        let isSkipped = { (name: String) in name.hasPrefix(".") || foreign.contains(name) }
        guard depth < deepest, let entries = FolderEntries.all(in: folder, skipping: isSkipped) else { return [] }
        var found: [String] = []
        for entry in entries where left > 0 {
            left -= 1
            let path = FolderEntries.path(entry.name, in: folder)
            if isFound(entry.name) {
                found.append(path)
            } else if entry.type == .directory {
                found += paths(in: path, depth: depth + 1, &left, isFound: isFound)
            }
        }
        return found
    }

    private static func isModel(_ name: String) -> Bool {
        [".xcdatamodeld", ".xcdatamodel", ".momd", ".mom"].contains { name.hasSuffix($0) }
    }

    /// The modification times of files and of the files in model folders.
    package static func times(of models: [String]) -> [String: Date] {
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

/// The data models that were found in a project. An entity that several of them contain is left out.
package struct FoundModels: Sendable {
    package let schema: ModelSchema
    /// The models that could be read, by path, with their entities.
    private let files: [(path: String, entities: Set<String>)]

    /// Nil if none of the files can be read.
    package init?(paths: [String]) {
        let read = paths.compactMap { path in (try? ManagedObjectModel(path: path)).map { (path, $0) } }
        guard !read.isEmpty else { return nil }
        files = read.map { ($0.0, Set($0.1.entities.map(\.name))) }
        var schema = ModelSchema(read.map(\.1), isFetch: true)
        var seen: Set<String> = []
        for (_, entities) in files {
            schema.ambiguous.formUnion(seen.intersection(entities))
            seen.formUnion(entities)
        }
        self.schema = schema
    }

    package var paths: [String] { files.map(\.path) }

    /// The paths of the models that contain one of these entities, which are named as in the source.
    func paths(with names: Set<String>) -> [String] {
        let known = Set(names.compactMap(schema.entity))
        return files.filter { !$0.entities.isDisjoint(with: known) }.map(\.path)
    }
}

extension ModelSchema {
    /// The entities of models whose predicates a Core Data store evaluates.
    package init(paths: [String]) throws(ModelError) {
        var models: [ManagedObjectModel] = []
        for path in paths { models.append(try ManagedObjectModel(path: path)) }
        self.init(models, isFetch: true)
    }
}
