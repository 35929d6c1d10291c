import PredicateQuery
import PredicateSyntax
import Testing

/// The grammar of queries and their parser agree. [NSP-513]
struct QueryGrammarTests {
    private static let texts = Result {
        (try ProjectFile.text("Grammar/Predicate.ebnf"), try ProjectFile.text("Grammar/Query.ebnf"))
    }

    private static let recogniser = Result {
        let (predicates, queries) = try texts.get()
        return FormatRecogniser(try GrammarReader.read(predicates + queries))
    }

    @Test("every production is a function of the parser, and every such function a production")
    func productions() throws {
        let sources = try ProjectFile.paths(in: "Sources/Query/PredicateQuery/Text", extension: "swift")
            .map(ProjectFile.text).joined(separator: "\n")
        let parsing = Set(sources.matches(of: /func parse([A-Z]\w*)\(/).map { String($0.1) })
        let queries = try Self.texts.get().1
        let names = queries.matches(of: /(?:^|\n)([a-z]\w*) =/).map { String($0.1) }
        // A clause is one of the parts of a query, and expressions are those of predicates.
        let others: Set = ["Clause", "Expression"]
        #expect(Set(names.map { $0.prefix(1).uppercased() + $0.dropFirst() }) == parsing.subtracting(others))
        #expect(others.isSubset(of: parsing))
    }

    @Test(
        "they accept the same texts",
        arguments: [
            "", "*", "name", "name, age AS years, price * 2 AS \"double\"", "DISTINCT city", "DISTINCT ON (a, b) c",
            "WHERE age > 20 AND name BEGINSWITH %@", "city, avg(age) AS a GROUP BY city HAVING a > 3",
            "count() GROUP BY ()",
            "COUNT(*), count(DISTINCT city), percentile(age, 99.5), joined(name, ', ')", "max(a * b)",
            "a LIMIT 3 BY b, c ORDER BY d", "a DISTINCT ON b",
            "ORDER BY -a, b[cd] NUMERIC DESC NULLS LAST, (c + 1) ASC",
            "a, max(b) GROUP BY a ORDER BY max(b) DESC LIMIT 10 OFFSET %d", "LAST 5", "a.limit WHERE #limit == 3",
        ])
    func accepted(text: String) throws {
        #expect(try Self.recogniser.get().accepts(text, production: "query"))
        _ = try FormatQuery(format: text, arguments: ParserVerdict.arguments(for: text))
    }

    @Test(
        "they refuse the same texts",
        arguments: [
            ",", "a,", "a AS", "a AS 1 2", "WHERE a", "a GROUP BY", "ORDER BY", "ORDER BY a, ", "LIMIT x",
            "LIMIT 1 WHERE a == 1",
            "ORDER BY a WHERE b == 1", "HAVING a > 1 GROUP BY a", "a LIMIT 1.5", "a, *", "a b",
        ])
    func refused(text: String) throws {
        #expect(try !Self.recogniser.get().accepts(text, production: "query"))
        #expect(throws: (any Error).self) { try FormatQuery(format: text) }
    }
}
