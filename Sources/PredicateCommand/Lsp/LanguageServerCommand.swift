import PredicateData
import PredicateLanguageServer

/// The options of `predicate lsp`.
enum LanguageServerOption: CommandOption {
    case stdio

    var declaration: OptionDeclaration {
        switch self {
        case .stdio: .init("stdio", help: "Use standard input and output (always the case); editors pass this option")
        }
    }
}

/// `predicate lsp`: a language server over standard input and output, which an editor starts.
struct LanguageServerCommand {
    /// Bytes that are read at a time.
    private static let piece = 1 << 16

    init(_ words: ArraySlice<String>) throws(CommandFailure) {
        let reader = try ArgumentReader<LanguageServerOption>(words, .lsp)
        guard reader.positionals.isEmpty else { throw .usage(UsageError("expected no argument", in: .lsp)) }
    }

    /// Serves until the client says exit. The end of the input without that is a failure of the client.
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

extension HelpPages {
    static var lsp: HelpLayout {
        var page = HelpLayout(
            usage: ["predicate lsp [--stdio]"],
            purpose: "Start a language server that an editor talks to over standard input and output: findings as one"
                + " types, the canonical form and the tree of a predicate under the pointer, completion of keywords,"
                + " functions and keys of data models, quick fixes. Knows the predicates in Swift and Objective-C and"
                + " in files .predicate, which hold one after the other. A comment 'predicate:entity Person' tells the"
                + " entity of a data model against which a predicate is checked.")
        page.add("Options", rows: rows(LanguageServerOption.self))
        page.add(
            "Exit status",
            rows: [("0", "the editor shut the server down"), ("1", "the editor ended without shutting it down")])
        return page
    }
}
