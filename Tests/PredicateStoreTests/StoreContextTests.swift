import Foundation
import PredicateEvaluation
import PredicateStore
import PredicateSyntax
import Testing

/// The context that a host gives to a store: its functions, and their zone, which is that of dates in strings.
struct StoreContextTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func store(_ context: PredicateContext) throws -> ObjectStore {
        let script = """
            CREATE TABLE visit (id INTEGER PRIMARY KEY, at DATETIME, n INTEGER);
            INSERT INTO visit VALUES (1, '2026-01-31 00:30:00', 1), (2, '2026-01-31T00:30:00Z', 2), (3, NULL, 3);
            """
        return try ObjectStore(directory.database("\(UUID().uuidString).sqlite", script), context: context)
    }

    private static func rome() throws -> PredicateContext {
        var context = PredicateContext()
        let zone = try #require(TimeZone(identifier: "Europe/Rome"))
        context.registry.registerCalendarFunctions(timeZone: zone)
        return context
    }

    private func found(_ format: String, _ store: ObjectStore) throws -> [PredicateValue?] {
        let predicate = try FormatPredicate(format)
        let request = PredicateFetchRequest("visit", predicate, sortKeys: [SortKey("n")], allowsResidual: true)
        return try store.fetchAll(request).map { $0["n"] }
    }

    @Test func functionsOfTheHostAreResiduals() throws {
        var context = PredicateContext()
        context.registry.registerFunction("isOdd:") { arguments in
            guard case .value(.integer(let number))? = arguments.first else { return .value(.null) }
            return .value(.bool(number % 2 == 1))
        }
        #expect(try found("isOdd:(n) == YES AND n > 1", store(context)) == [3])
        #expect(throws: (any Error).self) { try found("isOdd:(n) == YES", store(.standard)) }
    }

    /// [NSP-496]
    @Test func theZoneIsThatOfFunctionsAndOfStrings() throws {
        let rome = try store(Self.rome())
        #expect(try found("hour:(at) == 0", rome) == [1])
        #expect(try found("day:(at) == 31", rome) == [1, 2])
        let half = Date(timeIntervalSince1970: 1_769_815_800)
        #expect(try rome.fetchAll("visit").map { $0["at"] } == [.date(half), .date(half + 3600), .null])
        #expect(try rome.reader().fetchAll("visit").first?["at"] == .date(half))
    }

    /// Stores with different contexts do not influence each other.
    @Test func storesOfOneProcessHaveTheirOwnZones() throws {
        let (rome, utc) = (try store(Self.rome()), try store(.standard))
        #expect(try rome.fetchAll("visit").first?["at"] != utc.fetchAll("visit").first?["at"])
    }
}
