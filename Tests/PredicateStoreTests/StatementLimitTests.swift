import Foundation
import PredicateEvaluation
import PredicateSQL
import PredicateStore
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Limits of the statements that a connection runs. [NSP-420]
@Suite struct StatementLimitTests {
    /// A file with `count` rows: `n` from 1, and `text`, a string of 1,000 letters.
    private func withRows(_ count: Int, _ body: (String) throws -> Void) throws {
        let path = NSTemporaryDirectory() + "statement-limits-\(UUID().uuidString).sqlite"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try StoreConnection(path, SQLiteOptions(.create)).execute(
            """
            CREATE TABLE item (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, text TEXT NOT NULL);
            WITH RECURSIVE numbers(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(count))
            INSERT INTO item SELECT n, n, replace(hex(zeroblob(250)), '00', 'ÄbaB') FROM numbers;
            """)
        try body(path)
    }

    private func connection(
        _ path: String, _ access: SQLiteOptions.Access = .readOnly, steps: Int, patternSteps: Int = 10_000_000
    ) throws -> StoreConnection {
        let limits = PredicateLimits(patternSteps: patternSteps, statementSteps: steps)
        return try StoreConnection(path, SQLiteOptions(access, limits: limits))
    }

    private func exceeds(_ error: StoreError?, _ steps: Int) -> Bool {
        error?.code == .exceeds(.statementSteps, limit: steps)
    }

    private static let pairs = SQLFragment("SELECT COUNT(*) FROM item AS a, item AS b WHERE a.n * b.n < 0")

    @Test func aStatementEndsAtItsLimit() throws {
        try withRows(1_000) { path in
            let limited = try connection(path, steps: 100_000)
            let error = StoreError.thrown { try limited.rows(of: Self.pairs).all() }
            #expect(exceeds(error, 100_000))
            #expect(error?.title == "expected at most 100000 steps of a statement")
            #expect(error?.hints.isEmpty == false)
            // The next statement has steps of its own.
            #expect(try limited.rows(of: SQLFragment("SELECT COUNT(*) FROM item")).all() == [[.integer(1_000)]])
            #expect(try connection(path, steps: 100_000_000).rows(of: Self.pairs).all() == [[.integer(0)]])
            #expect(try StoreConnection(path).rows(of: Self.pairs).all() == [[.integer(0)]])
        }
    }

    /// A single instruction reads a long string, whose pages count.
    @Test func pagesThatAreRead() throws {
        try withRows(100) { path in
            try StoreConnection(path, SQLiteOptions(.readWrite)).execute(
                "UPDATE item SET text = replace(hex(zeroblob(50000)), '00', 'aB') || id")
            let pairs = SQLFragment("SELECT COUNT(*) FROM item AS a, item AS b WHERE a.text > b.text || 'z'")
            let error = StoreError.thrown { try connection(path, steps: 1_000_000).rows(of: pairs).all() }
            #expect(exceeds(error, 1_000_000))
            #expect(try connection(path, steps: 100_000_000).rows(of: pairs).all().count == 1)
        }
    }

    @Test func rowsThatWereReadRemain() throws {
        try withRows(1_000) { path in
            let rows = try connection(path, steps: 2_000).rows(of: SQLFragment("SELECT n FROM item WHERE n > 0"))
            var numbers: [[SQLBinding]] = []
            let error = StoreError.thrown { while let row = try rows.next() { numbers.append(row) } }
            #expect(exceeds(error, 2_000))
            #expect(numbers.count > 50 && numbers.count < 1_000)
            #expect(try rows.next() == nil)
        }
    }

    /// Each statement is counted by itself, whichever ran in between.
    @Test func statementsThatAlternate() throws {
        try withRows(200) { path in
            let limited = try connection(path, steps: 4_000)
            let first = try limited.rows(of: SQLFragment("SELECT n FROM item"))
            let other = SQLFragment("SELECT COUNT(*) FROM item WHERE n > 100")
            var count = 0
            while try first.next() != nil {
                count += 1
                #expect(try limited.rows(of: other).all() == [[.integer(100)]])
            }
            #expect(count == 200)
        }
    }

