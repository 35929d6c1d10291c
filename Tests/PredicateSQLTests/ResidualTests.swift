import PredicateSQL
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Residuals: SQL selects a superset of the rows, and the rest is evaluated in memory.
@Suite struct ResidualTests {
    private func check(_ format: String, _ sql: String, _ residual: String?) throws {
        let query = try SQLCompiler(schema: people, mode: .residual).compile(
            try FormatPredicate(format), entity: "Person")
        #expect(shown(query.where) == sql, "\(format)")
        #expect(query.residual?.predicateFormat == residual, "\(format)")
    }

    @Test func whatCanBeSaidLeavesNothing() throws {
        try check("age > 1", #"t0."age" > ?1 [1]"#, nil)
    }

    @Test func partsOfAConjunction() throws {
        try check("age > 1 AND random() == 2", #"t0."age" > ?1 [1]"#, "random() == 2")
        try check(
            "random() == 1 AND age > 1 AND f(age) == 3", #"t0."age" > ?1 [1]"#, "random() == 1 AND f(age) == 3")
        try check("random() == 1", "1", "random() == 1")
    }

    /// One part that SQL would have to repeat too often; and where only the whole text shows it, all of it.
    @Test func whatWouldBeTooLong() throws {
        let choices = (0..<20).map { "TERNARY(age > \($0), age, height)" }.joined(separator: " + ")
        let long = try FormatPredicate("\(choices) == (\(choices))").predicateFormat
        try check("age > 1 AND \(long)", #"t0."age" > ?1 [1]"#, long)
        let truths = "age" + String(repeating: ".boolValue", count: 60) + " == 1 AND age > 1"
        try check(truths, "1", truths)
    }

    @Test func byPolarity() throws {
        // Left out under OR, the whole may hold; under NOT, what is left out may be false.
        try check("age > 1 AND (rank == 1 OR random() == 1)", #"t0."age" > ?1 [1]"#, "rank == 1 OR random() == 1")
        try check(
            "(age > 1 AND random() == 1) OR rank == 2", #"t0."age" > ?1 OR t0."rank" = ?2 [1, 2]"#,
            "(age > 1 AND random() == 1) OR rank == 2")
        try check("NOT (age > 1 AND random() == 1)", "1", "NOT (age > 1 AND random() == 1)")
        try check(
            "NOT (age > 1 OR random() == 1)", #"t0."age" <= ?1 OR t0."age" IS NULL [1]"#,
            "NOT (age > 1 OR random() == 1)")
    }

    @Test func nothingIsLeftOutOfAValue() throws {
        try check(
            "SUBQUERY(phones, $p, $p.rank > 1 AND random() == 1).@count == 0", "1",
            "SUBQUERY(phones, $p, $p.rank > 1 AND random() == 1).@count == 0")
        try check("TERNARY(random() == 1, 1, 2) == 1", "1", "TERNARY(random() == 1, 1, 2) == 1")
    }

    @Test func mistakesAreStillErrors() throws {
        let compiler = SQLCompiler(schema: people, mode: .residual)
        for format in ["wings == 1", "age == $x"] {
            #expect(throws: SQLCompilationError.self) {
                try compiler.compile(try FormatPredicate(format), entity: "Person")
            }
        }
    }

    @Test func changesNeedAWholePredicate() throws {
        let query = try SQLCompiler(schema: people, mode: .residual).compile(
            try FormatPredicate("age > 1 AND random() == 1"), entity: "Person")
        let update = SQLCompilationError.thrown { try query.update(["age": 1]) }
        #expect(update?.code == .residualInChange)
        let delete = SQLCompilationError.thrown { try query.delete() }
        #expect(delete?.code == .residualInChange)
    }
}
