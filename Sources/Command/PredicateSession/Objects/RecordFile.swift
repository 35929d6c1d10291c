import Foundation
import PredicateData
import PredicateEvaluation
import PredicateJSON
import PredicateSyntax

/// A file whose records are read again for each question.
///
/// The type of a CSV column is inferred from the whole file when a question needs it, as `predicate filter` does, and then kept.
package final class RecordFile {
    let name: String
    private(set) var options: RecordOptions
    private let environment: SessionEnvironment
    private let size: Int?
    /// The bytes of a pipe, which cannot be read again.
    private let held: [UInt8]?
    /// True if the user cancelled while a pipe was read.
    private(set) var wasCancelled = false
    private let version: FileVersion?
    /// The number of objects that the current pass has read, for the progress display.
    private var seen = 0
    /// The number of records in the sample, those with errors included.
    private var sampledCount = 0
    /// The number of records after the sample that the last pass could not read, and the first error.
    package private(set) var unreadable = 0
    package private(set) var firstError: DataError?
    /// The number of objects that the last pass has found; nil before the first.
    private(set) var count: Int?
    /// The number of the last object; nil before the first pass.
    private(set) var lastNumber: Int?

    /// The maximum number of bytes of a pipe: 256 MiB.
    static let mostHeldBytes = 256 << 20
    /// The maximum number of records in a sample, and the number of bytes after which it ends.
    package static let mostSampled = 10_000, mostSampledBytes = 1 << 20
    private let sampleLimit: Int

    init(
        _ name: String, _ options: RecordOptions, _ environment: SessionEnvironment, sampleLimit: Int
    ) throws(SessionError) {
        (self.name, self.options, self.environment) = (name, options, environment)
        self.sampleLimit = sampleLimit
        version = environment.version(name)
        do throws(DataError) {
            let file = try environment.open(name)
            size = file.size
            held = file.source.canRestart ? nil : try Self.bytes(of: file.source, name, environment)
        } catch {
            throw SessionError(error, in: name)
        }
        if let held {
            wasCancelled = environment.isCancelled()
            guard held.count > Self.mostHeldBytes else { return }
            throw SessionError(
                "\(name == "-" ? "standard input" : name) has more than \(Self.mostHeldBytes >> 20) MiB and cannot be read twice",
                hints: ["write it to a file, which a session reads for each question"])
        }
    }

    /// Returns the bytes of a pipe: up to the limit and a little more, or until the user cancels.
    private static func bytes(
        of source: any ByteSource, _ name: String, _ environment: SessionEnvironment
    ) throws(DataError) -> [UInt8] {
        defer { environment.finishProgress() }
        var (bytes, piece) = ([UInt8](), [UInt8](repeating: 0, count: 64 << 10))
        while bytes.count <= mostHeldBytes, !environment.isCancelled() {
            let count = try source.read(into: &piece)
            if count == 0 { break }
            bytes += piece[..<count]
            environment.progress(TaskProgress(task: "reading \(name)", done: bytes.count, objects: 0))
        }
        return bytes
    }

    /// `, 250 MB`; empty if the size is not known.
    var sizeText: String {
        guard let size = size ?? held?.count else { return "" }
        return size < 10_000_000 ? ", \(Count.grouped(size / 1000)) kB" : ", \(Count.grouped(size / 1_000_000)) MB"
    }

    /// True if the file has changed since it was opened.
    var hasChanged: Bool { environment.version(name) != version }

    /// Opens the records. Only `keys` are read, or all keys if `readsOthers` is true; the types of columns in `keys` are those of
    /// the whole file.
    private func reader(_ keys: Set<String>?, readsOthers: Bool = false) throws(DataError) -> RecordReader {
        var options = options
        (options.keys, options.readsOtherKeys) = (keys, readsOthers)
        let environment = environment
        let willRead = { () throws(DataError) in
            if environment.isCancelled() { throw DataError(.readFailed(errno: EINTR)) }
        }
        let source = AnnouncingSource(try source(), willRead: willRead) { [unowned self] bytes in
            environment.progress(TaskProgress(task: "reading \(name)", done: bytes, total: size, objects: seen))
        }
        return try RecordReader(source: source, options: options)
    }

    private func source() throws(DataError) -> any ByteSource {
        if let held { return MemorySource(held) }
        let source = try environment.open(name).source
        try source.restart()
        return source
    }

    /// Calls `body` with the file as it was when it was opened. Throws if the file has changed, and if the user cancels.
    private func reading<Result>(_ body: () throws(DataError) -> Result) throws(SessionError) -> Result {
        defer { environment.finishProgress() }
        seen = 0
        if hasChanged { throw .changed(name) }
        let result: Result
        do throws(DataError) {
            result = try body()
        } catch {
            if environment.isCancelled() { throw SessionError("stopped") }
            throw hasChanged ? .changed(name) : SessionError(error, in: name)
        }
        if hasChanged { throw .changed(name) }
        return result
    }
}

