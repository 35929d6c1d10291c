import PredicateAgreement
import PredicateData
import PredicateSession
import PredicateSyntax

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

    /// The results of a reader, errors included; the last may be an error that ends reading.
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

    /// The result of one call of a reader.
    private struct Outcome: Equatable {
        var text: String
        var value: PredicateValue?

        /// NaN, which JSON of Python contains, does not equal itself.
        static func == (left: Outcome, right: Outcome) -> Bool {
            left.text == right.text && (left.value == right.value || left.text.contains("NaN"))
        }

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
        let world = Self.world(choices)
        let file = choices & Self.opensDatabase != 0 ? try? WorldFile(world) : nil
        let settings = SessionSettings(
            width: 20 + Int(choices), isColoured: choices & 1 == 0, showsTime: false)
        let session = Session(settings: settings, environment: environment(file?.path))
        if let file {
            let reply = session.reply(to: ":load \"\(file.path)\"")
            try FuzzFinding.unless(!reply.isError, "the database cannot be opened: \(reply.text)")
            let names = world.entityNames
            _ = session.reply(to: ":table \(names[Int(choices >> 5) % names.count])")
        } else {
            _ = session.reply(to: ":load data.\(["json", "jsonl", "csv", "tsv"][Int(choices) % 4])")
        }
        for line in lines {
            let reply = session.reply(to: line)
            try FuzzFinding.unless(!reply.isError || !reply.text.isEmpty, "no message for \(line.debugDescription)")
            _ = session.completion(of: line)
        }
    }

    /// The bit of the choices by which the data is a database, in a file that is removed afterwards.
    static let opensDatabase: UInt8 = 0x10

    /// The small tables of that database, which lead to one another.
    static func world(_ choices: UInt8) -> AgreementWorld {
        var worlds = WorldGenerator(seed: UInt64(choices & 3))
        return worlds.world()
    }

    /// Files that hold the data, whatever their name, and the database under its own. Data that begins as databases do
    /// comes through a pipe, or the session would look for a file of that name.
    private func environment(_ database: String?) -> SessionEnvironment {
        let head = Array("SQLite format 3\0".utf8)
        let data = data
        var environment = SessionEnvironment()
        environment.open = { (path) throws(DataError) in
            if path == database { return OpenedFile(source: MemorySource(head), size: head.count) }
            return OpenedFile(source: MemorySource(data), size: data.starts(with: head) ? nil : data.count)
        }
        environment.create = { (_) throws(DataError) in CreatedFile(write: { _ in }, remove: {}) }
        return environment
    }
}
