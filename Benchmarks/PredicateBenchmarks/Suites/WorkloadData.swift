import BenchmarkWorkload
import Foundation
import PredicateEvaluation
import PredicateSyntax

/// The objects of the benchmarks, made on first use.
///
/// People and truths are kept for all scales, since the first thousand of a million people are the thousand. Of what is
/// made from people only the last thing is kept: a million dictionaries take more than a gigabyte.
final class WorkloadData {
    private var people: [Person] = []
    private var truths: [String: Int] = [:]
    private var kept: (key: String, value: Any)?
    private var files: [String] = []

    deinit {
        files.forEach { try? FileManager.default.removeItem(atPath: $0) }
    }

    func people(_ count: Int) -> [Person] {
        if people.count < count { people = PersonGenerator.people(count) }
        return people.count == count ? people : Array(people.prefix(count))
    }

    func objects(_ count: Int) -> [PersonObject] {
        kept("objects", count) { PersonObject.objects($0) }
    }

    func dictionaries(_ count: Int) -> [[String: Any]] {
        kept("dictionaries", count) { $0.map(\.dictionary) }
    }

    func records(_ count: Int) -> [KeyedRecord] {
        kept("records", count) { $0.map(\.record) }
    }

    /// CSV, without tags.
    func rows(_ count: Int) -> [UInt8] {
        kept("rows", count) { Array("\(Person.csvHeader)\n".utf8) + $0.flatMap { $0.csv.utf8 + [UInt8(ascii: "\n")] } }
    }

    /// JSON Lines.
    func lines(_ count: Int) -> [UInt8] {
        kept("lines", count) { $0.flatMap { $0.json.utf8 + [UInt8(ascii: "\n")] } }
    }

    /// A file of JSON Lines, removed in the end.
    func file(_ count: Int) throws -> String {
        try kept("file", count) { people in
            let path = temporaryPath("jsonl")
            try Data(people.flatMap { $0.json.utf8 + [UInt8(ascii: "\n")] }).write(to: URL(fileURLWithPath: path))
            return path
        }
    }

    /// A SQLite file, removed in the end.
    func database(_ count: Int) throws -> SQLiteWorkload {
        try kept("database", count) { try SQLiteWorkload(temporaryPath("sqlite"), $0) }
    }

    /// Returns the number of people for whom a predicate is true, counted by hand-written Swift.
    func truth(_ predicate: WorkloadPredicate, _ count: Int) -> Int {
        let key = "\(predicate.id)/\(count)"
        if let known = truths[key] { return known }
        let truth = people(count).count(where: predicate.truth)
        truths[key] = truth
        return truth
    }

    private func temporaryPath(_ suffix: String) -> String {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).\(suffix)").path
        files.append(path)
        return path
    }

    private func kept<Value>(_ kind: String, _ count: Int, _ make: ([Person]) throws -> Value) rethrows -> Value {
        let key = "\(kind)/\(count)"
        if let kept, kept.key == key, let value = kept.value as? Value { return value }
        kept = nil
        let made = try make(people(count))
        kept = (key, made)
        return made
    }
}
