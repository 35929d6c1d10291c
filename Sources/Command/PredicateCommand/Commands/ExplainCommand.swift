import PredicateEvaluation
import PredicateSession
import PredicateSyntax

extension Subcommand {
    static let explain = Subcommand(
        "explain", "Count the matches of each clause of a predicate",
        usage: ["predicate explain [OPTION...] FORMAT FILE"], operands: [.predicate, .files],
        options: [[ExplainCommand.object, .table, .argument, .variable], OptionGroup.records, [.zone, .color]],
        help: [
            .paragraph(
                "For each clause of a predicate, count the objects for which it holds by itself (alone), the objects"
                    + " that reach it because no earlier clause has decided the result (reached), and how many of these"
                    + " pass it (passed). This shows which clause excludes everything."),
            .options,
            .exitStatus([("0", "success"), ("2", "an error, even if only some objects could not be read")]),
            .examples([
                "predicate explain 'age > 21 AND name BEGINSWITH \"jo\"' people.json",
                "predicate explain --object 3 'ANY tags == \"new\"' people.jsonl",
            ]),
        ]
    ) { (reader, console) throws(CommandFailure) in try ExplainCommand(reader).run(console) }
}

/// `predicate explain 'age > 21 AND name BEGINSWITH "jo"' people.json`: counts the matches of each clause.
struct ExplainCommand {
    private let format: String
    private let object: Int?
    private let words: [String]
    private let question: FileQuestion

    static let object = CommandOption(
        "object", "n", value: "N", help: "Also show the values of object N, counted from 1")

    init(_ reader: ArgumentReader) throws(CommandFailure) {
        try FileQuestion.checkFormat(reader)
        guard reader.operands.count == 2 else { throw Self.wrongOperands(reader) }
        let file = reader.operands[1]
        format = reader.operands[0]
        object = try Self.number(reader)
        words = reader.values(of: .argument)
        question = try FileQuestion(reader, file)
    }

    private static func wrongOperands(_ reader: ArgumentReader) -> CommandFailure {
        if reader.operands.isEmpty { return reader.failure("expected a format and a file") }
        if reader.operands.count > 2 {
            return reader.failure("expected one file, found '\(reader.operands[2])' too")
        }
        return reader.failure("expected a file after the format", hints: ["a hyphen as the file is standard input"])
    }

    private static func number(_ reader: ArgumentReader) throws(CommandFailure) -> Int? {
        guard let word = reader.value(of: object) else { return nil }
        if let number = Int(word), number > 0 { return number }
        throw reader.failure("--object takes a number above 0, found '\(word)'")
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        try question.ask(for: format, console) { (session) throws(SessionError) in
            let explanation = try session.explanation(of: format, words: words, object: object)
            return (explanation.text + "\n", explanation.failures == 0 ? .success : .failure)
        }
    }
}
