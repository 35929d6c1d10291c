import Foundation
import PredicateData
import PredicateJSON
import PredicateSyntax
import Testing

struct JSONWriterTests {
    @Test(
        arguments: [
            (PredicateValue.null, "null"), (.nullObject, "null"), (true, "true"),
            (.integer(.min), "-9223372036854775808"),
            (.integer(.max), "9223372036854775807"), (1.0, "1.0"), (0.1, "0.1"), (.double(.nan), "null"),
            (.double(-.infinity), "-1e999"), (.double(.infinity), "1e999"), (-0.0, "-0.0"),
            (.string("a\"\\\n\u{1}é/"), #""a\"\\\n\u0001é/""#), ([], "[]"), ([:], "{}"),
            ([1, .null], "[1,null]"), (["b": 1, "a": [2.5]], #"{"a":[2.5],"b":1}"#), (.orderedSet([2, 1]), "[2,1]"),
            (.set([10, 9, "b", "a", .null, 2.5]), #"[2.5,9,10,"a","b",null]"#), (.data(Data("hi".utf8)), #""aGk=""#),
            (.date(Date(timeIntervalSinceReferenceDate: 0)), #""2001-01-01T00:00:00Z""#),
            (.date(Date(timeIntervalSinceReferenceDate: .infinity)), #""2001-01-01T00:00:00Z+1e999s""#),
            (.date(Date(timeIntervalSinceReferenceDate: -1e300)), #""2001-01-01T00:00:00Z-1e+300s""#),
            (.date(Date(timeIntervalSinceReferenceDate: -1e-20)), #""2001-01-01T00:00:00Z-1e-20s""#),
            (.date(Date(timeIntervalSinceReferenceDate: 730_900_800.1234568)), #""2024-02-29T12:00:00.1234568Z""#),
            (.date(Date(timeIntervalSinceReferenceDate: .nan)), "null"), (.type(.number), #""NSNumber""#),
            (.object(PredicateObject(1)), "null"), (.expression(.evaluatedObject), "null"),
        ] as [(PredicateValue, String)])
    func writes(_ value: PredicateValue, _ text: String) {
        #expect(JSONWriter().text(of: value) == text)
    }

    @Test func writesValuesThatAreNotLiterals() throws {
        let id = try #require(UUID(uuidString: "137DECC8-B300-4954-A233-F89909F4FD89"))
        #expect(JSONWriter().text(of: .uuid(id)) == #""137DECC8-B300-4954-A233-F89909F4FD89""#)
        let url = try #require(URL(string: "https://swift.org/a?b=c"))
        #expect(JSONWriter().text(of: .url(url)) == #""https://swift.org/a?b=c""#)
        let decimal = try #require(Decimal(string: "1.10"))
        #expect(JSONWriter().text(of: .decimal(decimal)) == "1.1")
        #expect(JSONWriter().text(of: .decimal(.nan)) == "null")
    }

    @Test func writesPretty() {
        let value: PredicateValue = ["name": "jo", "tags": [1, [:]], "none": []]
        let text = """
            {
              "name": "jo",
              "none": [],
              "tags": [
                1,
                {}
              ]
            }
            """
        #expect(JSONWriter(isPretty: true).text(of: value) == text)
    }

    @Test func endsAtTheNestingLimit() throws {
        var value: PredicateValue = []
        for _ in 0..<3000 { value = [value] }
        let text = JSONWriter().text(of: value)
        #expect(text.contains("null"))
        _ = try JSONReader.parse(text)
    }

    /// With its type declared, a member reads back as the same value.
    @Test func typedMembersReadBack() throws {
        var generator = SeededGenerator(seed: 8)
        let id = try #require(UUID(uuidString: "137DECC8-B300-4954-A233-F89909F4FD89"))
        var values: [(ColumnType, PredicateValue)] = [
            (.uuid, .uuid(id)), (.data, .data(Data())), (.string, .string("")), (.double, .double(.infinity)),
            (.date, .date(Date(timeIntervalSinceReferenceDate: -.infinity))), (.decimal, .decimal(Decimal(Int64.max))),
            (.decimal, .decimal(try #require(Decimal(string: "-12345678901234567890123456789.012345678")))),
            (.decimal, .decimal(try #require(Decimal(string: "0.10000000000000000000000000000000000001")))),
            (.decimal, .double(.infinity)), (.decimal, .null), (.data, .null), (.boolean, true),
            (.integer, .integer(.min)),
        ]
        for _ in 0..<2000 {
            let seconds = Self.randomDouble(&generator)
            values.append((.date, .date(Date(timeIntervalSinceReferenceDate: seconds))))
            let near = Double.random(in: -6e10..<2e11, using: &generator)
            values.append((.date, .date(Date(timeIntervalSinceReferenceDate: near))))
            values.append((.date, .date(Date(timeIntervalSinceReferenceDate: near / 1e9))))
            values.append((.data, .data(Data(Self.randomString(&generator).utf8))))
            values.append((.decimal, .decimal(Decimal(Int64(truncatingIfNeeded: generator.next())) / 1000)))
        }
        for (type, value) in values {
            let text = JSONWriter().text(of: ["x": value])
            let reader = try RecordReader(
                source: MemorySource(text), options: RecordOptions(format: .jsonLines, types: ["x": type]))
            #expect(try reader.next()?.value == ["x": value], "\(text)")
        }
    }

    @Test func readsBackWhatItWrites() throws {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<2000 {
            let value = Self.randomValue(depth: 0, &generator)
            for writer in [JSONWriter(), JSONWriter(isPretty: true)] {
                let text = writer.text(of: value)
                let back = try JSONReader.parse(text)
                #expect(back == value)
                #expect(writer.text(of: back) == text)
            }
        }
    }

    static func randomValue(depth: Int, _ generator: inout SeededGenerator) -> PredicateValue {
        switch Int.random(in: 0..<(depth < 4 ? 8 : 5), using: &generator) {
        case 0: return .null
        case 1: return .bool(.random(using: &generator))
        case 2:
            return .integer(Int64(truncatingIfNeeded: generator.next()) >> Int64.random(in: 0..<64, using: &generator))
        case 3: return .double(randomDouble(&generator))
        case 4, 5: return .string(randomString(&generator))
        case 6:
            return .array(
                (0..<Int.random(in: 0..<5, using: &generator)).map { _ in
                    randomValue(depth: depth + 1, &generator)
                })
        default:
            let pairs = (0..<Int.random(in: 0..<5, using: &generator)).map { _ in
                (randomString(&generator), randomValue(depth: depth + 1, &generator))
            }
            return .dictionary(Dictionary(pairs) { _, last in last })
        }
    }

    private static func randomDouble(_ generator: inout SeededGenerator) -> Double {
        let value = Double(bitPattern: generator.next())
        if value.isFinite, Bool.random(using: &generator) { return value }
        return Double(Int.random(in: -1_000_000...1_000_000, using: &generator)) / 1000
    }

    private static func randomString(_ generator: inout SeededGenerator) -> String {
        let scalars: [Unicode.Scalar] = [
            "a", "b", "\"", "\\", "\n", "\0", "é", "\u{301}", "😀", "/", " ", "\u{7F}", "\u{2028}",
        ]
        let count = Int.random(in: 0..<24, using: &generator)
        return String(
            String.UnicodeScalarView((0..<count).map { _ in scalars.randomElement(using: &generator) ?? "x" }))
    }
}

struct JSONScannerTests {
    @Test(
        arguments: [
            (["a"], "[1, 2]"), (["b", "c"], "1.50"), (["b"], #"{"c": 1.50}"#), (["é\n"], "null"), (["x"], nil),
            (["a", "b"], nil),
            (["d"], "2"), ([], #"{"a":[1, 2], "b": {"c": 1.50}, "\u00e9\n":null,"d":1,"d":2}"#),
        ] as [([String], String?)])
    func findsTheValueAtAPath(_ path: [String], _ expected: String?) throws {
        let bytes = Array(#"{"a":[1, 2], "b": {"c": 1.50}, "\u00e9\n":null,"d":1,"d":2}"#.utf8)
        let range = try bytes.withUnsafeBufferPointer { try JSONScanner.range(of: path, in: $0) }
        #expect(range.map { String(decoding: bytes[$0], as: UTF8.self) } == expected)
    }
}
