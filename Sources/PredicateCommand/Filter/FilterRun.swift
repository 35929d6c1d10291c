import PredicateData
import PredicateEvaluation
import PredicateSession
import PredicateSyntax

/// One pass over all files. It reads records, evaluates the predicate, and writes, counts, sorts or groups the
/// matches.
final class FilterRun {
    private let tally: MatchTally
    private let settings: FilterSettings
    private let predicate: FormatPredicate
    private let console: Console
    private let painter: OutputPainter
    private let progress: ReadingProgress
    private let output: (any FilterOutput)?
    private var sorter: RecordSorter<PreparedRecord>?
    private var groups: GroupCollector?
    private let neededKeys: Set<String>?
    private var keyNotes: KeyNotes
    /// The evaluators for the current file.
    private var evaluators: Evaluators
    /// The format of the first file, which is the default format for groups.
    private var firstFormat: DataFormat?

    /// The evaluator for records, and the evaluator for lines that are not parsed.
    private struct Evaluators {
        let evaluator: PredicateEvaluator
        let flat: FlatEvaluator?

        init(_ evaluator: PredicateEvaluator) {
            (self.evaluator, flat) = (evaluator, FlatEvaluator(evaluator))
        }

        /// For lines of text, sifting uses a separate predicate.
        init(_ evaluator: PredicateEvaluator, forLines sifting: PredicateEvaluator?) {
            (self.evaluator, flat) = (evaluator, sifting.flatMap { FlatEvaluator($0) })
        }
    }

    init(_ settings: FilterSettings, _ predicate: FormatPredicate, _ console: Console) throws(CommandFailure) {
        (self.settings, self.predicate, self.console) = (settings, predicate, console)
        tally = MatchTally(settings, console, noun: "record")
        neededKeys = RootKeys.names(of: predicate.node, variables: settings.variables)
        evaluators = Evaluators(try Self.makeEvaluator(predicate, settings))
        keyNotes = KeyNotes(predicate, settings)
        let painter = OutputPainter(settings, console)
        self.painter = painter
        let writesRecords = tally.writesRecords && settings.query.grouping == nil
        progress = ReadingProgress(console, writesAtEnd: !writesRecords || settings.query.sort != nil)
        console.willReport = progress.finish
        let sink: ByteSink? = writesRecords ? painter.write : tally.countsRows ? { _ in } : nil
        output = sink.map { Self.makeOutput(settings, console, $0) }
        sorter = output == nil ? nil : settings.query.sort.map { RecordSorter($0, limit: settings.query.page.end) }
        groups = tally.writesRecords ? settings.query.grouping.map(GroupCollector.init) : nil
    }

    private static func makeOutput(
        _ settings: FilterSettings, _ console: Console, _ sink: @escaping ByteSink
    ) -> any FilterOutput {
        let format = settings.output
        let hasCells = format.map { $0.json == nil && ($0 != .lines || settings.query.keys != nil) } ?? false
        guard hasCells || settings.query.hasColumns else {
            return RecordOutput(settings, isForReaders: console.terminal.isOutputTerminal, sink)
        }
        return RowOutput(format, settings, width: console.tableWidth, sink)
    }

    private static func makeEvaluator(
        _ predicate: FormatPredicate, _ settings: FilterSettings
    ) throws(CommandFailure) -> PredicateEvaluator {
        do throws(EvaluationError) {
            return try PredicateEvaluator(
                predicate, variables: PredicateVariables(plain: settings.variables), registry: .ambient,
                limits: settings.predicateOptions.limits)
        } catch {
            throw .evaluation(error)
        }
    }

    /// Reads the files one after another.
    func run() throws(CommandFailure) -> ExitStatus {
        try tally.run { () throws(CommandFailure) in
            for file in settings.files where !tally.isDone { try filter(file) }
        } finish: { (isWhole) throws(CommandFailure) in
            try finish(isWhole)
        }
    }

    private func finish(_ isWhole: Bool) throws(CommandFailure) {
        let emit = { [output] (row: PreparedRecord) throws(CommandFailure) in try output?.emit(row) ?? () }
        for record in sorter?.sorted() ?? [] { try tally.write(record, emit) }
        try tally.writeLastRows(emit)
        try output?.finish(isWhole: isWhole)
        if let groups { try write(groups, isWhole) }
        guard !settings.isQuiet, isWhole else { return }
        let isEarly = tally.isDone && settings.query.stoppingLimit != nil
        let written = tally.matched > 0 ? output?.missingKeys ?? [] : []
        let notes =
            keyNotes.notes(isEarly: isEarly, written: written) + (tally.matched > 0 ? [] : keyNotes.reasons)
            + keyNotes.divisions
        for note in notes {
            console.report("note: \(note)")
        }
    }

