import PredicateData
import PredicateSyntax

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The command `predicate` without a process of its own, so that tests can run it.
///
/// `predicate filter 'age >= 21' people.jsonl` is `run(arguments: ["filter", "age >= 21", "people.jsonl"], …)`.
package enum CommandLineTool {
    /// The version that `--version` prints.
    package static let version = "1.0.0"

    /// Runs the command and returns its exit status.
    ///
    /// `arguments` are the words after the name of the program. Standard input is read only if the command needs it.
    /// The status is 0 for success, 1 for a negative result (for example, no record matched) and 2 for an error.
    package static func run(
        arguments: [String], input: any ByteSource, output: @escaping ByteSink, errorOutput: @escaping ByteSink
    ) -> Int32 {
        run(arguments, Console(input: input, output: output, errorOutput: errorOutput))
    }

    /// Runs the command on a console and returns its exit status. `isText` is false for each argument that is not
    /// UTF-8.
    static func run(_ arguments: [String], isText: [Bool] = [], _ console: Console) -> Int32 {
        do throws(CommandFailure) {
            if let number = isText.firstIndex(of: false) {
                throw .message("argument \(number + 1) is not valid UTF-8")
            }
            return try dispatch(Subcommand.joiningName(in: arguments), console).rawValue
        } catch {
            return console.report(error).rawValue
        }
    }

    private static func dispatch(_ words: [String], _ console: Console) throws(CommandFailure) -> ExitStatus {
        guard let first = words.first else { return try runWithoutCommand(console) }
        switch first {
        case "--help", "-h":
            try console.write(HelpPage.overview.text)
            return .success
        case "--version":
            try console.write("predicate \(version)\n")
            return .success
        default:
            guard let command = commandLeftOut(words) else {
                return try command(named: first).run(words.dropFirst(), console)
            }
            return try command.run(words[...], console)
        }
    }

    /// Returns the subcommand that is meant if the words do not begin with one: the session for the name of a file, and
    /// `filter` for a predicate or for options followed by more words. `-v` alone may mean `--version`.
    static func commandLeftOut(_ words: [String]) -> Subcommand? {
        guard let first = words.first, Subcommand.named(first) == nil else { return nil }
        let rest = words.dropFirst()
        if opens(first) { return rest.contains { isPredicate($0) || isNoOptionOfSession($0) } ? .filter : .repl }
        if first.isOption { return rest.isEmpty && !isOptionNamed(first) ? nil : .filter }
        return isPredicate(first) || rest.first.map(opens) ?? false && !resemblesCommand(first) ? .filter : nil
    }

    /// Starts the interactive session if the command runs on a terminal.
    private static func runWithoutCommand(_ console: Console) throws(CommandFailure) -> ExitStatus {
        guard console.terminal.isInputTerminal, console.terminal.isOutputTerminal else {
            let hint = "'predicate repl' reads lines from a file or a pipe"
            throw .usage(UsageError("expected a command", hints: [hint]))
        }
        return try Subcommand.repl.run([], console)
    }

    /// Returns true for `predicate people.json`: the name of a file, unless it is that of a subcommand, starts a session.
    private static func opens(_ word: String) -> Bool {
        Subcommand.named(word) == nil && !word.hasPrefix("-") && FileAccess.size(of: word) != nil
    }

    /// Returns true for `predicate 'age > 40' people.csv`: a predicate implies `filter`. It may be one word, such as
    /// `TRUEPREDICATE`, or a call.
    static func isPredicate(_ word: String) -> Bool {
        if word.hasPrefix("-") { return false }
        return word.contains { $0.isWhitespace || "=<>(){}[]'\"!&|$%".contains($0) }
            || (try? FormatPredicate(format: word, arguments: [])) != nil
    }

    /// Returns true for `predicate people.csv --count-by city`, also if the option is mistyped.
    private static func isNoOptionOfSession(_ word: String) -> Bool {
        guard word.isOption, !["--help", "-h", "--"].contains(word) else { return false }
        return !Subcommand.repl.options.contains { $0.isGiven(by: word) }
    }

    /// Returns true for `predicate --count < people.csv`.
    private static func isOptionNamed(_ word: String) -> Bool {
        word.hasPrefix("--") && Subcommand.filter.options.contains { $0.isGiven(by: word) }
    }

    /// Returns true for `predicate filtr people.csv`, a slip in the name of a subcommand.
    private static func resemblesCommand(_ word: String) -> Bool {
        !UsageError.suggestions(for: word, among: Subcommand.all.map(\.word)).isEmpty
            || ForeignOption.name(of: "--" + word, among: Subcommand.filter.options.map(\.name)) != nil
    }

    static func command(named name: String) throws(CommandFailure) -> Subcommand {
        if let command = Subcommand.named(name) { return command }
        throw .usage(name.hasPrefix("-") ? UsageError(unknownOption: name) : UsageError(unknownCommand: name))
    }
}

/// The exit status. The numbers 0 to 2 are those of grep.
enum ExitStatus: Int32 {
    /// A record matched, or nothing is wrong.
    case success = 0
    /// No record matched, or something looks wrong.
    case negative = 1
    /// The command line or the predicate is invalid, or data could not be read.
    case failure = 2
    /// The models alone do not decide the result: a migration may fail for some data.
    case undecided = 3
}

extension CommandLineTool {
    /// Runs the command with the arguments and streams of this process, and returns the exit status.
    ///
    /// SIGPIPE is ignored: if the reader of the output exits, as `head` does, a failed write ends the run quietly.
    package static func runProcess() -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        let console = Console(
            input: FileSource.standardInput(),
            output: DescriptorSink.standardOutput,
            errorOutput: { (bytes) throws(DataError) in try DescriptorSink.write(bytes, to: STDERR_FILENO) },
            terminal: Terminal.ofProcess())
        return run(Array(CommandLine.arguments.dropFirst()), isText: argumentsAreText(), console)
    }

    /// Returns, for each argument of the process, whether it is valid UTF-8. Swift repairs other arguments silently.
    private static func argumentsAreText() -> [Bool] {
        (1..<max(1, Int(CommandLine.argc))).map { number in
            CommandLine.unsafeArgv[number].map { String(validatingCString: $0) != nil } ?? false
        }
    }
}
