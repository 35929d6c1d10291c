import Foundation
import Predicates
import Testing

#if canImport(NIOCore)
    import NIOCore
#endif
#if canImport(PostgresNIO)
    import Logging
    import PostgresNIO
#endif

/// A statement with PostgresNIO. Without it the example is compiled, and run, with types of the same form.
enum PostgresExamples {
    static func people(_ filter: FormatPredicate, of tenant: Int64, _ compiler: SQLCompiler) throws -> SQLFragment {
        var query = try compiler.compile(filter, entity: "people")
        query.placeholders = .numbered(from: 2)
        var statement = try query.condition(on: "people")
        statement.text = "SELECT name, age FROM people WHERE tenant = $1 AND \(statement.text) LIMIT 20"
        statement.bindings.insert(.integer(tenant), at: 0)
        return statement
    }

    typealias Person = FoundPerson

    static let logger = Logger(label: "people")

    static func people(_ page: SQLFragment, _ setup: [String], in client: PostgresClient) async throws -> [Person] {
        try await client.withConnection { connection in
            for statement in setup {
                _ = try await connection.query(PostgresQuery(unsafeSQL: statement), logger: logger)
            }
            let query = PostgresQuery(unsafeSQL: page.text, binds: postgresBindings(page.bindings))
            let rows = try await connection.query(query, logger: logger)
            var people: [Person] = []
            for try await (_, name, age) in rows.decode((Int64, String, Int).self) {
                people.append(Person(name: name, age: age))
            }
            return people
        }
    }

    static func postgresBindings(_ values: [SQLBinding]) -> PostgresBindings {
        var bindings = PostgresBindings(capacity: values.count)
        for value in values {
            switch value {
            case .null: bindings.appendNull()
            case .integer(let value): bindings.append(value)
            case .double(let value): bindings.append(value)
            case .boolean(let value): bindings.append(value)
            case .text(let value): bindings.append(value)
            case .blob(let value): bindings.append(ByteBuffer(bytes: value))
            }
        }
        return bindings
    }
}

#if !canImport(PostgresNIO)
    extension PostgresExamples {
        struct Logger: Sendable {
            var label: String
        }

        struct PostgresBindings: Sendable {
            private(set) var values: [String] = []
            init(capacity: Int) { values.reserveCapacity(capacity) }
            mutating func appendNull() { values.append("NULL") }
            mutating func append(_ value: some PostgresEncodable) { values.append("\(type(of: value)) \(value)") }
        }

        struct PostgresQuery: Sendable {
            var sql: String
            var binds: PostgresBindings
            init(unsafeSQL: String, binds: PostgresBindings = PostgresBindings(capacity: 0)) {
                (sql, self.binds) = (unsafeSQL, binds)
            }
        }

        struct PostgresRowSequence: Sendable {
            func decode(
                _ type: (Int64, String, Int).Type
            ) -> AsyncThrowingStream<(Int64, String, Int), any Error> {
                AsyncThrowingStream {
                    $0.yield((1, "Jo", 30))
                    $0.finish()
                }
            }
        }

        /// Keeps the queries that it is given.
        final class PostgresConnection: @unchecked Sendable {
            var queries: [PostgresQuery] = []
            func query(_ query: PostgresQuery, logger: Logger) async throws -> PostgresRowSequence {
                queries.append(query)
                return PostgresRowSequence()
            }
        }
    }

    struct PostgresClient: Sendable {
        let connection = PostgresExamples.PostgresConnection()
        func withConnection<Value>(
            _ body: (PostgresExamples.PostgresConnection) async throws -> Value
        ) async throws -> Value {
            try await body(connection)
        }
    }

    protocol PostgresEncodable {}
    extension Int64: PostgresEncodable {}
    extension Double: PostgresEncodable {}
    extension Bool: PostgresEncodable {}
    extension String: PostgresEncodable {}
    extension ByteBuffer: PostgresEncodable {}

    struct PostgresTests {
        @Test func bindings() {
            let values: [SQLBinding] = [.null, .double(1.5), .boolean(true), .blob(Data([1, 2]))]
            #expect(PostgresExamples.postgresBindings(values).values[0...2] == ["NULL", "Double 1.5", "Bool true"])
        }

        /// The first column of a page is the primary key.
        @Test func columns() throws {
            let query = try PeoplePolicy.compiler(PostgreSQLDialect()).compile(
                FormatPredicate("age >= 21"), entity: "people")
            let page = try query.select(keys: ["name", "age"], sortKeys: [SortKey("name")], limit: 20)
            #expect(page.text.hasPrefix(#"SELECT t0."id", t0."name", t0."age" FROM"#), "\(page.text)")
        }
    }
#endif
