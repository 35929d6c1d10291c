/// A set of code points, as ranges in their order with gaps between them.
package struct CodePointSet: Hashable, Sendable {
    package private(set) var ranges: [ClosedRange<UInt32>]

    /// The greatest code point.
    package static let last: UInt32 = 0x10FFFF

    /// Ranges in any order.
    package init(_ ranges: [ClosedRange<UInt32>]) {
        self.ranges = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) { append(range) }
    }

    package init(_ scalar: Unicode.Scalar) {
        ranges = [scalar.value...scalar.value]
    }

    /// First and last code points of ranges by turns.
    fileprivate init(pairs: [UInt32]) {
        self.init(stride(from: 0, to: pairs.count - 1, by: 2).map { pairs[$0]...pairs[$0 + 1] })
    }

    package static let digits = CodePointSet(pairs: PatternTable.digits)
    package static let spaces = CodePointSet(pairs: PatternTable.spaces)
    package static let words = CodePointSet(pairs: PatternTable.words)
    /// All but those that end a line: what `.` stands for.
    package static let line = CodePointSet([0x0A...0x0D, 0x85...0x85, 0x2028...0x2029]).inverted

    /// The one code point of it; nil where there are several or none.
    package var onlyScalar: Unicode.Scalar? {
        guard ranges.count == 1, let range = ranges.first, range.lowerBound == range.upperBound else { return nil }
        return Unicode.Scalar(range.lowerBound)
    }

    package func contains(_ scalar: Unicode.Scalar) -> Bool { ranges.contains { $0.contains(scalar.value) } }

    /// All other code points.
    package var inverted: CodePointSet {
        var (gaps, next): ([ClosedRange<UInt32>], UInt32) = ([], 0)
        for range in ranges {
            if range.lowerBound > next { gaps.append(next...range.lowerBound - 1) }
            next = range.upperBound + 1
        }
        if next <= Self.last { gaps.append(next...Self.last) }
        return CodePointSet(gaps)
    }

    /// The code points that lie in a range.
    package func intersection(_ range: ClosedRange<UInt32>) -> CodePointSet {
        CodePointSet(ranges.filter { $0.overlaps(range) }.map { $0.clamped(to: range) })
    }

    /// The set, without the surrogates of a range that begins or ends among them. No text holds any, and no pattern may name one.
    package var endingOutsideSurrogates: CodePointSet {
        let surrogates: ClosedRange<UInt32> = 0xD800...0xDFFF
        guard ranges.contains(where: { surrogates.contains($0.lowerBound) || surrogates.contains($0.upperBound) })
        else { return self }
        return intersection(0...surrogates.lowerBound - 1).union(intersection(surrogates.upperBound + 1...Self.last))
    }

    package func union(_ other: CodePointSet) -> CodePointSet { CodePointSet(ranges + other.ranges) }

    /// The set with the gaps of at most so many code points filled.
    package func joining(gapsUpTo length: UInt32) -> CodePointSet {
        var joined: [ClosedRange<UInt32>] = []
        for range in ranges {
            if let last = joined.last, range.lowerBound - last.upperBound - 1 <= length {
                joined[joined.count - 1] = last.lowerBound...range.upperBound
            } else {
                joined.append(range)
            }
        }
        return CodePointSet(joined)
    }

    private mutating func append(_ range: ClosedRange<UInt32>) {
        guard let before = ranges.last, range.lowerBound <= before.upperBound + 1 else { return ranges.append(range) }
        ranges[ranges.count - 1] = before.lowerBound...max(before.upperBound, range.upperBound)
    }
}
