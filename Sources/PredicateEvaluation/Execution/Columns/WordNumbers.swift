/// The builder of a dictionary encoding: a code for each distinct word, in the order of first use.
struct WordNumbers {
    /// The most distinct words: the last code is that of no word.
    private static let most = 255
    private static let size = 1024

    private let bytes: UnsafeBufferPointer<UInt8>
    /// The first occurrence of each word.
    private(set) var ranges: [Range<Int>] = []
    /// An open-addressing hash table: the code of a word plus 1, or 0 for a free slot.
    private var slots = [UInt16](repeating: 0, count: size)

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// The code of a word; nil if there are too many.
    mutating func number(of range: Range<Int>) -> UInt8? {
        var slot = hash(range) & (Self.size - 1)
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if isEqual(ranges[number], range) { return UInt8(truncatingIfNeeded: number) }
            slot = (slot + 1) & (Self.size - 1)
        }
        guard ranges.count < Self.most else { return nil }
        ranges.append(range)
        slots[slot] = UInt16(truncatingIfNeeded: ranges.count)
        return UInt8(truncatingIfNeeded: ranges.count - 1)
    }

    private func hash(_ range: Range<Int>) -> Int {
        var hash = UInt64(truncatingIfNeeded: range.count) &* 0x9E37_79B9_7F4A_7C15
        for index in range { hash = (hash ^ UInt64(bytes[index])) &* 0x0000_0100_0000_01B3 }
        return Int(truncatingIfNeeded: (hash ^ (hash &>> 29)) & 0xFFFF_FFFF)
    }

    private func isEqual(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        guard left.count == right.count else { return false }
        for offset in 0..<left.count where bytes[left.lowerBound + offset] != bytes[right.lowerBound + offset] {
            return false
        }
        return true
    }
}
