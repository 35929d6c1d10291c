import PredicateGenerators

/// Texts put together from what text engines treat in different ways.
extension SampleValues {
    /// A letter, marks of one class and of several, parts of syllables, code points of two UTF-16 units, ends of lines.
    package static let fragments: [String] = [
        "a", "A", "e", "o", "I", "s", "q", "é", "ß", "ﬁ", "İ", "Σ", "σ", "1", " ", "-", "%", "_", "*", "\u{301}",
        "\u{323}",
        "\u{307}", "\u{308}", "\u{327}", "\u{345}", "\u{5B0}", "\u{3099}", "\u{1100}", "\u{1161}", "\u{11A8}", "가", "각",
        "か",
        "😀", "𝒳", "\u{10400}", "\u{1F1E9}", "\u{200D}", "\u{FE0F}", "\r\n", "\r", "\n", "\t", "\u{85}", "\u{2029}",
        "\u{AD}",
        "\u{FEFF}", "\u{FFFD}", "\u{D7FF}", "\u{E000}",
    ]

    /// A text of the list, or up to five fragments in any order.
    package static func text(_ random: inout RandomSource) -> String {
        if random.percent(75) { return random.any(of: strings) ?? "" }
        return (0..<random.below(6)).map { _ in random.any(of: fragments) ?? "" }.joined()
    }
}
