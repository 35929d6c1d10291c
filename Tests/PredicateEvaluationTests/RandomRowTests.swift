import Foundation
import PredicateEvaluation
import PredicateGenerators
import PredicateSyntax
import Testing

/// Batches over rows of plain data and over records find what the plan finds for each row.
@Suite struct RandomRowTests {
    /// Rows of values of all kinds, as records with a layout.
    @Test(arguments: [0, 1, 63, 64, 65, 300, 1023, 1024, 1025, 2100])
    func randomRecords(count: Int) {
        var numbers = RandomSource(seed: UInt64(count) + 7)
        for number in 0..<(count > 500 ? 6 : 20) {
            let table = RandomTable(&numbers, count: count)
            let layout = KeyedRecord.Layout(RandomTable.keys)
            let records = table.rows.map { KeyedRecord(layout, $0) }
            var formats = RandomTableFormats(seed: numbers.next(), kinds: table.kinds)
            expectSame(records, ["n": 21, "t": "jo"], "\(count) records, table \(number)") { formats.next() }
        }
    }

    /// Keys that are missing here and there, dictionaries in dictionaries, and what is no dictionary.
    @Test(arguments: [1, 64, 200, 1100])
    func randomRows(count: Int) {
        var numbers = RandomSource(seed: UInt64(count))
        for number in 0..<(count > 500 ? 8 : 30) {
            let table = RandomTable(&numbers, count: count)
            let (gaps, strangers) = (numbers.one(of: [0, 10, 60]), numbers.one(of: [0, 0, 5]))
            let rows = table.rows.map { row -> PredicateValue in
                if numbers.percent(strangers) { return numbers.one(of: [.null, 21, "jo", ["a": ["b": 1]]]) }
                return .dictionary(row.filter { _ in !numbers.percent(gaps) })
            }
            var formats = RandomTableFormats(seed: numbers.next(), kinds: table.kinds)
            expectSame(rows, ["n": 21, "t": "s"], "\(count) rows, table \(number)") { formats.next() }
        }
    }

    /// Expects of forty predicates that batches find what the plan finds for each row, the first error included.
    private func expectSame<Row: KeyValueCoding>(
        _ rows: [Row], _ variables: PredicateVariables, _ name: Comment, _ format: () -> String
    ) {
        var compared = 0
        while compared < 40 {
            guard let predicate = try? FormatPredicate(format: format(), arguments: []) else { continue }
            compared += 1
            let expected = expected(predicate, rows, variables)
            let indices = Result { () throws(EvaluationError) in
                try rows.indices(matching: predicate, variables: variables)
            }
            let count = Result { () throws(EvaluationError) in
                try rows.count(matching: predicate, variables: variables)
            }
            #expect(indices == expected, "\(name) indices: \(predicate.predicateFormat)")
            #expect(count == expected.map(\.count), "\(name) count: \(predicate.predicateFormat)")
        }
    }

    /// The places of the rows for which the plan holds, or its first error.
    private func expected<Row: KeyValueCoding>(
        _ predicate: FormatPredicate, _ rows: [Row], _ variables: PredicateVariables = [:]
    ) -> Result<[Int], EvaluationError> {
        Result { () throws(EvaluationError) in
            let evaluator = try PredicateEvaluator(predicate)
            var places: [Int] = []
            for (place, row) in rows.enumerated()
            where try evaluator.evaluate(row.keyedValue, variables: variables) {
                places.append(place)
            }
            return places
        }
    }

    private func outcome(_ predicate: FormatPredicate, _ rows: [PredicateValue]) -> Result<[Int], EvaluationError> {
        Result { () throws(EvaluationError) in try rows.indices(matching: predicate) }
    }

    @Test func whatOnlyDictionariesHave() throws {
        let rows: [PredicateValue] = [
            ["a": 1, "count": 9], ["a": 2.5], ["a": .null, "b": ["count": 3]], ["a": 4, "b": [:]], .null,
        ]
        for format in [
            "count == 9", "count == 1", "SELF.@count == 2", "b.count == 3", "b.count == 0", "a == nil", "b == nil",
            "'a' IN SELF.@allKeys", "SELF == nil", "wings == nil", "a * 2 > 4", "b.@count == 1", "b.wings.c == nil",
            "a IN {4, 2.5}", "a BETWEEN {1, 2.5}", "a.b == 1",
        ] {
            let predicate = try FormatPredicate(format: format, arguments: [])
            #expect(outcome(predicate, rows) == expected(predicate, rows), "\(format)")
        }
    }

