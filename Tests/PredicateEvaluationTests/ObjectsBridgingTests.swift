import Foundation
import PredicateEvaluation
import PredicateSyntax
import Testing

private enum Colour: String { case red, blue }
private enum Size: Int, KeyedValueConvertible { case small = 1 }
private enum Shape { case round }

@Suite struct ObjectsBridgingTests {
    static let date = Date(timeIntervalSinceReferenceDate: 5)

    @Test func plainTypes() {
        let uuid = UUID()
        let expected: [(Any?, PredicateValue)] = [
            (nil, .null), (1, 1), (Int8(1), 1), (UInt64.max, .decimal(Decimal(string: "18446744073709551615") ?? 0)),
            (1.5, 1.5), (Float(1.5), 1.5), (CGFloat(1.5), 1.5), (true, true), ("a", "a"), ("ab".prefix(1), "a"),
            (Character("a"), "a"), (Self.date, .date(Self.date)), (Data([1]), .data(Data([1]))), (uuid, .uuid(uuid)),
            (Decimal(1), .decimal(1)), (PredicateValue.ClassName.number, .type(.number)),
            (PredicateValue.string("x"), "x"),
            ([1, 2], [1, 2]), (Set([1]), .set([1])), (["a": 1], ["a": 1]),
            ([1, "a", nil] as [Any?], [1, "a", .nullObject]),
            (AnyHashable(3), 3), ([AnyHashable(1), AnyHashable("a")], [1, "a"]), (Set<AnyHashable>([1]), .set([1])),
            (Optional<Int>.some(3) as Any, 3), (Optional<Int?>.some(nil) as Any, .null),
            (Optional<Any>.some(3) as Any, 3), ([1, 2].lazy.map { $0 }.reversed() as [Int], [2, 1]),
            (["a": Optional<Int>.none as Any, "b": ["1": "x"]] as [String: Any], ["a": .null, "b": ["1": "x"]]),
            (Colour.red, "red"), (Size.small, 1), ([Colour.red, .blue], ["red", "blue"]), (ArraySlice([1]), [1]),
            (KeyedValue.value(5), 5), (ComparisonMarker(), "marker"), ([Any](), []),
        ]
        for (value, expected) in expected {
            let bridged = KeyedValue(bridging: value)
            #expect(isExactly(bridged, expected), "\(String(describing: value)) gave \(bridged)")
        }
    }

    struct ComparisonMarker: PredicateValueConvertible {
        var predicateValue: PredicateValue { "marker" }
    }

