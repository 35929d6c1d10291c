import PredicateData
import PredicateSession
import PredicateSyntax
import PredicateTestSupport

/// Lines typed by anyone, and files that hold anything.
struct CommandCheck {
    private let choices: UInt8
    private let lines: [String]
    private let data: [UInt8]

    /// A byte of choices, the lines, and behind a byte 0xFE what files hold.
    init(_ bytes: [UInt8]) {
        choices = bytes.first ?? 0
        let parts = bytes.dropFirst().split(separator: 0xFE, maxSplits: 1, omittingEmptySubsequences: false)
        lines = (parts.first ?? []).split(separator: 10, omittingEmptySubsequences: false).prefix(24).map {
            String(decoding: $0, as: UTF8.self)
        }
        data = Array(parts.count > 1 ? parts[1] : [])
    }

    func run() throws(FuzzFinding) {
        try checkReaders()
        try checkSession()
    }

    // MARK: - Files

    private func checkReaders() throws(FuzzFinding) {
        let formats: [DataFormat?] = [nil] + DataFormat.allCases
        let options = RecordOptions(
            format: formats[Int(choices) % formats.count], recordsPath: choices & 0x40 != 0 ? "a.b" : nil,
            keys: choices & 0x20 != 0 ? ["a"] : nil, maximumRecordLength: choices & 0x80 != 0 ? 40 : 4096)
        let whole = Self.records(data, options, piece: .max)
        let pieces = Self.records(data, options, piece: 1 + Int(choices % 7))
        try FuzzFinding.unless(whole == pieces, "cut into pieces: \(options) \(data)")
    }

    /// What a reader gives, errors included; the last may be one after which nothing is read.
    private static func records(_ bytes: [UInt8], _ options: RecordOptions, piece: Int) -> [Outcome] {
        var outcomes: [Outcome] = []
        do {
            let reader = try RecordReader(source: MemorySource(bytes, maximumPiece: piece), options: options)
            while let outcome = try next(reader) { outcomes.append(outcome) }
        } catch {
            outcomes.append(Outcome(error))
        }
        return outcomes
    }

    private static func next(_ reader: RecordReader) throws(DataError) -> Outcome? {
        do {
            return try reader.next().map { Outcome(text: "\($0.line) \($0.index) \($0.text)", value: $0.value) }
        } catch  where error.isRecoverable {
            return Outcome(error)
        }
    }

    /// What one call of a reader gave.
    private struct Outcome: Equatable {
        var text: String
        var value: PredicateValue?

        init(text: String, value: PredicateValue) {
            self.text = text
            self.value = value
        }

        init(_ error: DataError) {
            text = "\(error.code) \(error.line):\(error.column) \(error.isRecoverable)"
        }
    }

    // MARK: - The session

    private func checkSession() throws(FuzzFinding) {
        var environment = SessionEnvironment()
        let data = data
        environment.open = { (_) throws(DataError) in OpenedFile(source: MemorySource(data), size: data.count) }
        environment.create = { (_, _) throws(DataError) in true }
        let settings = SessionSettings(width: 20 + Int(choices), isColoured: choices & 1 == 0, showsTime: false)
        let session = Session(settings: settings, environment: environment)
        _ = session.reply(to: ":load data.\(["json", "jsonl", "csv", "tsv"][Int(choices) % 4])")
        for line in lines where !Self.reachesOutside(line) {
            let reply = session.reply(to: line)
            try FuzzFinding.unless(!reply.isError || !reply.text.isEmpty, "no message for \(line.debugDescription)")
            _ = session.completion(of: line)
        }
    }

    /// Databases are files of the system, which a fuzzer is to leave alone; `:bench` takes its time on purpose.
    private static func reachesOutside(_ line: String) -> Bool {
        let lowered = line.lowercased()
        return [".sqlite", ".db", "sqlite", ":open", ":store", ":bench"].contains { lowered.contains($0) }
    }
}
