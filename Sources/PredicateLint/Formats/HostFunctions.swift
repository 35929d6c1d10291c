import PredicateSyntax

/// Functions and operators that the host adds to the language, which formats write without a colon.
///
/// `mgl_join({"a", name})` is parsed as `mgl_join:({"a", name})`, `name fuzzyEquals "x"` as `name fuzzyEquals: "x"`.
enum HostFunctions {
    /// The string with a colon after the names of such functions. The colon has the place of the name's end.
    static func called(in text: FormatText, _ settings: LintSettings) -> FormatText {
        guard !settings.functions.isEmpty || !settings.operators.isEmpty else { return text }
        var result = FormatText()
        result.literal = text.literal
        var start = 0
        for end in ends(of: settings, in: text) {
            result.append(text.part(start..<end))
            let source = text.sourceRange(of: end - 1..<end).upperBound
            result.appendEscape(CollectionOfOne(UInt8(ascii: ":")), source: source..<source)
            start = end
        }
        result.append(text.part(start..<text.bytes.count))
        result.literal = text.literal
        return result
    }

    private static func ends(of settings: LintSettings, in text: FormatText) -> [Int] {
        let tokens = TolerantToken.tokens(of: text.text)
        return zip(tokens, tokens.dropFirst()).compactMap { name, next in
            let isCall = next.kind == .token(.symbol(.openParenthesis))
            let isColon = next.kind == .token(.symbol(.colon))
            let word = String(decoding: text.bytes[name.range], as: UTF8.self)
            let isKnown = isCall && settings.functions.contains(word) || !isColon && settings.operators.contains(word)
            return isKnown ? name.range.upperBound : nil
        }
    }
}
