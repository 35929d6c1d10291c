#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension Bytes {
    /// The offset at which a word begins, from an offset on; nil if it does not occur.
    func firstOffset(of word: StaticString, from offset: Int = 0) -> Int? {
        firstOffset(of: UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount), from: offset)
    }

    func firstOffset(of word: String, from offset: Int = 0) -> Int? {
        var word = word
        return word.withUTF8 { firstOffset(of: UnsafeRawBufferPointer($0), from: offset) }
    }

    private func firstOffset(of word: UnsafeRawBufferPointer, from offset: Int) -> Int? {
        guard let base = buffer.baseAddress, let needle = word.baseAddress, let first = word.first else { return nil }
        var start = offset
        while let found = firstOffset(ofByte: first, from: start), found + word.count <= count {
            if memcmp(base + found, needle, word.count) == 0 { return found }
            start = found + 1
        }
        return nil
    }

    /// The offset of a byte, from an offset on; nil if it does not occur.
    func firstOffset(ofByte byte: UInt8, from offset: Int) -> Int? {
        guard let base = buffer.baseAddress, offset >= 0, offset < count else { return nil }
        guard let found = memchr(base + offset, Int32(byte), count - offset) else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
}
