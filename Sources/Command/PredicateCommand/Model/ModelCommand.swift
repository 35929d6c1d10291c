import PredicateData
import PredicateJSON
import PredicateModel
import PredicateSQL
import PredicateSyntax

/// `predicate model diff Library.xcdatamodeld`: models and their versions.
struct ModelCommand {
    private let verb: ModelVerb
    private let reader: ArgumentReader

    init(_ reader: ArgumentReader) throws(CommandFailure) {
        self.reader = reader
        guard let verb = reader.operands.first.flatMap({ ModelVerb(word: $0) }) else {
            throw reader.failure(expectedOneOf: ModelVerb.allCases.map(\.rawValue))
        }
        self.verb = verb
        for (option, verbs) in Self.verbs where reader.has(option) && !verbs.contains(verb) {
            throw reader.failure("--\(option.name) is not for \(verb.rawValue)")
        }
        let files = reader.operands.count - 1
        guard verb.files.contains(files) else {
            throw reader.failure("expected \(verb.summary.usage)")
        }
    }

    private var paths: [String] { Array(reader.operands.dropFirst()) }
    private var isJSON: Bool { reader.has(Self.json) }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        switch verb {
        case .list: return try list(console)
        case .show: return try show(console)
        case .write: return try made().write(try ModelInput.model(paths[0], version: version), console)
        case .infer:
            let model = try ModelInput.inferred(paths[0])
            for note in model.notesOnInference { console.report("note: \(paths[0]): \(note)") }
            return try made().write(model, console)
        case .merge: return try made().merge(paths, console)
        case .compile: return try made().compile(paths[0], version: version, console)
        case .map: return try made().map(paths[0], paths[1], console)
        case .check: return try check(console)
        case .diff:
            return try ModelDiff(
                paths: paths, isAll: reader.has(Self.all), isJSON: isJSON, mapping: reader.value(of: Self.mapping)
            ).run(console)
        case .unchanged:
            guard let reference = reader.value(of: Self.since) else { throw reader.failure("expected --since REF") }
            return try UnchangedVersions(bundle: paths[0], reference: reference, isJSON: isJSON).run(console)
        case .swift: return try code().swift(console)
        case .sql: return try code().sql(console)
        case .diagram: return try code().diagram(console)
        }
    }

    /// The text that is generated from the model.
    private func code() throws(CommandFailure) -> ModelCode {
        ModelCode(
            reader: reader, model: try ModelInput.model(paths[0], version: version), path: paths[0])
    }

    private var version: String? { reader.value(of: Self.version) }

    /// The files that are written.
    private func made() -> MadeModel { MadeModel(reader: reader, path: reader.value(of: Self.save)) }

    // MARK: Verbs

    private func list(_ console: Console) throws(CommandFailure) -> ExitStatus {
        if let model = try ModelInput.stored(in: paths[0]) {
            try console.write(row(ModelInput.name(of: paths[0]), isCurrent: true, .success(model)))
            return .success
        }
        let bundle = try ModelInput.bundle(paths[0])
        var status = ExitStatus.success
        for version in bundle.versions {
            let model = Result { () throws(ModelError) in try version.model() }
            if case .failure = model { status = .failure }
            let isCurrent = version.name == bundle.currentVersionName
            try console.write(row(version.name, isCurrent: isCurrent, model, checksum: version.checksum))
        }
        return status
    }

    /// `* Model 2  7 entities`
    private func row(
        _ name: String, isCurrent: Bool, _ model: Result<ManagedObjectModel, ModelError>, checksum: String? = nil
    ) -> String {
        var line = "\(isCurrent ? "* " : "  ")\(name.printable)"
        var members: [String: PredicateValue] = ["name": .string(name), "current": .bool(isCurrent)]
        switch model {
        case .success(let model):
            line += "  \(model.entities.count) entities"
            members["entities"] = .integer(Int64(model.entities.count))
        case .failure(let error):
            line += "  \(error.title.printable)"
            members["error"] = .string(error.title)
        }
        if let checksum {
            line += "  checksum \(checksum.printable)"
            members["checksum"] = .string(checksum)
        }
        return (isJSON ? JSONWriter().text(of: .dictionary(members)) : line) + "\n"
    }

    private func show(_ console: Console) throws(CommandFailure) -> ExitStatus {
        if let mapping = try ModelInput.mapping(paths[0]) {
            try console.write(isJSON ? ModelJSON.text(of: mapping) : ModelText.text(of: mapping))
            return .success
        }
        let model = try ModelInput.model(paths[0], version: version)
        let only = reader.value(of: Self.entity)
        if let name = only, model.entity(name) == nil {
            let hints = UsageError.suggestions(for: name, among: model.entities.map(\.name))
            throw .message("\(paths[0]): there is no entity '\(name)'", hints: hints)
        }
        if isJSON {
            try console.write(ModelJSON.text(of: model, only: only))
        } else {
            let contents = try ModelInput.contents(paths[0])
            try console.write(ModelText.text(of: model, only: only) { contents?.words($0, of: $1, in: model) })
        }
        return .success
    }

    private func check(_ console: Console) throws(CommandFailure) -> ExitStatus {
        let findings = try ModelInput.findings(paths[0])
        for finding in findings {
            try console.write((isJSON ? ModelJSON.text(of: finding) : finding.description) + "\n")
        }
        let counted = reader.has(Self.strict) ? findings : findings.filter { !$0.isWarning }
        return counted.isEmpty ? .success : .negative
    }
}

