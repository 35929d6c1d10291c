/// Characters that word processors and other keyboards write for those of a format.
///
/// `age > 3 – 1`, `name == “Jo”`, `age ≥ 21`
enum ForeignCharacter {
    /// A hint for a character outside of ASCII; nil for one that stands for none of a format.
    static func hint(_ character: String) -> String? {
        guard let scalar = character.unicodeScalars.first else { return nil }
        if quotes.contains(scalar) { return "write straight quotes, \" or '" }
        if comparisons.contains(scalar) { return "write <=, >= or !=" }
        return spelling(of: scalar).map { "write \($0)" }
    }

    private static func spelling(of scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "\u{2010}"..."\u{2015}", "\u{2212}", "\u{FE58}", "\u{FE63}", "\u{FF0D}":
            "-, the hyphen of the keyboard, for minus"
        case "\u{D7}", "\u{2217}", "\u{22C5}": "*"
        case "\u{F7}", "\u{2215}", "\u{2044}": "/"
        case "\u{2227}": "AND"
        case "\u{2228}": "OR"
        case "\u{AC}": "NOT"
        case "\u{2208}": "IN"
        case "\u{2192}": "a dot, which leads to a key: a.b"
        // Letters and signs of full width.
        case "\u{FF01}"..."\u{FF5E}": Unicode.Scalar(scalar.value - 0xFEE0).map { "\($0), in half width" }
        default: nil
        }
    }

    private static let comparisons: Set<Unicode.Scalar> = ["\u{2264}", "\u{2265}", "\u{2260}", "\u{2A7D}", "\u{2A7E}"]

    private static let quotes: Set<Unicode.Scalar> = [
        "\u{2018}", "\u{2019}", "\u{201A}", "\u{201B}", "\u{201C}", "\u{201D}", "\u{201E}", "\u{201F}", "\u{2032}",
        "\u{2033}", "\u{2039}", "\u{203A}", "\u{AB}", "\u{BB}", "\u{B4}", "\u{2BC}", "\u{FF02}", "\u{FF07}",
    ]
}
