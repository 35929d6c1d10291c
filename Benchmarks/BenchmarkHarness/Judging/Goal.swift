import Foundation

/// What the figures should come to.
///
/// ```
/// Batches over structs | P01 P02 | filter-structs:count@1M / filter-structs:inline@1M <= 1.5
/// [cd] on ASCII | all | text-ascii:kernel <= 6 or text-ascii:Foundation / text-ascii:kernel >= 40
/// GNUstep | mean | peers:GNUstep objects@100k / filter-objects:count@100k >= 80
/// ```
///
/// A name, the benchmarks, and a bound or several of which one must be kept. `all` asks every benchmark that has the
/// first figure, `mean` and `mean of P01 P02` the geometric mean.
public struct Goal: Hashable, Sendable {
    public var title: String
    /// The names of benchmarks; nil for all.
    public var names: [String]?
    /// Whether the mean is asked about, and not each.
    public var isMean: Bool
    public var bounds: [Bound]

    /// A ratio and what it may be.
    public struct Bound: Hashable, Sendable {
        public var ratio: Ratio
        /// Whether the limit is the largest value, and not the smallest.
        public var isUpper: Bool
        public var limit: Double

        init(_ text: String) throws {
            let isUpper = text.contains(" <= ")
            let parts = text.divided(by: isUpper ? " <= " : " >= ")
            guard parts.count == 2, let limit = Double(parts[1]) else {
                throw BenchmarkError.usage("no bound (measure <= number): \(text)")
            }
            ratio = try Ratio(parts[0])
            self.isUpper = isUpper
            self.limit = limit
        }

        func isKept(by value: Double) -> Bool {
            isUpper ? value <= limit : value >= limit
        }

        /// How far a value is from the limit: 1 at the limit, more when it is missed.
        func strain(of value: Double) -> Double {
            isUpper ? value / max(limit, .leastNonzeroMagnitude) : limit / max(value, .leastNonzeroMagnitude)
        }

        var text: String { "\(isUpper ? "≤" : "≥") \(Figure.short(limit))" }
    }

    /// Reads one line. Throws what is none.
    public init(_ line: String) throws {
        let fields = line.divided(by: "|")
        guard fields.count == 3, !fields[0].isEmpty else {
            throw BenchmarkError.usage("no goal (title | names | bounds): \(line)")
        }
        title = fields[0]
        isMean = fields[1] == "mean" || fields[1].hasPrefix("mean of ")
        let names = isMean ? String(fields[1].dropFirst("mean of ".count)) : fields[1]
        self.names = names.isEmpty || names == "all" ? nil : names.split(separator: " ").map(String.init)
        bounds = try fields[2].divided(by: " or ").map(Bound.init)
    }

    /// The goals of a file; lines that begin with `#` are remarks.
    public static func read(_ text: String) throws -> [Goal] {
        try text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { try Goal(String($0)) }
    }
}
