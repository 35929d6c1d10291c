import PredicateData
import PredicateEvaluation
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
    /// What the streams are connected to.
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

    /// Writes text to standard output.
    func write(_ text: String) throws(CommandFailure) {
        do { try Self.send(text, to: output) } catch { throw .output(error) }
    }

    /// Writes lines to standard error. Where that cannot be written either there is nobody left to tell.
    func report(_ text: String, hints: [String] = []) {
        try? Self.send(([text] + hints.map { "hint: \($0)" }).joined(separator: "\n") + "\n", to: errorOutput)
    }

    /// Writes text to standard error as it is.
    func reportPiece(_ text: String) {
        try? Self.send(text, to: errorOutput)
    }

    /// Says why a run ended. A reader that went away, as `head` does, is no error.
    func report(_ failure: CommandFailure) -> ExitStatus {
        switch failure {
        case .helpRequested(let command):
            do throws(CommandFailure) { try write(HelpPages.page(of: command)) } catch { return report(error) }
            return .success
        case .usage(let error): report(error.description)
        case .format(let error, let hints): report(error.description, hints: hints)
        case .evaluation(let error): report(error.description)
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
        let bytes = Array(text.utf8)
        try bytes.withUnsafeBufferPointer { (bytes) throws(DataError) in try sink(UnsafeRawBufferPointer(bytes)) }
    }
}

/// Why a run ended before its end.
enum CommandFailure: Error {
    /// `predicate filter --help`
    case helpRequested(Command)
    /// The command line is wrong: `predicate filter --cuont`
    case usage(UsageError)
    /// The format string is wrong: `predicate parse 'age >='`
    case format(PredicateFormatError, hints: [String] = [])
    /// The predicate cannot be prepared: `predicate filter 'name MATCHES "("'`
    case evaluation(EvaluationError)
    /// What has its words already, place and hints with them: `predicate sql 'wings > 2' --table t --types a=integer`
    case text(String)
    /// Anything else, in words: `predicate parse 'age == %d' x`
    case message(String, hints: [String] = [])
    /// Standard error has it already.
    case reported
    /// Standard output cannot be written.
    case output(DataError)
}
