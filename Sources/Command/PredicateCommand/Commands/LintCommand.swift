import Foundation
import PredicateData
import PredicateLint
import PredicateModel

extension Subcommand {
    static let lint = Subcommand(
        "lint", "Check the format strings in source code", usage: ["predicate lint [OPTION...] PATH..."],
        options: [
            [
                LintCommand.format, LintCommand.list, LintCommand.fix, LintCommand.diff, LintCommand.call,
                LintCommand.model, LintCommand.level, LintCommand.exclude, LintCommand.config, LintCommand.baseline,
                LintCommand.writeBaseline, LintCommand.failOn, LintCommand.kind,
            ]
        ],
        help: [
            .paragraph(
                "Find the format strings and #Predicate macros in source code and report what is wrong with them, before"
                    + " they run. Reads Swift, Objective-C, scripts and workflows that call 'log --predicate', tests of"
                    + " Appium, property lists of Munki, Jamf and AutoPkg, blocks of code in Markdown, and Core Data"
                    + " models; reads standard input for '-'. Without a configured model, the models of the project are"
                    + " used, whichever of its paths are given, and a note names them. Calls of NSPredicate, NSExpression,"
                    + " FormatPredicate and Realm are known; --call names others. Directories are searched, except for"
                    + " hidden files and directories other than .github, and for dependencies in Pods, Carthage and"
                    + " node_modules."),
            .paragraph(
                "The file .predicate-lint in this directory has one setting per line: 'exclude PATTERN',"
                    + " 'call NAME', 'function NAME' and 'operator NAME' for functions and operators of the host,"
                    + " 'macros library' if #Predicate is converted by this library,"
                    + " 'level RULE LEVEL', 'level RULE LEVEL PATTERN' for matching files, 'model FILE', 'baseline FILE'."
                    + " Such a file in an inner directory applies below it as well; --level outranks all of them."
                    + " In the source a comment"
                    + " 'predicate:disable:next RULE' turns a rule off for the next line, disable:this and"
                    + " disable:previous for this and the previous one, disable for all lines up to enable. RULE may"
                    + " also be a check of predicate-check or predicate-model, such as never-holds. Notes of checks"
                    + " are shown with --fail-on note, or if a level is set for the check or its rule."),
            .options,
            .rows(
                "Rules",
                LintRule.allCases.map { ($0.rawValue, "\($0.page.summary) (\($0.standardLevel?.rawValue ?? "off"))") }),
            .exitStatus([
                ("0", "nothing found"), ("1", "something found"),
                ("2", "an error, even if only some files could not be read"),
            ]),
            .examples([
                "predicate lint Sources",
                "predicate lint --format sarif . > predicates.sarif",
                "predicate lint --model App/Model.xcdatamodeld --call 'find(where:)' App",
                "predicate lint --fix --diff Sources",
            ]),
        ]
    ) { (reader, console) throws(CommandFailure) in try LintCommand(reader).run(console) }
}

extension LintCommand {
    static let format = CommandOption(
        "format", "f", value: "FORMAT", .values(of: LintFormat.self),
        help: "Write text, json, sarif, github or checkstyle")
    static let list = CommandOption(
        "list", "l", help: "List every format string, valid or not, with its position")
    static let fix = CommandOption("fix", help: "Fix what is certain, and report the rest")
    static let diff = CommandOption("diff", help: "Show what --fix would change, without changing anything")
    static let call = CommandOption(
        "call", "c", value: "NAME", help: "Also check the format of this call: find(where:)")
    static let model = CommandOption(
        "model", "m", value: "FILE", .files, help: "Check predicates against this data model")
    static let level = CommandOption(
        "level", value: "RULE=LEVEL", help: "Set a rule or check to error, warning, note or off")
    static let exclude = CommandOption("exclude", "x", value: "PATTERN", help: "Skip files and directories that match")
    static let config = CommandOption(
        "config", value: "FILE", .files, help: "Read this file instead of .predicate-lint")
    static let baseline = CommandOption(
        "baseline", value: "FILE", .files, help: "Do not report the findings of this file")
    static let writeBaseline = CommandOption(
        "write-baseline", value: "FILE", .files, help: "Write all findings to a baseline file")
    static let failOn = CommandOption(
        "fail-on", value: "LEVEL", .values(of: LintLevel.self),
        help: "Exit with status 1 for findings of this level or worse (default: note); 'note' also shows notes")
    static let kind = CommandOption(
        "kind", value: "KIND", .values(of: SourceKind.self),
        help: "Kind of standard input: swift (the default), objective-c, script, program, markdown, plist or model")
}

