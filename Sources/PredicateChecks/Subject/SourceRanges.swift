/// Source ranges that do not overlap, found by binary search.
package struct SourceRanges {
    private let ranges: [Range<Int>]

    package init(_ ranges: [Range<Int>]) {
        self.ranges = ranges.sorted { $0.lowerBound < $1.lowerBound }
    }

    /// True if one of them shares an offset with a range.
    package func overlap(_ range: Range<Int>) -> Bool {
        var (from, to) = (0, ranges.count)
        while from < to {
            let middle = (from + to) / 2
            if ranges[middle].upperBound <= range.lowerBound { from = middle + 1 } else { to = middle }
        }
        return from < ranges.count && ranges[from].overlaps(range)
    }
}
