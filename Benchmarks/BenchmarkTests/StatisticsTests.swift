import BenchmarkHarness
import Testing

/// What is said of several passes.
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