    /// Formats about lists of dictionaries `p`, and about lists of lists `c`.
    private static let listFormats = [
        "ANY p.k == 'a'", "NONE p.k == 'a'", "ALL p.k >= ''", "'b' IN p.k", "p.k CONTAINS 'a'", "p.k == {'a', 'b'}",
        "ANY p.n > 0", "p.n.@count > 1", "p.@sum.n > 0", "p.@max.n == 2", "p.n.@sum < 0", "ANY p.k LIKE[c] 'A*'",
        "ANY p.m == 1", "ALL p.m == nil", "p.count == 2", "ANY p.count == 2", "p.@count == 1",
        "ANY p.missing == nil", "p.k.length == {1, 1}", "ANY p.q.r.s == 1", "p.q.r.@count == 1", "p == nil",
        "p.k == nil", "p == {}",
        "p[0].k == 'a'", "p[FIRST].n == 1", "p CONTAINS SELF",
        "SUBQUERY(p, $e, $e.k == 'a' AND $e.n > 0).@count == 1",
        "SUBQUERY(p.k, $t, $t == 'a').@count == 1", "ANY p.k.@count == 0", "p.@unionOfObjects.k == {'a', 'b'}",
        "ANY p.k IN {'a', ''}", "ANY p.n BETWEEN {0, 5}", "ANY p.k MATCHES '[ab]'", "p.k[0] == 'a'", "p.k < 'b'",
        "c.@count == 2", "ANY c.@count == 0", "c == {{1, 2}, {}}", "ANY c == {1, 2}", "c[0][1] == 2",
        "SUBQUERY(c, $e, $e.@count == 1).@count == 1", "SUBQUERY(c, $e, ANY $e > 1).@count == 1",
        "ANY c.count == 2", "c.@unionOfArrays.self == {1, 2}", "{4} IN c", "c.@max.count == 2", "c CONTAINS {}",
        "SUBQUERY(p, $e, $e.m == nil).@count == 1", "SUBQUERY(p, $e, $e.m == 1 OR $e.n < 0).@count == 1",
        "SUBQUERY(p, $e, $e.count == 5).@count == 1", "SUBQUERY(p, $e, $e.q.r.@count == 2).@count == 1",
        "SUBQUERY(p, $e, $e == nil).@count == 0", "SUBQUERY(p, $e, $e.missing == nil).@count > 0",
        "SUBQUERY(p, $e, SUBQUERY($e.q.r, $f, $f.s == 1).@count == 1).@count == 1",
        "SUBQUERY(p, $e, ANY $e.q.r.s == 2).@count == 1", "SUBQUERY(p, $e, $e.k == 'a' AND $e.q == nil).@count == 1",
        "SUBQUERY(p, $e, 'k' IN $e.@allKeys).@count == 1", "SUBQUERY(p, $e, $e.@count == 3).@count == 1",
        "p[0].q.r[1].s == 2", "SUBQUERY(p, $e, $e.n / 0 > 1).@count == 0", "SUBQUERY(p, $e, $e.k > $e.n).@count == 0",
        "SUBQUERY(p, $e, $e.k.length == 1 AND NOT $e.n > 0).@count == 1", "SUBQUERY(p, $e, $e == $e).@count == 2",
    ]

    /// Lists of dictionaries: all elements have `k`, some `m`; `count` is a property of lists too.
    @Test(arguments: [false, true]) func listsOfDictionaries(withStrangers: Bool) throws {
        var rows: [PredicateValue] = [
            ["c": [[1, 2], []], "p": [["k": "a", "n": 1, "count": 5], ["k": "b", "n": -7, "m": 1, "count": 2]]],
            ["p": []], ["p": .null], [:],
            ["p": [["k": "", "n": 2, "m": .null, "count": 2, "q": ["r": [["s": 1], ["s": 2]]]]]], ["c": [], "x": 1],
            ["c": [[2.5, -1], [4]]],
            ["p": [["k": "\u{e9}", "n": 9_007_199_254_740_993, "count": 0, "q": ["r": []]]]],
        ]
        if withStrangers {
            rows += [["p": [["k": "a"], .null]], ["p": ["k": "a"]], ["p": [[["k": "a"]], 7]], ["c": [[[3]]]]]
        }
        for format in Self.listFormats {
            guard let predicate = try? FormatPredicate(format: format, arguments: []) else {
                Issue.record("\(format) is no predicate")
                continue
            }
            for row in rows {
                #expect(outcome(predicate, [row]) == expected(predicate, [row]), "\(format), \(row)")
            }
            #expect(outcome(predicate, rows) == expected(predicate, rows), "\(format)")
        }
    }

    @Test(arguments: [1, 63, 64, 65, 130]) func randomListsOfDictionaries(count: Int) throws {
        var numbers = RandomSource(seed: UInt64(count) + 36)
        for number in 0..<6 {
            let rows = (0..<count).map { _ in Self.row(&numbers) }
            for format in Self.listFormats {
                let predicate = try FormatPredicate(format: format, arguments: [])
                #expect(outcome(predicate, rows) == expected(predicate, rows), "\(format), table \(number)")
            }
        }
    }

