import Foundation
import PredicateSQL
import PredicateSyntax
import Testing

@testable import PredicateStore

/// Asynchronous reads and writes: readers beside one writer. [NSP-500]
///
/// The limit ends a deadlock. It counts the time in which other tests keep the threads busy, so it is long.
@Suite(.timeLimit(.minutes(60))) struct PoolTests {
    private let bank: Bank

    init() throws {
        bank = try Bank()
    }

    /// Transfers keep the sum: every read sees one state, in both of its fetches, and nobody finds the file locked,
    /// without any waiting for locks.
    @Test func everyReadIsASnapshot() async throws {
        let bank = bank
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                group.addTask {
                    for _ in 0..<20 {
                        let sums = try await bank.store.read { reader in
                            try (0..<3).map { _ in (try Bank.total(reader), try Bank.balances(reader)) }
                        }
                        #expect(sums.allSatisfy { $0.0 == 20_000 && $0.1 == sums[0].1 })
                    }
                }
            }
            group.addTask {
                for round in 1...150 { try await bank.transfer(7, from: round % 200 + 1, to: (round * 7) % 200 + 1) }
            }
            try await group.waitForAll()
        }
        #expect(try Bank.total(bank.store) == 20_000)
        #expect(try bank.store.fetchCount(PredicateFetchRequest("Account", FormatPredicate("balance != 100"))) > 10)
    }

    /// Many tasks write at once: no change is lost.
    @Test func writesRunOneAfterAnother() async throws {
        let bank = bank
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<50 { group.addTask { try await bank.transfer(1, from: 1, to: 2) } }
            try await group.waitForAll()
        }
        #expect(try Bank.balances(bank.store)[0...1] == [50, 150])
    }

    @Test func noMoreReadersThanTheOptionsSay() async throws {
        let bank = try Bank(readers: 2)
        let counter = Counter()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<12 {
                group.addTask {
                    try await bank.store.read { reader in
                        counter.enter(reader.connection)
                        Thread.sleep(forTimeInterval: 0.005)
                        counter.leave()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(counter.greatest <= 2)
        #expect(counter.connections.count <= 2)
        #expect(!counter.connections.contains(ObjectIdentifier(bank.store.connection)))
    }

    /// More reads block than there are cores; other tasks go on all the same, one of which ends the reads.
    @Test func blockedReadsDoNotStopOtherTasks() async throws {
        let count = 4 * ProcessInfo.processInfo.activeProcessorCount
        let bank = try Bank(readers: count)
        let (all, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    try await bank.store.read { _ in
                        all.signal()
                        gate.wait()
                    }
                }
            }
            try await bank.store.write { _ in for _ in 0..<count { all.wait() } }
            group.addTask { for _ in 0..<count { gate.signal() } }
            try await group.waitForAll()
        }
    }

    @Test func tasksWaitInOrder() async throws {
        let bank = try Bank(readers: 1)
        let (gate, order) = (DispatchSemaphore(value: 0), Counter())
        let first = Task {
            try await bank.store.read { _ in
                order.add(0)
                gate.wait()
            }
        }
        while order.numbers.isEmpty { await Task.yield() }
        var tasks: [Task<Void, any Error>] = []
        for number in 1...20 {
            tasks.append(Task { try await bank.store.read { _ in order.add(number) } })
            while bank.store.core.pool.readers.waitingCount < number { await Task.yield() }
        }
        gate.signal()
        try await first.value
        for task in tasks { try await task.value }
        #expect(order.numbers == Array(0...20))
    }

    // MARK: - Cancellation

    @Test func cancellationEndsTheStatement() async throws {
        let bank = try Bank(readers: 1)
        let started = Counter()
        let task = Task {
            try await bank.store.read { reader in
                started.add(1)
                try Bank.runForever(reader.connection)
            }
        }
        while started.numbers.isEmpty { await Task.yield() }
        task.cancel()
        #expect(await task.storeError?.result == .interrupted)
        // The same reader goes on with the next read.
        #expect(try await bank.store.read { try Bank.total($0) } == 20_000)
    }

    @Test func cancellationEndsTheWaiting() async throws {
        let bank = try Bank(readers: 1)
        let (gate, isRun) = (DispatchSemaphore(value: 0), Counter())
        let first = Task { try await bank.store.read { _ in gate.wait() } }
        let queue = bank.store.core.pool.readers
        let second = Task { try await bank.store.read { _ in isRun.add(2) } }
        while queue.waitingCount < 1 { await Task.yield() }
        second.cancel()
        first.cancel()
        gate.signal()
        _ = await first.storeError
        #expect(await second.storeError?.result == .interrupted || isRun.numbers == [2])
        #expect(queue.waitingCount == 0)
        let third = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await bank.store.read { _ in isRun.add(3) }
        }
        #expect(await third.storeError?.result == .interrupted)
        #expect(!isRun.numbers.contains(3))
    }

    @Test func aCancelledWriteChangesNothing() async throws {
        let bank = bank
        let started = Counter()
        let task = Task {
            try await bank.store.write { store in
                try store.insert("Account", ["balance": 5])
                started.add(1)
                try Bank.runForever(store.connection)
            }
        }
        while started.numbers.isEmpty { await Task.yield() }
        task.cancel()
        #expect(await task.storeError?.result == .interrupted)
        #expect(try Bank.total(bank.store) == 20_000)
        try await bank.transfer(7, from: 1, to: 2)
        #expect(try Bank.balances(bank.store)[0...1] == [93, 107])
    }

    /// A loop of many short statements ends as well.
    @Test func cancellationEndsALoop() async throws {
        let bank = bank
        let started = Counter()
        let task = Task {
            try await bank.store.read { reader in
                started.add(1)
                while true { _ = try Bank.total(reader) }
            }
        }
        while started.numbers.isEmpty { await Task.yield() }
        task.cancel()
        #expect(await task.storeError?.result == .interrupted)
    }

    /// A server's day: tasks read, write, observe and are cancelled at the same time. Every one of them ends, no change is
    /// lost or half done, and every state that is seen is a whole one.
    @Test func readsWritesLoopsAndCancellationsAtOnce() async throws {
        let bank = try Bank(busyTimeout: .seconds(60))
        let (done, cancelled) = (Counter(), Counter())
        let loops = (0..<4).map { _ in
            Task {
                let request = PredicateFetchRequest("Account")
                let sums = bank.store.changes(of: request, [.sum("balance", as: "sum")], .grouped(by: []))
                for try await rows in sums { #expect(rows.first?["sum"] == 20_000) }
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 {
                group.addTask {
                    let transfer = Task { try await bank.transfer(1, from: 1, to: 2) }
                    let read = Task { try await bank.store.read { try Bank.total($0) } }
                    if number.isMultiple(of: 3) { transfer.cancel() }
                    if number.isMultiple(of: 4) { read.cancel() }
                    let isDone = try await transfer.unlessInterrupted != nil
                    isDone ? done.add(number) : cancelled.add(number)
                    let total = try await read.unlessInterrupted
                    #expect(total == 20_000 || total == nil && number.isMultiple(of: 4))
                }
            }
            try await group.waitForAll()
        }
        for loop in loops { loop.cancel() }
        for loop in loops { try await loop.value }
        let count = Int64(done.numbers.count)
        #expect(count >= 40 && cancelled.numbers.allSatisfy { $0.isMultiple(of: 3) })
        #expect(try Bank.balances(bank.store)[0...1] == [.integer(100 - count), .integer(100 + count)])
    }

    // MARK: - Errors

    private struct OwnError: Error {}

    @Test func errorsOfTheBody() async throws {
        let bank = bank
        await #expect(throws: OwnError.self) {
            try await bank.store.write { store in
                try store.insert("Account", ["balance": 5])
                throw OwnError()
            }
        }
        #expect(try Bank.total(bank.store) == 20_000)
        await #expect(throws: OwnError.self) { try await bank.store.read { _ in throw OwnError() } }
        await #expect(throws: StoreError.self) { try await bank.store.read { try $0.fetchAll("Nothing") } }
        #expect(try await bank.store.read { try Bank.total($0) } == 20_000)
    }

    @Test func readersDoNotWrite() async throws {
        let bank = bank
        let task = Task { try await bank.store.read { try $0.insert("Account", ["balance": 5]).id } }
        #expect(await task.storeError?.code == .readOnlyConnection)
        let reader = try bank.store.reader()
        let other = Task { try await reader.write { try $0.insert("Account", ["balance": 5]).id } }
        #expect(await other.storeError?.code == .readOnlyConnection)
    }

    // MARK: - Stores

    @Test func aDatabaseInMemory() async throws {
        let connection = try StoreConnection.inMemory()
        try connection.execute("CREATE TABLE Account (id INTEGER PRIMARY KEY, balance INTEGER NOT NULL)")
        let store = try ObjectStore(connection)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...20 {
                group.addTask { _ = try await store.write { try $0.insert("Account", ["balance": number]).id } }
                group.addTask { _ = try await store.read { try $0.fetchCount(PredicateFetchRequest("Account")) } }
            }
            try await group.waitForAll()
        }
        #expect(try await store.read { try $0.fetchCount(PredicateFetchRequest("Account")) } == 20)
    }

    @Test func objectsOfReadersAreThoseOfTheStore() async throws {
        let library = try Library(SQLiteOptions(.create, journal: .wal))
        let store = library.store
        let isAnn = try FormatPredicate("name == 'Ann'")
        let ann = try #require(try await store.read { try $0.fetchOne("Author", where: isAnn) })
        #expect(try store.fetchOne("Author", where: isAnn) == ann)
        #expect(Set([ann] + (try store.fetchAll("Author", where: isAnn))).count == 1)
        #expect(try await store.write { try $0.update(ann, ["name": "Anna"])["name"] } == "Anna")
        // The context of FETCH is that of the store.
        let authors = PredicateFetchRequest("Author", try FormatPredicate("name == 'Anna'"))
        let books = try FormatPredicate("author IN FETCH(%@, %@, NO)", authors, store.context)
        #expect(try await store.read { try $0.fetchCount(PredicateFetchRequest("Book", books)) } == 3)
    }

    /// With the store its threads end, and their connections are closed.
    @Test func threadsEndWithTheStore() async throws {
        var bank: Bank? = try Bank()
        let (own, reader) = (Weak(), Weak())
        own.connection = bank?.store.connection
        try await bank?.store.read { reader.connection = $0.connection }
        #expect(reader.connection != nil)
        bank = nil
        while own.connection != nil || reader.connection != nil { try await Task.sleep(for: .milliseconds(1)) }
    }
}

