import PredicateChecks
import PredicateData
import PredicateEvaluation
import PredicateJSON
import PredicateSession
import PredicateSyntax

extension Subcommand {
    static let check = Subcommand(
        "check", "Find what is legal but probably wrong", usage: ["predicate check [OPTION...] FORMAT [FILE]"],
        operands: [.predicate, .files],
        options: [
            [.argument, .table, CheckCommand.json], OptionGroup.records,
            [.zone, .color, .untrusted, CheckCommand.model, CheckCommand.entity],
        ],
        help: [
            .paragraph(
                "Report what is legal but probably wrong: clauses that never hold, comparisons of values that never"
                    + " match, patterns with a surprising meaning. With a FILE of objects, also keys that no object"
                    + " has, and comparisons that hold only if case or accents are ignored. With --model"
                    + " and --entity, also what the entity of a Core Data model rules out. A %@ without --arg"
                    + " may be any value."),
            .options,
            .exitStatus([
                ("0", "no problems found"), ("1", "problems found"),
                ("2", "FORMAT is not a predicate, or an error, even if only some objects could not be read"),
            ]),
            .examples([
                "predicate check 'age > 5 AND age < 3'",
                "predicate check 'nmae == \"jo\"' people.json",
                "predicate check 'done == NO' --model ToDo.xcdatamodeld --entity Item",
            ]),
        ]
    ) { (reader, console) throws(CommandFailure) in try CheckCommand(reader).run(console) }
}

/// `predicate check 'age > 5 AND age < 3' people.json`: reports whatever is legal but probably wrong.
struct CheckCommand {
    private let reader: ArgumentReader
    private let format: String
    private let question: FileQuestion
    /// The untrusted predicate, which is checked against the policy; nil if the predicate is trusted.
    private let untrusted: PredicateOptions?
    private let model: CheckedModel?

    static let json = CommandOption("json", "j", help: "Print each finding as a JSON object")
    static let model = CommandOption(
        "model", value: "FILE", .files, help: "Check against a Core Data model, or the model of a store")
    static let entity = CommandOption("entity", value: "NAME", help: "Entity of the model that the predicate selects")

    init(_ reader: ArgumentReader) throws(CommandFailure) {
        guard let format = reader.operands.first else { throw reader.failure("expected a format") }
        try FileQuestion.checkFormat(reader)
        guard reader.operands.count < 3 else { throw reader.failure("expected one file at most") }
        (self.reader, self.format) = (reader, format)
        question = try FileQuestion(reader, reader.operands.dropFirst().first)
        untrusted = reader.has(.untrusted) ? try PredicateOptions(format, reader, takesVariables: false) : nil
        model = try CheckedModel(reader)
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        _ = try untrusted?.predicate()
        let scope = try model?.scope()
        return try question.ask(for: format, console) { (session) throws(SessionError) in
            let findings = try session.findings(in: format, words: reader.values(of: .argument), scope: scope)
            let painter = Painter(isColoured: session.settings.isColoured)
            // The model may differ from the store that the predicate is for, so its errors are findings.
            let isError = model == nil && findings.contains { $0.level == .error }
            let lines = findings.map { text(of: $0, painter) + "\n" }
            return (lines.joined(), isError ? .failure : findings.isEmpty ? .success : .negative)
        }
    }

    private func text(of finding: PredicateFinding, _ painter: Painter) -> String {
        reader.has(Self.json) ? json(finding) : painter.paint(finding: finding.description)
    }

    private func json(_ finding: PredicateFinding) -> String {
        var members: [String: PredicateValue] = [
            "code": .string(finding.code.rawValue), "level": .string(finding.level.rawValue),
            "message": .string(finding.message),
        ]
        members["suggestion"] = finding.hint.map(PredicateValue.string)
        if let range = finding.range {
            members["range"] = .array([.integer(Int64(range.lowerBound)), .integer(Int64(range.upperBound))])
        }
        return JSONWriter().text(of: .dictionary(members))
    }
}
