import PredicateChecks
import PredicateEvaluation
import PredicateSyntax

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Formats errors of predicates that are evaluated for records.
///
/// The columns of the records are known, and strings compared with dates are read as dates, so some hints differ from the
/// general ones.
package enum RecordErrorText {
    /// Returns the error as a terminal shows it. `aggregate` names the option that computes an aggregate over all records; nil
    /// if there is none.
    package static func text(
        of error: EvaluationError, columns: [String], aggregate: ((_ name: String, _ key: String) -> String)? = nil
    ) -> String {
        let hints =
            (recordHints(error) ?? error.hints.map(plain)) + keyHint(error, columns) + aggregateHint(error, aggregate)
        if error.text.isEmpty { return error.description }
        return ErrorRenderer.render(
            title: error.title, source: error.text, range: error.range, label: error.label, hints: hints)
    }

    /// Returns a format error as a terminal shows it.
    package static func text(of error: PredicateFormatError) -> String {
        ErrorRenderer.render(
            title: error.title, source: error.text, range: error.range, label: error.label,
            hints: error.hints.map(plain))
    }

    /// Replaces CAST to a date in a hint or a predicate by the string alone: `write joined >= "2020-01-01"`. Where both were
    /// offered as a choice, only the string is left.
    package static func plain(_ text: String) -> String {
        text.replacing(/CAST\(("[^"]*"), "NSDate"\)(, or \1 to compare it with strings)?/) { String($0.1) }
            .replacing(/CAST\((-?[0-9.]+), "NSDate"\)/) { match in
                // A time just before a whole second must not be written as that second.
                guard let date = Double(match.1).map(Date.init(timeIntervalSinceReferenceDate:)),
                    let text = ISO8601.string(from: date), text.contains(".") || ISO8601.date(from: text) == date
                else { return String(match.0) }
                return "\"\(text)\""
            }
    }

    /// The hints about records that replace hints about objects; nil if the latter fit.
    private static func recordHints(_ error: EvaluationError) -> [String]? {
        let phrase = String(decoding: Array(error.text.utf8)[error.range], as: UTF8.self)
        guard error.hints == error.code.hints else { return datePart(error.code, phrase).map { [$0] } }
        switch error.code {
        case .notANumber(let found) where found.valueClass == .date: return [spans]
        case .unknownFunction(let name, _) where UnquotedText.moment(name) != nil:
            return [UnquotedText.moment(name) ?? ""]
        case .unknownFunction where error.hints.isEmpty:
            return ["predicate help functions lists the functions, as :help functions does in a session"]
        case .incomparable(let left, let right)
        where Set([left.valueClass, right.valueClass]) == [.date, .string]
            && phrase.contains(/["']\d{1,2}[.\/-]\d{1,2}[.\/-]\d{2,4}/):
            return ["write a date with the year first: \"2024-12-31\""]
        case .undefinedKey(_, PredicateValue.ClassName.number.name, let names),
            .undefinedKey(_, PredicateValue.ClassName.string.name, let names):
            return names.isEmpty ? [] : nil
        default: return datePart(error.code, phrase).map { [$0] }
        }
    }

    /// `closed - opened`, `now() - 7`
    private static let spans =
        "write CAST(b, \"NSNumber\") - CAST(a, \"NSNumber\") for the seconds between two dates, ago(7, \"days\") for a"
        + " week ago"

    /// Suggests the function `year(joined)` for `joined.year`.
    private static func datePart(_ code: EvaluationError.Code, _ phrase: String) -> String? {
        guard case .undefinedKey(let key, PredicateValue.ClassName.date.name, _) = code,
            ["year", "quarter", "month", "day", "weekday", "hour", "minute", "second"].contains(key.lowercased()),
            phrase.hasSuffix("." + key)
        else { return nil }
        return "write \(key.lowercased())(\(phrase.dropLast(key.count + 1)))"
    }

    /// Suggests the column `board-id` or `board_id` for `board-id IN {"a"}`.
    private static func keyHint(_ error: EvaluationError, _ columns: [String]) -> [String] {
        guard case .notANumber = error.code, let key = HyphenatedKey.key(in: Array(error.text.utf8), at: error.range),
            !columns.contains(key)
        else { return [] }
        return NearMiss.hints(for: key, among: columns)
    }

    /// Suggests the option that computes the aggregate in `price > @avg.price`.
    private static func aggregateHint(
        _ error: EvaluationError, _ aggregate: ((_ name: String, _ key: String) -> String)?
    ) -> [String] {
        guard let aggregate, case .undefinedKey(let key, _, _) = error.code else { return [] }
        let phrase = String(decoding: Array(error.text.utf8)[error.range], as: UTF8.self)
        let names = ["avg", "sum", "min", "max"]
        return names.first { phrase == "@\($0).\(key)" }.map { [aggregate($0, key)] } ?? []
    }
}
