import Foundation
import PredicateQuery
import PredicateSyntax
import Testing

/// The text of queries. [NSP-513]
struct QueryTextTests {
    @Test func allClauses() throws {
        let query = try FormatQuery(
            """
            country, avg(age) AS a WHERE age > 20 AND name BEGINSWITH %@ GROUP BY country HAVING a > %d
            LIMIT 3 BY country ORDER BY a DESC, country[c] NUMERIC NULLS LAST LIMIT 10 OFFSET %d
            """, "jo", 3, 5)
        #expect(query.keys == ["country", .average("age", as: "a")])
        #expect(query.predicate == (PredicateKey("age") > 20 && PredicateKey("name").beginsWith("jo")))
        #expect(query.groups == ["country"])
        #expect(query.having == (PredicateKey("a") > 3))
        #expect(query.limitByKey == .init(3, by: ["country"]))
        #expect(
            query.sortKeys == [
                SortKey("a", ascending: false),
                SortKey("country", options: .caseInsensitive, nils: .last, isNumeric: true),
            ])
        #expect(query.page == .first(limit: 10, offset: 5))
        #expect(!query.isDistinct)
    }

    @Test(arguments: [
        ("a AS b", "a", "b"), ("a as \"b, c\"", "a", "b, c"), ("f(a, ' AS ') AS b", "f(a, ' AS ')", "b"),
        ("a", "a", nil), ("a AS b c", "a AS b c", nil), ("valid-as-of", "valid-as-of", nil),
        ("a AS b-as-c", "a", "b-as-c"), ("a AS as-x", "a", "as-x"),
    ])
    func theNameOfAnItem(_ item: String, _ text: String, _ name: String?) {
        let divided = OutputList.divided(item)
        #expect(divided.text == text && divided.name == name)
    }

    @Test func partsAndTextAreEqual() throws {
        let (country, age) = (PredicateKey("country"), PredicateKey("age"))
        let built = FormatQuery(
            ["country", .average("age", as: "a")], where: age > 20, groupedBy: ["country"],
            having: PredicateKey("a") > 3,
            sortKeys: [SortKey("a", ascending: false)], limit: 10)
        let text = "country, avg(age) AS a WHERE age > 20 GROUP BY country HAVING a > 3 ORDER BY a DESC LIMIT 10"
        #expect(try FormatQuery(text) == built)
        #expect(built.description == text)
        #expect(FormatQuery(where: country == "NL").description == "* WHERE country == \"NL\"")
    }

    /// Texts and their canonical forms.
    static let forms: [(String, String)] = [
        ("", "*"), ("*", "*"), ("where a==1", "* WHERE a == 1"), ("a,b", "a, b"),
        ("DISTINCT a", "DISTINCT a"), ("distinct *", "DISTINCT *"),
        ("price*2 AS double", "price * 2 AS double"), ("price*2", "price * 2 AS \"price*2\""),
        ("count(), COUNT(*) as n, count( distinct b )", "count(), count() AS n, count(DISTINCT b)"),
        ("average(age)", "avg(age)"), ("max(scores)", "max(scores)"),
        ("(max(scores))", "max:(scores) AS \"(max(scores))\""),
        ("name, max(scores)", "name, max:(scores) AS \"max(scores)\""),
        ("max({a, b})", "max:({a, b}) AS \"max({a, b})\""),
        ("percentile(x, 95) AS p, joined(x, \"\\n\")", "percentile(x, 95) AS p, joined(x, \"\n\")"),
        ("joined(x)", "joined(x, \", \")"), ("sum(a * b)", "sum(a * b)"),
        ("count() GROUP BY ()", "count()"), ("GROUP BY a", "a, count() GROUP BY a"),
        ("b + 1 AS c, count() GROUP BY c", "b + 1 AS c, count() GROUP BY b + 1 AS c"),
        (
            "lowercase(b) AS c, sum(a) AS d, d * 2 AS e GROUP BY b",
            "lowercase:(b) AS c, sum(a) AS d, d * 2 AS e GROUP BY b"
        ),
        ("year(born) ORDER BY year(born)", "(year(born)) AS \"year(born)\" ORDER BY (year(born))"),
        (
            "avg(year(born)) AS a GROUP BY month(born)",
            "avg((year(born))) AS a GROUP BY (month(born)) AS \"month(born)\""
        ),
        ("count() GROUP BY a + 1 ORDER BY a + 1", "count() GROUP BY a + 1 ORDER BY a + 1"),
        ("max(a), b GROUP BY b ORDER BY max(a)", "max(a), b GROUP BY b ORDER BY max_a"),
        ("a DISTINCT ON b", "a LIMIT 1 BY b"), ("DISTINCT ON (b, c) a", "a LIMIT 1 BY b, c"),
        ("DISTINCT ON b ORDER BY c", "* LIMIT 1 BY b ORDER BY c"),
        ("ORDER BY a LIMIT 2 BY b", "* LIMIT 2 BY b ORDER BY a"),
        ("order by -a, -b desc", "* ORDER BY a DESC, b"), ("ORDER BY -(-a)", "* ORDER BY (-a) DESC"),
        ("ORDER BY a[cd]", "* ORDER BY a[cd]"), ("ORDER BY (a[c])", "* ORDER BY (a[c])"),
        ("ORDER BY a [c]", "* ORDER BY (a[c])"),
        ("ORDER BY a numeric nulls first", "* ORDER BY a NUMERIC NULLS FIRST"), ("ORDER BY desc", "* ORDER BY (desc)"),
        ("OFFSET 3 LIMIT 4", "* LIMIT 4 OFFSET 3"), ("LAST 5", "* LAST 5"),
        ("#limit, a.where WHERE #limit > 3", "(limit), a.where WHERE (limit > 3)"),
        ("group, order WHERE group == order", "(group), (order) WHERE (group == order)"),
        ("a AS \"the a\", b AS \"limit\"", "a AS \"the a\", b AS \"limit\""), ("a AS net-price", "a AS \"net-price\""),
        ("#\"first name\"", "#\"first name\""), ("a WHERE b == \" LIMIT 3 \"", "a WHERE b == \" LIMIT 3 \""),
        ("SUBQUERY(a, $x, $x.b == $limit).@count AS n", "SUBQUERY(a, $x, $x.b == $limit).@count AS n"),
    ]

    @Test(arguments: forms) func canonicalForms(text: String, canonical: String) throws {
        let query = try FormatQuery(format: text)
        #expect(query.description == canonical)
        #expect(try FormatQuery(format: canonical) == query)
    }

    @Test func randomQueriesReadBack() throws {
        var random = RandomQuery(seed: 513)
        for number in 0..<1_500 {
            let query = random.query()
            do {
                #expect(try FormatQuery(format: query.description) == query, "\(number): \(query)")
            } catch {
                Issue.record("\(number): \(query)\n\(error)")
            }
        }
    }

    @Test func randomQueriesAreArchived() throws {
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        decoder.userInfo[.predicatePolicy] = PredicatePolicy.unrestricted
        var random = RandomQuery(seed: 514)
        for _ in 0..<300 {
            let query = random.query()
            #expect(try decoder.decode(FormatQuery.self, from: try encoder.encode(query)) == query, "\(query)")
        }
    }

    @Test func archivesDrawOutConstantsWithoutLiterals() throws {
        let set = PredicateValue.set([.integer(1)])
        let query = try FormatQuery("a, b WHERE id IN %@ AND c == %@ ORDER BY a LIMIT 3", set, "x")
        let data = try JSONEncoder().encode(query)
        #expect(String(decoding: data, as: UTF8.self).contains(#""id IN %@ AND c == \"x\" ORDER BY"#) == false)
        #expect(String(decoding: data, as: UTF8.self).contains("id IN %@"))
        #expect(try JSONDecoder().decode(FormatQuery.self, from: data) == query)
        #expect(try JSONDecoder().decode([FormatQuery].self, from: Data(#"["a WHERE b > 1"]"#.utf8)).count == 1)
        #expect(throws: PredicateFormatError.self) {
            try JSONDecoder().decode([FormatQuery].self, from: Data(#"["a WHERE $b > 1"]"#.utf8))
        }
    }
}
