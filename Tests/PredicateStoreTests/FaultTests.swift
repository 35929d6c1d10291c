import Foundation
import PredicateSQL
import PredicateStore
import Synchronization
import Testing

/// Files that are damaged, locked, not databases, or change while they are read: a typed error each time.
@Suite struct FaultTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private static let script = """
        CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT);
        WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
        INSERT INTO t SELECT i, printf('%0200d', i) FROM n;
        """

    /// Creates a database of several hundred pages.
    private func large(_ name: String = "store.sqlite") throws -> String {
        _ = try directory.database(name, Self.script)
        return directory.file(name)
    }

    @Test func filesThatAreNotDatabases() throws {
        let text = try directory.write(Array(String(repeating: "not a database. ", count: 100).utf8), to: "a.txt")
        #expect(storeError { _ = try StoreConnection(text) }?.result == .notADatabase)
        let short = try directory.write([1, 2, 3], to: "b")
        #expect(storeError { _ = try StoreConnection(short) }?.result == .notADatabase)
    }

    @Test func emptyFile() throws {
        let path = try directory.write([], to: "empty")
        #expect(try StoreConnection(path).schema().entities.isEmpty)
    }

    @Test func damagedFiles() throws {
        let path = try large()
        let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: path)))
        var numbers = UInt64(1)
        var failures = 0
        for round in 0..<200 {
            var damaged = bytes
            for _ in 0..<(round % 40 + 1) {
                numbers = numbers &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                let reach = round % 2 == 0 ? 8192 : damaged.count
                damaged[Int(numbers >> 33) % reach] = UInt8(truncatingIfNeeded: numbers >> 24)
            }
            if round % 5 == 0 { damaged.removeLast(damaged.count / (round / 5 + 2)) }
            let file = try directory.write(damaged, to: "damaged-\(round)")
            let error = storeError {
                let connection = try StoreConnection(file)
                _ = try connection.schema()
                _ = try connection.rows("SELECT * FROM t WHERE name LIKE '%9%' ORDER BY name")
            }
            if error != nil { failures += 1 }
        }
        #expect(failures > 50)
    }

    @Test func fileTruncatedWhileReading() throws {
        let path = try large()
        let connection = try StoreConnection(path)
        let rows = try connection.rows(of: SQLFragment("SELECT id, name FROM t"))
        #expect(try rows.next() != nil)
        #expect(truncate(path, 8192) == 0)
        let error = storeError { while try rows.next() != nil {} }
        #expect(error?.result == .corrupt || error?.result == .inputOutput, "\(String(describing: error))")
        #expect(try rows.next() == nil)
    }

    @Test func fileReplacedWhileOpen() throws {
        let path = try large()
        let connection = try StoreConnection(path)
        let other = try directory.database("other.sqlite", "CREATE TABLE u (a)")
        _ = other
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: directory.file("other.sqlite"), toPath: path)
        // The connection keeps the file that it opened.
        #expect(try connection.value("SELECT count(*) FROM t") == .integer(5000))
        #expect(try StoreConnection(path).rows("SELECT * FROM u").isEmpty)
    }

    @Test func busyTimeoutExpires() throws {
        let path = try large()
        let writer = try StoreConnection(path, SQLiteOptions(.readWrite))
        try writer.execute("BEGIN EXCLUSIVE")
        let started = ContinuousClock.now
        let error = storeError {
            _ = try StoreConnection(path, SQLiteOptions(busyTimeout: .milliseconds(100))).schema()
        }
        #expect(error?.result == .busy)
        #expect(ContinuousClock.now - started > .milliseconds(90))
        #expect("\(error.map { "\($0)" } ?? "")".contains("locked by another connection"))
        try writer.execute("COMMIT")
        #expect(try StoreConnection(path).value("SELECT count(*) FROM t") == .integer(5000))
    }

    @Test func busyTimeoutWaits() throws {
        let path = try large()
        let writer = try StoreConnection(path, SQLiteOptions(.readWrite))
        try writer.execute("BEGIN EXCLUSIVE")
        // A separate thread: other tests may occupy the pool of the tasks.
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 0.05)
            try? writer.execute("COMMIT")
        }
        let reader = try StoreConnection(path, SQLiteOptions(busyTimeout: .seconds(60)))
        #expect(try reader.value("SELECT count(*) FROM t") == .integer(5000))
    }

    @Test func readersAndWriterInWALMode() throws {
        let writer = try directory.database("store.sqlite", "PRAGMA journal_mode = WAL; CREATE TABLE t (a)")
        let reader = try StoreConnection(directory.file())
        try writer.execute("BEGIN IMMEDIATE; INSERT INTO t VALUES (1)")
        #expect(try reader.value("SELECT count(*) FROM t") == .integer(0))
        try writer.execute("COMMIT")
        #expect(try reader.value("SELECT count(*) FROM t") == .integer(1))
    }

    @Test func tablesChangedByAnotherConnection() throws {
        let writer = try directory.database("store.sqlite", "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        let reader = try StoreConnection(directory.file())
        #expect(try reader.rows("SELECT * FROM t") == [[.integer(1)]])
        try writer.execute("ALTER TABLE t ADD COLUMN b DEFAULT 2")
        #expect(try reader.rows("SELECT * FROM t") == [[.integer(1), .integer(2)]])
        try writer.execute("DROP TABLE t")
        #expect(storeError { _ = try reader.rows("SELECT * FROM t") }?.message.contains("no such table") == true)
    }

    @Test func interruptedStatements() async throws {
        let connection = try directory.database()
        let endless = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        let isOver = Flag()
        Thread.detachNewThread {
            // The first time may be too early.
            while !isOver.isSet {
                connection.interrupt()
                Thread.sleep(forTimeInterval: 0.01)
            }
        }
        #expect(storeError { _ = try connection.rows(endless) }?.result == .interrupted)
        isOver.set()
        // Cancellation of the task interrupts, too.
        let cancelled = Task.detached { storeError { _ = try connection.rows(endless) } }
        try await Task.sleep(for: .milliseconds(20))
        cancelled.cancel()
        #expect(await cancelled.value?.result == .interrupted)
        #expect(try StoreConnection(connection.path).rows("SELECT 1") == [[.integer(1)]])
    }

    @Test func severalTasksAtOnce() async throws {
        let connection = try StoreConnection(large(), SQLiteOptions(.readWrite))
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<16 {
                group.addTask {
                    var count = 0
                    let fragment = SQLFragment(
                        "SELECT id FROM t WHERE id % 16 = ?1", bindings: [.integer(Int64(number))])
                    let rows = try connection.rows(of: fragment)
                    while try rows.next() != nil { count += 1 }
                    try connection.transaction { () throws(StoreError) in
                        _ = try connection.run(
                            SQLFragment(verbatim: "UPDATE t SET name = 'x' WHERE id = \(number + 1)"))
                    }
                    return count
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(counts == 5000)
        #expect(try connection.value("SELECT count(*) FROM t WHERE name = 'x'") == .integer(16))
    }
}

/// A flag shared by threads.
private final class Flag: Sendable {
    private let state = Mutex(false)

    var isSet: Bool { state.withLock { $0 } }

    func set() {
        state.withLock { $0 = true }
    }
}
