import Foundation
import PackagePlugin

/// Checks the predicate format strings of a target before each build of it.
///
///     .target(name: "App", plugins: [.plugin(name: "PredicateLintPlugin", package: "swift-predicates")])
///
/// An error is an error of the build at its place in the source; warnings do not stop it. The command runs again when a
/// source, the configuration or the tool has changed.
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
        let configuration = root.appending(path: ".predicate-lint")
        let isConfigured = FileManager.default.fileExists(atPath: configuration.path)
        return [
            .buildCommand(
                displayName: "Check the predicates of \(name)", executable: tool,
                arguments: ["--root", root.path, "--fail-on", "error", "--"] + sources.map(\.path),
                inputFiles: sources + (isConfigured ? [configuration] : []), outputFiles: [])
        ]
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