/// Accounts whose balances have a constant sum, in a file with a write-ahead log.
private struct Bank: Sendable {
    let directory: TemporaryDirectory
    let store: ObjectStore

    init(readers: Int = 4, busyTimeout: Duration = .zero) throws {
        directory = try TemporaryDirectory()
        let options = SQLiteOptions(.create, busyTimeout: busyTimeout, journal: .wal, readers: readers)
        let connection = try StoreConnection(directory.file(), options)
        try connection.execute(
            """
            CREATE TABLE Account (id INTEGER PRIMARY KEY, balance INTEGER NOT NULL);
            WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 200)
            INSERT INTO Account SELECT i, 100 FROM n;
            """)
        store = try ObjectStore(connection)
    }

    static func total(_ store: ObjectStore) throws -> PredicateValue? {
        let sums = try store.fetchDictionaries(
            PredicateFetchRequest("Account"), [.sum("balance", as: "sum")], .grouped(by: []))
        return sums.first?["sum"]
    }

    static func balances(_ store: ObjectStore) throws -> [PredicateValue?] {
        try store.fetchAll(PredicateFetchRequest("Account", sortKeys: [SortKey("id")])).map { $0["balance"] }
    }

    func transfer(_ amount: Int, from: Int, to: Int) async throws {
        try await store.write { store in
            for (number, change) in [(from, -amount), (to, amount)] {
                let account = try #require(try store.fetchOne("Account", where: FormatPredicate("id == %@", number)))
                guard case .integer(let balance)? = account["balance"] else { continue }
                try store.update(account, ["balance": balance + Int64(change)])
            }
        }
    }

