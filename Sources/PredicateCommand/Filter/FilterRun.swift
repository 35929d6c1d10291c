import PredicateData
import PredicateEvaluation
import PredicateSyntax

/// One pass over all files: reads records, evaluates the predicate, writes or counts.
struct FilterRun {
    private let pass: FilterPass
    private let settings: FilterSettings
    private let evaluator: PredicateEvaluator
    private let console: Console
    private let output: RecordOutput?
    private let neededKeys: Set<String>?
    private let flatEvaluator: FlatEvaluator?

    init(_ settings: FilterSettings, _ evaluator: PredicateEvaluator, _ console: Console) {
        (self.settings, self.evaluator, self.console) = (settings, evaluator, console)
        pass = FilterPass(settings, console, noun: "record")
        output = pass.writesRecords ? RecordOutput(settings, console.output) : nil
        neededKeys = RootKeys.names(of: evaluator.predicate.node, variables: settings.variables)
        flatEvaluator = FlatEvaluator(evaluator)
    }

    /// Reads the files one after another.
    func run() throws(CommandFailure) -> ExitStatus {
        try pass.run { () throws(CommandFailure) in
            for file in settings.files where !pass.isDone { try filter(file) }
        } finish: { () throws(CommandFailure) in
            try output?.finish()
        }
    }

    private func filter(_ file: String) throws(CommandFailure) {
        let options = try settings.recordOptions(for: file, keys: neededKeys)
        let reader: RecordReader
        do throws(DataError) {
            reader = try RecordReader(source: try source(of: file), options: options)
        } catch {
            return try pass.problems.note(error, in: file)
        }
        pass.problems.format = reader.format
        try output?.begin(reader, file: file)
        if !settings.isQuiet { noteMissingColumns(of: reader, in: file) }
        try filter(reader, sieve(for: reader, options), file)
    }

    /// Opens a source that flushes the output before each read, so that matches from a slow pipe appear immediately.
    private func source(of file: String) throws(DataError) -> any ByteSource {
        let source: any ByteSource = file == "-" ? console.input : try FileSource(path: file)
        guard let output else { return source }
        return AnnouncingSource(source) { () throws(DataError) in try output.flush() }
    }

    private func filter(
        _ reader: RecordReader, _ sieve: LineSieve?, _ file: String
    ) throws(CommandFailure) {
        var hint = DocumentHint()
        let matchedBefore = pass.matched
        while !pass.isDone, let record = try next(reader, file) {
            hint.see(record)
            try judge(record, file)
            if let sieve { hint.see(try sift(reader, with: sieve, file)) }
        }
        guard pass.matched == matchedBefore, !settings.isQuiet else { return }
        if settings.records.path == nil, let text = hint.text {
            return console.report("note: \(file.displayName): \(text)")
        }
        if reader.header == nil { noteSlips(among: hint.keys, in: file) }
    }

    /// Reports keys that look like a mistyped key of the records, if nothing matched.
    private func noteSlips(among keys: [String], in file: String) {
        for key in (neededKeys ?? []).sorted() where !keys.contains(key) {
            guard let suggestion = UsageError.suggestions(for: key, among: keys).first else { continue }
            console.report("note: \(file.displayName): the first record has no key '\(key)'; \(suggestion)")
        }
    }

    /// Returns the next record that can be read.
    private func next(_ reader: RecordReader, _ file: String) throws(CommandFailure) -> SourceRecord? {
        while true {
            do throws(DataError) {
                return try reader.next()
            } catch {
                try pass.problems.note(error, in: file)
            }
        }
    }

    private func judge(_ record: SourceRecord, _ file: String) throws(CommandFailure) {
        guard let holds = try pass.problems.outcome(of: record, evaluator, in: file), holds != settings.isInverted
        else {
            return
        }
        pass.matched += 1
        try output?.write(record)
    }

    /// Reports keys that are not in the header, which are nil in every row.
    private func noteMissingColumns(of reader: RecordReader, in file: String) {
        guard let columns = reader.header?.columns, let neededKeys else { return }
        for key in neededKeys.sorted() where !columns.contains(key) {
            let suggestion = suggestion(for: key, among: columns).map { "; " + $0 } ?? ""
            let note = "there is no column '\(key)', it is nil in every row"
            console.report("note: \(file.displayName): \(note)\(suggestion)")
        }
    }

    private func suggestion(for key: String, among columns: [String]) -> String? {
        if columns.count == 1, let only = columns.first, let mark = only.first(where: { ";\t|".contains($0) }) {
            let name = mark == "\t" ? "tabs: use --format tsv" : "'\(mark)', but CSV needs commas"
            return "the header has \(name)"
        }
        if let padded = columns.first(where: { $0.trimmed == key }) {
            return "spaces are part of a column's name: write #\"\(padded)\""
        }
        return UsageError.suggestions(for: key, among: columns).first
    }
}

/// Sifting: lines are evaluated without reading them in full.
extension FilterRun {
    /// Returns the sieve for a file; nil if all records must be read because their values are written, not their texts.
    private func sieve(for reader: RecordReader, _ options: RecordOptions) -> LineSieve? {
        guard neededKeys != nil, let paths = flatEvaluator?.paths else { return nil }
        switch reader.format {
        case .json: return nil
        case .jsonLines: return LineSieve(paths, options: options)
        case .csv, .tsv:
            guard let header = reader.header, settings.output == nil else { return nil }
            return LineSieve(paths, options: options, header: header, isCommaSeparated: reader.format == .csv)
        }
    }

    /// Processes the records in memory, and returns their number.
    private func sift(
        _ reader: RecordReader, with sieve: LineSieve, _ file: String
    ) throws(CommandFailure) -> Int {
        guard !pass.isDone, let flatEvaluator else { return 0 }
        let isInverted = settings.isInverted
        let joinsMatches = settings.limit == nil && output?.writesLines ?? true
        let sifted = reader.sift(with: sieve, joiningMatches: joinsMatches) { slots in
            flatEvaluator.holds(slots).map { $0 != isInverted }
        }
        var count = sifted.knownCount
        for run in sifted.kept where !pass.isDone {
            if run.isMatch {
                pass.matched += run.count
                try output?.write(reader.text(of: run, in: sifted), count: run.count)
            } else if let record = try read(run, in: sifted, reader, file) {
                count += 1
                try judge(record, file)
            }
        }
        reader.drop(sifted)
        return count
    }

    private func read(
        _ run: SiftedRun, in sifted: SiftedLines, _ reader: RecordReader, _ file: String
    ) throws(CommandFailure) -> SourceRecord? {
        do throws(DataError) {
            return try reader.read(run, in: sifted)
        } catch {
            try pass.problems.note(error, in: file)
            return nil
        }
    }
}

/// A source that calls a function before each read.
private final class AnnouncingSource: ByteSource {
    private let base: any ByteSource
    private let willRead: () throws(DataError) -> Void

    init(_ base: any ByteSource, willRead: @escaping () throws(DataError) -> Void) {
        self.base = base
        self.willRead = willRead
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(DataError) -> Int {
        try willRead()
        return try base.read(into: buffer)
    }
}

extension String {
    /// The name of a file in messages.
    var displayName: String { self == "-" ? "(standard input)" : self }
}
