import PredicateChecks
import PredicateData
import PredicateEvaluation
import PredicateQuery
import PredicateSession
import PredicateSyntax

/// Notes about a file and its columns.
extension FilterRun {
    func note(_ reader: RecordReader, _ file: String) {
        let keys = neededKeys ?? []
        for note in reader.notes where note.column.map(keys.contains) ?? true {
            console.report("note: \(file.displayName): \(note.message)")
        }
        guard let columns = reader.header?.columns else {
            let note = "note: \(file.displayName): --skip skips all of its lines"
            if settings.records.skipsLines { console.report(note) }
            return noteUnusedTypes(file)
        }
        for key in keys.sorted() where !columns.contains(key) && !settings.lookups.names.contains(key) {
            let cure =
                predicate.node.keyWithDot(after: key, among: columns) ?? suggestion(for: key, among: columns)
                ?? UnquotedText.hint(key, in: predicate.node)
                ?? keyAlone(after: key, among: columns) ?? ColumnMatch.hints(for: key, columns).joined()
            console.report("note: \(file.displayName): there is no column '\(key)'; it is nil in every row; \(cure)")
        }
    }

    /// Reports type declarations for keys that nothing reads and that are spelled like other keys: `--types agee=integer`
    private func noteUnusedTypes(_ file: String) {
        let values = settings.query.values + settings.lookups.keys
        guard let keys = neededKeys, values.allSatisfy({ $0.roots != nil }) else { return }
        let used = values.reduce(into: keys) { $0.formUnion($1.roots ?? []) }
        for name in settings.records.types.keys.sorted()
        where name.count > 2 && !used.contains(RecordsPath.keys(name)[0]) {
            guard let cure = UsageError.suggestions(for: name, among: used.sorted()).first else { continue }
            console.report("note: \(file.displayName): --types has '\(name)', which nothing reads; \(cure)")
        }
    }

    /// Reports comparisons that are false or true for every cell of a column, divisions of integers, and dates beside text.
    func note(_ predicate: FormatPredicate, _ header: RecordHeader, _ file: String) {
        // Inference has already found the columns of numbers, dates and Booleans, except a column in which a single
        // cell has another type.
        let mayRead = { (key: String, type: ColumnType) in type == .uuid || header.exceptions[key]?.type == type }
        let scope = RecordSchema(header, without: settings.lookups.names).scope
        keyNotes.scopeOfFile = scope
        let textBesideDates = PredicateNotes.textBesideDates(.predicate(predicate.node), header)
        let notes =
            PredicateNotes.mismatches(predicate, scope, mayRead: mayRead) + PredicateNotes.divisions(predicate, scope)
            + PredicateNotes.aggregates(predicate, scope) + settings.query.divisions(scope)
            + textBesideDates.map { "\($0); --nil TEXT reads TEXT as nil" }
        for note in notes { console.report("note: \(file.displayName): \(note)") }
    }

    /// The size of a file up to which it is read again for a note.
    private static let reread = 64 << 20

    /// What `predicate check` finds in the file about comparisons that hold for no record only because of case or accents.
    var differencesInCase: [String] {
        guard settings.files.count == 1, settings.files[0] != "-", !settings.isInverted, settings.lookups.isEmpty,
            !tally.problems.wereFound, FileAccess.size(of: settings.files[0]).map({ $0 <= Self.reread }) ?? false,
            PredicateNotes.respectsCase(predicate)
        else { return [] }
        let session = Session(environment: FileAccess.environment(console), context: settings.context)
        let reply = try? settings.records.load(settings.files[0], into: session)
        guard let reply, !reply.isError else { return [] }
        return session.differencesInCase(predicate).map { "\(settings.files[0]): \(PredicateNotes.note($0))" }
    }

    /// Returns the hint for a column after the name of a table: `df.age > 3`
    private func keyAlone(after name: String, among columns: [String]) -> String? {
        let paths = RecordPaths(predicate.node).sorted.filter { $0.count == 2 && $0[0] == name }
        let column = paths.map { $0[1] }.sorted().first(where: columns.contains)
        return column.map { "write the column alone: \($0)" }
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
