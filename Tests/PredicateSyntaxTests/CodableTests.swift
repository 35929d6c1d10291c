import Foundation
import PredicateSyntax
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
        #expect(try JSONDecoder().decode(PredicateValue.self, from: data) == value)
    }

    @Test(arguments: values)
    func aPredicateWithAnyConstantSurvivesEncoding(value: PredicateValue) throws {
        let predicate = try FormatPredicate(format: "a == %@ AND NOT b IN[c] %@", arguments: [value, .array([value])])
        let data = try JSONEncoder().encode(predicate)
        #expect(try JSONDecoder().decode(FormatPredicate.self, from: data) == predicate)
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
}