    @Test func foundationTypes() throws {
        let uuid = NSUUID()
        let url = try #require(NSURL(string: "http://a/b"))
        let expected: [(Any, PredicateValue)] = [
            (NSNumber(value: true), true), (NSNumber(value: false), false), (NSNumber(value: 1), 1),
            (NSNumber(value: Int8(1)), 1), (NSNumber(value: UInt8(200)), 200), (NSNumber(value: 2.0), 2.0),
            (NSNumber(value: Float(1.5)), 1.5), (NSNumber(value: UInt64.max), UInt64.max.predicateValue),
            (NSNumber(value: Int64.min), .integer(.min)),
            (NSDecimalNumber(string: "1.10"), .decimal(Decimal(string: "1.1") ?? 0)), (NSNull(), .nullObject),
            (NSString(string: "é"), "é"), (NSMutableString(string: "m"), "m"), (Self.date as NSDate, .date(Self.date)),
            (NSData(data: Data([1])), .data(Data([1]))),
            (uuid, .uuid(try #require(UUID(uuidString: uuid.uuidString)))),
            (url, .url(try #require(URL(string: "http://a/b")))),
            (NSArray(array: [1, "a", NSNull()]), [1, "a", .nullObject]), (NSSet(array: [1, 2]), .set([1, 2])),
            (NSOrderedSet(array: [2, 1, 2]), .orderedSet([2, 1])),
            (NSMutableArray(array: [NSNumber(value: true)]), [true]),
            (NSDictionary(dictionary: ["a": 1, "b": NSNull()]), ["a": 1, "b": .nullObject]),
        ]
        for (value, expected) in expected {
            let bridged = KeyedValue(bridging: value)
            #expect(isExactly(bridged, expected), "\(value) gave \(bridged)")
            #expect((value as? any PredicateValueConvertible)?.predicateValue == expected)
        }
    }

    @Test func jsonObjects() throws {
        let text = #"{"a": 1, "b": true, "c": 1.5, "d": null, "e": [1, {"f": "x"}], "g": 0}"#
        let object = try JSONSerialization.jsonObject(with: Data(text.utf8))
        let value = PredicateValue(bridging: object)
        #expect(value == ["a": 1, "b": true, "c": 1.5, "d": .nullObject, "e": [1, ["f": "x"]], "g": 0])
        #expect(isExactly(try follow("e.f", in: ["e": [["f": "x"]]]), ["x"]))
        #expect(isExactly(try follow("b", in: object), .bool(true)))
        #expect(isExactly(try follow("g.class", in: object), .type(.number)))
    }

    @Test func liveObjectsStayLive() {
        guard case .collection(let collection) = KeyedValue(bridging: [1, company] as [Any]) else {
            Issue.record("no collection")
            return
        }
        #expect(collection.kind == .array)
        #expect(collection.elements.count == 2)
        #expect(PredicateValue(bridging: [company]) == nil)
        #expect(PredicateValue(bridging: ["a": company]) == nil)
        #expect(PredicateValue(bridging: Shape.round) == nil)
        #expect(PredicateValue(bridging: nil) == .null)
        #expect(PredicateValue(bridging: ["a": [1, nil]]) == ["a": [1, .nullObject]])
    }

    @Test func objectsInFoundationCollectionsAsArguments() throws {
        final class Item: NSObject, @unchecked Sendable { let size = 3 }
        let item = Item()
        let argument = NSArray(array: [item]).predicateValue
        guard case .array(let elements) = argument else {
            Issue.record("no array")
            return
        }
        #expect(elements.contains { isEqual(.value($0), KeyedValue(bridging: item)) })
        #expect(!elements.contains { isEqual(.value($0), KeyedValue(bridging: Item())) })
        #expect(isExactly(try follow("size", in: argument), [3]))
        #expect(NSDictionary(dictionary: ["a": [1]]).predicateValue == ["a": [1]])
    }

    @Test func nestingHasAnEnd() {
        var deep: [Any] = [1]
        for _ in 0..<1000 { deep = [deep] }
        #expect(KeyedValue(bridging: deep).elementCount == 1)
        #expect(PredicateValue(bridging: deep) != nil)
        var hashable = AnyHashable(1)
        for _ in 0..<1000 { hashable = AnyHashable([hashable]) }
        #expect(KeyedValue(bridging: hashable).elementCount == 1)
    }

    @Test func typedValues() {
        #expect(isExactly([1, 2].keyedValue, [1, 2]))
        #expect(isExactly(Optional<Int>.none.keyedValue, .null))
        #expect(isExactly(Set(["a"]).keyedValue, .set(["a"])))
        #expect(company.depts.keyedValue.collectionKind == .array)
        #expect(Set(company.depts[0].people).keyedValue.collectionKind == .set)
        #expect([String: Int]().toleratesMissingKeys)
        #expect(isExactly(["a": 1].value(forKey: "a") ?? .null, 1))
        #expect(["a": 1].value(forKey: "b") == nil)
        #expect(PredicateValue.dictionary(["a": 1]).toleratesMissingKeys)
        #expect(!PredicateValue.integer(1).toleratesMissingKeys)
        #expect(isExactly(PredicateValue.string("abc").value(forKey: "length") ?? .null, 3))
    }
}
