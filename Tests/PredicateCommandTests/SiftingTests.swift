import PredicateCommand
import PredicateData
import PredicateEvaluation
import PredicateSyntax
import Testing

/// Lines in memory are sifted; lines that arrive byte by byte are read in full. The output must be the same.
struct SiftingTests {
    private static let formats = [
        "age > 21", #"age >= 21 AND name BEGINSWITH[cd] "jo""#, #"name == "John Smith""#, "age == nil", "age > score",
        #"name CONTAINS[cd] "an" OR email LIKE "*@example.com""#, #"dept.name IN {"Sales", "Legal", "R&D"}"#,
        #"active == YES AND age BETWEEN {18, 65} AND NOT (email ENDSWITH[c] ".ORG")"#, "score BETWEEN {10, 50.5}",
        "score * 2 + 1 > 50 AND age < 50", #"created > CAST(599529600.0, "NSDate")"#, "TRUEPREDICATE",
        #"name MATCHES "J.*n S.*""#, #"name MATCHES "(?i)j.*(?<=o).*""#, #"uppercase(name) == "JO""#,
        #"ANY tags == "swift""#, #"ALL tags != "sql""#, #""swift" IN tags"#, "tags.@count > 2", "tags.@max > 3",
        #"SUBQUERY(tags, $t, $t BEGINSWITH "s").@count > 1"#, #"é == "x" OR age < 10"#, "SELF.age > 21",
        #"dept.head.name == "Ann""#, #"ANY dept.head.name == "Ann""#, "dept == nil", "dept.name == nil",
        "dept.name.length > 4", "dept.count == 2", "count == nil", "age.description == '22'", "note != nil",
        #"name < "M" AND (active == NO OR score IN {22, 50.5, 21})"#,
    ]
    private static let options = [
        [], [], [], ["-v"], ["-c"], ["-q"], ["--strict"], ["--first", "2"], ["--keys", "age,dept.name"],
        ["-o", "json"], ["-o", "json", "-v"], ["-t", "created=date,age=integer"], ["-t", "created=date", "-v"],
        ["-t", "dept=uuid,name=date"],
    ]

    @Test(arguments: 1..<5 as Range<UInt64>)
    func siftedLinesAreTheSame(seed: UInt64) {
        var maker = LineMaker(seed: seed)
        for _ in 0..<150 {
            let lines = maker.lines(16)
            let arguments = ["filter", "-f", "jsonl"] + maker.pick(Self.options) + [maker.pick(Self.formats)]
            let sifted = predicate(arguments, source: MemorySource(lines))
            let read = predicate(arguments, source: MemorySource(lines, maximumPiece: 1))
            #expect(sifted == read, "\(arguments)\n\(String(decoding: lines, as: UTF8.self))")
        }
    }

    /// The ends of strings, and the bytes for which a line is read in full, are found wherever they are.
    @Test(arguments: ["", "\\\"", "\\n", "\\x", "\u{E9}", "\u{1}", "\u{7F}", "\u{65E5}", "\t"])
    func stringsAreFoundAtAnyPlace(special: String) {
        for count in 0..<36 {
            let text = (0...count).map { place in
                let text = String(repeating: "a", count: place) + special + String(repeating: "b", count: count - place)
                return #"{"note": "\#(text)", "\#(text)": 1, "name": "\#(text)", "age": "# + "\(place)}\n"
            }
            let bytes = text.flatMap(\.utf8)
            let arguments = ["filter", "-f", "jsonl", "name ENDSWITH 'b' OR age < 3"]
            let sifted = predicate(arguments, source: MemorySource(bytes))
            let read = predicate(arguments, source: MemorySource(bytes, maximumPiece: 1))
            #expect(sifted == read, "\(count) \(special)")
        }
    }

    /// Fields end wherever they end, also in rows that are written as objects.
    @Test(arguments: ["", "\"", "\"\"", "\u{E9}", "\u{AC}", "\\N", " ", "\r"])
    func fieldsAreFoundAtAnyPlace(special: String) {
        for count in 0..<36 {
            let rows = (0...count).map { place in
                let text = String(repeating: "a", count: place) + special + String(repeating: "b", count: count - place)
                return "\(text),\(place),\"\(text)\",\(text)\(place % 5 == 0 ? "\r\n" : "\n")"
            }
            let bytes = Array(("name,age,note,\u{E9}\n" + rows.joined()).utf8)
            let output = ["-o", "jsonl"] + (count % 2 == 0 ? [] : ["-k", "\u{E9},age"])
            let arguments = ["filter", "-f", "csv", "name ENDSWITH 'b' OR age < 3"] + output
            let sifted = predicate(arguments, source: MemorySource(bytes))
            let read = predicate(arguments, source: MemorySource(bytes, maximumPiece: 1))
            #expect(sifted == read, "\(count) \(special)")
        }
    }

