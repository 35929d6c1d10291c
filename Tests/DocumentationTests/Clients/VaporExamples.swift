import Foundation
import Predicates
import Testing

#if canImport(PostgresNIO)
    import PostgresNIO
#endif
#if canImport(Vapor)
    import Vapor
#endif

/// A filter parameter with Vapor and PostgresNIO. Without them the example is compiled, and run, with types of the same
/// form.
enum VaporExamples {
    typealias Person = FoundPerson

    static func people(_ page: SQLFragment, _ setup: [String], in client: PostgresClient) async throws -> [Person] {
        try await PostgresExamples.people(page, setup, in: client)
    }

    static func clientError(_ error: any Error, in filter: String, _ policy: PredicatePolicy) -> PredicateClientError? {
        HummingbirdExamples.clientError(error, in: filter, policy)
    }

    static func addRoutes(
        to app: Application, _ compiler: SQLCompiler, _ policy: PredicatePolicy, in client: PostgresClient
    ) {
        app.get("people") { request async throws -> Response in
            let text = request.query[String.self, at: "filter"] ?? "TRUEPREDICATE"
            do {
                let filter = try FormatPredicate(text, policy: policy)
                let query = try compiler.compile(filter, entity: "people")
                let page = try query.select(keys: ["name", "age"], sortKeys: [SortKey("name")], limit: 20)
                return try json(.ok, try await people(page, query.setup, in: client))
            } catch {
                guard let problem = clientError(error, in: text, policy) else { throw error }
                return try json(.badRequest, problem)
            }
        }
    }

    static func json(_ status: HTTPStatus, _ value: some Encodable) throws -> Response {
        let body = try JSONEncoder().encode(value)
        return Response(status: status, headers: ["Content-Type": "application/json"], body: .init(data: body))
    }
}

#if !canImport(Vapor)
    extension VaporExamples {
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
#endif

#if !canImport(Vapor) && !canImport(PostgresNIO)
    struct VaporTests {
        private let app = VaporExamples.Application()
        private let client = PostgresClient()
        private let compiler: SQLCompiler

        init() {
            let schema = SQLSchema(table: "people", columns: ["name": .string, "age": .integer])
            var policy = PredicatePolicy.untrusted.checking(against: schema, entity: "people")
            policy.keys = .only(["name", "age"])
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
            let mistake = try await answer("age == '21'")
            #expect(mistake.status == 400 && mistake.body.contains(#""code":"kind-mismatch""#))
            #expect(try await answer("salary > 1").status == 400)
            #expect(try await answer("name > 1").status == 400)
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
