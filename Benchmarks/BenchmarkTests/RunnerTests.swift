import BenchmarkHarness
import Foundation
import Testing

/// Measuring: that everything is checked and divided by the right number. No test looks at a time.
@Suite struct RunnerTests {
    private let runner = Runner(
        options: MeasuringOptions(passes: 3, shortestPass: 1, budget: 1_000_000_000), allocationCount: nil)

    private func group(returning found: Int) -> Group {
        Group(suite: "filter", name: "P01", scale: 1_000, unit: "object") {
            [Variant("count", operations: 1_000, expected: 7) { found }]
        }
    }

    @Test func wrongResultsAreErrors() {
        #expect(throws: BenchmarkError.self) { try runner.measure(group(returning: 8)) }
    }

    @Test func resultsNameTheirGroup() throws {
        let result = try #require(try runner.measure(group(returning: 7)).first)
        #expect(result.key == "filter/P01/1k/count" && result.passes == 3 && result.result == 7)
        #expect(result.minimum <= result.median && result.median <= result.maximum)
    }

    @Test func filesKeepResults() throws {
        let results = try runner.measure(group(returning: 7))
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).jsonl").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        try ResultFile(origin: .current, measurements: results).write(to: path)
        let read = try ResultFile(path: path)
        #expect(read.measurements == results && read.origin != nil)
    }

    @Test func comparisonsTellNoiseFromChange() throws {
        let before = try result([10, 11, 12]), after = try result([20, 21, 22]), noise = try result([11, 12, 13])
        #expect(Comparison(base: [before], current: [after]).pairs.map(\.verdict) == ["slower"])
        #expect(Comparison(base: [after], current: [before]).pairs.map(\.verdict) == ["faster"])
        #expect(Comparison(base: [before], current: [noise]).pairs.map(\.verdict) == [""])
    }

    private func result(
        _ samples: [Double], _ variant: String = "count", _ role: Variant.Role = .engine
    ) throws -> BenchmarkResult {
        BenchmarkResult(
            suite: "filter-structs", name: "P01", variant: variant, role: role, scale: 1_000, unit: "object",
            statistics: try #require(Statistics(samples)), allocations: nil, result: 1)
    }
}

/// Medians, means and figures.
@Suite struct StatisticsTests {
    @Test func mediansAndSpread() {
        let odd = Statistics([5, 1, 3])
        #expect(odd?.median == 3 && odd?.minimum == 1 && odd?.maximum == 5 && odd?.count == 3)
        #expect(Statistics([4, 1, 3, 2])?.median == 2.5)
        #expect(Statistics([]) == nil)
    }

    @Test func geometricMeans() {
        let mean = [2.0, 0.5, 8].geometricMean
        #expect(mean.map { abs($0 - 2) < 1e-12 } == true)
        #expect([Double]().geometricMean == nil && [1.0, 0].geometricMean == nil)
    }

    @Test(arguments: [(0.0, "0"), (0.7123, "0.712"), (9.994, "9.99"), (27.31, "27.3"), (1193, "1193"), (1.5e6, "1.5M")])
    func figures(_ value: Double, _ text: String) {
        #expect(Figure.short(value) == text)
    }

    @Test(arguments: [(1, "1"), (1_000, "1k"), (1_500, "1500"), (100_000, "100k"), (2_000_000, "2M")])
    func scales(_ count: Int, _ text: String) {
        #expect(Figure.scale(count) == text && Figure.count(ofScale: text) == count)
    }

    @Test func tablesAlign() {
        var table = TextTable(header: ["", "ns"])
        table.append(["P01", "7"])
        #expect(table.text == "     ns\nP01   7\n")
    }
}
