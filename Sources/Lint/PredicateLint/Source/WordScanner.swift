/// Finds the occurrences of many words in one pass over a source, of which it reads only some bytes.
///
/// This is the algorithm of Wu and Manber with blocks of two bytes: for each pair of bytes, a table contains the number of
/// bytes that can be skipped before the next pair that may belong to a word. Each word is represented by a part that ends with
/// its rarest pair; all parts have the same length.
struct WordScanner: Sendable {
    private struct Word {
        /// The offset in `letters`.
        var start: Int
        var count: Int
        /// The offset in the word of the pair by which it is found.
        var pair: Int
        /// The next word with the same pair; a number as in `heads`.
        var next: UInt8
    }

    private var words: [Word] = []
    /// The bytes of all words.
    private var letters: [UInt8] = []
    private let length: Int
    /// For each pair of bytes, the number of bytes to skip; 0 for a pair at which words are compared.
    private var shifts: [UInt8]
    /// For each pair at which words are compared, the number of the first of these words, counted from 1.
    private var heads: [UInt8]

    /// Up to 255 words of at least two bytes.
    init(_ texts: [String]) {
        let all = texts.map { Array($0.utf8) }
        length = min(all.map(\.count).min() ?? 2, Int(UInt8.max))
        shifts = [UInt8](repeating: UInt8(max(length - 1, 1)), count: 1 << 14)
        heads = [UInt8](repeating: 0, count: 1 << 14)
        for bytes in all.prefix(Int(UInt8.max)) where length > 1 { add(bytes) }
    }

    private mutating func add(_ bytes: [UInt8]) {
        let last = (length - 1..<bytes.count).min { Self.rank(bytes, $0) < Self.rank(bytes, $1) } ?? bytes.count - 1
        for offset in last - length + 2...last {
            let pair = Self.pair(bytes[offset - 1], bytes[offset])
            shifts[pair] = min(shifts[pair], UInt8(last - offset))
        }
        let pair = Self.pair(bytes[last - 1], bytes[last])
        words.append(Word(start: letters.count, count: bytes.count, pair: last - 1, next: heads[pair]))
        letters += bytes
        heads[pair] = UInt8(words.count)
    }

    /// The index of a pair in the tables. Pairs that differ in their highest bits share one, so the tables are small.
    @inline(__always)
    private static func pair(_ first: UInt8, _ second: UInt8) -> Int { Int(first & 0x7F) | Int(second & 0x7F) << 7 }

    /// The frequency of the pair that ends at an offset.
    private static func rank(_ bytes: [UInt8], _ last: Int) -> Int {
        Int(CommonBytes.ranks[Int(bytes[last - 1])]) + Int(CommonBytes.ranks[Int(bytes[last])])
    }

    /// Calls `found` with the index of the word and the offset of each occurrence in a range.
    @inline(__always)
    func scan(_ bytes: Bytes, _ range: Range<Int>, _ found: (_ word: Int, _ offset: Int) -> Void) {
        guard !words.isEmpty, let base = bytes.buffer.baseAddress else { return }
        shifts.withUnsafeBufferPointer { shifts in
            var offset = range.lowerBound + length - 2
            while offset + 1 < range.upperBound {
                let pair = Self.pair(base[offset], base[offset + 1])
                let shift = Int(shifts[pair])
                if shift == 0 {
                    report(pair, at: offset, bytes, range, found)
                    offset += 1
                } else {
                    offset += shift
                }
            }
        }
    }

    private func report(_ pair: Int, at offset: Int, _ bytes: Bytes, _ range: Range<Int>, _ found: (Int, Int) -> Void) {
        var next = Int(heads[pair])
        while next > 0 {
            let word = words[next - 1]
            let start = offset - word.pair
            if start >= range.lowerBound, start + word.count <= range.upperBound, matches(word, bytes, at: start) {
                found(next - 1, start)
            }
            next = Int(word.next)
        }
    }

    @inline(__always)
    private func matches(_ word: Word, _ bytes: Bytes, at start: Int) -> Bool {
        for index in 0..<word.count where bytes.buffer[start + index] != letters[word.start + index] { return false }
        return true
    }

    /// True if one of the words occurs in a range.
    func occurs(in range: Range<Int>, _ bytes: Bytes) -> Bool {
        var occurs = false
        scan(bytes, range) { _, _ in occurs = true }
        return occurs
    }
}