    /// A row with a list of dictionaries, of which some lack keys, and a list of lists.
    private static func row(_ numbers: inout RandomSource) -> PredicateValue {
        let texts: [PredicateValue] = ["a", "b", "", "\u{e9}", "e\u{301}", "\r\n"]
        let counts: [PredicateValue] = [0, 1, -7, 9_007_199_254_740_993, 2, 5]
        var row: [String: PredicateValue] = [:]
        if numbers.next() % 8 != 0 {
            row["p"] = .array(
                (0..<numbers.next() % 4).map { _ in
                    var element: [String: PredicateValue] = [
                        "k": texts[Int(numbers.next() % 6)], "n": counts[Int(numbers.next() % 6)],
                    ]
                    if numbers.next() % 3 == 0 { element["m"] = numbers.next() % 2 == 0 ? 1 : .null }
                    if numbers.next() % 4 == 0 { element["count"] = counts[Int(numbers.next() % 6)] }
                    if numbers.next() % 4 == 0 {
                        element["q"] = [
                            "r": .array((0..<numbers.next() % 3).map { _ in ["s": counts[Int(numbers.next() % 6)]] })
                        ]
                    }
                    return .dictionary(element)
                })
        }
        if numbers.next() % 3 == 0 { row["c"] = [[1, 2], []] }
        return .dictionary(row)
    }

    @Test func arithmetic() throws {
        let rows: [PredicateValue] = (0..<130).map {
            ["n": .integer($0), "d": .double(Double($0) / 2), "big": .integer(.max - $0), "zero": .integer($0 - 129)]
        }
        let sums: [(String, Int)] = [
            ("n * 2 + 1 > 50", 105), ("n / 2 == 3", 2), ("n / 2.0 == 3", 1), ("100 - n < n + d", 89),
            ("d * n >= 2.5 AND n <= d + 1.5", 1), ("big - 1 > n", 130), ("n - big < 0", 130), ("n * 1.5 == d * 3", 130),
        ]
        for (format, expected) in sums {
            #expect(try rows.count(matching: FormatPredicate(format: format, arguments: [])) == expected, "\(format)")
        }
        for format in ["big + 1 > 0", "n / zero > 0", "zero / n > 0"] {
            let predicate = try FormatPredicate(format: format, arguments: [])
            #expect(throws: EvaluationError.self) { try rows.count(matching: predicate) }
            #expect(outcome(predicate, rows) == expected(predicate, rows), "\(format)")
        }
    }

    @Test func lists() throws {
        let rows: [PredicateValue] = [
            ["tags": ["swift", "sun"], "marks": [1, 2]], ["tags": [], "marks": [3]], ["tags": .null, "marks": []],
            ["tags": ["c"], "marks": [1, 1, 1]],
        ]
        let expected: [(String, [Int])] = [
            ("ANY tags == 'swift'", [0]), ("'c' IN tags", [3]), ("tags.@count > 1", [0]), ("ALL marks == 1", [2, 3]),
            ("SUBQUERY(tags, $t, $t BEGINSWITH 's').@count > 1", [0]), ("marks.@count == 0", [2]),
            ("SUBQUERY(marks, $m, $m > 1 OR $m == 1).@count == 3", [3]), ("tags == nil", [2]),
        ]
        for (format, indices) in expected {
            #expect(try rows.indices(matching: FormatPredicate(format: format, arguments: [])) == indices, "\(format)")
        }
    }

    @Test func longLists() throws {
        let long = PredicateValue.array((0..<150_000).map { .integer($0 % 7) })
        let rows: [PredicateValue] = [["n": [1]], ["n": long], ["n": [7, 8]], ["n": .null]]
        for format in ["ANY n > 6", "ALL n < 7", "n.@count > 2", "6 IN n", "SUBQUERY(n, $x, $x == 6).@count > 1"] {
            let predicate = try FormatPredicate(format: format, arguments: [])
            #expect(outcome(predicate, rows) == expected(predicate, rows), "\(format)")
        }
    }

    @Test func keysThatAreData() throws {
        let rows: [PredicateValue] = (0..<3000).map { ["key \($0)": .integer($0), "n": .integer($0 % 7)] }
        #expect(try rows.indices(matching: FormatPredicate("n == 3 AND SELF['key 10'] == 10")) == [10])
    }

    @Test func keysThatLookTheSame() throws {
        let rows: [PredicateValue] = [["e\u{301}": 1], ["\u{e9}": 2]]
        #expect(try rows.indices(matching: FormatPredicate("%K == 2", "e\u{301}")) == [])
        #expect(try rows.indices(matching: FormatPredicate("%K == 2", "\u{e9}")) == [1])
    }
}
