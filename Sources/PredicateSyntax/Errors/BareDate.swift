/// A date without quotes, which parses as arithmetic: two subtractions, or for `1990/05/01` two divisions.
///
/// `born > 2024-01-31`
package enum BareDate {
    /// A hint to write the date as a literal; nil if this part of a format has none.
    package static func hint(in excerpt: ArraySlice<UInt8>, besideText: Bool = false) -> String? {
        guard let word = word(in: excerpt) else { return nil }
        let cure = besideText ? literal(of: word) : "CAST(\(literal(of: word)), \"NSDate\")"
        return "\(word) is worked out as numbers: write \(cure)"
    }

    /// The date in a part of a format, with the marks between its digits; nil if there is none.
    private static func word(in excerpt: ArraySlice<UInt8>) -> String? {
        let start = excerpt.indices.first { index in
            let isQuoted = index > excerpt.startIndex && "\"'".utf8.contains(excerpt[index - 1])
            return !isQuoted && isDate(excerpt[index...].prefix(10))
        }
        return start.map { String(decoding: excerpt[$0..<$0 + 10], as: UTF8.self) }
    }

    /// The spelling of such a date as a literal.
    package static func cure(of word: String) -> String {
        "write CAST(\(literal(of: word)), \"NSDate\"), or \(literal(of: word)) beside texts"
    }

    /// `"2024-01-31"`
    private static func literal(of word: String) -> String { "\"\(word.replacing("/", with: "-"))\"" }

    /// Four digits, two and two, with the same mark between them.
    package static func isDate(_ word: some Collection<UInt8>) -> Bool {
        let bytes = Array(word)
        guard bytes.count == 10, bytes[4] == bytes[7], "-/".utf8.contains(bytes[4]) else { return false }
        return bytes.indices.allSatisfy { $0 == 4 || $0 == 7 || ByteClass.isDigit(bytes[$0]) }
    }
}
