import PredicateQuery
import PredicateSyntax
import Testing

/// Errors of queries, with their places and hints. [NSP-513]
struct QueryErrorTests {
    /// Queries with the part at fault between ‹ and ›.
    static let clauses: [(String, QueryFormatError.Code)] = [
        ("LIMIT 1 ‹WHERE› a == 1", .clauseOrder("WHERE", before: "LIMIT")),
        ("ORDER BY a ‹GROUP BY› b", .clauseOrder("GROUP BY", before: "ORDER BY")),
        ("WHERE a == 1 ‹WHERE› b == 1", .repeatedClause("WHERE", after: "WHERE")),
        ("LAST 1 ‹LIMIT› 1", .repeatedClause("LIMIT", after: "LAST")),
        ("a LIMIT ‹x›", .expectedNumber("LIMIT")), ("a LIMIT ‹›", .expectedNumber("LIMIT")),
        ("a OFFSET ‹-1›", .expectedNumber("OFFSET")), ("a LIMIT ‹1.5› BY b", .expectedNumber("LIMIT")),
        ("a LAST ‹5 6›", .expectedNumber("LAST")), ("limit ‹> 3›", .expectedNumber("LIMIT")),
        ("a,‹›,b", .expectedValue), ("a ORDER BY ‹›", .expectedValue), ("a GROUP BY ‹›", .expectedValue),
        ("a AS ‹›", .expectedName), ("a AS ‹the a›", .expectedName), ("a, ‹*›", .wholeRowsBesideValues),
        ("‹SELECT› a WHERE b == 1", .foreignClause("SELECT")), ("a, b ‹FROM› c", .foreignClause("FROM")),
        ("WHERE ‹avg›(a) > 1", .misplacedAggregate("avg", clause: "WHERE")),
        ("WHERE b == 1 AND ‹count›(*) > 1", .misplacedAggregate("count", clause: "WHERE")),
        ("count() GROUP BY b HAVING ‹avg›(a) > 1", .misplacedAggregate("avg", clause: "HAVING")),
        ("count() GROUP BY ‹count()›", .misplacedAggregate("count", clause: "GROUP BY")),
        ("count() GROUP BY b ORDER BY ‹avg(a)›", .misplacedAggregate("avg_a", clause: "ORDER BY")),
        ("‹avg(a) * 2›, b GROUP BY b", .misplacedAggregate("avg", clause: "an expression")),
        ("a, ‹avg(b)›", .aggregateWithoutGroups("avg")), ("‹percentile(a, 200)›", .aggregateArguments("percentile")),
        ("‹avg(a, b)›", .aggregateArguments("avg")), ("a, ‹b› AS a", .repeatedName("a")),
        ("‹a›, count() GROUP BY b", .notInGroups("a")), ("‹a + b› AS c, d GROUP BY b, d", .notInGroups("c")),
        ("a AS c, ‹c + 1› AS d GROUP BY a", .notInGroups("d")),
        ("count() GROUP BY b HAVING ‹a > 1›", .unknownResult("a", names: ["count", "b"])),
        ("count() GROUP BY b ORDER BY b, ‹a›", .unknownResult("a", names: ["count", "b"])),
        ("a HAVING ‹a > 1›", .havingWithoutGroups),
    ]

    @Test(arguments: clauses) func clauseErrors(marked: String, code: QueryFormatError.Code) throws {
        let (text, range) = Self.unmarked(marked)
        let error = try #require(throws: QueryFormatError.self) { try FormatQuery(format: text) }
        #expect(error.code == code)
        #expect(error.text == text)
        #expect(error.range == range, "\(error)")
        #expect(!error.hints.isEmpty && !error.title.isEmpty)
    }

