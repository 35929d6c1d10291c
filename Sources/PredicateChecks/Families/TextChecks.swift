import PredicateSyntax

/// Patterns and search texts with a surprising meaning.
package enum TextChecks {
    static func findings(in subject: CheckSubject) -> [PredicateFinding] {
        subject.comparisons.flatMap { comparison -> [PredicateFinding] in
            guard !subject.isUnknown(comparison.right), let pattern = comparison.pattern else { return [] }
            switch comparison.operator {
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

    private static func empty(_ operator: StringOperator, _ comparison: CheckedComparison) -> PredicateFinding {
        PredicateFinding(
            .emptyText, comparison.right, "\(`operator`.spelling) \"\" holds for no string",
            "\(comparison.left.text) != nil matches any string, \(comparison.left.text) == \"\" the empty one")
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
                .likeWithoutWildcard, comparison.right, "LIKE without a wildcard is an equality",
                "write ==\(comparison.options.spelling), or CONTAINS\(comparison.options.spelling) to look inside")
        ]
    }

    /// Returns true if a pattern has a `*` or a `?` that is not escaped.
    private static func hasWildcard(_ pattern: String) -> Bool {
        var isEscaped = false
        for character in pattern {
            if !isEscaped, character == "*" || character == "?" { return true }
            isEscaped = !isEscaped && character == "\\"
        }
        return false
    }

    private static func matches(_ pattern: String, _ comparison: CheckedComparison) -> [PredicateFinding] {
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

    /// `www.swift.org`, `jo@example.com`: words with single dots between them.
    private static func unescapedDots(_ tree: PatternTree, _ comparison: CheckedComparison) -> PredicateFinding? {
        let dots = tree.dotsBetweenWords
        guard !dots.isEmpty, dots.count == tree.wildcards.count, tree.anchors.between.count == tree.bytes.count,
            dots.count > 1 || tree.bytes.contains(UInt8(ascii: "@")), !tree.bytes.contains(UInt8(ascii: "\\"))
        else { return nil }
        let starts = Set(dots.map(\.lowerBound))
        let escaped = tree.bytes.indices.flatMap { starts.contains($0) ? Array("\\\\.".utf8) : [tree.bytes[$0]] }
        return PredicateFinding(
            .unescapedDot, comparison.right, "in a pattern a dot matches any character",
            "write \(String(decoding: escaped, as: UTF8.self).quotedLiteral)")
    }

    /// `name MATCHES "jo"`: the whole name would have to match. An anchor says at which end the rest may be anything.
    package static func wholeText(
        _ tree: PatternTree, _ comparison: CheckedComparison, _ reason: String
    ) -> PredicateFinding {
        let anchors = tree.anchors
        let before = anchors.beginning == nil ? ".*" : "", after = anchors.end == nil ? ".*" : ""
        let between = tree.text(anchors.between).replacing("\\", with: "\\\\")
        let inner = tree.choice.branches.count > 1 ? "(\(between))" : between
        return PredicateFinding(
            .matchesWholeText, comparison.right, "MATCHES compares the whole string, and \(reason)",
            "write \"\(before)\(inner)\(after)\"" + (before.isEmpty || after.isEmpty ? "" : " to look inside"))
    }

    /// `uppercase(name) == "jo"`: a text in capitals never has a small letter.
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
        let reason = "\(comparison.left.text) has no \(function == .uppercase ? "small letter" : "capital")"
        return [
            PredicateFinding(
                isNegative ? .alwaysHolds : .neverHolds, comparison.node,
                isNegative ? "this holds for every text: \(reason)" : "this never holds: \(reason)",
                "write \(cure.quotedLiteral)",
                fix: comparison.right.range.map { PredicateFinding.Fix($0, cure.quotedLiteral) })
        ]
    }
}
