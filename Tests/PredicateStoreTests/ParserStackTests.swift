import Foundation
@_spi(Dialect) import PredicateSQL
import PredicateStore
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Deeply nested predicates: SQLite parses every compiled statement, and few that it could parse are rejected.
@Suite struct ParserStackTests {
    private static let schema = SQLSchema([
        SQLEntity(
            "Person", table: "person",
            attributes: [
                "id": SQLAttribute(.integer, isNullable: false), "name": SQLAttribute(.string),
                "age": SQLAttribute(.integer), "height": SQLAttribute(.double), "price": SQLAttribute(.decimal),
            ],
            relationships: [
                "boss": .toOne("Person", column: "boss_id"), "reports": .toMany("Person", inverseColumn: "boss_id"),
                "friends": .manyToMany("Person", joinTable: "friend", sourceColumn: "a_id", targetColumn: "b_id"),
            ])
    ])

    private static let script = """
        CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, age INTEGER, height REAL, price TEXT, boss_id INTEGER);
        CREATE TABLE friend (a_id INTEGER, b_id INTEGER);
        """

    private static let roomy = MutantDialect(limits: SQLLimits(parameters: 32_766, parserStack: 100_000, tables: 64))

    /// The repeated wrapper, the innermost operand, and the comparison of an expression.
    struct Shape: Sendable, CustomTestStringConvertible {
        let around, inside, question: String

        var testDescription: String { around + question }

        init(_ around: String, _ inside: String = "age == 1", _ question: String = "") {
            (self.around, self.inside, self.question) = (around, inside, question)
        }

        func predicate(depth: Int) throws -> FormatPredicate {
            var text = inside
            for _ in 0..<depth { text = around.replacingOccurrences(of: "X", with: text) }
            return try FormatPredicate(text + question)
        }
    }

    static let shapes = [
        Shape("(name == 'a' OR (height > 2 AND X))"), Shape("NOT (name == 'a' AND X)"),
        Shape("NOT (X OR name ENDSWITH[c] 'x')"), Shape("((X OR age == 2) AND name CONTAINS[cd] 'x')"),
        Shape("(ANY reports.name == 'a' OR (age > 2 AND X))"), Shape("SUBQUERY(reports, $p, X).@count > 0"),
        Shape("SUBQUERY(friends, $p, X).@count > 2"),
        Shape("SUBQUERY(boss.friends, $p, name ENDSWITH $p.name AND X).@sum.age > 2"),
        Shape(
            "(age > 3 OR NOT (SUBQUERY(friends, $p, $p.boss.name ENDSWITH 'x' AND NOT (X)).@max.age > boss.age))"),
        Shape("(1 + abs(X))", "age", " > 2"), Shape("(1.5 + abs(X))", "height", " > 2"),
        Shape("height * (2 + X)", "height", " > 2"), Shape("age * (2 - X)", "age", " > 2"),
        Shape("(age | (X & 3))", "age", " > 2"), Shape("TERNARY(age > 2, X, age + 1)", "age", " > 2"),
        Shape("TERNARY(age > X, 2, 3)", "age", " > 2"), Shape("uppercase(X)", "name", " ENDSWITH name"),
        Shape("lowercase(X)", "name", " > name"), Shape("modulus:by:(X, 3)", "age", " > 2"),
        Shape("floor(height / X)", "height", " > 2"), Shape("CAST(X, 'NSString')", "age", " > '2'"),
        Shape("(price == 2 OR (price < age AND X))"), Shape("(age IN {2, 3, height} AND NOT (name MATCHES 'x' OR X))"),
    ]

    @Test(arguments: shapes)
    func depth(shape: Shape) throws {
        let connection = try TemporaryDirectory().database("store.sqlite", Self.script)
        let (own, roomy) = (SQLCompiler(schema: Self.schema), SQLCompiler(schema: Self.schema, dialect: Self.roomy))
        // From version 3.46 on the stack grows, and no statement is too deep for it.
        var stackGrows = false
        if case .text(let version)? = try connection.rows(of: SQLFragment("SELECT sqlite_version()")).next()?.first {
            stackGrows = version.compare("3.46", options: .numeric) != .orderedAscending
        }
        var (compiled, readable) = (0, 0)
        for depth in 1...30 {
            guard let predicate = try? shape.predicate(depth: depth) else { break }
            let query = try? own.compile(predicate, entity: "Person")
            if let query { #expect(throws: Never.self) { try read(query, connection) } }
            if query != nil { compiled = depth }
            guard let query = try? roomy.compile(predicate, entity: "Person"), (try? read(query, connection)) != nil
            else { break }
            readable = depth
        }
        #expect(readable > 0 && (stackGrows || compiled * 2 >= readable), "\(compiled) of \(readable)")
    }

    /// A condition that SQL does not express is a residual.
    @Test func residual() throws {
        let connection = try TemporaryDirectory().database("store.sqlite", Self.script)
        let path = Array(repeating: "boss", count: 70).joined(separator: ".")
        let joins = try FormatPredicate("\(path).age > 2")
        for predicate in [joins, try Self.shapes[0].predicate(depth: 40)] {
            let query = try SQLCompiler(schema: Self.schema, mode: .residual).compile(predicate, entity: "Person")
            #expect(query.residual == predicate && query.where.text == "1")
            #expect(throws: Never.self) { try read(query, connection) }
        }
        let error = SQLCompilationError.thrown {
            try SQLCompiler(schema: Self.schema).compile(joins, entity: "Person")
        }
        #expect(error?.code == .notExpressible(.joins(limit: 64, dialect: "sqlite")))
        let most = try FormatPredicate(path.dropFirst(7 * "boss.".count) + ".age > 2")
        #expect(throws: Never.self) {
            try read(try SQLCompiler(schema: Self.schema).compile(most, entity: "Person"), connection)
        }
    }

    private func read(_ query: SQLQuery, _ connection: StoreConnection) throws {
        _ = try connection.rows(of: query.select).next()
    }
}
