import Foundation
import PredicateStore
import Predicates
import Testing

#if canImport(Hummingbird)
    import Hummingbird
    import HummingbirdTesting

    struct HummingbirdClientTests {
        @Test func filters() async throws {
            try await ClientRows.withFile { path in
                try StoreConnection(path, SQLiteOptions(.create, journal: .wal))
                    .execute(ClientRows.script)
                let options = SQLiteOptions(limits: PeoplePolicy.policy.limits)
                let store = try ObjectStore(StoreConnection(path, options))
                let router = Router()
                HummingbirdExamples.addRoutes(to: router, store, PeoplePolicy.policy)
                try await Application(router: router).test(.router) { client in
                    for filter in ClientRows.filters {
                        let body = try await client.execute(uri: Self.uri(filter), method: .get) { response in
                            #expect(response.status == .ok, "\(filter)")
                            return Data(response.body.readableBytesView)
                        }
                        let found = try JSONDecoder().decode([FoundPerson].self, from: body)
                        #expect(Set(found) == (try ClientRows.matches(filter)), "\(filter)")
                    }
                    for filter in ClientRows.errors {
                        try await client.execute(uri: Self.uri(filter), method: .get) { response in
                            #expect(response.status == .badRequest, "\(filter)")
                            #expect(String(buffer: response.body).contains(#""code":"#))
                        }
                    }
                }
            }
        }

        static func uri(_ filter: String) -> String {
            "/people?filter=" + (filter.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
        }
    }
#endif

#if canImport(Vapor) && canImport(PostgresNIO)
    import PostgresNIO
    import Vapor

    /// Vapor's route without a database: the filters that are refused before one is asked.
    struct VaporClientTests {
        @Test func errors() async throws {
            let app = try await Application.make(.testing)
            let client = PostgresClient(
                configuration: .init(unixSocketPath: "/nothing", username: "app", password: nil, database: nil))
            let compiler = PeoplePolicy.compiler(PostgreSQLDialect())
            VaporExamples.addRoutes(to: app, compiler, PeoplePolicy.policy, in: client)
            for filter in ClientRows.errors {
                let text = filter.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
                let request = Request(
                    application: app, method: .GET, url: URI(string: "/people?filter=\(text)"),
                    on: app.eventLoopGroup.any())
                let response = try await app.responder.respond(to: request).get()
                #expect(response.status == .badRequest, "\(filter)")
                #expect(response.body.string?.contains(#""code":"#) == true, "\(filter)")
            }
            try await app.asyncShutdown()
        }
    }
#endif
