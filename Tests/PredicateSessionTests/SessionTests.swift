import Foundation
import PredicateChecks
import PredicateData
import PredicateEvaluation
import PredicateSession
import PredicateStore
import PredicateSQL
import PredicateSyntax
import Testing

struct SessionTests {
    @Test(arguments: [
        (":lo", [":load "]), (":why", [":why "]), (":help exp", ["explain"]), (":sql p", ["postgresql"]),
        ("na", ["name "]), ("dep", ["dept."]), ("dept.n", ["dept.name "]), ("age > 1 AND ci", ["city "]),
        ("tags[FI", ["FIRST "]),
        ("name.len", ["name.length "]), ("dept.name.up", ["dept.name.uppercaseString "]),
        ("name begi", ["BEGINSWITH "]), ("tags.@co", ["tags.@count "]), ("upp", ["uppercase("]), ("$LI", ["$LIMIT "]),
        ("name == \"na", []), (":tree na", ["name "]), (":set LI", ["LIMIT"]), (":load peo", ["people.jsonl"]),
        (":sample ", []), ("", ["name", "age", "city", "tags", "dept."]),
        ("age > 3 ", ["AND", "OR"]), ("NOT (age > 3 AND dept.name == \"it\") ", ["AND", "OR"]), ("\"a\"", []),
        ("city == \"O", ["\"Oslo\""]), ("city ==[c] '東", ["'東京'"]),
        ("dept.name IN {\"it\", \"", ["\"hr\"", "\"it\"", "\"sales\""]),
        ("name == \"東京太郎\" AND ag", ["age "]), (":explain ANY tags == \"v", ["\"vip\""]), ("age > 3 AND \"", []),
        (":write \"peo", ["\"people.jsonl\""]),
    ])
    func wordsAreCompleted(line: String, words: [String]) {
        let session = Session.forTests()
        _ = session.load(file: "people.jsonl")
        _ = session.reply(to: ":set LIMIT 18")
        let completion = session.completion(of: line) { prefix in ["people.jsonl"].filter { $0.hasPrefix(prefix) } }
        #expect(completion.words == words)
    }

    /// After an operator the values of the key come before the keys.
    @Test func valuesAreOfferedAfterAnOperator() {
        let session = Session.forTests()
        _ = session.load(file: "people.jsonl")
        func words(_ line: String) -> [String] { session.completion(of: line).words }
        #expect(words("dept.name == ") == ["\"hr\"", "\"it\"", "\"sales\""] + words(""))
        #expect(words("name == \"a\" AND city CONTAINS ").contains("\"Oslo\""))
        #expect(words("city == ").firstIndex(of: "\"Oslo\"") ?? .max < words("city == ").firstIndex(of: "name") ?? 0)
        #expect(words("age > ").first.flatMap { Int($0) } != nil)
        #expect(words("nmae == ") == words("") && words("age > 3 AND ") == words(""))
    }

    /// A predicate that fails leaves no empty file.
    @Test(arguments: ["age > \"x\"", "name.count > 3", "age >"])
    func nothingIsWrittenAfterErrors(format: String) {
        let written = WrittenFiles()
        let session = Session.forTests(written: written)
        _ = session.load(file: "people.jsonl")
        _ = session.reply(to: format)
        let reply = session.reply(to: ":write out.csv")
        #expect(reply.isError && written.files.isEmpty, "\(reply.text)")
    }

    @Test func aFileOfNoMatchesIsWritten() {
        let written = WrittenFiles()
        let session = Session.forTests(written: written)
        _ = session.load(file: "people.jsonl")
        _ = session.reply(to: "age > 1000")
        #expect(session.reply(to: ":write out.csv").text.hasPrefix("0 objects in out.csv"))
        #expect(written.files.count == 1)
    }

    @Test func keysThatNeedQuotesAreCompletedWithThem() {
        let session = Session.forTests()
        _ = session.reply(to: ":object {\"first-name\": \"Jo\", \"first\": 1, \"東京\": {\"a b\": 2}}")
        func words(_ line: String) -> [String] { session.completion(of: line).words }
        #expect(words("first") == ["#\"first-name\"", "#first"])
        #expect(words("#\"fi") == ["#\"first-name\" "])
        #expect(words("東").contains("#\"東京\""))
        #expect(words("#\"first-name\" ") == words("a "))
        #expect(words(":sort first,-first-") == ["first,-first-name"])
        #expect(words("age ").prefix(2) == ["==", "!="])
    }

