#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import PredicateData

/// The cases of one file of conformance data.
///
/// `let report = try ConformanceSuite.load(path: "operators.cases").run()`
///
/// A name that ends in `.cases` holds records in the format that ``CaseFile`` describes. Every other file holds JSON
/// lines: a row with `expect` asserts a fact, a row with `arguments` is a format string of a corpus.
package struct ConformanceSuite: Sendable {
    package let path: String
    let cases: [any ConformanceCase]
    /// The numbered statements that the records cite, as `NSP-041`, each with the id of the case that cites it.
    package let citations: [ConformanceReport.Finding]
    /// The codes of errors that the records expect: `expectedExpression`, `incomparable`, …
    package let expectedErrorCodes: Set<String>

    /// The number of cases.
    package var count: Int { cases.count }

    /// Reads a file. Invalid contents are an error with a line, never a skipped case.
    package static func load(path: String) throws(ConformanceFileError) -> ConformanceSuite {
        try ConformanceSuite(path: path, text: try text(ofFile: path))
    }

    /// The suite of a text, as of a file with that name.
    package init(path: String, text: String) throws(ConformanceFileError) {
        self.path = path
        guard path.hasSuffix(".cases") else {
            (cases, citations, expectedErrorCodes) = (try JSONLines(path: path, text: text).cases, [], [])
            return
        }
        let records = try CaseFile(path: path, text: text).records
        cases = records
        citations = records.flatMap { record in
            record.citedStatements.map { ConformanceReport.Finding(id: record.id, message: $0) }
        }
        expectedErrorCodes = Set(records.flatMap(\.expectedErrorCodes))
    }

    /// Judges every case.
    ///
    /// A case that `exceptions` lists must fail; if it passes, that is a failure.
    package func run(exceptions: ExceptionList = ExceptionList()) -> ConformanceReport {
        var report = ConformanceReport()
        for conformanceCase in cases {
            let reason = exceptions.reason(for: conformanceCase.id)
            report.record(conformanceCase.judge(), of: conformanceCase.id, exception: reason)
        }
        return report
    }

    /// Rewrites the golden fields (`prints`, `tree`) of a `.cases` file with the current output.
    ///
    /// Returns the number of lines that changed; a file without changes is not written. Rows and errors are never
    /// rewritten: they are the specification.
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
