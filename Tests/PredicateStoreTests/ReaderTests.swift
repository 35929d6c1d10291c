import Foundation
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Synchronization
import Testing

/// Readers beside a writer, in a file with a write-ahead log.
@Suite struct ReaderTests {
    private static let schema = SQLSchema([
        SQLEntity(
            "Account", table: "account",
            attributes: ["id": SQLAttribute(.integer), "balance": SQLAttribute(.integer, isNullable: false)])
    ])

    private func accounts(_ directory: TemporaryDirectory, count: Int = 200) throws -> ObjectStore {
        let options = SQLiteOptions(.create, busyTimeout: .zero, journal: .wal)
        let connection = try StoreConnection(directory.file(), options)
        try connection.execute(
            """
            CREATE TABLE account (id INTEGER PRIMARY KEY, balance INTEGER NOT NULL);
            WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < \(count))
            INSERT INTO account SELECT i, 100 FROM n;
            """)
        return try ObjectStore(connection, schema: Self.schema)
    }

    private func total(_ store: ObjectStore) throws -> PredicateValue? {
        try store.fetchDictionaries(PredicateFetchRequest("Account"), [.sum("balance", as: "sum")], .grouped(by: []))
            .first?[
                "sum"]
    }

    @Test func journals() throws {
        let directory = try TemporaryDirectory()
        let store = try accounts(directory)
        #expect(try store.connection.value("PRAGMA journal_mode") == .text("wal"))
        // It stays with the file, and can be taken back by the only connection.
        #expect(try store.reader().connection.value("PRAGMA journal_mode") == .text("wal"))
        let other = try TemporaryDirectory()
        _ = try accounts(other)
        let rollback = try StoreConnection(other.file(), SQLiteOptions(.readWrite, journal: .rollback))
        #expect(try rollback.value("PRAGMA journal_mode") == .text("delete"))
        #expect(try StoreConnection.inMemory(SQLiteOptions(.create, journal: .wal)).value("SELECT 1") == .integer(1))
        let memory = try ObjectStore(StoreConnection.inMemory())
        #expect(storeError { _ = try memory.reader() }?.code == .inMemory)
    }

    /// Transfers keep the sum: no reader ever sees half of one, and nobody finds the file locked, without any waiting.
    @Test func manyReadersBesideOneWriter() async throws {
        let directory = try TemporaryDirectory()
        let store = try accounts(directory)
        let isDone = Flag()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<4 {
                let reader = try store.reader()
                group.addTask {
                    var sums = 0
                    while !isDone.isSet || sums == 0 {
                        let sum = try total(reader)
                        #expect(sum == 20_000)
                        sums += 1
                        await Task.yield()
                    }
                    return sums
                }
            }
            group.addTask {
                defer { isDone.set() }
                for round in 1...150 {
                    try store.transaction { () throws(StoreError) in
                        try move(7, from: round % 200 + 1, to: (round * 7) % 200 + 1, store)
                    }
                    await Task.yield()
                }
                return 150
            }
            var all: [Int] = []
            for try await count in group { all.append(count) }
            #expect(all.count == 5)
        }
        #expect(try total(store) == 20_000)
        #expect(try store.fetchCount(PredicateFetchRequest("Account", FormatPredicate("balance != 100"))) > 10)
    }

    private func move(_ amount: Int64, from: Int, to: Int, _ store: ObjectStore) throws(StoreError) {
        for (number, change) in [(from, -amount), (to, amount)] {
            let isAccount = ExpressionNode.evaluatedObject.isEqual(
                to: SQLObjectID("Account", key: .integer(Int64(number))))
            guard let account = try store.fetchOne("Account", where: isAccount),
                case .integer(let balance)? = account["balance"]
            else { continue }
            try store.update(account, ["balance": balance + change])
        }
    }

    /// A fetch sees the file as it was at its beginning, whatever is committed while its objects are read.
    @Test func aRunningFetchIsASnapshot() throws {
        let directory = try TemporaryDirectory()
        let store = try accounts(directory)
        let reader = try store.reader()
        let running = try reader.fetchCursor(PredicateFetchRequest("Account", sortKeys: [SortKey("id")]))
        _ = try running.next()
        try store.update("Account", ["balance": 0], where: FormatPredicate("TRUEPREDICATE"))
        try store.insert("Account", ["balance": 5])
        let rest = try running.all()
        #expect(rest.count == 199)
        #expect(rest.allSatisfy { $0["balance"] == 100 })
        #expect(try total(reader) == 5)
    }

    @Test func severalFetchesOfOneState() throws {
        let directory = try TemporaryDirectory()
        let store = try accounts(directory)
        let reader = try store.reader()
        let (before, after) = try reader.snapshot { () throws(StoreError) in
            let before = try reader.fetchCount(PredicateFetchRequest("Account"))
            try store.insert("Account", ["balance": 5])
            return (before, try reader.fetchCount(PredicateFetchRequest("Account")))
        }
        #expect((before, after) == (200, 200))
        #expect(try reader.fetchCount(PredicateFetchRequest("Account")) == 201)
        #expect(
            storeError { try reader.snapshot { () throws(StoreError) in throw StoreError(.inMemory) } }?.code
                == .inMemory)
        #expect(try reader.fetchCount(PredicateFetchRequest("Account")) == 201)
        // Inside a transaction it is the transaction.
        let count = try store.transaction { () throws(StoreError) in
            try store.insert("Account", ["balance": 5])
            return try store.snapshot { () throws(StoreError) in try store.fetchCount(PredicateFetchRequest("Account"))
            }
        }
        #expect(count == 202)
    }

    @Test func objectsOfAReaderAreArguments() throws {
        let library = try Library(SQLiteOptions(.create, journal: .wal))
        let reader = try library.store.reader()
        let ann = try #require(try reader.fetchOne("Author", where: FormatPredicate("name == 'Ann'")))
        #expect(try library.store.fetchCount(PredicateFetchRequest("Book", FormatPredicate("author == %@", ann))) == 3)
        #expect(try library.store.update(ann, ["name": "Anna"])["name"] == "Anna")
        #expect(try reader.fetchCount(PredicateFetchRequest("Author", FormatPredicate("name == 'Anna'"))) == 1)
        #expect(storeError { try reader.update(ann, ["name": "A"]) }?.code == .readOnlyConnection)
    }
}

/// A flag that several tasks share.
private final class Flag: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
}