    private func filter(_ file: String) throws(CommandFailure) {
        let options = try settings.recordOptions(for: file, keys: neededKeys)
        let reader: RecordReader
        do throws(DataError) {
            reader = try RecordReader(source: try source(of: file), options: options)
        } catch {
            return try tally.problems.note(error, in: file)
        }
        firstFormat = firstFormat ?? reader.format
        if let header = reader.header {
            try ColumnMatch.checkKeys(settings.query.arranging + settings.lookups.keys, header, file)
        } else {
            for value in settings.query.arranging { try value.check() }
        }
        tally.problems.header = reader.header
        painter.begin(reader)
        try output?.begin(reader, file: file)
        if !settings.isQuiet { note(reader, file) }
        try prepare(for: reader, options, file)
        tally.beginFile()
        try filter(reader, sieve(for: reader, options), file)
        progress.finish()
        if let line = tally.line(for: file) { try console.write(line + "\n") }
    }

    /// Prepares the predicate for a file. A string that is compared with a column is read in the same way as the
    /// column's cells.
    private func prepare(
        for reader: RecordReader, _ options: RecordOptions, _ file: String
    ) throws(CommandFailure) {
        let predicate = TextReadings(header: reader.header, types: options.types).reading(predicate)
        (keyNotes.predicateOfFile, keyNotes.types) = (predicate, options.types)
        if let header = reader.header, !settings.isQuiet { note(predicate, header, file) }
        let evaluator = try Self.makeEvaluator(predicate, settings)
        evaluators = Evaluators(evaluator)
        guard reader.format == .lines else { return }
        let sifting = try LinePredicate.sifting(predicate).map { (predicate) throws(CommandFailure) in
            try Self.makeEvaluator(predicate, settings)
        }
        evaluators = Evaluators(evaluator, forLines: sifting)
    }

    /// Opens a source that flushes the output before each read, so that matches from a slow pipe appear immediately.
    private func source(of file: String) throws(DataError) -> any ByteSource {
        let source: any ByteSource = file == "-" ? console.input : try FileSource(path: file)
        let willRead = { [output] () throws(DataError) in if let output { try output.flush() } }
        return AnnouncingSource(source, willRead: willRead) { [progress, tally] bytes in
            progress.show(file, bytes: bytes, matches: tally.matched)
        }
    }

    private func filter(_ reader: RecordReader, _ sieve: Sieve?, _ file: String) throws(CommandFailure) {
        var hint = DocumentHint()
        while !tally.isFileDone, let record = try next(reader, file) {
            hint.see(record)
            keyNotes.see(record, in: reader)
            try judge(record, file)
            if let sieve { hint.see(try sift(reader, with: sieve, file)) }
        }
        if let sieve { keyNotes.see(sieve.lines, in: reader, areMatches: sieve.groupPlaces != nil) }
        guard tally.matchedInFile == 0, !settings.isQuiet, settings.records.path == nil else { return }
        if let text = hint.text {
            console.report("note: \(file.displayName): \(text)")
            keyNotes.isSilent = true
        }
    }

    /// Returns the next readable record; nil at the end.
    private func next(_ reader: RecordReader, _ file: String) throws(CommandFailure) -> SourceRecord? {
        while true {
            do throws(DataError) {
                return try reader.next().map(settings.lookups.resolved)
            } catch {
                try tally.problems.note(error, in: file)
            }
        }
    }

    private func judge(_ record: SourceRecord, _ file: String) throws(CommandFailure) {
        guard let holds = try tally.problems.outcome(of: record, evaluators.evaluator, in: file),
            holds != settings.isInverted
        else {
            return
        }
        tally.matched += 1
        try take(record, file)
    }

    /// Writes a matching record, or keeps the part that sorting or grouping needs.
    private func take(_ record: SourceRecord, _ file: String) throws(CommandFailure) {
        keyNotes.seeMatch(record)
        do throws(GroupProblem) {
            try groups?.add(record.value)
        } catch {
            try tally.problems.note(error, in: "\(file.displayName):\(record.line)")
        }
        guard let output else { return }
        let row = try output.prepare(record)
        if let failure = output.failure {
            try tally.problems.note(.failed(failure), in: "\(file.displayName):\(record.line)")
        }
        if tally.isRepeated(row) { return }
        if tally.countsRows { return tally.countRow() }
        guard let order = settings.query.sort else { return try tally.write(row, output.emit) }
        let values = try tally.sortValues(of: record.value, order, in: "\(file.displayName):\(record.line)")
        try sorter?.add(row, values: values, size: row.size)
    }

