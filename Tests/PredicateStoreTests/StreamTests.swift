import Foundation
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Objects and results as asynchronous sequences.
@Suite struct StreamTests {
    private func numbers(_ count: Int, _ directory: TemporaryDirectory) throws -> ObjectStore {
        let connection = try directory.database(
            "store.sqlite",
            """
            CREATE TABLE number (id INTEGER PRIMARY KEY, half INTEGER, filler TEXT);
            WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            INSERT INTO number SELECT i, i / 2, printf('%0100d', i) FROM n;
            """)
        return try ObjectStore(connection)
    }

    @Test func allObjectsInOrder() async throws {
        let directory = try TemporaryDirectory()
        let store = try numbers(1_000, directory)
        let request = PredicateFetchRequest("number", sortKeys: [SortKey("id", ascending: false)], limit: 900)
        let stream = store.stream(request)
        for _ in 0..<2 {
            var found: [Int64] = []
            for try await object in stream { found.append(object.number) }
            #expect(found == (101...1_000).reversed().map { Int64($0) })
        }
        var none = 0
        for try await _ in store.stream(PredicateFetchRequest("number", .constant(false))) { none += 1 }
        #expect(none == 0)
    }

    @Test func results() async throws {
        let directory = try TemporaryDirectory()
        let store = try numbers(500, directory)
        let request = PredicateFetchRequest("number", sortKeys: [SortKey("half")])
        var halves: [PredicateValue] = []
        for try await row in store.stream(
            request, ["half", .count(as: "n")], .grouped(by: ["half"], having: try FormatPredicate("n == 2")))
        {
            #expect(row["n"] == 2)
            halves.append(row["half"] ?? .null)
        }
        #expect(halves == (1...249).map { .integer($0) })
    }

    @Test func errors() async throws {
        let directory = try TemporaryDirectory()
        let store = try numbers(5, directory)
        await #expect(throws: StoreError.self) {
            for try await _ in store.stream(PredicateFetchRequest("numbers")) {}
        }
        await #expect(throws: StoreError.self) {
            for try await _ in store.stream(PredicateFetchRequest("number"), ["wings"]) {}
        }
        var iterator = store.stream(PredicateFetchRequest("number", limit: -1)).makeAsyncIterator()
        do {
            _ = try await iterator.next()
            Issue.record("expected an error")
        } catch {
            #expect(error.code == .negativeLimit(-1))
        }
        #expect(try await iterator.next() == nil)
    }

    /// No more is read than the loop asks for, but for some rows; leaving it gives the file free.
    @Test func readingWaitsForTheLoop() async throws {
        let directory = try TemporaryDirectory()
        let store = try numbers(100_000, directory)
        let writer = try StoreConnection(store.connection.path, SQLiteOptions(.readWrite, busyTimeout: .zero))
        let insert = SQLFragment("INSERT INTO number (half) VALUES (0)")
        do {
            var iterator = store.stream(PredicateFetchRequest("number")).makeAsyncIterator()
            for _ in 0..<10 { _ = try await iterator.next() }
            // The statement still runs: in a file without a write-ahead log a writer finds it locked.
            #expect(storeError { try writer.run(insert) }?.result == .busy)
            let object = try #require(try await iterator.next())
            #expect(object.number == 11)
        }
        #expect(try writer.run(insert) == 1)
    }

    /// A hundred and fifty thousand objects of a kilobyte each take no more memory than the first thousand.
    @Test func memoryStaysFlat() throws {
        let directory = try TemporaryDirectory()
        let store = try numbers(0, directory)
        try store.connection.execute(
            """
            WITH RECURSIVE n(i) AS (VALUES (2) UNION ALL SELECT i + 1 FROM n WHERE i < 150000)
            INSERT INTO number SELECT i, i / 2, printf('%01000d', i) FROM n;
            """)
        let stream = try report("stream", store.connection.path)
        #expect(stream.count == 150_000)
        #expect(stream.growth < 8_000)
        let all = try report("all", store.connection.path)
        #expect(all.count == 150_000)
        #expect(all.growth > 150_000)
    }

    /// The number of objects that another process reads, and the growth of its memory in kilobytes.
    private func report(_ mode: String, _ path: String) throws -> (count: Int, growth: Int) {
        let child = Process()
        child.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("StoreChanger")
        child.arguments = [mode, path]
        let output = Pipe()
        child.standardOutput = output
        try child.run()
        let report = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        child.waitUntilExit()
        let numbers = report.split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
        return numbers.count == 2 ? (numbers[0], numbers[1]) : (0, .max)
    }

    @Test func cancellationStopsTheStatement() async throws {
        let directory = try TemporaryDirectory()
        let store = try numbers(100_000, directory)
        let writer = try StoreConnection(store.connection.path, SQLiteOptions(.readWrite, busyTimeout: .zero))
        let loop = Task { () -> (Int, StoreError?) in
            var count = 0
            do {
                for try await _ in store.stream(PredicateFetchRequest("number")) {
                    count += 1
                    if count == 100 { withUnsafeCurrentTask { $0?.cancel() } }
                }
                return (count, nil)
            } catch {
                return (count, error as? StoreError)
            }
        }
        let (count, error) = await loop.value
        #expect(count == 100)
        #expect(error?.result == .interrupted)
        #expect(try writer.run(SQLFragment("INSERT INTO number (half) VALUES (0)")) == 1)
        // A statement that finds nothing for long is stopped as well.
        let search = Task {
            let predicate = try FormatPredicate("filler CONTAINS[cd] 'zz'")
            for try await _ in store.stream(PredicateFetchRequest("number", predicate)) {}
        }
        search.cancel()
        await #expect(throws: (any Error).self) { try await search.value }
    }
}
