import Foundation
import PackagePlugin

/// Checks the predicate format strings of a target before each build.
///
///     .target(name: "App", plugins: [.plugin(name: "PredicateLintPlugin", package: "swift-predicates")])
///
/// An error stops the build at its place in the source; a warning does not. The check runs again when a source, the
/// configuration, a data model of the configuration, or the tool has changed.
@main
struct PredicateLintPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: Target) throws -> [Command] {
        guard let module = target.sourceModule else { return [] }
        return command(
            name: target.name, sources: module.sourceFiles.map(\.url), root: context.package.directoryURL,
            tool: try context.tool(named: "predicate-lint").url)
    }

    private func command(name: String, sources: [URL], root: URL, tool: URL) -> [Command] {
        let sources = sources.filter { ["swift", "m", "mm", "h"].contains($0.pathExtension) }
        guard !sources.isEmpty else { return [] }
        let settings = PluginSettings(root)
        return [
            .buildCommand(
                displayName: "Check the predicates of \(name)", executable: tool,
                arguments: ["--root", root.path, "--fail-on", "error", "--"] + sources.map(\.path),
                inputFiles: sources + settings.files, outputFiles: [])
        ]
    }
}

/// The parts of a package's `.predicate-lint` file that affect the build.
private struct PluginSettings {
    /// The file, and the files of the models in its lines `model App/Model.xcdatamodeld`.
    private(set) var files: [URL] = []

    init(_ root: URL) {
        let file = root.appending(path: ".predicate-lint")
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return }
        files = [file]
        for line in text.split(whereSeparator: \.isNewline) {
            let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
            guard words.count == 2, words[0] == "model" else { continue }
            files += Self.files(at: URL(filePath: words[1].trimmingCharacters(in: .whitespaces), relativeTo: root))
        }
    }

    /// The files of a model, which is a file or a folder.
    private static func files(at model: URL) -> [URL] {
        let inner = FileManager.default.subpaths(atPath: model.path) ?? []
        return ([model] + inner.map { model.appending(path: $0) }).filter { file in
            var isDirectory: ObjCBool = false
            return FileManager.default.fileExists(atPath: file.path, isDirectory: &isDirectory)
                && !isDirectory.boolValue
        }
    }
}

#if canImport(XcodeProjectPlugin)
    import XcodeProjectPlugin

    extension PredicateLintPlugin: XcodeBuildToolPlugin {
        func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
            command(
                name: target.displayName, sources: target.inputFiles.map(\.url),
                root: context.xcodeProject.directoryURL, tool: try context.tool(named: "predicate-lint").url)
        }
    }
#endif
