import BenchmarkWorkload
import PredicateCommand
import PredicateData
import PredicateEvaluation
import PredicateSQL
import PredicateSyntax
import PredicateText

/// A small piece of work whose instructions are counted.
///
/// Nothing in it may depend on time, on threads, or on where memory lies: the count must be the same in every run.
struct Work {
    /// `filter-structs/P01`
    var name: String
    /// The divisor of the count.
    var operations: Int
    /// The result of a run.
    var expected: Int
    var run: () throws -> Int

    /// Few enough objects for a simulated processor.
    private static let objectCount = 5_000

    static func all() throws -> [Work] {
        let people = PersonGenerator.people(objectCount)
        let sifting = try selected(["P01", "P10", "P16"]).map { try sifted(people.prefix(400), $0) }
        let works = try [
            formats(), [longFormat()], statements(), structs(people), others(people), texts(people),
            [lines(people.prefix(1_000).map(\.json))], sifting, rows(people.prefix(2_000)),
        ]
        return works.flatMap { $0 }
    }

    /// Formats many times over, which evens out what the allocator does.
    private static func formats() throws -> [Work] {
        let parsing = try WorkloadPredicate.all.map { predicate in
            try repeated("parse/\(predicate.id)") { try predicate.parsed().node.shape }
        }
        return try parsing
            + selected(["P02", "P10"]).flatMap { predicate in
                let parsed = try predicate.parsed()
                return [
                    try repeated("print/\(predicate.id)") { parsed.predicateFormat.utf8.count },
                    try repeated("plan/\(predicate.id)") { try PredicateEvaluator(parsed).predicate.node.shape },
                ]
            }
    }

    /// P10 joined to itself: instructions for a byte.
    private static func longFormat() -> Work {
        let part = selected(["P10"]).map { "(\($0.format))" }.joined()
        let format = Array(repeating: part, count: 80).joined(separator: " OR ")
        return Work(name: "parse-long/P10", operations: format.utf8.count, expected: 80) {
            guard case .compound(let compound) = try FormatPredicate(format).node else { return 0 }
            return compound.subpredicates.count
        }
    }

    private static func statements() throws -> [Work] {
        let compiler = SQLCompiler(schema: WorkloadSQL.schema)
        return try WorkloadPredicate.all.map(\.relational).map { predicate in
            let parsed = try predicate.parsed()
            return try repeated("sql/\(predicate.id)") {
                let condition = try compiler.compile(parsed, entity: "people").where
                return condition.text.utf8.count + condition.bindings.count
            }
        }
    }

    private static func repeated(_ name: String, _ run: @escaping () throws -> Int) throws -> Work {
        let (count, once) = (50, try run())
        return Work(name: name, operations: count, expected: once * count) {
            var sum = 0
            for _ in 0..<count { sum += try run() }
            return sum
        }
    }

    private static func structs(_ people: [Person]) throws -> [Work] {
        let batches = try WorkloadPredicate.all.map { try batch("filter-structs", $0, people, people) }
        return try batches
            + selected(["P01", "P02", "P05", "P08", "P09", "P13"]).map { predicate in
                let evaluator = try PredicateEvaluator(predicate.parsed())
                let expected = people.count(where: predicate.truth)
                return Work(name: "evaluate-struct/\(predicate.id)", operations: people.count, expected: expected) {
                    var count = 0
                    for person in people where try evaluator.evaluate(with: person) { count += 1 }
                    return count
                }
            }
    }

    private static func others(_ people: [Person]) throws -> [Work] {
        let objects = PersonObject.objects(people)
        let (records, dictionaries) = (people.map(\.record), people.map(\.dictionary))
        return try selected(["P01", "P02", "P05", "P10", "P15"]).flatMap { predicate in
            [
                try batch("filter-objects", predicate, objects, people),
                try batch("filter-records", predicate, records, people),
                try batch("filter-dictionaries", predicate, dictionaries, people),
            ]
        }
    }

    private static func batch<Element: KeyedValueConvertible>(
        _ suite: String, _ predicate: WorkloadPredicate, _ elements: [Element], _ people: [Person]
    ) throws -> Work {
        let evaluator = try PredicateEvaluator(predicate.parsed())
        let expected = people.count(where: predicate.truth)
        return Work(name: "\(suite)/\(predicate.id)", operations: elements.count, expected: expected) {
            try elements.count(matching: evaluator)
        }
    }