/// `predicate lint Sources`: checks the format strings of source code.
struct LintCommand {
    private var run: LintRun
    private let failLevel: LintLevel
    private let newBaseline: String?
    private let kind: SourceKind

    init(_ reader: ArgumentReader) throws(CommandFailure) {
        guard !reader.operands.isEmpty else {
            throw reader.failure("expected a file or a directory", hints: ["predicate lint ."])
        }
        run = LintRun(paths: reader.operands)
        run.version = CommandLineTool.version
        run.configuration = try LintConfigurationFile.read(reader.value(of: Self.config))
        run.format = try reader.choice(of: Self.format) ?? .text
        kind = try reader.choice(of: Self.kind) ?? .swift
        let failLevel: LintLevel? = try reader.choice(of: Self.failOn)
        run.configuration.settings.showsNotes = failLevel == .note
        self.failLevel = failLevel ?? .note
        run.lists = reader.has(Self.list)
        run.fixing = reader.has(Self.diff) ? .shown : reader.has(Self.fix) ? .applied : .none
        newBaseline = reader.value(of: Self.writeBaseline)
        run.keepsRows = newBaseline != nil
        try configure(reader)
    }

    private mutating func configure(_ reader: ArgumentReader) throws(CommandFailure) {
        for name in reader.values(of: Self.call) {
            guard let call = CallName(name) else {
                throw reader.failure("--call takes a name such as find(where:), found '\(name)'")
            }
            run.configuration.settings.calls.append(call)
        }
        for word in reader.values(of: Self.level) { try setLevel(word, reader) }
        run.configuration.excludes += reader.values(of: Self.exclude).map(PathPattern.init)
        run.configuration.models += reader.values(of: Self.model)
        do throws(ModelError) { try run.readModels() } catch { throw .text(error.description) }
        if let file = reader.value(of: Self.baseline) ?? run.configuration.baseline, newBaseline == nil {
            let text = try LintConfigurationFile.text(of: file)
            do throws(LintFileError) { run.baseline = try LintBaseline(text, file: file) } catch {
                throw .text("error: \(error.message)")
            }
        }
    }

    private mutating func setLevel(_ word: String, _ reader: ArgumentReader) throws(CommandFailure) {
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            throw reader.failure("--level takes RULE=LEVEL, found '\(word)'")
        }
        do throws(LintConfigurationError.Problem) {
            try run.levels.setLevel(parts[0], parts[1])
        } catch {
            throw reader.failure("--level: \(error.message)")
        }
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        var run = run
        if run.paths.contains("-") {
            let source = try StandardInput.bytes(console)
            run.standardInput = (source, kind)
        }
        let outcome = try run.start(
            write: { (text) throws(CommandFailure) in if !text.isEmpty { try console.write(text) } },
            report: { path, error in console.report("error: \(path): \(error.message)") })
        for path in outcome.foundModels { console.report(LintRun.note(ofFound: path)) }
        if let newBaseline {
            try LintConfigurationFile.write(LintBaseline.text(of: outcome.rows, file: newBaseline), to: newBaseline)
        }
        if outcome.hasFailures { return .failure }
        guard newBaseline == nil, let worst = outcome.worst, worst >= failLevel else { return .success }
        return .negative
    }
}

/// The file `.predicate-lint` and the baseline.
enum LintConfigurationFile {
    private static let name = ".predicate-lint"

    /// The configuration of a file, or of `.predicate-lint` in this directory if there is one.
    static func read(_ file: String?) throws(CommandFailure) -> LintConfiguration {
        if file == nil, !FileManager.default.fileExists(atPath: name) { return LintConfiguration() }
        let path = file ?? name
        let text = try text(of: path)
        do throws(LintConfigurationError) {
            return try LintConfiguration(text)
        } catch {
            throw .message("\(path):\(error.line): \(error.problem.message)")
        }
    }

    static func text(of path: String) throws(CommandFailure) -> String {
        do { return try String(contentsOfFile: path, encoding: .utf8) } catch {
            throw .message("\(path) cannot be read")
        }
    }

    static func write(_ text: String, to path: String) throws(CommandFailure) {
        do { try text.write(toFile: path, atomically: true, encoding: .utf8) } catch {
            throw .message("\(path) cannot be written")
        }
    }
}

/// Reads all of standard input.
private enum StandardInput {
    static func bytes(_ console: Console) throws(CommandFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        do throws(DataError) {
            while true {
                let count = try console.input.read(into: &buffer)
                if count == 0 { return bytes }
                if bytes.count < LintRun.largestFile { bytes += buffer[..<count] }
            }
        } catch {
            throw .message(error.message)
        }
    }
}
