import Foundation
import PredicateSyntax
import PredicateTestSupport
import Testing

struct CodableTests {
    static let values: [PredicateValue] = [
        .null, .nullObject, .bool(true), .integer(.min), .integer(.max), .double(2), .double(-0.0), .double(.nan),
        .double(-.infinity), .double(1e300), .decimal(Decimal(string: "1.10") ?? 0), .string("a\"b\\c\n📍"),
        .date(Date(timeIntervalSinceReferenceDate: 0.1)), .data(Data([0, 255])), .uuid(UUID()),
        .type(.number), .array([1, "a", .null]), .set([1, 2, "x"]), .orderedSet([2, 1]), .dictionary(["a": 1]),
        .expression(.variable("x")), .predicate(.constant(true)),
    ]

    @Test(arguments: values)
    func aValueSurvivesEncoding(value: PredicateValue) throws {
        let data = try JSONEncoder().encode(value)
        #expect(try Self.ownDecoder.decode(PredicateValue.self, from: data) == value)
    }

    @Test(arguments: values)
    func aPredicateWithAnyConstantSurvivesEncoding(value: PredicateValue) throws {
        let predicate = try FormatPredicate(format: "a == %@ AND NOT b IN[c] %@", arguments: [value, .array([value])])
        let data = try JSONEncoder().encode(predicate)
        #expect(try Self.ownDecoder.decode(FormatPredicate.self, from: data) == predicate)
    }

    @Test func theEncodedFormIsReadable() throws {
        let data = try JSONEncoder().encode(try FormatPredicate("age >= 21"))
        #expect(String(decoding: data, as: UTF8.self) == #"{"format":"age >= 21"}"#)
    }

    @Test func aHostObjectHasNoEncodedForm() throws {
        let predicate = try FormatPredicate("boss == %@", PredicateObject(7))
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(predicate) }
    }

    @Test func decodingReportsWhatParsingWould() {
        let data = Data(#"{"format":"age >="}"#.utf8)
        #expect(throws: PredicateFormatError.self) { try JSONDecoder().decode(FormatPredicate.self, from: data) }
    }

    // MARK: Policies

    /// A decoder of archives that the program has written itself.
    private static var ownDecoder: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.userInfo[.predicatePolicy] = PredicatePolicy.unrestricted
        return decoder
    }

    private struct Body: Decodable {
        var filter: FormatPredicate
    }

    private func filter(_ json: String, _ policy: PredicatePolicy? = nil) throws -> FormatPredicate {
        let decoder = JSONDecoder()
        if let policy { decoder.userInfo[.predicatePolicy] = policy }
        return try decoder.decode(Body.self, from: Data(#"{"filter": \#(json)}"#.utf8)).filter
    }

    @Test func aTextIsAFormat() throws {
        #expect(try filter(#""age >= 21 AND name == 'jo'""#) == FormatPredicate("age >= 21 AND name == 'jo'"))
        #expect(throws: PredicateFormatError.self) { try filter(#""age >=""#) }
        #expect(throws: DecodingError.self) { try filter("21") }
    }

    @Test(arguments: [
        #""FUNCTION(name, 'uppercaseString') == 'A'""#, #"{"format": "FUNCTION(name, 'uppercaseString') == 'A'"}"#,
    ])
    func whatIsDecodedIsUntrusted(json: String) throws {
        #expect(throws: PredicateFormatError.self) { try filter(json) }
        #expect(try filter(json, .unrestricted).predicateFormat == #"FUNCTION(name, "uppercaseString") == "A""#)
    }

    @Test func aDecoderHasAPolicy() throws {
        var policy = PredicatePolicy.untrusted
        policy.keys = .only(["age"])
        #expect(try filter(#""age > 1""#, policy) == FormatPredicate("age > 1"))
        let error = PredicateFormatError.thrown { try filter(#""age > 1 AND secret == 1""#, policy) }
        #expect(error?.code == .refused(.key("secret")))
        #expect(throws: PredicateFormatError.self) {
            try filter(#"{"format": "age > %@", "arguments": [{"expression": {"format": "secret"}}]}"#, policy)
        }
    }
}
