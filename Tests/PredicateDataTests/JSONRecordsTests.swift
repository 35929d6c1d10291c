import PredicateData
import PredicateSyntax
import Testing

struct JSONLinesTests {
    @Test func readsLines() {
        let outcomes = read("\u{FEFF}\n{\"a\":1}\r\n  \n [2] \n\n\"x\"\n{\"a\": \"é\"}")
        #expect(
            outcomes == [
                .record(["a": 1], text: #"{"a":1}"#, line: 2, index: 0), .record([2], text: " [2] ", line: 4, index: 1),
                .record("x", text: "\"x\"", line: 6, index: 2),
                .record(["a": "é"], text: #"{"a": "é"}"#, line: 7, index: 3),
            ])
    }

    @Test func goesOnBehindABadLine() {
        var bytes = Array("{\"a\":1}\n{\"a\":}\n\0\n{\"b\":\"".utf8)
        bytes += [0xFF] + Array("\"}\n{\"a\":2}\n{\"a\"".utf8)
        #expect(
            read(bytes, RecordOptions(format: .jsonLines)) == [
                .record(["a": 1], text: #"{"a":1}"#, line: 1, index: 0),
                .error(.json(.expectedValue), line: 2, column: 6, isRecoverable: true),
                .error(.json(.expectedValue), line: 3, column: 1, isRecoverable: true),
                .error(.invalidUTF8, line: 4, column: 7, isRecoverable: true),
                .record(["a": 2], text: #"{"a":2}"#, line: 5, index: 4),
                .error(.json(.unexpectedEnd), line: 6, column: 5, isRecoverable: true),
            ])
    }

    /// Files that are not text.
    @Test(arguments: [1, 2, 5, Int.max])
    func filesThatAreNoText(piece: Int) {
        let files: [ForeignFile: [UInt8]] = [
            .zip: [0x50, 0x4B, 3, 4, 20] + [UInt8](repeating: 0, count: 21) + [5, 0, 0, 0] + Array("x.xml".utf8),
            .xz: [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0, 0], .bzip2: Array("BZh91AY&SY".utf8),
            .sqlite: Array("SQLite format 3\0\u{4}".utf8), .parquet: Array("PAR1\u{15}".utf8),
            .sevenZip: [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0], .arrow: Array("ARROW1\0\0".utf8),
            .orc: Array("ORC\u{8}\u{3}".utf8), .avro: Array("Obj\u{1}\u{4}".utf8),
            .duckDB: [0xC1, 0x12, 0x80, 0, 0, 1, 2, 3] + Array("DUCK".utf8) + [0x40],
            .hdf5: [0x89, 0x48, 0x44, 0x46, 0x0D, 0x0A, 0x1A, 0x0A], .workbook: [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1],
            .pdf: Array("%PDF-1.7\n".utf8), .png: [0x89, 0x50, 0x4E, 0x47, 0x0D], .jpeg: [0xFF, 0xD8, 0xFF, 0xE0],
            .gif: Array("GIF89a".utf8), .program: [0x7F, 0x45, 0x4C, 0x46, 2], .binary: [0x61, 0, 0x62, 0x0A],
            .xml: Array("<?xml version=\"1.0\"?>\n<a/>\n".utf8),
        ]
        #expect(files.count == ForeignFile.allCases.count)
        for (file, bytes) in files {
            #expect(
                read(bytes, piece: piece) == [.error(.foreignFile(file), line: 1, column: 1, isRecoverable: false)])
        }
        #expect(read("SQLite\n1\n", RecordOptions(format: .csv), piece: piece).count == 1)
        #expect(read("SQL", RecordOptions(format: .csv), piece: piece).isEmpty)
    }

    @Test func limitsTheLengthOfARecord() {
        let options = RecordOptions(format: .jsonLines, maximumRecordLength: 10)
        let text = "[12345678]\n[123456789]\r\n[12345678]\r\n\(String(repeating: "x", count: 5000))\n[1]\n[12345678901]"
        for piece in [1, 7, 4096, .max] {
            #expect(
                read(text, options, piece: piece) == [
                    .record([12_345_678], text: "[12345678]", line: 1, index: 0),
                    .error(.recordTooLong(limit: 10), line: 2, column: 1, isRecoverable: true),
                    .record([12_345_678], text: "[12345678]", line: 3, index: 2),
                    .error(.recordTooLong(limit: 10), line: 4, column: 1, isRecoverable: true),
                    .record([1], text: "[1]", line: 5, index: 4),
                    .error(.recordTooLong(limit: 10), line: 6, column: 1, isRecoverable: true),
                ])
        }
    }

