import Foundation
import PredicateLint
import PredicateModel

/// The linter as build plugins run it: what `predicate lint` finds, without SQLite and the line editor in the program.
///
///     predicate-lint --root . --fail-on error Sources/App/Store.swift
///
/// The options are those of `predicate lint`, but for those that read standard input or write a baseline; `--root` is
/// for plugins, which do not run in the directory of the package.
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
        run.lists = arguments.lists
        run.fixing = arguments.fixing
        if let file = configuration.baseline { run.baseline = LintBaseline(try Self.text(of: file)) }
        failLevel = arguments.failLevel
        do throws(ModelError) { try run.readModels() } catch { throw ToolError(error.description, isReport: true) }
    }

    private func start() -> Int32 {
        let outcome = run.start(
            write: { text in FileHandle.standardOutput.write(Data(text.utf8)) },
            report: { path, error in Self.report("error: \(path): \(error.message)") })
        if outcome.hasFailures { return 2 }
        return outcome.worst.map { $0 >= failLevel } ?? false ? 1 : 0
    }

    // MARK: Configuration

    /// The configuration of the file, whose paths are relative to the root, and of the options, whose paths are not.
    private static func configuration(_ arguments: ToolArguments) throws(ToolError) -> LintConfiguration {
        var configuration = try file(arguments)
        configuration.models = configuration.models.map { path($0, in: arguments.root) } + arguments.models
        configuration.baseline = arguments.baseline ?? configuration.baseline.map { path($0, in: arguments.root) }
        configuration.excludes += arguments.excludes
        configuration.settings.calls += arguments.calls
        for (rule, level) in arguments.levels {
            do throws(LintConfigurationError.Problem) {
                try configuration.settings.setLevel(rule, level)
            } catch {
                throw ToolError("--level: \(error.message)")
            }
        }
        return configuration
    }

    /// The file of `--config`, or `.predicate-lint` in the root if there is one.
    private static func file(_ arguments: ToolArguments) throws(ToolError) -> LintConfiguration {
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
        FileHandle.standardError.write(Data("\(message)\n".utf8))
    }
}

/// Words or a file that the tool cannot use.
struct ToolError: Error {
    let message: String

    /// `isReport` says that the message begins with `error:` already.
    init(_ message: String, isReport: Bool = false) {
        self.message = isReport ? message : "error: \(message)"
    }
}
