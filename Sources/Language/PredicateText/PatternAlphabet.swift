/// Divides the code points into classes, numbered from 0, so that a pattern treats all members of a class alike.
struct PatternAlphabet: Sendable {
    /// The first code points of intervals, ascending, and the class of each interval.
    private var starts: [UInt32] = [0]
    private var classes: [UInt16] = [0]
    /// The classes of the code points that have at most two bytes of UTF-8.
    private(set) var direct: [UInt16] = []
    private(set) var count = 1
    private(set) var traits: [PatternTraits] = []
    /// For each set and each class, true if the set contains the class.
    private var members: [Bool] = []

    static let directCount: UInt32 = 0x800
    /// The maximum number of sets times classes, and of intervals in all sets.
    private static let most = 1 << 20

    /// Nil if there are too many classes.
    init?(_ program: PatternProgram) {
        guard divide(by: program.sets) else { return nil }
        traits = (0..<count).map { number in
            program.traits.reduce(into: []) { if contains($1.set, number) { $0.insert($1.trait) } }
        }
        for (index, start) in starts.enumerated() where start < Self.directCount {
            let next = index + 1 < starts.count ? min(starts[index + 1], Self.directCount) : Self.directCount
            direct += repeatElement(classes[index], count: Int(next - start))
        }
    }

    /// Returns true if a set of the program contains a class.
    @inline(__always)
    func contains(_ set: Int, _ number: Int) -> Bool { members[set &* count &+ number] }

    /// Returns the class of a code point.
    func find(_ value: UInt32) -> Int { Int(classes[interval(value)]) }

    private func interval(_ value: UInt32) -> Int {
        var (low, high) = (0, starts.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= value { low = middle } else { high = middle }
        }
        return low
    }

    /// Divides the classes until each set contains all of a class or nothing of it.
    private mutating func divide(by sets: [CodePointSet]) -> Bool {
        starts = Set(sets.flatMap { $0.ranges.flatMap { [$0.lowerBound, $0.upperBound + 1] } } + [0]).sorted()
        classes = Array(repeating: 0, count: starts.count)
        var sizes = [starts.count]
        var visited = 0
        for set in sets {
            let inside = intervals(of: set)
            visited += inside.count
            divide(inside, &sizes)
            guard visited <= Self.most, sizes.count * sets.count <= Self.most, sizes.count < UInt16.max else {
                return false
            }
        }
        count = sizes.count
        members = Array(repeating: false, count: sets.count * count)
        for (number, set) in sets.enumerated() {
            for interval in intervals(of: set) { members[number * count + Int(classes[interval])] = true }
        }
        return true
    }

    private func intervals(of set: CodePointSet) -> [Int] {
        set.ranges.flatMap { interval($0.lowerBound)...interval($0.upperBound) }
    }

    /// Moves the intervals of a set to new classes, except where they are the whole of a class already.
    private mutating func divide(_ inside: [Int], _ sizes: inout [Int]) {
        var found: [UInt16: Int] = [:]
        for interval in inside { found[classes[interval], default: 0] += 1 }
        var moved: [UInt16: UInt16] = [:]
        for (number, size) in found.sorted(by: { $0.key < $1.key }) where size < sizes[Int(number)] {
            sizes[Int(number)] -= size
            moved[number] = UInt16(truncatingIfNeeded: sizes.count)
            sizes.append(size)
        }
        for interval in inside { classes[interval] = moved[classes[interval]] ?? classes[interval] }
    }
}