    static let expressions: [(String, PredicateFormatError.Code)] = [
        ("WHERE‹›", .emptyFormat), ("a WHERE b ==‹› LIMIT 3", .expectedExpression),
        ("a WHERE ‹b› LIMIT 3", .expectedOperator), ("a, b ‹c›", .expectedOperator),
        ("a WHERE b == ‹\"›x LIMIT 3", .unterminatedString),
        ("a WHERE b == %@ AND c == ‹%@›", .missingArgument(index: 1)),
        ("a WHERE b == %@ LIMIT ‹%d›", .missingArgument(index: 1)),
        ("%K WHERE b == ‹%d›", .argumentKind(index: 1, expected: .number, found: .string("y"))),
    ]

    @Test(arguments: expressions) func expressionErrors(marked: String, code: PredicateFormatError.Code) throws {
        let (text, range) = Self.unmarked(marked)
        let arguments: [PredicateValue] = marked.contains("%K") ? [.string("x"), .string("y")] : [.string("x")]
        let error = try #require(throws: PredicateFormatError.self) {
            try FormatQuery(format: text, arguments: arguments)
        }
        #expect(error.text == text)
        #expect(error.code == code)
        #expect(error.range == range, "\(error)")
    }

    private static func unmarked(_ marked: String) -> (text: String, range: Range<Int>) {
        let parts = marked.split(omittingEmptySubsequences: false) { $0 == "‹" || $0 == "›" }.map(String.init)
        let start = parts[0].utf8.count
        return (parts.joined(), start..<start + parts[1].utf8.count)
    }

    @Test func limitsHoldForTheWholeQuery() throws {
        let few = FormatOptions(limits: PredicateLimits(formatLength: 100, nesting: 5, nodes: 6, arguments: 1))
        func code(_ text: String, _ arguments: [PredicateValue] = []) throws -> PredicateFormatError.Code {
            try #require(throws: PredicateFormatError.self) {
                try FormatQuery(format: text, arguments: arguments, options: few)
            }.code
        }
        #expect(try code(String(repeating: "a, ", count: 40)) == .formatTooLong(limit: 100))
        #expect(try code("a, b, c, d, e, f, g") == .exceeds(.nodes, limit: 6))
        #expect(try code("a WHERE b == 1 ORDER BY c, d, e") == .exceeds(.nodes, limit: 6))
        #expect(try code("a", [.null, .null]) == .exceeds(.arguments, limit: 1))
        #expect(try code("((((((((((((a))))))))))))") == .nestingTooDeep(limit: 5))
        let strict = try #require(throws: PredicateFormatError.self) {
            try FormatQuery("a WHERE b == %@", 1, 2, options: .strict)
        }
        #expect(strict.code == .surplusArguments(expected: 1, found: 2))
    }

    @Test func partsAreValidated() throws {
        let mixed = FormatQuery(["a", .average("b", as: "c")])
        let error = try #require(throws: QueryFormatError.self) { try mixed.validate() }
        #expect(error.code == .aggregateWithoutGroups("c"))
        #expect(error.text == "avg(b) AS c")
        #expect(throws: QueryFormatError.self) { try FormatQuery(limit: -1).validate() }
        #expect(throws: QueryFormatError.self) {
            try FormatQuery([.count(as: "n")], groupedBy: ["a"], having: PredicateKey("x") > 1).validate()
        }
        try FormatQuery([.count(as: "n")], groupedBy: ["a"], having: PredicateKey("n") > 1).validate()
    }

    @Test func anyBytesAreAQueryOrAnError() {
        let words = [
            "a", "*", ",", "(", ")", "WHERE", "LIMIT", "BY", "1", "%@", "ORDER BY", "AS", "DISTINCT ON", "\"", "avg(",
            "é",
        ]
        for seed in 0..<3_000 {
            var (state, text) = (seed &* 2_654_435_761, "")
            for _ in 0..<9 {
                text += words[state % words.count] + " "
                state = state / words.count + seed
            }
            do { _ = try FormatQuery(format: text) } catch is QueryFormatError {} catch is PredicateFormatError {} catch
            {
                Issue.record("\(text): \(error)")
            }
        }
    }
}
