import PredicateData
import PredicateEvaluation
import PredicateQuery
import PredicateSyntax

/// A match of `predicate filter`: a record of a file, or a row of a SQLite file.
protocol FoundMatch {
    /// Returns a value in its flat form; nil if it has none.
    func flatValue(of value: OutputValue) -> FlatValue?
    /// Returns a value that is written, or by which the match is grouped, sorted or compared.
    func value(of value: OutputValue) throws(EvaluationError) -> PredicateValue
    /// Returns the values that `--distinct` compares: those of the chosen keys, or all. A value that cannot be computed is nil.
    func distinctValues(_ keys: [OutputValue]?) -> [PredicateValue]
    /// Appends the match in the form in which an output holds it.
    func prepare(for output: any FilterOutput, to bytes: inout [UInt8])
}

/// What becomes of the matches, in all passes of `predicate filter`: they are grouped, or left out as repetitions, sorted, and
/// written or counted.
final class MatchTally {
    let settings: FilterSettings
    let console: Console
    let painter: OutputPainter
    /// The output of rows; nil if only matches are counted, or groups are written.
    let output: (any FilterOutput)?
    let sorter: RecordSorter?
    let groups: GroupCollector?
    var problems: RecordProblems
    /// The number of matches so far.
    var matched = 0
    /// The number of rows so far, not counting those that `--distinct` leaves out.
    private var rows = 0
    /// The rows so far, by their values for `--distinct`, or by the keys of `--distinct-on`.
    private let seen: KeyCounts
    /// The current match, in the form in which the output holds it.
    private var row: [UInt8] = []
    /// The latest rows, some of which `--last` writes.
    private var lastRows: [[UInt8]] = []
    /// The texts that each sort key has had.
    private var texts: [NumericTexts]
    /// The number of matches in the files before the current one.
    private var matchedBefore = 0
    // What the settings say about each match, decided once.
    private let (limit, limitsRows, countsRows, isDistinct): (Int?, Bool, Bool, Bool)
    private let (sortValues, keys, distinctKeys): ([OutputValue], [OutputValue]?, [OutputValue]?)

    /// `noun` is the singular of what is filtered: `record`
    init(
        _ settings: FilterSettings, _ console: Console, noun: String,
        _ makeOutput: (@escaping ByteSink) -> any FilterOutput
    ) {
        (self.settings, self.console) = (settings, console)
        let (query, painter) = (settings.query, OutputPainter(settings, console))
        self.painter = painter
        problems = RecordProblems(
            console: console, isStrict: settings.isStrict, noun: noun, format: settings.records.format)
        let sink: ByteSink? = settings.writesRows ? painter.write : settings.countsRows ? { _ in } : nil
        output = sink.map(makeOutput)
        let (sort, limit) = (output == nil ? nil : query.sort, query.distinctKeys == nil ? query.page.end : nil)
        sorter = sort.map { RecordSorter($0.orders, limit: limit) }
        groups = settings.writesRecords ? query.grouping?.collector() : nil
        texts = query.sort?.keys.map { _ in NumericTexts() } ?? []
        seen = KeyCounts(limit: query.limitOfEach)
        (self.limit, countsRows, isDistinct) = (query.stoppingLimit, settings.countsRows, query.isDistinct)
        limitsRows = (settings.writesRecords || countsRows) && query.needsEachRow
        (sortValues, keys, distinctKeys) = (query.sort?.values ?? [], query.keys, query.distinctKeys)
    }

    /// A Boolean value that indicates whether as many matches were found as `--first` asks for.
    var isDone: Bool {
        guard let limit else { return false }
        return (limitsRows ? rows : matched) >= limit
    }

    /// A Boolean value that indicates whether the rest of the current file is not needed.
    var isFileDone: Bool { isDone || settings.listsFiles && matchedInFile > 0 }

    /// The number of matches in the current file.
    var matchedInFile: Int { matched - matchedBefore }

    func beginFile() {
        matchedBefore = matched
        problems.beginFile()
    }

    // MARK: - Matches

