/// The rows that one question is put to, and its answers: a bit for each row, from a multiple of 64 on.
///
/// Where answers are cheap they are worked out for all 64 rows of a word, wanted or not, since a loop without branches
/// takes them many at a time; the others are asked for row by row.
struct RowMask {
    /// The row of the first bit.
    let start: Int
    let wordCount: Int
    let wanted: UnsafePointer<UInt64>
    let answers: UnsafeMutablePointer<UInt64>

    /// Asks about all rows of each word that has a wanted one: columns are padded so far.
    @inline(__always)
    func fill(_ holds: (Int) -> Bool) {
        for word in 0..<wordCount where wanted[word] != 0 {
            let row = start &+ word &<< 6
            answers[word] = Self.word { holds(row &+ $0) }
        }
    }

    /// The same answer for all rows.
    func fill(_ answer: Bool) {
        answers.update(repeating: answer ? .max : 0, count: wordCount)
    }

    /// Asks about each wanted row.
    @inline(__always)
    func ask(_ holds: (Int) -> Bool) {
        for word in 0..<wordCount {
            let row = start &+ word &<< 6
            var (rest, answer) = (wanted[word], UInt64(0))
            while rest != 0 {
                let bit = rest.trailingZeroBitCount
                rest &= rest &- 1
                answer |= (holds(row &+ bit) ? 1 : 0) &<< UInt64(truncatingIfNeeded: bit)
            }
            answers[word] = answer
        }
    }

    /// Turns the answers round.
    func negate() {
        for word in 0..<wordCount { answers[word] = ~answers[word] }
    }

    /// Calls `body` with each row whose bit is set in some words.
    @inline(__always)
    static func forEach(_ words: UnsafePointer<UInt64>, _ count: Int, from start: Int, _ body: (Int) -> Void) {
        for word in 0..<count {
            var rest = words[word]
            while rest != 0 {
                body(start &+ word &<< 6 &+ rest.trailingZeroBitCount)
                rest &= rest &- 1
            }
        }
    }

    /// A word of 64 answers: as bytes first, which a processor compares many at a time.
    @inline(__always)
    static func word(_ holds: (Int) -> Bool) -> UInt64 {
        withUnsafeTemporaryAllocation(byteCount: 64, alignment: 16) { block in
            guard let block = block.baseAddress else { return 0 }
            for index in 0..<64 {
                block.storeBytes(of: holds(index) ? 1 : 0, toByteOffset: index, as: UInt8.self)
            }
            return packed(block)
        }
    }

    /// The lowest bits of 64 bytes: the factor moves those of eight bytes into the uppermost one, none onto another.
    @inline(__always)
    private static func packed(_ block: UnsafeRawPointer) -> UInt64 {
        var word: UInt64 = 0
        for index in 0..<8 {
            let bytes = UInt64(littleEndian: block.load(fromByteOffset: index &* 8, as: UInt64.self))
            let byte = (bytes &* 0x0102_0408_1020_4080) &>> 56
            word |= byte &<< UInt64(truncatingIfNeeded: index &* 8)
        }
        return word
    }
}
