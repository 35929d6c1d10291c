import Synchronization

/// A state of a pattern that most characters do not leave, so that they can be skipped sixteen at a time.
///
/// In `.*x.*`, only `x` and line ends leave the state before `x`, and only line ends the state after it. A loop ends
/// at any code point beyond ASCII.
struct PatternLoop {
    /// The number of bytes that are compared at once.
    static let step = 16
    /// The number of entries that a loop takes in a table of states.
    static let entryCount = 2
    private static let mostRanges = 4

    /// The ASCII characters that end the loop, as ranges: the first character of each, and its distance to the last.
    private let starts: SIMD4<UInt8>
    private let lengths: SIMD4<UInt8>

    /// Creates a loop from the ASCII characters that end it, in ascending order; nil for more than four ranges of them.
    init?(ends: [Int]) {
        var ranges = CodePointSet(ends.map { UInt32($0)...UInt32($0) }).ranges
        guard ranges.count <= Self.mostRanges else { return nil }
        // Ranges that are not used repeat the first one. Without any, NUL ends the loop.
        ranges += repeatElement(ranges.first ?? 0...0, count: Self.mostRanges - ranges.count)
        starts = SIMD4(ranges.map { UInt8($0.lowerBound) })
        lengths = SIMD4(ranges.map { UInt8($0.upperBound - $0.lowerBound) })
    }

    /// Reads a loop from a table of states.
    init(_ entries: PatternStates.Table) {
        starts = unsafeBitCast(entries[0].load(ordering: .relaxed), to: SIMD4<UInt8>.self)
        lengths = unsafeBitCast(entries[1].load(ordering: .relaxed), to: SIMD4<UInt8>.self)
    }

    func store(in entries: PatternStates.Table) {
        entries[0].store(unsafeBitCast(starts, to: PatternStates.Entry.self), ordering: .relaxed)
        entries[1].store(unsafeBitCast(lengths, to: PatternStates.Entry.self), ordering: .relaxed)
    }

    /// Returns the place of the first byte that ends the loop, or a place near the end of the text before which none does.
    @inline(__always)
    func end(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let raw = UnsafeRawBufferPointer(text)
        var place = start
        while text.count &- place >= Self.step {
            let bytes = raw.loadUnaligned(fromByteOffset: place, as: SIMD16<UInt8>.self)
            var ends = bytes .>= SIMD16(repeating: 0x80)
            for index in 0..<Self.mostRanges {
                ends .|= bytes &- SIMD16(repeating: starts[index]) .<= SIMD16(repeating: lengths[index])
            }
            let halves = unsafeBitCast(ends, to: SIMD2<UInt64>.self)
            if halves[0] != 0 { return place &+ halves[0].trailingZeroBitCount / 8 }
            if halves[1] != 0 { return place &+ 8 &+ halves[1].trailingZeroBitCount / 8 }
            place &+= Self.step
        }
        return place
    }
}