    /// Takes a match, and counts it as one without errors unless it has failed before or fails now.
    func take(
        _ match: some FoundMatch, hasFailed: Bool = false, in location: @autoclosure () -> String
    ) throws(CommandFailure) {
        matched += 1
        let failed = problems.failed
        if let groups { try group(match, groups, location) } else { try keep(match, location) }
        if !hasFailed, problems.failed == failed { problems.pass(.values) }
    }

    private func group(
        _ match: some FoundMatch, _ groups: GroupCollector, _ location: () -> String
    ) throws(CommandFailure) {
        do throws(GroupProblem) {
            try settings.query.grouping?.add(match, to: groups)
        } catch {
            try problems.note(error, in: location())
        }
    }

    /// Writes or counts a match, or keeps the part of it that sorting needs.
    private func keep(_ match: some FoundMatch, _ location: () -> String) throws(CommandFailure) {
        guard let output else { return }
        let key = try key(of: match, location)
        let place = key.map(seen.place)
        if let place, sorter == nil, !seen.add(place) { return }
        row.removeAll(keepingCapacity: true)
        // With a sort order, the first matches for each key are known only at the end.
        if let place, sorter != nil { row.append(word: place) }
        match.prepare(for: output, to: &row)
        if let failure = output.failure { try problems.note(.failed(failure), in: location()) }
        if isDistinct, !seen.add(seen.place(of: match.distinctValues(keys))) { return }
        if countsRows { return rows += 1 }
        guard let sorter else { return try pass(row, to: write) }
        try append(sortValuesOf: match, to: sorter, location)
        try sorter.take(row)
    }

    /// Writes a match that is neither counted as a row nor held.
    func write(_ match: some FoundMatch) throws(CommandFailure) {
        guard let output else { return }
        row.removeAll(keepingCapacity: true)
        match.prepare(for: output, to: &row)
        try pass(row, to: output.emit)
    }

    /// Returns the values of `--distinct-on`; nil without the option. If one cannot be computed, each of them is nil, and the
    /// error is reported.
    private func key(
        of match: some FoundMatch, _ location: () -> String
    ) throws(CommandFailure) -> [PredicateValue]? {
        guard let (values, failure) = distinctKeys?.values(of: match) else { return nil }
        guard let failure else { return values }
        try problems.note(.failed(failure), in: location())
        return values.map { _ in .null }
    }

    /// Adds the values of `--sort` to the sorter. A value that cannot be computed is nil, and its error is reported.
    private func append(
        sortValuesOf match: some FoundMatch, to sorter: RecordSorter, _ location: () -> String
    ) throws(CommandFailure) {
        var failure: EvaluationError?
        for (index, sought) in sortValues.enumerated() {
            if let value = match.flatValue(of: sought), sorter.append(flat: value) {
                texts[index].see(value)
                continue
            }
            var value = PredicateValue.null
            do throws(EvaluationError) {
                value = try match.value(of: sought)
            } catch {
                failure = failure ?? error
            }
            texts[index].see(value)
            sorter.append(value)
        }
        if let failure { try problems.note(.failed(failure), in: location()) }
    }

    /// Returns true if a match with this key is certainly left out.
    func isLeftOut(_ key: GroupKeys) -> Bool { seen.isFull(key) }

    private func pass(
        _ row: [UInt8], to body: (UnsafeBufferPointer<UInt8>) throws(CommandFailure) -> Void
    ) throws(CommandFailure) {
        try row.withUnsafeBufferPointer { row in Result { () throws(CommandFailure) in try body(row) } }.get()
    }

    /// Writes a row, unless `--offset` skips it. With `--last`, the row is kept until the end.
    private func write(_ row: UnsafeBufferPointer<UInt8>) throws(CommandFailure) {
        rows += 1
        if let last = settings.query.page.last {
            lastRows.append(Array(row))
            if lastRows.count / 2 >= last { lastRows.removeFirst(lastRows.count - last) }
        } else if rows > settings.query.page.offset {
            try output?.emit(row)
        }
    }

    // MARK: - The end

