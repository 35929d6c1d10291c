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
        let writesRecords = tally.writesRecords && settings.grouping == nil
        progress = ReadingProgress(console, writesAtEnd: !writesRecords || settings.sort != nil)
        console.willReport = progress.finish
        output = writesRecords ? Self.makeOutput(settings, console, painter.write) : nil
        sorter = output == nil ? nil : settings.sort.map { RecordSorter($0, limit: settings.limit) }
        groups = tally.writesRecords ? settings.grouping.map(GroupCollector.init) : nil
    }

    private static func makeOutput(
        _ settings: FilterSettings, _ console: Console, _ sink: @escaping ByteSink
    ) -> any FilterOutput {
        guard let format = settings.output, format.json == nil, format != .lines || settings.keys != nil else {
            return RecordOutput(settings, isForReaders: console.terminal.isOutputTerminal, sink)
        }
        return RowOutput(format, settings, width: console.tableWidth, sink)
    }

    private static func makeEvaluator(
        _ predicate: FormatPredicate, _ settings: FilterSettings
    ) throws(CommandFailure) -> PredicateEvaluator {
        do throws(EvaluationError) {
            return try PredicateEvaluator(
                predicate, variables: PredicateVariables(plain: settings.variables),
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
        for record in sorter?.sorted() ?? [] { try output?.emit(record) }
        try output?.finish(isWhole: isWhole)
        if let groups { try write(groups, isWhole) }
        guard !settings.isQuiet, isWhole else { return }
        let isEarly = tally.isDone && settings.stoppingLimit != nil
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
        if let header = reader.header { try ColumnMatch.checkKeys(settings.arrangingKeys, header, file) }
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

    private func filter(_ reader: RecordReader, _ sieve: LineSieve?, _ file: String) throws(CommandFailure) {
        var hint = DocumentHint()
        while !tally.isFileDone, let record = try next(reader, file) {
            hint.see(record)
            keyNotes.see(record, in: reader)
            try judge(record, file)
            if let sieve { hint.see(try sift(reader, with: sieve, file)) }
        }
        if let sieve { keyNotes.see(sieve, in: reader) }
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
        if let found = groups?.add(record.value) {
            try tally.problems.note(found.value, of: found.key, in: file, line: record.line)
        }
        guard let output else { return }
        let prepared = try output.prepare(record)
        if sorter == nil { try output.emit(prepared) } else { sorter?.add(prepared, record.value) }
    }

    /// Returns the cell for a value of a group. `key` is nil for counts.
    private func cell(_ value: PredicateValue, of key: String?) -> RowCell {
        let reading = key.flatMap { tally.problems.header?.reading(of: $0) }
        if case .date(let date) = value, reading?.isDay == true { return .day(date) }
        return .value(value)
    }

    /// Writes the groups of all files.
    private func write(_ groups: GroupCollector, _ isWhole: Bool) throws(CommandFailure) {
        guard let grouping = settings.grouping, isWhole || tally.matched > 0 else { return }
        let format = settings.output ?? OutputFormat(groupsOf: firstFormat)
        painter.begin(format)
        let writer = RowWriter(format, grouping.columns, width: console.tableWidth, sink: painter.write)
        do throws(DataError) {
            for row in groups.rows(settings.sort, limit: settings.limit) {
                try writer.write(zip(grouping.sources, row).map { cell($1, of: $0) })
            }
            try writer.finish(isWhole: isWhole)
        } catch {
            throw .output(error)
        }
    }
}

/// Sifting: lines are evaluated without parsing them completely.
extension FilterRun {
    /// Returns the sieve for a file; nil if all records must be parsed.
    private func sieve(for reader: RecordReader, _ options: RecordOptions) -> LineSieve? {
        guard let paths = evaluators.flat?.paths, !settings.lookups.concern(paths) else { return nil }
        if reader.format == .lines { return paths.count == 1 ? LineSieve(linesOf: options) : nil }
        guard neededKeys != nil else { return nil }
        switch reader.format {
        case .json, .lines, .log, .logfmt: return nil
        case .jsonLines: return LineSieve(paths, options: options)
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
        groups != nil || sorter != nil || settings.place.isShown
    }

    /// Sifts the records in the read buffer and returns their number.
    private func sift(
        _ reader: RecordReader, with sieve: LineSieve, _ file: String
    ) throws(CommandFailure) -> Int {
        guard !tally.isDone, let flatEvaluator = evaluators.flat else { return 0 }
        let isInverted = settings.isInverted
        let needsRecords = needsRecords
        let writesLines = output?.writesLines ?? true
        let joinsMatches = settings.stoppingLimit == nil && writesLines && !needsRecords
        let sifted = reader.sift(with: sieve, joiningMatches: joinsMatches) { slots in
            flatEvaluator.holds(slots).map { $0 != isInverted }
        }
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
        guard let columns = reader.header?.columns else { return }
        for key in keys.sorted() where !columns.contains(key) {
            let suggestion = (suggestion(for: key, among: columns) ?? quotes(for: key)).map { "; " + $0 } ?? ""
            console.report(
                "note: \(file.displayName): there is no column '\(key)'; it is nil in every row\(suggestion)")
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

extension OutputFormat {
    /// The output format for groups of records of an input format.
    init(groupsOf format: DataFormat?) {
        switch format {
        case .csv?: self = .csv
        case .tsv?: self = .tsv
        case .json?: self = .json
        case .jsonLines?, nil: self = .jsonl
        case .lines?, .log?: self = .tsv
        case .logfmt?: self = .jsonl
        }
    }
}
