import BenchmarkWorkload
import Foundation

/// Writes what other programs read: `people.jsonl`, and `predicates.tsv` with an id, the count that is right and a
/// format on each line.
struct ExportCommand {
    var folder: String
    var count: Int

    func run() throws -> Bool {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let data = WorkloadData()
        let lines = WorkloadPredicate.all.map { "\($0.id)\t\(data.truth($0, count))\t\($0.format)\n" }
        try write(Data(lines.joined().utf8), "predicates.tsv")
        try write(Data(data.lines(count)), "people.jsonl")
        return true
    }

    private func write(_ data: Data, _ name: String) throws {
        try data.write(to: URL(fileURLWithPath: folder).appendingPathComponent(name))
    }
}
