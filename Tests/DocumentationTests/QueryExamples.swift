import Predicates
import Testing

/// The page about queries.
struct QueryExamples {
    @Test func aQueryIsWrittenOrBuilt() throws {
        let text = "city, avg(age) AS a WHERE age > %@ GROUP BY city HAVING a > 30 ORDER BY a DESC LIMIT 10"
        let written = try FormatQuery(text, 20)
        let age = PredicateKey("age")
        let built = FormatQuery(
            ["city", .average("age", as: "a")], where: age > 20, groupedBy: ["city"], having: PredicateKey("a") > 30,
            sortKeys: [SortKey("a", ascending: false)], limit: 10)
        print(written == built, built)
        #expect(written == built)
    }

    @Test func aQueryRuns() throws {
        let people: [[String: any Sendable]] = [
            ["city": "Rome", "age": 30], ["city": "Oslo", "age": 40], ["city": "Rome", "age": 50],
        ]
        let schema = SQLSchema(table: "person", columns: ["city": .string, "age": .integer])
        let oldest = try FormatQuery(
            "city, max(age) AS oldest, count() WHERE age != nil GROUP BY city ORDER BY oldest DESC")
        for row in try people.results(of: oldest).dictionaries { print(row) }
        let firsts = try people.selected(by: FormatQuery("ORDER BY age DESC LIMIT 1 BY city"))
        let sorted = try people.sorted(using: [
            SortKey("city", options: .caseInsensitive), SortKey("age", ascending: false),
        ])
        let statement = try SQLCompiler(schema: schema, dialect: PostgreSQLDialect()).compile(oldest, entity: "person")
        print(statement.selection.statement.text, statement.remainder as Any)
        #expect(try people.results(of: oldest).rows == [["Rome", 50, 2], ["Oslo", 40, 1]])
        #expect((firsts.count, sorted.count) == (2, 3))
        #expect(statement.remainder == nil)
    }

    @Test func aQueryIsChecked() throws {
        var policy = PredicatePolicy.untrusted
        policy.keys = .only(["name", "age"])
        let schema = SQLSchema(table: "person", columns: ["name": .string, "age": .integer])
        let untrusted = try FormatQuery("name ORDER BY age", policy: policy)
        for finding in untrusted.check(against: schema, entity: "person") { print(finding) }
        #expect(untrusted.check(against: schema, entity: "person").isEmpty)
    }
}
