/// The lookup in the generated table: a trie of three stages from a code point to its replacements.
///
/// The digits of `blocks` lead to a block, the digits of `entries` from an index in the block to a record, the columns of
/// `records` from a record to a range of `pool`. All are constants of the program: nothing is built at run time.
enum FoldTable {
    /// A column of a record: the fold of a mode, or canonical decomposition.
    enum Column: Int {
        case caseInsensitive
        case diacriticInsensitive
        case caseAndDiacriticInsensitive
        case decomposition
    }

    /// What a column has for `scalar`, which is no Hangul syllable; without folding no column is read.
    @inline(__always)
    static func place(of scalar: UInt32, _ column: Column) -> Place {
        guard scalar < FoldData.limit else { return Place(number: Place.itself) }
        let digits = FoldData.records.utf8Start + (recordWidth &* record(of: scalar) &+ 4 &* column.rawValue)
        return Place(number: number(digits) &<< 12 &+ number(digits + 2))
    }

    /// The combining class and the kind of `scalar`.
    @inline(__always)
    static func mark(of scalar: UInt32) -> Mark {
        guard scalar < FoldData.limit else { return Mark(number: 0) }
        return Mark(number: number(FoldData.records.utf8Start + (recordWidth &* record(of: scalar) &+ 16)))
    }

    /// What canonical composition makes of a base and a mark, nil if they stay two; only for bases from U+0510 on.
    static func composition(_ base: UInt32, _ mark: UInt32) -> UInt32? {
        var (low, high) = (0, FoldData.compositionCount)
        while low < high {
            let middle = (low &+ high) &>> 1
            let digits = FoldData.compositions.utf8Start + 9 &* middle
            let (first, second) = (codePoint(digits), codePoint(digits + 3))
            if (first, second) == (base, mark) { return codePoint(digits + 6) }
            if (first, second) < (base, mark) { low = middle &+ 1 } else { high = middle }
        }
        return nil
    }

    /// All compositions, in the order of the table.
    static var compositions: [(base: Unicode.Scalar, mark: Unicode.Scalar, result: Unicode.Scalar)] {
        (0..<FoldData.compositionCount).compactMap { number in
            let digits = FoldData.compositions.utf8Start + 9 &* number
            let codes = [0, 3, 6].compactMap { Unicode.Scalar(codePoint(digits + $0)) }
            return codes.count == 3 ? (codes[0], codes[1], codes[2]) : nil
        }
    }

    private static let recordWidth = 18

    @inline(__always)
    private static func record(of scalar: UInt32) -> Int {
        let block = number(FoldData.blocks.utf8Start + 2 &* Int(scalar &>> FoldData.blockBits))
        let offset = Int(scalar & (1 &<< FoldData.blockBits &- 1))
        return number(FoldData.entries.utf8Start + 2 &* (block &<< FoldData.blockBits &+ offset))
    }

    /// Two digits of base 64.
    @inline(__always)
    private static func number(_ digits: UnsafePointer<UInt8>) -> Int {
        Int(digits[0]) &<< 6 &+ Int(digits[1]) &- (48 &<< 6 &+ 48)
    }

    /// Three digits of base 64.
    private static func codePoint(_ digits: UnsafePointer<UInt8>) -> UInt32 {
        UInt32(truncatingIfNeeded: number(digits) &<< 6 &+ Int(digits[2]) &- 48)
    }
}

extension FoldTable {
    /// A place in the pool with flags, as one number of a record.
    struct Place {
        let number: Int

        /// The length that says a code point stands for itself.
        static let itself = 15
        /// No code point folds to more bytes.
        static let longest = itself - 1

        /// The length of the replacement, or ``itself``.
        @inline(__always)
        var length: Int { number & 15 }
        /// True for a mark, whose fold depends on the code points around it.
        @inline(__always)
        var needsNeighbours: Bool { number & 16 != 0 }
        /// True for such a mark, and for a code point that becomes several letters, as `ß`, which are still one character.
        @inline(__always)
        var isSpecial: Bool { number & 48 != 0 }

        /// The replacement and some bytes after it.
        @inline(__always)
        var bytes: UInt128 {
            UInt128(
                littleEndian: UnsafeRawPointer(FoldData.pool.utf8Start + number &>> 6).loadUnaligned(as: UInt128.self))
        }
    }

    /// How a code point takes part in a character.
    struct Mark {
        let number: Int

        /// The canonical combining class: marks of different classes have no order of their own.
        var combiningClass: Int { number &>> 2 }
        /// True if the code point continues the character before it: a mark, or a conjoining vowel or final consonant.
        @inline(__always)
        var extends: Bool { number & 1 != 0 }
        /// True for a mark that `[d]` drops.
        var isDropped: Bool { number & 2 != 0 }
    }
}

extension FoldMode {
    /// The column of the fold; any one without folding.
    @inline(__always)
    var column: FoldTable.Column {
        switch self {
        case .none, .caseInsensitive: .caseInsensitive
        case .diacriticInsensitive: .diacriticInsensitive
        case .caseAndDiacriticInsensitive: .caseAndDiacriticInsensitive
        }
    }
}
