extension String {
    /// The text with control characters and marks of direction escaped, so that it is safe to print to a terminal.
    ///
    /// `a\u{1b}[2J`
    package var printable: String {
        guard unicodeScalars.contains(where: \.movesCursor) else { return self }
        return unicodeScalars.reduce(into: "") { result, scalar in
            switch scalar {
            case "\n": result += "\\n"
            case "\t": result += "\\t"
            case "\r": result += "\\r"
            default:
                result += scalar.movesCursor ? "\\u{\(String(scalar.value, radix: 16))}" : String(scalar)
            }
        }
    }
}

extension Unicode.Scalar {
    /// True for control characters and those that turn the direction of writing.
    var movesCursor: Bool {
        switch value {
        case 0x20...0x7E: false
        case 0..<0x20, 0x7F...0x9F, 0x2028, 0x2029, 0x202A...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// True for invisible characters: blanks other than the space, joiners, byte order marks.
    var isInvisible: Bool {
        properties.isWhitespace || properties.generalCategory == .format || movesCursor
    }

    /// `U+00A0`
    var codePoint: String {
        let digits = String(value, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: max(4 - digits.count, 0)) + digits
    }
}
