/// Measures groups.
///
/// The variants of a group take turns, pass by pass, so that a slow minute of the machine hits all of them and the
/// ratios between them stay true.
public struct Runner {
    public var options: MeasuringOptions
    /// Returns the allocations of this thread so far; nil where they are not counted.
    public var allocationCount: (() -> UInt64)?

    public init(options: MeasuringOptions, allocationCount: (() -> UInt64)?) {
        self.options = options
        self.allocationCount = allocationCount
    }

    /// The measurements of a group, in the order of its variants. Throws when a variant gives a wrong result.
    public func measure(_ group: Group) throws -> [BenchmarkResult] {
        var series = try group.prepare().map { try Series($0, in: group, self) }
        while series.contains(where: { $0.wantsMore(options) }) {
            for index in series.indices where series[index].wantsMore(options) {
                try series[index].pass()
            }
        }
        return series.compactMap(\.measurement)
    }
}

/// The passes of one variant.
private struct Series {
    let variant: Variant
    let group: Group
    /// Runs in a pass.
    let repetitions: Int
    let allocations: Double?
    var samples: [Double] = []
    var spent: UInt64 = 0

    /// The first run warms up, the second counts allocations and says how long a run takes. It is the first pass where
    /// it is long enough for one.
    init(_ variant: Variant, in group: Group, _ runner: Runner) throws {
        self.variant = variant
        self.group = group
        try Self.run(variant, in: group)
        let before = runner.allocationCount?()
        let start = variant.clock.now
        try Self.run(variant, in: group)
        let time = max(1, variant.clock.now - start)
        let after = runner.allocationCount?()
        self.repetitions = Int(max(1, runner.options.shortestPass / time))
        if time >= runner.options.shortestPass {
            samples.append(Double(time) / Double(max(1, variant.operations)))
            spent = time
        }
        self.allocations = before.flatMap { before in
            after.map { Double($0 - before) / Double(max(1, variant.operations)) }
        }
    }

    func wantsMore(_ options: MeasuringOptions) -> Bool {
        samples.count < min(3, options.passes) || samples.count < options.passes && spent < options.budget
    }

    mutating func pass() throws {
        let start = variant.clock.now
        for _ in 0..<repetitions { try Self.run(variant, in: group) }
        let time = variant.clock.now - start
        spent += time
        samples.append(Double(time) / Double(repetitions) / Double(max(1, variant.operations)))
    }

    var measurement: BenchmarkResult? {
        Statistics(samples).map {
            var result = BenchmarkResult(
                suite: group.suite, name: group.name, variant: variant.name, role: variant.role, scale: group.scale,
                unit: group.unit, statistics: $0, allocations: allocations, result: variant.expected)
            result.memory = variant.memory?()
            return result
        }
    }

    private static func run(_ variant: Variant, in group: Group) throws {
        let found = try variant.run()
        guard found == variant.expected else {
            throw BenchmarkError.wrongResult(
                group: group.path, variant: variant.name, expected: variant.expected, found: found)
        }
    }
}

/// The length and number of passes.
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

/// An error of a benchmark run.
public enum BenchmarkError: Error, CustomStringConvertible {
    /// A variant found other objects than the hand-written truth.
    case wrongResult(group: String, variant: String, expected: Int, found: Int)
    /// A mistake that the user can correct.
    case usage(String)

    public var description: String {
        switch self {
        case .wrongResult(let group, let variant, let expected, let found):
            "WRONG RESULT: \(group), \(variant): \(found) where \(expected) was expected"
        case .usage(let message): message
        }
    }
}
