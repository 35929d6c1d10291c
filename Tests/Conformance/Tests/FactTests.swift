import Foundation
import PredicateConformance
import Testing

/// Facts that other suites and documents assert about the language.
@Suite struct FactTests {
    @Test("every fact holds", arguments: DataFiles.facts)
    func everyFactHolds(path: String) throws {
        let exceptions = try ExceptionList.load(path: DataFiles.exceptions)
        let report = try ConformanceSuite.load(path: path).run(exceptions: exceptions)
        for failure in report.failures { Issue.record("\(failure)") }
        #expect(report.passed > 500, "the file must not lose its rows")
    }

    @Test func everyExceptionIsMet() throws {
        let exceptions = try ExceptionList.load(path: DataFiles.exceptions)
        var report = ConformanceReport()
        for path in DataFiles.facts {
            report.merge(try ConformanceSuite.load(path: path).run(exceptions: exceptions))
        }
        #expect(exceptions.idsMissing(from: report) == [])
    }

    /// Nothing is pinned of what differs from Apple's language, but none of it may trap.
    @Test func differencesEndInAVerdict() throws {
        let suite = try ConformanceSuite.load(path: DataFiles.differences)
        let report = suite.run()
        #expect(report.passed + report.failed + report.skipped.count == suite.count)
    }
}
