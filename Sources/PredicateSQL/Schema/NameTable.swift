/// A hash table from keys to numbers, with open addressing; keys are compared by their bytes.
///
/// Lookups make no hasher and count no references. The memory belongs to an ``Arena``.
package struct NameTable: @unchecked Sendable {
    private struct Slot {
        var digest = Digest(hash: 0, ends: 0)
        var start: UnsafePointer<UInt8>?
        var count = 0
        /// The number of the key; -1 in a free slot.
        var number = -1
    }

    /// A digest, which is compared before the bytes.
    private struct Digest: Equatable {
        var hash: UInt64
        /// The last bytes, up to eight: all that a short key has.
        var ends: UInt64
    }

    private let slots: UnsafePointer<Slot>
    private let mask: Int

    /// Keys are numbered from 0; a key that is listed twice has its last number.
    package init(_ keys: [String], _ arena: Arena) {
        var capacity = 4
        while capacity < 2 * keys.count { capacity *= 2 }
        mask = capacity - 1
        var slots = [Slot](repeating: Slot(), count: capacity)
        for (number, key) in keys.enumerated() {
            let kept = arena.keep(text: Array(key.utf8))
            let digest = Self.digest(kept)
            var index = Int(truncatingIfNeeded: digest.hash) & mask
            while slots[index].number >= 0, !Self.isSame(slots[index], kept, digest) { index = (index + 1) & mask }
            slots[index] = Slot(digest: digest, start: kept.baseAddress, count: kept.count, number: number)
        }
        self.slots = UnsafePointer(arena.keep(slots))
    }

    /// The number of a key; nil for a key that is not in the table.
    @inline(never)
    package func number(of key: String) -> Int? {
        let found = key.utf8.withContiguousStorageIfAvailable { self.number(ofBytes: $0) }
        let number = found ?? Array(key.utf8).withUnsafeBufferPointer { self.number(ofBytes: $0) }
        return number < 0 ? nil : number
    }

    @inline(__always)
    private func number(ofBytes key: UnsafeBufferPointer<UInt8>) -> Int {
        let digest = Self.digest(key)
        var index = Int(truncatingIfNeeded: digest.hash) & mask
        while slots[index].number >= 0 {
            if Self.isSame(slots[index], key, digest) { return slots[index].number }
            index = (index + 1) & mask
        }
        return -1
    }

    @inline(__always)
    private static func isSame(_ slot: Slot, _ key: UnsafeBufferPointer<UInt8>, _ digest: Digest) -> Bool {
        guard slot.digest == digest, slot.count == key.count else { return false }
        return key.count <= 8 || UnsafeBufferPointer(start: slot.start, count: slot.count).elementsEqual(key)
    }

    /// Eight bytes at a time, folded so that the low bits of the hash depend on all of them.
    @inline(__always)
    private static func digest(_ key: UnsafeBufferPointer<UInt8>) -> Digest {
        let bytes = UnsafeRawBufferPointer(key)
        var (hash, position) = (UInt64(truncatingIfNeeded: key.count), 0)
        while position + 8 < key.count {
            hash = (hash ^ bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)) &* 0x9E37_79B9_7F4A_7C15
            position += 8
        }
        let ends = ends(of: bytes)
        hash = (hash ^ ends) &* 0x9E37_79B9_7F4A_7C15
        return Digest(hash: hash ^ hash >> 32, ends: ends)
    }

    /// The last eight bytes, or all of fewer: two pieces that may overlap.
    @inline(__always)
    private static func ends(of bytes: UnsafeRawBufferPointer) -> UInt64 {
        let count = bytes.count
        if count >= 8 { return bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self) }
        if count >= 4 {
            let first = bytes.loadUnaligned(as: UInt32.self)
            let last = bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
            return UInt64(first) | UInt64(last) << 32
        }
        guard count > 0 else { return 0 }
        return UInt64(bytes[0]) | UInt64(bytes[count / 2]) << 8 | UInt64(bytes[count - 1]) << 16
    }
}

/// Values by their keys.
struct KeyIndex<Element: Sendable>: Sendable {
    private let table: NameTable
    private let elements: [Element]

    /// Of two elements with one key the later counts.
    init(_ pairs: [(key: String, element: Element)], _ arena: Arena) {
        table = NameTable(pairs.map(\.key), arena)
        elements = pairs.map(\.element)
    }

    subscript(_ key: String) -> Element? { table.number(of: key).map { elements[$0] } }
}
