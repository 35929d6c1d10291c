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
