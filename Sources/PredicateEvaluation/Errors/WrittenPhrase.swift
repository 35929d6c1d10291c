import PredicateSyntax

/// What somebody meant by what stands at the fault, where the format string tells it and the values do not.
///
/// `my-key == 1`, `born > 2024-01-31`, `last == "Doe"`
struct WrittenPhrase {
    private let text: [UInt8]
    private let range: Range<Int>

    init(_ text: String, _ range: Range<Int>) {
        self.text = Array(text.utf8)
        self.range = range.clamped(to: 0..<self.text.count)
    }

    /// A hint that fits better than those of the code alone; nil where there is none.
    func hint(for code: EvaluationError.Code) -> String? {
        if case .symbolOutsideIndex = code { return "as a key it is written #\(word(range))" }
        if case .notANumber("nil") = code { return hyphenatedKey }
        if case .incomparable = code { return BareDate.hint(in: text[range]) }
        return nil
    }

    /// `my-key` is a key less another one.
    private var hyphenatedKey: String? {
        let start = text[..<range.lowerBound].lastIndex { !isOfKey($0) }.map { $0 + 1 } ?? 0
        let end = text[range.upperBound...].firstIndex { !isOfKey($0) } ?? text.count
        let isKey = text[start..<end].split(separator: UInt8(ascii: "-")).allSatisfy { !isDigit($0.first) }
        guard start < end, isKey, text[start..<end].contains(UInt8(ascii: "-")) else { return nil }
        return "a key with a hyphen is quoted: #\"\(word(start..<end))\"; a difference has blanks: a - b"
    }

    private func word(_ range: Range<Int>) -> String {
        String(decoding: text[range], as: UTF8.self)
    }

    private func isOfKey(_ byte: UInt8) -> Bool {
        isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || "_-".utf8.contains(byte)
    }

    private func isDigit(_ byte: UInt8?) -> Bool {
        byte.map { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ?? false
    }
}
