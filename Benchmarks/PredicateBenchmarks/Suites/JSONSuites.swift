import BenchmarkHarness
import BenchmarkWorkload
import Foundation
import PredicateData
import PredicateEvaluation

/// JSON Lines, in memory and from a file: read and filtered.
enum JSONSuites {
    static var all: [Suite] { [memory, file] }

    /// A file as the command filters it. The baseline reads the same bytes and looks for the ends of lines only.
    private static var file: Suite {
        Suite(
            perPredicate: "file-jsonl", "a file of JSON Lines, read and counted",
            only: Suite.few
        ) {
            predicate, data, scale in
            let expected = data.truth(predicate, scale)
            let path = try data.file(scale)
            let evaluator = try PredicateEvaluator(predicate.parsed())
            let options = RecordOptions(format: .jsonLines, types: ["created": .date], keys: predicate.keys)
            return [
                Variant("reader", operations: scale, expected: expected) {
                    try count(FileSource(path: path), options, evaluator)
                },
                Variant("reading only", .baseline, operations: scale, expected: scale) {
                    try countLines(FileSource(path: path))
                },
            ]
        }
    }

    /// The baseline reads lines with JSONSerialization and calls a hand-written closure. P12 is left out of it: its
    /// dates would have to be read too.
    private static var memory: Suite {
        let closures = DictionaryClosures.all
        return Suite(perPredicate: "filter-json", "JSON Lines read and counted", upTo: 100_000) {
            predicate, data, scale in
            let lines = data.lines(scale)
            let expected = data.truth(predicate, scale)
            let evaluator = try PredicateEvaluator(predicate.parsed())
            let options = RecordOptions(format: .jsonLines, types: ["created": .date], keys: predicate.keys)
            let engine = Variant("reader", operations: scale, expected: expected) {
                try count(MemorySource(lines), options, evaluator)
            }
            guard predicate.id != "P12", let closure = closures[predicate.id] else { return [engine] }
            return [
                engine,
                Variant("JSONSerialization", .baseline, operations: scale, expected: expected) {
                    try count(lines, closure)
                },
            ]
        }
    }

    private static func count(
        _ source: any ByteSource, _ options: RecordOptions, _ evaluator: PredicateEvaluator
    ) throws -> Int {
        let reader = try RecordReader(source: source, options: options)
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

    private static func countLines(_ source: any ByteSource) throws -> Int {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
        defer { buffer.deallocate() }
        var count = 0
        while case let length = try source.read(into: buffer), length > 0 {
            for byte in buffer.prefix(length) where byte == UInt8(ascii: "\n") { count += 1 }
        }
        return count
    }
}
