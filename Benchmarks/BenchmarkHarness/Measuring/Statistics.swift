/// What several passes of one benchmark say: `5.2 (5.1–5.9)`.
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
    /// The mean for ratios: that of 2 and 0.5 is 1. Nil when there are none, or one is not positive.
    public var geometricMean: Double? {
        guard !isEmpty, allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
        let sum = reduce(0) { $0 + logarithm($1) }
        return exponential(sum / Double(count))
    }
}
