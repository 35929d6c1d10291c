/// Eight bytes of a format in one integer, for tests of all of them at once (SWAR).
struct ByteRow {
    static let count = 8

    /// The first byte is the lowest.
    let word: UInt64

    init(repeating byte: UInt8) {
        word = UInt64(byte) &* 0x0101_0101_0101_0101
    }

    /// The eight bytes at an offset; nil if fewer are left.
    @inline(__always)
    init?(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int) {
        guard start &+ Self.count <= bytes.count, let base = bytes.baseAddress else { return nil }
        word = UInt64(littleEndian: UnsafeRawPointer(base + start).loadUnaligned(as: UInt64.self))
    }

    /// The index of the first byte that equals one of two repeated bytes; ``count`` if no byte does.
    @inline(__always)
    func first(of one: ByteRow, _ other: ByteRow) -> Int {
        (zeros(word ^ one.word) | zeros(word ^ other.word)).trailingZeroBitCount / 8
    }

    /// The highest bit of each byte that is zero; above the first one, others may be set too.
    @inline(__always)
    private func zeros(_ word: UInt64) -> UInt64 {
        (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
    }

    /// Copies up to sixteen bytes in two pieces that may overlap, which is faster than a call of `memcpy`.
    @inline(__always)
    static func copy(_ source: UnsafePointer<UInt8>, to target: UnsafeMutablePointer<UInt8>, count: Int) {
        let (from, to) = (UnsafeRawPointer(source), UnsafeMutableRawPointer(target))
        switch count {
        case 8...16: copyEnds(UInt64.self, from, to, count)
        case 4..<8: copyEnds(UInt32.self, from, to, count)
        case 2..<4: copyEnds(UInt16.self, from, to, count)
        default: target.initialize(from: source, count: count)
        }
    }

    @inline(__always)
    private static func copyEnds<Piece: FixedWidthInteger & BitwiseCopyable>(
        _ piece: Piece.Type, _ source: UnsafeRawPointer, _ target: UnsafeMutableRawPointer, _ count: Int
    ) {
        let last = count &- MemoryLayout<Piece>.size
        let end = source.loadUnaligned(fromByteOffset: last, as: Piece.self)
        target.storeBytes(of: source.loadUnaligned(as: Piece.self), as: Piece.self)
        target.storeBytes(of: end, toByteOffset: last, as: Piece.self)
    }
}
