/// The result of one variant: a line of a results file.
public struct BenchmarkResult: Codable, Hashable, Sendable {
    public var suite: String
    public var name: String
    public var variant: String
    public var role: Variant.Role
    /// The number of objects.
    public var scale: Int
    public var unit: String
    /// Nanoseconds for one operation, of all passes.
    public var median: Double
    public var minimum: Double
    public var maximum: Double
    public var passes: Int
    /// Allocations for one operation; nil where they were not counted.
    public var allocations: Double?
    /// The value that a run returned, equal to the expected one.
    public var result: Int
    /// The most memory that a program held, in megabytes; nil where that was not looked at.
    public var memory: Double?
    /// A remark for readers of the figure: `ignores [d]`.
    public var note: String?

    public init(
        suite: String, name: String, variant: String, role: Variant.Role, scale: Int, unit: String,
        statistics: Statistics, allocations: Double?, result: Int, note: String? = nil
    ) {
        self.suite = suite
        self.name = name
        self.variant = variant
        self.role = role
        self.scale = scale
        self.unit = unit
        self.median = statistics.median
        self.minimum = statistics.minimum
        self.maximum = statistics.maximum
        self.passes = statistics.count
        self.allocations = allocations
        self.result = result
        self.note = note
    }

    /// `filter-structs/P02/100k/closure`: what makes measurements of two runs comparable.
    public var key: String { "\(suite)/\(name)/\(Figure.scale(scale))/\(variant)" }
}

/// The summary of several passes: `5.2 (5.1–5.9)`.
public struct Statistics: Hashable, Sendable {
    public let median: Double
    public let minimum: Double
    public let maximum: Double
    public let count: Int

    /// Nil without samples. Of an even number of samples the median is the mean of the two in the middle.
    public init?(_ samples: [Double]) {
        let sorted = samples.sorted()
        guard let first = sorted.first, let last = sorted.last else { return nil }
        let middle = sorted.count / 2
        self.median = sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
        self.minimum = first
        self.maximum = last
        self.count = sorted.count
    }
}

extension Collection<Double> {
    /// The mean for ratios: that of 2 and 0.5 is 1. Nil for an empty collection, or when a value is not positive.
    public var geometricMean: Double? {
        guard !isEmpty, allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
        let sum = reduce(0) { $0 + logarithm($1) }
        return exponential(sum / Double(count))
    }
}
