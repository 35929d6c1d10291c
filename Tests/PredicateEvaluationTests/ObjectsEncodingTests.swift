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

/// Calls every method of the containers.
private struct Piecemeal: Encodable {
    struct Name: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(_ name: String) { stringValue = name }
        init(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }

    func encode(to encoder: any Encoder) throws {
        var keyed = encoder.container(keyedBy: Name.self)
        try encodeKeys(&keyed)
        try encodePresent(&keyed)
        try encodeElements(keyed.nestedUnkeyedContainer(forKey: Name("list")))
        try 5.encode(to: keyed.superEncoder(forKey: Name("again")))
    }

    private func encodeKeys(_ keyed: inout KeyedEncodingContainer<Name>) throws {
        try keyed.encodeNil(forKey: Name("nil"))
        try keyed.encode(Int16(-16), forKey: Name("int16"))
        try keyed.encode(Int32(-32), forKey: Name("int32"))
        try keyed.encode(Int64(-64), forKey: Name("int64"))
        try keyed.encode(UInt(1), forKey: Name("uint"))
        try keyed.encode(UInt8(8), forKey: Name("uint8"))
        try keyed.encode(UInt16(16), forKey: Name("uint16"))
        try keyed.encode(UInt32(32), forKey: Name("uint32"))
    }

    private func encodePresent(_ keyed: inout KeyedEncodingContainer<Name>) throws {
        try keyed.encodeIfPresent(true, forKey: Name("bool?"))
        try keyed.encodeIfPresent(1.5, forKey: Name("double?"))
        try keyed.encodeIfPresent(Float(2.5), forKey: Name("float?"))
        try keyed.encodeIfPresent(Int8(-8), forKey: Name("int8?"))
        try keyed.encodeIfPresent(Int16(-16), forKey: Name("int16?"))
        try keyed.encodeIfPresent(Int32(-32), forKey: Name("int32?"))
        try keyed.encodeIfPresent(Int64(-64), forKey: Name("int64?"))
        try keyed.encodeIfPresent(UInt(1), forKey: Name("uint?"))
        try keyed.encodeIfPresent(UInt8(8), forKey: Name("uint8?"))
        try keyed.encodeIfPresent(UInt16(16), forKey: Name("uint16?"))
        try keyed.encodeIfPresent(UInt32(32), forKey: Name("uint32?"))
        try keyed.encodeIfPresent(UInt64(64), forKey: Name("uint64?"))
        try keyed.encodeIfPresent(Place?.none, forKey: Name("place?"))
    }

    private func encodeElements(_ unkeyed: any UnkeyedEncodingContainer) throws {
        var list = unkeyed
        try list.encode(true)
        try list.encode("a")
        try list.encode(1.5)
        try list.encode(Float(2.5))
        try list.encode(Int8(-8))
        try list.encode(Int16(-16))
        try list.encode(Int32(-32))
        try list.encode(Int64(-64))
        try list.encode(UInt(1))
        try list.encode(UInt8(8))
        try list.encode(UInt16(16))
        try list.encode(UInt32(32))
        try list.encode(UInt64(64))
        var nested = list.nestedContainer(keyedBy: Name.self)
        try nested.encode(1, forKey: Name("b"))
        var inner = list.nestedUnkeyedContainer()
        try inner.encode(2)
        try 3.encode(to: list.superEncoder())
    }
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

    /// Every method of the containers, as a type calls it that encodes itself.
    @Test func containersOfEveryKind() throws {
        let value = try PredicateValue(encoding: Piecemeal())
        #expect(
            value == [
                "nil": .null, "int16": -16, "int32": -32, "int64": -64, "uint": 1, "uint8": 8, "uint16": 16,
                "uint32": 32, "bool?": true, "double?": 1.5, "float?": 2.5, "int8?": -8, "int16?": -16,
                "int32?": -32, "int64?": -64, "uint?": 1, "uint8?": 8, "uint16?": 16, "uint32?": 32, "uint64?": 64,
                "place?": .null, "again": 5,
                "list": [true, "a", 1.5, 2.5, -8, -16, -32, -64, 1, 8, 16, 32, 64, ["b": 1], [2], 3],
            ])
    }

    @Test func singleValuesAndArrays() throws {
        #expect(try PredicateValue(encoding: 5) == 5)
        #expect(try PredicateValue(encoding: [Place(city: "a", zip: 1)]) == [["city": "a", "zip": 1]])
        #expect(try PredicateValue(encoding: Int?.none) == .null)
        #expect(try PredicateValue(encoding: ["a": Date.distantPast]) == ["a": .date(.distantPast)])
    }

    @Test func missingKeys() throws {
        let object = try EncodableObject(Place(city: "Oslo", zip: nil))
        let expected = EvaluationError.Code.undefinedKey("ctiy", of: "EncodableObject", nearMisses: ["city"])
        #expect(errorCode { try follow("ctiy", in: object) } == expected)
        let tolerant = try EncodableObject(Place(city: "Oslo", zip: nil), toleratesMissingKeys: true)
        #expect(isExactly(try follow("ctiy", in: tolerant), .null))
    }

    @Test func failures() {
        let expected = EvaluationError.HostError(name: "encode(to:)", description: "Sorry()")
        let failure = evaluationError { try EncodableObject(Failing()) }
        #expect(failure?.code == .notEncodable("Failing", expected))
        #expect(failure?.underlyingError != nil)
        #expect(
            errorCode { try EncodableObject(Endless()) } == .nestingTooDeep(limit: PredicateLimits.standard.nesting))
    }
}
