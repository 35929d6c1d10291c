import Foundation
import Predicates
import Testing

#if canImport(Vapor) && canImport(PostgresNIO)
    import PostgresNIO
    import Vapor
#endif

/// A filter parameter with Vapor and PostgresNIO. Without them the example is compiled, and run, with types of the same
/// form.
enum VaporExamples {
    struct Person: Codable, Sendable {
        var name: String
        var age: Int
    }

    static let logger = Logger(label: "people")

    static func clientError(_ error: any Error) -> (any PredicateDiagnostic)? {
        HummingbirdExamples.clientError(error)
    }

    static func addRoutes(
        to app: Application, _ compiler: SQLCompiler, _ policy: PredicatePolicy, in client: PostgresClient
    ) {
        app.get("people") { request async throws -> Response in
            do {
                let filter = try FormatPredicate(
                    request.query[String.self, at: "filter"] ?? "TRUEPREDICATE", policy: policy)
                let query = try compiler.compile(filter, entity: "people")
                let page = try query.select(keys: ["name", "age"], sortKeys: [SortKey("name")], limit: 20)
                return try json(.ok, try await people(page, query.setup, in: client))
            } catch {
                guard let problem = clientError(error) else { throw error }
                return try json(.badRequest, problem)
            }
        }
    }

    static func json(_ status: HTTPStatus, _ value: some Encodable) throws -> Response {
        let body = try JSONEncoder().encode(value)
        return Response(status: status, headers: ["Content-Type": "application/json"], body: .init(data: body))
    }

    static func people(_ page: SQLFragment, _ setup: [String], in client: PostgresClient) async throws -> [Person] {
        try await client.withConnection { connection in
            for statement in setup {
                _ = try await connection.query(PostgresQuery(unsafeSQL: statement), logger: logger)
            }
            let query = PostgresQuery(unsafeSQL: page.text, binds: postgresBindings(page.bindings))
            let rows = try await connection.query(query, logger: logger)
            var people: [Person] = []
            for try await (name, age) in rows.decode((String, Int).self) { people.append(Person(name: name, age: age)) }
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

#if !(canImport(Vapor) && canImport(PostgresNIO))
    extension VaporExamples {
        typealias ByteBuffer = HummingbirdExamples.ByteBuffer

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
            func decode(_ type: (String, Int).Type) -> AsyncThrowingStream<(String, Int), any Error> {
                AsyncThrowingStream {
                    $0.yield(("Jo", 30))
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

        struct PostgresClient: Sendable {
            let connection = PostgresConnection()
            func withConnection<Value>(_ body: (PostgresConnection) async throws -> Value) async throws -> Value {
                try await body(connection)
            }
        }

        struct HTTPStatus: Sendable {
            var code: Int
            static let ok = HTTPStatus(code: 200)
            static let badRequest = HTTPStatus(code: 400)
        }

        struct Response: Sendable {
            struct Body: Sendable {
                var data: Data
            }
            var status: HTTPStatus
            var headers: [String: String]
            var body: Body
        }

        struct QueryContainer: Sendable {
            var values: [String: String]
            subscript(_ type: String.Type, at key: String) -> String? { values[key] }
        }

        struct Request: Sendable {
            var query: QueryContainer
        }

        final class Application {
            typealias Handler = @Sendable (Request) async throws -> Response
            var handlers: [String: Handler] = [:]
            func get(_ path: String, use handler: @escaping Handler) { handlers[path] = handler }
        }
    }

    protocol PostgresEncodable {}
    extension Int64: PostgresEncodable {}
    extension Double: PostgresEncodable {}
    extension Bool: PostgresEncodable {}
    extension String: PostgresEncodable {}
    extension HummingbirdExamples.ByteBuffer: PostgresEncodable {}

    struct VaporTests {
        private let app = VaporExamples.Application()
        private let client = VaporExamples.PostgresClient()
        private let compiler: SQLCompiler

        init() {
            var policy = PredicatePolicy.untrusted
            policy.keys = .only(["name", "age"])
            let schema = SQLSchema(table: "people", columns: ["name": .string, "age": .integer])
            let compiler = SQLCompiler(schema: schema, dialect: PostgreSQLDialect(), limits: policy.limits)
            self.compiler = compiler
            VaporExamples.addRoutes(to: app, compiler, policy, in: client)
        }

        private func answer(_ filter: String) async throws -> (status: Int, body: String) {
            let handler = try #require(app.handlers["people"])
            let response = try await handler(.init(query: .init(values: ["filter": filter])))
            return (response.status.code, String(decoding: response.body.data, as: UTF8.self))
        }

        @Test func filters() async throws {
            let found = try await answer("age >= 21 AND name == 'Jo'")
            #expect(found.status == 200 && found.body.contains("\"Jo\""))
            let query = try #require(client.connection.queries.last)
            #expect(query.sql.contains("$1::int8") && query.binds.values == ["Int64 21", "String Jo", "Int64 20"])
            #expect(client.connection.queries.first?.sql == "SET TIME ZONE 'UTC'")
            #expect(client.connection.queries.contains { $0.sql == "SET statement_timeout = 5000" })
            #expect(try await answer("age >=").status == 400)
            #expect(try await answer("salary > 1").status == 400)
            #expect(try await answer("name > 1").status == 400)
        }

        @Test func bindings() {
            let values: [SQLBinding] = [.null, .double(1.5), .boolean(true), .blob(Data([1, 2]))]
            #expect(VaporExamples.postgresBindings(values).values[0...2] == ["NULL", "Double 1.5", "Bool true"])
        }

        @Test func migrations() throws {
            var migration = PostgreSQLDialect().prelude(for: Set(SQLFunction.allCases))
            let frequent = try FormatPredicate("name BEGINSWITH[c] 'jo' AND age > 21")
            migration += try compiler.indexes(for: frequent, entity: "people").map(\.statement)
            #expect(migration.count > 5)
            #expect(migration.contains { $0.contains("CREATE INDEX") && $0.contains("fold_c") })
        }
    }
#endif
