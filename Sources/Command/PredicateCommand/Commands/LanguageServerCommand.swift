import PredicateData
import PredicateLanguageServer

extension Subcommand {
    static let lsp = Subcommand(
        "lsp", "Start a language server for an editor", usage: ["predicate lsp [--stdio]"],
        options: [
            [
                CommandOption(
                    "stdio", help: "Use standard input and output (always the case); editors pass this option")
            ]
        ],
        help: [
            .paragraph(
                "Start a language server that an editor talks to over standard input and output: findings while"
                    + " you type, the canonical form and the tree of the predicate under the pointer, completion of"
                    + " keywords, functions and keys of data models, and quick fixes. Knows predicates in Swift and"
                    + " Objective-C, and .predicate files, which hold one predicate after another. A comment"
                    + " 'predicate:entity Person' names the entity of a data model that a predicate is checked against."
            ),
            .options,
            .exitStatus([
                ("0", "the editor shut the server down"), ("1", "the editor ended without shutting it down"),
            ]),
        ]
    ) { (reader, console) throws(CommandFailure) in try LanguageServerCommand(reader).run(console) }
}

/// `predicate lsp`: a language server over standard input and output, which an editor starts.
struct LanguageServerCommand {
    /// The number of bytes that are read at a time.
    private static let piece = 1 << 16

    init(_ reader: ArgumentReader) throws(CommandFailure) {
        guard reader.operands.isEmpty else { throw reader.failure("expected no argument") }
    }

    /// Serves until the client sends `exit`. Without it, the end of the input is an error of the client.
    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        var server = LanguageServer(version: CommandLineTool.version)
        var buffer = [UInt8](repeating: 0, count: Self.piece)
        while true {
            let count: Int
            do throws(DataError) { count = try console.input.read(into: &buffer) } catch {
                throw .message(error.message)
            }
            if count == 0 { return .negative }
            try console.write(server.receive(buffer[..<count]))
            if let status = server.exitStatus { return status == 0 ? .success : .negative }
        }
    }
}