    @Test func functionsCountWhatTheyRead() throws {
        try withRows(1_000) { path in
            let store = try ObjectStore(connection(path, steps: 40_000))
            for format in [
                "text CONTAINS[cd] 'zz'", "text ==[c] 'zz'", "text LIKE[c] '*z*z'", "text <[cd] 'a'",
                "uppercase(text) == 'ZZ'", "text MATCHES 'z?.*[yz]'", "length(text) == 7",
            ] {
                let error = StoreError.thrown { try store.fetchAll("item", where: FormatPredicate(format)) }
                #expect(exceeds(error, 40_000), "\(format): \(String(describing: error))")
            }
            #expect(try store.fetchAll("item", where: FormatPredicate("n > 990")).count == 10)
        }
    }

    /// A pattern that tries many ways takes the steps that its matcher reports.
    @Test func regularExpressions() throws {
        try withRows(100) { path in
            let predicate = try FormatPredicate("text MATCHES[d] '(?=.)[A-z]*[A-z]*[xy]'")
            let costly = try ObjectStore(connection(path, steps: .max - 1, patternSteps: 20_000))
            let error = StoreError.thrown { try costly.fetchAll("item", where: predicate) }
            guard case .evaluation(let reason)? = error?.code, case .patternTooCostly = reason.code else {
                Issue.record("\(String(describing: error))")
                return
            }
            let counted = try ObjectStore(connection(path, steps: 1_000_000))
            #expect(exceeds(StoreError.thrown { try counted.fetchAll("item", where: predicate) }, 1_000_000))
        }
    }

    @Test func aChangeThatExceedsItsLimitChangesNothing() throws {
        try withRows(1_000) { path in
            let store = try ObjectStore(connection(path, .readWrite, steps: 3_000))
            let all = try FormatPredicate("n > 0")
            #expect(exceeds(StoreError.thrown { try store.update("item", ["n": -1], where: all) }, 3_000))
            #expect(exceeds(StoreError.thrown { try store.delete("item", where: all) }, 3_000))
            let free = try ObjectStore(StoreConnection(path))
            #expect(try free.fetchCount(PredicateFetchRequest("item", all)) == 1_000)
            let none = PredicateFetchRequest("item", try FormatPredicate("n * n < 0"))
            #expect(exceeds(StoreError.thrown { try store.fetchCount(none) }, 3_000))
            #expect(exceeds(StoreError.thrown { try store.exists(none) }, 3_000))
        }
    }

    @Test func aStoreCompilesUnderTheLimitsOfItsConnection() throws {
        try withRows(10) { path in
            let store = try ObjectStore(StoreConnection(path, SQLiteOptions(limits: .untrusted)))
            let searches = (0..<61).map { "text CONTAINS[cd] 'z\($0)'" }.joined(separator: " OR ")
            let error = StoreError.thrown { try store.fetchAll("item", where: FormatPredicate(searches)) }
            guard case .compilation(let reason)? = error?.code else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(reason.code == .exceeds(.statementSearches, limit: 60))
            #expect(try store.reader().connection.rows(of: SQLFragment("SELECT 1")).all().count == 1)
            // A residual is evaluated under the same limits.
            let pattern = try PredicateFetchRequest(
                "item", FormatPredicate("text.description MATCHES[d] '(?=.)([A-z]*)*[b-z]*[xy]'"), allowsResidual: true)
            #expect(throws: StoreError.self) { try store.fetchAll(pattern) }
        }
    }

    /// The steps do not depend on the machine.
    @Test func stepsAreReproducible() throws {
        try withRows(300) { path in
            func rows(_ steps: Int) throws -> Int {
                let query = SQLFragment("SELECT n FROM item WHERE n * 2 > n")
                let rows = try connection(path, steps: steps).rows(of: query)
                var count = 0
                do { while try rows.next() != nil { count += 1 } } catch { return count }
                return count
            }
            let counts = [try rows(1_000), try rows(1_000), try rows(5_000)]
            #expect(counts[0] == counts[1] && counts[1] < counts[2], "\(counts)")
        }
    }
}
