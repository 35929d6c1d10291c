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
        for format in [
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
        ] {
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
