import Foundation
import PredicateData
import PredicateEvaluation
import PredicateGenerators
import PredicateJSON
import PredicateSession
import PredicateSyntax
import Testing

/// A session answers for the objects that it has loaded as for the records of their file.
@Suite struct LoadedObjectTests {
    /// Rows as JSON Lines: random tables with gaps, without values that JSON cannot represent.
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

    /// The values of the records that can be read, and the errors of the others.
    private static func read(_ bytes: [UInt8], _ format: DataFormat) throws -> (
        rows: [PredicateValue], errors: [DataError]
    ) {
        let reader = try records(bytes, format)
        var (rows, errors): ([PredicateValue], [DataError]) = ([], [])
        while true {
            do throws(DataError) {
                guard let record = try reader.next() else { return (rows, errors) }
                rows.append(record.value)
            } catch {
                guard error.isRecoverable else { throw error }
                errors.append(error)
            }
        }
    }

    /// A session over files, which holds a number of objects in memory.
    private static func session(_ files: [String: [UInt8]], holding count: Int = 10_000) -> Session {
        var environment = SessionEnvironment()
        environment.open = { (path) throws(DataError) in
            let bytes = files[path] ?? []
            return OpenedFile(source: MemorySource(bytes), size: bytes.count)
        }
        var settings = SessionSettings(width: 100, isColoured: false, showsTime: false)
        settings.mostSampled = count
        return Session(settings: settings, environment: environment)
    }

    /// Aggregates are those of `predicate filter`: a sum of more than 64 bits is a double. [NSP-485]
    @Test func aggregatesAreThoseOfTheCommand() {
        let session = Self.session(["a": Array("{\"n\":9223372036854775807}\n{\"n\":7}\n{\"n\":null}\n".utf8)])
        _ = session.load(file: "a", options: RecordOptions(format: .jsonLines))
        #expect(session.reply(to: ":sum n").text.hasSuffix("    3  9.223372036854776e+18"))
        #expect(session.reply(to: ":avg n").text.hasSuffix("4.611686018427388e+18"))
        #expect(session.reply(to: ":max n").text.hasSuffix("9223372036854775807"))
        #expect(session.reply(to: ":median n").text.hasSuffix("4.611686018427388e+18"))
        let note = "error: ''x'' of object 1 is not a number: it is the string \"x\""
        #expect(session.reply(to: ":sum 'x'").text.contains(note))
    }

    /// Clauses are counted in the same way whether a session holds all records or a part of them.
    @Test(arguments: 0..<4, [DataFormat.jsonLines, .json]) func countsDoNotNeedTheObjects(
        number: Int, format: DataFormat
    ) throws {
        var numbers = RandomSource(seed: UInt64(number) + 700)
        let (bytes, kinds) = Self.lines(&numbers, count: 700)
        var formats = RandomTableFormats(seed: numbers.next(), kinds: kinds)
        for _ in 0..<40 {
            let line = formats.next()
            let whole = Self.session(["a": bytes])
            let part = Self.session(["a": bytes], holding: 60)
            for session in [whole, part] { for name in ["n", "t"] { session.set(name, 21) } }
            _ = whole.load(file: "a", options: RecordOptions(format: format))
            _ = part.load(file: "a", options: RecordOptions(format: format))
            #expect(part.reply(to: ":sample 1").text.contains("#"))
            let expected = try? whole.explanation(of: line, words: [], object: nil)
            let found = try? part.explanation(of: line, words: [], object: nil)
            #expect(expected?.failures == found?.failures, "\(line)")
            #expect(Self.counts(expected) == Self.counts(found), "\(line)")
        }
    }

    /// The lines of an explanation without those about a sample of the values.
    private static func counts(_ explanation: Session.Explanation?) -> [Substring]? {
        explanation?.text.split(separator: "\n").filter { !$0.hasPrefix("note:") && !$0.hasPrefix("  ") }
    }

    /// Lines that must be read in full keep their place among the others, and one that cannot be read is passed over.
    @Test func failuresInTheRestOfAFileAreFound() throws {
        let lines = (0..<400).map { index in
            switch index {
            case 120: "{\"age\": 1,, }\n"
            case 250, 300: "{\"age\": \"old\"}\n"
            default: "{\"age\": \(index)}\n"
            }
        }
        for count in [50, 10_000] {
            let session = Self.session(["a": Array(lines.joined().utf8)], holding: count)
            _ = session.load(file: "a", options: RecordOptions(format: .jsonLines))
            let text = try session.explanation(of: "age >= 100", words: [], object: nil).text
            #expect(text.contains("297 of 399 objects match"))
            #expect(text.contains("2 objects could not be evaluated; the first is object 251:"))
            #expect(session.reply(to: ":show 251").text.hasSuffix("age  old"))
            #expect(session.reply(to: ":show 121").text.hasPrefix("error: there is no object '121'"))
        }
    }

