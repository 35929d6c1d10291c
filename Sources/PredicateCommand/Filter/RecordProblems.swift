import PredicateData
import PredicateEvaluation
import PredicateSyntax

/// Records that could not be read or evaluated: reported one by one, then only counted.
struct RecordProblems {
    /// How many records are reported each by a line of its own.
    static let reportedLimit = 10

    private let console: Console
    private let isStrict: Bool
    /// What the records are written in now.
    var format: DataFormat?
    private var unreadable = 0
    private var failed = 0

    /// Whether anything went wrong.
    private(set) var wereFound = false

    init(console: Console, isStrict: Bool) {
        self.console = console
        self.isStrict = isStrict
    }

    /// Whether the predicate holds for a record; nil where that is an error, which is noted.
    mutating func outcome(
        of record: SourceRecord, _ evaluator: PredicateEvaluator, in file: String
    ) throws(CommandFailure) -> Bool? {
        do throws(EvaluationError) {
            return try evaluator.evaluate(.value(record.value))
        } catch {
            try note(error, at: record.line, in: file)
            return nil
        }
    }

    /// Notes that data could not be read. An error after which a file gives nothing more is always reported.
    mutating func note(_ error: DataError, in file: String) throws(CommandFailure) {
        if case .writeFailed = error.code { throw .output(error) }
        if error.isRecoverable { unreadable += 1 }
        if !error.isRecoverable || canReport { console.report(Self.text(error, in: file)) }
        try end()
    }

    private mutating func note(_ error: EvaluationError, at line: Int, in file: String) throws(CommandFailure) {
        failed += 1
        if canReport { console.report("\(file.displayName):\(line): \(text(error))") }
        try end()
    }

    /// Says how many there were, when not all of them were reported.
    func summarize() {
        guard unreadable + failed > Self.reportedLimit else { return }
        let parts = [(unreadable, "read"), (failed, "evaluated")].filter { $0.0 > 0 }
        let counts = parts.map { "\($0.0) record\($0.0 == 1 ? "" : "s") could not be \($0.1)" }
        console.report("error: " + counts.joined(separator: ", "))
    }

    private var canReport: Bool { unreadable + failed <= Self.reportedLimit }

    private mutating func end() throws(CommandFailure) {
        wereFound = true
        if isStrict { throw .reported }
    }

    /// The first one with the place in the predicate, the others in one line.
    private func text(_ error: EvaluationError) -> String {
        if failed == 1 {
            let hints = columnHints(error).map { "hint: \($0)" }
            return ([error.description] + hints).joined(separator: "\n")
        }
        return [error.code.title, error.code.label].compactMap(\.self).joined(separator: ": ")
    }

    /// Columns hold what they look like, unless it is said what they hold.
    private func columnHints(_ error: EvaluationError) -> [String] {
        guard let format, format.isDelimited else { return [] }
        switch error.code {
        case .notANumber(let found) where found.valueClass == nil: return []
        case .incomparable, .notANumber, .notAString:
            return ["--types NAME=TYPE says what a column holds: date, string, …"]
        default: return []
        }
    }

    private static func text(_ error: DataError, in file: String) -> String {
        switch error.code {
        case .openFailed: "error: \(error.message)"
        case .readFailed: "error: \(file.displayName): \(error.message)"
        default: "\(file.displayName):\(error.line): \(error.message) (column \(error.column))"
        }
    }
}
