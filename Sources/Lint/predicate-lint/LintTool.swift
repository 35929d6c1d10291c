import Foundation
import PredicateLint
import PredicateModel

/// The linter for build plugins. It reports what `predicate lint` does, in a program without SQLite and the line
/// editor.
///
///     predicate-lint --root . --fail-on error Sources/App/Store.swift
///
/// The options are those of `predicate lint`, except options that read standard input or write a baseline. `--root`
/// is for plugins, which do not run in the directory of the package.
struct LintTool {
    private var run: LintRun
    private let failLevel: LintLevel

    /// Runs the tool and returns its exit status: 0, 1 for findings at or above the level, 2 if something cannot be
    /// read.
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
        run = LintRun(paths: arguments.paths)
        run.configuration = configuration
        run.levels = try Self.levels(arguments)
        run.format = arguments.format
        run.lists = arguments.lists
        run.fixing = arguments.fixing
        if let file = configuration.baseline {
            let text = try Self.text(of: file)
            do throws(LintFileError) { run.baseline = try LintBaseline(text, file: file) } catch {
                throw ToolError(error.message)
            }
        }
        run.root = SourceRoot(arguments.root)
        run.folder = arguments.root
        run.configuration.settings.showsNotes = arguments.failLevel == .note
        failLevel = arguments.failLevel ?? .note
        do throws(ModelError) { try run.readModels() } catch { throw ToolError(error.description, isReport: true) }
    }

    private func start() -> Int32 {
        let outcome = run.start(
            write: { text in FileHandle.standardOutput.write(Data(text.utf8)) },
            report: { path, error in Self.report("error: \(path): \(error.message)") })
        for path in outcome.foundModels { Self.report(LintRun.note(ofFound: path)) }
        if outcome.hasFailures { return 2 }
        return outcome.worst.map { $0 >= failLevel } ?? false ? 1 : 0
    }

    // MARK: Configuration

    /// The configuration, from the file and from the options. Paths in the file are relative to the root.
    private static func configuration(_ arguments: ToolArguments) throws(ToolError) -> LintConfiguration {
        var configuration = try file(arguments)
        configuration.models = configuration.models.map { path($0, in: arguments.root) } + arguments.models
        configuration.baseline = arguments.baseline ?? configuration.baseline.map { path($0, in: arguments.root) }
        configuration.excludes += arguments.excludes
        configuration.settings.calls += arguments.calls
        return configuration
    }

    private static func levels(_ arguments: ToolArguments) throws(ToolError) -> LintSettings {
        var settings = LintSettings()
        for (rule, level) in arguments.levels {
            do throws(LintConfigurationError.Problem) {
                try settings.setLevel(rule, level)
            } catch {
                throw ToolError("--level: \(error.message)")
            }
        }
        return settings
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

    private static func report(_ message: String) {
        FileHandle.standardError.write(Data("\(message)\n".utf8))
    }
}

/// An error in the arguments, or a file that cannot be read.
struct ToolError: Error {
    let message: String

    /// `isReport` is true if the message already begins with `error:`.
    init(_ message: String, isReport: Bool = false) {
        self.message = isReport ? message : "error: \(message)"
    }
}

/// The arguments of `predicate-lint`.
struct ToolArguments {
    private(set) var paths: [String] = []
    /// The directory of `.predicate-lint`, to which its paths are relative.
    private(set) var root = "."
    private(set) var configuration: String?
    private(set) var baseline: String?
    private(set) var models: [String] = []
    private(set) var calls: [CallName] = []
    private(set) var excludes: [PathPattern] = []
    /// Pairs of a rule and a level.
    private(set) var levels: [(rule: String, level: String)] = []
    private(set) var format = LintFormat.text
    /// Nil stands for `note`, but does not show the notes of rules without a configured level.
    private(set) var failLevel: LintLevel?
    private(set) var fixing = LintRun.Fixing.none
    private(set) var lists = false

    static let help = """
        predicate-lint [OPTION]... PATH...

        Checks the predicate format strings of source files as 'predicate lint' does. The exit status is 1 for findings,
        2 if a file cannot be read.

          --root DIR          Directory of the configuration, and of the paths in it (.)
          --config FILE       Configuration to read instead of .predicate-lint
          --model FILE        Check predicates against this data model
          --call NAME         Also check the format of this call: find(where:)
          --level RULE=LEVEL  Set a rule or check to error, warning, note or off
          --exclude PATTERN   Skip files and directories that match
          --baseline FILE     Do not report the findings of this file
          --format FORMAT     Write text, json, sarif, github or checkstyle
          --fail-on LEVEL     End with 1 for findings of this level or worse: note, warning or error (note);
                              note also shows notes
          --list              List every format string, valid or not, with its position
          --fix               Fix what is certain, and report the rest
          --diff              Show what --fix would change, without changing anything
        """

    init(_ words: [String]) throws(ToolError) {
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--fix": if fixing == .none { fixing = .applied }
            case "--diff": fixing = .shown
            case "--list": lists = true
            case "--":
                paths += rest
                rest = []
            case _ where word.hasPrefix("--"): try set(word, &rest)
            default: paths.append(word)
            }
        }
    }

    /// Reads an option that takes a value.
    private mutating func set(_ option: String, _ rest: inout ArraySlice<String>) throws(ToolError) {
        switch option {
        case "--root": root = try Self.value(of: option, &rest)
        case "--config": configuration = try Self.value(of: option, &rest)
        case "--baseline": baseline = try Self.value(of: option, &rest)
        case "--model": models.append(try Self.value(of: option, &rest))
        case "--exclude": excludes.append(PathPattern(try Self.value(of: option, &rest)))
        case "--format": format = try Self.choice(option, try Self.value(of: option, &rest))
        case "--fail-on": failLevel = try Self.choice(option, try Self.value(of: option, &rest))
        case "--call":
            let name = try Self.value(of: option, &rest)
            guard let call = CallName(name) else {
                throw ToolError("--call takes a name such as find(where:), found '\(name)'")
            }
            calls.append(call)
        case "--level":
            let word = try Self.value(of: option, &rest)
            let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw ToolError("--level takes RULE=LEVEL, found '\(word)'") }
            levels.append((parts[0], parts[1]))
        default: throw ToolError("unknown option '\(option)'\nhint: predicate-lint --help")
        }
    }

    private static func value(of option: String, _ rest: inout ArraySlice<String>) throws(ToolError) -> String {
        guard let value = rest.popFirst() else { throw ToolError("\(option) takes a value") }
        return value
    }

    private static func choice<Choice: RawRepresentable & CaseIterable>(
        _ option: String, _ name: String
    ) throws(ToolError) -> Choice where Choice.RawValue == String {
        if let choice = Choice(rawValue: name) { return choice }
        let names = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw ToolError("\(option) takes one of \(names), found '\(name)'")
    }
}