    @Test func readsALineLongerThanTheWindow() {
        let long = String(repeating: "x", count: 1_500_000)
        let outcomes = read("[1]\n\"\(long)\"\n[2]\n", RecordOptions(format: .jsonLines), piece: 100_000)
        #expect(outcomes.map(\.value) == [[1], .string(long), [2]])
    }

    @Test(arguments: [DataFormat.json, .jsonLines, .csv, .tsv])
    func emptyInputHasNoRecords(_ format: DataFormat) {
        for text in ["", "\n", "\u{FEFF}", " \r\n\r\n"] {
            #expect(read(text, RecordOptions(format: format)).isEmpty)
            #expect(read(text).isEmpty)
        }
    }

    @Test func readsOnlyWantedKeys() {
        let text = #"{"a":1,"b":[{}],"c":"x"}"# + "\n" + #"{"c":2,"\u0061":3}"# + "\n" + #"{"a":1,"b":[}"# + "\n[1]\n{}"
        let outcomes = read(text, RecordOptions(format: .jsonLines, keys: ["a", "c"]))
        #expect(outcomes.map(\.value) == [["a": 1, "c": "x"], ["c": 2, "a": 3], nil, [1], [:]])
        #expect(outcomes[2] == .error(.json(.expectedValue), line: 3, column: 13, isRecoverable: true))
    }

    @Test func convertsDeclaredKeys() throws {
        let options = RecordOptions(format: .jsonLines, types: ["born": .date, "n": .integer])
        let outcomes = read(
            "{\"born\":\"2001-01-01\",\"n\":5}\n{\"born\":null,\"n\":\"7\"}\n{\"born\":\"soon\"}\n", options)
        let date = try #require(ISO8601.date(from: "2001-01-01"))
        #expect(outcomes.map(\.value) == [["born": .date(date), "n": 5], ["born": .null, "n": 7], nil])
        #expect(outcomes[2].code == .typeMismatch(column: "born", type: .date, found: "soon"))
    }

    /// A whole number of a key that is declared a double is one, so that `n / 2` has a fraction.
    @Test func wholeNumbersAreDoublesWhereDeclared() throws {
        let options = RecordOptions(format: .jsonLines, types: ["n": .double])
        let texts = [
            "5", "-0", "1.5", "18446744073709551616", "9007199254740993", "-9223372036854775808", "null", "true",
        ]
        let outcomes = read(texts.map { "{\"n\":\($0)}" }.joined(separator: "\n"), options)
        let expected: [PredicateValue] = [
            .double(5), .double(-0.0), .double(1.5), .double(0x1p64), .double(0x1p53), .double(-0x1p63), .null, true,
        ]
        #expect(outcomes.map(\.value) == expected.map { ["n": $0] })
        guard case .dictionary(let zero)? = outcomes[1].value, case .double(let negative)? = zero["n"] else {
            throw CancellationError()
        }
        #expect(negative.sign == .minus)
    }
}

struct JSONDocumentTests {
    private let json = RecordOptions(format: .json)

    @Test func readsTheElementsOfAnArray() {
        let text = "\n[ {\"a\":\n1} ,\n 1.0,\"],\\\"\" , [[]],null\n]\n"
        #expect(
            read(text) == [
                .record(["a": 1], text: "{\"a\":\n1}", line: 2, index: 0), .record(1.0, text: "1.0", line: 4, index: 1),
                .record("],\"", text: #""],\"""#, line: 4, index: 2), .record([[]], text: "[[]]", line: 4, index: 3),
                .record(.null, text: "null", line: 4, index: 4),
            ])
        #expect(read("[]").isEmpty)
    }

