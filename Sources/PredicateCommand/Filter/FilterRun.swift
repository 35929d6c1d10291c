import PredicateData
import PredicateEvaluation
import PredicateSyntax

/// One pass over all files: reads a record, asks the predicate, writes or counts.
struct FilterRun {
    private let settings: FilterSettings
    private let evaluator: PredicateEvaluator
    private let console: Console
    private let output: RecordOutput?
    private let neededKeys: Set<String>?
    private let flatEvaluator: FlatEvaluator?
    private var problems: RecordProblems
    private var matched = 0

    init(_ settings: FilterSettings, _ evaluator: PredicateEvaluator, _ console: Console) {
        self.settings = settings
        self.evaluator = evaluator
        self.console = console
        output = settings.isQuiet || settings.countsOnly ? nil : RecordOutput(settings, console.output)
        neededKeys = RootKeys.names(of: evaluator.predicate.node, variables: settings.variables)
        flatEvaluator = FlatEvaluator(evaluator)
        problems = RecordProblems(console: console, isStrict: settings.isStrict)
    }

    /// Reads the files one after another. What was written before an error that ends the run stays valid.
    mutating func run() throws(CommandFailure) -> ExitStatus {
        do throws(CommandFailure) {
            for file in settings.files where !isDone { try filter(file) }
        } catch {
            if case .output = error { throw error }
            try finish()
            throw error
        }
        try finish()
        if settings.countsOnly, !settings.isQuiet { try console.write("\(matched)\n") }
        return status
    }

    private var isDone: Bool {
        settings.limit.map { matched >= $0 } ?? false
    }

    /// As grep has it: an error counts more than a match, unless only the match was asked for.
    private var status: ExitStatus {
        if settings.isQuiet, matched > 0 { return .success }
        if problems.wereFound { return .failure }
        return matched > 0 ? .success : .negative
    }

    private func finish() throws(CommandFailure) {
        problems.summarize()
        try output?.finish()
    }

    private mutating func filter(_ file: String) throws(CommandFailure) {
        let options = try settings.recordOptions(for: file, keys: neededKeys)
        let reader: RecordReader
        do throws(DataError) {
            reader = try RecordReader(source: try source(of: file), options: options)
        } catch {
            return try problems.note(error, in: file)
        }
        problems.format = reader.format
        try output?.begin(reader, file: file)
        if !settings.isQuiet { noteMissingColumns(of: reader, in: file) }
        try filter(reader, sieve(for: reader, options), file)
    }

    /// What was selected is on its way before the next bytes are waited for, so that a slow pipe shows at once.
    private func source(of file: String) throws(DataError) -> any ByteSource {
        let source: any ByteSource = file == "-" ? console.input : try FileSource(path: file)
        guard let output else { return source }
        return AnnouncingSource(source) { () throws(DataError) in try output.flush() }
    }

    private mutating func filter(
        _ reader: RecordReader, _ sieve: LineSieve?, _ file: String
    ) throws(CommandFailure) {
        var hint = DocumentHint()
        let matchedBefore = matched
        while !isDone, let record = try next(reader, file) {
            hint.see(record)
            try judge(record, file)
            if let sieve { hint.see(try sift(reader, with: sieve, file)) }
        }
        guard matched == matchedBefore, !settings.isQuiet else { return }
        if settings.records.path == nil, let text = hint.text {
            return console.report("note: \(file.displayName): \(text)")
        }
        if reader.header == nil { noteSlips(among: hint.keys, in: file) }
    }

    /// Nothing matched, and a key is almost one that the records have.
    private func noteSlips(among keys: [String], in file: String) {
        for key in (neededKeys ?? []).sorted() where !keys.contains(key) {
            guard let suggestion = UsageError.suggestions(for: key, among: keys).first else { continue }
            console.report("note: \(file.displayName): the first record has no key '\(key)'; \(suggestion)")
        }
    }

    /// The next record that can be read.
    private mutating func next(_ reader: RecordReader, _ file: String) throws(CommandFailure) -> SourceRecord? {
        while true {
            do throws(DataError) {
                return try reader.next()
            } catch {
                try problems.note(error, in: file)
            }
        }
    }

    private mutating func judge(_ record: SourceRecord, _ file: String) throws(CommandFailure) {
        guard let holds = try problems.outcome(of: record, evaluator, in: file), holds != settings.isInverted else {
            return
        }
        matched += 1
        try output?.write(record)
    }

    /// A column that the header lacks is nil in every row, which is seldom what was meant.
    private func noteMissingColumns(of reader: RecordReader, in file: String) {
        guard let columns = reader.header?.columns, let neededKeys else { return }
        for key in neededKeys.sorted() where !columns.contains(key) {
            let suggestion = suggestion(for: key, among: columns).map { "; " + $0 } ?? ""
            console.report("note: \(file.displayName): there is no column '\(key)', it counts as nil\(suggestion)")
        }
    }

    private func suggestion(for key: String, among columns: [String]) -> String? {
        if columns.count == 1, let only = columns.first, let mark = only.first(where: { ";\t|".contains($0) }) {
            let name = mark == "\t" ? "tabs, which --format tsv reads" : "'\(mark)', CSV has commas"
            return "the header has \(name)"
        }
        if let padded = columns.first(where: { $0.trimmed == key }) {
            return "blanks belong to a name: #\"\(padded)\" is the column"
        }
        return UsageError.suggestions(for: key, among: columns).first
    }
}

/// Records that need not be read in full to know whether they match.
extension FilterRun {
    /// What tells them; nil where all must be read, since their values are written, not their texts.
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

    /// Deals with the records that are in memory, and gives how many records were seen.
    private mutating func sift(
        _ reader: RecordReader, with sieve: LineSieve, _ file: String
    ) throws(CommandFailure) -> Int {
        guard !isDone, let flatEvaluator else { return 0 }
        let isInverted = settings.isInverted
        let joinsMatches = settings.limit == nil && output?.writesLines ?? true
        let sifted = reader.sift(with: sieve, joiningMatches: joinsMatches) { slots in
            flatEvaluator.holds(slots).map { $0 != isInverted }
        }
        var count = sifted.knownCount
        for run in sifted.kept where !isDone {
            if run.isMatch {
                matched += run.count
                try output?.write(reader.text(of: run, in: sifted), count: run.count)
            } else if let record = try read(run, in: sifted, reader, file) {
                count += 1
                try judge(record, file)
            }
        }
        reader.drop(sifted)
        return count
    }

    private mutating func read(
        _ run: SiftedRun, in sifted: SiftedLines, _ reader: RecordReader, _ file: String
    ) throws(CommandFailure) -> SourceRecord? {
        do throws(DataError) {
            return try reader.read(run, in: sifted)
        } catch {
            try problems.note(error, in: file)
            return nil
        }
    }
}

/// A source that says so before each read.
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
    /// How errors name a file.
    var displayName: String { self == "-" ? "(standard input)" : self }
}
