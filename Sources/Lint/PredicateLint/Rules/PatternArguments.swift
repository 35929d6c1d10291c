import PredicateSyntax

/// The patterns of MATCHES and LIKE among the arguments, as far as the source shows them.
///
/// `NSPredicate(format: "name MATCHES %@", "[a-z+")`
enum PatternArguments {
    /// The pattern for each specifier of a format, in order; nil for all other arguments.
    static func values(
        _ specifiers: [FormatSpecifier], in format: FormatText, _ arguments: [Range<Int>], _ reader: TextReader
    ) -> [PredicateValue?] {
        let tokens = TolerantToken.tokens(of: format.text)
        return zip(specifiers, arguments).map { specifier, argument in
            guard specifier.kind == .value, isPattern(specifier.range, tokens) else { return nil }
            return constant(argument, reader).map(PredicateValue.string)
        }
    }

    /// True after `MATCHES`, `LIKE` and `MATCHES[c]`.
    private static func isPattern(_ specifier: Range<Int>, _ tokens: [TolerantToken]) -> Bool {
        guard var index = tokens.firstIndex(where: { $0.range == specifier }), index > 0 else { return false }
        index -= 1
        if tokens[index].kind == .token(.symbol(.closeBracket)) { index -= 3 }
        guard index >= 0 else { return false }
        return tokens[index].kind == .token(.keyword(.matches)) || tokens[index].kind == .token(.keyword(.like))
    }

    /// The only string that an argument may be.
    private static func constant(_ argument: Range<Int>, _ reader: TextReader) -> String? {
        guard !reader.isVariable(argument) || reader.language == .objectiveC else { return nil }
        let values = reader.values(of: argument)
        guard values.count == 1, !values[0].isUncertain, !values[0].text.hasHoles else { return nil }
        return values[0].text.text
    }
}
