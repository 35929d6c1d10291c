/// The predicates in recipes of AutoPkg, which inserts variables before it parses the predicate.
///
/// `"%version%" == "1.0" AND BUILD == %BUILD%`
enum RecipeText {
    /// The processor that takes a predicate.
    static let mark: StaticString = "StopProcessingIf"

    /// The predicate with a hole for each variable; nil if it consists of one variable.
    static func withVariables(_ stored: StoredFormat) -> StoredFormat? {
        let bytes = stored.text.bytes
        var result = FormatText()
        result.literal = stored.text.literal
        var (start, offset) = (0, 0)
        while offset < bytes.count {
            guard let end = variableEnd(bytes, from: offset) else {
                offset += 1
                continue
            }
            if start < offset { result.append(stored.text.part(start..<offset)) }
            let source = stored.text.sourceRange(of: offset..<end)
            result.appendHole(.init(expression: source, isHarmless: true), shown: bytes[offset..<end], source: source)
            (start, offset) = (end, end)
        }
        if start < bytes.count { result.append(stored.text.part(start..<bytes.count)) }
        result.literal = stored.text.literal
        guard result.segments.contains(where: { !$0.isHole }) else { return nil }
        var copy = stored
        copy.text = result
        return copy
    }

    /// The end of `%NAME%`.
    private static func variableEnd(_ bytes: [UInt8], from start: Int) -> Int? {
        guard bytes[start] == UInt8(ascii: "%") else { return nil }
        var end = start + 1
        while end < bytes.count, bytes[end].isName { end += 1 }
        return end < bytes.count && end > start + 1 && bytes[end] == UInt8(ascii: "%") ? end + 1 : nil
    }
}
