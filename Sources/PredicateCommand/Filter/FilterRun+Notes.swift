import PredicateChecks
import PredicateData
import PredicateEvaluation
import PredicateSession
import PredicateSyntax

/// Notes about a file and its columns.
extension FilterRun {
    func note(_ reader: RecordReader, _ file: String) {
        let keys = neededKeys ?? []
        for note in reader.notes where note.column.map(keys.contains) ?? true {
            console.report("note: \(file.displayName): \(note.message)")
        }
        guard let columns = reader.header?.columns else { return }
        for key in keys.sorted() where !columns.contains(key) {
            let suggestion = (suggestion(for: key, among: columns) ?? quotes(for: key)).map { "; " + $0 } ?? ""
            console.report(
                "note: \(file.displayName): there is no column '\(key)'; it is nil in every row\(suggestion)")
        }
    }

    /// Reports comparisons that are false or true for every cell of a column, and divisions of integers.
    func note(_ predicate: FormatPredicate, _ header: RecordHeader, _ file: String) {
        // Inference has already found the columns of numbers, dates and Booleans, except a column in which a single
        // cell has another type.
        let mayRead = { (key: String, type: ColumnType) in type == .uuid || header.exceptions[key]?.type == type }
        let scope = RecordSchema(header).scope
        keyNotes.scopeOfFile = scope
        let notes =
            PredicateNotes.mismatches(predicate, scope, mayRead: mayRead) + PredicateNotes.divisions(predicate, scope)
            + settings.query.divisions(scope)
        for note in notes { console.report("note: \(file.displayName): \(note)") }
    }

    /// Returns the hint for a word without quotes, which is a key: `name == John`
    private func quotes(for key: String) -> String? {
        UnquotedText.keys(in: predicate.node).contains(key) ? "a string needs quotes: \"\(key)\"" : nil
    }

    private func suggestion(for key: String, among columns: [String]) -> String? {
        if let padded = columns.first(where: { $0.trimmed == key }) {
            return "spaces are part of a column's name: write #\"\(padded)\""
        }
        return UsageError.suggestions(for: key, among: columns).first
    }
}

extension String {
    /// The name of the file in messages.
    var displayName: String { self == "-" ? "(standard input)" : self }
}
