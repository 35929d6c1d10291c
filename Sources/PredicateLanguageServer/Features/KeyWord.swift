/// The word at the end of a text, with the path before it: `boss.na` in `age > 5 AND boss.na`
struct KeyWord {
    /// The characters that end a word; dots do not, so that the path before a key is known.
    private static let breaks: Set<Character> = Set(" \t\n\r\"'`<>=;|&{}(),[]!+-*/^~?%")

    /// The whole word: `SELF.boss.na`, `$limit`
    let word: String
    /// The part behind the last dot: `na`
    let last: String
    /// The keys before it, without `SELF` and collection operators: `boss`
    let path: [String]
    /// True if nothing but the last part is there.
    let isAlone: Bool

    init(endOf text: String) {
        word = String(text.reversed().prefix { !Self.breaks.contains($0) }.reversed())
        let parts = word.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        last = parts.last ?? ""
        isAlone = parts.count == 1
        let before = parts.dropLast()
        let keys = before.first?.uppercased() == "SELF" ? before.dropFirst() : before
        path = keys.filter { !$0.hasPrefix("@") }
    }
}
