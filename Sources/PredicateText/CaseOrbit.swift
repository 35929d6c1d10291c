/// The code points that differ in case only, for letters of which that is all there is to say.
///
/// Of `k`: `K` and the Kelvin sign. Latin letters without marks and with those of Western and Central Europe, and what has no
/// case; nil for all others, such as `ß`, which is two letters under `[c]`.
package enum CaseOrbit {
    package static func of(_ scalar: Unicode.Scalar) -> [Unicode.Scalar]? {
        switch scalar {
        case "k", "K", "\u{212A}": ["k", "K", "\u{212A}"]
        case "s", "S", "\u{17F}": ["s", "S", "\u{17F}"]
        case "å", "Å", "\u{212B}": ["å", "Å", "\u{212B}"]
        case "ß", "µ", "\u{130}", "\u{131}", "\u{149}": nil
        case "\u{0}"..."\u{17E}": pair(scalar)
        default: hasNoCase(scalar) ? [scalar] : nil
        }
    }

    private static func hasNoCase(_ scalar: Unicode.Scalar) -> Bool {
        let properties = scalar.properties
        if properties.isCased || properties.changesWhenCaseMapped || properties.changesWhenCaseFolded { return false }
        return [.otherLetter, .otherSymbol, .otherPunctuation, .spaceSeparator].contains(properties.generalCategory)
    }

    /// A letter with its other case.
    private static func pair(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
        let properties = scalar.properties
        let other = properties.isLowercase ? properties.uppercaseMapping : properties.lowercaseMapping
        guard let only = other.unicodeScalars.first, other.unicodeScalars.count == 1 else { return [scalar] }
        return only == scalar ? [scalar] : [scalar, only]
    }

    /// True for two letters that one letter folds to, as `ß` does to two `s`.
    package static func mayBeOneLetter(_ first: Unicode.Scalar, _ second: Unicode.Scalar) -> Bool {
        let letters = String(first).uppercased() + String(second).uppercased()
        return ["SS", "FF", "FI", "FL", "ST"].contains(letters)
    }
}
