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
                        let body = try await client.execute(uri: ClientRows.uri(filter), method: .get) { response in
                            #expect(response.status == .ok, "\(filter)")
                            return Data(response.body.readableBytesView)
                        }
                        let found = try JSONDecoder().decode([FoundPerson].self, from: body)
                        #expect(Set(found) == (try ClientRows.matches(filter)), "\(filter)")
                    }
                    for filter in ClientRows.errors {
                        try await client.execute(uri: ClientRows.uri(filter), method: .get) { response in
                            #expect(response.status == .badRequest, "\(filter)")
                            #expect(String(buffer: response.body).contains(#""code":"#))
                        }
                    }
                }
            }
        }
    }
#endif
