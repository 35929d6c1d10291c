import PredicateEvaluation
import PredicateQuery
import PredicateSyntax

/// The bookkeeping that all passes of `predicate filter` share: matches, problems, and how the run ends.
final class MatchTally {
    let settings: FilterSettings
    let console: Console
    var problems: RecordProblems
    /// The number of matches so far.
    var matched = 0
    /// The number of rows so far, not counting those that `--distinct` leaves out.
    private var rows = 0
    /// The rows so far, by their values, for `--distinct`.
    private var distinct = FirstRecords<PreparedRecord>(1, [])
    /// The matches of `--distinct-on`; nil without the option.
    private var firsts: FirstRecords<PreparedRecord>?
    /// The latest rows, some of which `--last` writes.
    private var lastRows: [PreparedRecord] = []
    /// The texts that each sort key has had.
    private var texts: [NumericTexts]
    /// The number of matches in the files before the current one.
    private var matchedBefore = 0

    /// `noun` is the singular of what is filtered: `record`
    init(_ settings: FilterSettings, _ console: Console, noun: String) {
        (self.settings, self.console) = (settings, console)
        problems = RecordProblems(
            console: console, isStrict: settings.isStrict, noun: noun, format: settings.records.format)
        let query = settings.query
        texts = query.sort?.keys.map { _ in NumericTexts() } ?? []
        firsts = query.distinctKeys.map { _ in FirstRecords(query.limitOfEach, query.sort?.orders ?? []) }
    }

    /// A Boolean value that indicates whether as many matches were found as `--first` asks for.
    var isDone: Bool {
        let count = (writesRecords || countsRows) && settings.query.needsEachRow ? rows : matched
        return settings.query.stoppingLimit.map { count >= $0 } ?? false
    }

    /// A Boolean value that indicates whether the rest of the current file is not needed.
    var isFileDone: Bool { isDone || settings.listsFiles && matchedInFile > 0 }

    /// The number of matches in the current file.
    var matchedInFile: Int { matched - matchedBefore }

    func beginFile() {
        matchedBefore = matched
        problems.beginFile()
    }

    /// Returns the values by which a record is sorted. A value that cannot be evaluated is nil, and its error is reported.
    func sortValues(
        of record: PredicateValue, _ order: SortOrder, in location: String
    ) throws(CommandFailure) -> [OrderedValue] {
        let (values, failure) = order.values(of: record)
        if let failure { try problems.note(.failed(failure), in: location) }
        for index in texts.indices { texts[index].see(values[index]) }
        return values
    }

    /// The note for a key that sorts numbers as text.
    private var textNote: String? {
        guard let sort = settings.query.sort, let index = texts.firstIndex(where: \.areMisplaced),
            !sort.keys[index].key.isNumeric
        else { return nil }
        return
            "note: '\(sort.keys[index].value.text)' is text, and sorted as text: \"10\" comes before \"9\"; --numeric"
            + " sorts by the numbers in it"
    }

    /// Returns true if `--distinct` leaves a row out because an earlier row has the same values.
    func isRepeated(_ values: @autoclosure () -> [PredicateValue]) -> Bool {
        settings.query.isDistinct && !distinct.insert(values())
    }

    /// Returns the values of `--distinct-on` for a match; nil without the option. A value that cannot be computed is nil, and
    /// its error is reported.
    func key(of record: PredicateValue, in location: String) throws(CommandFailure) -> [PredicateValue]? {
        guard let keys = settings.query.distinctKeys else { return nil }
        do throws(EvaluationError) {
            var key: [PredicateValue] = []
            for value in keys { key.append(try value.value(in: record)) }
            return key
        } catch {
            try problems.note(.failed(error), in: location)
            return keys.map { _ in .null }
        }
    }

    /// Returns true if `--distinct-on` leaves out a match because enough others with the same key came before. With `--sort`,
    /// this is decided only at the end.
    func isLeftOut(_ key: [PredicateValue]?) -> Bool {
        guard let key, settings.query.sort == nil else { return false }
        return !(firsts?.insert(key) ?? true)
    }

    /// Returns true if a match with this key is certainly left out.
    func isLeftOut(_ key: GroupKeys) -> Bool { firsts?.isFull(key) ?? distinct.isFull(key) }

    /// Keeps a match until ``sort(into:)``, if it is among the first with its key so far.
    func keep(_ row: PreparedRecord, values: [OrderedValue], _ key: [PredicateValue]) {
        firsts?.add((values, matched, row), key)
    }

    /// Adds the matches of `--distinct-on` to a sorter.
    func sort(into sorter: SpillingSorter<PreparedRecord>) throws(CommandFailure) {
        for entry in firsts?.entries ?? [] { try sorter.take(entry.record, values: entry.values) }
    }

    /// Passes a row on, unless `--offset` skips it. With `--last`, the row is kept until ``writeLastRows(_:)``.
    func write(
        _ row: PreparedRecord, _ emit: (PreparedRecord) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        rows += 1
        if let last = settings.query.page.last {
            lastRows.append(row)
            if lastRows.count / 2 >= last { lastRows.removeFirst(lastRows.count - last) }
        } else if rows > settings.query.page.offset {
            try emit(row)
        }
    }

    /// Counts a row that is not written.
    func countRow() { rows += 1 }

    /// Passes the rows of `--last` on.
    func writeLastRows(_ emit: (PreparedRecord) throws(CommandFailure) -> Void) throws(CommandFailure) {
        for row in lastRows.suffix(settings.query.page.last ?? 0) { try emit(row) }
    }

    /// Returns the line to write for the current file with `--files-with-matches`, or with `--count` and `--with-filename`; nil
    /// if there is none.
    func line(for file: String) -> String? {
        if settings.isQuiet { return nil }
        if settings.listsFiles { return matchedInFile > 0 ? file.displayName : nil }
        return countsFiles ? "\(file.displayName):\(matchedInFile)" : nil
    }

    /// A Boolean value that indicates whether the matches of all files are counted.
    private var countsAll: Bool { settings.countsOnly && !countsFiles && !settings.listsFiles && !settings.isQuiet }

    /// A Boolean value that indicates whether the matches of each file are counted.
    private var countsFiles: Bool { settings.countsOnly && settings.place.showsFile }

    /// A Boolean value that indicates whether distinct rows are counted instead of matches.
    var countsRows: Bool { countsAll && settings.query.leavesOutMatches }

    /// A Boolean value that indicates whether matching records are written, not only counted.
    var writesRecords: Bool { !settings.isQuiet && !settings.countsOnly && !settings.listsFiles }

    /// Runs a pass and returns the exit status. `finish` completes the output even after an error, so that the
    /// records written before it stay valid.
    func run(
        _ body: () throws(CommandFailure) -> Void, finish: (_ isWhole: Bool) throws(CommandFailure) -> Void
    ) throws(CommandFailure) -> ExitStatus {
        do throws(CommandFailure) {
            try body()
        } catch {
            if case .output = error { throw error }
            problems.summarize()
            try finish(false)
            throw error
        }
        problems.summarize()
        if writesRecords, let textNote { console.report(textNote) }
        try finish(!problems.endedFile)
        if countsAll { try console.write("\(countsRows ? rows : matched)\n") }
        return status
    }

    /// As with grep, an error outweighs a match unless `--quiet` is given.
    private var status: ExitStatus {
        if settings.isQuiet, matched > 0 { return .success }
        if problems.wereFound { return .failure }
        return matched > 0 ? .success : .negative
    }
}
