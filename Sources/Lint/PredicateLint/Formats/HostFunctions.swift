import PredicateSyntax

/// Functions and operators that a host adds to the language, and that are written in formats without a colon.
///
/// `mgl_join({"a", name})` is parsed as `mgl_join:({"a", name})`, `name fuzzyEquals "x"` as `name fuzzyEquals: "x"`.
enum HostFunctions {
    /// The prefixes of the functions of map styles, which need not be configured: `mgl_join`, `MGL_MATCH`.
    ///
    /// https://docs.mapbox.com/ios/maps/api/6.4.1/predicates-and-expressions.html
    private static let prefixes = ["mgl_", "MGL_", "mln_", "MLN_"]

    /// The string with a colon inserted after each such name. The colon's position in the source is the end of the name.
    static func called(in text: FormatText, _ settings: LintSettings) -> FormatText {
        let isConfigured = !settings.functions.isEmpty || !settings.operators.isEmpty
        guard isConfigured || prefixes.contains(where: text.text.contains) else { return text }
        return text.replacing(
            ends(of: settings, in: text).map { end in
                let source = text.sourceRange(of: end - 1..<end).upperBound
                return (end..<end, FormatText(":".utf8, at: source..<source))
            })
    }

    /// The names that a host adds: the configured ones, and the functions of map styles in the format.
    static func names(in text: FormatText, _ settings: LintSettings) -> Set<String> {
        let configured = settings.functions.union(settings.operators)
        guard prefixes.contains(where: text.text.contains) else { return configured }
        let words = TolerantToken.tokens(of: text.text).map { String(decoding: text.bytes[$0.range], as: UTF8.self) }
        return configured.union(words.filter { prefixes.contains(where: $0.hasPrefix) })
    }

    private static func ends(of settings: LintSettings, in text: FormatText) -> [Int] {
        let tokens = TolerantToken.tokens(of: text.text)
        return zip(tokens, tokens.dropFirst()).compactMap { name, next in
            let isCall = next.kind == .token(.symbol(.openParenthesis))
            let isColon = next.kind == .token(.symbol(.colon))
            let word = String(decoding: text.bytes[name.range], as: UTF8.self)
            let isFunction = settings.functions.contains(word) || prefixes.contains(where: word.hasPrefix)
            let isKnown = isCall && isFunction || !isColon && settings.operators.contains(word)
            return isKnown ? name.range.upperBound : nil
        }
    }
}