    @Test func readsValuesOneAfterAnother() {
        let text = #"{"a":1}{"a":2} {"a":3}"# + "\n\n{\"a\":\n4}"
        #expect(read(text, json).map(\.value) == (1...4).map { ["a": .integer($0)] })
        #expect(read("{\n\"3166-1\": [1, 2]\n}").map(\.value) == [["3166-1": [1, 2]]])
        #expect(read("1 2 [3]", json).map(\.value) == [1, 2, [3]])
    }

    @Test func goesOnBehindABadElement() {
        let outcomes = read("[{\"a\":01},\n {\"b\":2}, x, {\"c\":1]\n, 3]", json)
        #expect(
            outcomes == [
                .error(.json(.invalidNumber), line: 1, column: 7, isRecoverable: true),
                .record(["b": 2], text: #"{"b":2}"#, line: 2, index: 1),
                .error(.json(.expectedValue), line: 2, column: 11, isRecoverable: true),
                .error(.json(.expectedComma), line: 2, column: 20, isRecoverable: true),
                .record(3, text: "3", line: 3, index: 4),
            ])
    }

    @Test(
        arguments: [
            ("[1", DataError.Code.json(.unexpectedEnd)), ("[1,", .json(.unexpectedEnd)),
            ("[1 2]", .json(.expectedComma)),
            ("[1,]", .json(.expectedValue)),
            ("[,1]", .json(.expectedValue)), ("[1] 2", .json(.trailingContent)), ("[1][2]", .json(.trailingContent)),
            ("[{\"a\":1", .json(.unexpectedEnd)),
            ("[\"a", .json(.unterminatedString)), ("1,2", .json(.expectedValue)), ("]", .json(.expectedValue)),
            ("[1}", .json(.expectedComma)),
        ] as [(String, DataError.Code)])
    func stopsAtABrokenArray(_ text: String, _ code: DataError.Code) {
        for piece in [1, 2, .max] {
            let last = read(text, json, piece: piece).last
            #expect(last?.code == code)
            if case .error(_, _, _, let isRecoverable) = last { #expect(!isRecoverable) }
        }
    }

    @Test func followsThePathToTheRecords() {
        let text = #"{"v": {"b": [0]}, "s": "}", "a": {"x": [[]], "b": [{"n": 1}, 2], "c": {"d": "]"}}, "z": 1}"#
        for piece in [1, 2, 3, 5, 8, .max] {
            let outcomes = read(text, RecordOptions(recordsPath: "a.b"), piece: piece)
            #expect(outcomes.map(\.text) == [#"{"n": 1}"#, "2"])
        }
        #expect(read(#"{"3166-1":[{"a":1}]}"#, RecordOptions(recordsPath: "3166-1")).map(\.value) == [["a": 1]])
        #expect(read(#"{"a":{"b":{"n":1}}}"#, RecordOptions(recordsPath: "a.b")).map(\.value) == [["n": 1]])
    }

    @Test(
        arguments: [
            ("{\"a\":1}", DataError.Code.recordsPathNotFound("b", keys: ["a"])),
            ("{}", .recordsPathNotFound("b", keys: [])),
            ("[]", .recordsPathNotFound("b", keys: [])),
            ("", .recordsPathNotFound("b", keys: [])), ("{\"b\":1}", .recordsPathNotAnArray("b")),
            ("{\"a\" 1}", .json(.expectedColon)),
            ("{\"a\":1 \"b\":[]}", .json(.expectedComma)), ("{\"b\":[]", .json(.unexpectedEnd)),
            ("{\"b\":[]} x", .json(.trailingContent)),
            ("{\"a\":,\"b\":[]}", .json(.expectedValue)), ("{a:1}", .json(.expectedKey)),
            ("{\"a\":1,", .json(.unexpectedEnd)),
            ("{\"\\x\":1}", .json(.invalidEscape)),
        ] as [(String, DataError.Code)])
    func saysWhatIsWrongWithThePath(_ text: String, _ code: DataError.Code) {
        #expect(read(text, RecordOptions(recordsPath: "b")).map(\.code) == [code])
    }

    @Test func aDotInAKeyStandsBehindABackslash() {
        let text = #"{"v1.0": {"a\\b": {"c.d": [1]}}, "v1": {"0": [2]}, "e\\": [3]}"#
        #expect(read(text, RecordOptions(recordsPath: #"v1\.0.a\b.c\.d"#)).map(\.value) == [1])
        #expect(read(text, RecordOptions(recordsPath: #"v1\.0.a\\b.c\.d"#)).map(\.value) == [1])
        #expect(read(text, RecordOptions(recordsPath: "v1.0")).map(\.value) == [2])
        #expect(read(text, RecordOptions(recordsPath: #"e\"#)).map(\.value) == [3])
        #expect(
            read(text, RecordOptions(recordsPath: #"v1\.1"#)).map(\.code)
                == [.recordsPathNotFound(#"v1\.1"#, keys: ["v1.0", "v1", #"e\"#])])
    }

    @Test func limitsTheLengthOfAnElement() {
        let options = RecordOptions(format: .json, maximumRecordLength: 8)
        let text = "[\"\(String(repeating: "]\\\"", count: 4000))\", [1,2,3], [1,2,3,4], 5]"
        for piece in [1, 16, .max] {
            #expect(
                read(text, options, piece: piece).map(\.code) == [
                    .recordTooLong(limit: 8), nil, .recordTooLong(limit: 8), nil,
                ])
        }
    }
}

struct SniffingTests {
    @Test(
        arguments: [
            ("{\"a\":1}\n{\"a\":2}", DataFormat.jsonLines), ("{\"a\":1}", .jsonLines), ("{\n\"a\":1}", .json),
            ("[1,2]", .json),
            ("[1]\n[2]\n", .jsonLines), ("\n\n [\n1]", .json), ("{\"a\":1}{\"b\":1}\n", .json), ("a,b\n1,2", .csv),
            ("a\tb\n1\t2", .tsv),
            ("\"a\",\"b\"\n", .csv), ("1\n2\n", .jsonLines), ("\u{FEFF}a\tb,c", .tsv),
            ("", .jsonLines),
            ("[1]\n\n  \n", .json), ("\ta\n", .tsv), ("{\"a\" 1}\n{\"a\":2}\n", .jsonLines),
            ("{bad\n{\"a\":2}\n", .jsonLines), ("{\"a\":1}}\n{\"a\":2}\n", .jsonLines),
            ("{\"a\":1,\"b\"\n{\"a\":2}\n{", .jsonLines), ("{\"a\":1,\n\"b\" 2\n}", .json),
            ("{\"a\":\n{\"b\":2}\n}", .json), ("{\"a\":1} {\n\"a\":2}", .json),
            ("\"jo\"", .jsonLines), ("\"jo\"\n\n", .jsonLines),
            ("a;b\n1,5;2,5\n", .csv), ("a|b\n1|2\n", .csv), ("Name, Given;Zip\nDoe, Jo;1\n", .csv),
        ] as [(String, DataFormat)])
    func findsTheFormat(_ text: String, _ format: DataFormat) throws {
        for piece in [1, .max] {
            #expect(try RecordReader(source: MemorySource(text, maximumPiece: piece)).format == format)
        }
    }

    /// What has no rows of fields is not taken for CSV.
    @Test(
        arguments: [
            "name\njo", "\"name\"\n\"jo\"", "A sentence, with a comma.\nAnd another.\nAnd a third.\n",
            "Nov 25 01:02 host: started\nNov 25 01:03 host: a, b, c\nNov 25 01:03 host: d\n",
        ])
    func refusesPlainText(_ text: String) {
        for piece in [1, .max] { #expect(read(text, piece: piece).map(\.code) == [.plainText]) }
        #expect(read(text, RecordOptions(format: .lines)).count == text.split(separator: "\n").count)
        #expect(read(text, RecordOptions(format: .csv)).first?.code != .plainText)
    }

    @Test func knowsFileNames() {
        let names = ["a.json", "b.JSONL", "c.ndjson", "d.x.csv", "e.tsv", "f.txt", "csv", "g.", "", "h.csv.gz", "i.gz"]
        #expect(
            names.map { DataFormat(fileName: $0) } == [
                .json, .jsonLines, .jsonLines, .csv, .tsv, nil, nil, nil, nil, .csv, nil,
            ])
    }
}
