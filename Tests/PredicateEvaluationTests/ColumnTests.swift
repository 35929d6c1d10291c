import Foundation
import PredicateEvaluation
import PredicateTestSupport
import PredicateSyntax
import Testing

/// Columns answer what rows answer, errors included.
@Suite struct ColumnTests {
    private static let samples: [Sample] = {
        var numbers = RandomSource(seed: 13)
        return (0..<700).map { _ in Sample(&numbers) }
    }()
    private static var bindings: Bindings { ["n": 21, "t": "jo"] }

    private static func compare(_ table: ColumnTable, _ rows: [any KeyValueCoding], seed: UInt64, _ name: Comment) {
        var formats = RandomFormats(seed: seed)
        var compared = 0
        while compared < 250 {
            guard let predicate = try? FormatPredicate(format: formats.next(), arguments: []),
                let evaluator = try? PredicateEvaluator(predicate)
            else { continue }
            compared += 1
            let expected = Result { () throws(EvaluationError) in
                var places: [Int] = []
                for (place, row) in rows.enumerated()
                where try evaluator.evaluate(row.keyedValue, bindings: bindings) { places.append(place) }
                return places
            }
            let indices = Result { () throws(EvaluationError) in
                try table.indices(matching: evaluator, bindings: bindings)
            }
            let count = Result { () throws(EvaluationError) in
                try table.count(matching: evaluator, bindings: bindings)
            }
            #expect(indices == expected, "\(name) indices: \(predicate.predicateFormat)")
            #expect(count == expected.map(\.count), "\(name) count: \(predicate.predicateFormat)")
        }
    }

    @Test func records() {
        let layout = RecordLayout(Sample.keys.names)
        let records = Self.samples.map { Record(layout, $0.data) }
        Self.compare(ColumnTable(records, layout: layout), records, seed: 1, "records")
    }

    @Test func recordsWithoutNil() {
        let layout = RecordLayout(["name", "age", "score", "active", "born", "home"])
        let records = Self.samples.map { Record(layout, $0.data) }
        Self.compare(ColumnTable(records, layout: layout), records, seed: 2, "whole records")
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
