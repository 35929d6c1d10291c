import PredicateEvaluation
import PredicateSyntax

/// Errors of predicates about records, where a text beside a column of dates is read as a date, and the columns are known.
package enum RecordErrorText {
    /// The error as a terminal shows it. `aggregate` says what works out a figure of all records; nil if nothing does.
    package static func text(
        of error: EvaluationError, columns: [String], aggregate: ((_ name: String, _ key: String) -> String)? = nil
    ) -> String {
        let hints = error.hints.map(plain) + keyHint(error, columns) + aggregateHint(error, aggregate)
        if error.text.isEmpty { return error.description }
        return ErrorRenderer.render(
            title: error.title, source: error.text, range: error.range, label: error.label, hints: hints)
    }

    /// The error in a format as a terminal shows it.
    package static func text(of error: PredicateFormatError) -> String {
        ErrorRenderer.render(
            title: error.title, source: error.text, range: error.range, label: error.label,
            hints: error.hints.map(plain))
    }

    /// `write joined >= "2020-01-01"` for `write joined >= CAST("2020-01-01", "NSDate")`
    package static func plain(_ hint: String) -> String {
        hint.replacing(/CAST\(("[^"]*"), "NSDate"\)/) { String($0.1) }
    }

    /// `board-id IN {"a"}`: the column `board-id` or `board_id`.
    private static func keyHint(_ error: EvaluationError, _ columns: [String]) -> [String] {
        guard case .notANumber = error.code, let key = HyphenatedKey.key(in: Array(error.text.utf8), at: error.range),
            !columns.contains(key)
        else { return [] }
        return Suggestion.among(columns, for: key)
    }

    /// `price > @avg.price`: the figure that an option works out.
    private static func aggregateHint(
        _ error: EvaluationError, _ aggregate: ((_ name: String, _ key: String) -> String)?
    ) -> [String] {
        guard let aggregate, case .undefinedKey(let key, _, _) = error.code else { return [] }
        let phrase = String(decoding: Array(error.text.utf8)[error.range], as: UTF8.self)
        let names = ["avg", "sum", "min", "max"]
        return names.first { phrase == "@\($0).\(key)" }.map { [aggregate($0, key)] } ?? []
    }
}
