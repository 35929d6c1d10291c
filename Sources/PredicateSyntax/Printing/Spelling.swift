/// How names are written so that they read back.
extension String {
    /// `age`, `#size`, `@count`; a name that no key could be is quoted: `#"first name"`, after a dot `"first name"`.
    ///
    /// A dollar sign and letters print bare, as on Apple's platforms. [NSP-147]
    func keySpelling(isFirst: Bool) -> String {
        if isIdentifier { return Keyword(word: self) == nil ? self : "#" + self }
        let head = utf8.first
        let isMarked = head == UInt8(ascii: "@") || head == UInt8(ascii: "$")
        if isMarked, String(unicodeScalars.dropFirst()).isIdentifier { return self }
        return (isFirst ? "#" : "") + quoted
    }

    /// `$limit`; a name that is none is quoted: `$"any name"`.
    var variableSpelling: String {
        "$" + (isIdentifier ? self : quoted)
    }

    /// Letters, digits and underscores, not beginning with a digit, ASCII only.
    package var isIdentifier: Bool {
        guard let first = utf8.first, ByteClass.isWordStart(first) else { return false }
        return utf8.allSatisfy(ByteClass.isWord)
    }

    /// Between double quotes, with backslashes before backslashes and quotes, everything else as it is. [NSP-145]
    var quoted: String {
        var result = "\""
        for scalar in unicodeScalars {
            if scalar == "\\" || scalar == "\"" { result.unicodeScalars.append("\\") }
            result.unicodeScalars.append(scalar)
        }
        return result + "\""
    }
}
