/// Spelling suggestions.
package enum NearMiss {
    /// The candidates nearest to a word, best first: at most two edits away, or a third of its length.
    package static func candidates(for word: String, among names: some Sequence<String>, limit: Int = 3) -> [String] {
        let lowered = Array(word.lowercased().utf8.prefix(64))
        let reach = max(1, min(2, lowered.count / 3))
        var found = Array(repeating: [String](), count: reach + 1)
        for name in names where name != word && !name.isEmpty {
            let distance = editDistance(lowered, Array(name.lowercased().utf8.prefix(64)))
            if distance <= reach { found[distance].append(name) }
        }
        return Array(found.flatMap { $0.inOrder() }.prefix(limit))
    }

    /// The few candidates that begin with a word of three letters or more: `lowercase` is short for `lowercaseString`.
    package static func completions(of word: String, among names: some Sequence<String>, limit: Int = 3) -> [String] {
        guard word.utf8.count > 2 else { return [] }
        return Array(names.filter { $0.utf8.starts(with: word.utf8) }.inOrder().prefix(limit))
    }

    /// The number of insertions, deletions, replacements and swaps of neighbours between two words (optimal string alignment).
    static func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var beforeLast = [Int]()
        var last = Array(0...right.count)
        for (row, leftByte) in left.enumerated() {
            var current = [row + 1]
            for (column, rightByte) in right.enumerated() {
                var best = min(last[column + 1] + 1, current[column] + 1)
                best = min(best, last[column] + (leftByte == rightByte ? 0 : 1))
                if row > 0, column > 0, leftByte == right[column - 1], left[row - 1] == rightByte {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
