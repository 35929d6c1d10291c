import Foundation
import PredicateData
import PredicateEvaluation
import PredicateJSON
import PredicateSession
import PredicateSyntax
import Testing

/// A session over a file of which it holds only the first objects: its answers are those of a session that holds all of them.
@Suite struct StreamedSessionTests {
    /// A file that a test can change.
    private final class TestedFile {
        var bytes: [UInt8]
        var version = 0
        var canRestart = true

        init(_ text: String) { bytes = Array(text.utf8) }
    }

    private final class Pipe: ByteSource {
        private let base: MemorySource

        init(_ bytes: [UInt8]) { base = MemorySource(bytes, maximumPiece: 7) }

        func read(into buffer: UnsafeMutableRawBufferPointer) -> Int { base.read(into: buffer) }
    }

    private static func session(
        _ file: TestedFile, holding count: Int, written: WrittenFiles = WrittenFiles()
    ) -> Session {
        var environment = SessionEnvironment()
        environment.open = { _ in
            OpenedFile(source: file.canRestart ? MemorySource(file.bytes) : Pipe(file.bytes), size: file.bytes.count)
        }
        environment.version = { _ in FileVersion([file.version]) }
        environment.create = { (path) throws(DataError) in try written.create(path) }
        var settings = SessionSettings(width: 200, isColoured: false, showsTime: false)
        settings.mostSampled = count
        return Session(settings: settings, environment: environment)
    }

    /// Numbers of 38 digits, NaN, negative zero, 2^53 + 1, dates, nil, combining marks, Hangul, and quotes with line ends.
    private static let rows: [[String]] = (0..<90).map { index in
        let amounts = ["1.5", "-0.0", "", "9007199254740993", "12345678901234567890123456789012345678", "2e3", "7"]
        let names = [
            "Zoe\u{301}", "Zo\u{e9}", "\u{1112}\u{1161}\u{11ab}", "한", "\"a\r\nb\"", "jo", "JO", "\"x,y\"", "",
        ]
        return [
            "\(index)", amounts[index % amounts.count], names[index * 7 % names.count],
            index % 11 == 5 ? "" : "2024-0\(index % 9 + 1)-1\(index % 10)", index % 3 == 0 ? "true" : "false",
        ]
    }
    private static let csv =
        "id,amount,name,day,open\r\n" + rows.map { $0.joined(separator: ",") + "\r\n" }.joined()

    private static let json: String = rows.enumerated().map { index, row in
        let amounts: [String] = ["\(row[0])", "1.0", "true", "null", "\"7\"", "[1, \(index), null]", "-0.0", "1e400"]
        var members = ["\"id\": \(index)", "\"amount\": \(amounts[index % 7])", "\"in\": {\"k\": \"v\(index % 4)\"}"]
        if index % 4 != 1 { members.append("\"name\": \(JSONWriter().text(of: .string(row[2])))") }
        if !row[3].isEmpty { members.append("\"day\": \"\(row[3])\"") }
        return "{" + members.joined(separator: ", ") + "}\n"
    }.joined()

    private static let questions = [
        "id > 40", "amount > 1", "amount == nil", "name == 'jo'", "name ==[c] 'jo'", "name == 'Zo\u{e9}'",
        "day > '2024-05'",
        "day == '2024-01-10'", "open == YES AND id < 30", "amount > 'x'", "name.length > 1", "NOT name CONTAINS 'o'",
        "in.k == 'v1'",
        "ANY amount == 1", "SELF.id IN {1, 88, 3}", ":limit 5", "TRUEPREDICATE", ":more", ":more 4",
        ":sort -amount,name", ":more",
        ":columns id, amount * 2 AS double, name", ":sort double", ":columns --", ":sort --", ":count-by name",
        ":count-by open", ":group name, count(), count(amount), max(day), joined(id, '-')", ":sum amount BY open",
        ":avg id, amount", ":median id BY in.k", ":min day", "id % 7 == 3", ":count-by length:(name)", ":show 77",
        ":show 90",
        ":show 91", ":why 60", ":why 59", "id > 50 AND name == 'jo' OR amount < 0", ":explain", ":explain 71",
        ":explain id > 100 AND open == YES", ":sql postgresql", "FALSEPREDICATE", "name == 'jO'", ":write a.csv",
        ":write b.jsonl", "id > 80", ":write c.csv", ":write d.json", ":write e", ":columns name, id + 1 AS next",
        ":sort -next",
        ":write f.tsv", ":write f.tsv", "id == 7", ":why 8", "amount + 'x' == 1", ":write g.csv", ":sum name",
    ]

