import BenchmarkHarness
import BenchmarkWorkload
import CPredicateSQLite
import Foundation
import PredicateStore

/// SQLite as a program calls it without this package: what compiled predicates are compared with.
final class SQLiteHandle {
    private let handle: OpaquePointer

    /// Opens or creates a file; `:memory:` is a database in memory.
    init(_ path: String) throws {
        var handle: OpaquePointer?
        let result = sqlite3_open_v2(
            path, &handle, SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
        guard let handle, result == SQLITE_OK else { throw BenchmarkError.usage("SQLite cannot open \(path)") }
        self.handle = handle
    }

    deinit {
        sqlite3_close_v2(handle)
    }

    func execute(_ script: String) throws {
        guard sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK else { throw failure(script) }
    }

    /// Lets statements name a function that does nothing: they can be prepared and not run.
    func declare(_ function: String) throws {
        let result = sqlite3_create_function_v2(
            handle, function, -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, nil, { _, _, _ in }, nil, nil, nil)
        guard result == SQLITE_OK else { throw failure(function) }
    }

    /// A statement as long as the work takes.
    func prepared<Result>(_ sql: String, _ work: (OpaquePointer) throws -> Result) throws -> Result {
        var statement: OpaquePointer?
        let result = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        defer { sqlite3_finalize(statement) }
        guard let statement, result == SQLITE_OK else { throw failure(sql) }
        return try work(statement)
    }

    /// The number in the first row.
    func number(_ sql: String) throws -> Int {
        try prepared(sql) { statement in
            guard sqlite3_step(statement) == SQLITE_ROW else { throw failure(sql) }
            return Int(sqlite3_column_int64(statement, 0))
        }
    }

    private func failure(_ sql: String) -> BenchmarkError {
        .usage("SQLite: \(String(cString: sqlite3_errmsg(handle))) in \(sql.prefix(200))")
    }
}

/// Binds values to the parameters of a statement, from the first on.
struct StatementBinder {
    let statement: OpaquePointer
    private var place: Int32 = 0

    init(_ statement: OpaquePointer) {
        self.statement = statement
    }

    mutating func bind(_ number: Int) {
        place += 1
        sqlite3_bind_int64(statement, place, Int64(number))
    }

    mutating func bind(_ number: Double) {
        place += 1
        sqlite3_bind_double(statement, place, number)
    }

    mutating func bind(_ text: String) {
        place += 1
        var text = text
        // The text is copied before it is gone.
        let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { characters in
                _ = sqlite3_bind_text(statement, place, characters.baseAddress, Int32(characters.count), copies)
            }
        }
    }

    /// Runs the statement, and makes it ready for the next values.
    mutating func run() throws {
        guard sqlite3_step(statement) == SQLITE_DONE else { throw BenchmarkError.usage("SQLite refuses a row") }
        sqlite3_reset(statement)
        place = 0
    }
}

/// The people in a SQLite file, opened once by this package and once without it.
final class SQLiteWorkload {
    let store: ObjectStore
    let handle: SQLiteHandle

    init(_ path: String, _ people: [Person]) throws {
        handle = try SQLiteHandle(path)
        try handle.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;" + WorkloadSQL.tables)
        try Self.insert(people, handle)
        try handle.execute("COMMIT; ANALYZE;")
        store = try ObjectStore(StoreConnection(path), schema: WorkloadSQL.schema)
    }

    private static func insert(_ people: [Person], _ handle: SQLiteHandle) throws {
        let departments = Set(people.map(\.dept.name)).sorted()
        let numbers = Dictionary(uniqueKeysWithValues: zip(departments, 1...))
        try handle.prepared("INSERT INTO dept (name) VALUES (?)") { statement in
            var binder = StatementBinder(statement)
            for name in departments {
                binder.bind(name)
                try binder.run()
            }
        }
        try handle.prepared("INSERT INTO people VALUES (?, ?, ?, ?, ?, ?, ?, ?)") { statement in
            var binder = StatementBinder(statement)
            for (index, person) in people.enumerated() {
                binder.bind(index + 1)
                binder.bind(person, department: numbers[person.dept.name] ?? 0)
                try binder.run()
            }
        }
        try insertTags(people, handle)
    }

    private static func insertTags(_ people: [Person], _ handle: SQLiteHandle) throws {
        try handle.prepared("INSERT INTO tag (name, person_id) VALUES (?, ?)") { statement in
            var binder = StatementBinder(statement)
            for (index, person) in people.enumerated() {
                for tag in person.tags {
                    binder.bind(tag)
                    binder.bind(index + 1)
                    try binder.run()
                }
            }
        }
    }
}

extension StatementBinder {
    fileprivate mutating func bind(_ person: Person, department: Int) {
        bind(person.name)
        bind(person.age)
        bind(person.email)
        bind(person.score)
        bind(person.active ? 1 : 0)
        bind(person.created.timeIntervalSinceReferenceDate)
        bind(department)
    }
}