    /// A statement without an end.
    static func runForever(_ connection: StoreConnection) throws {
        let sql = "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        _ = try connection.rows(of: SQLFragment(verbatim: sql, bindings: [])).all()
    }
}

/// What tasks have done.
private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private var now = 0
    private var most = 0
    private var seen: Set<ObjectIdentifier> = []
    private var added: [Int] = []

    var greatest: Int { lock.withLock { most } }
    var connections: Set<ObjectIdentifier> { lock.withLock { seen } }
    var numbers: [Int] { lock.withLock { added } }

    func enter(_ connection: StoreConnection) {
        lock.withLock {
            now += 1
            most = max(most, now)
            seen.insert(ObjectIdentifier(connection))
        }
    }

    func leave() {
        lock.withLock { now -= 1 }
    }

    func add(_ number: Int) {
        lock.withLock { added.append(number) }
    }
}

private final class Weak: @unchecked Sendable {
    weak var connection: StoreConnection?
}

extension Task where Failure == any Error {
    /// The value of the task; nil if a cancellation has interrupted it. Throws every other error.
    fileprivate var unlessInterrupted: Success? {
        get async throws {
            do {
                return try await value
            } catch let error as StoreError where error.result == .interrupted {
                return nil
            }
        }
    }
}

extension Task {
    /// The error of the task.
    fileprivate var storeError: StoreError? {
        get async {
            if case .failure(let error) = await result { error as? StoreError } else { nil }
        }
    }
}
