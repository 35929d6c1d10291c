import PredicateChecks
import PredicateSyntax

/// `predicate-syntax`: the errors of the parser.
enum SyntaxRule {
    static func findings(_ subject: LintSubject) -> [LintFinding] {
        guard let error = subject.parse.reportedError,
            !subject.value.isUncertain || !error.isOfUnfinishedText && !isAtSeam(error, subject)
        else { return [] }
        let range = error.text.isEmpty ? subject.text.literal : subject.source(error.range)
        var finding = subject.finding(
            .syntax, message(of: error), hints: joiningHint(error, subject) ?? error.hints, at: range)
        finding.fix = NotInFix.fix(error, subject)
        return [finding]
    }

    /// The hint for `"%@ AND age > 3"` if the argument is a predicate.
    private static func joiningHint(_ error: PredicateFormatError, _ subject: LintSubject) -> [String]? {
        guard error.code == .expectedOperator || error.code == .expectedPredicate,
            let index = subject.parse.specifiers.firstIndex(where: { $0.range == error.range }),
            let arguments = subject.arguments, arguments.indices.contains(index),
            let type = arguments[index].type, !type.isCollection, type.name.hasSuffix("Predicate")
        else { return nil }
        return ["join predicates with NSCompoundPredicate(andPredicateWithSubpredicates:)"]
    }

    /// True for an error at the beginning of a part of the format that may be preceded by other parts.
    private static func isAtSeam(_ error: PredicateFormatError, _ subject: LintSubject) -> Bool {
        let text = subject.parse.text
        let start = error.range.lowerBound
        guard !subject.value.isDirect, !text.segments.isEmpty, start < text.bytes.count else { return false }
        let index = text.index(of: start)
        let before = index == 0 ? 0 : text.segments[index - 1].end
        return text.bytes[before..<max(before, start)].allSatisfy(\.isSpace)
            || error.range.upperBound > text.segments[index].end
    }

    static func message(of error: PredicateFormatError) -> String {
        [error.title, error.label].compactMap(\.self).joined(separator: ": ")
    }
}

extension PredicateFormatError {
    /// True for an error that may only indicate that the format is incomplete.
    fileprivate var isOfUnfinishedText: Bool {
        range.upperBound >= text.utf8.count || code == .emptyFormat
    }
}

/// Rewrites `key NOT IN %@` as `NOT (key IN %@)`.
private enum NotInFix {
    private static let mostWords = 32

    static func fix(_ error: PredicateFormatError, _ subject: LintSubject) -> LintFix? {
        guard case .notBeforeOperator = error.code, subject.value.isDirect, !subject.text.hasHoles,
            let comparison = comparison(around: error)
        else { return nil }
        let text = subject.parse.text
        let start = text.sourceRange(of: comparison.lowerBound..<comparison.lowerBound + 1).lowerBound
        let end = text.sourceRange(of: comparison.upperBound - 1..<comparison.upperBound).upperBound
        let word = error.range.lowerBound
        let space = error.text.utf8.dropFirst(word + 3).prefix(while: \.isSpace).count
        let edits = [
            LintEdit(range: start..<start, replacement: "NOT ("),
            LintEdit(range: text.sourceRange(of: word..<word + 3 + space), replacement: ""),
            LintEdit(range: end..<end, replacement: ")"),
        ]
        return LintFix(title: "Put NOT before the comparison", edits: edits)
    }

    /// The innermost comparison without ANY and ALL that contains the word, found by parsing the format with blanks instead of
    /// each such word.
    private static func comparison(around error: PredicateFormatError) -> Range<Int>? {
        var (next, bytes) = (error, Array(error.text.utf8))
        for _ in 0..<mostWords {
            let word = next.range.lowerBound..<min(next.range.lowerBound + 3, bytes.count)
            guard case .notBeforeOperator = next.code,
                String(decoding: bytes[word], as: UTF8.self).lowercased() == "not"
            else { return nil }
            for offset in word { bytes[offset] = UInt8(ascii: " ") }
            let parse = FormatParse(FormatText(String(decoding: bytes, as: UTF8.self)), isExpression: false)
            if case .predicate(let predicate) = parse.outcome {
                let comparisons = CheckSubject(predicate, open: [], scope: CheckScope()).comparisons
                return comparisons.compactMap { $0.modifier == .direct ? $0.node.range : nil }
                    .filter { $0.contains(error.range.lowerBound) }.min { $0.count < $1.count }
            }
            guard let failure = parse.error else { return nil }
            next = failure
        }
        return nil
    }
}