extension SessionError {
    /// The error of a file that has changed while a session reads it.
    static func changed(_ path: String) -> SessionError {
        SessionError("\(path) has changed since it was loaded", hints: [":load \(path) reads it as it is now"])
    }
}

// MARK: - The sample

/// The first records of a file.
struct RecordSample {
    var table = ObjectTable.empty
    /// True if the file has no further records.
    var isWhole = true
    /// The number of records that could not be read, and the first errors.
    var unreadable = 0
    var errors: [DataError] = []
    /// The header of CSV or TSV.
    var header: RecordHeader?
    /// How to read the strings that are compared with keys.
    var texts: TextReadings?
    /// Notes about the file and its columns.
    var notes: [ReadingNote] = []

    static let reportedErrors = 3
}

extension RecordFile {
    /// Reads the first records.
    func sample() throws(SessionError) -> RecordSample {
        try reading { () throws(DataError) in
            var sample = try readSample()
            guard sample.isWhole, try settle(nil, sample.header) else { return sample }
            sample = try readSample()
            return sample
        }
    }

    private func readSample() throws(DataError) -> RecordSample {
        let reader = try reader([], readsOthers: true)
        var (sample, builder, length) = (RecordSample(), ObjectTableBuilder(), 0)
        let columns = reader.header?.columns
        options.known.hasHeader = reader.header.map { $0.raw != nil }
        while let record = try reader.nextReadable({ error, _ in sample.add(error) }) {
            sample.isWhole = builder.count < sampleLimit && length < Self.mostSampledBytes
            guard sample.isWhole else { break }
            builder.append(record.value, at: record.index) {
                columns ?? record.raw.withUnsafeBufferPointer(JSONScanner.keys)
            }
            length += record.raw.count
            sampledCount = record.index + 1
        }
        (sample.table, sample.header, sample.notes) = (builder.table(), reader.header, reader.notes)
        sample.texts = TextReadings(header: reader.header, reader.options)
        return sample
    }

    /// Infers the types of columns from the whole file, unless they are known. Returns true if one of them differs from that in
    /// the sample.
    private func settle(_ keys: Set<String>?, _ sampled: RecordHeader?) throws(DataError) -> Bool {
        guard let sampled else { return false }
        let open = sampled.columns.filter { name in
            keys?.contains(name) ?? true && options.known.columns[name] == nil && options.types[name] == nil
        }
        if open.isEmpty { return false }
        let facts = try reader(Set(open)).header?.facts ?? [:]
        for name in open { options.known.columns[name] = facts[name] }
        let former = sampled.facts
        return open.contains { former[$0] != facts[$0] }
    }

    /// Returns a new sample if keys have other types in the whole file than in the sample, or if more keys are compared with
    /// dates; nil if nothing has changed.
    func sample(
        settling keys: Set<String>?, dated: Set<String>, former header: RecordHeader?
    ) throws(SessionError) -> RecordSample? {
        try reading { () throws(DataError) in
            let isSame = header != nil || dated == options.datedKeys
            if !isSame { options.datedKeys = dated }
            return try settle(keys, header) || !isSame ? try readSample() : nil
        }
    }
}

extension RecordSample {
    fileprivate mutating func add(_ error: DataError) {
        unreadable += 1
        if errors.count < Self.reportedErrors { errors.append(error) }
    }
}

// MARK: - Passes

extension RecordFile: ObjectStream {
    func run(_ pass: ObjectPass) throws(SessionError) {
        try reading { () throws(DataError) in
            (unreadable, firstError) = (0, nil)
            let reader = try reader(pass.keys)
            let records = RecordPass(pass, reader) { [self] error, index in
                guard index >= sampledCount else { return }
                unreadable += 1
                firstError = firstError ?? error
            }
            try records.run { seen = pass.count }
            (count, lastNumber) = (pass.count, reader.count - 1)
        }
    }

    func objects(at indices: Set<Int>, typed keys: Set<String>?) throws(SessionError) -> [Int: KeyedValue] {
        try reading { () throws(DataError) in
            let reader = try reader(keys, readsOthers: true)
            let sieve = reader.sieve([], isShared: false)
            var objects: [Int: KeyedValue] = [:]
            while reader.count <= indices.max() ?? 0, let record = try reader.nextReadable({ _, _ in }) {
                if indices.contains(record.index) { objects[record.index] = .value(record.value) }
                if let sieve { reader.sift(with: sieve, indices) { objects[$0.index] = .value($0.value) } }
            }
            return objects
        }
    }
}

extension RecordReader {
    /// Passes those records at these positions that are in the read buffer to a closure.
    fileprivate func sift(with sieve: LineSieve, _ indices: Set<Int>, _ body: (SourceRecord) -> Void) {
        let start = count
        let sifted = sift(with: sieve, joiningMatches: false) { _, place in
            indices.contains(start + place.recordsBefore)
        }
        for run in sifted.kept where indices.contains(start + run.recordsBefore) {
            if let record = try? read(run, in: sifted) { body(record) }
        }
        drop(sifted)
    }
}
