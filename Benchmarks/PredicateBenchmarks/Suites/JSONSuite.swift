import BenchmarkHarness
import BenchmarkWorkload
import Foundation
import PredicateData
import PredicateEvaluation

/// JSON Lines in memory: read and filtered.
enum JSONSuite {
    /// The baseline reads lines with JSONSerialization and asks a hand-written closure. P12 is left out of it: its
    /// dates would have to be read too.
    static var filter: Suite {
        let closures = DictionaryClosures.all
        return Suite(perPredicate: "filter-json", "JSON Lines read and counted") { predicate, data, scale in
            let lines = data.lines(scale)
            let expected = data.truth(predicate, scale)
            let evaluator = try PredicateEvaluator(predicate.parsed())
            let options = RecordOptions(format: .jsonLines, types: ["created": .date], keys: predicate.keys)
            let engine = Variant("reader", operations: scale, expected: expected) {
                try count(lines, options, evaluator)
            }
            guard predicate.id != "P12", scale <= 100_000, let closure = closures[predicate.id] else { return [engine] }
            return [
                engine,
                Variant("JSONSerialization", .baseline, operations: scale, expected: expected) {
                    try count(lines, closure)
                },
            ]
        }
    }

    private static func count(
        _ lines: [UInt8], _ options: RecordOptions, _ evaluator: PredicateEvaluator
    ) throws -> Int {
        let reader = try RecordReader(source: MemorySource(lines), options: options)
        var count = 0
        while let record = try reader.next() {
            if try evaluator.evaluate(with: record.value) { count += 1 }
        }
        return count
    }

    private static func count(_ lines: [UInt8], _ test: DictionaryClosures.Test) throws -> Int {
        var count = 0
        for line in lines.split(separator: UInt8(ascii: "\n")) {
            guard let row = try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any] else { continue }
            if test(row) { count += 1 }
        }
        return count
    }
}
