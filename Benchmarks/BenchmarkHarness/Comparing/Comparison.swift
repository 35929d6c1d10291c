/// Two runs side by side.
///
/// A difference is called one when the passes of the two runs do not overlap and the medians are more than 5 % apart.
public struct Comparison {
    public var base: [BenchmarkResult]
    public var current: [BenchmarkResult]

    public init(base: [BenchmarkResult], current: [BenchmarkResult]) {
        self.base = base
        self.current = current
    }

    /// One benchmark in both runs.
    public struct Pair {
        public var base: BenchmarkResult
        public var current: BenchmarkResult

        /// Above 1 when it has become slower.
        public var ratio: Double { current.median / base.median }

        /// `slower`, `faster`, or nothing where noise would explain it.
        public var verdict: String {
            if ratio > 1.05, current.minimum > base.maximum { return "slower" }
            if ratio < 1 / 1.05, current.maximum < base.minimum { return "faster" }
            return ""
        }
    }

    public var pairs: [Pair] {
        let bases = Dictionary(base.map { ($0.key, $0) }, uniquingKeysWith: { $1 })
        return current.compactMap { current in bases[current.key].map { Pair(base: $0, current: current) } }
    }

    /// A row for each pair, then the geometric mean for the engines of each suite.
    public var text: String {
        let pairs = pairs
        if pairs.isEmpty { return "The two runs have no benchmark in common.\n" }
        var table = TextTable(header: ["", "base", "now", "now ÷ base", "", "mallocs"])
        for pair in pairs {
            table.append([
                pair.current.key, Figure.short(pair.base.median), Figure.short(pair.current.median),
                Figure.short(pair.ratio), pair.verdict, allocations(pair),
            ])
        }
        return table.text + "\n" + means(pairs)
    }

    private func means(_ pairs: [Pair]) -> String {
        var table = TextTable(header: ["suite", "now ÷ base, geometric mean"])
        for (suite, pairs) in pairs.filter({ $0.current.role == .engine }).grouped(by: \.current.suite) {
            table.append([suite, pairs.map(\.ratio).geometricMean.map(Figure.short) ?? "–"])
        }
        return table.text
    }

    private func allocations(_ pair: Pair) -> String {
        guard let before = pair.base.allocations, let now = pair.current.allocations else { return "" }
        return before == now ? Figure.short(now) : "\(Figure.short(before)) → \(Figure.short(now))"
    }
}
