/// A code point read from UTF-8. Bytes that are not UTF-8 are read one by one, as something that folds to itself.
struct CodePoint {
    let value: UInt32
    let length: Int

    private static let malformed: UInt32 = .max

    /// The code point that begins at `bytes`, where a byte is.
    @inline(__always)
    init(at bytes: UnsafePointer<UInt8>, before end: UnsafePointer<UInt8>) {
        let lead = bytes.pointee
        let length = lead.codePointLength
        guard length <= end - bytes, let value = Self.decode(bytes, length) else {
            (self.value, self.length) = (Self.malformed, 1)
            return
        }
        (self.value, self.length) = (value, length)
    }

    /// The code point that ends before `end`, where a byte is.
    @inline(__always)
    init(endingAt end: UnsafePointer<UInt8>, after start: UnsafePointer<UInt8>) {
        var lead = end - 1
        while lead > start, lead.pointee.isContinuation, end - lead < 4 { lead -= 1 }
        let whole = CodePoint(at: lead, before: end)
        self = whole.length == end - lead ? whole : CodePoint(at: end - 1, before: end)
    }

    /// Nil unless the bytes after the first are continuations.
    @inline(__always)
    private static func decode(_ bytes: UnsafePointer<UInt8>, _ length: Int) -> UInt32? {
        let lead = UInt32(bytes[0])
        guard length > 1 else { return bytes[0] < 0x80 ? lead : nil }
        var value = lead & (0x7F &>> UInt32(truncatingIfNeeded: length))
        for index in 1..<length {
            guard bytes[index].isContinuation else { return nil }
            value = value &<< 6 | UInt32(bytes[index] & 0x3F)
        }
        return value
    }

    /// The bytes of the folded code point: in the table, or in the text itself at `bytes`.
    @inline(__always)
    func replacement(
        at bytes: UnsafePointer<UInt8>, _ mode: FoldMode
    ) -> (start: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) {
        guard let text = FoldTable.replacement(of: value, mode), let start = text.baseAddress else {
            return (bytes, bytes + length)
        }
        return (start, start + text.count)
    }
}
