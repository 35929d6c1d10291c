import PredicateSyntax

/// The offending text of a format string, which may tell more about the mistake than the values do.
///
/// `my-key == 1`, `born > 2024-01-31`, `last == "Doe"`
struct WrittenPhrase {
    private let text: [UInt8]
    private let range: Range<Int>

    init(_ text: String, _ range: Range<Int>) {
        self.text = Array(text.utf8)
        self.range = range.clamped(to: 0..<self.text.count)
    }

    /// A hint that fits better than those of the code alone, or nil.
    func hint(for code: EvaluationError.Code) -> String? {
        if case .symbolOutsideIndex = code {
            return "as a key it is written #\(String(decoding: text[range], as: UTF8.self))"
        }
        if case .notANumber(let found) = code, found.isNil { return HyphenatedKey.hint(in: text, at: range) }
        if case .incomparable = code { return BareDate.hint(in: text[range]) }
        return nil
    }
}
