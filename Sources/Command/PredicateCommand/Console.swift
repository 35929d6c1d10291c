import PredicateData
import PredicateEvaluation
import PredicateQuery
import PredicateSession
import PredicateSyntax

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Standard input, standard output and standard error of a run.
final class Console {
    let input: any ByteSource
    let output: ByteSink
    /// The terminal that the streams are connected to.
    let terminal: Terminal
    private let errorOutput: ByteSink
    /// Called before a line is written to standard error.
    var willReport: () -> Void = {}

    init(
        input: any ByteSource, output: @escaping ByteSink, errorOutput: @escaping ByteSink, terminal: Terminal = .none
    ) {
        self.input = input
        self.output = output
        self.errorOutput = errorOutput
        self.terminal = terminal
    }

    /// The width of tables on standard output; nil for no limit.
    var tableWidth: Int? { terminal.isOutputTerminal ? terminal.columns : nil }

    /// Writes a string to standard output.
    func write(_ text: String) throws(CommandFailure) { try write(Array(text.utf8)) }

    /// Writes bytes to standard output.
    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        guard !bytes.isEmpty else { return }
        do { try Self.send(bytes, to: output) } catch { throw .output(error) }
    }

    /// Writes lines to standard error. A failure to write is ignored.
    func report(_ text: String, hints: [String] = []) {
        willReport()
        reportPiece(([text] + hints.map { "hint: \($0)" }).joined(separator: "\n") + "\n")
    }

    /// Writes a string to standard error, unchanged.
    func reportPiece(_ text: String) { try? Self.send(Array(text.utf8), to: errorOutput) }

    /// Reports why a run ended and returns its exit status. It is not an error if the reader of a pipe has closed it, as `head`
    /// does.
    func report(_ failure: CommandFailure) -> ExitStatus {
        switch failure {
        case .helpRequested(let command):
            do throws(CommandFailure) { try write(command.page.text) } catch { return report(error) }
            return .success
        case .usage(let error): report(error.description)
        case .format(let error, let hints): report(RecordErrorText.text(of: error), hints: hints)
        case .evaluation(let error): report(RecordErrorText.text(of: error, columns: []))
        case .text(let text): report(text)
        case .message(let text, let hints): report("error: \(text)", hints: hints)
        case .reported: break
        case .output(let error):
            if case .writeFailed(EPIPE) = error.code { return .success }
            report("error: \(error.message)")
        }
        return .failure
    }

    private static func send(_ bytes: [UInt8], to sink: ByteSink) throws(DataError) {
        try bytes.withUnsafeBufferPointer { bytes in
            Result { () throws(DataError) in try sink(UnsafeRawBufferPointer(bytes)) }
        }.get()
    }
}

/// The reason why a run ended early.
enum CommandFailure: Error {
    /// `predicate filter --help`
    case helpRequested(Subcommand)
    /// The command line is wrong: `predicate filter --cuont`
    case usage(UsageError)
    /// The format string is wrong: `predicate parse 'age >='`
    case format(PredicateFormatError, hints: [String] = [])
    /// The predicate cannot be prepared: `predicate filter 'name MATCHES "("'`
    case evaluation(EvaluationError)
    /// A rendered error with excerpt and hints: `predicate sql 'wings > 2' --table t --types a=integer`
    case text(String)
    /// Any other error: `predicate parse 'age == %d' x`
    case message(String, hints: [String] = [])
    /// The error is already reported on standard error.
    case reported
    /// Standard output cannot be written.
    case output(DataError)

    /// Runs work that writes to standard output.
    static func output<Outcome>(_ work: () throws(DataError) -> Outcome) throws(CommandFailure) -> Outcome {
        do throws(DataError) { return try work() } catch { throw .output(error) }
    }

    /// Runs work that reads values from words.
    static func reading<Value>(_ work: () throws(ValueError) -> Value) throws(CommandFailure) -> Value {
        do throws(ValueError) { return try work() } catch { throw .message(error.message, hints: error.hints) }
    }

    /// Runs work that prepares or evaluates a predicate or an expression.
    static func evaluating<Outcome>(_ work: () throws(EvaluationError) -> Outcome) throws(CommandFailure) -> Outcome {
        do throws(EvaluationError) { return try work() } catch { throw .evaluation(error) }
    }
}

/// The terminal that the streams of the process are connected to.
struct Terminal: Sendable {
    var isInputTerminal: Bool
    var isOutputTerminal: Bool
    var isErrorTerminal: Bool
    /// The environment variables that affect the command.
    var environment: [String: String]

    /// No terminal: in tests and with pipes.
    static let none = Terminal(
        isInputTerminal: false, isOutputTerminal: false, isErrorTerminal: false, environment: [:])

    static func ofProcess() -> Terminal {
        let names = ["NO_COLOR", "TERM", "HOME", "XDG_STATE_HOME"]
        let values = names.compactMap { name in getenv(name).map { (name, String(cString: $0)) } }
        return Terminal(
            isInputTerminal: isatty(STDIN_FILENO) == 1, isOutputTerminal: isatty(STDOUT_FILENO) == 1,
            isErrorTerminal: isatty(STDERR_FILENO) == 1,
            environment: Dictionary(values, uniquingKeysWith: { first, _ in first }))
    }

    /// The columns of the terminal. The default is 80.
    var columns: Int {
        var size = winsize()
        let terminals = [
            (isOutputTerminal, STDOUT_FILENO), (isErrorTerminal, STDERR_FILENO), (isInputTerminal, STDIN_FILENO),
        ]
        for (isTerminal, descriptor) in terminals
        where isTerminal && ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 {
            return Int(size.ws_col)
        }
        return 80
    }

    /// Returns true if output is coloured. NO_COLOR turns colours off unless the command line asks for them.
    func isColoured(_ choice: ColourChoice) -> Bool {
        switch choice {
        case .always: true
        case .never: false
        case .auto: isOutputTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
        }
    }
}

/// The values of `--color`.
enum ColourChoice: String, CaseIterable {
    case auto, always, never

    init(_ reader: ArgumentReader) throws(CommandFailure) {
        self = try reader.choice(of: .color) ?? .auto
    }
}

extension CommandOption {
    static let color = CommandOption(
        "color", value: "WHEN", .values(of: ColourChoice.self),
        help: "Colour the output: auto (on a terminal, unless NO_COLOR is set), always or never")
}
