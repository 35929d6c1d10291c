import PredicateSyntax

/// Patterns and search strings that do not mean what they appear to mean.
package enum TextChecks {
    static func findings(in subject: CheckSubject) -> [PredicateFinding] {
        subject.comparisons.flatMap { comparison -> [PredicateFinding] in
            guard !subject.isUnknown(comparison.right), let pattern = comparison.pattern else { return [] }
            switch comparison.operator {
            case .string(.contains) where pattern.isEmpty && mayBeCollection(comparison.left, subject): return []
            case .string(let own): return findings(own, pattern, comparison) + folded(pattern, comparison)
            case .comparison: return comparison.operator.isEquality ? folded(pattern, comparison) : []
            }
        }
    }

    private static func findings(
        _ operator: StringOperator, _ pattern: String, _ comparison: CheckedComparison
    ) -> [PredicateFinding] {
        if pattern.isEmpty { return [empty(`operator`, comparison)] }
        switch `operator`.rightSide {
        case .likePattern: return like(pattern, comparison)
        case .regularExpression: return matches(pattern, comparison)
        case .needle, .typeIdentifier: return []
        }
    }

    /// True for an argument, a list or a to-many key, which may contain the empty string.
    private static func mayBeCollection(_ node: CheckedNode, _ subject: CheckSubject) -> Bool {
        subject.isUnknown(node) || node.type.isToMany || node.type.kinds.contains(.array)
    }

    private static func empty(_ operator: StringOperator, _ comparison: CheckedComparison) -> PredicateFinding {
        PredicateFinding(
            .emptyText, comparison.right, "\(`operator`.spelling) \"\" never holds",
            "write \(comparison.left.text) != nil for any string, or \(comparison.left.text) == \"\" for the empty one")
    }

    private static func like(_ pattern: String, _ comparison: CheckedComparison) -> [PredicateFinding] {
        if hasWildcard(pattern) { return [] }
        if pattern.contains("%@") || pattern.contains("%K") { return [] }
        if pattern.hasPrefix("%") || pattern.hasSuffix("%") {
            let translated = pattern.map { $0 == "%" ? "*" : String($0) }.joined()
            return [
                PredicateFinding(
                    .foreignWildcard, comparison.right, "the wildcards of LIKE are * and ?, not %",
                    "write LIKE \"\(translated)\"")
            ]
        }
        if comparison.right.range == nil { return [] }
        return [
            PredicateFinding(
                .likeWithoutWildcard, comparison.right, "LIKE without a wildcard tests equality",
                "write ==\(comparison.options.spelling), or CONTAINS\(comparison.options.spelling) to search inside the string"
            )
        ]
    }

    /// Returns true if a pattern has an unescaped `*` or `?`.
    private static func hasWildcard(_ pattern: String) -> Bool {
        var isEscaped = false
        for character in pattern {
            if !isEscaped, character == "*" || character == "?" { return true }
            isEscaped = !isEscaped && character == "\\"
        }
        return false
    }

    private static func matches(_ pattern: String, _ comparison: CheckedComparison) -> [PredicateFinding] {
        if let letter = doubledClass(in: pattern) {
            return [
                PredicateFinding(
                    .lostBackslash, comparison.right,
                    "in this pattern, \\\\\(letter) is a backslash and the letter \(letter), not a class of characters",
                    "leave out one of the backslashes")
            ]
        }
        let tree = PatternTree(pattern)
        let anchors = [tree.anchors.beginning, tree.anchors.end].compactMap(\.self)
        if !tree.hasWildcard, !tree.anchors.between.isEmpty {
            switch anchors.count {
            case 0 where !pattern.contains("\\"):
                return [wholeText(tree, comparison, "this pattern has no wildcard")]
            case 1: return [wholeText(tree, comparison, "an anchor at one end does not change that")]
            default: return []
            }
        }
        return unescapedDots(tree, comparison).map { [$0] } ?? []
    }

    /// The letter of `\\\\d{5}` and `\\\\w+`, where two backslashes reach the regular expression.
    private static func doubledClass(in pattern: String) -> Character? {
        let parts = pattern.components(separatedBy: "\\\\").dropFirst()
        let found = parts.first { part in
            "dDwWsSb".contains(part.first ?? " ") && !part.hasPrefix("\\")
                && part.dropFirst().first.map { "+*?{$)|.]\\".contains($0) } ?? true
        }
        return found?.first
    }

    /// `www.swift.org`, `jo@example.com`: words with single dots between them.
    private static func unescapedDots(_ tree: PatternTree, _ comparison: CheckedComparison) -> PredicateFinding? {
        let dots = tree.dotsBetweenWords
        guard !dots.isEmpty, dots.count == tree.wildcardCount, tree.anchors.between.count == tree.bytes.count,
            dots.count > 1 || tree.bytes.contains(UInt8(ascii: "@")), !tree.bytes.contains(UInt8(ascii: "\\"))
        else { return nil }
        let starts = Set(dots.map(\.lowerBound))
        let escaped = tree.bytes.indices.flatMap { starts.contains($0) ? Array("\\\\.".utf8) : [tree.bytes[$0]] }
        return PredicateFinding(
            .unescapedDot, comparison.right, "in a regular expression, a dot matches any character",
            "write \(String(decoding: escaped, as: UTF8.self).quotedLiteral)")
    }

    /// `name MATCHES "jo"`: MATCHES compares the whole name. The suggested pattern has `.*` at each end that has no anchor.
    package static func wholeText(
        _ tree: PatternTree, _ comparison: CheckedComparison, _ reason: String
    ) -> PredicateFinding {
        let anchors = tree.anchors
        let before = anchors.beginning == nil ? ".*" : "", after = anchors.end == nil ? ".*" : ""
        let between = tree.text(anchors.between).replacing("\\", with: "\\\\")
        let inner = tree.choice.branches.count > 1 ? "(\(between))" : between
        return PredicateFinding(
            .matchesWholeText, comparison.right, "MATCHES compares the whole string, and \(reason)",
            "write \"\(before)\(inner)\(after)\""
                + (before.isEmpty || after.isEmpty ? "" : " to search inside the string"))
    }

    /// `uppercase(name) == "jo"`: an uppercased string never contains a lowercase letter.
    private static func folded(_ pattern: String, _ comparison: CheckedComparison) -> [PredicateFinding] {
        guard case .function(let call)? = comparison.left.expression, case .predefined(let function) = call.function,
            comparison.modifier == .direct, !comparison.options.contains(.caseInsensitive),
            comparison.operator != .string(.matches)
        else { return [] }
        let cure: String
        switch function {
        case .uppercase: cure = pattern.uppercased()
        case .lowercase: cure = pattern.lowercased()
        default: return []
        }
        guard pattern != cure, pattern.utf8.allSatisfy({ $0 < 0x80 }) else { return [] }
        let isNegative = comparison.operator == .comparison(.notEqualTo)
        let reason =
            "\(comparison.left.text) has no \(function == .uppercase ? "lowercase letter" : "uppercase letter")"
        return [
            PredicateFinding(
                isNegative ? .alwaysHolds : .neverHolds, comparison.node,
                isNegative ? "this always holds: \(reason)" : "this never holds: \(reason)",
                "write \(cure.quotedLiteral)",
                fix: comparison.right.range.map { PredicateFinding.Fix($0, cure.quotedLiteral) })
        ]
    }
}

