import PredicateSyntax

/// The words of the language for libFuzzer's `-dict`, from the parser's own tables.
package enum FuzzDictionary {
    package static var text: String {
        let others = ["%@", "%K", "$v", "#size", "[cd]", "@count", "\\u00e9", "'", "\"", "{", "}", "0x1F", "1e308"]
        let commands = [":load ", ":explain", ":set ", ":table ", ":sql ", ":keys", ":why 1"]
        let words = Keyword.allCases.map(\.rawValue) + Symbol.allCases.map(\.rawValue) + others + commands
        return words.map { "\"" + escaped($0) + "\"" }.joined(separator: "\n")
    }

    private static func escaped(_ word: String) -> String {
        word.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "\\"): "\\\\"
            case UInt8(ascii: "\""): "\\\""
            case 0x20...0x7E: String(UnicodeScalar(byte))
            default: "\\x" + String(UInt(byte) + 0x100, radix: 16).suffix(2)
            }
        }.joined()
    }
}
