/// How regular expressions are spelled, where the spellings differ.
package struct PatternDialect: Hashable, Sendable {
    /// True if eight hexadecimal digits follow a capital: `\U0001F600`.
    let hasLongCodes: Bool
    /// True if digits may stand in braces after a `u`, too, as after an `x`: `\u{e9}`, `\x{e9}`.
    let hasBracedUnicode: Bool
    /// The most hexadecimal digits in braces.
    let mostBracedDigits: Int
    /// True if the lower count may be left out: `{,3}`.
    let hasCountsToLimit: Bool
    /// True if two tildes are an operator of sets, as `&&` and `--` are: `[a~~b]`.
    let hasSymmetricDifference: Bool

    /// The patterns of MATCHES.
    package static let icu = PatternDialect(
        hasLongCodes: true, hasBracedUnicode: false, mostBracedDigits: 6, hasCountsToLimit: false,
        hasSymmetricDifference: false)

    /// The patterns of Swift's Regex.
    package static let swift = PatternDialect(
        hasLongCodes: false, hasBracedUnicode: true, mostBracedDigits: 8, hasCountsToLimit: true,
        hasSymmetricDifference: true)

    /// The number of hexadecimal digits after a letter, and whether they may stand in braces instead: `\x41`, `\u00E9`.
    func digits(after letter: Unicode.Scalar) -> (count: Int, mayBeBraced: Bool)? {
        switch letter {
        case "x": (2, true)
        case "u": (4, hasBracedUnicode)
        case "U": hasLongCodes ? (8, false) : nil
        default: nil
        }
    }

    /// True if a mark is an operator of sets when it is doubled.
    func isSetOperator(_ mark: Unicode.Scalar) -> Bool {
        switch mark {
        case "&", "-": true
        case "~": hasSymmetricDifference
        default: false
        }
    }
}
