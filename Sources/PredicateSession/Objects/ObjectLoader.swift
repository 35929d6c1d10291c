import PredicateData
import PredicateSyntax

/// How far a long piece of work has come.
package struct Progress: Sendable {
    /// What is being done: `loading log.jsonl`
    package var task: String
    /// What is done, and all there is to do, where that is known: bytes or objects.
    package var done: Int
    package var total: Int?
    /// How many objects there are so far.
    package var objects: Int
}

/// What became of reading objects.
package struct LoadedObjects {
    package var table: ObjectTable
    /// Records that could not be read, and the first errors among them.
    package var unreadable = 0
    package var errors: [DataError] = []
    /// Whether the user broke it off.
    package var wasCancelled = false
}

/// Reads all objects of a source into a table.
struct ObjectLoader {
    private static let reportedErrors = 3
    /// How many objects are read between two looks at the clock.
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
        loaded.table = builder.finish()
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

/// A source that counts what is read of it.
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