/// Wildcards and regular expression syntax with an operator that takes them literally.
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
        guard let wildcard = OuterWildcard(in: pattern), !pattern.contains(" ") || wildcard != .star else { return nil }
        let positive = "\(comparison.left.text) \(wildcard.cure(of: pattern, comparison.options))"
        return PredicateFinding(
            .wildcardInEquality, comparison.right,
            "\(comparison.operator.spelling) takes \(wildcard.rawValue) literally",
            comparison.operator == .comparison(.notEqualTo) ? "write NOT \(positive)" : "write \(positive)")
    }

    /// `name BEGINSWITH "jo*"`, `name CONTAINS "%jo%"`
    private static func search(_ pattern: String, _ comparison: CheckedComparison) -> PredicateFinding? {
        guard let wildcard = OuterWildcard(in: pattern) else { return nil }
        let operation = comparison.operator.spelling
        let plain = wildcard.stripped(pattern)
        let isPlain = OuterWildcard(in: plain) == nil && !plain.contains("*")
        return PredicateFinding(
            .wildcardInSearch, comparison.right,
            "\(operation) takes \(wildcard.rawValue) literally",
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
            "this looks like a regular expression; in LIKE, only * and ? are special",
            "write MATCHES\(comparison.options.spelling) \(comparison.right.text)")
    }

    /// True for keys that hold file names and the like, where `report.*` means a file with any extension.
    private static func isFileName(_ node: CheckedNode) -> Bool {
        let text = node.text.lowercased()
        return ["file", "path", "url", "fsname", "image", "host", "domain"].contains { text.contains($0) }
    }

    /// `name MATCHES "jo*"`, `name MATCHES "%jo%"`
    private static func expression(_ pattern: String, _ comparison: CheckedComparison) -> PredicateFinding? {
        if isDelimited(pattern) {
            return PredicateFinding(
                .wildcardInPattern, comparison.right, "the slashes are part of the pattern and would have to match",
                "remove them")
        }
        guard let wildcard = OuterWildcard(in: pattern), wildcard != .anything else { return nil }
        let inner = wildcard.stripped(pattern)
        guard !inner.isEmpty, !inner.contains("\\"), PatternTree(inner).onlyText == inner else { return nil }
        let glob = wildcard == .percent ? pattern.replacing("%", with: "*") : pattern
        return PredicateFinding(
            .wildcardInPattern, comparison.right,
            wildcard == .star
                ? "in a regular expression, * repeats the preceding character"
                : "in a regular expression, % is not a wildcard",
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

/// The wildcard at the beginning or end of a string.
private enum OuterWildcard: String {
    /// `jo*`, as in LIKE
    case star = "*"
    /// `%jo%`, as in SQL
    case percent = "%"
    /// `.*jo`, as in regular expressions
    case anything = ".*"

    /// Nil for a string without a wildcard, and for a string that consists of wildcards, such as a search for
    /// asterisks.
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

    /// True for `%jo` and `jo%`, false for `100%`, `%20`, `%AF`, `%d`.
    private static func hasPercent(_ text: String) -> Bool {
        if text.hasPrefix("%"), text.hasSuffix("%") { return true }
        if text.hasSuffix("%") { return text.dropLast().last?.isLetter == true }
        guard text.hasPrefix("%"), text.dropFirst().first?.isLetter == true, text.utf8.count > 3 else { return false }
        return !text.dropFirst().prefix(2).allSatisfy(\.isHexDigit)
    }

    /// The string without the wildcard at its ends.
    func stripped(_ text: String) -> String {
        var rest = text[...]
        if rest.hasPrefix(rawValue) { rest = rest.dropFirst(rawValue.count) }
        if rest.hasSuffix(rawValue) { rest = rest.dropLast(rawValue.count) }
        return String(rest)
    }

    /// The operator and the pattern to write instead, so that the wildcard acts as one.
    func cure(of text: String, _ options: ComparisonOptions) -> String {
        switch self {
        case .star: "LIKE\(options.spelling) \(text.quotedLiteral)"
        case .percent: "LIKE\(options.spelling) \(text.replacing("%", with: "*").quotedLiteral)"
        case .anything: "MATCHES\(options.spelling) \(text.replacing("\\", with: "\\\\").quotedLiteral)"
        }
    }
}

/// Version numbers that are compared as strings: `"9.0"` comes after `"10.0"`.
///
///     munki_version >= "10.0"
enum OrderChecks {
    static func findings(in subject: CheckSubject) -> [PredicateFinding] {
        subject.comparisons.compactMap { comparison in
            guard comparison.operator.isOrdering || comparison.operator == .comparison(.between),
                isOfVersions(comparison.left, comparison.right, subject)
                    || isOfVersions(comparison.right, comparison.left, subject)
            else { return nil }
            return PredicateFinding(
                .versionOrder, comparison.node,
                "versions are compared as strings, and as strings \"9.0\" > \"10.0\"",
                "compare one part as a number, or use MATCHES; == and BEGINSWITH are not affected")
        }
    }

    /// True for a string key whose name suggests versions, compared with a version number.
    private static func isOfVersions(_ node: CheckedNode, _ other: CheckedNode, _ subject: CheckSubject) -> Bool {
        guard node.type.isOpen || node.type.kinds == [.string], let key = node.keys?.last?.lowercased(),
            let constant = subject.constant(other)
        else { return false }
        let texts = [constant] + (constant.elements ?? [])
        return ["version", "release", "build", "vers"].contains { key.contains($0) }
            && texts.contains { if case .string(let text) = $0 { isVersion(text) } else { false } }
    }

    /// `10.0`, `6.7.0.4731`; not `01.02`, whose parts are padded so that they sort correctly
    private static func isVersion(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return (2...6).contains(parts.count)
            && parts.allSatisfy { part in
                (1...6).contains(part.utf8.count) && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
                    && (part == "0" || part.first != "0")
            }
    }
}
