import PredicateChecks
import PredicateQuery
import PredicateSyntax
import Testing

/// A policy covers all of a query, and so do checks.
struct QueryPolicyTests {
    private static var policy: PredicatePolicy {
        var policy = PredicatePolicy.untrusted
        policy.keys = .only(["name", "age", "city", "boss.name"])
        return policy
    }

    /// Refused queries with the part at fault between ‹ and ›.
    static let refused = [
        "‹passwordHash›", "name, ‹passwordHash› AS name2", "‹*› WHERE age > 20", "‹›WHERE age > 20", "DISTINCT ‹*›",
        "name ORDER BY ‹passwordHash›", "name ORDER BY age, ‹passwordHash› DESC",
        "name ORDER BY length(‹passwordHash›)",
        "name WHERE age > 20 AND ‹passwordHash› BEGINSWITH \"a\"", "count() GROUP BY ‹passwordHash›",
        "max(‹passwordHash›)", "count(DISTINCT ‹passwordHash›) AS n GROUP BY city", "sum(age + ‹salary›) AS n",
        "name LIMIT 1 BY ‹passwordHash›", "name DISTINCT ON ‹passwordHash›", "‹boss›", "name ORDER BY ‹boss.salary›",
        "name WHERE ‹$x› == 1", "name, ‹FUNCTION(name, \"class\")› AS c",
    ]

    @Test(arguments: refused) func refusals(marked: String) throws {
        let parts = marked.split(omittingEmptySubsequences: false) { $0 == "‹" || $0 == "›" }.map(String.init)
        let (text, start) = (parts.joined(), parts[0].utf8.count)
        let error = try #require(throws: PredicateFormatError.self) { try FormatQuery(text, policy: Self.policy) }
        guard case .refused = error.code else {
            Issue.record("\(error)")
            return
        }
        #expect(error.text == text)
        #expect(error.range == start..<start + parts[1].utf8.count, "\(error)")
        #expect(!error.hints.isEmpty)
        let query = try FormatQuery(format: text)
        #expect(throws: PredicateFormatError.self) { try Self.policy.check(query) }
    }

    @Test(arguments: [
        "name, age WHERE age > 20 ORDER BY age DESC LIMIT 10",
        "city, avg(age) AS a GROUP BY city HAVING a > 3 ORDER BY a",
        "city, count() GROUP BY city HAVING count > 3", "name AS passwordHash ORDER BY passwordHash",
        "boss.name AS b ORDER BY b",
        "GROUP BY city", "max(age)", "DISTINCT city LIMIT 1 BY city",
    ]) func allowed(text: String) throws {
        let query = try FormatQuery(text, policy: Self.policy)
        try Self.policy.check(query)
    }

    /// A name in an expression, or at the beginning of a path, may be a key of the row.
    @Test(arguments: [
        ("name AS passwordHash ORDER BY passwordHash", true),
        ("name AS passwordHash ORDER BY length(passwordHash)", false),
        ("name AS passwordHash LIMIT 1 BY passwordHash", true), ("boss AS b ORDER BY b.name", false),
        ("name AS passwordHash WHERE passwordHash == \"x\"", false), ("age AS \"salary.*\" ORDER BY salary.x", false),
        ("boss AS b, count() GROUP BY boss ORDER BY b.name", true),
        ("age AS b, count() GROUP BY age ORDER BY b.name", false),
        ("boss AS b, count() GROUP BY boss HAVING b.salary > 1", false),
        ("city AS passwordHash, count() GROUP BY city HAVING length(passwordHash) > 1", true),
        ("age AS \"salary.*\", count() GROUP BY age HAVING salary.x > 1", false),
    ])
    func namesOfResultsGrantNothing(text: String, isAllowed: Bool) throws {
        var policy = Self.policy
        policy.keys = .only(["name", "boss", "boss.name", "age", "city"])
        if isAllowed {
            _ = try FormatQuery(text, policy: policy)
        } else {
            #expect(throws: (any Error).self) { try FormatQuery(text, policy: policy) }
        }
    }

    @Test func requestsAreChecked() throws {
        let policy = Self.policy
        try policy.check(sortKeys: [SortKey("age"), SortKey("boss.name")])
        try policy.check(keyPaths: ["name", "age"])
        try policy.check(results: ["name", .average("age", as: "salary"), .count(as: "n")])
        #expect(throws: PredicateFormatError.self) { try policy.check(sortKeys: [SortKey("passwordHash")]) }
        #expect(throws: PredicateFormatError.self) { try policy.check(keyPaths: ["passwordHash"]) }
        #expect(throws: PredicateFormatError.self) { try policy.check(results: [.maximum("passwordHash", as: "age")]) }
        #expect(throws: PredicateFormatError.self) {
            try policy.check(
                PredicateFetchRequest("people", PredicateKey("age") > 1, sortKeys: [SortKey("passwordHash")]))
        }
        try policy.check(
            PredicateFetchRequest("people", PredicateKey("age") > 1, sortKeys: [SortKey("name")], keys: ["name"]))
    }
}

/// Probable mistakes in queries.
struct QueryFindingTests {
    private struct Shop: PredicateSchema {
        let origin = SchemaOrigin.declared

        func property(_ key: String, of entity: String) -> PredicateProperty? {
            switch key {
            case "name", "city": PredicateProperty(.string)
            case "age": PredicateProperty(.number)
            default: nil
            }
        }

        func keys(of entity: String) -> [String] { ["name", "city", "age"] }
    }

    private func codes(_ text: String) throws -> [String] {
        try FormatQuery(format: text).check(against: Shop(), entity: "Person").map {
            "\($0.code) \($0.range.map { "\($0)" } ?? "") \($0.format)"
        }
    }

    @Test func everyClauseIsChecked() throws {
        #expect(try codes("name, nmae AS n") == ["unknownKey 0..<4 nmae"])
        #expect(try codes("name WHERE age == \"x\"") == ["kindMismatch 0..<10 age == \"x\""])
        #expect(try codes("name WHERE age > 5 AND age < 3").count == 1)
        #expect(try codes("avg(agee)") == ["unknownKey 0..<4 agee"])
        #expect(try codes("count() GROUP BY ctiy").contains("unknownKey 0..<4 ctiy"))
        #expect(try codes("name ORDER BY agee") == ["unknownKey 0..<4 agee"])
        #expect(try codes("city, avg(age) AS a GROUP BY city HAVING a == \"x\"") == ["kindMismatch 0..<8 a == \"x\""])
        #expect(try codes("city, max(name) AS m GROUP BY city HAVING m == 3") == ["kindMismatch 0..<6 m == 3"])
    }

    @Test func resultsAreKnownInHavingAndOrder() throws {
        #expect(try codes("city, avg(age) AS a GROUP BY city HAVING a > 3 AND city == \"x\" ORDER BY a, city").isEmpty)
        #expect(try codes("age * 2 AS d ORDER BY d, age").isEmpty)
        #expect(try FormatQuery("a, b WHERE c > 5 AND c < 3").check().count == 1)
    }
}
