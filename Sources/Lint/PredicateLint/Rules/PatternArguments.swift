import PredicateSyntax

/// The patterns of MATCHES and LIKE and the bounds of BETWEEN among the arguments, as far as the source shows them.
///
/// `NSPredicate(format: "name MATCHES %@", "[a-z+")`, `NSPredicate(format: "age BETWEEN %@", [18])`
enum PatternArguments {
    /// The pattern for each specifier of a format, in order; nil for all other arguments.
    static func values(
        _ specifiers: [FormatSpecifier], in format: FormatText, _ arguments: [Range<Int>], _ reader: TextReader
    ) -> [PredicateValue?] {
        let tokens = TolerantToken.tokens(of: format.text)
        return zip(specifiers, arguments).map { specifier, argument in
            guard let index = tokens.firstIndex(where: { $0.range == specifier.range }), index > 0 else { return nil }
            if isBound(index, tokens) { return bound(reader.expression(in: argument), reader) }
            guard specifier.kind == .value, isPattern(index, tokens) else { return nil }
            return constant(argument, reader).map(PredicateValue.string)
        }
    }

    /// True after `BETWEEN`, and in the braces after it.
    private static func isBound(_ index: Int, _ tokens: [TolerantToken]) -> Bool {
        let before = tokens[max(0, index - 4)..<index].map(\.kind)
        if before.last == .token(.keyword(.between)) { return true }
        let isFirst = before.suffix(2) == [.token(.keyword(.between)), .token(.symbol(.openBrace))]
        return isFirst
            || before.count == 4 && before.last == .token(.symbol(.comma))
                && before.prefix(2) == [.token(.keyword(.between)), .token(.symbol(.openBrace))]
    }

    /// The number, or the array of numbers, that is written as an argument.
    private static func bound(_ node: CodeExpression, _ reader: TextReader) -> PredicateValue? {
        switch node {
        case .literal(let token) where token.kind == .number:
            let text = reader.bytes.text(token.range)
            return Int64(text).map(PredicateValue.integer) ?? Double(text).map(PredicateValue.double)
        case .cast(let value, _): return bound(value, reader)
        case .group(let range, let parts) where reader.bytes[range.lowerBound] != UInt8(ascii: "-"):
            let isList = reader.bytes.matches(reader.language == .swift ? "[" : "@[", at: range.lowerBound)
            let values = parts.compactMap { bound($0.value, reader) }
            guard values.count == parts.count else { return nil }
            return isList ? .array(values) : values.count == 1 ? values[0] : nil
        case .literal, .group, .name, .member, .call, .closure, .infix, .element, .choice, .forced, .branch, .refused,
            .unknown:
            return nil
        }
    }

    /// True after `MATCHES`, `LIKE` and `MATCHES[c]`.
    private static func isPattern(_ specifier: Int, _ tokens: [TolerantToken]) -> Bool {
        var index = specifier - 1
        if tokens[index].kind == .token(.symbol(.closeBracket)) { index -= 3 }
        guard index >= 0 else { return false }
        return tokens[index].kind == .token(.keyword(.matches)) || tokens[index].kind == .token(.keyword(.like))
    }

    /// The only string that an argument may be.
    private static func constant(_ argument: Range<Int>, _ reader: TextReader) -> String? {
        let node = reader.expression(in: argument)
        guard !reader.isVariable(node) || reader.language == .objectiveC else { return nil }
        let values = reader.values(of: node)
        guard values.count == 1, !values[0].isUncertain, !values[0].text.hasHoles else { return nil }
        return values[0].text.text
    }
}
