import Foundation
import PredicateAgreement
import PredicateData
import PredicateEvaluation
import PredicateGenerators
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Rows of a SQLite file that were written as JSON and are read again.
struct RoundTripTests {
    /// Random predicates select the same of the objects in memory and of the records that `predicate filter` wrote.
    @Test func randomPredicatesSelectTheSameRecords() throws {
        var random = RandomSource(seed: 20)
        var judged = 0
        for _ in 0..<60 {
            var generator = WorldGenerator(seed: random.next())
            let bench = try AgreementBench(generator.world().withoutRelationships)
            let file = try WorldFile(bench.world)
            for name in bench.world.entityNames {
                let records = try records(of: name, in: bench, file.path)
                #expect(records.count == bench.world.rows[name]?.count)
                var predicates = PredicateGenerator(seed: random.next(), world: bench.world)
                for _ in 0..<40 {
                    let predicate = predicates.predicate(about: name)
                    judged += try compare(predicate, records, bench.answers(predicate, about: name))
                }
            }
        }
        #expect(judged > 4000)
    }

    /// Compares the results for all records, and returns 1 if none was an error.
    private func compare(
        _ predicate: PredicateNode, _ records: [Int: PredicateValue], _ answers: [Int: Bool?]
    ) throws -> Int {
        // A record of JSON is not the object that an identity means.
        guard !predicate.predicateFormat.contains("<SQLObjectID>"),
            let evaluator = try? PredicateEvaluator(FormatPredicate(predicate))
        else { return 0 }
        var isJudged = true
        for (number, record) in records {
            guard let answer = answers[number] ?? nil else {
                isJudged = false
                continue
            }
            let result = try? evaluator.evaluate(.value(record))
            #expect(result == answer, "\(predicate.predicateFormat) for \(record)")
        }
        return isJudged ? 1 : 0
    }

    /// The records of an entity that `predicate filter` writes, by the numbers of the rows.
    private func records(of name: String, in bench: AgreementBench, _ path: String) throws -> [Int: PredicateValue] {
        var text = ""
        try withFiles(["schema.json": String(decoding: bench.world.schema.json, as: UTF8.self)]) { paths in
            let schema = ["--schema", paths["schema.json"] ?? "", "--entity", name]
            let outcome = predicate(["filter", "TRUEPREDICATE", path] + schema, source: silence)
            #expect(outcome.error == "")
            text = outcome.output
        }
        let attributes = bench.world.entity(name).attributes
        let types = attributes.compactMapValues { ColumnType(restoring: $0.type) }
        let reader = try RecordReader(
            source: MemorySource(text), options: RecordOptions(format: .jsonLines, types: types))
        var records: [Int: PredicateValue] = [:]
        let numbers = (bench.world.rows[name] ?? []).map(\.number)
        while let record = try reader.next() {
            guard case .dictionary(let members) = record.value, let key = members["id"] else { continue }
            let number = numbers.first { bench.world.key(bench.world.entity(name), $0) == key }
            records[number ?? -1] = record.value
        }
        return records
    }
}

extension AgreementWorld {
    /// The world with attributes only.
    fileprivate var withoutRelationships: AgreementWorld {
        var world = self
        let entities = schema.entities.values.map { entity in
            var entity = entity
            entity.relationships = [:]
            return entity
        }
        (world.schema, world.pairs) = (SQLSchema(entities), [:])
        return world
    }
}

/// What a row as JSON looks like, and what reads it.
struct JSONFormTests {
    private static let script = """
        CREATE TABLE t (id INTEGER PRIMARY KEY, b BLOB, r REAL, d DATETIME, u UUID, s TEXT);
        INSERT INTO t VALUES
            (1, x'', 9e999, 1709208000.123457, x'137DECC8B3004954A233F89909F4FD89', ''),
            (2, x'00', -9e999, 0, NULL, 'a' || char(0) || 'b'),
            (3, NULL, 1e22, 1000.25, NULL, char(0x1F600)),
            (4, x'FF', 5e-324, 4102444799.999999, NULL, char(0x10FFFF));
        """

    private static let lines = [
        #"{"id":1,"b":"","r":1e999,"d":"2024-02-29T12:00:00.123457Z","u":"137DECC8-B300-4954-A233-F89909F4FD89","s":""}"#,
        ##"{"id":2,"b":"AA==","r":-1e999,"d":"1970-01-01T00:00:00Z","u":null,"s":"a\u0000b"}"##,
        #"{"id":3,"b":null,"r":1e+22,"d":"1970-01-01T00:16:40.25Z","u":null,"s":"😀"}"#,
        #"{"id":4,"b":"/w==","r":5e-324,"d":"2099-12-31T23:59:59.999999Z","u":null,"s":"\#u{10FFFF}"}"#,
    ]

    @Test func rowsGoToJSONAndBack() throws {
        try withStore(Self.script) { store, _ in
            let rows = predicate(["filter", "TRUEPREDICATE", store], source: silence)
            #expect(rows.output.split(separator: "\n").map(String.init) == Self.lines)
            let types = predicate(["schema", "--types", store], source: silence)
            #expect(types == .success("b=data,d=date,u=uuid\n"))
            let conditions = [
                ["b == %@", "-a", "data:"], ["b == nil"], ["b != %@", "-a", "data:AA=="], ["r == %@", "-a", "1e999"],
                ["r < 0"], ["r > 1e21"], ["r BETWEEN {0, 1}"], ["d < %@", "-a", "date:1970-01-01T00:16:40.25Z"],
                ["d == %@", "-a", "date:2024-02-29T12:00:00.123457Z"], ["d == CAST(730900800.123457, 'NSDate')"],
                ["u == %@", "-a", "uuid:137DECC8-B300-4954-A233-F89909F4FD89"], ["s == ''"], ["s ENDSWITH 'b'"],
                ["s.length == 2"],
            ]
            for condition in conditions {
                let first = predicate(["filter"] + condition + [store], source: silence)
                let second = predicate(
                    ["filter", "-t", types.output.trimmingSuffix] + condition, source: MemorySource(rows.output))
                #expect(first == second, "\(condition)")
                #expect(first.status == 0 || condition[0].hasPrefix("d == CAST"), "\(condition): \(first)")
            }
        }
    }

    @Test func typesOfATable() throws {
        try withStore { store, _ in
            #expect(predicate("schema", "--types", "--table", "person", store) == .success("born=date,photo=data\n"))
            #expect(predicate("schema", "--types", "--table", "tag", store) == .success("\n"))
            #expect(predicate("schema", "--types", store).error.contains("more than one table"))
            #expect(predicate("schema", "--table", "tag", store).status == 2)
        }
        try withStore("CREATE TABLE t (\"a,b\" DATE, c BLOB)") { store, _ in
            let outcome = predicate("schema", "-t", store)
            #expect(outcome.output == "c=data\n")
            #expect(outcome.error.hasSuffix("no declaration can name the column 'a,b'\n"))
        }
    }
}

extension String {
    /// The text without the line feed at its end.
    fileprivate var trimmingSuffix: String { hasSuffix("\n") ? String(dropLast()) : self }
}
