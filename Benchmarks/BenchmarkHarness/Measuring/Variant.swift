/// One way to do the work of a benchmark group: this package, or what it is compared with.
public struct Variant {
    /// What a variant is in its group.
    public enum Role: String, Codable, Hashable, Sendable {
        /// This package.
        case engine
        /// What it is compared with in the same process.
        case baseline
        /// Another program, measured by itself.
        case peer
    }

    public var name: String
    public var role: Role
    public var clock: Clock
    /// How many operations one run does: time is given for one of them.
    public var operations: Int
    /// What a run must return.
    public var expected: Int
    public var run: () throws -> Int

    public init(
        _ name: String, _ role: Role = .engine, clock: Clock = .thread, operations: Int, expected: Int,
        run: @escaping () throws -> Int
    ) {
        self.name = name
        self.role = role
        self.clock = clock
        self.operations = operations
        self.expected = expected
        self.run = run
    }
}

/// Variants that do the same work and are measured in turns.
public struct Group {
    /// `filter-structs`
    public var suite: String
    /// `P02`
    public var name: String
    /// How many objects the work goes through, 1 where there are none.
    public var scale: Int
    /// What one operation is: `object`, `format`.
    public var unit: String
    /// Makes the data and the variants; called when the group is due, so that listing costs nothing.
    public var prepare: () throws -> [Variant]

    public init(
        suite: String, name: String, scale: Int, unit: String, prepare: @escaping () throws -> [Variant]
    ) {
        self.suite = suite
        self.name = name
        self.scale = scale
        self.unit = unit
        self.prepare = prepare
    }

    /// `filter-structs/P02/100k`
    public var path: String { "\(suite)/\(name)/\(Figure.scale(scale))" }
}
