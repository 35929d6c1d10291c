import PredicateEvaluation
import PredicateSyntax

/// Patterns and search texts with a surprising meaning.
enum TextChecks {
    static func findings(in subject: CheckSubject) -> [Finding] {
        subject.comparisons.flatMap { comparison -> [Finding] in
            guard !subject.isUnknown(comparison.right), let pattern = comparison.pattern else { return [] }
            switch comparison.operator {
            case .string(let own): return findings(own, pattern, comparison, subject)
            case .comparison(.equalTo), .comparison(.notEqualTo): return equality(pattern, comparison)
            case .comparison: return []
            }
        }
    }

    private static func findings(
        _ operator: StringOperator, _ pattern: String, _ comparison: PlacedComparison, _ subject: CheckSubject
    ) -> [Finding] {
        if pattern.isEmpty { return [empty(`operator`, comparison)] }
        switch `operator`.rightSide {
        case .likePattern: return like(pattern, comparison)
        case .regularExpression: return matches(pattern, comparison, subject)
        case .needle, .typeIdentifier: return []
        }
    }

    private static func empty(_ operator: StringOperator, _ comparison: PlacedComparison) -> Finding {
        Finding(
            .emptyText, comparison.right, "\(`operator`.spelling) \"\" holds for no text",
            "\(comparison.left.text) != nil matches any text, \(comparison.left.text) == \"\" the empty text")
    }

    /// `name == "jo*"`
    private static func equality(_ pattern: String, _ comparison: PlacedComparison) -> [Finding] {
        guard pattern.utf8.count > 2, !pattern.contains("**"), !pattern.contains(" "),
            (pattern.hasPrefix("*") || pattern.hasSuffix("*")) && pattern.contains(where: \.isLetter)
        else { return [] }
        let spelling = comparison.operator.spelling
        let isNegative = comparison.operator == .comparison(.notEqualTo)
        let left = comparison.left.text
        return [
            Finding(
                .wildcardInEquality, comparison.right, "to \(spelling) the * is an ordinary character",
                isNegative
                    ? "write NOT \(left) LIKE \(comparison.right.text)" : "write \(left) LIKE \(comparison.right.text)")
        ]
    }

    private static func like(_ pattern: String, _ comparison: PlacedComparison) -> [Finding] {
        if hasWildcard(pattern) { return [] }
        if pattern.contains("%@") || pattern.contains("%K") { return [] }
        if pattern.hasPrefix("%") || pattern.hasSuffix("%") {
            let translated = pattern.map { $0 == "%" ? "*" : String($0) }.joined()
            return [
                Finding(
                    .foreignWildcard, comparison.right, "the wildcards of LIKE are * and ?, not %",
                    "write LIKE \"\(translated)\"")
            ]
        }
        if comparison.right.range == nil { return [] }
        return [
            Finding(
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

    private static func matches(
        _ pattern: String, _ comparison: PlacedComparison, _ subject: CheckSubject
    ) -> [Finding] {
        let meta = Set(pattern).intersection(".*+?()[]{}|^$\\")
        if meta.isEmpty { return [wholeText(pattern, comparison, "this pattern has no wildcard")] }
        if meta == ["."], isDotted(pattern) {
            return [
                Finding(
                    .unescapedDot, comparison.right, "in a pattern a dot matches any character",
                    "write \"\(pattern.split(separator: ".", omittingEmptySubsequences: false).joined(separator: "\\\\."))\""
                )
            ]
        }
        guard PartialMatch.exists(pattern, comparison, subject) else { return [] }
        return [wholeText(pattern, comparison, "in the data it matches only parts of texts")]
    }

    private static func wholeText(_ pattern: String, _ comparison: PlacedComparison, _ reason: String) -> Finding {
        Finding(
            .matchesWholeText, comparison.right, "MATCHES compares the whole text, and \(reason)",
            "write \".*\(pattern.replacing("\\", with: "\\\\")).*\" to look inside")
    }

    /// `www.swift.org`: words with single dots between them.
    private static func isDotted(_ pattern: String) -> Bool {
        let parts = pattern.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count > 2
            && parts.allSatisfy { part in
                !part.isEmpty && part.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
            }
    }
}

/// Finds patterns that match no whole text of the data, but a part of some text.
enum PartialMatch {
    private static let sample = 2_000

    static func exists(_ pattern: String, _ comparison: PlacedComparison, _ subject: CheckSubject) -> Bool {
        guard !subject.table.isEmpty, case .string(var inner)? = comparison.node.predicate,
            comparison.left.expression?.keys(in: [:]) != nil,
            let whole = evaluator(.string(inner), subject)
        else { return false }
        inner.rightExpression = .constantValue(.string("(?s).*(?:\(pattern)).*"))
        guard let part = evaluator(.string(inner), subject) else { return false }
        let objects = subject.table.spread(sample).map { subject.table[$0] }
        func anyHolds(_ evaluator: PredicateEvaluator) -> Bool {
            objects.contains { (try? evaluator.evaluate($0)) == true }
        }
        return !anyHolds(whole) && anyHolds(part)
    }

    private static func evaluator(_ node: PredicateNode, _ subject: CheckSubject) -> PredicateEvaluator? {
        try? PredicateEvaluator(FormatPredicate(node), variables: subject.variables)
    }
}
