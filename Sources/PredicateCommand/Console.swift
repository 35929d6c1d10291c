import PredicateData
import PredicateEvaluation
import PredicateSession
import PredicateSyntax

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The three streams of a run.
final class Console {
    let input: any ByteSource
    let output: ByteSink
    /// The terminal of the streams.
    let terminal: Terminal
    private let errorOutput: ByteSink

    init(
        input: any ByteSource, output: @escaping ByteSink, errorOutput: @escaping ByteSink, terminal: Terminal = .none
    ) {
        self.input = input
        self.output = output
        self.errorOutput = errorOutput
        self.terminal = terminal
    }

    /// The width of tables on standard output; nil for no limit.
    var tableWidth: Int? { terminal.isOutputTerminal ? terminal.size.columns : nil }

    /// Writes text to standard output.
    func write(_ text: String) throws(CommandFailure) {
        do { try Self.send(text, to: output) } catch { throw .output(error) }
    }

    /// Writes bytes to standard output.
    func write(_ bytes: [UInt8]) throws(CommandFailure) {
        guard !bytes.isEmpty else { return }
        do { try Self.send(bytes, to: output) } catch { throw .output(error) }
    }

    /// Writes lines to standard error. A failure of that is ignored.
    func report(_ text: String, hints: [String] = []) {
        try? Self.send(([text] + hints.map { "hint: \($0)" }).joined(separator: "\n") + "\n", to: errorOutput)
    }

    /// Writes text to standard error as it is.
    func reportPiece(_ text: String) {
        try? Self.send(text, to: errorOutput)
    }

    /// Reports why a run ended, and returns the status. A closed pipe, as by `head`, is not an error.
    func report(_ failure: CommandFailure) -> ExitStatus {
        switch failure {
        case .helpRequested(let command):
            do throws(CommandFailure) { try write(HelpPages.page(of: command).text) } catch { return report(error) }
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

    private static func send(_ text: String, to sink: ByteSink) throws(DataError) {
        try send(Array(text.utf8), to: sink)
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
    case helpRequested(Command)
    /// The command line is wrong: `predicate filter --cuont`
    case usage(UsageError)
    /// The format string is wrong: `predicate parse 'age >='`
    case format(PredicateFormatError, hints: [String] = [])
    /// The predicate cannot be prepared: `predicate filter 'name MATCHES "("'`
    case evaluation(EvaluationError)
    /// A rendered error with excerpt and hints: `predicate sql 'wings > 2' --table t --types a=integer`
    case text(String)
    /// Any other error, as text: `predicate parse 'age == %d' x`
    case message(String, hints: [String] = [])
    /// Already reported on standard error.
    case reported
    /// Standard output cannot be written.
    case output(DataError)
}