    private static let lineFormats = [
        "SELF CONTAINS 'ab'", "SELF BEGINSWITH 'é'", "SELF ENDSWITH 'b'", "SELF MATCHES '.*aab[0-9]*'",
        "SELF MATCHES '.*(?i)aab[0-9]*'", "SELF CONTAINS 'a' AND NOT SELF CONTAINS 'ab'", "SELF CONTAINS[c] 'AB'",
        "SELF CONTAINS 'ü'", "SELF == 'ab'", "SELF CONTAINS ''", "SELF CONTAINS 'a' OR SELF CONTAINS 'é'",
    ]

    /// Lines without what every match contains are left out together, also among lines that are not UTF-8.
    @Test(arguments: 1..<5 as Range<UInt64>)
    func siftedTextIsTheSame(seed: UInt64) {
        var maker = LineMaker(seed: seed)
        let texts = ["a", "b", "ab", "aab7", "é", "x", " ", "\n", "\n", "\r\n"]
        let pieces = texts.map { Array($0.utf8) } + [[0xFC], [0xE9, 0x61]]
        for _ in 0..<150 {
            let text = (0..<60).flatMap { _ in maker.pick(pieces) }
            let options = maker.pick([[], [], ["-v"], ["-c"], ["-n"], ["--first", "2"]])
            let arguments = ["filter", "-f", "lines"] + options + [maker.pick(Self.lineFormats)]
            let sifted = predicate(arguments, source: MemorySource(text))
            let read = predicate(arguments, source: MemorySource(text, maximumPiece: 1))
            #expect(sifted == read, "\(arguments)\n\(text)")
        }
    }

    private static let columnOptions = [
        [], [], [], ["-v"], ["-c"], ["-q"], ["--strict"], ["--first", "2"], ["--keys", "age,name"],
        ["-t", "created=date,age=integer"], ["-t", "created=date,name=string", "-v"],
        ["-t", "active=boolean,score=double"],
        ["-o", "jsonl"], ["-o", "jsonl", "--keys", "score,name"], ["-o", "jsonl", "-n"],
    ]

    @Test(arguments: ["csv", "tsv"], 1..<3 as Range<UInt64>)
    func siftedRowsAreTheSame(format: String, seed: UInt64) {
        var maker = LineMaker(seed: seed)
        for _ in 0..<150 {
            let rows = maker.rows(16, isCommaSeparated: format == "csv")
            let arguments = ["filter", "-f", format] + maker.pick(Self.columnOptions) + [maker.pick(Self.formats)]
            let sifted = predicate(arguments, source: MemorySource(rows))
            let read = predicate(arguments, source: MemorySource(rows, maximumPiece: 1))
            #expect(sifted == read, "\(arguments)\n\(String(decoding: rows, as: UTF8.self))")
        }
    }

    private static let groupOptions = [
        ["--count-by", "age"], ["--count-by", "age * 2 AS n"],
        ["--group-by", "uppercase(name)", "--sum", "age + score"],
        ["--group-by", "year(created), active", "--max", "created"],
        ["--min", "name, age - 1", "--median", "score / 2"],
        ["--group-by", "age / 0, name", "--avg", "score"], ["--group-by", "tags, dept", "--sum", "name"],
        ["--group-by", "name, age + 1", "--sum", "tags", "--max", "lowercase(name)"], ["--sum", "age, score"],
        ["-k", "joined(name, '|'), min(age), max(score)"],
        ["--group-by", "active", "-k", "active, joined(age, '|'), joined(uppercase(name), ';')"],
        ["--group-by", "\u{e9}", "--avg", "age * score"], ["--count-by", "name, name.length"],
    ]

