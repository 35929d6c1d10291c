import PredicateChecks
import PredicateData
import PredicateEvaluation
import PredicateSession
import PredicateSyntax

/// Counts records that could not be read or evaluated, and reports the first of them.
struct RecordProblems {
    /// The number of problems that are reported individually.
    private static let reportedLimit = 10

    private let console: Console
    private let isStrict: Bool
    private let noun: String
    /// The header of the current file; nil for files without columns.
    var header: RecordHeader?
    private var unreadable = 0
    private(set) var failed = 0
    /// The kind of the first failure, and the reports of further failures of this kind that are held back. These are shown once
    /// more records have passed the stage than failed; until then they are only counted, since most records may have the same
    /// error.
    private var (first, held): (Failure?, [String]) = (nil, [])
    private var (conditions, values) = (0, 0)
    private var holdsReports = true
    /// The format that the options specify for the files.
    private let format: DataFormat?
    private var beginning = UnreadBeginning()
    /// True after a report of how many records of one file could not be read.
    private var hasCounted = false

    /// Where a record failed.
    enum Stage {
        /// The predicate
        case condition
        /// An expression for a value that is written, sorted by, grouped by or aggregated
        case values
    }

    private struct Failure: Equatable {
        let kind: String
        let stage: Stage
    }

    /// True after any problem.
    private(set) var wereFound = false
    /// True after an error that ended the reading of a file.
    private(set) var endedFile = false

    init(console: Console, isStrict: Bool, noun: String, format: DataFormat?) {
        (self.console, self.isStrict, self.noun, self.format) = (console, isStrict, noun, format)
    }

    mutating func beginFile() {
        reportBeginning()
        beginning = UnreadBeginning()
    }

    private mutating func reportBeginning() {
        hasCounted = hasCounted || beginning.isCounted
        for text in beginning.reports { console.report(text) }
    }

    /// Called when a record could be read: shows the reports held back at the beginning of the file.
    mutating func passReading() {
        for text in beginning.end() { console.report(text) }
    }

    /// Evaluates the predicate for a record. If that fails, reports the error and returns nil.
    mutating func outcome(
        of record: SourceRecord, _ evaluator: PredicateEvaluator, in file: String
    ) throws(CommandFailure) -> Bool? {
        do throws(EvaluationError) {
            let holds = try evaluator.evaluate(.value(record.value))
            pass(.condition)
            return holds
        } catch {
            let header = header
            note(
                first: Self.text(error, evaluator, header, header?.columns ?? record.keys), others: Self.line(error),
                error.code.title, .condition, in: "\(file.displayName):\(record.line)")
            if isStrict { throw .reported }
            return nil
        }
    }

    /// Reports that data could not be read; an error that ends the reading of the file is always reported. Returns false if the
    /// rest of the file need not be read.
    @discardableResult
    mutating func note(_ error: DataError, in file: String) throws(CommandFailure) -> Bool {
        if case .writeFailed = error.code { throw .output(error) }
        release()
        if error.isRecoverable { unreadable += 1 } else { endedFile = true }
        let text = Self.text(error, in: file)
        let isHeld = error.isRecoverable && beginning.holds(text, canReport: canReport)
        if !isHeld, !error.isRecoverable || canReport { console.report(text) }
        if unreadable + (endedFile ? 1 : 0) == 1, let hint = hint(error, file) { console.report(hint) }
        wereFound = true
        if isStrict { throw .reported }
        return !isOfOtherFormat(error, file)
    }

    /// Returns true, and ends the reading of the file, if none of its first records can be read and it looks like another
    /// format.
    private mutating func isOfOtherFormat(_ error: DataError, _ file: String) -> Bool {
        guard beginning.isLong, otherFormat(error, file) != nil else { return false }
        console.report("error: \(file.displayName): \(beginning.none)")
        beginning = UnreadBeginning()
        endedFile = true
        return true
    }

    /// Reports an evaluation error: the first one in full, others in one line. If most records have the same kind of error,
    /// these are only counted.
    mutating func note(
        first text: @autoclosure () -> String, others: @autoclosure () -> String, _ kind: String, _ stage: Stage,
        in location: String
    ) {
        let failure = Failure(kind: kind, stage: stage)
        if first != nil, first != failure { release() }
        first = first ?? failure
        failed += 1
        wereFound = true
        guard canReport else { return }
        if failed == 1 {
            console.report("\(location): \(text())")
        } else if holdsReports {
            held.append("\(location): \(others())")
        } else {
            console.report("\(location): \(others())")
        }
    }

    /// Counts records that have passed a stage.
    @inline(__always)
    mutating func pass(_ stage: Stage, _ count: Int = 1) {
        switch stage {
        case .condition: conditions += count
        case .values: values += count
        }
        if holdsReports, let first, (first.stage == .condition ? conditions : values) > failed { release() }
    }

