import BenchmarkHarness
import Foundation
import Testing

/// The guard by instructions: what is read, compared and written.
@Suite struct BudgetTests {
    private let text = """
        # counts
        machine x86_64, Swift 6.3.1, glibc 2.36
        tolerance 3%
        filter/P01 100 of 110
        filter/P02 100
        """

    @Test func verdicts() throws {
        let budget = try InstructionBudget(text)
        #expect(budget.verdict("filter/P01", 103) == .kept && budget.verdict("filter/P02", 105) == .exceeded)
        #expect(budget.verdict("filter/P01", 111) == .overCeiling && budget.verdict("filter/P02", 50) == .loose)
        #expect(budget.verdict("filter/P03", 1) == .missing)
        #expect(InstructionBudget.Verdict.overCeiling.isFailure && !InstructionBudget.Verdict.loose.isFailure)
        #expect(budget.machine == "x86_64, Swift 6.3.1, glibc 2.36" && budget.tolerance == 0.03)
    }

    /// A budget that was lowered too far is found even when nothing else has changed: the ceiling is no budget.
    @Test func updatesKeepCeilings() throws {
        var budget = try InstructionBudget(text)
        budget.update([("filter/P01", 90.4), ("filter/P03", 7)], machine: "here")
        #expect(budget.lines.map(\.name) == ["filter/P01", "filter/P03"])
        #expect(budget.lines.map(\.count) == [90, 7] && budget.lines.map(\.ceiling) == [110, nil])
        #expect(try InstructionBudget(budget.text) == budget)
    }

    @Test(arguments: ["filter/P01", "filter/P01 many", "filter/P01 1 of", "filter/P01 1 of many", "tolerance much"])
    func brokenLinesAreErrors(_ line: String) {
        #expect(throws: BenchmarkError.self) { try InstructionBudget(line) }
    }

    @Test func theCommittedBudgetHasItsCeilings() throws {
        let path = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../instructions.budget").path
        let budget = try InstructionBudget(String(contentsOfFile: path, encoding: .utf8))
        let ceilings = budget.lines.filter { $0.ceiling != nil }.map { "\($0.name) \(Figure.plain($0.ceiling ?? 0))" }
        let structs = ["P01 80", "P02 160", "P03 380", "P10 180"].map { "filter-structs/" + $0 }
        #expect(Set(structs).isSubset(of: ceilings))
    }

    @Test func profilesAreReadInTheirOrder() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (number, total) in [(2, 20), (10, 100), (1, 10)] {
            let file = folder.appendingPathComponent("callgrind.out.works.\(number)")
            try Data("events: Ir\ntotals: \(total)\n".utf8).write(to: file)
        }
        #expect(try CallgrindParts.counts(in: folder.path) == [10, 20, 100])
    }
}
