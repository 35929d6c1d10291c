import Foundation
import PredicateStore
import Predicates
import Testing

#if canImport(NIOCore)
    import NIOCore
#endif
#if canImport(Hummingbird)
    import Hummingbird
#endif

/// A filter parameter with Hummingbird and a SQLite file. Without Hummingbird the example is compiled, and run, with
/// types of the same form.
enum HummingbirdExamples {
    typealias Person = FoundPerson

    static func clientError(_ error: any Error, in filter: String, _ policy: PredicatePolicy) -> PredicateClientError? {
        switch error {
        case let error as PredicateFormatError: return PredicateClientError(error, in: filter, policy: policy)
        case let error as SQLCompilationError: return PredicateClientError(error, in: filter, policy: policy)
        case let error as StoreError:
            switch error.code {
            case .compilation, .exceeds: return PredicateClientError(error, in: filter, policy: policy)
            default: return nil
            }
        default: return nil
        }
    }

    static func addRoutes(to router: Router<BasicRequestContext>, _ store: ObjectStore, _ policy: PredicatePolicy) {
        router.get("people") { request, _ -> Response in
            let text = request.uri.queryParameters.get("filter") ?? "TRUEPREDICATE"
            do {
                let filter = try FormatPredicate(text, policy: policy)
                let page = PredicateFetchRequest("people", filter, sortKeys: [SortKey("name")], limit: 20)
                return try json(.ok, try await store.read { try $0.fetchAll(Person.self, page) })
            } catch {
                guard let problem = clientError(error, in: text, policy) else { throw error }
                return try json(.badRequest, problem)
            }
        }
    }

    static func request(
        _ filter: FormatPredicate, sortedBy key: String, keys: [String], _ policy: PredicatePolicy
    ) throws -> PredicateFetchRequest {
        let page = PredicateFetchRequest("people", filter, sortKeys: [SortKey(key)], limit: 20, keys: keys)
        try policy.check(page)
        return page
    }

    static func json(_ status: HTTPResponse.Status, _ value: some Encodable) throws -> Response {
        let body = ByteBuffer(bytes: try JSONEncoder().encode(value))
        return Response(status: status, headers: [.contentType: "application/json"], body: .init(byteBuffer: body))
    }
}

#if !canImport(Hummingbird)
    extension HummingbirdExamples {
        struct HTTPResponse {
            struct Status: Equatable, Sendable {
                var code: Int
                static let ok = Status(code: 200)
                static let badRequest = Status(code: 400)
            }
        }

        struct HTTPFields: ExpressibleByDictionaryLiteral, Sendable {
            enum Name { case contentType }
            var values: [Name: String]
            init(dictionaryLiteral elements: (Name, String)...) { values = Dictionary(uniqueKeysWithValues: elements) }
        }

        struct ResponseBody: Sendable {
            var byteBuffer: ByteBuffer
        }

        struct Response: Sendable {
            var status: HTTPResponse.Status
            var headers: HTTPFields
            var body: ResponseBody
        }

        struct Parameters: Sendable {
            var values: [String: String]
            func get(_ name: String) -> String? { values[name] }
        }

        struct URI: Sendable {
            var queryParameters: Parameters
        }

        struct Request: Sendable {
            var uri: URI
        }

        struct BasicRequestContext: Sendable {}

        final class Router<Context> {
            typealias Handler = @Sendable (Request, Context) async throws -> Response
            var handlers: [String: Handler] = [:]
            func get(_ path: String, use handler: @escaping Handler) { handlers[path] = handler }
        }
    }

    struct HummingbirdTests {
        @Test func filters() async throws {
            let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite").path
            defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
            try StoreConnection(path, SQLiteOptions(.create, journal: .wal)).execute(
                """
                CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, age INTEGER);
                INSERT INTO people (name, age) VALUES ('Jo', 30), ('Ann', 40), ('Joe', 20);
                """)
            let policy = PeoplePolicy.policy
            let store = try ObjectStore(StoreConnection(path, SQLiteOptions(limits: policy.limits)))
            let router = HummingbirdExamples.Router<HummingbirdExamples.BasicRequestContext>()
            HummingbirdExamples.addRoutes(to: router, store, policy)
            let handler = try #require(router.handlers["people"])

            func answer(_ filter: String?) async throws -> (status: Int, body: String) {
                let parameters = HummingbirdExamples.Parameters(values: filter.map { ["filter": $0] } ?? [:])
                let request = HummingbirdExamples.Request(uri: .init(queryParameters: parameters))
                let response = try await handler(request, .init())
                #expect(response.headers.values[.contentType] == "application/json")
                return (response.status.code, String(decoding: response.body.byteBuffer.bytes, as: UTF8.self))
            }
            let found = try await answer("age >= 21 AND name BEGINSWITH[c] 'jo'")
            #expect(found.status == 200 && found.body.contains("\"Jo\"") && !found.body.contains("Joe"))
            #expect(try await answer(nil).body.contains("Ann"))
            let malformed = try await answer("age >= AND")
            #expect(malformed.status == 400 && malformed.body.contains(#""code":"expectedExpression""#))
            #expect(try await answer("id == 1").status == 400)
            #expect(try await answer("name > 5").status == 400)
        }
    }
#endif