    /// Groups, also those of expressions, are filled from slots.
    @Test(arguments: ["csv", "tsv", "jsonl"], 1..<4 as Range<UInt64>)
    func siftedGroupsAreTheSame(format: String, seed: UInt64) {
        var maker = LineMaker(seed: seed)
        for _ in 0..<100 {
            let input = format == "jsonl" ? maker.lines(16) : maker.rows(16, isCommaSeparated: format == "csv")
            let types = maker.pick([[], [], ["-t", "created=date,age=integer"], ["-t", "score=decimal"]])
            let arguments =
                ["filter", "-f", format] + types + maker.pick(Self.groupOptions)
                + maker.pick([["age != 1"], [], ["-v", "age > 50"]])
            let sifted = predicate(arguments, source: MemorySource(input))
            let read = predicate(arguments, source: MemorySource(input, maximumPiece: 1))
            let isSame = withoutNotes(sifted) == withoutNotes(read)
            #expect(isSame, "\(arguments)\n\(String(decoding: input, as: UTF8.self))")
        }
    }

    /// A sieve knows which keys the lines have, not only the matches, so there may be fewer notes about missing keys.
    private func withoutNotes(_ outcome: Outcome) -> Outcome {
        let lines = outcome.error.split(separator: "\n").filter {
            !$0.hasPrefix("note: ") || !$0.contains("has the key")
        }
        return Outcome(status: outcome.status, output: outcome.output, error: lines.joined(separator: "\n"))
    }

