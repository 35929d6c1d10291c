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

    @Test func aQueryIsChecked() throws {
        var policy = PredicatePolicy.untrusted
        policy.keys = .only(["name", "age"])
        let schema = SQLSchema(table: "person", columns: ["name": .string, "age": .integer])
        let untrusted = try FormatQuery("name ORDER BY age", policy: policy)
        for finding in untrusted.check(against: schema, entity: "person") { print(finding) }
        #expect(untrusted.check(against: schema, entity: "person").isEmpty)
    }
}
