import CPredicateSQLite
import Foundation
import PredicateEvaluation
import PredicateSQL
import PredicateSQLite
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Compiled SQL runs on a connection that another client has opened.
@Suite struct RegistrationTests {
    private let connection: ForeignConnection

    private static let schema = SQLSchema(
        table: "person",
        columns: [
            "name": .string, "age": .integer, "height": .double, "price": .decimal, "born": .date(.iso8601),
        ])

    /// Names, ages, heights, prices and birthdays, by primary key from 1 on.
    private static let people: [[String: any Sendable]] = [
        [
            "name": "José García", "age": 41, "height": 1.75, "price": decimal("1.10"),
            "born": date("1983-05-01"),
        ],
        ["name": "JOSE", "age": 7, "height": 1.2, "price": decimal("0.1"), "born": date("2017-02-28")],
        ["name": "Straße", "age": -3, "height": -0.5, "price": decimal("20"), "born": date("2001-01-01")],
        ["name": "ann", "age": 30, "height": 2.0, "price": decimal("1.1")],
        ["age": 100],
    ]

    private static func decimal(_ digits: String) -> Decimal { Decimal(string: digits) ?? .nan }

    private static func date(_ day: String) -> Date {
        // The tests name days that exist.
        ISO8601DateFormatter().date(from: "\(day)T00:00:00Z") ?? .distantPast
    }

    /// Every function but aggregates and that of mixed columns is needed by one of them.
    static let formats = [
        "name ==[cd] 'jose'", "name ==[d] 'José García'", "name <[c] 'K'", "name IN[c] {'ANN', 'jose'}",
        "name BEGINSWITH[cd] 'jo'", "name ENDSWITH[d] 'garcia'", "name ENDSWITH[c] 'SE'", "name CONTAINS[cd] 'RASS'",
        "name LIKE[c] 'a?N'", "name MATCHES 'J.*'", "name MATCHES[c] 'j.{3}'", "name.length > 4",
        "uppercase(name) == 'STRASSE'", "lowercase(name) == 'jose'", "born > CAST('2000-01-01', 'NSDate')",
        "price == 1.1", "price < 2", "age / 2.0 > 3.5", "height / 0.5 > 3", "age ** 2 > 50", "abs(age) == 3",
        "floor(height) == 1", "ceiling(height) == 2", "trunc(height) == 0", "sqrt(height) > 1.3", "ln(height) > 0.5",
        "log(height) > 0.25", "exp(height) > 6", "NOT (name CONTAINS[c] 's')", "price * 2.0 > 2.5",
        "price + age > 20", "price - age <= -5.9", "price * age == 45.1", "price / age < 0.1", "-price < -1",
        "abs(price - 2) == 18", "price * 3 == 0.3", "price IN {0.1, 20}",
    ]

    init() throws {
        connection = try ForeignConnection()
        try connection.execute(
            """
            CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, age INTEGER, height REAL, price TEXT, born TEXT);
            INSERT INTO person VALUES (1, 'José García', 41, 1.75, '1.10', '1983-05-01T00:00:00Z'),
                (2, 'JOSE', 7, 1.2, '0.1', '2017-02-28T00:00:00Z'), (3, 'Straße', -3, -0.5, '20', '2001-01-01T00:00:00Z'),
                (4, 'ann', 30, 2.0, '1.1', NULL), (5, NULL, 100, NULL, NULL, NULL);
            """)
    }

    private func query(_ format: String, _ dialect: SQLiteDialect = SQLiteDialect()) throws -> SQLQuery {
        try SQLCompiler(schema: Self.schema, dialect: dialect).compile(FormatPredicate(format), entity: "person")
    }

    private func answer(_ format: String) throws -> [Int64] {
        let predicate = try FormatPredicate(format)
        return Self.people.indices.filter {
            // An error is no row.
            (try? predicate.evaluate(with: Self.people[$0])) == true
        }.map { Int64($0 + 1) }
    }

    @Test(arguments: formats) func allFunctionsServeEveryQuery(_ format: String) throws {
        try SQLFunction.register(on: connection.handle)
        #expect(try connection.integers(query(format).select) == answer(format))
    }

    @Test(arguments: formats) func requiredFunctionsServeTheirQuery(_ format: String) throws {
        let query = try query(format)
        try SQLFunction.register(query.requiredFunctions, on: connection.handle)
        #expect(try connection.integers(query.select) == answer(format))
    }

