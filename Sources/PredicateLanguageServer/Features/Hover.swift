import PredicateSyntax

/// What an editor shows about a format string under the pointer: its canonical form and its tree, or its error, and what
/// the key under the pointer holds.
enum Hover {
    /// The longest canonical form and the longest tree, in characters.
    private static let longest = 4_000

    /// `word` is what stands under the pointer, `keys` are those of the project's models.
    static func markdown(of site: FormatSite, _ word: KeyWord?, _ keys: SchemaKeys?) -> String {
        let tree = tree(of: site)
        guard let word, let detail = keys?.detail(of: word.path + [word.last]) else { return tree }
        return "`\(word.last)`: \(detail)\n\n" + tree
    }

    private static func tree(of site: FormatSite) -> String {
        switch site.parse {
        case .predicate(let predicate): text(predicate.predicateFormat, TreeDump(predicate.node), site)
        case .expression(let expression): text(expression.expressionFormat, TreeDump(expression.node), site)
        case .failure(let error): block(error.description)
        }
    }

    private static func text(_ canonical: String, _ tree: TreeDump, _ site: FormatSite) -> String {
        let count = FormatPredicate.specifiers(in: site.parsed.text).count
        let note = count == 0 ? [] : ["Arguments are numbered from left to right."]
        let holes = site.text.hasHoles ? ["What the program inserts is replaced by a stand-in."] : []
        return ([block(canonical), block(tree.description)] + note + holes).joined(separator: "\n\n")
    }

    /// Text that is shown as it is, whatever marks it holds.
    private static func block(_ text: String) -> String {
        let shown = text.count > longest ? text.prefix(longest) + "…" : text[...]
        var fence = "```"
        while shown.contains(fence) { fence += "`" }
        return "\(fence)text\n\(shown)\n\(fence)"
    }
}