    @Test func aNameWithBlanksIsCompletedInQuotes() {
        let completion = Session.forTests().completion(of: ":load two") { _ in ["two words.csv", "two/", "two more/"] }
        #expect(completion.words == ["\"two words.csv\"", "two/", "\"two more/"])
        #expect(LineCompletion.wordBreaks(of: ":load a-b/two") == " \t\n")
        #expect(LineCompletion.wordBreaks(of: ":sort a-b") == UnfinishedFormat.wordBreaks)
    }

    @Test func longSentencesAreBrokenBetweenWords() {
        #expect(
            Paragraph.wrapped("hint: 東京 is far away\n  a == 1 AND b == 2", width: 14)
                == "hint: 東京\n  is far away\n  a == 1 AND b == 2")
        let session = Session.forTests(width: 30)
        session.settings.wrapsLines = true
        let reply = session.reply(to: "nam ==== 1").text
        #expect(reply.split(separator: "\n").allSatisfy { $0.hasPrefix("  ") || $0.count <= 30 })
        for width in [20, 40, 60, 80, 200] {
            session.settings.width = width
            let help = session.reply(to: ":help").text.split(separator: "\n")
            #expect(help.allSatisfy { $0.count <= max(width, 50) }, "\(width)")
        }
    }

    /// A number is rather that of an object than the data.
    @Test func aNumberDoesNotReplaceTheData() {
        let session = Session.forTests()
        _ = session.load(file: "people.jsonl")
        let reply = session.reply(to: ":object 3")
        #expect(reply.isError && reply.text.contains(":show 3"))
        #expect(session.reply(to: "age > 0").text.hasPrefix("4 of 4"))
    }

    @Test func slipsInCommandsAreExplained() {
        let session = Session.forTests()
        _ = session.load(file: "people.jsonl")
        for (line, hint) in [
            (":where age > 3", "write the predicate alone: age > 3"), (":sort age desc", ":sort -age"),
            (":sort age:asc", ":sort age"), (":sort +age", ":sort age"),
        ] {
            let reply = session.reply(to: line)
            #expect(reply.isError && reply.text.hasSuffix("hint: \(hint)"), "\(reply.text)")
        }
        #expect(session.reply(to: ":chek age > 3").text.contains("hint: did you mean :check?"))
        #expect(session.reply(to: ":group by city, count()").text == session.reply(to: ":group city, count()").text)
        #expect(session.reply(to: ":count-by by city").text == session.reply(to: ":count-by city").text)
        #expect(!session.reply(to: ":sort age").isError)
    }

    /// The functions, their zone and the variables are those that the session was made with. [NSP-496]
    @Test func aSessionHasTheContextOfItsHost() throws {
        var context = PredicateContext(variables: ["AGE": 21])
        context.registry.registerCalendarFunctions(timeZone: try #require(TimeZone(identifier: "Europe/Rome")))
        let (rome, plain) = (Session.forTests(context: context), Session.forTests())
        let midnight = ":set DAY date:2026-01-30T23:00:00Z"
        #expect(rome.reply(to: midnight).text == "$DAY = 2026-01-31")
        #expect(plain.reply(to: midnight).text == "$DAY = 2026-01-30T23:00:00Z")
        #expect(rome.reply(to: ":set DAY date:2026-01-31").text == "$DAY = 2026-01-31")
        #expect(rome.reply(to: "hour:($DAY) + $AGE").text.hasSuffix("21"))
        #expect(plain.reply(to: "hour:($DAY)").isError)
    }

    private final class Flag: @unchecked Sendable {
        var isSet = false
    }

    @Test func workCanBeBrokenOff() {
        let flag = Flag()
        var environment = SessionEnvironment()
        environment.open = { (_) throws(DataError) in
            OpenedFile(source: MemorySource(String(repeating: "{\"a\": 1}\n", count: 20_000)))
        }
        environment.isCancelled = { flag.isSet }
        let session = Session(environment: environment)
        #expect(session.load(file: "a.jsonl").text.contains("the first 10,000 objects"))
        flag.isSet = true
        #expect(session.load(file: "a.jsonl").text.contains("stopped"))
        #expect(session.reply(to: "a == 1").text.hasPrefix("error: stopped"))
        #expect(session.reply(to: ":explain").isError)
    }

    @Test func everyCommandHasAnExampleThatNamesIt() {
        for command in SessionCommand.allCases {
            #expect(command.usage.hasPrefix(":\(command.rawValue)"))
            #expect(command.example.hasPrefix(":\(command.rawValue)"))
            #expect(!command.summary.hasSuffix("."))
        }
    }

    /// Replies to unreasonable lines are errors or texts; they never end the process.
    @Test func anyLineIsAnswered() {
        let session = Session.forTests()
        _ = session.load(file: "people.jsonl")
        var generator = SystemRandomNumberGenerator()
        let words =
            SessionCommand.allCases.map { ":\($0.rawValue)" } + [
                "age", "name", ">", "==", "nil", "\"jo\"", "1", "-1", "99999999999999999999", "(", ")", "{", "}", "[",
                "]", "%@",
                "$x", "AND", "OR", "NOT", "ANY", "LIKE", "MATCHES", "tags", "dept.name", "é", "SUBQUERY", ",", "*", "0",
                "IN",
            ]
        for _ in 0..<1500 {
            let line = (0..<Int.random(in: 1...7, using: &generator)).compactMap { _ in
                words.randomElement(using: &generator)
            }
            .filter { !$0.hasPrefix(":q") && !$0.hasPrefix(":load") }.joined(separator: " ")
            let reply = session.reply(to: line)
            #expect(!reply.isError || reply.text.hasPrefix("error: "), "\(line): \(reply.text)")
        }
    }
}

