import PredicateData
import PredicateJSON
import PredicateSyntax
import Testing

struct JSONReaderTests {
    @Test(
        arguments: [
            ("null", PredicateValue.null), ("true", true), ("false", false), (" \t\r\n1 ", 1), ("-0", 0), ("0", 0),
            ("[]", []), ("[ ]", []), ("{}", [:]), ("{ }", [:]), (#""""#, ""), ("[1,[2,[]]]", [1, [2, []]]),
            (#"{"a":1,"b":[null]}"#, ["a": 1, "b": [.null]]), (#"{"":0}"#, ["": 0]), (#"{"a":1,"a":2}"#, ["a": 2]),
            (#"{"a":1,"b":0,"\u0061":2}"#, ["a": 2, "b": 0]), ("\u{FEFF}1", 1),
            ("\"\u{7F}\u{2028}\"", "\u{7F}\u{2028}"),
            (#""\"\\\/\b\f\n\r\t""#, .string("\"\\/\u{8}\u{C}\n\r\t")), (#""\u0000""#, "\0"),
            (#""\u00e9\u00E9""#, "éé"),
            (#""\ud83d\ude00 \uD834\uDD1E""#, "😀 𝄞"), (#""\uFFFF\uD7FF""#, "\u{FFFF}\u{D7FF}"),
            ("\"e\u{301}\"", "e\u{301}"),
            (
                #""plain text, longer than eight bytes \\ and on, ä""#,
                #"plain text, longer than eight bytes \ and on, ä"#
            ),
        ] as [(String, PredicateValue)])
    func accepts(_ text: String, _ value: PredicateValue) throws {
        #expect(try JSONReader.parse(text) == value)
        #expect(try JSONReader.parse(Array(text.utf8)) == value)
    }

    @Test(
        arguments: [
            ("9007199254740993", PredicateValue.integer(9_007_199_254_740_993)),
            ("9223372036854775807", .integer(.max)),
            ("-9223372036854775808", .integer(.min)), ("1.0", .double(1)), ("-0.0", .double(-0.0)),
            ("1e2", .double(100)),
            ("1E+2", .double(100)), ("1e-2", .double(0.01)), ("0.1", .double(0.1)), ("123.456", .double(123.456)),
            ("5e-324", .double(.leastNonzeroMagnitude)), ("1e-999", .double(0)),
            ("1.7976931348623157e308", .double(.greatestFiniteMagnitude)),
            ("0.30000000000000004", .double(0.30000000000000004)), ("0e99999999999999999999", .double(0)),
            ("9007199254740993.0", .double(9_007_199_254_740_992)),
            ("123456789012345e22", .double(123_456_789_012_345e22)),
            ("0.000001", .double(0.000001)), ("2.2250738585072011e-308", .double(.leastNormalMagnitude.nextDown)),
        ] as [(String, PredicateValue)])
    func readsNumbers(_ text: String, _ value: PredicateValue) throws {
        #expect(try JSONReader.parse(text) == value)
    }

    @Test(arguments: [
        "9223372036854775808", "-9223372036854775809", "18446744073709551616", "100000000000000000000000000000",
        "12345678901234567890123456789012345678", "1" + String(repeating: "0", count: 60),
    ])
    func keepsLargeIntegersExact(_ text: String) throws {
        guard case .decimal(let value) = try JSONReader.parse(text) else {
            Issue.record("\(text) is no decimal number")
            return
        }
        #expect(value.description == text)
    }

    /// The exponent 999 is how SQLite writes infinity; nothing else past the range of doubles is taken for it.
    @Test(arguments: ["1e999", "1E+999", "9.0e+999", "123e999"]) func readsInfinity(_ text: String) throws {
        #expect(try JSONReader.parse(text) == .double(.infinity))
        #expect(try JSONReader.parse("[-\(text)]") == [.double(-.infinity)])
    }

    @Test func noInfinityIsZeroOrSmall() throws {
        #expect(try JSONReader.parse("0e999") == 0.0)
        #expect(try JSONReader.parse("1e-999") == 0.0)
    }

    @Test func refusesNumbersThatWouldLoseDigits() {
        for text in [
            "1e400", "-1e309", "1e998", "1e1000", String(repeating: "7", count: 60),
            String(repeating: "9", count: 5000),
        ] {
            #expect(jsonError(text)?.code == .numberOutOfRange)
        }
    }

    @Test(
        arguments: [
            ("", JSONError.Code.unexpectedEnd, 0), ("  ", .unexpectedEnd, 2), ("[1,", .unexpectedEnd, 3),
            ("[", .unexpectedEnd, 1), ("{", .unexpectedEnd, 1), (#"{"a""#, .unexpectedEnd, 4),
            (#"{"a":"#, .unexpectedEnd, 5),
            (#"{"a":1"#, .unexpectedEnd, 6), ("[,]", .expectedValue, 1), ("[1,]", .expectedValue, 3),
            ("tru", .expectedValue, 0),
            ("nul", .expectedValue, 0), ("True", .expectedValue, 0), ("NaN", .expectedValue, 0),
            ("Infinity", .expectedValue, 0),
            ("'a'", .expectedValue, 0), ("]", .expectedValue, 0), ("+1", .expectedValue, 0), (".5", .expectedValue, 0),
            ("/*c*/1", .expectedValue, 0), ("\0", .expectedValue, 0), ("{1:2}", .expectedKey, 1),
            (#"{"a":1,}"#, .expectedKey, 7),
            ("{a:1}", .expectedKey, 1), ("{,}", .expectedKey, 1), (#"{"a" 1}"#, .expectedColon, 5),
            (#"{"a",1}"#, .expectedColon, 4),
            ("[1 2]", .expectedComma, 3), ("[1}", .expectedComma, 2), (#"{"a":1 "b":2}"#, .expectedComma, 7),
            (#"{"a":1]"#, .expectedComma, 6), (#"{"a":1:2}"#, .expectedComma, 6), (#""abc"#, .unterminatedString, 0),
            (#"["abc\"#, .unterminatedString, 1), (#""a\"#, .unterminatedString, 0),
            ("\"a\tb\"", .controlCharacter(9), 2),
            ("\"a\nb\"", .controlCharacter(10), 2), ("\"01234567\0\"", .controlCharacter(0), 9),
            (#""\x""#, .invalidEscape, 1),
            (#""\u12""#, .invalidEscape, 1), (#""\u12G4""#, .invalidEscape, 1), (#""\U0041""#, .invalidEscape, 1),
            (#""\ud800""#, .loneSurrogate, 1), (#""\udc00""#, .loneSurrogate, 1),
            (#""\ud800\ud800""#, .loneSurrogate, 1),
            (#""\ud800\n""#, .loneSurrogate, 1), (#""\ud800\u0041""#, .loneSurrogate, 1), ("01", .invalidNumber, 0),
            ("-", .invalidNumber, 0), ("-a", .invalidNumber, 0), ("1.", .invalidNumber, 0), ("1.e1", .invalidNumber, 0),
            ("1e", .invalidNumber, 0), ("1e+", .invalidNumber, 0), ("-01", .invalidNumber, 0),
            ("[00]", .invalidNumber, 1),
            ("1 2", .trailingContent, 2), ("1,", .trailingContent, 1), ("{}{}", .trailingContent, 2),
            ("0x1", .trailingContent, 1),
            ("nullx", .trailingContent, 4), ("[]]", .trailingContent, 2), ("1\0", .trailingContent, 1),
            ("1a", .trailingContent, 1),
        ] as [(String, JSONError.Code, Int)])
    func rejects(_ text: String, _ code: JSONError.Code, _ offset: Int) {
        let error = jsonError(text)
        #expect(error?.code == code)
        #expect(error?.offset == offset)
    }

    @Test(
        arguments: [
            [0xFF], [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
            [0xF0, 0x80, 0x80, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xC3], [0xE2, 0x82], [0xC3, 0x28], [0xF0, 0x9F, 0x98],
        ] as [[UInt8]])
    func rejectsWhatIsNotUTF8(_ bytes: [UInt8]) {
        #expect(jsonError([0x22, 0x61] + bytes + [0x22])?.code == .invalidUTF8)
        #expect(jsonError([0x22, 0x61] + bytes + [0x22])?.offset == 2)
        #expect(jsonError(Array(#"{"a":"012345678"#.utf8) + bytes + Array(#"\n"}"#.utf8))?.offset == 15)
        #expect(jsonError(Array(#"{"k"#.utf8) + bytes + Array(#"":1}"#.utf8))?.code == .invalidUTF8)
        #expect(jsonError(bytes)?.code == .expectedValue)
    }

    @Test func acceptsTheEdgesOfUTF8() throws {
        let scalars: [UInt32] = [0x7F, 0x80, 0x7FF, 0x800, 0xD7FF, 0xE000, 0xFFFD, 0xFFFF, 0x10000, 0x3FFFF, 0x10FFFF]
        let text = String(String.UnicodeScalarView(scalars.compactMap(Unicode.Scalar.init)))
        #expect(try JSONReader.parse("\"\(text)\"") == .string(text))
    }

    @Test func limitsNesting() throws {
        let limit = JSONReader.maximumDepth
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        _ = try JSONReader.parse(nested(limit))
        #expect(jsonError(nested(limit + 1))?.code == .nestingTooDeep(limit: limit))
        #expect(jsonError(nested(limit + 1))?.offset == limit)
        #expect(jsonError(String(repeating: "[", count: 1_000_000))?.code == .nestingTooDeep(limit: limit))
        #expect(jsonError(String(repeating: #"{"a":"#, count: 100_000))?.code == .nestingTooDeep(limit: limit))
    }

    @Test func showsThePlace() {
        let error = jsonError("{\n  \"ä\": \"😀\",\n  \"é😀\": x}")
        #expect(error?.line == 3)
        #expect(error?.column == 9)
        #expect(error?.message == "expected a value")
        #expect(error?.description == "line 3, column 9: expected a value")
    }

    /// Stops of the loop over eight bytes, at every offset in a word.
    @Test func findsQuotesAndEscapesAtEveryOffset() throws {
        for length in 0...40 {
            let plain = String(repeating: "x", count: length)
            #expect(try JSONReader.parse("[\"\(plain)\", 1]") == [.string(plain), 1])
            #expect(try JSONReader.parse("\"\(plain)\\n\(plain)é\"") == .string("\(plain)\n\(plain)é"))
            #expect(jsonError("\"\(plain)\u{1F}\(plain)\"")?.code == .controlCharacter(0x1F))
            #expect(jsonError(Array("\"\(plain)".utf8) + [0xFF] + Array("\(plain)\"".utf8))?.offset == length + 1)
        }
    }

    /// Objects that repeat, change, omit and duplicate keys.
    @Test func readsObjectsOfManyShapes() throws {
        let objects = [#"{"a":1,"b":2}"#, #"{"a":1,"b":2,"c":3}"#, #"{"b":1,"a":2}"#, #"{}"#, #"{"a":1,"a":2}"#]
        let values: [PredicateValue] = [["a": 1, "b": 2], ["a": 1, "b": 2, "c": 3], ["b": 1, "a": 2], [:], ["a": 2]]
        let text = "[" + repeatElement(objects.joined(separator: ","), count: 200).joined(separator: ",") + "]"
        #expect(try JSONReader.parse(text) == .array(Array(repeatElement(values, count: 200).joined())))
        let distinct = (0..<10_000).map { #"{"k\#($0)":\#($0)}"# }.joined(separator: ",")
        let expected = (0..<10_000).map { PredicateValue.dictionary(["k\($0)": .integer($0)]) }
        #expect(try JSONReader.parse("[\(distinct)]") == .array(expected))
    }
}
