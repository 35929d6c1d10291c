import Foundation
import PredicateSQL
import PredicateStore
import Testing

/// A process that is killed during its changes: the file opens afterwards, is intact, and has all of a change or none.
@Suite(.serialized) struct KilledChangeTests {
    private static let rounds = 25

    @Test(arguments: ["DELETE", "WAL", "TRUNCATE"]) func changesOfAKilledProcessAreAtomic(journal: String) throws {
        let directory = try TemporaryDirectory()
        let path = directory.file()
        do {
            let connection = try directory.database(
                "store.sqlite",
                """
                PRAGMA journal_mode = \(journal);
                CREATE TABLE first (id INTEGER PRIMARY KEY, value INTEGER, filler TEXT);
                CREATE TABLE second (id INTEGER PRIMARY KEY, value INTEGER, filler TEXT);
                WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
                INSERT INTO first SELECT i, 0, printf('%0100d', i) FROM n;
                INSERT INTO second SELECT id, 0, filler FROM first;
                """)
            _ = connection
        }
        var random = SystemRandomNumberGenerator()
        var changes = 0
        for _ in 0..<Self.rounds {
            let committed = try killedRun(path, after: Double.random(in: 0...0.02, using: &random))
            changes += committed
            let connection = try StoreConnection(path, SQLiteOptions(.readWrite))
            #expect(try connection.value("PRAGMA integrity_check") == .text("ok"))
            let values = try connection.rows(
                "SELECT value, count(*) FROM (SELECT value FROM first UNION ALL SELECT value FROM second) GROUP BY 1")
            #expect(values.count == 1, "\(values)")
            guard case .integer(let value)? = values.first?.first else {
                Issue.record("no rows: \(values)")
                return
            }
            // Every reported change is there; one more may have been committed without a report.
            #expect(values.first?.last == .integer(6000))
            #expect([Int64(committed), Int64(committed) + 1].contains(value) || committed == 0)
        }
        #expect(changes > 0)
    }

    /// Starts the child, waits for its first commit and a delay, kills it, and returns the last reported change.
    private func killedRun(_ path: String, after delay: Double) throws -> Int {
        let child = Process()
        child.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appendingPathComponent("StoreChanger")
        child.arguments = [path]
        let output = Pipe()
        child.standardOutput = output
        try child.run()
        var report = output.fileHandleForReading.availableData
        Thread.sleep(forTimeInterval: delay)
        kill(child.processIdentifier, SIGKILL)
        report += output.fileHandleForReading.readDataToEndOfFile()
        child.waitUntilExit()
        #expect(child.terminationReason == .uncaughtSignal)
        let lines = String(decoding: report, as: UTF8.self).split(separator: "\n")
        return lines.last.flatMap { Int($0) } ?? 0
    }
}