/// SQLite files in a session.
struct StoreSessionTests {
    private static func withStore(_ body: (Session, String) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let connection = try StoreConnection(path, SQLiteOptions(.create))
        for statement in [
            "CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT)",
            "CREATE TABLE book(id INTEGER PRIMARY KEY, title TEXT, pages INTEGER, author_id INTEGER REFERENCES author(id))",
            "CREATE INDEX book_pages ON book(pages)", "INSERT INTO author VALUES(1, 'Ann'), (2, 'Bob')",
            "INSERT INTO book VALUES(1, 'The Sea', 300, 1), (2, 'Hills', 120, 2), (3, 'the end', 80, 1)",
        ] { _ = try connection.run(SQLFragment(verbatim: statement)) }
        try body(Session.forTests(), path)
    }

    @Test func tablesAreReadWithWhatTheyLeadTo() throws {
        try Self.withStore { session, path in
            #expect(session.load(file: path).text.hasPrefix("2 tables in "))
            #expect(session.reply(to: ":table bok").text.contains("did you mean book?"))
            #expect(session.reply(to: ":table book").text.hasPrefix("3 objects from table book"))
            #expect(session.reply(to: "author.name == 'Ann' AND pages > 100").text.contains("1 of 3 objects matches"))
            #expect(session.reply(to: ":sql").text.contains("USING INDEX book_pages"))
            #expect(session.reply(to: ":table author").text.hasPrefix("2 objects"))
            #expect(session.reply(to: "ANY book.pages > 200").text.contains("1 of 2 objects matches"))
            #expect(session.reply(to: ":sql oracle").isError)
        }
    }

    /// Files have the values as `predicate filter` writes them: dates without a time have none.
    @Test func writtenDatesAreThoseOfTheFile() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".csv")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data("name,born\nJo,2011-02-14\n".utf8).write(to: file)
        let written = WrittenFiles()
        let session = Session.forTests(written: written)
        for line in [":load \(file.path)", "TRUEPREDICATE", ":write a.json", ":write b.csv", ":write c"] {
            #expect(!session.reply(to: line).isError)
        }
        #expect(written.files["a.json"] == "[{\"name\":\"Jo\",\"born\":\"2011-02-14\"}]\n")
        #expect(written.files["b.csv"] == "name,born\nJo,2011-02-14\n")
        #expect(written.files["c"] == "{\"name\":\"Jo\",\"born\":\"2011-02-14\"}\n")
    }

    /// The days of a SQLite table are written as `predicate filter` prints them. [NSP-496]
    @Test func writtenDaysAreThoseOfTheTable() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString + ".sqlite")
        defer { try? FileManager.default.removeItem(at: file) }
        try StoreConnection(file.path, SQLiteOptions(.create)).execute(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, born DATE, at DATETIME);"
                + "INSERT INTO t VALUES (1, '2011-02-14', '2011-02-14T00:00:00Z'), (2, NULL, NULL);")
        let written = WrittenFiles()
        let session = Session.forTests(written: written)
        for line in [":load \(file.path)", "TRUEPREDICATE", ":write a.jsonl", ":columns born AS b, at", ":write b.csv"]
        {
            #expect(!session.reply(to: line).isError)
        }
        #expect(
            written.files["a.jsonl"] == """
                {"id":1,"born":"2011-02-14","at":"2011-02-14T00:00:00Z"}
                {"id":2,"born":null,"at":null}

                """)
        #expect(written.files["b.csv"] == "b,at\n2011-02-14,2011-02-14T00:00:00Z\n,\n")
    }
}
