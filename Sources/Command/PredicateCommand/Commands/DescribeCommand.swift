import PredicateEvaluation
import PredicateSession

extension Subcommand {
    static let describe = Subcommand(
        "describe", "List the keys of a file with their types and ranges",
        usage: ["predicate describe [OPTION...] FILE [KEY]"], operands: [.files, .keys],
        options: [[.table], OptionGroup.records, [.zone, .color]],
        help: [
            .paragraph(
                "Read a whole file and print a row for each key: its type, the share of records in which it is nil, the"
                    + " number of different values, the least and the greatest, and examples. With KEY, only that key and"
                    + " the keys of its values. Notes below the table say why a column of CSV is read as text, and"
                    + " which orders of its dates are possible."),
            .paragraph(
                "Different values are counted up to 100,000 for a key, and held in memory for that. In JSON, the"
                    + " elements of an array are counted, and at most 2,000 keys are described, to a depth of six."),
            .options,
            .exitStatus([("0", "success"), ("2", "an error, even if only some records could not be read")]),
            .examples(["predicate describe people.csv", "predicate describe orders.jsonl customer"]),
        ]
    ) { (reader, console) throws(CommandFailure) in try DescribeCommand(reader).run(console) }
}

/// `predicate describe people.csv`: lists the keys of a file.
struct DescribeCommand {
    private let key: String?
    private let question: FileQuestion

    init(_ reader: ArgumentReader) throws(CommandFailure) {
        guard let file = reader.operands.first, reader.operands.count <= 2 else {
            throw reader.failure(
                reader.operands.isEmpty ? "expected a file" : "expected one file and one key",
                hints: ["a hyphen as the file is standard input"])
        }
        if CommandLineTool.isPredicate(file), FileAccess.size(of: file) == nil {
            throw reader.failure(
                "expected a file, found the predicate '\(file)'", hints: ["describe reads all records of a file"])
        }
        key = reader.operands.dropFirst().first
        question = try FileQuestion(reader, file)
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        try question.ask(for: "", console) { (session) throws(SessionError) in
            (try session.description(of: key) + "\n", .success)
        }
    }
}
