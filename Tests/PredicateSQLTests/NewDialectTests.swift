@_spi(Dialect) import PredicateSQL
import PredicateSyntax
import Testing

/// A dialect that says nothing but what the protocol asks for: what databases agree on becomes SQL, and all else is refused
/// and never answered otherwise.
@Suite struct NewDialectTests {
    private struct NewDialect: SQLDialect {
        let name = "new"
        let limits = SQLLimits(parameters: 100, parserStack: 300)
    }

    @Test func whatDatabasesAgreeOn() throws {
        try expectConditions(
            """
            age >= 21 AND NOT rank == 3
              t0."age" >= ? AND t0."rank" <> ? [21, 3]
            age != 21
              t0."age" IS DISTINCT FROM ? [21]
            member == YES OR age == nil
              t0."member" = ? OR t0."age" IS NULL [true]
            rank IN {1, 2}
              t0."rank" IN (?, ?) [1, 2]
            rank * 2 + 1 > 5
              t0."rank" * ? + ? > ? [2, 1, 5]
            boss.age BETWEEN {18, 65}
              t1."age" >= ? AND t1."age" <= ? [18, 65]
            phones.@count > 1
              t0."id" IN (SELECT t1."person_id" FROM "phone" AS t1 GROUP BY t1."person_id" HAVING COUNT(*) > ?) [1]
            """, dialect: NewDialect())
    }

    @Test(arguments: [
        ("name == 'jo'", "a comparison of strings"), ("name != nick", "a comparison of strings"),
        ("name < 'jo'", "a comparison of strings"), ("name IN {'a', 'b'}", "a comparison of strings"),
        ("phones.@min.number == 'a'", "a comparison of strings"), ("name BEGINSWITH 'jo'", "a search in strings"),
        ("name LIKE 'j*'", "a search in strings"), ("age / 2 == 1", "this operation"),
        ("age & 2 == 2", "this operation"),
        ("age + 0.5 > 2", "this conversion"), ("CAST(age, 'NSString') == '1'", "a comparison of strings"),
        ("phones.@avg.rank > 2", "an average"), ("abs:(height) > 1", "abs:"),
        ("name ==[c] 'jo'", "[c]"),
    ])
    func whatTheyDoNot(_ format: String, _ lack: String) throws {
        let error = try refusal(format, dialect: NewDialect())
        #expect(error?.code == .notExpressible(.function(lack, dialect: "new")), "\(format)")
    }

    @Test(arguments: [
        ("name == 'jo'", "name == 'jo'"), ("age > 2 AND NOT name == 'jo'", "name == 'jo'"),
        ("age > 2 AND (rank == 1 OR name < 'jo')", "name < 'jo'"),
        ("SUBQUERY(phones, $p, $p.rank > 1 AND $p.number == '1').@count > 2", "$p.number == '1'"),
        ("age > 2 AND age + 0.5 > 2", "age + 0.5 > 2"),
    ])
    func whereTheyDoNot(_ format: String, _ part: String) throws {
        let error = try #require(try refusal(format, dialect: NewDialect()))
        #expect(String(decoding: Array(format.utf8)[error.range], as: UTF8.self) == part)
    }

    @Test func whatIsLeftOut() throws {
        try expectLeftOut("name == 'jo'", "TRUE", residual: "name == 'jo'")
        try expectLeftOut("age > 2 AND name == 'jo'", #"t0."age" > ?"#, residual: "name == 'jo'")
        try expectLeftOut(
            "age > 2 AND (rank == 1 OR name == 'jo') AND NOT name < 'a'", #"t0."age" > ?"#,
            residual: "(rank == 1 OR name == 'jo') AND NOT name < 'a'")
        try expectLeftOut(
            "age > 2 OR NOT (rank == 1 OR name == 'jo')", #"t0."age" > ? OR t0."rank" <> ?"#,
            residual: "age > 2 OR NOT (rank == 1 OR name == 'jo')")
    }

    private func expectLeftOut(_ format: String, _ text: String, residual: String) throws {
        let compiler = SQLCompiler(schema: people, dialect: NewDialect(), mode: .residual)
        let query = try compiler.compile(FormatPredicate(format), entity: "Person")
        #expect(query.where.text == text, "\(format)")
        #expect(try query.residual == FormatPredicate(residual), "\(format)")
    }

    @Test func whatIsNotPutInOrder() throws {
        let compiler = SQLCompiler(schema: people, dialect: NewDialect())
        let ages = try compiler.compile(FormatPredicate("age > 2"), entity: "Person")
        #expect(throws: SQLCompilationError.self) { try ages.select(keys: ["age"], sortKeys: [SortKey("name")]) }
    }
}