    private static func texts(_ people: [Person]) -> [Work] {
        let names = people.map(\.name)
        let accented = names.filter { !$0.utf8.allSatisfy { $0 < 0x80 } }
        let prefix = PreparedNeedle("jo", .caseAndDiacriticInsensitive)
        let inside = PreparedNeedle("an", .caseAndDiacriticInsensitive)
        return [
            Work(
                name: "text/BEGINSWITH[cd]", operations: names.count,
                expected: names.count { $0.holds(loosely: "jo", anchored: true) }
            ) { names.count { prefix.isPrefix(of: $0) } },
            Work(
                name: "text/CONTAINS[cd]", operations: names.count,
                expected: names.count { $0.holds(loosely: "an", anchored: false) }
            ) { names.count { inside.isContained(in: $0) } },
            Work(
                name: "text-accented/CONTAINS[cd]", operations: accented.count,
                expected: accented.count { $0.holds(loosely: "an", anchored: false) }
            ) { accented.count { inside.isContained(in: $0) } },
        ]
    }

    private static func lines(_ lines: [String]) throws -> Work {
        let bytes = Array(lines.joined(separator: "\n").utf8)
        let options = RecordOptions(format: .jsonLines, keys: ["age"])
        let evaluator = try PredicateEvaluator(FormatPredicate("age > 21"))
        let expected = PersonGenerator.people(lines.count).count { $0.age > 21 }
        return Work(name: "filter-json/P01", operations: lines.count, expected: expected) {
            let reader = try RecordReader(source: MemorySource(bytes), options: options)
            var count = 0
            while let record = try reader.next() {
                if try evaluator.evaluate(with: record.value) { count += 1 }
            }
            return count
        }
    }

    /// Few enough lines for one core.
    private static func sifted(_ people: ArraySlice<Person>, _ predicate: WorkloadPredicate) throws -> Work {
        let bytes = Array(people.map { $0.json + "\n" }.joined().utf8)
        let options = RecordOptions(format: .jsonLines, keys: predicate.keys)
        let evaluator = try PredicateEvaluator(predicate.parsed())
        let expected = people.count(where: predicate.truth)
        return Work(name: "sift-json/\(predicate.id)", operations: people.count, expected: expected) {
            guard let flat = FlatEvaluator(evaluator), let sieve = LineSieve(flat.paths, options: options) else {
                return -1
            }
            let reader = try RecordReader(source: MemorySource(bytes), options: options)
            var count = 0
            while true {
                let sifted = reader.sift(with: sieve, joiningMatches: true) { slots, _ in flat.holds(slots) }
                count += sifted.kept.reduce(0) { $1.isMatch ? $0 + $1.count : $0 }
                reader.drop(sifted)
                // Reading one record makes the reader load the next lines.
                guard let record = try reader.next() else { return count }
                if try evaluator.evaluate(with: record.value) { count += 1 }
            }
        }
    }

    /// The command over rows of CSV, few enough for one core: a count, named columns, and a sort.
    private static func rows(_ people: ArraySlice<Person>) -> [Work] {
        let rows = people.enumerated().map { number, person in
            "\(number),\(person.name),\(person.age),\(person.score),\(person.dept.name)\n"
        }
        let bytes = Array(("id,name,age,score,dept\n" + rows.joined()).utf8)
        let adults = people.count { $0.age > 21 }
        return [
            ("count", ["age > 21", "--count"], 1),
            ("columns", ["age > 21", "--keys", "id,dept,score", "--output", "csv"], adults + 1),
            ("computed", ["age > 21", "--keys", "id,score * 2 AS twice", "--output", "csv"], adults + 1),
            ("sort", ["age > 21", "--sort", "-score,id", "--keys", "id,score", "--output", "csv"], adults + 1),
        ].map { name, words, lines in
            Work(name: "filter-csv/\(name)", operations: people.count, expected: lines) {
                var count = 0
                let status = CommandLineTool.run(
                    arguments: ["filter", "--format", "csv"] + words, input: MemorySource(bytes),
                    output: { count += $0.count { $0 == UInt8(ascii: "\n") } }, errorOutput: { _ in count = -1 })
                return status == 0 ? count : -1
            }
        }
    }

    private static func selected(_ ids: Set<String>) -> [WorkloadPredicate] {
        WorkloadPredicate.all.filter { ids.contains($0.id) }
    }
}
