/// A selection bitmap of rows and the result bitmap of one test: a bit for each row, from a multiple of 64 on.
///
/// Cheap tests are evaluated for all 64 rows of a word, since a loop without branches takes many of them at a time; the
/// others row by row, for selected rows only.
struct RowBitmap {
    /// The row of the first bit.
    let start: Int
    let wordCount: Int
    let selected: UnsafePointer<UInt64>
    let results: UnsafeMutablePointer<UInt64>

    /// Evaluates all 64 rows of every word with a selected row; columns are padded to 64.
    @inline(__always)
    func testWords(_ holds: (Int) -> Bool) {
        for word in 0..<wordCount where selected[word] != 0 {
            let row = start &+ word &<< 6
            results[word] = Self.word { holds(row &+ $0) }
        }
    }

    /// Sets one result for all rows.
    func fill(_ result: Bool) {
        results.update(repeating: result ? .max : 0, count: wordCount)
    }

    /// Evaluates each selected row.
    @inline(__always)
    func test(_ holds: (Int) -> Bool) {
        for word in 0..<wordCount {
            let row = start &+ word &<< 6
            var (rest, result) = (selected[word], UInt64(0))
            while rest != 0 {
                let bit = rest.trailingZeroBitCount
                rest &= rest &- 1
                result |= (holds(row &+ bit) ? 1 : 0) &<< UInt64(truncatingIfNeeded: bit)
            }
            results[word] = result
        }
    }

    /// Negates the results.
    func negate() {
        for word in 0..<wordCount { results[word] = ~results[word] }
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

    /// The word of 64 results: computed as bytes, which SIMD instructions compare many at a time.
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

    /// The lowest bits of 64 bytes: the factor moves those of eight bytes into the top one, none onto another.
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
