/// Generated SQL with another alias of the root table: `t0."age" > ?1` as `"person"."age" > ?1`.
///
/// Every name in generated SQL is in quotes, so that a word `t0`, `t1`, … outside of them is an alias of the compiler. If
/// the given alias has this form, the inner ones become `u1`, `u2`, …
struct RenamedAliases {
    private(set) var text = ""
    /// The given alias, in quotes.
    private let root: String
    private let prefix: String

    init(_ sql: String, root alias: String, quoted: String) {
        root = quoted
        prefix = Self.isAlias(alias.utf8) ? "u" : "t"
        text.reserveCapacity(sql.utf8.count + 4 * quoted.utf8.count)
        var rest = sql.utf8[...]
        while let byte = rest.first {
            let token = Self.token(of: rest, byte)
            text += Self.isAlias(token) ? name(of: Substring(token)) : Substring(token)
            rest = rest[token.endIndex...]
        }
    }

    private func name(of alias: Substring) -> Substring { alias == "t0" ? root[...] : prefix + alias.dropFirst() }

    /// Returns the first token: a name or a string in quotes, a word, or a single sign.
    private static func token(of rest: Substring.UTF8View, _ byte: UInt8) -> Substring.UTF8View {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "`"):
            let name = rest.dropFirst().prefix { $0 != byte }
            return rest[..<rest[name.endIndex...].prefix(1).endIndex]
        case _ where isWord(byte): return rest.prefix(while: isWord)
        default: return rest.prefix(1)
        }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            0x80...:
            true
        default: isDigit(byte)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    /// Returns true for `t1` and, since databases compare aliases without case, `T1`.
    private static func isAlias(_ word: some Collection<UInt8>) -> Bool {
        guard let first = word.first, first | 0x20 == UInt8(ascii: "t"), word.count > 1 else { return false }
        return word.dropFirst().allSatisfy(isDigit)
    }
}
