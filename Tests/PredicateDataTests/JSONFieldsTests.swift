import PredicateJSON
import Testing

@testable import PredicateData

/// The values at key paths that one pass over a record finds, judged by a search for each of them; a member whose name is the whole
/// path comes first.
struct JSONFieldsTests {
    private static let values = [
        "1.10", "-0.0", "1E2", "12345678901234567890", "null", "true", "\"\"", "\"a, b\"", "\"q \\\"x\\\" \\\\\"",
        "\"e\u{301}\u{1112}\u{1161}\"", "\"\\u00e9\\ud83d\\ude00\"", "[]", "[1, {\"b\": 2}]", "{}", "{\"b\": 1}",
        "{\"b\":{\"c\":\"x\"}, \"d\" : 2}", "{\"b\":1,\"b\":[2]}", "[{\"b\":1},{\"b\":2}]", "[[{\"b\":1}]]", "5",
        "{\"é\":1,\"b\":2}", "{\"b\":null}",
    ]
    private static let keys = ["a", "a", "c", "é", "e\u{301}", "a.b", "\\u0061", "d", "x y", ""]
    private static let paths = [
        ["a"], ["a", "b"], ["a", "b", "c"], ["c"], ["é"], ["a.b"], ["a"], ["d", "b"], ["missing"], ["x y"],
    ]

    private static func record(_ number: Int) -> String {
        var state = UInt64(number) &* 0x9E37_79B9_7F4A_7C15 | 1
        func draw(_ count: Int) -> Int {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return Int(state % UInt64(count))
        }
        let members = (0..<draw(7)).map { _ in
            "\"\(keys[draw(keys.count)])\"" + [":", ": ", " :\t"][draw(3)] + values[draw(values.count)]
        }
        let object = "{" + members.joined(separator: [",", ", "][draw(2)]) + "}"
        return number % 17 == 0 ? values[draw(values.count)] : object
    }

    private func expectSame(_ fields: JSONFields, _ paths: [[String]], _ record: String) throws {
        let bytes = Array(record.utf8)
        fields.read(bytes)
        for (index, path) in paths.enumerated() {
            var (found, sought): ([UInt8], [UInt8]) = ([], [])
            let isFound = try fields.append(index, to: &found)
            var isSought = try Self.search(path.count > 1 ? [path.joined(separator: ".")] : path, bytes, &sought)
            if path.count > 1, isSought != true || sought == Array("null".utf8) || bytes.first != Byte.openBrace {
                sought = []
                isSought = try Self.search(path, bytes, &sought)
            }
            #expect(found == sought, "\(record) \(path): \(String(decoding: found, as: UTF8.self))")
            #expect(isFound == isSought, "\(record) \(path)")
        }
    }

    private static func search(_ path: [String], _ record: [UInt8], _ value: inout [UInt8]) throws -> Bool? {
        try record.withUnsafeBufferPointer { try JSONScanner.append(path, in: $0, to: &value) }
    }

    @Test func onePassFindsWhatEachSearchFinds() throws {
        let fields = JSONFields(Self.paths)
        for number in 0..<5_000 { try expectSame(fields, Self.paths, Self.record(number)) }
    }

    /// With many paths, the members of an object are found at once.
    @Test func aWideRecordIsSearchedOnce() throws {
        let paths = (0..<90).map { ["k\($0)"] } + [["k1", "b"]]
        let fields = JSONFields(paths)
        let members = (0..<80).map { "\"k\($0 * 7 % 100)\": \(Self.values[$0 % Self.values.count])" }
        for record in ["{" + members.joined(separator: ",") + "}", "{}", "[{\"k1\": 1}]", "5", "{\"k1\":1,\"k1\":2}"] {
            try expectSame(fields, paths, record)
        }
    }

    @Test func invalidJSONIsAnError() {
        let fields = JSONFields([["a"]])
        fields.read(Array("{\"a\": tru}".utf8))
        var bytes: [UInt8] = []
        #expect(throws: JSONError.self) { try fields.append(0, to: &bytes) }
    }

    /// A malformed row has no fields, and a row may have fewer than are sought.
    @Test(arguments: [
        ("1,a,2", ["1", "a", "2"]), ("\"a \"\"b\"\"\",,\"\"", ["a \"b\"", "", ""]), ("\"x\ny\",2", ["x\ny", "2", ""]),
        ("1,a\"b,2", ["", "", ""]), ("é,한,e\u{301}", ["é", "한", "e\u{301}"]), ("", ["", "", ""]),
        ("1,2,3,4", ["1", "2", "3"]),
    ])
    func rowsAreDivided(row: String, expected: [String]) {
        let fields = RowFields(RecordHeader(names: ["a", "b", "c"], raw: nil), [0, 1, 2])
        fields.divide(Array(row.utf8))
        #expect((0..<3).map { String(decoding: fields.cell($0).text, as: UTF8.self) } == expected)
    }
}