    @Test func checksNeedOnlyAPart() throws {
        let lines = (0..<300).map { "{\"name\": \($0 == 250 ? "7" : "\"jo\""), \"age\": \($0)}\n" }.joined()
        let session = Self.session(["a": Array(lines.utf8)], holding: 50)
        let options = RecordOptions(format: .jsonLines)
        _ = session.load(file: "a", options: options)
        let findings = try session.findings(in: "name BEGINSWITH 'j'", words: [])
        #expect(findings.map(\.code) == [.cannotBeEvaluated])
        #expect(findings.first?.message.hasPrefix("for 1 object this is an error") == true)
        let unknown = try session.findings(in: "nmae == 'jo'", words: [])
        #expect(unknown.first?.message == "no object has the key nmae, of 50 objects that were examined: it is nil")
        #expect(unknown.first?.hint == "did you mean name?")
    }

    /// A header names the keys of all rows, also of those that were not examined.
    @Test func aHeaderDecidesForAllRows() throws {
        let rows = "name,age\n" + String(repeating: "jo,3\n", count: 300)
        let session = Self.session(["a": Array(rows.utf8)], holding: 50)
        _ = session.load(file: "a", options: RecordOptions(format: .csv))
        let unknown = try session.findings(in: "nmae == 'jo'", words: [])
        #expect(unknown.first?.message == "no object has the key nmae: it is nil")
    }

    /// The summary of a session is what evaluating each row gives: matches, errors, and the first row with an error.
    @Test(arguments: 0..<4) func answersAreThoseOfTheRows(number: Int) throws {
        var numbers = RandomSource(seed: UInt64(number) + 100)
        let (first, kinds) = Self.lines(&numbers, count: 5000)
        let (second, _) = Self.lines(&numbers, count: 90)
        let files = ["a.jsonl": first, "b.jsonl": second]
        let session = Self.session(files)
        for name in ["n", "t"] { session.set(name, 21) }
        var formats = RandomTableFormats(seed: numbers.next(), kinds: kinds)
        for name in ["a.jsonl", "b.jsonl", "a.jsonl"] {
            _ = session.reply(to: ":load \(name)")
            let rows = try Self.read(files[name] ?? [], .jsonLines).rows
            for _ in 0..<12 {
                let line = formats.next()
                let reply = session.reply(to: line)
                guard let predicate = try? FormatPredicate(format: line, arguments: []),
                    let evaluator = try? PredicateEvaluator(predicate, variables: ["n": 21, "t": 21])
                else {
                    #expect(reply.isError, "\(line)")
                    continue
                }
                let results = rows.map { row in try? evaluator.evaluate(.value(row)) }
                let summary = Count.matches(results.count { $0 == true }, of: rows.count)
                #expect("\n\(reply.text)".contains("\n" + summary), "\(line): \(reply.text)")
                let failed = results.indices.filter { results[$0] == nil }
                let note = failed.first.map { first in
                    "\(Count.of(failed.count, "object")) could not be evaluated; the first is object \(first + 1):"
                }
                if let note { #expect(reply.text.contains(note), "\(line): \(reply.text)") }
                #expect(note != nil || !reply.text.contains("could not be evaluated"), "\(line)")
            }
        }
    }

    @Test func delimitedFiles() throws {
        let text = "name,age,city\njo,30,Paris\nal,,Rome\nzoe,1,Paris\n\"a,b\",2.5,\nbad\n"
        let (rows, skipped) = try Self.read(Array(text.utf8), .csv)
        #expect(rows.count == 4)
        #expect(skipped.map(\.line) == [6])
        #expect(try rows.indices(matching: FormatPredicate("age > 2 AND city != 'Rome'")) == [0, 3])
        #expect(try rows.indices(matching: FormatPredicate("city == nil OR age == nil")) == [1, 3])
    }

    @Test func manyQuestionsOfFewObjects() {
        let session = Self.session(["a.jsonl": Array("{\"a\": 1}\n{\"a\": 2}\n42\nnull\n".utf8)])
        _ = session.reply(to: ":load a.jsonl")
        let replies = (0..<3).map { _ in session.reply(to: "a > 1").text }
        #expect(Set(replies).count == 1)
        #expect(replies[0].contains("1 of 4"))
    }
}

extension PredicateValue {
    /// The value without numbers that JSON cannot represent.
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
