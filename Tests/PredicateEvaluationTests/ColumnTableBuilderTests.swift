import Foundation
import PredicateEvaluation
import PredicateGenerators
import PredicateSyntax
import Testing

/// Tables of rows whose keys and types come up as they go answer what the rows answer.
@Suite struct ColumnTableBuilderTests {
    /// Keys that come late or are missing here and there, dictionaries in dictionaries, and what is no dictionary.
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
            expectSame(
                ColumnTable(rows: rows), rows.map(KeyedValue.value), ["n": 21, "t": "s"], predicates: 40,
                "\(count) rows, table \(number)"
            ) { formats.next() }
        }
    }

    @Test func rowsAreTheSame() {
        let rows: [PredicateValue] = [
            ["a": 1, "count": 2], .null, ["b": ["c": ["d": [1, 2]], "e": .null]], ["a": 1.5, "b": .null], [:],
            ["b": ["c": .null]], ["a": -7, "b": ["e": "x", "f": true]],
        ]
        let table = ColumnTable(rows: rows)
        #expect(table.count == rows.count)
        #expect(table.keyPaths.sorted() == ["a", "b.c.d", "b.e", "b.f", "count"])
        for (place, row) in rows.enumerated() { #expect(table[place].keyedValue.predicateValue == row) }
    }

    @Test func whatOnlyDictionariesHave() throws {
        let rows: [PredicateValue] = [
            ["a": 1, "count": 9], ["a": 2.5], ["a": .null, "b": ["count": 3]], ["a": 4, "b": [:]], .null,
        ]
        let table = ColumnTable(rows: rows)
        for format in [
            "count == 9", "count == 1", "SELF.@count == 2", "b.count == 3", "b.count == 0", "a == nil", "b == nil",
            "'a' IN SELF.@allKeys", "SELF == nil", "wings == nil", "a * 2 > 4", "b.@count == 1", "b.wings.c == nil",
            "a IN {4, 2.5}", "a BETWEEN {1, 2.5}", "a.b == 1",
        ] {
            let predicate = try FormatPredicate(format: format, arguments: [])
            let expected = Result { () throws(EvaluationError) in
                let evaluator = try PredicateEvaluator(predicate)
                var places: [Int] = []
                for (place, row) in rows.enumerated() where try evaluator.evaluate(.value(row)) { places.append(place) }
                return places
            }
            let found = Result { () throws(EvaluationError) in try table.indices(matching: predicate) }
            #expect(found == expected, "\(format)")
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

    /// Lists of dictionaries, whose keys have columns: all elements have `k`, some `m`; `count` is a property of lists too.
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
        let table = ColumnTable(rows: rows)
        for (place, row) in rows.enumerated() { #expect(table[place].keyedValue.predicateValue == row) }
        for format in Self.listFormats {
            guard let predicate = try? FormatPredicate(format: format, arguments: []) else {
                Issue.record("\(format) is no predicate")
                continue
            }
            for (place, row) in rows.enumerated() {
                let one = ColumnTable(rows: rows[place...place])
                #expect(outcome(predicate, one) == expected(predicate, [row]), "\(format), \(row)")
            }
            #expect(outcome(predicate, table) == expected(predicate, rows), "\(format)")
        }
    }

    @Test(arguments: [1, 63, 64, 65, 130]) func randomListsOfDictionaries(count: Int) throws {
        var numbers = RandomSource(seed: UInt64(count) + 36)
        for number in 0..<6 {
            let rows = (0..<count).map { _ in Self.row(&numbers) }
            let table = ColumnTable(rows: rows)
            for format in Self.listFormats {
                let predicate = try FormatPredicate(format: format, arguments: [])
                #expect(outcome(predicate, table) == expected(predicate, rows), "\(format), table \(number)")
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

    private func outcome(_ predicate: FormatPredicate, _ table: ColumnTable) -> Result<[Int], EvaluationError> {
        Result { () throws(EvaluationError) in try table.indices(matching: predicate) }
    }

    private func expected(_ predicate: FormatPredicate, _ rows: [PredicateValue]) -> Result<[Int], EvaluationError> {
        Result { () throws(EvaluationError) in
            let evaluator = try PredicateEvaluator(predicate)
            var places: [Int] = []
            for (place, row) in rows.enumerated() where try evaluator.evaluate(.value(row)) { places.append(place) }
            return places
        }
    }

    @Test func keysThatAreData() throws {
        let rows: [PredicateValue] = (0..<3000).map { ["key \($0)": .integer($0), "n": .integer($0 % 7)] }
        let table = ColumnTable(rows: rows)
        #expect(try table.indices(matching: FormatPredicate("n == 3 AND SELF['key 10'] == 10")) == [10])
        #expect(try table.count(matching: FormatPredicate("n > 3")) == rows.count(matching: FormatPredicate("n > 3")))
    }

    @Test func keysThatLookTheSame() throws {
        let rows: [PredicateValue] = [["e\u{301}": 1], ["\u{e9}": 2]]
        let table = ColumnTable(rows: rows)
        for (place, row) in rows.enumerated() { #expect(table[place].keyedValue.predicateValue == row) }
        for key in ["e\u{301}", "\u{e9}"] {
            let predicate = try FormatPredicate("%K == 2", key)
            #expect(try table.indices(matching: predicate) == rows.indices(matching: predicate))
        }
    }

    @Test func growingTables() throws {
        let builder = ColumnTableBuilder()
        builder.append(["n": 1])
        let one = builder.table()
        builder.append(["n": 2, "late": "x"])
        #expect(builder.count == 2)
        #expect(one.count == 1)
        #expect(try one.count(matching: FormatPredicate("late == nil")) == 1)
        #expect(try builder.table().indices(matching: FormatPredicate("late == 'x' AND n > 1")) == [1])
    }
}
