import BenchmarkWorkload
import CSQLite
import Foundation
import PredicateStore

/// The people in a SQLite file, opened once by this package and once without it.
final class SQLiteWorkload {
    let store: PredicateStore
    let handle: SQLiteHandle

    init(_ path: String, _ people: [Person]) throws {
        handle = try SQLiteHandle(path)
        try handle.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;" + WorkloadSQL.tables)
        try Self.insert(people, handle)
        try handle.execute("COMMIT; ANALYZE;")
        store = try PredicateStore(SQLiteConnection(path), schema: WorkloadSQL.schema)
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
