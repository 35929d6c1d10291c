import BenchmarkHarness
import BenchmarkWorkload
import Foundation

/// Commands over files of results.
enum ResultCommands {
    static func compare(_ base: String, _ current: String) throws -> Bool {
        let (base, current) = (try ResultFile(path: base), try ResultFile(path: current))
        print("base: \(base.origin?.summary ?? "unknown")\nnow:  \(current.origin?.summary ?? "unknown")\n")
        print(Comparison(base: base.measurements, current: current.measurements).text, terminator: "")
        return true
    }

    /// Prints which goals are met. A missed goal is no error, since the machine may be busy.
    static func goals(_ path: String, _ results: [String]) throws -> Bool {
        let goals = try Goal.read(String(contentsOfFile: path, encoding: .utf8))
        let measurements = try results.flatMap { try ResultFile(path: $0).measurements }
        print("\n" + GoalVerdict.table(goals.map { GoalVerdict($0, measurements) }), terminator: "")
        return true
    }

    /// Other programs measure themselves; here their counts are compared with the truth. One that is known to differ
    /// says so in its note.
    static func peers(_ paths: [String]) throws -> Bool {
        let measurements = try paths.flatMap { try ResultFile(path: $0).measurements }
        let data = WorkloadData()
        var isRight = true
        var table = TextTable(
            header: ["", "program", "scale", "median", "min–max", "per", "result", ""], leftColumns: 2,
            lastIsText: true)
        for measurement in measurements.sorted(by: { ($0.scale, $0.suite, $0.name) < ($1.scale, $1.suite, $1.name) }) {
            let remark = remark(on: measurement, data)
            isRight = isRight && !remark.hasPrefix("WRONG")
            table.append([
                "\(measurement.suite)/\(measurement.name)", measurement.variant, Figure.scale(measurement.scale),
                Figure.short(measurement.median),
                "\(Figure.short(measurement.minimum))–\(Figure.short(measurement.maximum))", measurement.unit,
                String(measurement.result), remark,
            ])
        }
        print(table.text, terminator: "")
        return isRight
    }

    private static func remark(on measurement: BenchmarkResult, _ data: WorkloadData) -> String {
        let predicate = WorkloadPredicate.all.first { $0.id == measurement.name }
        guard measurement.unit == "object", let predicate else { return measurement.note ?? "" }
        let truth = data.truth(predicate, measurement.scale)
        if measurement.result == truth { return measurement.note ?? "" }
        return measurement.note.map { "\($0) (right: \(truth))" } ?? "WRONG: \(truth) expected"
    }
}

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
