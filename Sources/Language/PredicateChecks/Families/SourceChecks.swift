import PredicateSyntax

/// Mistakes that only the format string shows, not the tree.
package enum SourceChecks {
    static func findings(in subject: CheckSubject) -> [PredicateFinding] {
        specifiersInQuotes(subject) + idleOptions(subject) + lostBackslashes(subject) + datesWithoutQuotes(subject)
            + impossibleDates(subject)
    }

    /// `CAST("2024-13-45", "NSDate")`: the cast fails for every object. What Apple's classes do is not documented.
    private static func impossibleDates(_ subject: CheckSubject) -> [PredicateFinding] {
        subject.nodes.compactMap { node in
            guard case .cast(let cast)? = node.expression, cast.type == "NSDate", let operand = node.children.first,
                case .string(let text)? = subject.constant(operand), BareDate.isDate(text.utf8.prefix(10)),
                !text.contains("/"), ISO8601.date(from: String(text.prefix(10))) == nil
            else { return nil }
            return PredicateFinding(
                .cannotBeEvaluated, operand, "\(text.prefix(10)) is no day of the calendar, so the cast fails",
                "a date is written CAST(\"2020-01-31\", \"NSDate\")"
            ).at(.warning)
        }
    }

    /// `name == "%@"`: in quotes, the specifier is a string of two characters.
    private static func specifiersInQuotes(_ subject: CheckSubject) -> [PredicateFinding] {
        subject.tokens.filter { $0.kind == .string }.compactMap { token in
            let text = String(subject.source(token.range).dropFirst().dropLast())
            guard text.contains("%@") || text.contains("%K") || wholeSpecifiers.contains(text) else { return nil }
            return specifierInQuotes(text, token.range)
        }
    }

    /// Returns the finding for a quoted string that contains a specifier.
    package static func specifierInQuotes(_ text: String, _ range: Range<Int>) -> PredicateFinding {
        PredicateFinding(
            .specifierInQuotes, range, "in quotes, \(text) is a string and takes no argument",
            isWhole(text) ? "write \(text) without quotes" : "pass the whole string as the argument for %@",
            fix: isWhole(text) ? PredicateFinding.Fix(range, text, isCertain: true) : nil)
    }

    private static func isWhole(_ text: String) -> Bool {
        text == "%@" || text == "%K" || wholeSpecifiers.contains(text)
    }

    private static let wholeSpecifiers: Set<String> = ["%d", "%i", "%u", "%f", "%ld", "%lu", "%lld", "%llu", "%s"]

    /// `born > 1990-05-01`: two subtractions. `1990/05/01` is two divisions.
    private static func datesWithoutQuotes(_ subject: CheckSubject) -> [PredicateFinding] {
        let tokens = subject.tokens
        return tokens.indices.dropLast(4).compactMap { index in
            let range = tokens[index].range.lowerBound..<tokens[index + 4].range.upperBound
            let text = subject.source(range)
            guard BareDate.isDate(text.utf8), index == 0 || !"+-*/".contains(subject.source(tokens[index - 1].range))
            else {
                return nil
            }
            return PredicateFinding(
                .dateWithoutQuotes, range, "without quotes, \(text) is arithmetic, not a date",
                BareDate.cure(of: text),
                fix: PredicateFinding.Fix(range, "CAST(\(text.replacing("/", with: "-").quotedLiteral), \"NSDate\")"))
        }
    }

    /// `name ==[cw] "jo"`: the option is parsed and ignored.
    private static func idleOptions(_ subject: CheckSubject) -> [PredicateFinding] {
        let tokens = subject.tokens
        return tokens.indices.dropFirst().dropLast().compactMap { index in
            let (bracket, word) = (tokens[index], tokens[index + 1])
            guard bracket.kind == .symbol, subject.source(bracket.range) == "[", isOperator(tokens[index - 1], subject)
            else { return nil }
            let letters = subject.source(word.range).lowercased()
            if let idle = letters.first(where: { "wst".contains($0) }) {
                return PredicateFinding(
                    .optionWithoutEffect, word.range, "the option \(idle) has no effect", "remove it")
            }
            if letters.contains("l") {
                return PredicateFinding(
                    .optionWithoutEffect, word.range, "the option l has no effect without a locale",
                    "remove it, or evaluate the predicate with a locale")
            }
            guard letters.contains("n"), letters.contains(where: { $0 == "c" || $0 == "d" }) else { return nil }
            return PredicateFinding(
                .optionWithoutEffect, word.range, "the option n compares literally, so c and d have no effect",
                "remove either n or the other options")
        }
    }

    private static func isOperator(_ token: FormatToken, _ subject: CheckSubject) -> Bool {
        let text = subject.source(token.range)
        let isWord = token.kind == .keyword && Keyword(word: text)?.isOperator ?? false
        return isWord || (token.kind == .symbol && "=<>!".contains(text.last ?? " "))
    }

    /// `name MATCHES "\d+"`: the string literal consumes the backslash, so the pattern begins with a plain d.
    private static func lostBackslashes(_ subject: CheckSubject) -> [PredicateFinding] {
        subject.comparisons.compactMap { comparison in
            guard let escaped = escapedCharacters(of: comparison.operator), let range = comparison.right.range else {
                return nil
            }
            guard let found = lostEscape(in: subject.source(range), escaped) else { return nil }
            return PredicateFinding(
                .lostBackslash, comparison.right,
                found == "b"
                    ? "in a string, \\b is a backspace, not a word boundary"
                    : "in a string, \\\(found) becomes '\(found)': the pattern loses its backslash",
                "write \\\\\(found)")
        }
    }

    private static func escapedCharacters(of operator: CheckedComparison.Operator) -> String? {
        guard case .string(let own) = `operator` else { return nil }
        return switch own.rightSide {
        case .regularExpression: "bdDwWsSpPZzGBRhHQE.*+?()[]{}|^$"
        case .likePattern: "*?"
        case .needle, .typeIdentifier: nil
        }
    }

    /// Returns the first of these characters that follows a single backslash.
    private static func lostEscape(in literal: String, _ characters: String) -> Character? {
        var isEscaped = false
        for character in literal {
            if isEscaped, characters.contains(character) { return character }
            isEscaped = !isEscaped && character == "\\"
        }
        return nil
    }
}
