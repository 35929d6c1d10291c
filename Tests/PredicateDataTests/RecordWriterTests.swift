import Foundation
import PredicateData
import PredicateSyntax
import Testing

struct RecordWriterTests {
    /// Returns the output of a writer for some records.
    private func filter(
        _ text: String, _ options: RecordOptions = RecordOptions(), keys: [String]? = nil, to format: DataFormat? = nil,
        where isKept: (SourceRecord) -> Bool = { _ in true }
    ) throws -> String {
        var written: [UInt8] = []
        let reader = try RecordReader(source: MemorySource(text), options: options)
        let writer = try RecordWriter(format: format ?? reader.format, header: reader.header, keys: keys) { bytes in
            written += bytes
        }
        while let record = try reader.next() {
            if isKept(record) { try writer.write(record) }
        }
        try writer.finish()
        try writer.finish()
        return String(decoding: written, as: UTF8.self)
    }

    @Test func writesLinesAsTheyWere() throws {
        let text = "{\"b\": 1.10, \"a\":\"\\u0061\"}\r\n\n{\"b\": 2}"
        #expect(try filter(text) == "{\"b\": 1.10, \"a\":\"\\u0061\"}\n{\"b\": 2}\n")
        #expect(try filter(text) { $0.index == 1 } == "{\"b\": 2}\n")
        #expect(try filter(text) { _ in false }.isEmpty)
    }

    @Test func writesAnArray() throws {
        let text = "[ {\"a\": 1.0},\n{\"a\":\n2} ]"
        #expect(try filter(text) == "[{\"a\": 1.0},\n{\"a\":\n2}]\n")
        #expect(try filter(text) { _ in false } == "[]\n")
        #expect(try filter(text, to: .jsonLines) == "{\"a\": 1.0}\n{\"a\": 2}\n")
    }

    @Test func writesChosenKeys() throws {
        let text = "{\"b\": {\"c\": 1.10}, \"a\":\"x\", \"z\":[1, 2]}\n{\"a\":null}\n"
        #expect(try filter(text, keys: ["a", "b.c"]) == "{\"a\":\"x\",\"b.c\":1.10}\n{\"a\":null,\"b.c\":null}\n")
        #expect(try filter("[{\"a\":\n[1,\n2]}]", keys: ["a"]) == "[{\"a\":[1,\n2]}]\n")
        let dotted = #"{"a.b": 1, "a": {"b": 2, "c\\d": 3}}"#
        #expect(try filter(dotted, keys: [#"a\.b"#, "a.b", #"a.c\d"#]) == #"{"a.b":1,"a.b":1,"a.c\\d":3}"# + "\n")
        #expect(try filter("[1]", keys: ["a\""]) == "[{\"a\\\"\":null}]\n")
    }

    @Test func writesRowsAsTheyWere() throws {
        let text = "name,\"a,b\"\r\n\"x \"\"y\"\"\",1\r\nz,\"2\n3\"\n"
        let csv = RecordOptions(format: .csv)
        #expect(try filter(text, csv) == "name,\"a,b\"\n\"x \"\"y\"\"\",1\nz,\"2\n3\"\n")
        #expect(try filter(text, csv) { _ in false } == "name,\"a,b\"\n")
        #expect(try filter(text, csv, keys: ["a,b", "name"]) == "\"a,b\",name\n1,\"x \"\"y\"\"\"\n\"2\n3\",z\n")
        #expect(try filter("a\tb\n1\t\"\n", keys: ["b"]) == "b\n\"\n")
        #expect(try filter("", csv).isEmpty)
        #expect(throws: DataError(.unknownColumn("c"))) { try filter("a,b\n", csv, keys: ["a", "c"]) }
    }

    @Test func passesOnWhatTheSinkThrows() throws {
        let failure = DataError(.writeFailed(errno: 28))
        let writer = try RecordWriter(format: .jsonLines) { (_) throws(DataError) in throw failure }
        try writer.write(SourceRecord(value: 1, raw: Array("1".utf8), line: 1, index: 0))
        #expect(throws: failure) { try writer.flush() }
    }

