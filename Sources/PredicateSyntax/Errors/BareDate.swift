/// A date without quotes, which parses as arithmetic: two subtractions, or for `1990/05/01` two divisions.
///
/// `born > 2024-01-31`
package enum BareDate {
    /// A hint to write the date as a literal; nil if this part of a format has none.
    package static func hint(in excerpt: ArraySlice<UInt8>) -> String? {
        let start = excerpt.indices.first { index in
            let isQuoted = index > excerpt.startIndex && "\"'".utf8.contains(excerpt[index - 1])
            return !isQuoted && isDate(excerpt[index...].prefix(10))
        }
        guard let start else { return nil }
        let word = String(decoding: excerpt[start..<start + 10], as: UTF8.self)
        return "\(word) is worked out as numbers: \(cure(of: word))"
    }

    /// The spelling of such a date as a literal.
    package static func cure(of word: String) -> String {
        let literal = "\"\(word.replacing("/", with: "-"))\""
        return "write CAST(\(literal), \"NSDate\"), or \(literal) beside texts"
    }

    /// Four digits, two and two, with the same mark between them.
    package static func isDate(_ word: some Collection<UInt8>) -> Bool {
        let bytes = Array(word)
        guard bytes.count == 10, bytes[4] == bytes[7], "-/".utf8.contains(bytes[4]) else { return false }
        return bytes.indices.allSatisfy { $0 == 4 || $0 == 7 || ByteClass.isDigit(bytes[$0]) }
    }
}
