/// A line of the report: this package against one alternative.
///
/// `Formats, against | GNUstep parsing the same | all | peers-parse:GNUstep / parse:tree`
public struct ComparisonLine: Hashable, Sendable {
    /// Lines of one section stand together under its name.
    public var section: String
    public var label: String
    /// The names of benchmarks; nil for all.
    public var names: [String]?
    /// The alternative divided by this package: above 1 this package is faster.
    public var ratio: Ratio

    /// Reads one line. Throws what is none.
    public init(_ line: String) throws {
        let fields = line.divided(by: "|")
        guard fields.count == 4, !fields[1].isEmpty else {
            throw BenchmarkError.usage("no comparison (section | label | names | ratio): \(line)")
        }
        section = fields[0]
        label = fields[1]
        names = fields[2] == "all" ? nil : fields[2].split(separator: " ").map(String.init)
        ratio = try Ratio(fields[3])
    }

    /// The lines of a file; those that begin with `#` are remarks.
    public static func read(_ text: String) throws -> [ComparisonLine] {
        try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { try ComparisonLine(String($0)) }
    }

    /// What it comes to: nil where nothing was measured.
    public func summary(of results: [BenchmarkResult]) -> Summary? {
        let names = names ?? ratio.numerator.names(in: results)
        let found = names.filter { ratio.value($0, in: results) != nil }
        let values = found.compactMap { ratio.value($0, in: results) }
        guard let mean = values.geometricMean, let least = values.min(), let greatest = values.max() else { return nil }
        return Summary(
            mean: mean, least: least, greatest: greatest, count: values.count,
            hasNotes: found.contains { ratio.hasNote($0, in: results) })
    }

    /// The ratios of several benchmarks.
    public struct Summary: Hashable, Sendable {
        public var mean: Double
        public var least: Double
        public var greatest: Double
        public var count: Int
        /// Whether the alternative finds other objects in some of them.
        public var hasNotes: Bool
    }
}
