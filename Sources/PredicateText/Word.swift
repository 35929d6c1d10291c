/// Eight bytes of text in one integer, the first byte in the lowest bits.
@usableFromInline
typealias Word = UInt64

extension Word {
    @inlinable static var highBits: Word { 0x8080_8080_8080_8080 }
    @inlinable static var lowBits: Word { 0x7F7F_7F7F_7F7F_7F7F }

    /// A byte, eight times.
    @inlinable
    @inline(__always)
    init(repeating byte: UInt8) {
        self = Word(byte) &* 0x0101_0101_0101_0101
    }

    /// Ones over the first `count` bytes, which are 1 to 8.
    @inlinable
    @inline(__always)
    static func first(_ count: Int) -> Word {
        ~0 &>> Word(truncatingIfNeeded: 64 &- 8 &* count)
    }

    /// Ones over the last `count` bytes, which are 1 to 8.
    @inlinable
    @inline(__always)
    static func last(_ count: Int) -> Word {
        ~0 &<< Word(truncatingIfNeeded: 64 &- 8 &* count)
    }

    /// The high bit of every byte that is zero.
    @inlinable
    @inline(__always)
    var zeroBytes: Word {
        ~(((self & .lowBits) &+ .lowBits) | self | .lowBits)
    }

    /// The high bit of every byte that is one of `A` to `Z`.
    @inlinable
    @inline(__always)
    var capitals: Word {
        let low = self & .lowBits
        let fromA = low &+ Word(repeating: 0x80 - 0x41)
        let afterZ = low &+ Word(repeating: 0x80 - 0x5B)
        return fromA & ~afterZ & ~self & .highBits
    }

    /// The high bit of every byte that is one of `a` to `z`.
    var smallLetters: Word {
        let low = self & .lowBits
        let fromA = low &+ Word(repeating: 0x80 - 0x61)
        let afterZ = low &+ Word(repeating: 0x80 - 0x7B)
        return fromA & ~afterZ & ~self & .highBits
    }
}
