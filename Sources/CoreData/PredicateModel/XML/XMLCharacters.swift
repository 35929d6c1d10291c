/// The characters of XML.
extension Unicode.Scalar {
    /// The entity of a character that would be markup: `&lt;` for `<`; nil for all others.
    var xmlEntity: String? {
        switch self {
        case "&": "&amp;"
        case "<": "&lt;"
        case ">": "&gt;"
        default: nil
        }
    }

    /// True if XML 1.0 can contain the character, itself or by its number.
    package var isXML: Bool {
        switch value {
        case 0x09, 0x0A, 0x0D: true
        case 0..<0x20, 0xFFFE, 0xFFFF: false
        default: true
        }
    }
}