    /// Returns the cell for a value of a group. A date of a column of days is written as a day, and so is a computed
    /// one if all of its column are.
    private func cell(_ value: PredicateValue, of source: OutputValue?, areDays: Bool) -> RowCell {
        let reading = source.flatMap { tally.problems.header?.reading(of: $0.text) }
        if case .date(let date) = value, areDays || reading?.isDay == true { return .day(date) }
        return settings.query.style.cell(value)
    }

    /// Writes the groups of all files.
    private func write(_ groups: GroupCollector, _ isWhole: Bool) throws(CommandFailure) {
        guard let grouping = settings.query.grouping, isWhole || tally.matched > 0 else { return }
        let rows = try groups.rows(settings.query)
        let sources = grouping.sources
        let days = sources.indices.map { column in
            sources[column]?.keyPath == nil && rows.allSatisfy { $0[column].isDayOrNil }
        }
        let format = settings.output ?? OutputFormat(groupsOf: firstFormat)
        painter.begin(format)
        let writer = RowWriter(format, grouping.columns, width: console.tableWidth, sink: painter.write)
        do throws(DataError) {
            for row in rows {
                try writer.write(row.indices.map { cell(row[$0], of: sources[$0], areDays: days[$0]) })
            }
            try writer.finish(isWhole: isWhole)
        } catch {
            throw .output(error)
        }
    }
}

/// Sifting: lines are evaluated without parsing them completely.
extension FilterRun {
    /// The sieve for a file, and the slots of the values that group or sort.
    private struct Sieve {
        let lines: LineSieve
        /// The slots of the keys and aggregates of groups; nil if records must be read for them.
        var groupPlaces: SlotPlaces?
        /// The slot of the first key that sorts, if only the first matches are written.
        var sortPlace: SlotPlaces?
    }

    /// Returns the sieve for a file; nil if all records must be parsed.
    private func sieve(for reader: RecordReader, _ options: RecordOptions) -> Sieve? {
        guard let flat = evaluators.flat else { return nil }
        if reader.format == .lines {
            let required = settings.isInverted ? nil : RequiredLine.text(of: predicate.node)
            return flat.paths.count == 1 ? Sieve(lines: LineSieve(linesOf: options, required: required)) : nil
        }
        guard neededKeys != nil else { return nil }
        var paths = flat.paths
        let places = slots(for: arrangingValues, in: reader, &paths)
        let isGrouping = groups != nil && places != nil
        guard !settings.lookups.concern(paths),
            let lines = lineSieve(paths, reader, options, isShared: !isGrouping)
        else { return nil }
        return Sieve(
            lines: lines, groupPlaces: isGrouping ? places : nil, sortPlace: sorter == nil ? nil : places)
    }

    /// The values of each match that are needed to group it, or to see that it is not among the first.
    private var arrangingValues: [OutputValue] {
        if groups != nil { return settings.query.arranging }
        guard let sort = settings.query.sort, settings.query.page.end != nil, !sort.ignoresCase else { return [] }
        return Array(sort.keys.prefix(1).map(\.value))
    }

    /// Returns the slots of values, whose paths are added; nil if one of them has none.
    private func slots(
        for values: [OutputValue], in reader: RecordReader, _ paths: inout [[String]]
    ) -> SlotPlaces? {
        var places = SlotPlaces(paths)
        for value in values {
            if let header = reader.header {
                guard let column = value.column(in: header.columns) else { return nil }
                places.add([header.columns[column]], spelling: nil)
            } else {
                guard let path = value.slotPath else { return nil }
                places.add(path, spelling: path == [value.spelling] ? nil : value.spelling)
            }
        }
        paths = places.paths
        return places
    }

    private func lineSieve(
        _ paths: [[String]], _ reader: RecordReader, _ options: RecordOptions, isShared: Bool
    ) -> LineSieve? {
        switch reader.format {
        case .json, .lines, .log, .logfmt, .deb822: return nil
        case .jsonLines: return LineSieve(paths, options: options, isShared: isShared)
        case .csv, .tsv:
            guard let header = reader.header else { return nil }
            var options = options
            options.keys = options.keys ?? Set(header.columns)
            return LineSieve(paths, options: options, header: header)
        }
    }

    /// A Boolean value that indicates whether the values or positions of matching records are needed, not only their
    /// bytes.
    private var needsRecords: Bool {
        groups != nil || sorter != nil || settings.place.isShown || output != nil && settings.query.needsEachRow
    }

