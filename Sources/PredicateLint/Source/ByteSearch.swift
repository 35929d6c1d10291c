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

    /// The offset at which a word begins between two offsets; nil too where the second one is not behind the first.
    func firstOffset(of word: StaticString, from start: Int, to end: Int) -> Int? {
        var part = self
        part.count = min(end, count)
        return part.firstOffset(of: word, from: start)
    }

    func firstOffset(of word: StaticString, in range: Range<Int>) -> Int? {
        firstOffset(of: word, from: range.lowerBound, to: range.upperBound)
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
    func firstOffset(ofByte byte: UInt8, from offset: Int, reach: Int = .max) -> Int? {
        guard let base = buffer.baseAddress, offset >= 0, offset < count else { return nil }
        guard let found = memchr(base + offset, Int32(byte), min(count - offset, reach)) else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
}
