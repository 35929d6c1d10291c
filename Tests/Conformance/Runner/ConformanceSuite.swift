import PredicateData
import PredicateJSON
import PredicateSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The cases of one file of conformance data.
///
/// `let report = try ConformanceSuite.load(path: "operators.cases").run()`
///
/// A file whose name ends in `.cases` holds records in the format of ``CaseFile``. Any other file holds JSON Lines: a
/// row with `expect` is a fact, a row with `arguments` is a format of a corpus.
package struct ConformanceSuite: Sendable {
    package let path: String
    let cases: [any ConformanceCase]
    /// The statements that the records cite, such as `NSP-041`, each with the id of the case.
    package let citations: [ConformanceReport.Line]
    /// The error codes that the records expect: `expectedExpression`, `incomparable`, …
    package let expectedErrorCodes: Set<String>

    /// The number of cases.
    package var count: Int { cases.count }

    /// Reads a file. Invalid contents are an error with a line, never a skipped case.
    package static func load(path: String) throws(ConformanceFileError) -> ConformanceSuite {
        try ConformanceSuite(path: path, text: try text(ofFile: path))
    }

    /// Parses the contents of a file. The name decides the format.
    package init(path: String, text: String) throws(ConformanceFileError) {
        self.path = path
        guard path.hasSuffix(".cases") else {
            (cases, citations, expectedErrorCodes) = (try JSONLines(path: path, text: text).cases, [], [])
            return
        }
        let records = try CaseFile(path: path, text: text).records
        cases = records
        citations = records.flatMap { record in
            record.citedStatements.map { ConformanceReport.Line(id: record.id, message: $0) }
        }
        expectedErrorCodes = Set(records.flatMap(\.expectedErrorCodes))
    }

    /// Judges every case.
    ///
    /// A case in `exceptions` must fail. If it passes, it counts as failed.
    package func run(exceptions: ExceptionList = ExceptionList()) -> ConformanceReport {
        var report = ConformanceReport()
        for conformanceCase in cases {
            let reason = exceptions.reason(for: conformanceCase.id)
            report.record(conformanceCase.judge(), of: conformanceCase.id, exception: reason)
        }
        return report
    }

    /// Rewrites the golden fields of a `.cases` file with the current output.
    ///
    /// Returns the number of changed lines. A file without changes is not written. Rows and errors are never
    /// rewritten, because they are the specification.
    @discardableResult
    package static func rewriteGoldenFields(path: String) throws(ConformanceFileError) -> Int {
        let file = try CaseFile(path: path, text: try text(ofFile: path), acceptsEmptyGoldens: true)
        let (text, changes) = file.rewritten()
        guard changes > 0 else { return 0 }
        do {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        } catch {
            throw ConformanceFileError(.unreadable(String(describing: error)), path: path)
        }
        return changes
    }

    static func text(ofFile path: String) throws(ConformanceFileError) -> String {
        let bytes: [UInt8]
        do throws(DataError) {
            bytes = try FileSource(path: path).all()
        } catch {
            throw ConformanceFileError(.unreadable(error.message), path: path)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ConformanceFileError(.notUTF8, path: path)
        }
        return text
    }
}

/// An assertion about the language.
protocol ConformanceCase: Sendable {
    /// The identifier of the case in failures and exceptions.
    var id: String { get }

    /// Judges the case.
    func judge() -> Verdict

    /// The evaluations that the case asserts.
    var evaluations: [ConformanceEvaluation] { get }
}

extension ConformanceCase {
    var evaluations: [ConformanceEvaluation] { [] }
}

/// The verdict on a case.
enum Verdict: Hashable, Sendable {
    case passed
    /// The differences, one line each.
    case failed([String])
    /// The case asserts nothing certain.
    case skipped(String)

    init(complaints: [String]) {
        self = complaints.isEmpty ? .passed : .failed(complaints)
    }
}

/// A case with invalid data. It fails with the reason, so that no row is skipped.
struct UnreadableCase: ConformanceCase {
    let id: String
    let problem: String

    func judge() -> Verdict {
        .failed([problem])
    }
}

/// Reads files with a JSON object on each line: facts and corpora.
struct JSONLines {
    private(set) var cases: [any ConformanceCase] = []
    private let path: String
    private var ids: Set<String> = []

    init(path: String, text: String) throws(ConformanceFileError) {
        self.path = path
        for (number, line) in text.numberedLines where !line.isBlank {
            cases.append(try row(String(line), number))
        }
    }

    private mutating func row(_ text: String, _ line: Int) throws(ConformanceFileError) -> any ConformanceCase {
        let fields = try object(text, line)
        let lineID = "\(path.lastPathComponent):\(line)"
        if fields["expect"] != nil {
            let id = fields["id"]?.text ?? lineID
            guard ids.insert(id).inserted else { throw ConformanceFileError(.duplicate(id), path: path, line: line) }
            do { return try FactCase(id: id, fields) } catch { return UnreadableCase(id: id, problem: error.message) }
        }
        guard fields["arguments"] != nil else { throw ConformanceFileError(.unknownKind, path: path, line: line) }
        do {
            return try CorpusRow(id: lineID, fields)
        } catch {
            return UnreadableCase(id: lineID, problem: error.message)
        }
    }

    private func object(_ text: String, _ line: Int) throws(ConformanceFileError) -> [String: PredicateValue] {
        let value: PredicateValue
        do {
            value = try JSONReader.parse(text)
        } catch {
            throw ConformanceFileError(.notJSON("\(error.message), column \(error.column)"), path: path, line: line)
        }
        guard let fields = value.entries else {
            throw ConformanceFileError(.notJSON("a row is an object"), path: path, line: line)
        }
        return fields
    }
}

extension String {
    /// The part after the last slash.
    var lastPathComponent: String {
        split(separator: "/").last.map(String.init) ?? self
    }
}

extension String {
    /// The lines of a string, counted from 1, without their line feeds. A carriage return before a line feed counts
    /// as white space.
    var numberedLines: [(number: Int, line: Substring)] {
        // Scalars are split, because a carriage return and a line feed are one `Character`.
        let lines = unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.enumerated().map { ($0 + 1, Substring($1)) }
    }
}

extension StringProtocol {
    /// A Boolean value that indicates whether the line has only white space.
    var isBlank: Bool { allSatisfy(\.isWhitespace) }

    /// A Boolean value that indicates whether the line begins with `#`.
    var isComment: Bool { first { !$0.isWhitespace } == "#" }

    /// The string without white space at its ends.
    var trimmed: String {
        let head = drop(while: \.isWhitespace)
        let end = head.lastIndex { !$0.isWhitespace }.map { head.index(after: $0) } ?? head.startIndex
        return String(head[..<end])
    }
}
