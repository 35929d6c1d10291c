import Foundation
import PredicateData
import PredicateLint

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
                    + " used, whatever paths are given, and a note names them. Calls of NSPredicate, NSExpression,"
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
        let options = try Self.options(reader)
        failLevel = options.failLevel ?? .note
        kind = try reader.choice(of: Self.kind) ?? .swift
        newBaseline = reader.value(of: Self.writeBaseline)
        do throws(LintOptions.Failure) { run = try options.run(readsBaseline: newBaseline == nil) } catch {
            switch error {
            case .option(let message): throw reader.failure(message)
            case .file(let message): throw .message(message)
            case .model(let report): throw .text(report)
            }
        }
        run.version = CommandLineTool.version
        run.keepsRows = newBaseline != nil
    }

    private static func options(_ reader: ArgumentReader) throws(CommandFailure) -> LintOptions {
        var options = LintOptions()
        options.paths = reader.operands
        options.configuration = reader.value(of: config)
        options.baseline = reader.value(of: baseline)
        options.models = reader.values(of: model)
        options.calls = reader.values(of: call)
        options.excludes = reader.values(of: exclude)
        options.levels = reader.values(of: level)
        options.format = try reader.choice(of: format) ?? .text
        options.failLevel = try reader.choice(of: failOn)
        options.lists = reader.has(list)
        options.fixing = reader.has(diff) ? .shown : reader.has(fix) ? .applied : .none
        return options
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
            let text = LintBaseline.text(of: outcome.rows, file: newBaseline)
            do { try text.write(toFile: newBaseline, atomically: true, encoding: .utf8) } catch {
                throw .message("\(newBaseline) cannot be written")
            }
        }
        if outcome.hasFailures { return .failure }
        guard newBaseline == nil, let worst = outcome.worst, worst >= failLevel else { return .success }
        return .negative
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
