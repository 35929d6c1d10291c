import PredicateSyntax

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Classes of bytes, and searches for bytes.
extension UInt8 {
    var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }
    var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }
    var isBlank: Bool { self == 0x20 || self == 0x09 }
    var isNewline: Bool { self == 0x0A || self == 0x0D }
    var isSpace: Bool { self == 0x20 || self &- 0x09 <= 0x0D - 0x09 }
    /// True for a byte that can begin a name: a letter, `_`, `$`, or a byte of a character beyond ASCII.
    var isNameStart: Bool { isLetter || self == UInt8(ascii: "_") || self == UInt8(ascii: "$") || self >= 0x80 }
    var isName: Bool { isNameStart || isDigit }

    var hexValue: UInt32? { Character(Unicode.Scalar(self)).hexDigitValue.map(UInt32.init) }
}

/// The bytes of a source. Reads beyond the end return 0.
struct Bytes {
    let buffer: UnsafeBufferPointer<UInt8>
    /// The readable length, which may be less than the length of the buffer.
    var count: Int

    init(_ buffer: UnsafeBufferPointer<UInt8>) {
        self.buffer = buffer
        count = buffer.count
    }

    @inline(__always)
    subscript(_ offset: Int) -> UInt8 {
        offset >= 0 && offset < count ? buffer[offset] : 0
    }

    subscript(_ range: Range<Int>) -> Slice<UnsafeBufferPointer<UInt8>> {
        buffer[range.clamped(to: 0..<buffer.count)]
    }

    /// The bytes before an offset.
    func upTo(_ end: Int) -> Bytes {
        var part = self
        part.count = min(end, count)
        return part
    }

    func text(_ range: Range<Int>) -> String { String(decoding: self[range], as: UTF8.self) }

    /// True if the bytes at an offset are those of a word.
    func matches(_ word: StaticString, at offset: Int) -> Bool {
        let length = word.utf8CodeUnitCount
        guard offset >= 0, offset + length <= count else { return false }
        for index in 0..<length where buffer[offset + index] != word.utf8Start[index] { return false }
        return true
    }

    /// True if a range consists of the bytes of a word.
    func equals(_ word: StaticString, _ range: Range<Int>) -> Bool {
        range.count == word.utf8CodeUnitCount && matches(word, at: range.lowerBound)
    }

    /// The offset of the next line break, or the end.
    func lineEnd(from offset: Int) -> Int {
        var end = offset
        while end < count, !buffer[end].isNewline { end += 1 }
        return end
    }

    /// The start of the line that contains an offset. For a line longer than `reach`, the result is an offset within the line.
    func lineStart(before offset: Int, reach: Int = 4096) -> Int {
        var start = min(offset, count)
        let limit = max(start - reach, 0)
        while start > limit, !buffer[start - 1].isNewline { start -= 1 }
        return start
    }

    /// The first offset that is not white space.
    func spaceEnd(from offset: Int) -> Int {
        var end = offset
        while end < count, buffer[end].isSpace { end += 1 }
        return end
    }

    func hasLineBreak(in range: Range<Int>) -> Bool { self[range].contains { $0.isNewline } }

    func blankEnd(from offset: Int) -> Int {
        var end = offset
        while end < count, buffer[end].isBlank { end += 1 }
        return end
    }

    func nameEnd(from offset: Int) -> Int {
        var end = offset
        while end < count, buffer[end].isName { end += 1 }
        return end
    }
}