    @Test(arguments: [DataFormat.csv, .jsonLines, .json]) func answersAreThoseOfASessionThatHoldsAll(format: DataFormat)
    {
        let text = format == .csv ? Self.csv : Self.json
        let (held, streamed) = (WrittenFiles(), WrittenFiles())
        let whole = Self.session(TestedFile(text), holding: 1_000, written: held)
        let part = Self.session(TestedFile(text), holding: 13, written: streamed)
        let options = RecordOptions(format: format)
        #expect(whole.load(file: "a", options: options).text.hasPrefix("90 objects from a\n"))
        #expect(
            part.load(file: "a", options: options).text.contains(
                "the first 13 objects; each question reads the whole file"))
        for question in Self.questions where format == .csv || !question.contains(" open") {
            let (expected, found) = (whole.reply(to: question).text, part.reply(to: question).text)
            // The sample says which values reach a clause, and which notes are given.
            let lines = { (text: String) in
                text.split(separator: "\n").filter {
                    !$0.contains("note: ") && !$0.hasPrefix("  amount is") && !$0.hasPrefix("  id is")
                }
            }
            #expect(lines(found) == lines(expected), "\(question):\n\(found)\n---\n\(expected)")
        }
        #expect(held.files == streamed.files && held.files.count >= 6)
    }

    /// The type of a column is that of all its cells, as in `predicate filter`.
    @Test func typesAreThoseOfTheWholeFile() {
        let filler = String(repeating: "filler ", count: 500)
        let rows = (0..<400).map { "\(10000 + $0),\($0),\(filler)\n" }.joined()
        let session = Self.session(TestedFile("zip,n,text\n" + rows + "x1,7,\n01234,8,\n"), holding: 20)
        _ = session.load(file: "a.csv")
        #expect(session.reply(to: "n == 7").text.contains("2 of 402 objects match"))
        let reply = session.reply(to: "zip == '01234'").text
        #expect(reply.hasPrefix("note: a.csv: 'zip' is text, since 'x1' is not a number, in the whole file\n"))
        #expect(reply.contains("1 of 402 objects matches\nobject 402\n  zip   01234\n  n     8"), "\(reply)")
        #expect(session.reply(to: "zip == \"10001\"").text.hasPrefix("1 of 402"))
    }

    /// A key that only later objects have can be shown, sorted by and counted.
    @Test func keysOfLaterObjects() {
        let text = (0..<30).map { $0 < 20 ? "{\"a\":\($0)}\n" : "{\"a\":\($0),\"late\":\($0 % 2)}\n" }.joined()
        let session = Self.session(TestedFile(text), holding: 10)
        _ = session.load(file: "a.jsonl")
        #expect(session.reply(to: "a == 25").text.hasSuffix("object 26\n  a     25\n  late  1"))
        #expect(session.reply(to: "a > 19").text.hasPrefix("10 of 30"))
        #expect(session.reply(to: ":count-by late").text == "late  count\n   0      5\n   1      5")
    }

    @Test func aChangedFileIsNotMixed() {
        let file = TestedFile(Self.csv)
        let session = Self.session(file, holding: 10)
        _ = session.load(file: "a.csv")
        #expect(session.reply(to: "id >= 0").text.hasPrefix("90 of 90"))
        file.version = 1
        for line in ["id >= 0", ":show 3", ":count-by name", ":explain id > 1"] {
            let text = session.reply(to: line).text
            #expect(
                text == "error: a.csv has changed since it was loaded\nhint: :load a.csv reads it as it is now",
                "\(text)")
        }
        _ = session.reply(to: ":load a.csv")
        #expect(session.reply(to: "id >= 0").text.hasPrefix("90 of 90"))
    }

    /// The bytes of a pipe are held, so that it can be read for each question.
    @Test func aPipeIsHeld() {
        let file = TestedFile(Self.csv)
        file.canRestart = false
        let session = Self.session(file, holding: 10)
        #expect(session.load(file: "a.csv").text.contains("the first 10 objects"))
        for _ in 0..<2 { #expect(session.reply(to: "id > 40").text.hasPrefix("49 of 90")) }
    }

    /// Records that cannot be read are passed over and reported, and do not change the numbers of the others.
    @Test func unreadableRecordsAreReported() {
        let text = (0..<60).map { $0 % 20 == 19 ? "{\"id\": \n" : "{\"id\": \($0)}\n" }.joined()
        let session = Self.session(TestedFile(text), holding: 25)
        #expect(session.load(file: "a.jsonl").text.contains("a.jsonl:20: error:"))
        let reply = session.reply(to: "id == 45").text
        #expect(reply.hasPrefix("2 records could not be read; the first is a.jsonl:40: "), "\(reply)")
        #expect(reply.hasSuffix("1 of 57 objects matches\nobject 46\n  id  45"), "\(reply)")
        #expect(session.reply(to: ":show 41").text.hasSuffix("object 41\n  id  40"))
        #expect(session.reply(to: ":show 40").isError)
    }
}