extension Subcommand {
    static let model = Subcommand(
        "model", "Check, compare and translate Core Data models",
        usage: ["predicate model VERB [OPTION...] FILE..."],
        operands: [.values(of: ModelVerb.self), .files], options: [ModelCommand.verbs.map(\.option)],
        help: [
            .paragraph(
                "Read Core Data models: an .xcdatamodel, .xcdatamodeld, .mom or .momd, and the model that a store"
                    + " contains. Compare their versions, and report whether a migration can be inferred. Make Swift"
                    + " types, tables of a database, and diagrams of them."),
            .rows("Verbs", ModelVerb.allCases.map(\.summary)), .options,
            .exitStatus([
                ("0", "nothing is wrong; a migration can be inferred, or there is nothing to do"),
                ("1", "something is wrong or has changed; a mapping model is needed"), ("2", "an error"),
                ("3", "diff: a migration can be inferred, but may fail for some data"),
            ]),
            .examples([
                "predicate model show Library.xcdatamodeld --entity Book",
                "predicate model infer Things.sqlite -o Things.xcdatamodel",
                "predicate model merge Library.xcdatamodeld Accounts.xcdatamodeld -o All.xcdatamodeld",
                "predicate model compile Library.xcdatamodeld -o Library.momd",
                "predicate model map 'Library 1.xcdatamodel' 'Library 2.xcdatamodel' -o 1to2.xcmappingmodel",
                "predicate model check Library.xcdatamodeld",
                "predicate model diff Library.xcdatamodeld",
                "predicate model swift Library.xcdatamodeld --access public -o Sources/Library/",
                "predicate model sql Library.xcdatamodeld --dialect postgresql | psql library",
                "predicate model diagram default.store --entity Book --depth 2",
                "predicate model unchanged Library.xcdatamodeld --since origin/main",
            ]),
        ]
    ) { (reader, console) throws(CommandFailure) in try ModelCommand(reader).run(console) }
}

