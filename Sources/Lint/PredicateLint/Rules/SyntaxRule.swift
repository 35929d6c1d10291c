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
enum NotInFix {
    static func fix(_ error: PredicateFormatError, _ subject: LintSubject) -> LintFix? {
        guard case .notBeforeOperator = error.code, subject.value.isDirect, !subject.text.hasHoles,
            let change = NegatedComparison(error)
        else { return nil }
        let text = subject.parse.text
        let start = text.sourceRange(of: change.comparison.lowerBound..<change.comparison.lowerBound + 1).lowerBound
        let end = text.sourceRange(of: change.comparison.upperBound - 1..<change.comparison.upperBound).upperBound
        let edits = [
            LintEdit(range: start..<start, replacement: "NOT ("),
            LintEdit(range: text.sourceRange(of: change.word), replacement: ""),
            LintEdit(range: end..<end, replacement: ")"),
        ]
        return LintFix(title: "Put NOT before the comparison", edits: edits)
    }
}

/// A comparison with NOT before its operator. It is found by parsing the format with blanks in place of NOT.
private struct NegatedComparison {
    /// `NOT` and the space after it.
    let word: Range<Int>
    /// The comparison including the word.
    let comparison: Range<Int>

    private static let mostWords = 32

    init?(_ error: PredicateFormatError) {
        var bytes = Array(error.text.utf8)
        let start = error.range.lowerBound
        guard var predicate = Self.blank(start, &bytes) else { return nil }
        var words = 1
        while case .failure(let next) = predicate.outcome {
            guard case .notBeforeOperator = next.code, words < Self.mostWords,
                let another = Self.blank(next.range.lowerBound, &bytes)
            else { return nil }
            predicate = another
            words += 1
        }
        guard let range = Self.comparison(of: predicate, around: start) else { return nil }
        var end = start + 3
        while end < bytes.count, bytes[end].isSpace { end += 1 }
        word = start..<end
        comparison = range
    }

    /// Parses the format with blanks in place of the word NOT at an offset.
    private static func blank(_ start: Int, _ bytes: inout [UInt8]) -> FormatParse? {
        guard start + 3 < bytes.count,
            String(decoding: bytes[start..<start + 3], as: UTF8.self).lowercased() == "not"
        else { return nil }
        for offset in start..<start + 3 { bytes[offset] = UInt8(ascii: " ") }
        return FormatParse(FormatText(String(decoding: bytes, as: UTF8.self)), isExpression: false)
    }

    /// The innermost comparison without ANY or ALL that contains an offset.
    private static func comparison(of parse: FormatParse, around offset: Int) -> Range<Int>? {
        guard case .predicate(let predicate) = parse.outcome, let ranges = predicate.source?.ranges else { return nil }
        var (number, found) = (0, Range<Int>?.none)
        visit(.predicate(predicate.node), &number) { node, index in
            guard index < ranges.count, ranges[index].contains(offset), node.isDirectComparison else { return }
            if found.map({ ranges[index].count < $0.count }) ?? true { found = ranges[index] }
        }
        return found
    }

    /// Calls a closure for every node with its number, children before parents.
    private static func visit(_ node: TreeNode, _ number: inout Int, _ body: (TreeNode, Int) -> Void) {
        for child in node.children { visit(child, &number, body) }
        body(node, number)
        number += 1
    }
}

extension TreeNode {
    /// True for a comparison without ANY and ALL.
    fileprivate var isDirectComparison: Bool {
        guard case .predicate(let node) = self else { return false }
        return switch node {
        case .comparison(let comparison): comparison.modifier == .direct
        case .string(let comparison): comparison.modifier == .direct
        case .constant, .compound, .block: false
        }
    }
}