    @Test func writesThroughDescriptors() throws {
        let path = NSTemporaryDirectory() + "records-\(UUID().uuidString).jsonl"
        let lines = (0..<5000).map { "{\"n\": \($0)}\n" }.joined()
        try lines.write(toFile: path, atomically: false, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        let reader = try RecordReader(source: FileSource(path: path))
        var count: Int64 = 0
        while let record = try reader.next() {
            #expect(record.value == ["n": .integer(count)])
            count += 1
        }
        #expect(count == 5000)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.truncate(atOffset: 0)
        let writer = try RecordWriter(format: .json) { (bytes) throws(DataError) in
            try DescriptorSink.write(bytes, to: handle.fileDescriptor)
        }
        try writer.write(SourceRecord(value: 1, raw: Array("1.0".utf8), line: 1, index: 0))
        try writer.finish()
        try handle.close()
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "[1.0]\n")
    }
}

struct SourceTests {
    @Test func saysWhyAFileDoesNotOpen() throws {
        #expect(throws: DataError(.openFailed(path: "/no/such/file", errno: 2))) {
            try FileSource(path: "/no/such/file")
        }
        #expect(DataError(.openFailed(path: "/x", errno: 2)).message == "cannot open '/x': No such file or directory")
        let directory = try FileSource(path: "/")
        #expect(throws: DataError(.readFailed(errno: 21))) { try RecordReader(source: directory) }
        #expect(throws: DataError(.writeFailed(errno: 9))) {
            try [UInt8](repeating: 1, count: 3).withUnsafeBytes { try DescriptorSink.write($0, to: -1) }
        }
    }

    /// On a terminal, the elements of an array are indented; numbers keep their text.
    @Test func jsonIsIndentedForReaders() throws {
        var output: [UInt8] = []
        let writer = try RecordWriter(format: .json, isIndented: true) { (bytes) throws(DataError) in output += bytes }
        for text in ["{\"a\": 1.10, \"b\":[ ], \"c\": {\"d\": [1,2]}, \"e\": \"x, [y]: \\\"z\\\"\"}", "{}", "3"] {
            try writer.write(SourceRecord(value: .null, raw: Array(text.utf8), line: 1, index: 0))
        }
        try writer.finish()
        #expect(
            String(decoding: output, as: UTF8.self) == """
                [
                  {
                    "a": 1.10,
                    "b": [],
                    "c": {
                      "d": [
                        1,
                        2
                      ]
                    },
                    "e": "x, [y]: \\"z\\""
                  },
                  {},
                  3
                ]

                """)
    }

    @Test func everyCodeHasAMessage() {
        let codes: [DataError.Code] = [
            .json(.unexpectedEnd), .json(.expectedValue), .json(.expectedKey), .json(.expectedColon),
            .json(.expectedComma), .json(.unterminatedString),
            .json(.controlCharacter(9)), .json(.invalidEscape), .json(.loneSurrogate), .invalidUTF8,
            .json(.invalidNumber), .json(.numberOutOfRange),
            .json(.trailingContent), .json(.nestingTooDeep(limit: 5)), .recordTooLong(limit: 5),
            .recordsPathNotFound("a", keys: ["b"]),
            .recordsPathNotAnArray("a"), .unexpectedQuote, .textAfterQuote, .unterminatedQuote,
            .fieldCount(expected: 2, found: 3), .unknownColumn("a"), .plainText,
            .foreignFile(.zip), .truncatedCompression(.gzip), .invalidCompression(.zstandard, "x"),
            .inferredTypeMismatch(column: "a", type: .date, found: "x", row: 2),
            .typeMismatch(column: "a", type: .date, found: "x"), .unknownColumnType("x"), .invalidTypeDeclaration("x"),
            .openFailed(path: "/x", errno: 2), .readFailed(errno: 5), .writeFailed(errno: 28),
        ]
        #expect(codes.allSatisfy { DataError($0).message.utf8.count > 8 })
        #expect(Set(codes.map { DataError($0).message }).count == codes.count)
    }
}

extension RecordWriter {
    /// Writes one record.
    fileprivate func write(_ record: SourceRecord) throws {
        try record.raw.withUnsafeBufferPointer { try write($0) }
    }
}