    @Test func withoutFunctionsStatementsFail() throws {
        #expect(throws: ForeignConnection.Failure(message: "no such function: predicates2_fold_cd")) {
            try connection.integers(query("name IN[cd] {'a', 'b'}").select)
        }
    }

    @Test func indexesMayUseThem() throws {
        try SQLFunction.register(on: connection.handle)
        try connection.execute("CREATE INDEX folded ON person (predicates2_fold_cd(name))")
        try connection.execute("CREATE VIEW folds AS SELECT predicates2_fold_c(name) AS fold FROM person")
        try connection.execute("PRAGMA trusted_schema = 0; SELECT * FROM folds")
        #expect(try connection.integers(query("name ==[cd] 'jose'").select) == [2])
    }

    @Test func aggregatesOfDecimals() throws {
        try SQLFunction.register(on: connection.handle)
        let results = SQLFragment(
            """
            SELECT predicates_decimal_sum(price) = '22.3' AND predicates_decimal_average(price) = '4.46'
                AND predicates_decimal_min(price) = '0.1' AND predicates_decimal_max(price) = '20' FROM person
            """)
        #expect(try connection.integers(results) == [1])
        let none = SQLFragment(
            """
            SELECT predicates_decimal_sum(price) = 0 AND predicates_decimal_average(price) IS NULL
                AND predicates_decimal_min(price) IS NULL FROM person WHERE id > 5
            """)
        #expect(try connection.integers(none) == [1])
        let groups = SQLFragment(
            "SELECT predicates_decimal_max(price) > '1' FROM person WHERE id < 5 GROUP BY age > 10")
        #expect(try connection.integers(groups) == [1, 1])
        #expect(throws: ForeignConnection.Failure(message: "found a string that is not a decimal number")) {
            try connection.integers(SQLFragment("SELECT predicates_decimal_sum(name) FROM person"))
        }
    }

    @Test func anErrorIsTheMessageOfTheStatement() throws {
        try SQLFunction.register(on: connection.handle)
        let error = ForeignConnection.Failure.thrown {
            try connection.integers(SQLFragment("SELECT predicates_matches('a', '(', '')"))
        }
        #expect(error?.message.contains("expected a regular expression") == true, "\(String(describing: error))")
        // The connection goes on.
        #expect(try connection.integers(SQLFragment("SELECT predicates_matches('a', 'a', '')")) == [1])
    }

    /// Steps of statements are not counted: a foreign connection does not say when one begins. [NSP-420]
    @Test func limitsOfRegularExpressions() throws {
        let pattern = SQLFragment("SELECT predicates_matches('aaa', 'a*', ''), 1")
        let long = SQLFragment(
            "SELECT predicates_matches(?1, 'a*', '')", bindings: [.text(String(repeating: "a", count: 70_000))])
        let connection = try ForeignConnection()
        try SQLFunction.register(on: connection.handle, limits: .untrusted)
        for _ in 0..<3 { #expect(try connection.integers(pattern) == [1]) }
        let failure = ForeignConnection.Failure.thrown { try connection.integers(long) }
        #expect(failure?.message.contains("expected at most 65536 bytes in a string for a regular expression") == true)
        try SQLFunction.register(on: connection.handle)
        #expect(try connection.integers(long) == [1])
    }

    @Test func registeringTwiceIsAllowedOutsideOfStatements() throws {
        try SQLFunction.register(on: connection.handle)
        try SQLFunction.register([.foldCase], on: connection.handle)
        var statement: OpaquePointer?
        sqlite3_prepare_v2(connection.handle, "SELECT predicates2_fold_c(name) FROM person", -1, &statement, nil)
        defer { sqlite3_finalize(statement) }
        #expect(sqlite3_step(statement) == SQLITE_ROW)
        let error = SQLiteRegistrationError.thrown {
            try SQLFunction.register([.foldCase], on: connection.handle)
        }
        #expect(error?.code == .refused(.foldCase, result: SQLITE_BUSY))
        #expect(error?.hints.isEmpty == false)
    }

    // MARK: Without functions

    @Test(arguments: formats) func aDialectWithoutFunctionsRefusesOrNeedsNone(_ format: String) throws {
        let dialect = SQLiteDialect(functions: [])
        let required = try query(format).requiredFunctions
        do {
            let query = try query(format, dialect)
            #expect(required.isEmpty && query.requiredFunctions.isEmpty)
            #expect(try connection.integers(query.select) == answer(format))
        } catch let error as SQLCompilationError {
            guard case .notExpressible(.unregisteredFunction(let function)) = error.code else { throw error }
            #expect(required.contains(function))
            #expect(!error.range.isEmpty && error.hints.contains { $0.contains("SQLFunction.register") })
        }
    }

    @Test func aRefusalHasItsPlaceAndCure() throws {
        let format = "age > 3 AND name CONTAINS[c] 'jo'"
        let error = SQLCompilationError.thrown { try query(format, SQLiteDialect(functions: [])) }
        #expect(error?.code == .notExpressible(.unregisteredFunction(.contains)))
        #expect(
            error?.description == """
                error: SQL cannot express this exactly
                  age > 3 AND name CONTAINS[c] 'jo'
                              ^~~~~~~~~~~~~~~~~~~~~ this calls predicates2_contains, which the connection lacks
                hint: register it with SQLFunction.register(on: connection) of PredicateSQLite
                hint: compile with mode: .residual to evaluate this part in memory
                """)
    }

    @Test func residualModeLeavesItToMemory() throws {
        let compiler = SQLCompiler(schema: Self.schema, dialect: SQLiteDialect(functions: []), mode: .residual)
        let query = try compiler.compile(FormatPredicate("age > 3 AND name CONTAINS[c] 'jo'"), entity: "person")
        #expect(query.residual?.description == "name CONTAINS[c] \"jo\"")
        #expect(try connection.integers(query.select) == [1, 2, 4, 5])
    }

    @Test func aDialectWithSomeFunctionsUsesThese() throws {
        let dialect = SQLiteDialect(functions: [.contains])
        #expect(try query("name CONTAINS[c] 'jo'", dialect).requiredFunctions == [.contains])
        #expect(throws: SQLCompilationError.self) { try query("name BEGINSWITH[c] 'jo'", dialect) }
    }

    @Test func ordersNeedFunctionsToo() throws {
        let query = try query("age > 3", SQLiteDialect(functions: []))
        #expect(throws: SQLCompilationError.self) {
            try query.select(keys: ["id"], sortKeys: [SortKey("name", options: .caseInsensitive)])
        }
    }
}
