import BenchmarkHarness
import Foundation
import Testing

/// The picture of the results.
@Suite struct ReportTests {
    private func results(_ times: [(variant: String, time: Double)], note: String? = nil) throws -> [BenchmarkResult] {
        try times.map { variant, time in
            BenchmarkResult(
                suite: "s", name: "P01", variant: variant, role: .peer, scale: 1_000, unit: "object",
                statistics: try #require(Statistics([time])), allocations: nil, result: 1, note: note)
        }
    }

    @Test func summariesAreMeansWithTheirEnds() throws {
        var all = try results([("count", 2), ("other", 8)])
        all += try results([("count", 1), ("other", 16)]).map { result in
            var result = result
            result.name = "P02"
            return result
        }
        let summary = try ComparisonLine("against | other | all | s:other / s:count").summary(of: all)
        #expect(summary?.count == 2 && summary?.least == 4 && summary?.greatest == 16)
        #expect(summary.map { abs($0.mean - 8) < 1e-9 } == true)
        #expect(try ComparisonLine("against | other | P03 | s:other / s:count").summary(of: all) == nil)
    }

    @Test func labelsAreEscapedAndNotesMarked() throws {
        let line = try ComparisonLine(#"R&D | a < "b" | all | s:other / s:count"#)
        let plain = Report(origin: nil, comparisons: [line], results: try results([("count", 1), ("other", 3)])).svg
        #expect(plain.contains("a &lt; &quot;b&quot;") && plain.contains(">R&amp;D<") && plain.contains(">3.0×<"))
        let noted = Report(
            origin: nil, comparisons: [line], results: try results([("count", 1), ("other", 3)], note: "ignores [d]"))
        #expect(noted.svg.contains(">*<") && noted.svg.contains("* It finds other objects"))
        #expect(!plain.contains(">*<"))
    }

    @Test func whatWasNotMeasuredIsLeftOut() throws {
        let line = try ComparisonLine("against | other | all | s:nobody / s:count")
        #expect(Report(origin: nil, comparisons: [line], results: try results([("count", 1)])).lines.isEmpty)
    }

    @Test(arguments: ["a | b | all", "a | | all | s:a / s:b", "a | b | all | s"])
    func brokenLinesAreErrors(_ line: String) {
        #expect(throws: BenchmarkError.self) { try ComparisonLine(line) }
    }
}
