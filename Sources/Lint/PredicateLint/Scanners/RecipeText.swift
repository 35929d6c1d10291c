/// Finds the variables in predicates of AutoPkg recipes. AutoPkg inserts their values before it parses the predicate.
///
/// `"%version%" == "1.0" AND BUILD == %BUILD%`
enum RecipeText {
    /// The AutoPkg processor that takes a predicate.
    static let mark: StaticString = "StopProcessingIf"

    /// The predicate with a hole for each variable; nil if it consists only of variables.
    static func withVariables(_ stored: StoredFormat) -> StoredFormat? {
        let bytes = stored.text.bytes
        var (variables, offset): ([(range: Range<Int>, text: FormatText)], Int) = ([], 0)
        while offset < bytes.count {
            let end = variableEnd(bytes, from: offset)
            if let end {
                let source = stored.text.sourceRange(of: offset..<end)
                let hole = FormatText.Hole(expression: source, isHarmless: true)
                variables.append((offset..<end, FormatText(hole, shown: bytes[offset..<end], source: source)))
            }
            offset = end ?? offset + 1
        }
        var copy = stored
        copy.text = stored.text.replacing(variables)
        return copy.text.segments.contains { !$0.isHole } ? copy : nil
    }

    /// The end of `%NAME%`.
    private static func variableEnd(_ bytes: [UInt8], from start: Int) -> Int? {
        guard bytes[start] == UInt8(ascii: "%") else { return nil }
        var end = start + 1
        while end < bytes.count, bytes[end].isName { end += 1 }
        return end < bytes.count && end > start + 1 && bytes[end] == UInt8(ascii: "%") ? end + 1 : nil
    }
}
