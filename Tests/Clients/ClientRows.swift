import Foundation
import Predicates

/// The rows and filters that every client is given, and the answers of the evaluator.
enum ClientRows {
    static let people = [
        FoundPerson(name: "Jo", age: 30), FoundPerson(name: "José", age: 41), FoundPerson(name: "ann", age: 22),
        FoundPerson(name: "Ömer", age: 19), FoundPerson(name: "O'Neil 100%", age: 64),
        FoundPerson(name: "Straße", age: 7),
    ]

    static let filters = [
        "TRUEPREDICATE", "age >= 21", "age >= 21 AND name BEGINSWITH[c] 'jo'", "name ==[cd] 'JOSE'",
        "name IN[c] {'ANN', 'strasse', 'STRAßE'}", "name MATCHES 'J.*'", "length(name) > 4",
        "name CONTAINS \"'\" OR name LIKE '*100%'", "NOT (age BETWEEN {20, 45})", "age * 2 == 60", "name < 'b'",
        "name CONTAINS[cd] 'om'", "uppercase:(name) == 'JO'", "age / 2.0 > 20.4",
    ]

    /// Filters that are the client's error.
    static let errors = ["age >=", "salary > 1", "name > 5", "name MATCHES '(a+)+$'"]

    /// The address at which a server answers a filter.
    static func uri(_ filter: String) -> String {
        "/people?filter=" + (filter.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    }

    /// The people that a filter selects in memory.
    static func matches(_ filter: String) throws -> Set<FoundPerson> {
        let evaluator = try PredicateEvaluator(try FormatPredicate(filter, policy: PeoplePolicy.policy))
        return Set(try people.filter { try evaluator.evaluate(with: $0) })
    }

    /// The page that a compiler makes of a filter.
    static func page(_ filter: String, _ dialect: any SQLDialect) throws -> (page: SQLFragment, setup: [String]) {
        let predicate = try FormatPredicate(filter, policy: PeoplePolicy.policy)
        let query = try PeoplePolicy.compiler(dialect).compile(predicate, entity: "people")
        return (try query.select(keys: ["name", "age"], sortKeys: [SortKey("name")], limit: 20), query.setup)
    }

    /// The table and its rows, as a script.
    static let script =
        "CREATE TABLE people (id INTEGER PRIMARY KEY, name VARCHAR(100), age INTEGER);"
        + people.enumerated().map { index, person in
            let name = person.name.replacing("'", with: "''")
            return "INSERT INTO people VALUES (\(index + 1), '\(name)', \(person.age));"
        }.joined()

    /// A SQLite file with the rows, which is removed afterwards.
    static func withFile<Value>(_ body: (String) async throws -> Value) async throws -> Value {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite").path
        defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
        return try await body(path)
    }

    /// The socket of a server that the script has started; nil without one.
    static func socket(_ engine: String) -> String? {
        ProcessInfo.processInfo.environment["PREDICATES_CLIENT_\(engine.uppercased())"]
    }
}
