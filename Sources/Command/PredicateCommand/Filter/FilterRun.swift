import PredicateData
import PredicateEvaluation
import PredicateQuery
import PredicateSession
import PredicateSyntax

/// One pass over all files. It reads records, evaluates the predicate, and writes, counts, sorts or groups the
/// matches.
final class FilterRun {
    let tally: MatchTally
    let settings: FilterSettings
    let predicate: FormatPredicate
    let console: Console
    let painter: OutputPainter
    private let progress: ReadingProgress
    let output: (any FilterOutput)?
    let sorter: SpillingSorter<PreparedRecord>?
    var groups: GroupCollector?
    let neededKeys: Set<String>?
    /// The keys that are compared with dates.
    private let datedKeys: Set<String>
    var keyNotes: KeyNotes
    /// The evaluators for the current file.
    var evaluators: Evaluators
    /// The format of the first file, which is the default format for groups.
    var firstFormat: DataFormat?

    /// The evaluator for records, and the evaluator for lines that are not parsed.
    struct Evaluators {
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
        neededKeys = RootKeys.names(of: predicate.node, variables: settings.context.variables)
        let computed = settings.query.values.compactMap { $0.evaluator?.expression.node }
        datedKeys = TextReadings.datedKeys(
            of: [.predicate(predicate.node)] + computed.map { TreeNode.expression($0) })
        evaluators = Evaluators(try Self.makeEvaluator(predicate, settings))
        if !settings.lookups.isEmpty {
            let paths = RecordPaths.paths(of: predicate.node).sorted { $0.joined() < $1.joined() }
            try settings.lookups.check(paths + settings.query.values.flatMap(\.paths))
        }
        if !settings.isQuiet {
            for note in settings.lookups.notes { console.report("note: \(note)") }
        }
        keyNotes = KeyNotes(predicate, settings)
        let painter = OutputPainter(settings, predicate, console)
        self.painter = painter
        let writesRecords = tally.writesRecords && settings.query.grouping == nil
        progress = ReadingProgress(console, writesAtEnd: !writesRecords || settings.query.sort != nil)
        console.willReport = progress.finish
        let sink: ByteSink? = writesRecords ? painter.write : tally.countsRows ? { _ in } : nil
        output = sink.map { Self.makeOutput(settings, console, $0) }
        sorter =
            output == nil ? nil : settings.query.sort.map { SpillingSorter($0.orders, limit: settings.query.page.end) }
        groups = tally.writesRecords ? settings.query.grouping?.collector() : nil
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
            return try PredicateEvaluator(predicate, context: settings.context)
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
        if let sorter { try tally.sort(into: sorter) }
        try sorter?.passOn { (row) throws(CommandFailure) in try tally.write(row, emit) }
        try tally.writeLastRows(emit)
        try output?.finish(isWhole: isWhole)
        if let groups { try write(groups, isWhole) }
        guard !settings.isQuiet, isWhole else { return }
        let isEarly = tally.isDone && settings.query.stoppingLimit != nil
        let written = tally.matched > 0 ? output?.missingKeys ?? [] : []
        let notes =
            keyNotes.notes(isEarly: isEarly, written: written)
            + (tally.matched > 0
                ? [] : keyNotes.reasons + differencesInCase + settings.predicateOptions.listNotes(predicate))
            + keyNotes.surprises
        for note in notes {
            console.report("note: \(note)")
        }
    }

    private func filter(_ file: String) throws(CommandFailure) {
        var asked = try settings.recordOptions(for: file, keys: neededKeys)
        asked.datedKeys = datedKeys
        let reader: RecordReader
        do throws(DataError) {
            reader = try RecordReader(source: try source(of: file, asked.format), options: asked)
        } catch {
            try tally.problems.note(error, in: file)
            return
        }
        firstFormat = firstFormat ?? reader.format
        if let header = reader.header {
            try ColumnMatch.checkKeys(settings.query.arranging + settings.lookups.keys, header, file)
        } else {
            for value in settings.query.arranging { try value.check() }
        }
        let texts = TextReadings(header: reader.header, reader.options)
        for value in settings.query.values + settings.lookups.keys { try value.read(texts) }
        let predicate = try texts.read(predicate)
        tally.problems.header = reader.header
        painter.begin(reader)
        try output?.begin(reader, file: file)
        if !settings.isQuiet { note(reader, file) }
        try prepare(predicate, for: reader, file)
        tally.beginFile()
        try filter(reader, sieve(for: reader), file)
        progress.finish()
        if let line = tally.line(for: file) { try console.write(line + "\n") }
    }

    /// Prepares the predicate for a file. A string that is compared with a column is read in the same way as the
    /// column's cells.
    private func prepare(
        _ predicate: FormatPredicate, for reader: RecordReader, _ file: String
    ) throws(CommandFailure) {
        (keyNotes.predicateOfFile, keyNotes.types) = (predicate, reader.options.readings.mapValues(\.type))
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
    private func source(of file: String, _ format: DataFormat?) throws(DataError) -> any ByteSource {
        let mayBeList = [nil, .json].contains(format)
        let source: any ByteSource =
            if file == "-" { console.input } else if mayBeList { try PropertyListFile.source(file) } else {
                try FileSource(path: file)
            }
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
                let record = try reader.next()
                if record != nil { tally.problems.passReading() }
                return record.map(settings.lookups.resolved)
            } catch {
                guard try tally.problems.note(error, in: file) else { return nil }
            }
        }
    }

    func judge(_ record: SourceRecord, _ file: String) throws(CommandFailure) {
        guard let holds = try tally.problems.outcome(of: record, evaluators.evaluator, in: file),
            holds != settings.isInverted
        else {
            return
        }
        tally.matched += 1
        try take(record, file)
    }

    /// Takes a matching record, and counts it as one without errors if taking it caused none.
    func take(_ record: SourceRecord, _ file: String) throws(CommandFailure) {
        let failed = tally.problems.failed
        try keep(record, file)
        if tally.problems.failed == failed { tally.problems.pass(.values) }
    }

    /// Writes a matching record, or keeps the part that sorting or grouping needs.
    private func keep(_ record: SourceRecord, _ file: String) throws(CommandFailure) {
        keyNotes.seeMatch(record)
        do throws(GroupProblem) {
            if let groups { try settings.query.grouping?.add(record.value, to: groups) }
        } catch {
            try tally.problems.note(error, in: "\(file.displayName):\(record.line)")
        }
        guard let output else { return }
        let key = try tally.key(of: record.value, in: "\(file.displayName):\(record.line)")
        if tally.isLeftOut(key) { return }
        let row = try output.prepare(record)
        if let failure = output.failure {
            try tally.problems.note(.failed(failure), in: "\(file.displayName):\(record.line)")
        }
        var values: [OrderedValue]?
        if let order = settings.query.sort {
            values = try tally.sortValues(of: record.value, order, in: "\(file.displayName):\(record.line)")
        }
        if tally.isRepeated(settings.query.distinctValues(of: record.value)) { return }
        if tally.countsRows { return tally.countRow() }
        guard let values else { return try tally.write(row, output.emit) }
        if let key { return tally.keep(row, values: values, key) }
        try sorter?.take(row, values: values)
    }
}