    /// Writes the rows that wait for the last match.
    private func finish(isWhole: Bool) throws(CommandFailure) {
        let (end, hasKeys) = (settings.query.page.end ?? .max, settings.query.distinctKeys != nil)
        try sorter?.passOn { (row) throws(CommandFailure) in
            var row = row
            if rows < end, !hasKeys || seen.add(row.removeWord()) { try write(row) }
        }
        for row in lastRows.suffix(settings.query.page.last ?? 0) {
            try pass(row) { (row) throws(CommandFailure) in try output?.emit(row) }
        }
        try output?.finish(isWhole: isWhole)
    }

    /// The note for a key that sorts numbers as text.
    private var textNote: String? {
        guard settings.writesRecords, let sort = settings.query.sort,
            let index = texts.firstIndex(where: \.areMisplaced), !sort.keys[index].isNumeric
        else { return nil }
        return
            "note: '\(sort.values[index].text)' is text, and sorted as text: \"10\" comes before \"9\"; --numeric"
            + " sorts by the numbers in it"
    }

    /// Returns the line to write for the current file with `--files-with-matches`, or with `--count` and `--with-filename`; nil
    /// if there is none.
    func line(for file: String) -> String? {
        if settings.isQuiet { return nil }
        if settings.listsFiles { return matchedInFile > 0 ? file.displayName : nil }
        return settings.countsFiles ? "\(file.displayName):\(matchedInFile)" : nil
    }

    /// Runs a pass and returns the exit status. The output is completed even after an error, so that the records written
    /// before it stay valid; `then` is called at the end of the output.
    func run(
        _ body: () throws(CommandFailure) -> Void,
        then: (_ isWhole: Bool) throws(CommandFailure) -> Void = { (_) throws(CommandFailure) in }
    ) throws(CommandFailure) -> ExitStatus {
        do throws(CommandFailure) {
            try body()
        } catch {
            if case .output = error { throw error }
            problems.summarize()
            try finish(isWhole: false)
            try then(false)
            throw error
        }
        problems.summarize()
        if let textNote { console.report(textNote) }
        try finish(isWhole: !problems.endedFile)
        try then(!problems.endedFile)
        if settings.countsAll { try console.write("\(countsRows ? rows : matched)\n") }
        return status
    }

    /// As with grep, an error outweighs a match unless `--quiet` is given.
    private var status: ExitStatus {
        if settings.isQuiet, matched > 0 { return .success }
        if problems.wereFound { return .failure }
        return matched > 0 ? .success : .negative
    }
}

// MARK: - What is written

extension FilterSettings {
    /// A Boolean value that indicates whether the matches of all files are counted.
    fileprivate var countsAll: Bool { countsOnly && !countsFiles && !listsFiles && !isQuiet }

    /// A Boolean value that indicates whether the matches of each file are counted.
    fileprivate var countsFiles: Bool { countsOnly && place.showsFile }

    /// A Boolean value that indicates whether distinct rows are counted instead of matches.
    var countsRows: Bool { countsAll && query.leavesOutMatches }

    /// A Boolean value that indicates whether matches or their groups are written, not only counted.
    var writesRecords: Bool { !isQuiet && !countsOnly && !listsFiles }

    /// A Boolean value that indicates whether a row is written for each match.
    var writesRows: Bool { writesRecords && query.grouping == nil }
}

/// Detects strings that are numbers without leading zeros, but whose order as text is not the order of the numbers: `"9"` after
/// `"10"`.
private struct NumericTexts {
    private var isPossible = true
    private var length: Int?
    /// A Boolean value that indicates whether the numbers have another order than the text.
    private(set) var areMisplaced = false

    mutating func see(_ value: FlatValue) {
        if isPossible, case .text = value { see(PredicateValue(flat: value)) }
    }

    mutating func see(_ value: PredicateValue) {
        guard isPossible, case .string(let text) = value else { return }
        isPossible = text.isPlainNumber
        let length = length ?? text.utf8.count
        areMisplaced = isPossible && (areMisplaced || text.utf8.count != length)
        self.length = length
    }
}

extension String {
    /// A Boolean value that indicates whether the text is a number without a leading zero.
    var isPlainNumber: Bool { Double(self) != nil && (utf8.count == 1 || utf8.first != UInt8(ascii: "0")) }
}