extension Bytes {
    /// The offset of the first occurrence of a word at or after an offset; nil if there is none.
    func firstOffset(of word: StaticString, from offset: Int = 0) -> Int? {
        firstOffset(of: UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount), from: offset)
    }

    func firstOffset(of word: String, from offset: Int = 0) -> Int? {
        var word = word
        return word.withUTF8 { firstOffset(of: UnsafeRawBufferPointer($0), from: offset) }
    }

    /// The offset of the first occurrence of a word between two offsets; nil also if `end` is not after `start`.
    func firstOffset(of word: StaticString, from start: Int, to end: Int) -> Int? {
        upTo(end).firstOffset(of: word, from: start)
    }

    func firstOffset(of word: StaticString, in range: Range<Int>) -> Int? {
        firstOffset(of: word, from: range.lowerBound, to: range.upperBound)
    }

    func firstOffset(of word: String, in range: Range<Int>) -> Int? {
        upTo(range.upperBound).firstOffset(of: word, from: range.lowerBound)
    }

    /// Looks for the rarest byte of the word, so that few places are compared.
    private func firstOffset(of word: UnsafeRawBufferPointer, from offset: Int) -> Int? {
        guard offset >= 0, let base = buffer.baseAddress, let needle = word.baseAddress, !word.isEmpty else {
            return nil
        }
        let rarest = CommonBytes.rarest(in: word)
        var start = offset + rarest
        while let found = firstOffset(ofByte: word[rarest], from: start), found - rarest + word.count <= count {
            if memcmp(base + found - rarest, needle, word.count) == 0 { return found - rarest }
            start = found + 1
        }
        return nil
    }

    /// The offset of the first occurrence of a byte at or after an offset; nil if there is none.
    func firstOffset(ofByte byte: UInt8, from offset: Int, reach: Int = .max) -> Int? {
        guard let base = buffer.baseAddress, offset >= 0, offset < count else { return nil }
        guard let found = memchr(base + offset, Int32(byte), min(count - offset, reach)) else { return nil }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }
}

/// The frequency of bytes in source code.
enum CommonBytes {
    /// The most common bytes, in descending order, counted in 13 MB of public sources.
    private static let order: StaticString = " etirnaosl\ncdupmhgf./Sy:)(bCI\tTvwAN,\"ERkO=D_PL><{};*MFUx-[]VB0@1WHKGqj"

    /// 0 for a rare byte; more common bytes have greater numbers.
    static let ranks: [UInt8] = {
        var ranks = [UInt8](repeating: 0, count: 256)
        for index in 0..<order.utf8CodeUnitCount { ranks[Int(order.utf8Start[index])] = UInt8(255 - index) }
        return ranks
    }()

    /// The index of the rarest byte of a word that is not empty.
    static func rarest(in word: UnsafeRawBufferPointer) -> Int {
        var (best, rank) = (0, UInt8.max)
        for index in word.indices where ranks[Int(word[index])] < rank {
            (best, rank) = (index, ranks[Int(word[index])])
        }
        return best
    }
}

/// A place in a source: line and column, both from 1. The column counts UTF-8 bytes, as compilers of Swift and C do.
package struct SourcePlace: Hashable, Sendable {
    package var line: Int
    package var column: Int
}

/// The start offsets of the lines of a source. A line ends with LF, CR LF or a single CR.
package struct LineTable: Sendable {
    private let starts: [Int]
    private let end: Int

    package init(_ source: [UInt8]) {
        self = source.withUnsafeBufferPointer { LineTable(Bytes($0)) }
    }

    init(_ bytes: Bytes) {
        var starts = [0]
        var offset = 0
        while offset < bytes.count {
            let byte = bytes.buffer[offset]
            offset += 1
            guard byte.isNewline else { continue }
            if byte == 0x0D, bytes[offset] == 0x0A { offset += 1 }
            starts.append(offset)
        }
        self.starts = starts
        end = bytes.count
    }

    /// The place of an offset.
    package func place(of offset: Int) -> SourcePlace {
        let line = index(of: offset)
        return SourcePlace(line: line + 1, column: offset - starts[line] + 1)
    }

    /// The offset at which a line begins; nil for a line that does not exist.
    package func start(ofLine line: Int) -> Int? {
        line >= 1 && line <= starts.count ? starts[line - 1] : nil
    }

    /// The range of a line, including its line break.
    package func range(ofLine line: Int) -> Range<Int> {
        guard let start = start(ofLine: line) else { return end..<end }
        return start..<(self.start(ofLine: line + 1) ?? max(end, start))
    }

    /// The number of lines, including an empty one after the last line break.
    package var count: Int { starts.count }

    /// The index of the line that contains an offset.
    private func index(of offset: Int) -> Int { max(starts.firstIndex(from: offset + 1) { $0 } - 1, 0) }
}

extension Array {
    /// The index of the first element that is at or after an offset, by binary search; the elements are in the order of the
    /// source.
    func firstIndex(from offset: Int, _ place: (Element) -> Int) -> Int {
        partitioningIndex { place($0) >= offset }
    }
}
