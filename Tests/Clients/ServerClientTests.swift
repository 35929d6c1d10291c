import Foundation
import Predicates
import Testing

#if canImport(PostgresNIO)
    import Logging
    import PostgresNIO

    /// PostgresNIO on a server that the script has started.
    @Suite(.enabled(if: ClientRows.socket("postgresql") != nil)) struct PostgresClientTests {
        private let client: PostgresClient

        init() throws {
            let socket = try #require(ClientRows.socket("postgresql"))
            let configuration = PostgresClient.Configuration(
                unixSocketPath: socket, username: "postgres", password: nil, database: "postgres")
            client = PostgresClient(configuration: configuration)
        }

        /// Runs a function while the client has its pool.
        private func running(_ body: @Sendable () async throws -> Void) async throws {
            let client = client
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await client.run() }
                try await body()
                group.cancelAll()
            }
        }

        private func migrate() async throws {
            let frequent = try FormatPredicate("name BEGINSWITH[c] 'jo' AND age > 21")
            let compiler = PeoplePolicy.compiler(PostgreSQLDialect())
            var statements = ["DROP TABLE IF EXISTS people"] + ClientRows.script.split(separator: ";").map(String.init)
            statements += PostgreSQLDialect().prelude(for: Set(SQLFunction.allCases))
            statements += try compiler.indexes(for: frequent, entity: "people").map(\.statement)
            for statement in statements {
                _ = try await client.query(PostgresQuery(unsafeSQL: statement), logger: PostgresExamples.logger)
            }
        }

        @Test func filters() async throws {
            try await running {
                try await migrate()
                for filter in ClientRows.filters {
                    let (page, setup) = try ClientRows.page(filter, PostgreSQLDialect())
                    let found = try await PostgresExamples.people(page, setup, in: client)
                    #expect(Set(found) == (try ClientRows.matches(filter)), "\(filter)")
                }
            }
        }
    }
#endif
