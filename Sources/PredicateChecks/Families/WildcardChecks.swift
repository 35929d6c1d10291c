import PredicateSyntax

/// Wildcards and pieces of regular expressions beside an operator that takes them literally.
///
///     name == "jo*"    name BEGINSWITH "jo*"    name LIKE "jo.*"    name MATCHES "jo*"
enum WildcardChecks {
    static func findings(in subject: CheckSubject) -> [PredicateFinding] {
        subject.comparisons.compactMap { comparison in
            guard !subject.isUnknown(comparison.right), let pattern = comparison.pattern,
                !pattern.contains("%@"), !pattern.contains("%K")
            else { return nil }
            switch comparison.operator {
            case .comparison(.equalTo), .comparison(.notEqualTo): return equality(pattern, comparison)
            case .comparison: return nil
            case .string(let own):
                switch own.rightSide {
                case .needle: return search(pattern, comparison)
                case .likePattern: return like(pattern, comparison)
                case .regularExpression: return expression(pattern, comparison)
                case .typeIdentifier: return nil
                }
            }
        }
    }

    /// `name == "jo*"`, `name == ".*jo"`, `name == "%jo%"`
    private static func equality(_ pattern: String, _ comparison: CheckedComparison) -> PredicateFinding? {
        guard let wildcard = Wildcard(in: pattern), !pattern.contains(" ") || wildcard != .star else { return nil }
        let positive = "\(comparison.left.text) \(wildcard.cure(of: pattern, comparison.options))"
        return PredicateFinding(
            .wildcardInEquality, comparison.right,
            "to \(comparison.operator.spelling) the \(wildcard.rawValue) is ordinary text",
            comparison.operator == .comparison(.notEqualTo) ? "write NOT \(positive)" : "write \(positive)")
    }

    /// `name BEGINSWITH "jo*"`, `name CONTAINS "%jo%"`
    private static func search(_ pattern: String, _ comparison: CheckedComparison) -> PredicateFinding? {
        guard let wildcard = Wildcard(in: pattern) else { return nil }
        let operation = comparison.operator.spelling
        let plain = wildcard.stripped(pattern)
        let isPlain = Wildcard(in: plain) == nil && !plain.contains("*")
        return PredicateFinding(
            .wildcardInSearch, comparison.right,
            "to \(operation) the \(wildcard.rawValue) is ordinary text",
            isPlain
                ? "write \(operation)\(comparison.options.spelling) \(plain.quotedLiteral)"
                : "write \(comparison.left.text) \(wildcard.cure(of: pattern, comparison.options))",
            fix: isPlain ? comparison.right.range.map { PredicateFinding.Fix($0, plain.quotedLiteral) } : nil)
    }

    /// `name LIKE "jo.*"`, `name LIKE "^[a-z]+$"`
    private static func like(_ pattern: String, _ comparison: CheckedComparison) -> PredicateFinding? {
        let isExpression =
            pattern.hasPrefix(".*") || (pattern.hasPrefix("^") && pattern.hasSuffix("$"))
            || [".+", "\\d", "\\w", "\\s", "]+", "]*"].contains { pattern.contains($0) }
            || (pattern.hasSuffix(".*") && !isFileName(comparison.left)
                && !pattern.dropLast(2).contains { "*?".contains($0) })
        guard isExpression, hasLetter(pattern) else { return nil }
        return PredicateFinding(
            .patternInLike, comparison.right,
            "this looks like a regular expression; to LIKE only * and ? have a meaning",
            "write MATCHES\(comparison.options.spelling) \(comparison.right.text)")
    }

    /// True for keys of files and the like, where `report.*` is a file of any type.
    private static func isFileName(_ node: CheckedNode) -> Bool {
        let text = node.text.lowercased()
        return ["file", "path", "url", "fsname", "image", "host", "domain"].contains { text.contains($0) }
    }

    /// `name MATCHES "jo*"`, `name MATCHES "%jo%"`
    private static func expression(_ pattern: String, _ comparison: CheckedComparison) -> PredicateFinding? {
        if isDelimited(pattern) {
            return PredicateFinding(
                .wildcardInPattern, comparison.right, "a pattern has no slashes around it: they would have to match",
                "leave them out")
        }
        guard let wildcard = Wildcard(in: pattern), wildcard != .anything else { return nil }
        let inner = wildcard.stripped(pattern)
        guard !inner.isEmpty, !inner.contains("\\"), PatternTree(inner).onlyText == inner else { return nil }
        let glob = wildcard == .percent ? pattern.replacing("%", with: "*") : pattern
        return PredicateFinding(
            .wildcardInPattern, comparison.right,
            wildcard == .star
                ? "in a regular expression * repeats the character before it"
                : "in a regular expression % is no wildcard",
            "write LIKE\(comparison.options.spelling) \(glob.quotedLiteral)")
    }

    /// `/jo/`, `/jo/i`
    private static func isDelimited(_ pattern: String) -> Bool {
        guard pattern.hasPrefix("/"), let last = pattern.lastIndex(of: "/"), last > pattern.startIndex else {
            return false
        }
        let inner = pattern[pattern.index(after: pattern.startIndex)..<last]
        let flags = pattern[pattern.index(after: last)...]
        return !inner.contains("/") && ["", "i", "g", "gi", "m"].contains(flags)
            && inner.contains { "*+?()[]|^$\\".contains($0) }
    }

    private static func hasLetter(_ pattern: String) -> Bool { pattern.contains(where: \.isLetter) }
}

/// The wildcard that a text has at one of its ends.
private enum Wildcard: String {
    /// `jo*`, of LIKE
    case star = "*"
    /// `%jo%`, of SQL
    case percent = "%"
    /// `.*jo`, of regular expressions
    case anything = ".*"

    /// Nil if a text has none. A text of a wildcard alone, as in a search for stars, has none either.
    init?(in text: String) {
        guard text.utf8.count > 2, text.contains(where: \.isLetter) else { return nil }
        if text.hasPrefix(".*") || text.hasSuffix(".*") {
            self = .anything
        } else if (text.hasPrefix("*") || text.hasSuffix("*")) && !text.contains("**") {
            self = .star
        } else if Self.hasPercent(text) {
            self = .percent
        } else {
            return nil
        }
    }

    /// `%jo`, `jo%`; not `100%`, `%20`, `%AF`, `%d`
    private static func hasPercent(_ text: String) -> Bool {
        if text.hasPrefix("%"), text.hasSuffix("%") { return true }
        if text.hasSuffix("%") { return text.dropLast().last?.isLetter == true }
        guard text.hasPrefix("%"), text.dropFirst().first?.isLetter == true, text.utf8.count > 3 else { return false }
        return !text.dropFirst().prefix(2).allSatisfy(\.isHexDigit)
    }

    /// The text without the wildcard at its ends.
    func stripped(_ text: String) -> String {
        var rest = text[...]
        if rest.hasPrefix(rawValue) { rest = rest.dropFirst(rawValue.count) }
        if rest.hasSuffix(rawValue) { rest = rest.dropLast(rawValue.count) }
        return String(rest)
    }

    /// The operator and the pattern that take the wildcard as one.
    func cure(of text: String, _ options: ComparisonOptions) -> String {
        switch self {
        case .star: "LIKE\(options.spelling) \(text.quotedLiteral)"
        case .percent: "LIKE\(options.spelling) \(text.replacing("%", with: "*").quotedLiteral)"
        case .anything: "MATCHES\(options.spelling) \(text.replacing("\\", with: "\\\\").quotedLiteral)"
        }
    }
}
