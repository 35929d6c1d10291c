/// A key with a hyphen and no quotes, which is one key less another one.
///
/// `my-key == 1`
package enum HyphenatedKey {
    /// How to write the key that a place of a format is a part of; nil where it is none.
    package static func hint(in format: [UInt8], at place: Range<Int>) -> String? {
        let start = format[..<place.lowerBound].lastIndex { !isPart($0) }.map { $0 + 1 } ?? 0
        let end = format[place.upperBound...].firstIndex { !isPart($0) } ?? format.count
        let parts = format[start..<end].split(separator: UInt8(ascii: "-"))
        guard format[start..<end].contains(UInt8(ascii: "-")),
            !parts.contains(where: { ByteClass.isDigit($0[$0.startIndex]) })
        else { return nil }
        let key = String(decoding: format[start..<end], as: UTF8.self)
        return "a key with a hyphen is quoted: #\"\(key)\"; a difference has blanks: a - b"
    }

    private static func isPart(_ byte: UInt8) -> Bool { ByteClass.isWord(byte) || byte == UInt8(ascii: "-") }
}