    /// Shows the reports that were held back.
    private mutating func release() {
        holdsReports = false
        for text in held { console.report(text) }
        held = []
    }

    /// The number of reports of the same kind that are shown even if all records have this error.
    static let mostAlike = 3

    /// Reports the number of problems if not all of them were reported.
    mutating func summarize() {
        reportBeginning()
        if beginning.count == unreadable, failed == 0, beginning.isCounted { return }
        if failed <= Self.mostAlike { release() }
        if !held.isEmpty {
            return console.report("error: \(failed - 1) further errors are of this kind")
        }
        guard unreadable + failed > Self.reportedLimit else { return }
        let parts = [(unreadable, "read"), (failed, "evaluated")].filter { $0.0 > 0 }
        let counts = parts.map { "\($0.0) \(noun)\($0.0 == 1 ? "" : "s") could not be \($0.1)" }
        console.report("error: " + (hasCounted ? "in all, " : "") + counts.joined(separator: ", "))
    }

    private var canReport: Bool { unreadable + failed <= Self.reportedLimit }

    /// Reports a value that an aggregate does not accept, or an expression that cannot be evaluated.
    mutating func note(_ problem: GroupProblem, in location: String) throws(CommandFailure) {
        switch problem {
        case .notANumber(let value, let found):
            let text = "error: '\(value)' is not a number: it is \(FoundValue(found))"
            note(first: text, others: text, "a number", .values, in: location)
        case .failed(let error):
            note(
                first: RecordErrorText.text(of: error, columns: []), others: Self.line(error),
                error.code.title, .values, in: location)
        }
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

    /// The hint for a file that is read as JSON but is CSV, or of another format.
    private func hint(_ error: DataError, _ file: String) -> String? {
        guard let other = otherFormat(error, file) else { return nil }
        let name = [.csv, .tsv].contains(other) ? other.rawValue.uppercased() : other.rawValue
        let cure = format == nil ? "read it with --format \(other.rawValue)" : "leave out --format"
        return "hint: the file looks like \(name): \(cure)"
    }

    /// Returns the format that the first lines of a file suggest, if it was read as JSON; nil if they look like JSON.
    private func otherFormat(_ error: DataError, _ file: String) -> DataFormat? {
        guard case .json = error.code, let shown = DataFormat.shown(by: file) else { return nil }
        return [.json, .jsonLines].contains(shown) ? nil : shown
    }

    /// The message for a reading error, with its position.
    static func text(_ error: DataError, in file: String) -> String {
        switch error.code {
        case .openFailed: "error: \(error.message)"
        case .plainText where ForeignFile(fileName: file) != nil:
            text(DataError(ForeignFile(fileName: file).map(DataError.Code.foreignFile) ?? error.code), in: file)
        case .readFailed, .foreignFile, .plainText, .truncatedCompression, .invalidCompression, .invalidPropertyList:
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

/// Hints for evaluation errors that concern types: `name > 5`, `zip BEGINSWITH "9"` where zips are integers.
struct TypeHints {
    /// The header of CSV and TSV; nil for JSON.
    let header: RecordHeader?

    private static let reportedColumns = 3

    /// Returns the hints for an error: the types of the columns in the predicate, and how to override them.
    func hints(for error: EvaluationError, _ predicate: PredicateNode) -> [String] {
        let paths = RecordPaths(predicate).sorted
        guard isAboutTypes(error.code) else { return [] }
        guard let header else { return isDateBesideText(error.code) ? paths.compactMap(Self.dateHint) : [] }
        let names = Set(paths.compactMap(\.first))
        let isBesideText = isDateBesideText(error.code)
        return header.columns.filter(names.contains).prefix(Self.reportedColumns).compactMap {
            hint($0, header, isBesideText: isBesideText)
        }
    }

    private func hint(_ column: String, _ header: RecordHeader, isBesideText: Bool) -> String? {
        guard let type = header.reading(of: column)?.type else { return nil }
        let start = "column '\(column)' is \(type.noun)"
        if type == .date, !isBesideText { return start }
        if type != .string { return "\(start); --types '\(column)=string' reads it as a string" }
        guard let exception = header.exceptions[column] else { return start }
        let other = "--types '\(column)=\(exception.type.rawValue)' reports such cells"
        return "\(start), \(exception.reason); \(other)"
    }

    private static func dateHint(_ path: [String]) -> String? {
        guard path.count == 1 else { return nil }
        return "--types '\(path[0])=date' reads ISO 8601 strings of '\(path[0])' as dates"
    }

    private func isAboutTypes(_ code: EvaluationError.Code) -> Bool {
        switch code {
        case .notANumber(let found): found.valueClass != nil
        case .incomparable, .notAString: true
        default: false
        }
    }

    private func isDateBesideText(_ code: EvaluationError.Code) -> Bool {
        guard case .incomparable(let left, let right) = code else { return false }
        return Set([left.valueClass, right.valueClass]) == [.date, .string]
    }
}
