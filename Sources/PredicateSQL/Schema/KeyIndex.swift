/// Values by their keys, which are told apart by their bytes.
///
/// Few keys, asked for again and again: found without making a hasher or counting references.
struct KeyIndex<Element: Sendable>: Sendable {
    private struct Slot: Sendable {
        var digest = Digest(hash: 0, ends: 0)
        /// Where the bytes of the key are; its element has the same number.
        var key = 0..<0
        var element = -1
    }

    /// What is compared before bytes are.
    private struct Digest: Sendable, Equatable {
        var hash: UInt64
        /// The last bytes, up to eight: all that a short key has.
        var ends: UInt64
    }

    private let slots: [Slot]
    private let bytes: [UInt8]
    private let elements: [Element]

    /// Of two elements with one key the later counts.
    init(_ pairs: [(key: String, element: Element)]) {
        var capacity = 4
        while capacity < 2 * pairs.count { capacity *= 2 }
        var slots = [Slot](repeating: Slot(), count: capacity)
        var bytes: [UInt8] = []
        for (number, pair) in pairs.enumerated() {
            let start = bytes.count
            bytes.append(contentsOf: pair.key.utf8)
            let key = Array(bytes[start...])
            let digest = key.withUnsafeBufferPointer(Self.digest)
            var slot = Int(truncatingIfNeeded: digest.hash) & (capacity - 1)
            while slots[slot].element >= 0, !bytes[slots[slot].key].elementsEqual(key) {
                slot = (slot + 1) & (capacity - 1)
            }
            slots[slot] = Slot(digest: digest, key: start..<bytes.count, element: number)
        }
        self.slots = slots
        self.bytes = bytes
        elements = pairs.map(\.element)
    }

    subscript(_ key: String) -> Element? {
        let found = key.utf8.withContiguousStorageIfAvailable { number(of: $0) }
        let place = found ?? Array(key.utf8).withUnsafeBufferPointer { number(of: $0) }
        return place < 0 ? nil : elements[place]
    }

    @inline(__always)
    private func number(of key: UnsafeBufferPointer<UInt8>) -> Int {
        let digest = Self.digest(key)
        var number = Int(truncatingIfNeeded: digest.hash) & (slots.count - 1)
        while slots[number].element >= 0 {
            if slots[number].digest == digest, isKey(slots[number].key, key) { return slots[number].element }
            number = (number + 1) & (slots.count - 1)
        }
        return -1
    }

    /// Whether the bytes are those of a key with the same digest.
    @inline(__always)
    private func isKey(_ range: Range<Int>, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
        guard range.count == key.count else { return false }
        return key.count <= 8 || bytes[range].elementsEqual(key)
    }

    /// Eight bytes at a time, folded so that the low bits of the hash depend on all of them.
    @inline(__always)
    private static func digest(_ key: UnsafeBufferPointer<UInt8>) -> Digest {
        var (hash, word) = (UInt64(truncatingIfNeeded: key.count), UInt64(0))
        for index in key.indices {
            word = word << 8 | UInt64(key[index])
            if index & 7 == 7 { hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15 }
        }
        hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
        return Digest(hash: hash ^ hash >> 32, ends: word)
    }
}