    /// Sifts the records in the read buffer and returns their number.
    private func sift(
        _ reader: RecordReader, with sieve: Sieve, _ file: String
    ) throws(CommandFailure) -> Int {
        guard !tally.isDone, let test = matchTest(sieve) else { return 0 }
        let needsRecords = needsRecords
        let writesLines = output?.writesLines ?? true
        let joinsMatches = settings.query.stoppingLimit == nil && writesLines && !needsRecords
        let groupedBefore = groups?.siftedCount ?? 0
        let sifted = reader.sift(with: sieve.lines, joiningMatches: joinsMatches, test)
        tally.matched += (groups?.siftedCount ?? 0) - groupedBefore
        var count = sifted.knownCount
        for run in sifted.kept where !tally.isDone {
            if run.isMatch, !needsRecords {
                tally.matched += run.count
                try write(reader.text(of: run, in: sifted), run.count, writesLines)
            } else if let record = try read(run, in: sifted, reader, file) {
                guard !run.isMatch else {
                    tally.matched += 1
                    try take(record, file)
                    continue
                }
                count += 1
                keyNotes.see(record, in: reader)
                try judge(record, file)
            }
        }
        reader.drop(sifted)
        return count
    }

    /// Returns the test for the slots of a line: true if it is kept as a match, nil if it must be read in full.
    /// A match that is grouped by its slots is not kept, nor is one that sorts after all of the first.
    private func matchTest(_ sieve: Sieve) -> (@Sendable (UnsafePointer<FlatValue>) -> Bool?)? {
        guard let flat = evaluators.flat else { return nil }
        let isInverted = settings.isInverted
        if let groups, let places = sieve.groupPlaces {
            // Lines are sifted by one thread if they are grouped.
            nonisolated(unsafe) let collector = groups
            return { slots in
                guard let holds = flat.holds(slots) else { return nil }
                if holds == isInverted { return false }
                return collector.add(slots, at: places) ? false : nil
            }
        }
        if let places = sieve.sortPlace, let slot = places.values.first, let last = sorter?.last?.first,
            let key = settings.query.sort?.keys.first
        {
            let isDescending = key.isDescending
            return { slots in
                guard let holds = flat.holds(slots) else { return nil }
                if holds == isInverted { return false }
                return !places.areValues(slots) || !ValueOrder.follows(slots[slot], last, isDescending)
            }
        }
        return { slots in flat.holds(slots).map { $0 != isInverted } }
    }

    /// Writes matches by their bytes.
    private func write(
        _ text: UnsafeBufferPointer<UInt8>, _ count: Int, _ writesLines: Bool
    ) throws(CommandFailure) {
        guard let output else { return }
        if writesLines { return try output.write(lines: text, count: count) }
        try output.emit(output.prepare(SourceRecord(value: .null, raw: Array(text), line: 0, index: 0)))
    }

    private func read(
        _ run: SiftedRun, in sifted: SiftedLines, _ reader: RecordReader, _ file: String
    ) throws(CommandFailure) -> SourceRecord? {
        do throws(DataError) {
            return try reader.read(run, in: sifted).map(settings.lookups.resolved)
        } catch {
            try tally.problems.note(error, in: file)
            return nil
        }
    }
}

/// Notes about a file and its columns.
extension FilterRun {
    private func note(_ reader: RecordReader, _ file: String) {
        let keys = neededKeys ?? []
        for note in reader.notes where note.column.map(keys.contains) ?? true {
            console.report("note: \(file.displayName): \(note.message)")
        }
        guard let columns = reader.header?.columns else {
            let note = "note: \(file.displayName): --skip skips all of its lines"
            if settings.records.skipsLines { console.report(note) }
            return
        }
        for key in keys.sorted() where !columns.contains(key) && !settings.lookups.names.contains(key) {
            let cure =
                suggestion(for: key, among: columns) ?? UnquotedText.hint(key, in: predicate.node)
                ?? keyAlone(after: key, among: columns) ?? ColumnMatch.hints(for: key, columns).joined()
            console.report("note: \(file.displayName): there is no column '\(key)'; it is nil in every row; \(cure)")
        }
    }

    /// Reports comparisons that are false or true for every cell of a column, and divisions of integers.
    private func note(_ predicate: FormatPredicate, _ header: RecordHeader, _ file: String) {
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

    /// Returns the hint for a column after the name of a table: `df.age > 3`
    private func keyAlone(after name: String, among columns: [String]) -> String? {
        let paths = RecordPaths.paths(of: predicate.node).filter { $0.count == 2 && $0[0] == name }
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
