import PredicateData
import PredicateEvaluation
import PredicateQuery
import PredicateSession
import PredicateSyntax

/// One pass over all files, which reads records, evaluates the predicate, and passes the matches on.
final class FilterRun {
    let tally: MatchTally
    let settings: FilterSettings
    let predicate: FormatPredicate
    let console: Console
    private let progress: ReadingProgress
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

        /// `sifted` is the predicate for lines that are not parsed; nil if all lines must be parsed.
        init(
            _ predicate: FormatPredicate, sifted: FormatPredicate?, inColumns: Bool = false,
            _ context: PredicateContext
        ) throws(CommandFailure) {
            (evaluator, flat) = try CommandFailure.evaluating { () throws(EvaluationError) in
                let evaluator = try PredicateEvaluator(predicate, context: context)
                guard let sifted else { return (evaluator, nil) }
                let isSame = sifted.node == predicate.node
                let known = RecordPaths(sifted.node, variables: context.variables).known(inColumns: inColumns)
                let other = isSame ? evaluator : try PredicateEvaluator(sifted, context: context)
                return (evaluator, FlatEvaluator(other, known: known))
            }
        }
    }

    init(_ settings: FilterSettings, _ predicate: FormatPredicate, _ console: Console) throws(CommandFailure) {
        (self.settings, self.predicate, self.console) = (settings, predicate, console)
        tally = MatchTally(settings, console, noun: "record") { Self.makeOutput(settings, console, $0) }
        neededKeys = RecordPaths(predicate.node, variables: settings.context.variables).roots
        let computed = settings.query.values.compactMap { $0.evaluator?.expression.node }
        datedKeys = TextReadings.datedKeys(
            of: [.predicate(predicate.node)] + computed.map { TreeNode.expression($0) })
        evaluators = try Evaluators(predicate, sifted: predicate, settings.context)
        if !settings.lookups.isEmpty {
            let paths = RecordPaths(predicate.node).sorted
            try settings.lookups.check(paths + settings.query.values.flatMap(\.paths))
        }
        if !settings.isQuiet {
            for note in settings.lookups.notes { console.report("note: \(note)") }
        }
        keyNotes = KeyNotes(predicate, settings)
        progress = ReadingProgress(console, writesAtEnd: !settings.writesRows || settings.query.sort != nil)
        console.willReport = progress.finish
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

    /// Reads the files one after another.
    func run() throws(CommandFailure) -> ExitStatus {
        try tally.run { () throws(CommandFailure) in
            for file in settings.files where !tally.isDone { try filter(file) }
        } then: { (isWhole) throws(CommandFailure) in
            if let groups = tally.groups { try write(groups, isWhole) }
            if !settings.isQuiet, isWhole { reportNotes() }
        }
    }

    private func reportNotes() {
        let isEarly = tally.isDone && settings.query.stoppingLimit != nil
        let written = tally.matched > 0 ? tally.output?.missingKeys ?? [] : []
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
        tally.painter.begin(reader)
        try tally.output?.begin(reader, file: file)
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
        // For lines of text, sifting uses a separate predicate.
        let sifted = reader.format == .lines ? LinePredicate.sifting(predicate) : predicate
        evaluators = try Evaluators(
            predicate, sifted: sifted, inColumns: reader.header != nil, settings.context)
        if reader.format == .lines { try LinePredicate.check(evaluators.evaluator) }
    }

    /// Opens a source that flushes the output before each read, so that matches from a slow pipe appear immediately.
    private func source(of file: String, _ format: DataFormat?) throws(DataError) -> any ByteSource {
        let base: any ByteSource = file == "-" ? console.input : try FileSource(path: file)
        let willRead = { [tally] () throws(DataError) in if let output = tally.output { try output.flush() } }
        let source = AnnouncingSource(base, willRead: willRead) { [progress, tally] bytes in
            progress.show(file, bytes: bytes, matches: tally.matched)
        }
        return [nil, .json].contains(format) ? try PropertyListFile.list(in: source) : source
    }

    private func filter(_ reader: RecordReader, _ sieve: Sieve?, _ file: String) throws(CommandFailure) {
        var hint = DocumentHint()
        while !tally.isFileDone, let record = try next(reader, file) {
            hint.see(record)
            keyNotes.see(record, in: reader)
            try judge(record, file)
            if let sieve { hint.see(try sift(reader, with: sieve, file)) }
        }
        if let sieve {
            let matches = sieve.groupPlaces != nil ? sieve.lines : sieve.matches?.lines
            keyNotes.see(sieve.lines, in: reader, matches: matches)
        }
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
        try take(record, file)
    }

    /// Takes a matching record.
    func take(_ record: SourceRecord, _ file: String) throws(CommandFailure) {
        keyNotes.seeMatch(record)
        try take(RecordMatch(source: record), file)
    }

    /// Takes a match, whose keys have already been recorded.
    func take(_ match: RecordMatch, _ file: String) throws(CommandFailure) {
        let line = match.source.line
        try tally.take(match, in: "\(file.displayName):\(line)")
    }
}

/// A matching record of a file.
struct RecordMatch: FoundMatch {
    let source: SourceRecord
    /// What a sieve has found; nil if the record has been read.
    private(set) var found: Found?

    /// The sieve that has found the values of a match, if they are needed, and the bytes of the match in the read buffer. Like the
    /// bytes, the sieve is not retained: the run that passes the match on holds it.
    struct Found {
        unowned(unsafe) let sieve: FilterRun.MatchSieve?
        let text: UnsafeBufferPointer<UInt8>
    }

    init(source: SourceRecord, found: Found? = nil) { (self.source, self.found) = (source, found) }

    /// Makes a match of which only the bytes in the read buffer are needed.
    init(sifted text: UnsafeBufferPointer<UInt8>) {
        source = SourceRecord(value: .null, raw: [], line: 0, index: 0)
        found = Found(sieve: nil, text: text)
    }

    /// The bytes of the record in the read buffer; nil if the record has been read.
    var text: UnsafeBufferPointer<UInt8>? { found?.text }

    /// The bytes of the record.
    var raw: [UInt8] { text.map { Array($0) } ?? source.raw }

    func flatValue(of value: OutputValue) -> FlatValue? { found?.sieve?.value(value.number) }

    func value(of value: OutputValue) throws(EvaluationError) -> PredicateValue {
        guard let flat = flatValue(of: value) else { return try value.value(in: source.value) }
        return PredicateValue(whole: flat) ?? .null
    }

    func distinctValues(_ keys: [OutputValue]?) -> [PredicateValue] { keys?.values(of: self).values ?? [source.value] }

    func prepare(for output: any FilterOutput, to bytes: inout [UInt8]) { output.prepare(self, to: &bytes) }
}
