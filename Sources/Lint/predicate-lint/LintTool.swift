import Foundation
import PredicateLint

/// The linter for build plugins. It reports the same findings as `predicate lint`, in a program without SQLite and the line
/// editor.
///
///     predicate-lint --root . --fail-on error Sources/App/Store.swift
///
/// The options are those of `predicate lint`, except options that read standard input or write a baseline. `--root` is for
/// plugins, which are not run in the directory of the package.
struct LintTool {
    private let run: LintRun
    private let failLevel: LintLevel

    /// Runs the tool and returns its exit status: 0, 1 for findings at or above the level, 2 for an invalid option and for a
    /// file that cannot be read.
    static func run(_ words: [String]) -> Int32 {
        if words.contains("--help") || words.contains("-h") {
            print(ToolArguments.help)
            return 0
        }
        do throws(ToolError) {
            let options = try ToolArguments(words).options
            return LintTool(run: try run(options), failLevel: options.failLevel ?? .note).start()
        } catch {
            report(error.message)
            return 2
        }
    }

    private static func run(_ options: LintOptions) throws(ToolError) -> LintRun {
        do throws(LintOptions.Failure) { return try options.run() } catch {
            switch error {
            case .option(let message), .file(let message): throw ToolError(message)
            case .model(let report): throw ToolError(report, isReport: true)
            }
        }
    }

    private func start() -> Int32 {
        let outcome = run.start(
            write: { text in FileHandle.standardOutput.write(Data(text.utf8)) },
            report: { path, error in Self.report("error: \(path): \(error.message)") })
        for path in outcome.foundModels { Self.report(LintRun.note(ofFound: path)) }
        if outcome.hasFailures { return 2 }
        return outcome.worst.map { $0 >= failLevel } ?? false ? 1 : 0
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
    private(set) var options = LintOptions()

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
            case "--fix": if options.fixing == .none { options.fixing = .applied }
            case "--diff": options.fixing = .shown
            case "--list": options.lists = true
            case "--":
                options.paths += rest
                rest = []
            case _ where word.hasPrefix("--"): try set(word, &rest)
            default: options.paths.append(word)
            }
        }
    }

    /// Reads an option that takes a value.
    private mutating func set(_ option: String, _ rest: inout ArraySlice<String>) throws(ToolError) {
        switch option {
        case "--root": options.root = try Self.value(of: option, &rest)
        case "--config": options.configuration = try Self.value(of: option, &rest)
        case "--baseline": options.baseline = try Self.value(of: option, &rest)
        case "--model": options.models.append(try Self.value(of: option, &rest))
        case "--exclude": options.excludes.append(try Self.value(of: option, &rest))
        case "--format": options.format = try Self.choice(option, try Self.value(of: option, &rest))
        case "--fail-on": options.failLevel = try Self.choice(option, try Self.value(of: option, &rest))
        case "--call": options.calls.append(try Self.value(of: option, &rest))
        case "--level": options.levels.append(try Self.value(of: option, &rest))
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
