import Foundation
import PredicateLint

/// The linter as build plugins run it: a small program that links neither SQLite nor libedit.
///
///     predicate-lint --root . --fail-on error Sources/App/Store.swift
///
/// `predicate lint` has the same engine and all of its options.
struct LintTool {
    private var run: LintRun
    private let failLevel: LintLevel

    /// Runs the tool and returns its exit status: 0, 1 for findings of the level or worse, 2 where something cannot be read.
    static func run(_ words: [String]) -> Int32 {
        if words.contains("--help") || words.contains("-h") {
            print(ToolArguments.help)
            return 0
        }
        do throws(ToolError) {
            return try LintTool(ToolArguments(words)).start()
        } catch {
            report(error.message)
            return 2
        }
    }

    private init(_ arguments: ToolArguments) throws(ToolError) {
        let configuration = try Self.configuration(arguments)
        let paths = arguments.paths.filter { path in
            let relative = Self.relative(path, to: arguments.root)
            return !configuration.excludes.contains { $0.matches(relative) }
        }
        run = LintRun(paths: paths)
        run.configuration = configuration
        run.format = arguments.format
        run.fixing = arguments.fixes ? .applied : .none
        if let file = configuration.baseline {
            run.baseline = LintBaseline(try Self.text(of: Self.path(file, in: arguments.root)))
        }
        failLevel = arguments.failLevel
    }

    private func start() -> Int32 {
        let outcome = run.start(
            write: { text in FileHandle.standardOutput.write(Data(text.utf8)) },
            report: { path, error in Self.report("\(path): \(error.message)") })
        if outcome.hasFailures { return 2 }
        return outcome.worst.map { $0 >= failLevel } ?? false ? 1 : 0
    }

    /// The configuration of `--config`, or of `.predicate-lint` in the root if there is one.
    private static func configuration(_ arguments: ToolArguments) throws(ToolError) -> LintConfiguration {
        let standard = path(".predicate-lint", in: arguments.root)
        guard let file = arguments.configuration ?? (FileManager.default.fileExists(atPath: standard) ? standard : nil)
        else { return LintConfiguration() }
        let text = try text(of: file)
        do throws(LintConfigurationError) {
            return try LintConfiguration(text)
        } catch {
            throw ToolError("\(file):\(error.line): \(error.problem.message)")
        }
    }

    private static func text(of file: String) throws(ToolError) -> String {
        do { return try String(contentsOfFile: file, encoding: .utf8) } catch {
            throw ToolError("\(file): cannot be read")
        }
    }

    private static func path(_ name: String, in root: String) -> String {
        name.hasPrefix("/") || root == "." ? name : root + "/" + name
    }

    private static func relative(_ path: String, to root: String) -> String {
        let directory = root.hasSuffix("/") ? root : root + "/"
        return path.hasPrefix(directory) ? String(path.dropFirst(directory.count)) : path
    }

    private static func report(_ message: String) {
        FileHandle.standardError.write(Data("error: \(message)\n".utf8))
    }
}

/// Words or a file that the tool cannot use.
struct ToolError: Error {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}
