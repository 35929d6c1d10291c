/// One way to do the work of a benchmark group: this package, or what it is compared with.
public struct Variant {
    /// The part of a variant in its group.
    public enum Role: String, Codable, Hashable, Sendable {
        /// This package.
        case engine
        /// An alternative in the same process.
        case baseline
        /// Another program, measured by itself.
        case peer
    }

    public var name: String
    public var role: Role
    public var clock: Clock
    /// The number of operations in a run: figures are for one of them.
    public var operations: Int
    /// The result that a run must return.
    public var expected: Int
    public var run: () throws -> Int
    /// The megabytes that the last run held, where that is measured.
    public var memory: (() -> Double?)?

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
    /// The number of objects, 1 for work without objects.
    public var scale: Int
    /// The unit of one operation: `object`, `format`.
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
