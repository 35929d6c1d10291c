@_spi(Dialect) import PredicateSQL
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Limits that the compiler checks, and the time limit that `setup` sets. [NSP-421] [NSP-422] [NSP-423] [NSP-424]
@Suite struct StatementSizeTests {
    private func code(
        _ format: String, _ limits: PredicateLimits, _ dialect: any SQLDialect = SQLiteDialect()
    ) throws -> SQLCompilationError.Code? {
        let predicate = try FormatPredicate(format)
        do throws(SQLCompilationError) {
            _ = try SQLCompiler(schema: people, dialect: dialect, limits: limits)
                .compile(predicate, entity: "Person")
            return nil
        } catch {
            return error.code
        }
    }

    /// Each limit at its value and one above it.
    @Test func limitsOfAStatement() throws {
        let search = "name CONTAINS[cd] 'jo'"
        let path = "boss.boss.age > 3"
        #expect(try code(path, PredicateLimits(statementTables: 3)) == nil)
        #expect(try code(path, PredicateLimits(statementTables: 2)) == .exceeds(.statementTables, limit: 2))
        #expect(try code(search, PredicateLimits(statementSearches: 1)) == nil)
        #expect(try code(search, PredicateLimits(statementSearches: 0)) == .exceeds(.statementSearches, limit: 0))
        #expect(try code(search, PredicateLimits(statementSearches: 3), PostgreSQLDialect()) == nil)
        #expect(
            try code(search, PredicateLimits(statementSearches: 2), PostgreSQLDialect())
                == .exceeds(.statementSearches, limit: 2))
    }

    /// A template has the limits of every predicate of its shape.
    @Test func theLengthOfTheValuesOfATemplate() throws {
        let compiler = SQLCompiler(schema: people, limits: PredicateLimits(statementLength: 200))
        for _ in 0..<3 { _ = try compiler.compile(FormatPredicate("nick == %@", "jo"), entity: "Person") }
        let long = String(repeating: "x", count: 200)
        let error = SQLCompilationError.thrown {
            try compiler.compile(FormatPredicate("nick == %@", long), entity: "Person")
        }
        #expect(error?.code == .exceeds(.statementLength, limit: 200))
        #expect(error?.hints == ["pass fewer or shorter values"])
    }

    @Test func setupSetsTheDatabasesOwnTimeLimit() throws {
        // Compilation to machine code, which no time ends, is off.
        let lines: [(any SQLDialect, [String])] = [
            (PostgreSQLDialect(), ["SET statement_timeout = 5000", "SET jit = off"]),
            (MariaDBDialect(), ["SET SESSION max_statement_time = 5.000"]),
            (MySQLDialect(), ["SET SESSION max_execution_time = 5000"]), (DuckDBDialect(), []), (SparkDialect(), []),
            (SQLiteDialect(), []),
        ]
        for (dialect, lines) in lines {
            let compiler = SQLCompiler(schema: people, dialect: dialect, limits: .untrusted)
            let setup = try compiler.compile(FormatPredicate("age > 3"), entity: "Person").setup
            #expect(setup == dialect.setup + lines)
            let trusted = try SQLCompiler(schema: people, dialect: dialect)
                .compile(FormatPredicate("age > 3"), entity: "Person")
            #expect(trusted.setup == dialect.setup)
        }
    }

    /// A limit of no time would be none in a database.
    @Test func timesAtTheEnds() {
        func line(_ time: Duration) -> [String] { MariaDBDialect().setup(endingStatementsAfter: time) }
        #expect(line(.zero) == ["SET SESSION max_statement_time = 0.001"])
        #expect(line(.milliseconds(1_250)) == ["SET SESSION max_statement_time = 1.250"])
        #expect(line(.seconds(Int64.max)) == ["SET SESSION max_statement_time = 31536000.000"])
        #expect(line(.seconds(-3)) == ["SET SESSION max_statement_time = 0.001"])
        #expect(
            PostgreSQLDialect().setup(endingStatementsAfter: .seconds(Int64.max))
                == ["SET statement_timeout = 2147483647", "SET jit = off"])
    }

    /// A connection of a pool keeps what `setup` changes.
    @Test func theSettingsOfATransaction() throws {
        let compiler = SQLCompiler(schema: people, dialect: PostgreSQLDialect(), limits: .untrusted)
        let query = try compiler.compile(FormatPredicate("age > 3"), entity: "Person")
        #expect(
            query.transactionSetup == [
                "SET LOCAL TIME ZONE 'UTC'", "SET LOCAL statement_timeout = 5000", "SET LOCAL jit = off",
            ])
        let maria = SQLCompiler(schema: people, dialect: MariaDBDialect())
        #expect(try maria.compile(FormatPredicate("age > 3"), entity: "Person").transactionSetup == nil)
    }

    /// DuckDB ends a statement only between chunks of rows, so that the work for a row is bounded. [NSP-421]
    @Test func foldsThatNothingEndsInTime() throws {
        let needle = String(repeating: "x", count: 257)
        let refused = [
            "name CONTAINS[cd] nick", "uppercase:(lowercase:(name)) == 'A'", "uppercase:(name) CONTAINS[cd] 'a'",
            "name CONTAINS[cd] '\(needle)'",
        ]
        for format in refused {
            #expect(try refusal(format, dialect: DuckDBDialect(), limits: .untrusted) != nil, "\(format)")
            #expect(try refusal(format, dialect: DuckDBDialect()) == nil, "\(format)")
            #expect(try refusal(format, dialect: PostgreSQLDialect(), limits: .untrusted) == nil, "\(format)")
        }
        for format in ["name CONTAINS[cd] 'jo'", "uppercase:(name) == 'A'", "name CONTAINS nick"] {
            #expect(try refusal(format, dialect: DuckDBDialect(), limits: .untrusted) == nil, "\(format)")
        }
    }

    @Test func matchersThatBacktrackAreStopped() throws {
        let pattern = try FormatPredicate("name MATCHES '[ab]*[ab]*c'")
        func bindings(_ dialect: any SQLDialect, _ limits: PredicateLimits) throws -> String {
            let compiler = SQLCompiler(schema: people, dialect: dialect, limits: limits)
            return "\(try compiler.compile(pattern, entity: "Person").where.bindings)"
        }
        #expect(try bindings(MariaDBDialect(), .untrusted).contains("(*LIMIT_MATCH=100000)"))
        #expect(try !bindings(MariaDBDialect(), .standard).contains("LIMIT_MATCH"))
        for dialect in [MySQLDialect(), SparkDialect(), PostgreSQLDialect(), DuckDBDialect()] as [any SQLDialect] {
            #expect(try !bindings(dialect, .untrusted).contains("LIMIT_MATCH"))
        }
    }

    @Test func likeOnSparkDoesNotBacktrack() throws {
        let spark = SQLCompiler(schema: people, dialect: SparkDialect())
        func condition(_ format: String) throws -> SQLFragment {
            try spark.compile(FormatPredicate(format), entity: "Person").where
        }
        #expect(
            try condition("name LIKE 'j*a?.*n'").bindings == [
                .text(#"\Aj(?>(?s:.*?)a(?s:.)\x{2E})(?s:.*)n\z"#)
            ])
        #expect(try condition("name LIKE '*a*b*'").bindings == [.text(#"\A(?>(?s:.*?)a)(?>(?s:.*?)b)(?s:.*)\z"#)])
        #expect(try condition("name LIKE 'a*b'").bindings == [.text("a%b")])
        let many = String(repeating: "*a", count: 201)
        #expect(throws: SQLCompilationError.self) { try condition("name LIKE '\(many)'") }
    }
}
