import Foundation
import PredicateEvaluation
import PredicateSyntax
import Testing

@Suite struct ObjectsPropertyTests {
    @Test(
        arguments: [
            ("héllo🙂", "length", 7), (" 42 apples", "intValue", 42), ("-7", "integerValue", -7), ("x", "intValue", 0),
            ("99999999999", "intValue", 2_147_483_647), ("-99999999999", "intValue", -2_147_483_648),
            ("99999999999999999999", "longLongValue", .integer(.max)),
            ("-99999999999999999999", "integerValue", .integer(.min)),
            ("-9223372036854775808", "integerValue", .integer(.min)), ("+5", "integerValue", 5),
            ("--5", "integerValue", 0),
            (" 1.5e2 m", "doubleValue", 150.0), ("1e", "doubleValue", 1.0), (".5", "doubleValue", 0.5),
            ("-.", "doubleValue", 0.0),
            ("5.", "doubleValue", 5.0), ("1.5", "floatValue", 1.5), ("YES", "boolValue", true),
            ("no", "boolValue", false),
            ("007", "boolValue", true), ("0", "boolValue", false), (" true", "boolValue", true),
            ("", "boolValue", false),
            ("aB", "lowercaseString", "ab"), ("aB", "uppercaseString", "AB"),
            ("jo smith", "capitalizedString", "Jo Smith"),
            ("jo", "description", "jo"), ("jo", "self", "jo"), ("jo", "class", .type(.string)),
            ("/tmp/a.tar.gz", "lastPathComponent", "a.tar.gz"), ("/tmp/", "lastPathComponent", "tmp"),
            ("/", "lastPathComponent", "/"), ("", "lastPathComponent", ""), ("a///", "lastPathComponent", "a"),
            ("/tmp/a.tar.gz", "pathExtension", "gz"), (".profile", "pathExtension", ""), ("a.", "pathExtension", ""),
            ("/tmp/a.txt", "stringByDeletingPathExtension", "/tmp/a"), ("a", "stringByDeletingPathExtension", "a"),
            ("/tmp/a.txt", "stringByDeletingLastPathComponent", "/tmp"), ("a", "stringByDeletingLastPathComponent", ""),
            ("/tmp", "stringByDeletingLastPathComponent", "/"), ("/tmp/a", "pathComponents", ["/", "tmp", "a"]),
            ("a/b", "pathComponents", ["a", "b"]), ("", "pathComponents", []), ("/a", "isAbsolutePath", true),
            ("~/a", "isAbsolutePath", true), ("a", "isAbsolutePath", false),
        ] as [(String, String, PredicateValue)])
    func strings(_ text: String, property: String, expected: PredicateValue) throws {
        let value = try follow(property, in: text)
        #expect(isExactly(value, expected), "\(value)")
    }

    @Test(
        arguments: [
            (1.5, "stringValue", "1.5"), (2.0, "stringValue", "2"), (true, "stringValue", "1"),
            (42, "stringValue", "42"),
            (-0.5, "description", "-0.5"), (1.9, "intValue", 1), (-1.9, "intValue", -1),
            (3e9, "intValue", 2_147_483_647),
            (.double(.nan), "intValue", 0), (1e300, "longLongValue", .integer(.max)), (-1, "unsignedIntegerValue", 0),
            (300, "charValue", 127), (300, "unsignedCharValue", 255), (70000, "shortValue", 32767), (5, "longValue", 5),
            (5, "boolValue", true), (0.0, "boolValue", false), (5, "doubleValue", 5.0),
            (0.1, "floatValue", .double(Double(Float(0.1)))),
            (5, "class", .type(.number)), (.decimal(5), "class", .type(.decimalNumber)),
            (0.1, "decimalValue", .decimal(Decimal(string: "0.1") ?? 0)),
            (.decimal(Decimal(string: "-2.9") ?? 0), "integerValue", -2),
            (.decimal(Decimal(string: "1e30") ?? 0), "intValue", 2_147_483_647),
        ] as [(PredicateValue, String, PredicateValue)])
    func numbers(_ number: PredicateValue, property: String, expected: PredicateValue) throws {
        let value = try follow(property, in: number)
        #expect(isExactly(value, expected), "\(value)")
    }

    @Test func otherKinds() throws {
        let date = Date(timeIntervalSinceReferenceDate: 10)
        #expect(isExactly(try follow("timeIntervalSinceReferenceDate", in: date), 10.0))
        #expect(isExactly(try follow("timeIntervalSince1970", in: date), 978_307_210.0))
        #expect(isExactly(try follow("description", in: date), "2001-01-01 00:00:10 +0000"))
        #expect(
            Number(try follow("timeIntervalSinceNow", in: date).predicateValue ?? .null)?.compare(.integer(0)) == .less)
        #expect(isExactly(try follow("length", in: Data([1, 2, 3])), 3))
        #expect(isExactly(try follow("description", in: Data([1, 2, 255])), "{length = 3, bytes = 0x0102ff}"))
        let long = try follow("description", in: Data(0..<32))
        #expect(
            isExactly(long, "{length = 32, bytes = 0x00010203 04050607 08090a0b 0c0d0e0f ... 18191a1b 1c1d1e1f }"))
        let uuid = UUID()
        #expect(isExactly(try follow("UUIDString", in: uuid), .string(uuid.uuidString)))
        #expect(isExactly(try follow("description", in: NSNull()), .null))
        #expect(isExactly(try follow("class", in: uuid), .type(.uuid)))
    }

    @Test(
        arguments: [
            ("host", "example.org"), ("scheme", "https"), ("path", "/a/b.txt"), ("query", "q=1"), ("fragment", "f"),
            ("port", 8080), ("isFileURL", false), ("lastPathComponent", "b.txt"), ("pathExtension", "txt"),
            ("absoluteString", "https://example.org:8080/a/b.txt?q=1#f"), ("class", .type(.url)),
        ] as [(String, PredicateValue)])
    func urls(_ property: String, expected: PredicateValue) throws {
        let url = try #require(URL(string: "https://example.org:8080/a/b.txt?q=1#f"))
        #expect(isExactly(try follow(property, in: url), expected))
    }

    @Test func missingPartsOfAURL() throws {
        let url = try #require(URL(string: "a.txt"))
        #expect(isExactly(try follow("host", in: url), .null))
        #expect(isExactly(try follow("port.stringValue", in: url), .null))
    }

    @Test func descriptionsOfCollections() {
        #expect(
            KeyedValue.value([1, "a b", [2]]).descriptionText == "(\n    1,\n    \"a b\",\n    (\n        2\n    )\n)")
        #expect(KeyedValue.value(["b": 1, "a": 2.5]).descriptionText == "{\n    a = \"2.5\";\n    b = 1;\n}")
        #expect(KeyedValue.value(.set([1])).descriptionText == "{(\n    1\n)}")
        #expect(KeyedValue.value([]).descriptionText == "(\n)")
        #expect(KeyedValue.value(.nullObject).descriptionText == "<null>")
    }

    @Test func classNames() {
        #expect(KeyedValue.null.className == "nil")
        #expect(KeyedValue.value(.nullObject).className == "NSNull")
        #expect(KeyedValue(bridging: ["a": company] as [String: Any]).className == "NSDictionary")
        #expect(KeyedValue(bridging: [company]).className == "NSArray")
        #expect(KeyedValue.object(company).className == "Company")
        #expect(KeyedValue.value(.object(PredicateObject(Worker(name: nil, age: 1)))).className == "Worker")
    }
}
