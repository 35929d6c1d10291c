import Foundation
import PackagePlugin

/// Checks the predicate format strings of a target before each build.
///
///     .target(name: "App", plugins: [.plugin(name: "PredicateLintPlugin", package: "swift-predicates")])
///
/// An error stops the build at its position in the source; a warning does not. The fetch templates of the target's models are
/// checked, too. The check runs again after a change of a source, a data model or a configuration of the package, or of the
/// tool.
@main
struct PredicateLintPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        guard let module = target.sourceModule else { return [] }
        return command(
            name: target.name, sources: module.sourceFiles.map(\.url),
            in: URL(filePath: String(describing: module.directory)),
            root: context.package.directoryURL,
            tool: try context.tool(named: "predicate-lint").url)
    }

    /// `folder` is the folder of the target; nil if the target has no folder of its own.
    private func command(name: String, sources: [URL], in folder: URL?, root: URL, tool: URL) -> [Command] {
        let files = ProjectFiles(in: root)
        let models = files.models.filter { model in folder.map { model.path.hasPrefix($0.path + "/") } ?? false }
        let sources = sources.filter { ProjectFiles.sources.contains($0.pathExtension) } + models
        guard !sources.isEmpty else { return [] }
        return [
            .buildCommand(
                displayName: "Check the predicates of \(name)", executable: tool,
                arguments: ["--root", root.path, "--fail-on", "error", "--"] + sources.map(\.path),
                inputFiles: files.all, outputFiles: [])
        ]
    }
}

/// The files of a package on which findings in its sources depend: data models, configurations, and sources that
/// declare types.
private struct ProjectFiles {
    private(set) var all: [URL] = []
    /// The data models, each a folder or a file.
    private(set) var models: [URL] = []

    private static let models = ["xcdatamodeld", "xcdatamodel", "momd", "mom"]
    static let sources = ["swift", "m", "mm", "h"]
    /// Folders that do not contain files of the package itself.
    private static let foreign = ["DerivedData", "node_modules", "Pods", "Carthage", "build"]

    init(in root: URL) {
        add(root, model: nil)
    }

    private mutating func add(_ folder: URL, model: URL?) {
        let entries = try? FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: [.isDirectoryKey])
        for entry in (entries ?? []).sorted(by: { $0.path < $1.path }) {
            let name = entry.lastPathComponent
            let isModel = model == nil && Self.models.contains(entry.pathExtension)
            if isModel { models.append(entry) }
            if (try? entry.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) ?? false {
                if !name.hasPrefix("."), !Self.foreign.contains(name) { add(entry, model: isModel ? entry : model) }
            } else if isModel || model != nil || name == ".predicate-lint" || Self.sources.contains(entry.pathExtension)
            {
                all.append(entry)
            }
        }
    }
}

#if canImport(XcodeProjectPlugin)
    import XcodeProjectPlugin

    extension PredicateLintPlugin: XcodeBuildToolPlugin {
        func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
            command(
                name: target.displayName, sources: target.inputFiles.map(\.url), in: nil,
                root: context.xcodeProject.directoryURL, tool: try context.tool(named: "predicate-lint").url)
        }
    }
#endif