    /// A match that sorts after the first ones is not read.
    @Test(arguments: ["-v * 2", "v * 2", "v", "-v", "uppercase(k)", "-k", "v / w"])
    func theFirstOfManyAreTheSame(key: String) {
        var maker = LineMaker(seed: 5)
        let values = ["1", "2.5", "-0.0", "", "1e300", "9007199254740993", "9007199254740992", "7"]
        let rows = (0..<5000).map {
            "\(maker.pick(["a", "B", "\"q\"\"\"", ""]))\($0 % 700),\(maker.pick(values)),\($0 % 3)\n"
        }
        let input = Array(("k,v,w\n" + rows.joined()).utf8)
        let arguments = ["filter", "-f", "csv", "-t", "v=double,w=integer", "--first", "7", "--sort", key]
        let sifted = predicate(arguments, source: MemorySource(input))
        #expect(sifted == predicate(arguments, source: MemorySource(input, maximumPiece: 1)))
        #expect(sifted.output.split(separator: "\n").count == 8)
    }

    private static let manyRecords: [String: (first: String, other: String)] = [
        "csv": ("k,v,w\n", "key NUMBER,2.25,NUMBER\n"), "tsv": ("k\tv\tw\n", "key \"NUMBER\t2.25\tNUMBER\n"),
        "csv with quotes": ("k,v,w\n", "\"a\nNUMBER\",2.25,NUMBER\n"),
        "jsonl": ("", "{\"k\": \"a\\u00e9NUMBER\", \"v\": 2.25, \"w\": NUMBER}\n"),
    ]

    /// Two cores share many records, with the same groups and matches in the same order. [NSP-462]
    @Test(arguments: ["csv", "tsv", "csv with quotes", "jsonl"])
    func sharedRecordsAreTheSame(kind: String) throws {
        let (first, other) = try #require(Self.manyRecords[kind])
        let lines = (0..<9000).map { number in
            number % 2999 == 7 ? "broken\n" : other.replacing("NUMBER", with: "\(number % 700)")
        }
        let input = Array((first + lines.joined()).utf8)
        let format = String(kind.prefix { $0 != " " })
        for options in [
            ["w > 300", "--count-by", "k"], ["w > 690", "--sum", "w", "--avg", "v", "--max", "k"],
            ["--group-by", "w / 100", "--sum", "v"], ["w > 690", "-k", "joined(w, '|'), joined(k, '|')"], ["w < 3"],
            ["w > 5", "-c"],
            ["w == 9", "--sort", "-k", "--first", "4"],
        ] {
            let arguments = ["filter", "-f", format] + options
            let shared = predicate(arguments, source: MemorySource(input))
            #expect(shared == predicate(arguments, source: MemorySource(input, maximumPiece: 1)), "\(options)")
            #expect(shared.status == 2 && !shared.output.isEmpty)
        }
    }

    @Test func usualRowsAreNotReadInFull() throws {
        let rows = "name,age\n" + String(repeating: "José,30\n\"Ann, of\nB\",7\n", count: 50)
        for (format, kept) in [("age > 21", 49), (#"name CONTAINS "\n""#, 50), (#"age == nil OR name == "é""#, 0)] {
            let flat = try #require(try FlatEvaluator(PredicateEvaluator(FormatPredicate(format))))
            let options = RecordOptions(format: .csv, keys: Set(flat.paths.compactMap(\.first)))
            let reader = try RecordReader(source: MemorySource(rows), options: options)
            let header = try #require(reader.header)
            let sieve = try #require(
                LineSieve(flat.paths, options: options, header: header))
            _ = try reader.next()
            let sifted = reader.sift(with: sieve, joiningMatches: false) { slots, _ in flat.holds(slots) }
            #expect(sifted.knownCount == 99, "\(format)")
            #expect(sifted.kept.count { $0.isMatch } == kept, "\(format)")
        }
    }

    /// What no instruction decides is evaluated for the values of a row.
    @Test func expressionsOfUsualRowsAreNotReadInFull() throws {
        let rows = "name,age,born\n" + String(repeating: "José,30,2024-05-01\nAnn,7,\n", count: 50)
        for (format, kept) in [
            (#"lowercase(name) == "josé""#, 49), ("name.length > 3 AND age > 3", 49),
            ("TERNARY(age > 21, 1, 0) == 1", 49),
            ("born.timeIntervalSinceReferenceDate > 0", 49), (#"CAST(age, "NSString") ENDSWITH "7""#, 50),
        ] {
            let evaluator = try PredicateEvaluator(FormatPredicate(format))
            let flat = try #require(FlatEvaluator(evaluator, known: [["name"], ["age"], ["born"]]))
            let options = RecordOptions(format: .csv, keys: ["name", "age", "born"])
            let reader = try RecordReader(source: MemorySource(rows), options: options)
            let sieve = try #require(reader.sieve(flat.paths))
            _ = try reader.next()
            let sifted = reader.sift(with: sieve, joiningMatches: false) { slots, _ in flat.holds(slots) }
            #expect(sifted.knownCount == 99, "\(format)")
            #expect(sifted.kept.count { $0.isMatch } == kept, "\(format)")
        }
    }

    /// A member that is spelled like an expression is its value, even if it is nil; also in lines that are not parsed.
    @Test func membersSpelledLikeExpressionsAreTheirValues() {
        let lines =
            String(repeating: "{\"a\":1,\"b\":2}\n", count: 3) + "{\"a\":1,\"b\":4,\"a + b\":null}\n{\"a\":1,\"b\":5}\n"
        let outcome = predicate("filter", "-f", "jsonl", "--sort", "-a + b", "-k", "b, a + b AS s", input: lines)
        let first = "{\"b\":5,\"s\":6}\n" + String(repeating: "{\"b\":2,\"s\":3}\n", count: 3)
        #expect(outcome.output == first + "{\"b\":4,\"s\":null}\n")
        let groups = predicate("filter", "-f", "jsonl", "--group-by", "a + b AS s", "-o", "csv", input: lines)
        #expect(groups.output == "s,count\n,1\n3,3\n6,1\n")
    }

    /// A key that no line has is one error, and the error names SELF.
    @Test func keysOfLinesAreOneError() {
        let outcome = predicate("filter", "-f", "lines", "line CONTAINS 'x'", input: "a\nx\n")
        #expect(outcome.status == 2 && outcome.output.isEmpty)
        #expect(outcome.error.components(separatedBy: "error:").count == 2)
        #expect(outcome.error.contains("hint: SELF is the line: SELF CONTAINS \"text\""))
        #expect(predicate("filter", "-f", "lines", "length > 1", input: "a\nxy\n").output == "xy\n")
        #expect(
            predicate("filter", "-f", "lines", "-k", "SELF.length AS n", "-o", "csv", input: "a\nxy\n").output
                == "n\n1\n2\n")
    }

    @Test func usualLinesAreNotReadInFull() throws {
        let line = #"{"name": "José", "age": 30, "dept": {"name": "Sales"}, "tags": ["a", "b"]}"#
        let lines = String(repeating: line + "\n", count: 100)
        for (format, kept) in [
            ("age > 21", 99), (#"dept.name == "Legal""#, 0), (#"name BEGINSWITH[cd] "jose""#, 99),
            ("tags.@count == 2 AND age * 2 == 60", 99), (#"ANY tags == "c" OR note != nil"#, 0),
            (#"lowercase(dept.name) == "sales""#, 99), ("name.length + dept.name.length == 9", 99),
            (#"TERNARY("b" IN tags, dept.name, "") == "Sales""#, 99),
        ] {
            let known = [["name"], ["age"], ["dept", "name"], ["tags"], ["note"]]
            let flat = try #require(try FlatEvaluator(PredicateEvaluator(FormatPredicate(format)), known: known))
            let options = RecordOptions(format: .jsonLines, keys: Set(flat.paths.compactMap(\.first)))
            let sieve = try #require(LineSieve(flat.paths, options: options))
            let reader = try RecordReader(source: MemorySource(lines), options: options)
            _ = try reader.next()
            let sifted = reader.sift(with: sieve, joiningMatches: true) { slots, _ in flat.holds(slots) }
            #expect(sifted.knownCount == 99, "\(format)")
            #expect(sifted.kept.map(\.count) == (kept == 0 ? [] : [kept]), "\(format)")
        }
    }

    @Test func matchesAreWrittenAsTheyStand() {
        let lines = "{\"a\": 1}\n{\"a\":\r2}\n{\"a\": 0}\n{\"a\": 3}\n\n{\"a\": 4}\r\n{\"a\": 5}\n{\"a\": 6}"
        let outcome = predicate("filter", "-f", "jsonl", "a > 0", input: lines)
        #expect(
            outcome
                == .success(
                    "{\"a\": 1}\n{\"a\": 2}\n{\"a\": 3}\n{\"a\": 4}\n{\"a\": 5}\n{\"a\": 6}\n"))
        let few = predicate("filter", "-f", "jsonl", "--first", "3", "a > 0", input: lines)
        #expect(few == .success("{\"a\": 1}\n{\"a\": 2}\n{\"a\": 3}\n"))
        #expect(predicate("filter", "-f", "jsonl", "-c", "a > 0", input: lines) == .success("6\n"))
    }

    @Test func linesKeepTheirOwnTextAndNumbers() {
        let lines = "{\"a\": 1}\n\n{ \"a\" : 2 } \r\n{\"a\": \"x\"}\n{bad\n\t\n{\"b\": 1, \"a\": 3}"
        let outcome = predicate("filter", "-f", "jsonl", "a > 0", input: lines)
        #expect(outcome.output == "{\"a\": 1}\n{ \"a\" : 2 } \n{\"b\": 1, \"a\": 3}\n")
        #expect(outcome.error.hasPrefix("(standard input):4: error: "))
        #expect(outcome.error.hasSuffix("(standard input):5: error: expected a key in double quotes (column 2)\n"))
    }

    @Test func linesAcrossTheEdgesOfMemoryAreWhole() {
        let long = String(repeating: "x", count: 1_000)
        let lines = (0..<2_000).map { "{\"id\": \($0), \"text\": \"\(long.prefix($0 % 900))\"}" }
        let outcome = predicate("filter", "-f", "jsonl", "id >= 1000", input: lines.joined(separator: "\n"))
        #expect(outcome == .success(lines[1000...].joined(separator: "\n") + "\n"))
    }

    /// Many lines in memory are shared between two cores.
    @Test func errorsAmongManyLinesStandInOrder() {
        var lines = (0..<20_000).map { "{\"id\": \($0), \"a\": \"text of number \($0)\"}" }
        for number in stride(from: 2_500, to: 20_000, by: 2_500) { lines[number] = "{\"id\": \"x\"}" }
        for number in stride(from: 3_000, to: 20_000, by: 6_000) { lines[number] = "{bad" }
        let input = lines.joined(separator: "\n")
        let outcome = predicate("filter", "-f", "jsonl", "id >= 10000", input: input)
        let wanted = lines[10_000...].filter { $0.hasPrefix("{\"id\": 1") }
        #expect(outcome.output == wanted.joined(separator: "\n") + "\n")
        let places = outcome.error.split(separator: "\n").compactMap { line in
            line.hasPrefix("(standard input):") ? Int(line.split(separator: ":")[1]) : nil
        }
        #expect(places == [2_501, 3_001, 5_001, 7_501, 9_001, 10_001, 12_501, 15_001, 17_501])
    }
}
