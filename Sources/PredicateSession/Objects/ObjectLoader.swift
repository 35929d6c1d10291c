import PredicateData
import PredicateSyntax

/// The progress of a long task.
package struct Progress: Sendable {
    /// The name of the task: `loading log.jsonl`
    package var task: String
    /// The bytes or objects that are done, and their total if it is known.
    package var done: Int
    package var total: Int?
    /// The number of objects so far.
    package var objects: Int
}

/// The result of reading objects.
package struct LoadedObjects {
    package var table: ObjectTable
    /// The number of records that could not be read, and the first errors.
    package var unreadable = 0
    package var errors: [DataError] = []
    /// True if the user cancelled.
    package var wasCancelled = false
    /// The header of CSV and TSV.
    package var header: RecordHeader?
    /// Notes about the file and its columns.
    package var notes: [ReadingNote] = []
}

/// Reads all objects of a source into a table.
struct ObjectLoader {
    private static let reportedErrors = 3
    /// The number of objects between two progress reports.
    private static let step = 8192

    let environment: SessionEnvironment
    let name: String

    func load(_ file: OpenedFile, _ options: RecordOptions) throws(DataError) -> LoadedObjects {
        let source = CountingSource(file.source)
        let reader = try RecordReader(source: source, options: options)
        var builder = ObjectTableBuilder()
        var loaded = LoadedObjects(table: .empty)
        while let record = try next(reader, &loaded) {
            let columns = reader.header?.columns
            builder.append(record.value) { columns ?? KeyOrder.keys(ofJSON: record.raw) }
            guard builder.count.isMultiple(of: Self.step) else { continue }
            report(source.count, of: file.size, builder.count)
            loaded.wasCancelled = environment.isCancelled()
            if loaded.wasCancelled { break }
        }
        environment.finishProgress()
        (loaded.header, loaded.notes) = (reader.header, reader.notes)
        loaded.table = builder.table()
        return loaded
    }

    private func report(_ done: Int, of total: Int?, _ objects: Int) {
        environment.progress(Progress(task: "loading \(name)", done: done, total: total, objects: objects))
    }

    /// The next record that can be read.
    private func next(_ reader: RecordReader, _ loaded: inout LoadedObjects) throws(DataError) -> SourceRecord? {
        while true {
            do throws(DataError) {
                return try reader.next()
            } catch {
                guard error.isRecoverable else { throw error }
                loaded.unreadable += 1
                if loaded.errors.count < Self.reportedErrors { loaded.errors.append(error) }
            }
        }
    }
}

/// A source that counts the bytes read from it.
private final class CountingSource: ByteSource {
    private let base: any ByteSource
    private(set) var count = 0

    init(_ base: any ByteSource) {
        self.base = base
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws(DataError) -> Int {
        let length = try base.read(into: buffer)
        count += length
        return length
    }
}
