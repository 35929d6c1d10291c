import BenchmarkHarness
import Foundation
import Testing

/// Goals as data: that lines say what they say, and what is met is met.
@Suite struct GoalTests {
    private func result(
        _ suite: String, _ variant: String, _ name: String = "P01", time: Double, scale: Int = 1_000,
        allocations: Double? = nil, result: Int = 1, note: String? = nil
    ) throws -> BenchmarkResult {
        BenchmarkResult(
            suite: suite, name: name, variant: variant, role: .engine, scale: scale, unit: "object",
            statistics: try #require(Statistics([time])), allocations: allocations, result: result, note: note)
    }

    private func outcome(_ line: String, _ results: [BenchmarkResult]) throws -> GoalVerdict {
        GoalVerdict(try Goal(line), results)
    }

    @Test func ratiosAreHeldAgainstBounds() throws {
        let results = [try result("s", "count", time: 14), try result("s", "inline", time: 10)]
        #expect(try outcome("a | all | s:count / s:inline <= 1.5", results).outcome == .met)
        #expect(try outcome("a | all | s:count / s:inline <= 1.3", results).outcome == .missed)
        #expect(try outcome("a | P01 | s:inline / s:count >= 0.7", results).outcome == .met)
        #expect(try outcome("a | P02 | s:count / s:inline <= 1.5", results).outcome == .unmeasured)
        #expect(try outcome("a | all | s:count / s:closure <= 1.5", results).outcome == .unmeasured)
    }

    @Test func theWorstIsNamed() throws {
        let results = [
            try result("s", "count", "P01", time: 1), try result("s", "count", "P02", time: 9),
            try result("s", "count", "P03", time: 7),
        ]
        let verdict = try outcome("a | all | s:count <= 6", results)
        #expect(verdict.worst?.name == "P02" && verdict.worst?.value == 9 && verdict.missing == ["P02", "P03"])
        #expect(verdict.count == 3)
        #expect(try outcome("a | mean | s:count <= 4", results).outcome == .met)
        #expect(try outcome("a | mean of P02 P03 | s:count <= 4", results).outcome == .missed)
    }

    @Test func oneOfSeveralBoundsIsEnough() throws {
        let results = [try result("t", "kernel", "==", time: 8), try result("t", "Foundation", "==", time: 400)]
        #expect(try outcome("a | all | t:kernel <= 6 or t:Foundation / t:kernel >= 40", results).outcome == .met)
        #expect(try outcome("a | all | t:kernel <= 6 or t:Foundation / t:kernel >= 60", results).outcome == .missed)
    }

    @Test func scalesAndQuantities() throws {
        let results = [
            try result("s", "count", time: 3, scale: 1_000, allocations: 12, result: 6),
            try result("s", "count", time: 5, scale: 1_000_000, allocations: 0, result: 6),
        ]
        #expect(try outcome("a | all | s:count@1k <= 3", results).outcome == .met)
        #expect(try outcome("a | all | s:count@1M <= 3", results).outcome == .missed)
        #expect(try outcome("a | all | s:count@100k <= 3", results).outcome == .unmeasured)
        #expect(try outcome("a | all | s:count@1M / s:count@1k >= 1.6", results).outcome == .met)
        #expect(try outcome("a | all | mallocs(s:count@1k) / result(s:count@1k) <= 2", results).outcome == .met)
        #expect(try outcome("a | all | mallocs(s:count@1M) <= 0.001", results).outcome == .met)
        #expect(try outcome("a | all | memory(s:count@1M) <= 1", results).outcome == .unmeasured)
    }

    @Test(
        arguments: [
            "a | all", "| all | s:count <= 1", "a | all | s:count", "a | all | s:count <= much", "a | all | count <= 1",
            "a | all | s:a / s:b / s:c <= 1", "a | all | s:count@many <= 1",
        ])
    func brokenLinesAreErrors(_ line: String) {
        #expect(throws: BenchmarkError.self) { try Goal(line) }
    }

    @Test func tablesCountWhatIsMet() throws {
        let results = [try result("s", "count", time: 14)]
        let lines = ["one | all | s:count <= 20", "two | all | s:count <= 10", "three | all | t:count <= 10"]
        let table = GoalVerdict.table(try lines.map { try outcome($0, results) })
        #expect(table.hasPrefix("Goals: 1 of 2 met; not measured: three\n"))
        #expect(table.contains("MISSED  two"))
    }

    @Test func theCommittedFileIsRead() throws {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("..")
        let goals = try Goal.read(String(contentsOf: folder.appendingPathComponent("goals"), encoding: .utf8))
        #expect(goals.count > 20)
    }
}
