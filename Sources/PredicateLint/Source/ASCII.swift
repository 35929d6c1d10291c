/// Tests of single bytes, and searches for bytes.
extension UInt8 {
    var isLetter: Bool { (self | 0x20) &- UInt8(ascii: "a") < 26 }
    var isDigit: Bool { self &- UInt8(ascii: "0") < 10 }
    var isBlank: Bool { self == 0x20 || self == 0x09 }
    var isNewline: Bool { self == 0x0A || self == 0x0D }
    var isSpace: Bool { self == 0x20 || self &- 0x09 <= 0x0D - 0x09 }
    /// True for a byte that begins a name: letters, `_`, `$`, and everything beyond ASCII.
    var isNameStart: Bool { isLetter || self == UInt8(ascii: "_") || self == UInt8(ascii: "$") || self >= 0x80 }
    var isName: Bool { isNameStart || isDigit }

    var hexValue: UInt32? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(self - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(self - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(self - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}

/// The bytes of a source that is scanned; reads beyond the end give 0.
struct Bytes {
    let buffer: UnsafeBufferPointer<UInt8>
    /// The end of what may be read: that of the buffer, or of a part of it.
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

    func text(_ range: Range<Int>) -> String { String(decoding: self[range], as: UTF8.self) }

    /// True if the bytes from an offset on are these.
    func matches(_ word: StaticString, at offset: Int) -> Bool {
        let length = word.utf8CodeUnitCount
        guard offset >= 0, offset + length <= count else { return false }
        for index in 0..<length where buffer[offset + index] != word.utf8Start[index] { return false }
        return true
    }

    /// True if a range holds exactly these bytes.
    func equals(_ word: StaticString, _ range: Range<Int>) -> Bool {
        range.count == word.utf8CodeUnitCount && matches(word, at: range.lowerBound)
    }

    /// The offset of the next line break, or the end.
    func lineEnd(from offset: Int) -> Int {
        var end = offset
        while end < count, !buffer[end].isNewline { end += 1 }
        return end
    }

    /// The offset of the first byte of the line that holds an offset; of a line that is longer than `reach`, a later one.
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
