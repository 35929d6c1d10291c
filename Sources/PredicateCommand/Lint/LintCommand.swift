import Foundation
import PredicateData
import PredicateLint
import PredicateModel

/// The options of `predicate lint`.
enum LintOption: CommandOption {
    case format
    case list
    case fix
    case diff
    case call
    case model
    case level
    case exclude
    case config
    case baseline
    case writeBaseline
    case failOn
    case kind

    var declaration: OptionDeclaration {
        switch self {
        case .format:
            .init("format", "f", value: .required("FORMAT"), help: "Write text, json, sarif, github or checkstyle")
        case .list: .init("list", "l", help: "List every format string, valid or not, with its position")
        case .fix: .init("fix", help: "Fix what is certain, and report the rest")
        case .diff: .init("diff", help: "Show what --fix would change, without changing anything")
        case .call:
            .init("call", "c", value: .required("NAME"), help: "Also check the format of this call: find(where:)")
        case .model: .init("model", "m", value: .required("FILE"), help: "Check predicates against this data model")
        case .level:
            .init("level", value: .required("RULE=LEVEL"), help: "Set a rule to error, warning, note or off")
        case .exclude: .init("exclude", "x", value: .required("PATTERN"), help: "Skip files and directories that match")
        case .config:
            .init("config", value: .required("FILE"), help: "Read this file instead of .predicate-lint")
        case .baseline: .init("baseline", value: .required("FILE"), help: "Do not report the findings of this file")
        case .writeBaseline:
            .init("write-baseline", value: .required("FILE"), help: "Write all findings to a baseline file")
        case .failOn:
            .init("fail-on", value: .required("LEVEL"), help: "End with 1 for findings of this level or worse (note)")
        case .kind:
            .init(
                "kind", value: .required("KIND"),
                help: "What standard input is: swift (the default), objective-c, script, plist, model")
        }
    }
}

/// `predicate lint Sources`: checks the format strings of source code.
struct LintCommand {
    private var run: LintRun
    private let failLevel: LintLevel
    private let newBaseline: String?
    private let kind: SourceKind

    init(_ words: ArraySlice<String>) throws(CommandFailure) {
        let reader = try ArgumentReader<LintOption>(words, .lint)
        guard !reader.positionals.isEmpty else {
            throw .usage(UsageError("expected a file or a directory", hints: ["predicate lint ."], in: .lint))
        }
        run = LintRun(paths: reader.positionals)
        run.version = CommandLineTool.version
        run.configuration = try LintConfigurationFile.read(reader.value(of: .config))
        run.format = try Self.choice(reader.value(of: .format), of: .format, standard: .text)
        kind = try Self.choice(reader.value(of: .kind), of: .kind, standard: .swift)
        failLevel = try Self.choice(reader.value(of: .failOn), of: .failOn, standard: .note)
        run.lists = reader.has(.list)
        run.fixing = reader.has(.diff) ? .shown : reader.has(.fix) ? .applied : .none
        newBaseline = reader.value(of: .writeBaseline)
        run.keepsRows = newBaseline != nil
        try configure(reader)
    }

    /// The value of an option that takes one of a few words.
    private static func choice<Value: RawRepresentable & CaseIterable>(
        _ name: String?, of option: LintOption, standard: Value
    ) throws(CommandFailure) -> Value where Value.RawValue == String {
        guard let name else { return standard }
        if let value = Value(rawValue: name) { return value }
        let names = Value.allCases.map(\.rawValue)
        let list = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
        throw .usage(
            UsageError(
                "--\(option.declaration.name) takes \(list), found '\(name)'",
                hints: UsageError.suggestions(for: name, among: names), in: .lint))
    }

    private mutating func configure(_ reader: ArgumentReader<LintOption>) throws(CommandFailure) {
        for name in reader.values(of: .call) {
            guard let call = CallName(name) else {
                throw .usage(UsageError("--call takes a name such as find(where:), found '\(name)'", in: .lint))
            }
            run.configuration.settings.calls.append(call)
        }
        for word in reader.values(of: .level) { try setLevel(word) }
        run.configuration.excludes += reader.values(of: .exclude).map(PathPattern.init)
        run.configuration.models += reader.values(of: .model)
        do throws(ModelError) { try run.readModels() } catch { throw .text(error.description) }
        if let file = reader.value(of: .baseline) ?? run.configuration.baseline, newBaseline == nil {
            run.baseline = LintBaseline(try LintConfigurationFile.text(of: file))
        }
    }

    private mutating func setLevel(_ word: String) throws(CommandFailure) {
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else {
            throw .usage(UsageError("--level takes RULE=LEVEL, found '\(word)'", in: .lint))
        }
        do throws(LintConfigurationError.Problem) {
            try run.configuration.settings.setLevel(parts[0], parts[1])
        } catch {
            throw .usage(UsageError("--level: \(error.message)", in: .lint))
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
        if let newBaseline { try LintConfigurationFile.write(LintBaseline.text(of: outcome.rows), to: newBaseline) }
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

/// All of standard input.
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
