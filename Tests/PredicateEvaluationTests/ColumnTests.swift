import Foundation
import PredicateEvaluation
import PredicateGenerators
import PredicateSyntax
import Testing

/// Columns answer what rows answer, errors included.
@Suite struct ColumnTests {
    private static let samples: [Sample] = {
        var numbers = RandomSource(seed: 13)
        return (0..<700).map { _ in Sample(&numbers) }
    }()
    private static var variables: PredicateVariables { ["n": 21, "t": "jo"] }

    private static func compare(_ table: ColumnTable, _ rows: [any KeyValueCoding], seed: UInt64, _ name: Comment) {
        var formats = RandomFormats(seed: seed)
        expectSame(table, rows.map(\.keyedValue), variables, predicates: 250, name) { formats.next() }
    }

    @Test func records() {
        let layout = KeyedRecord.Layout(Sample.keys.names)
        let records = Self.samples.map { KeyedRecord(layout, $0.data) }
        Self.compare(ColumnTable(records, layout: layout), records, seed: 1, "records")
    }

    @Test func recordsWithoutNil() {
        let layout = KeyedRecord.Layout(["name", "age", "score", "active", "born", "home"])
        let records = Self.samples.map { KeyedRecord(layout, $0.data) }
        Self.compare(ColumnTable(records, layout: layout), records, seed: 2, "whole records")
    }

    /// As many rows as fill words and chunks, one less and one more, with columns of all kinds.
    @Test(arguments: [0, 1, 63, 64, 65, 300, 1023, 1024, 1025, 2100])
    func randomTables(count: Int) {
        var numbers = RandomSource(seed: UInt64(count) + 7)
        for number in 0..<(count > 500 ? 6 : 20) {
            let table = RandomTable(&numbers, count: count)
            let layout = KeyedRecord.Layout(RandomTable.keys)
            let records = table.rows.map { KeyedRecord(layout, $0) }
            var formats = RandomTableFormats(seed: numbers.next(), kinds: table.kinds)
            expectSame(
                ColumnTable(records, layout: layout), records.map(\.keyedValue), Self.variables, predicates: 40,
                "\(count) rows, table \(number)"
            ) { formats.next() }
        }
    }

    @Test func arithmetic() throws {
        let rows: [PredicateValue] = (0..<130).map {
            ["n": .integer($0), "d": .double(Double($0) / 2), "big": .integer(.max - $0), "zero": .integer($0 - 129)]
        }
        let table = try ColumnTable(rows, keyPaths: ["n", "d", "big", "zero"])
        let sums: [(String, Int)] = [
            ("n * 2 + 1 > 50", 105), ("n / 2 == 3", 2), ("n / 2.0 == 3", 1), ("100 - n < n + d", 89),
            ("d * n >= 2.5 AND n <= d + 1.5", 1), ("big - 1 > n", 130), ("n - big < 0", 130), ("n * 1.5 == d * 3", 130),
        ]
        for (format, expected) in sums {
            let predicate = try FormatPredicate(format: format, arguments: [])
            #expect(try table.count(matching: predicate) == expected, "\(format)")
            #expect(try rows.count(matching: predicate) == expected, "\(format) of rows")
        }
        // The first row goes well in one of them, the last in the other.
        for format in ["big + 1 > 0", "n / zero > 0", "zero / n > 0"] {
            let predicate = try FormatPredicate(format: format, arguments: [])
            let code = errorCode { try rows.count(matching: predicate) }
            #expect(code != nil)
            #expect(errorCode { try table.count(matching: predicate) } == code, "\(format)")
        }
    }

    @Test func lists() throws {
        let rows: [PredicateValue] = [
            ["tags": ["swift", "sun"], "marks": [1, 2]], ["tags": [], "marks": [3]], ["tags": .null, "marks": []],
            ["tags": ["c"], "marks": [1, 1, 1]],
        ]
        let table = try ColumnTable(rows, keyPaths: ["tags", "marks"])
        #expect(isExactly(try follow("tags", in: table[0]), ["swift", "sun"]))
        #expect(isExactly(try follow("tags", in: table[2]), .null))
        let expected: [(String, [Int])] = [
            ("ANY tags == 'swift'", [0]), ("'c' IN tags", [3]), ("tags.@count > 1", [0]), ("ALL marks == 1", [2, 3]),
            ("SUBQUERY(tags, $t, $t BEGINSWITH 's').@count > 1", [0]), ("marks.@count == 0", [2]),
            ("SUBQUERY(marks, $m, $m > 1 OR $m == 1).@count == 3", [3]), ("tags == nil", [2]),
        ]
        for (format, indices) in expected {
            let predicate = try FormatPredicate(format: format, arguments: [])
            #expect(try table.indices(matching: predicate) == indices, "\(format)")
        }
    }

    @Test func longLists() throws {
        let long = PredicateValue.array((0..<150_000).map { .integer($0 % 7) })
        let rows: [PredicateValue] = [["n": [1]], ["n": long], ["n": [7, 8]], ["n": .null]]
        let table = try ColumnTable(rows, keyPaths: ["n"])
        for format in ["ANY n > 6", "ALL n < 7", "n.@count > 2", "6 IN n", "SUBQUERY(n, $x, $x == 6).@count > 1"] {
            let predicate = try FormatPredicate(format: format, arguments: [])
            let expected = Result { () throws(EvaluationError) in try rows.indices(matching: predicate) }
            let found = Result { () throws(EvaluationError) in try table.indices(matching: predicate) }
            #expect(found == expected, "\(format)")
        }
    }

    @Test func paths() throws {
        let paths = ["name", "age", "nick", "rank", "score", "ratio", "tags", "home.city", "home.zip", "second.city"]
        let table = try ColumnTable(Self.samples, keyPaths: paths)
        #expect(table.count == 700)
        let rows = (0..<table.count).map { table[$0] }
        Self.compare(table, rows, seed: 3, "paths")
        let sample = Self.samples[5]
        #expect(isExactly(try follow("home.city", in: table[5]), .string(sample.home.city)))
        #expect(try table.count(matching: FormatPredicate("home.city == %@", sample.home.city)) > 0)
    }

    @Test func manyDifferentStrings() throws {
        let rows: [PredicateValue] = (0..<2_000).map {
            ["name": .string("name \($0 * 7919 % 2_000)"), "n": .integer($0)]
        }
        let table = try ColumnTable(rows, keyPaths: ["name", "n"])
        for format in ["name BEGINSWITH 'name 1'", "name IN {'name 5', 'name 77'}", "name ==[c] 'NAME 3' OR n < 10"] {
            let predicate = try FormatPredicate(format: format, arguments: [])
            #expect(try table.indices(matching: predicate) == rows.indices(matching: predicate))
        }
    }

    @Test func whatHasNoPlace() throws {
        #expect(errorCode { try ColumnTable(Self.samples, keyPaths: ["wings"]) } != nil)
        #expect(errorCode { try ColumnTable([company], keyPaths: ["depts"]) } != nil)
        let table = try ColumnTable([1, 2, 3], keyPaths: [])
        #expect(try table.count(matching: FormatPredicate("TRUEPREDICATE")) == 3)
        #expect(try ColumnTable([PredicateValue](), keyPaths: ["a"]).indices(matching: FormatPredicate("a == 1")) == [])
    }
}
