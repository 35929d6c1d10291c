/// The lookup in the generated table: a trie of three stages from a code point to its replacement.
///
/// The digits of `blocks` lead to a block, the digits of `entries` from an index in the block to a record, the digits of
/// `places` from a record to a range of `pool`. All four are constants of the program: nothing is built at run time.
enum FoldTable {
    /// The UTF-8 of what `scalar` folds to, empty for a mark that is dropped; nil when it stands for itself.
    @inline(__always)
    static func replacement(of scalar: UInt32, _ mode: FoldMode) -> UnsafeBufferPointer<UInt8>? {
        guard scalar < FoldData.limit else { return nil }
        let record = record(of: scalar)
        guard record != 0, mode != .none else { return nil }
        let place = place(record: record, column: mode.column)
        let count = place & 15
        guard count != itself else { return nil }
        return UnsafeBufferPointer(start: FoldData.pool.utf8Start + place >> 4, count: count)
    }

    /// The length that says a code point stands for itself.
    private static let itself = 15
    /// No code point folds to more bytes.
    static let longest = itself - 1

    @inline(__always)
    private static func record(of scalar: UInt32) -> Int {
        let block = number(FoldData.blocks.utf8Start + 2 * Int(scalar >> FoldData.blockBits))
        let offset = Int(scalar & (1 << FoldData.blockBits - 1))
        return number(FoldData.entries.utf8Start + 2 * (block << FoldData.blockBits + offset))
    }

    @inline(__always)
    private static func place(record: Int, column: Int) -> Int {
        let digits = FoldData.places.utf8Start + 3 * (3 * record + column)
        return number(digits) << 6 + digit(digits[2])
    }

    @inline(__always)
    private static func number(_ digits: UnsafePointer<UInt8>) -> Int {
        digit(digits[0]) << 6 + digit(digits[1])
    }

    @inline(__always)
    private static func digit(_ byte: UInt8) -> Int {
        Int(byte) - 48
    }
}
