/// One bit for each object of a chunk.
struct Bits: Hashable, Sendable {
    private var words: [UInt64]
    private let count: Int

    init(count: Int, repeating value: Bool = false) {
        self.count = count
        words = Array(repeating: value ? .max : 0, count: (count + 63) / 64)
        if value { clearSurplus() }
    }

    /// How many bits are set.
    var total: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    mutating func insert(_ index: Int) {
        words[index >> 6] |= 1 << UInt64(index & 63)
    }

    func contains(_ index: Int) -> Bool {
        words[index >> 6] & (1 << UInt64(index & 63)) != 0
    }

    /// The positions of the bits that are set, in order.
    var indexes: [Int] {
        var result: [Int] = []
        for (number, word) in words.enumerated() {
            var rest = word
            while rest != 0 {
                result.append(number << 6 + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
        return result
    }

    static func & (left: Bits, right: Bits) -> Bits { left.combined(right, &) }

    static func | (left: Bits, right: Bits) -> Bits { left.combined(right, |) }

    static prefix func ~ (bits: Bits) -> Bits {
        var result = bits
        for index in result.words.indices { result.words[index] = ~result.words[index] }
        result.clearSurplus()
        return result
    }

    private func combined(_ other: Bits, _ operation: (UInt64, UInt64) -> UInt64) -> Bits {
        var result = self
        for index in result.words.indices { result.words[index] = operation(words[index], other.words[index]) }
        return result
    }

    private mutating func clearSurplus() {
        let surplus = words.count * 64 - count
        if surplus > 0, let last = words.indices.last { words[last] &= .max >> UInt64(surplus) }
    }
}
