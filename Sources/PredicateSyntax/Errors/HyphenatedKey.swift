/// A key with a hyphen and no quotes, which parses as a difference of keys.
///
/// `my-key == 1`
package enum HyphenatedKey {
    /// A hint to quote the hyphenated key around a source range; nil if there is none.
    package static func hint(in format: [UInt8], at range: Range<Int>) -> String? {
        key(in: format, at: range).map { "a key with a hyphen is quoted: #\"\($0)\"; a difference has blanks: a - b" }
    }

    /// The hyphenated key around a source range; nil if there is none.
    package static func key(in format: [UInt8], at range: Range<Int>) -> String? {
        let start = format[..<range.lowerBound].lastIndex { !isPart($0) }.map { $0 + 1 } ?? 0
        let end = format[range.upperBound...].firstIndex { !isPart($0) } ?? format.count
        let parts = format[start..<end].split(separator: UInt8(ascii: "-"))
        guard format[start..<end].contains(UInt8(ascii: "-")),
            !parts.contains(where: { ByteClass.isDigit($0[$0.startIndex]) })
        else { return nil }
        return String(decoding: format[start..<end], as: UTF8.self)
    }

    private static func isPart(_ byte: UInt8) -> Bool { ByteClass.isWord(byte) || byte == UInt8(ascii: "-") }
}
