import Foundation
import PredicateSQLite
import PredicateStore
import Predicates
import Testing

#if canImport(GRDB)
    import GRDB

    struct GRDBClientTests {
        @Test func filters() async throws {
            try await ClientRows.withFile { path in
                let pool = try GRDBExamples.pool(path)
                try await pool.write { try $0.execute(sql: ClientRows.script) }
                let compiler = PeoplePolicy.compiler(Predicates.SQLiteDialect())
                for filter in ClientRows.filters {
                    let rows = try GRDBExamples.people(filter, compiler, in: pool)
                    let found = rows.map { FoundPerson(name: $0["name"], age: $0["age"]) }
                    #expect(Set(found) == (try ClientRows.matches(filter)), "\(filter)")
                    #expect(found.count == Set(found).count)
                }
                #expect(throws: ZeroInString.self) {
                    try GRDBExamples.people("name == 'Jo\0hn'", compiler, in: pool)
                }
            }
        }
    }
#endif

#if canImport(SQLite)
    struct SQLiteSwiftClientTests {
        @Test func filters() async throws {
            let connection = try SQLiteSwiftExamples.open(":memory:")
            try connection.execute(ClientRows.script)
            for filter in ClientRows.filters {
                let page = try ClientRows.page(filter, Predicates.SQLiteDialect()).page
                let found = try SQLiteSwiftExamples.people(page, in: connection)
                #expect(Set(found) == (try ClientRows.matches(filter)), "\(filter)")
            }
        }
    }
#endif

#if canImport(SQLiteNIO)
    import SQLiteNIO

    struct SQLiteNIOClientTests {
        @Test func filters() async throws {
            let connection = try await SQLiteNIO.SQLiteConnection.open(storage: .memory).get()
            for statement in ClientRows.script.split(separator: ";") {
                _ = try await connection.query(String(statement))
            }
            try await SQLiteNIOExamples.install(on: connection, PeoplePolicy.policy.limits)
            for filter in ClientRows.filters {
                let dialect = Predicates.SQLiteDialect(functions: SQLFunctionCaller.functions)
                let page = try ClientRows.page(filter, dialect).page
                let found = try await SQLiteNIOExamples.people(page, in: connection)
                #expect(Set(found) == (try ClientRows.matches(filter)), "\(filter)")
            }
            try await connection.close()
        }
    }
#endif