extension ModelCommand {
    static let entity = CommandOption(
        "entity", value: "NAME", help: "show: only this entity; diagram: this entity and its neighbours")
    static let version = CommandOption(
        "version", value: "NAME",
        help:
            "show, write, compile, swift, sql, diagram: this version of a bundle (default: the current one; compile to .momd:"
            + " all of them)")
    static let json = CommandOption("json", "j", help: "Print JSON, for programs")
    static let save = CommandOption(
        "save", "o", value: "PATH", .files,
        help:
            "write, infer, merge: create this .xcdatamodel or .xcdatamodeld instead of printing its text; map: create this"
            + " .xcmappingmodel; compile: create this .mom or .momd; swift, sql, diagram: write this file;"
            + " swift: write a file for each type into this folder, which exists or ends in /")
    static let all = CommandOption("all", help: "diff: every older version of a bundle with every newer one")
    static let since = CommandOption(
        "since", value: "REF", help: "unchanged: the commit, branch or tag of git to compare with")
    static let mapping = CommandOption(
        "mapping", value: "FILE", .files,
        help: "diff: a mapping model, checked against both; the verdict says whether it covers what inference does not")
    static let strict = CommandOption("strict", help: "check: treat warnings as errors")
    static let access = CommandOption(
        "access", value: "LEVEL", .values(of: ModelSwiftCode.Access.self),
        help: "swift: the access level of the types: internal (the default), package or public")
    static let dialect = CommandOption(
        "dialect", value: "NAME", .values(of: SQLEngine.self),
        help: "sql: the database: \(SQLEngine.list())")
    static let coreData = CommandOption(
        "core-data", help: "sql: the tables in which Core Data keeps the objects, for SQLite")
    static let schema = CommandOption(
        "schema", help: "sql: print the schema of the tables for 'predicate sql --schema' instead of the statements")
    static let depth = CommandOption(
        "depth", value: "N", help: "diagram: how many relationships away from --entity an entity may be (default: 1)")

    /// The options, each with the verbs that take it.
    static let verbs: [(option: CommandOption, verbs: Set<ModelVerb>)] = [
        (entity, [.show, .diagram]), (version, [.show, .write, .compile, .swift, .sql, .diagram]),
        (json, [.list, .show, .check, .diff, .unchanged]),
        (save, [.write, .infer, .merge, .compile, .map, .swift, .sql, .diagram]), (all, [.diff]), (since, [.unchanged]),
        (mapping, [.diff]),
        (strict, [.check]),
        (access, [.swift]), (depth, [.diagram]),
        (dialect, [.sql]), (coreData, [.sql]), (schema, [.sql]),
    ]
}

/// The verbs of `predicate model`.
enum ModelVerb: String, CaseIterable {
    case list, show, write, infer, merge, compile, check, diff, map, unchanged, swift, sql, diagram

    /// Creates the verb for a word; `dump` is a synonym of `show`.
    init?(word: String) {
        self.init(rawValue: word == "dump" ? "show" : word)
    }

    /// The number of files that the verb takes.
    var files: ClosedRange<Int> {
        switch self {
        case .list, .show, .write, .infer, .compile, .check, .swift, .sql, .diagram, .unchanged: 1...1
        case .diff: 1...2
        case .map: 2...2
        case .merge: 2...Int.max
        }
    }

    /// The usage and the summary in the help page.
    var summary: (usage: String, help: String) {
        switch self {
        case .list: ("list FILE", "List the versions of a bundle, with the current one marked")
        case .show: ("show FILE", "Show the entities, properties and predicates of a model, or a mapping model")
        case .write: ("write FILE", "Print the model as the text of an .xcdatamodel")
        case .infer:
            (
                "infer STORE",
                "Print a model for a store that contains none, inferred from its tables or from its objects"
            )
        case .merge: ("merge FILE FILE...", "Merge several models into one; parts with the same name must be equal")
        case .compile:
            (
                "compile FILE -o FILE",
                "Write a model as a .mom, or the versions of a bundle as a .momd, without the version hashes that only Core"
                    + " Data computes"
            )
        case .map:
            (
                "map OLD NEW",
                "Print the mapping model of the migration that is inferred between two models, for you to change"
            )
        case .check:
            (
                "check FILE",
                "Find what is wrong in every version: predicates, inverses, indexes, default values"
            )
        case .diff:
            (
                "diff OLD NEW, diff BUNDLE",
                "Show what has changed between two models, or between the versions of a bundle, and whether a migration"
                    + " can be inferred"
            )
        case .swift:
            (
                "swift FILE",
                "Print Swift types for the entities of a model, which predicates evaluate and a fetch decodes"
            )
        case .sql:
            ("sql FILE --dialect NAME", "Print the statements that make tables for the entities of a model")
        case .diagram: ("diagram FILE", "Print a diagram of the entities and relationships, in the language of Mermaid")
        case .unchanged:
            ("unchanged BUNDLE --since REF", "Verify that no version committed at REF has changed since")
        }
    }
}
