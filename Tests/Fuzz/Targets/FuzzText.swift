import PredicateGenerators

/// Texts in which folds, lengths and boundaries go wrong if they can.
enum FuzzText {
    private static let letters: [String] = [
        "a", "A", "b", "s", "S", "i", "I", "k", "K", "z", ".", " ", "0", "-", "é", "É", "e\u{301}", "\u{301}",
        "\u{300}\u{345}", "ß", "ẞ", "ss", "İ", "ı", "i\u{307}", "ﬁ", "ﬃ", "Σ", "σ", "ς", "ᾳ", "ΐ", "Å", "\u{212B}",
        "\u{212A}", "ſ", "ø", "ñ", "ŉ", "가", "\u{1100}\u{1161}", "が", "か", "\u{3099}", "👩‍👦", "\u{FE0F}", "\u{10400}",
        "\u{10428}", "\u{1D160}", "\u{F900}", "\u{E0100}", "\u{10FFFF}", "\0", "\n", "\r\n", "\u{2028}", "日",
    ]

    /// Up to so many letters, and now and then any code point.
    static func text(_ source: inout RandomSource, atMost length: Int) -> String {
        (0..<source.below(length + 1)).map { _ in letter(&source) }.joined()
    }

    private static func letter(_ source: inout RandomSource) -> String {
        guard source.oneIn(6) else { return source.one(of: letters) }
        return Unicode.Scalar(UInt32(source.below(0x11_0000))).map(String.init) ?? "\u{FFFD}"
    }
}
