import PredicateSyntax

/// Functions that the host adds to the language, which formats call without a colon.
///
/// `mgl_join({"a", name})` is parsed as `mgl_join:({"a", name})`.
enum HostFunctions {
    /// The string with a colon after the names of such functions. The colon has the place of the name's end.
    static func called(in text: FormatText, _ names: Set<String>) -> FormatText {
        guard !names.isEmpty else { return text }
        var result = FormatText()
        result.literal = text.literal
        var start = 0
        for end in ends(of: names, in: text) {
            result.append(text.part(start..<end))
            let source = text.sourceRange(of: end - 1..<end).upperBound
            result.appendEscape(CollectionOfOne(UInt8(ascii: ":")), source: source..<source)
            start = end
        }
        result.append(text.part(start..<text.bytes.count))
        result.literal = text.literal
        return result
    }

    private static func ends(of names: Set<String>, in text: FormatText) -> [Int] {
        let tokens = TolerantToken.tokens(of: text.text)
        return zip(tokens, tokens.dropFirst()).compactMap { name, next in
            guard next.kind == .token(.symbol(.openParenthesis)) else { return nil }
            let word = String(decoding: text.bytes[name.range], as: UTF8.self)
            return names.contains(word) ? name.range.upperBound : nil
        }
    }
}
