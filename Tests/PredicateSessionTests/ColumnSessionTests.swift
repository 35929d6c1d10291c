import Foundation
import PredicateData
import PredicateEvaluation
import PredicateGenerators
import PredicateSession
import PredicateSyntax
import Testing

/// Objects that are kept by column answer what the objects do.
@Suite struct ColumnSessionTests {
    /// Rows as JSON Lines: random tables with gaps, without what JSON has no words for.
    private static func lines(_ numbers: inout RandomSource, count: Int) -> (text: [UInt8], kinds: [RandomTable.Kind]) {
        let table = RandomTable(&numbers, count: count)
        var bytes: [UInt8] = []
        for row in table.rows {
            let row = row.filter { _ in !numbers.percent(10) }.mapValues(\.finite)
            JSONWriter().write(.dictionary(row), to: &bytes)
            bytes.append(UInt8(ascii: "\n"))
        }
        return (bytes, table.kinds)
    }

    private static func records(_ bytes: [UInt8], _ format: DataFormat) throws -> RecordReader {
        try RecordReader(source: MemorySource(bytes), options: RecordOptions(format: format))
    }

    private static func session(_ files: [String: [UInt8]], columnsFrom: Int) -> Session {
        var environment = SessionEnvironment()
        environment.open = { (path) throws(DataError) in
            let bytes = files[path] ?? []
            return OpenedFile(source: MemorySource(bytes), size: bytes.count)
        }
        var settings = SessionSettings(width: 100, isColoured: false, showsTime: false)
        settings.columnsFrom = columnsFrom
        return Session(settings: settings, environment: environment)
    }

    @Test(arguments: 0..<4) func answersAreTheSame(number: Int) {
        var numbers = RandomSource(seed: UInt64(number) + 100)
        let (first, kinds) = Self.lines(&numbers, count: 1100)
        let (second, _) = Self.lines(&numbers, count: 90)
        let files = ["a.jsonl": first, "b.jsonl": second]
        let (byColumn, byObject) = (Self.session(files, columnsFrom: 1), Self.session(files, columnsFrom: .max))
        var formats = RandomTableFormats(seed: numbers.next(), kinds: kinds)
        for name in ["a.jsonl", "b.jsonl", "a.jsonl"] {
            #expect(byColumn.reply(to: ":load \(name)").text == byObject.reply(to: ":load \(name)").text)
            for session in [byColumn, byObject] { for name in ["n", "t"] { session.set(name, 21) } }
            for _ in 0..<12 {
                let line = formats.next()
                #expect(byColumn.reply(to: line).text == byObject.reply(to: line).text, "\(line)")
            }
        }
    }

    @Test func tablesOfFiles() throws {
        var numbers = RandomSource(seed: 4)
        for number in 0..<12 {
            let (bytes, kinds) = Self.lines(&numbers, count: 150)
            let table = try ColumnTable(Self.records(bytes, .jsonLines))
            let reader = try Self.records(bytes, .jsonLines)
            var rows: [PredicateValue] = []
            while let record = try reader.next() { rows.append(record.value) }
            #expect(table.count == rows.count)
            var formats = RandomTableFormats(seed: numbers.next(), kinds: kinds)
            for _ in 0..<40 {
                guard let predicate = try? FormatPredicate(format: formats.next(), arguments: []) else { continue }
                let found = Result { () throws(EvaluationError) in try table.indices(matching: predicate) }
                let expected = Result { () throws(EvaluationError) in try rows.indices(matching: predicate) }
                #expect(found == expected, "table \(number): \(predicate.predicateFormat)")
            }
        }
    }

    @Test func delimitedFiles() throws {
        let text = "name,age,city\njo,30,Paris\nal,,Rome\nzoe,1,Paris\n\"a,b\",2.5,\nbad\n"
        var skipped: [DataError] = []
        let table = try ColumnTable(Self.records(Array(text.utf8), .csv)) { skipped.append($0) }
        #expect(table.count == 4)
        #expect(skipped.map(\.line) == [6])
        #expect(table.keyPaths.sorted() == ["age", "city", "name"])
        #expect(try table.indices(matching: FormatPredicate("age > 2 AND city != 'Rome'")) == [0, 3])
        #expect(try table.indices(matching: FormatPredicate("city == nil OR age == nil")) == [1, 3])
    }

    /// Too large for the memory that columns may take, or asked once only: the objects are asked.
    @Test func manyQuestionsOfFewObjects() {
        let bytes = Array("{\"a\": 1}\n{\"a\": 2}\n42\nnull\n".utf8)
        let session = Self.session(["a.jsonl": bytes], columnsFrom: 1)
        _ = session.reply(to: ":load a.jsonl")
        let replies = (0..<3).map { _ in session.reply(to: "a > 1").text }
        #expect(Set(replies).count == 1)
        #expect(replies[0].contains("1 of 4"))
        session.settings.columnMemory = 0
        _ = session.reply(to: ":load a.jsonl")
        #expect((0..<3).allSatisfy { _ in session.reply(to: "a > 1").text == replies[0] })
    }
}

extension PredicateValue {
    /// The value with numbers that JSON can write.
    fileprivate var finite: PredicateValue {
        switch self {
        case .double(let value): value.isFinite ? self : .double(0.5)
        case .array(let elements): .array(elements.map(\.finite))
        case .dictionary(let members): .dictionary(members.mapValues(\.finite))
        case .date: .string("2024-01-31")
        case .null, .nullObject, .bool, .integer, .decimal, .string, .data, .uuid, .url, .type, .set, .orderedSet,
            .object,
            .expression, .predicate:
            self
        }
    }
}
