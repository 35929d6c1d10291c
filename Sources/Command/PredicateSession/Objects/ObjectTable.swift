import PredicateData
import PredicateEvaluation
import PredicateSyntax

/// The loaded objects of a session, stored by column.
package struct ObjectTable: Sendable {
    let rows: ColumnTable
    /// The keys of the objects, in the order of the data.
    package let columns: [String]

    /// A table without objects.
    package static let empty = ObjectTable(rows: ColumnTable(rows: []), columns: [])

    /// The number of objects.
    package var count: Int { rows.count }

    package var isEmpty: Bool { count == 0 }

    /// The object in a row; nil for an index out of bounds.
    package subscript(row: Int) -> KeyedValue { rows[row].keyedValue }

    /// Returns the indices of at most `limit` rows, spread evenly over the table.
    package func spread(_ limit: Int) -> [Int] {
        guard limit < count else { return Array(0..<count) }
        return (0..<max(0, limit)).map { $0 * count / limit }
    }
}

/// Builds a table, one object after another.
struct ObjectTableBuilder {
    private let rows = ColumnTableBuilder()
    private var columns: [String] = []
    private var knownColumns: Set<String> = []
    /// The keys of the last dictionary. Most objects have the same keys in the same order.
    private var lastKeys: [String] = []

    /// The number of objects so far.
    var count: Int { rows.count }

    /// Adds an object. `names` returns all of its keys in source order, even those that were not read; it is called for the
    /// first object, and whenever there are new keys.
    mutating func append(_ value: PredicateValue, names: () -> [String]) {
        rows.append(value)
        let isFirst = count == 1
        guard case .dictionary(let members) = value, isFirst || !members.keys.elementsEqual(lastKeys) else { return }
        lastKeys = Array(members.keys)
        guard isFirst || !knownColumns.isSuperset(of: lastKeys) else { return }
        for name in names() + lastKeys.sorted() where knownColumns.insert(name).inserted { columns.append(name) }
    }

    /// Returns the table of all objects so far.
    func table() -> ObjectTable {
        ObjectTable(rows: rows.table(), columns: columns)
    }
}

/// The progress of a long task.
package struct TaskProgress: Sendable {
    /// The name of the task: `loading log.jsonl`
    package var task: String
    /// The number of bytes or objects that have been processed, and their total if it is known.
    package var done: Int
    package var total: Int?
    /// The number of objects so far, and the noun for them.
    package var objects: Int
    package var noun = "object"

    package init(task: String, done: Int, total: Int? = nil, objects: Int, noun: String = "object") {
        (self.task, self.done, self.total, self.objects, self.noun) = (task, done, total, objects, noun)
    }
}

/// The result of reading objects.
package struct LoadedObjects {
    package var table: ObjectTable
    /// The number of records that could not be read, and the first errors.
    package var unreadable = 0
    package var errors: [DataError] = []
    /// True if the user cancelled.
    package var wasCancelled = false
    /// The header of CSV or TSV.
    package var header: RecordHeader?
    /// The options of the reader.
    package var options = RecordOptions()
    /// Notes about the file and its columns.
    package var notes: [ReadingNote] = []
    /// The records that were not read.
    package var rest: RestOfFile?
}

/// Reads all objects of a source into a table.
struct ObjectLoader {
    private static let reportedErrors = 3
    /// The number of objects between two progress reports.
    private static let step = 8192

    let environment: SessionEnvironment
    let name: String
    /// The maximum number of objects; nil for no limit.
    var limit: Int?

    func load(_ file: OpenedFile, _ options: RecordOptions) throws(DataError) -> LoadedObjects {
        let source = CountingSource(file.source)
        let reader = try RecordReader(source: source, options: options)
        var builder = ObjectTableBuilder()
        var loaded = LoadedObjects(table: .empty)
        while let record = try next(reader, &loaded) {
            let columns = reader.header?.columns
            builder.append(record.value) { columns ?? KeyOrder.keys(ofJSON: record.raw) }
            if builder.count == limit {
                loaded.rest = RestOfFile(reader)
                break
            }
            guard builder.count.isMultiple(of: Self.step) else { continue }
            report(source.count, of: file.size, builder.count)
            loaded.wasCancelled = environment.isCancelled()
            if loaded.wasCancelled { break }
        }
        environment.finishProgress()
        (loaded.header, loaded.notes, loaded.options) = (reader.header, reader.notes, reader.options)
        loaded.table = builder.table()
        return loaded
    }

    private func report(_ done: Int, of total: Int?, _ objects: Int) {
        environment.progress(TaskProgress(task: "loading \(name)", done: done, total: total, objects: objects))
    }

    /// Returns the next readable record; nil at the end.
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

/// Reads the keys of a JSON object in source order, which a dictionary does not keep.
enum KeyOrder {
    /// Returns the keys of the outermost object, except keys with escapes; empty for other values.
    static func keys(ofJSON bytes: [UInt8]) -> [String] {
        var keys: [String] = []
        var depth = 0
        var index = 0
        var lastString = 0..<0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "\""):
                let end = stringEnd(bytes, from: index + 1)
                lastString = index + 1..<end
                index = end
            case UInt8(ascii: ":") where depth == 1: keys.append(String(decoding: bytes[lastString], as: UTF8.self))
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            index += 1
        }
        return keys.filter { !$0.contains("\\") }
    }

    private static func stringEnd(_ bytes: [UInt8], from start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
            index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        return min(index, bytes.count)
    }
}
