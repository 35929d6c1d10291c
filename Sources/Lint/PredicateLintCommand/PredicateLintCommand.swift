import Foundation
import PackagePlugin

/// Checks the predicate format strings of all targets of a package, or of the targets named with `--target`.
///
///     swift package lint-predicates
///     swift package lint-predicates --target App --format sarif
///     swift package --allow-writing-to-package-directory lint-predicates --fix
///
/// Other options are passed to `predicate-lint`.
@main
struct PredicateLintCommand: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        var extractor = ArgumentExtractor(arguments)
        let names = extractor.extractOption(named: "target")
        let targets = try names.isEmpty ? context.package.targets : context.package.targets(named: names)
        let folders = targets.compactMap { $0.sourceModule.map { String(describing: $0.directory) } }
        try run(
            context.tool(named: "predicate-lint").url, root: context.package.directoryURL, folders,
            extractor.remainingArguments)
    }

    private func run(_ tool: URL, root: URL, _ paths: [String], _ options: [String]) throws {
        guard !paths.isEmpty else { return }
        let process = Process()
        process.executableURL = tool
        process.arguments = ["--root", root.path] + options + ["--"] + paths
        process.currentDirectoryURL = root
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus != 0 else { return }
        throw LintFailure(status: process.terminationStatus)
    }
}

/// The reason why the command fails.
struct LintFailure: Error, CustomStringConvertible {
    let status: Int32

    var description: String { status == 1 ? "predicate-lint reported findings" : "predicate-lint ended with \(status)" }
}

#if canImport(XcodeProjectPlugin)
    import XcodeProjectPlugin

    extension PredicateLintCommand: XcodeCommandPlugin {
        func performCommand(context: XcodePluginContext, arguments: [String]) throws {
            var extractor = ArgumentExtractor(arguments)
            let names = extractor.extractOption(named: "target")
            let targets = context.xcodeProject.targets.filter { names.isEmpty || names.contains($0.displayName) }
            let files = targets.flatMap { target in
                target.inputFiles.map(\.url).filter { ["swift", "m", "mm", "h"].contains($0.pathExtension) }
            }
            try run(
                context.tool(named: "predicate-lint").url, root: context.xcodeProject.directoryURL, files.map(\.path),
                extractor.remainingArguments)
        }
    }
#endif
