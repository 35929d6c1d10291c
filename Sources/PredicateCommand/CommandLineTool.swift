import PredicateData

/// The command `predicate`, without the process around it.
///
/// `predicate filter 'age >= 21' people.jsonl` is `run(arguments: ["filter", "age >= 21", "people.jsonl"], …)`.
package enum CommandLineTool {
    /// The version that `--version` prints.
    package static let version = "0.1.0"

    /// Runs the command and returns its exit status.
    ///
    /// `arguments` are the words after the name of the program. Standard input is read only when a command needs it.
    /// The status is 0 for success, 1 for a negative result (no record matched, a case failed) and 2 for an error.
    package static func run(
        arguments: [String], input: any ByteSource, output: @escaping ByteSink, errorOutput: @escaping ByteSink
    ) -> Int32 {
        run(arguments, Console(input: input, output: output, errorOutput: errorOutput))
    }

    /// Runs the command on a console and returns its exit status. `isText` is false for arguments that are not UTF-8.
    static func run(_ arguments: [String], isText: [Bool] = [], _ console: Console) -> Int32 {
        do throws(CommandFailure) {
            if let number = isText.firstIndex(of: false) {
                throw .message("argument \(number + 1): these bytes are not UTF-8")
            }
            return try dispatch(arguments, console).rawValue
        } catch {
            return console.report(error).rawValue
        }
    }

    private static func dispatch(_ words: [String], _ console: Console) throws(CommandFailure) -> ExitStatus {
        guard let first = words.first else { return try runWithoutCommand(console) }
        switch first {
        case "--help", "-h":
            return try show(HelpPages.overview.text, console)
        case "--version":
            return try show("predicate \(version)\n", console)
        default:
            if opens(first) { return try ReplCommand(words[...]).run(console) }
            return try run(try command(named: first), words.dropFirst(), console)
        }
    }

    /// Starts the interactive session if the command runs on a terminal.
    private static func runWithoutCommand(_ console: Console) throws(CommandFailure) -> ExitStatus {
        guard console.terminal.isInputTerminal, console.terminal.isOutputTerminal else {
            let hint = "'predicate repl' reads lines from a file or a pipe"
            throw .usage(UsageError("expected a command", hints: [hint]))
        }
        return try ReplCommand([]).run(console)
    }

    /// True for `predicate people.json`: a file that has no command's name starts a session with it.
    private static func opens(_ word: String) -> Bool {
        Command(rawValue: word) == nil && !word.hasPrefix("-") && FileAccess.size(of: word) != nil
    }

    private static func run(
        _ command: Command, _ words: ArraySlice<String>, _ console: Console
    ) throws(CommandFailure) -> ExitStatus {
        switch command {
        case .parse: return try ParseCommand(words).run(console)
        case .filter: return try FilterCommand(words).run(console)
        case .sql: return try SQLCommand(words).run(console)
        case .schema: return try SchemaCommand(words).run(console)
        case .create: return try CreateCommand(words).run(console)
        case .insert: return try InsertCommand(words).run(console)
        case .update: return try UpdateCommand(words).run(console)
        case .delete: return try DeleteCommand(words).run(console)
        case .metadata: return try MetadataCommand(words).run(console)
        case .migrate: return try MigrateCommand(words).run(console)
        case .export: return try ExportCommand(words).run(console)
        case .explain: return try ExplainCommand(words).run(console)
        case .check: return try CheckCommand(words).run(console)
        case .model: return try ModelCommand(words).run(console)
        case .lint: return try LintCommand(words).run(console)
        case .repl: return try ReplCommand(words).run(console)
        case .lsp: return try LanguageServerCommand(words).run(console)
        case .test: return try TestCommand(words).run(console)
        case .completion: return try CompletionCommand(words).run(console)
        case .help: return try HelpCommand(words).run(console)
        }
    }

    static func command(named name: String) throws(CommandFailure) -> Command {
        if let command = Command(rawValue: name) { return command }
        throw .usage(name.hasPrefix("-") ? UsageError(unknownOption: name) : UsageError(unknownCommand: name))
    }

    private static func show(_ text: String, _ console: Console) throws(CommandFailure) -> ExitStatus {
        try console.write(text)
        return .success
    }
}

/// The subcommands.
enum Command: String, CaseIterable {
    case parse
    case filter
    case sql
    case schema
    case create
    case insert
    case update
    case delete
    case metadata
    case migrate
    case export
    case explain
    case check
    case model
    case lint
    case repl
    case lsp
    case test
    case completion
    case help

    /// One line for the overview.
    var summary: String {
        switch self {
        case .parse: "Show how a format string is parsed"
        case .filter: "Print the records that match a predicate"
        case .sql: "Compile a predicate to SQL"
        case .schema: "Print the schema of a SQLite file as JSON"
        case .create: "Create a Core Data store for a model"
        case .insert: "Insert an object into a Core Data store"
        case .update: "Change the objects of a Core Data store that match a predicate"
        case .delete: "Delete the objects of a Core Data store that match a predicate"
        case .metadata: "Print or set the metadata of a Core Data store"
        case .migrate: "Migrate a Core Data store to another version of its model"
        case .export: "Write the objects of a Core Data store into plain tables"
        case .explain: "Count the matches of each clause of a predicate"
        case .check: "Find what is legal but probably wrong"
        case .model: "Check and compare Core Data models"
        case .lint: "Check the format strings in source code"
        case .repl: "Start an interactive session"
        case .lsp: "Start a language server for an editor"
        case .test: "Run conformance cases"
        case .completion: "Print a completion script for bash, zsh or fish"
        case .help: "Show help for a command"
        }
    }
}

/// The exit status, numbered as in grep.
enum ExitStatus: Int32 {
    /// Something matched; every case passed.
    case success = 0
    /// Nothing matched; a case failed; something looks wrong.
    case negative = 1
    /// Wrong usage, an invalid predicate, data that could not be read.
    case failure = 2
    /// Nothing in the files says it: the data decides, as with a migration that it may refuse.
    case undecided = 3
}
