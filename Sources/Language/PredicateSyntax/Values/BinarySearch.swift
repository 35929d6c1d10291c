extension RandomAccessCollection {
    /// Returns the index of the first element for which a condition holds, by binary search; the end if there is none. Once the
    /// condition holds for an element, it must hold for all later ones.
    @inlinable
    package func partitioningIndex(where holds: (Element) -> Bool) -> Index {
        var (low, high) = (startIndex, endIndex)
        while low < high {
            let middle = index(low, offsetBy: distance(from: low, to: high) / 2)
            if holds(self[middle]) { high = middle } else { low = index(after: middle) }
        }
        return low
    }
}
