/// Values by their keys, which are told apart by their bytes.
///
/// Few keys, asked for again and again: found without making a hasher or counting references.
struct KeyIndex<Element: Sendable>: Sendable {
    private struct Slot: Sendable {
        var hash: UInt64 = 0
        /// Where the bytes of the key are; its element has the same number.
        var key = 0..<0
        var element = -1
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
            let hash = key.withUnsafeBufferPointer(Self.hash)
            var slot = Int(truncatingIfNeeded: hash) & (capacity - 1)
            while slots[slot].element >= 0, !bytes[slots[slot].key].elementsEqual(key) {
                slot = (slot + 1) & (capacity - 1)
            }
            slots[slot] = Slot(hash: hash, key: start..<bytes.count, element: number)
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

    private func number(of key: UnsafeBufferPointer<UInt8>) -> Int {
        let hash = Self.hash(key)
        return slots.withUnsafeBufferPointer { slots in
            var number = Int(truncatingIfNeeded: hash) & (slots.count - 1)
            while slots[number].element >= 0 {
                if slots[number].hash == hash, isKey(slots[number].key, key) { return slots[number].element }
                number = (number + 1) & (slots.count - 1)
            }
            return -1
        }
    }

    private func isKey(_ range: Range<Int>, _ key: UnsafeBufferPointer<UInt8>) -> Bool {
        guard range.count == key.count else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            for index in key.indices where bytes[range.lowerBound + index] != key[index] { return false }
            return true
        }
    }

    /// FNV-1a, folded so that its low bits depend on all bytes.
    private static func hash(_ key: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in key { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash ^ hash >> 32
    }
}
