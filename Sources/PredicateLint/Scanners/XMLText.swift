/// Reads text and attributes of XML, with its references: `&lt;`, `&#x3c;`.
enum XMLText {
    static func text(of range: Range<Int>, _ bytes: Bytes) -> FormatText {
        var text = FormatText()
        text.literal = range
        var start = range.lowerBound
        var offset = start
        while offset < range.upperBound {
            guard bytes[offset] == UInt8(ascii: "&"), let reference = reference(at: offset, range.upperBound, bytes)
            else {
                offset += 1
                continue
            }
            text.appendCopy(bytes[start..<offset], from: start)
            text.appendEscape(Array(reference.text.utf8), source: offset..<reference.end)
            offset = reference.end
            start = offset
        }
        text.appendCopy(bytes[start..<range.upperBound], from: start)
        return text
    }

    /// `&amp;`, `&#60;`, `&#x3c;`; nil for anything else.
    private static func reference(at start: Int, _ limit: Int, _ bytes: Bytes) -> (text: String, end: Int)? {
        var end = start + 1
        while end < min(limit, start + 12), bytes[end] != UInt8(ascii: ";") { end += 1 }
        guard end < limit, bytes[end] == UInt8(ascii: ";") else { return nil }
        let name = bytes.text(start + 1..<end)
        if name.hasPrefix("#") {
            let digits = name.dropFirst()
            let value = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            guard let value, let scalar = Unicode.Scalar(value) else { return nil }
            return (String(Character(scalar)), end + 1)
        }
        let known = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        return known[name].map { ($0, end + 1) }
    }

    /// The ranges of a document that are no comments.
    static func parts(of bytes: Bytes) -> [Range<Int>] {
        var parts: [Range<Int>] = []
        var start = 0
        while let open = bytes.firstOffset(of: "<!--", from: start) {
            parts.append(start..<open)
            start = bytes.firstOffset(of: "-->", from: open).map { $0 + 3 } ?? bytes.count
        }
        parts.append(start..<bytes.count)
        return parts
    }
}
