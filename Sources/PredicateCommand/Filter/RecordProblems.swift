import PredicateData
import PredicateEvaluation
import PredicateSession
import PredicateSyntax

/// Records that could not be read or evaluated: the first ones are reported, the others only counted.
struct RecordProblems {
    /// The number of records that are reported each on a line.
    private static let reportedLimit = 10

    private let console: Console
    private let isStrict: Bool
    private let noun: String
    /// The header of the current file; nil for files without columns.
    var header: RecordHeader?
    private var unreadable = 0
    private var failed = 0

    /// True after any problem.
    private(set) var wereFound = false
    /// True after an error that ended a file.
    private(set) var endedFile = false

    init(console: Console, isStrict: Bool, noun: String) {
        (self.console, self.isStrict, self.noun) = (console, isStrict, noun)
    }

    /// Evaluates the predicate for a record; nil for an error, which is noted.
    mutating func outcome(
        of record: SourceRecord, _ evaluator: PredicateEvaluator, in file: String
    ) throws(CommandFailure) -> Bool? {
        do throws(EvaluationError) {
            return try evaluator.evaluate(.value(record.value))
        } catch {
            let header = header
            note(
                first: Self.text(error, evaluator, header, header?.columns ?? record.keys), others: Self.line(error),
                in: "\(file.displayName):\(record.line)")
            if isStrict { throw .reported }
            return nil
        }
    }

    /// Notes that data could not be read. An error that ends the file is always reported.
    mutating func note(_ error: DataError, in file: String) throws(CommandFailure) {
        if case .writeFailed = error.code { throw .output(error) }
        if error.isRecoverable { unreadable += 1 } else { endedFile = true }
        if !error.isRecoverable || canReport { console.report(Self.text(error, in: file)) }
        wereFound = true
        if isStrict { throw .reported }
    }

    /// Notes an evaluation error: the first one is reported in full, the others in one line.
    mutating func note(first: @autoclosure () -> String, others: @autoclosure () -> String, in location: String) {
        failed += 1
        wereFound = true
        if canReport { console.report("\(location): \(failed == 1 ? first() : others())") }
    }

    /// Reports the number of problems if not all of them were reported.
    func summarize() {
        guard unreadable + failed > Self.reportedLimit else { return }
        let parts = [(unreadable, "read"), (failed, "evaluated")].filter { $0.0 > 0 }
        let counts = parts.map { "\($0.0) \(noun)\($0.0 == 1 ? "" : "s") could not be \($0.1)" }
        console.report("error: " + counts.joined(separator: ", "))
    }

    private var canReport: Bool { unreadable + failed <= Self.reportedLimit }

    /// Notes a value that an aggregate cannot take.
    mutating func note(_ value: PredicateValue, of key: String, in file: String, line: Int) throws(CommandFailure) {
        let text = "error: '\(key)' is not a number: \(value.printed)"
        note(first: text, others: text, in: "\(file.displayName):\(line)")
        if isStrict { throw .reported }
    }

    private static func text(
        _ error: EvaluationError, _ evaluator: PredicateEvaluator, _ header: RecordHeader?,
        _ columns: @autoclosure () -> [String]
    ) -> String {
        let hints = TypeHints(header: header).hints(for: error, evaluator.predicate.node)
        let text = RecordErrorText.text(of: error, columns: columns(), aggregate: { "--\($0) \($1) prints it" })
        return ([text] + hints.map { "hint: \($0)" }).joined(separator: "\n")
    }

    private static func line(_ error: EvaluationError) -> String {
        "error: " + [error.code.title, error.code.label].compactMap(\.self).joined(separator: ": ")
    }

    /// A problem of reading, with its place.
    static func text(_ error: DataError, in file: String) -> String {
        switch error.code {
        case .openFailed: "error: \(error.message)"
        case .plainText where ForeignFile(fileName: file) != nil:
            text(DataError(ForeignFile(fileName: file).map(DataError.Code.foreignFile) ?? error.code), in: file)
        case .readFailed, .foreignFile, .plainText, .truncatedCompression, .invalidCompression:
            "error: \(file.displayName): \(error.message)"
        case .unknownColumn, .recordsPathNotFound: "error: \(file.displayName): \(error.message)"
        default: "\(file.displayName):\(error.line): error: \(error.message) (column \(error.column))"
        }
    }
}

extension SourceRecord {
    /// The keys of the record, sorted.
    fileprivate var keys: [String] {
        if case .dictionary(let members) = value { members.keys.sorted() } else { [] }
    }
}
