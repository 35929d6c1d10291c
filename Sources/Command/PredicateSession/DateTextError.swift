import PredicateData
import PredicateEvaluation
import PredicateSyntax

/// A string that is compared with a date, but is not a single date: a year or a month where no range of dates is possible,
/// `joined != "2026"`, `joined IN {"2026"}`, or a day that does not exist, `joined > "2026-02-30"`.
///
/// The comparison would need another shape, or hold for no record, so the error says what to write. [NSP-486]
struct DateTextError {
    private let message: String
    private let hint: String

    var valueError: ValueError { ValueError(message, hints: [hint]) }

    /// Creates the error for a comparison with a date in which strings are left after dates and spans were read; nil if it is
    /// none.
    init?(_ comparison: ComparisonPredicate) {
        let texts = Self.texts(in: comparison.rightExpression) + Self.texts(in: comparison.leftExpression)
        guard let name = Self.name(of: comparison.operator) else { return nil }
        let spans = texts.filter(DateSpan.isSpan)
        if let span = spans.first {
            message = "\(name) takes whole dates, and \"\(span)\" is a \(span.utf8.count == 4 ? "year" : "month")"
            hint = "write " + Self.cure(comparison, spans)
            return
        }
        guard let (text, reason) = texts.lazy.compactMap({ text in CalendarSlip.reason(text).map { (text, $0) } }).first
        else { return nil }
        message = "\"\(text)\" is not a date: \(reason)"
        hint = "write a date as \"2026-12-31\" or \"2026-12-31T10:15:00Z\""
    }

    /// Creates the error for a column whose dates may be in several orders; nil if the order makes no difference.
    init?(_ choice: DateChoice, _ operator: ComparisonOperator, beside other: ExpressionNode, isDate: Bool) {
        let isNeeded = isDate || Self.texts(in: other).contains { choice.isNeeded(beside: $0, `operator`) }
        guard isNeeded, Self.name(of: `operator`) != nil else { return nil }
        message = "the dates of '\(choice.name)' may be in several orders of day, month and year"
        hint = DateNotation.options(choice.name, choice.orders) + " reads them"
    }

    /// Returns the spelling of an operator; nil for an operator that accepts any string.
    private static func name(of operator: ComparisonOperator) -> String? {
        if case .customSelector = `operator` { nil } else { `operator`.spelling }
    }

    /// Returns the strings on one side: a constant, or the elements of a list.
    static func texts(in side: ExpressionNode) -> [String] {
        if case .aggregate(let elements) = side { return elements.flatMap(texts) }
        guard case .constantValue(let value) = side else { return [] }
        return texts(in: value)
    }

    private static func texts(in value: PredicateValue) -> [String] {
        switch value {
        case .string(let text): [text]
        case .array(let elements), .orderedSet(let elements): elements.flatMap(texts)
        case .set(let elements): elements.flatMap(texts).sorted()
        case .null, .nullObject, .bool, .integer, .double, .decimal, .date, .data, .uuid, .url, .type, .dictionary,
            .object, .expression, .predicate:
            []
        }
    }

    /// `NOT joined == "2026"`, `joined == "2025" OR joined == "2026"`
    private static func cure(_ comparison: ComparisonPredicate, _ spans: [String]) -> String {
        let isLeft = Self.texts(in: comparison.rightExpression).isEmpty
        var equal = comparison
        equal.operator = .equalTo
        if isLeft { equal.leftExpression = comparison.rightExpression }
        let cures = spans.map { span in
            equal.rightExpression = .constantValue(.string(span))
            return FormatPredicate(.comparison(equal)).description
        }
        return (comparison.operator == .notEqualTo ? "NOT " : "") + cures.joined(separator: " OR ")
    }
}

/// The mistake in a string that has the form of a date but is not one: `2026-13-01`, `2026-02-30`, `2026-01-31T25:00`
private enum CalendarSlip {
    /// Returns why a string in the form of a date or month is not one; nil for any other string.
    static func reason(_ text: String) -> String? {
        guard let match = text.wholeMatch(of: /(\d{4})-(\d{2})(?:-(\d{2})(?:[T ](\d{2}):(\d{2}).*)?)?/),
            let year = Int(match.1), let month = Int(match.2)
        else { return nil }
        guard (1...12).contains(month) else { return "there is no month \(month)" }
        guard let day = match.3.flatMap({ Int($0) }) else { return nil }
        let last = GregorianCalendar.length(ofMonth: month, year: year)
        guard (1...last).contains(day) else { return "this month has \(last) days" }
        if let hour = match.4.flatMap({ Int($0) }), hour > 24 { return "there is no hour \(hour)" }
        if let minute = match.5.flatMap({ Int($0) }), minute > 59 { return "there is no minute \(minute)" }
        return nil
    }
}
