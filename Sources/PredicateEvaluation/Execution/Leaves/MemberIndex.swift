import PredicateText

/// A hash index of the texts of `name IN[cd] {…}`, for long lists. Texts are folded before they are looked up.
struct MemberIndex: BitwiseCopyable {
    /// The slots of an open-addressing hash table: the index of a needle plus 1, or 0 if free. A power of two of them, at
    /// most half of them taken.
    private let slots: UnsafeBufferPointer<UInt32>
    private let seed: UInt64
    private let mode: FoldMode

    /// An index of folded texts.
    init(_ texts: [[UInt8]], _ mode: FoldMode, in arena: Arena) {
        let seed = Self.processSeed
        var size = 16
        while size < 2 * texts.count { size *= 2 }
        var slots = [UInt32](repeating: 0, count: size)
        for (number, text) in texts.enumerated() {
            var slot = text.withUnsafeBufferPointer { Self.hash($0, seed) } & (size - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = UInt32(truncatingIfNeeded: number + 1)
        }
        self.slots = arena.store(slots)
        self.seed = seed
        self.mode = mode
    }

    @inline(never)
    func contains(_ text: UnsafeBufferPointer<UInt8>, among needles: UnsafeBufferPointer<FlatNeedle>) -> Bool {
        if mode == .none { return contains(folded: text, needles) }
        var isMember = false
        Folding.withFolded(text, mode) { isMember = contains(folded: $0, needles) }
        return isMember
    }

    @inline(__always)
    private func contains(
        folded text: UnsafeBufferPointer<UInt8>, _ needles: UnsafeBufferPointer<FlatNeedle>
    ) -> Bool {
        let mask = slots.count &- 1
        var slot = Self.hash(text, seed) & mask
        while slots[slot] != 0 {
            if needles[Int(slots[slot]) &- 1].isEqual(toFolded: text) { return true }
            slot = (slot &+ 1) & mask
        }
        return false
    }

    /// Hashes all bytes with the seed, so that untrusted input cannot choose texts that collide.
    @inline(__always)
    private static func hash(_ text: UnsafeBufferPointer<UInt8>, _ seed: UInt64) -> Int {
        let count = text.count
        guard count > 0, let bytes = text.baseAddress.map(UnsafeRawPointer.init) else { return 0 }
        var hash = seed &+ UInt64(truncatingIfNeeded: count)
        var slot = 0
        while slot &+ 8 <= count {
            hash = mixed(hash, bytes.loadUnaligned(fromByteOffset: slot, as: UInt64.self), seed)
            slot &+= 8
        }
        var rest: UInt64 = 0
        while slot < count {
            rest = rest &<< 8 | UInt64(bytes.load(fromByteOffset: slot, as: UInt8.self))
            slot &+= 1
        }
        return Int(truncatingIfNeeded: mixed(hash, rest, seed))
    }

    /// Both halves of a product, so that every bit of the word reaches every bit of the result.
    @inline(__always)
    private static func mixed(_ hash: UInt64, _ word: UInt64, _ seed: UInt64) -> UInt64 {
        let product = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15 ^ seed | 1)
        return product.high ^ product.low
    }

    /// A random number for each process, unless hashing is deterministic.
    private static let processSeed: UInt64 = {
        var hasher = Hasher()
        hasher.combine("IN")
        return UInt64(truncatingIfNeeded: hasher.finalize())
    }()
}
