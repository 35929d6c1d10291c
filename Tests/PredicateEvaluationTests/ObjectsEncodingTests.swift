import Foundation
import PredicateEvaluation
import PredicateSyntax
import Testing

private struct Place: Encodable {
    var city: String
    var zip: Int?
}

private class Base: Encodable {
    var id = 7
}

private final class Derived: Base {
    var extra = "x"
    enum Keys: CodingKey { case extra, list, nested }
    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(extra, forKey: .extra)
        var list = container.nestedUnkeyedContainer(forKey: .list)
        try list.encode(1)
        try list.encodeNil()
        #expect(list.count == 2)
        var nested = container.nestedContainer(keyedBy: Keys.self, forKey: .nested)
        try nested.encode(true, forKey: .extra)
        try super.encode(to: container.superEncoder())
    }
}

private struct Failing: Encodable {
    struct Sorry: Error {}
    func encode(to encoder: any Encoder) throws { throw Sorry() }
}

private final class Endless: Encodable {
    enum Keys: CodingKey { case again }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(Endless(), forKey: .again)
    }
}

private struct Everything: Encodable {
    enum Colour: String, Encodable { case red }
    var bool = true
    var int8 = Int8(-1)
    var big = UInt64.max
    var float = Float(1.5)
    var double = 2.0
    var text: String? = "a"
    var none: String?
    var noInt: Int?
    var date = Date(timeIntervalSinceReferenceDate: 1)
    var data = Data([1])
    var uuid = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
    var url = URL(fileURLWithPath: "/a")
    var decimal = Decimal(string: "1.10") ?? 0
    var colour = Colour.red
    var list = [1, 2]
    var optionals: [Int?] = [1, nil]
    var set: Set<String> = ["a", "b"]
    var map = ["k": 1.5]
    var numbered = [1: "x"]
    var place = Place(city: "Oslo", zip: nil)
    var dates = [Date(timeIntervalSinceReferenceDate: 2)]
    var empty: [String: Int] = [:]
    var nothing: [Int] = []
}

@Suite struct ObjectsEncodingTests {
    @Test(
        arguments: [
            ("bool", .bool(true)), ("int8", -1), ("big", UInt64.max.predicateValue), ("float", 1.5), ("double", 2.0),
            ("text", "a"), ("none", .null), ("noInt", .null), ("date", .date(Date(timeIntervalSinceReferenceDate: 1))),
            ("data", .data(Data([1]))), ("uuid.UUIDString", "00000000-0000-0000-0000-000000000001"), ("url.path", "/a"),
            ("decimal", .decimal(Decimal(string: "1.10") ?? 0)), ("colour", "red"), ("list", [1, 2]),
            ("optionals", [1, .null]), ("set", .set(["a", "b"])), ("map", ["k": 1.5]), ("numbered", ["1": "x"]),
            ("place", ["city": "Oslo", "zip": .null]), ("place.zip", .null),
            ("dates", [.date(Date(timeIntervalSinceReferenceDate: 2))]), ("empty", [:]), ("nothing", []),
        ] as [(String, PredicateValue)])
    func values(_ path: String, expected: PredicateValue) throws {
        let value = try follow(path, in: EncodableObject(Everything()))
        #expect(isExactly(value, expected), "\(value)")
    }

    @Test func containersByHand() throws {
        let value = try PredicateValue(encoding: Derived())
        #expect(value == ["extra": "x", "list": [1, .null], "nested": ["extra": true], "super": ["id": 7]])
    }

    @Test func singleValuesAndArrays() throws {
        #expect(isExactly(try KeyedValue(encoding: 5), 5))
        #expect(isExactly(try KeyedValue(encoding: [Place(city: "a", zip: 1)]), [["city": "a", "zip": 1]]))
        #expect(isExactly(try KeyedValue(encoding: Int?.none), .null))
        #expect(isExactly(try KeyedValue(encoding: ["a": Date.distantPast]), ["a": .date(.distantPast)]))
    }

    @Test func missingKeys() throws {
        let object = try EncodableObject(Place(city: "Oslo", zip: nil))
        let expected = EvaluationError.Code.undefinedKey("ctiy", of: "EncodableObject", nearMisses: ["city"])
        #expect(errorCode { try follow("ctiy", in: object) } == expected)
        let tolerant = try EncodableObject(Place(city: "Oslo", zip: nil), toleratesMissingKeys: true)
        #expect(isExactly(try follow("ctiy", in: tolerant), .null))
    }

    @Test func failures() {
        #expect(errorCode { try EncodableObject(Failing()) } == .host("Sorry()"))
        #expect(errorCode { try EncodableObject(Endless()) } == .nestingTooDeep(limit: Limits.standard.nesting))
    }
}
