/// How long and how often is measured.
public struct MeasuringOptions: Sendable {
    /// Passes of each variant.
    public var passes: Int
    /// A pass repeats its run until it has taken this many nanoseconds.
    public var shortestPass: UInt64
    /// After this many nanoseconds a variant has no more passes, but never fewer than three.
    public var budget: UInt64

    /// Nine passes, or three of what takes long.
    public static let standard = MeasuringOptions(passes: 9, shortestPass: 4_000_000, budget: 400_000_000)
    /// Three passes: to see that everything runs, and orders of magnitude.
    public static let quick = MeasuringOptions(passes: 3, shortestPass: 1_000_000, budget: 200_000_000)

    public init(passes: Int, shortestPass: UInt64, budget: UInt64) {
        self.passes = passes
        self.shortestPass = shortestPass
        self.budget = budget
    }
}

/// Why there are no figures.
public enum BenchmarkError: Error, CustomStringConvertible {
    /// A variant found other objects than the hand-written truth.
    case wrongResult(group: String, variant: String, expected: Int, found: Int)
    /// What a user can mend.
    case usage(String)

    public var description: String {
        switch self {
        case .wrongResult(let group, let variant, let expected, let found):
            "WRONG RESULT: \(group), \(variant): \(found) where \(expected) was expected"
        case .usage(let message): message
        }
    }
}
