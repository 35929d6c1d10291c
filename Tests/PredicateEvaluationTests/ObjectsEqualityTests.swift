import Foundation
import PredicateEvaluation
import PredicateSyntax
import Testing

@Suite struct ObjectsEqualityTests {
    static let now = Date(timeIntervalSinceReferenceDate: 0)

    @Test(
        arguments: [
            (PredicateValue.integer(8), PredicateValue.double(8)), (.bool(true), .integer(1)), (.bool(false), 0.0),
            (.decimal(1), .bool(true)), (.double(.nan), .double(-.nan)), (.double(.nan), .decimal(.nan)),
            (.null, .nullObject), ("a", "a"), ([1, 2], [1.0, 2]),
            (.set([1, 2]), .set([2.0, true])), (.set([2, 2.0]), .set([2])), (["a": 1], ["a": 1.0]), (.null, .null),
            (.array([.null]), .array([.nullObject])), (.date(now), .date(now)),
            (.type(.number), .type(PredicateValue.ClassName("NSNumber"))),
            (.orderedSet([1]), .orderedSet([1.0])), (.object(PredicateObject(5)), .object(PredicateObject(5))),
        ] as [(PredicateValue, PredicateValue)])
    func equal(_ left: PredicateValue, _ right: PredicateValue) {
        #expect(isEqual(left, right))
        #expect(isEqual(right, left))
        #expect(isEqual(.value(left), .value(right)))
        #expect(DistinctValue(.value(left)).hashValue == DistinctValue(.value(right)).hashValue)
    }

    @Test(
        arguments: [
            (PredicateValue.string("1"), PredicateValue.integer(1)), ("1", true), (.null, 0), ("é", "e\u{301}"),
            ([1, 2], [2, 1]), ([1], [1, 2]), (.array([1]), .set([1])), (.orderedSet([1]), .set([1])),
            (.orderedSet([1, 2]), .orderedSet([2, 1])), (["a": 1], ["b": 1]), (["a": 1], ["a": 1, "b": 2]),
            (.set([1]), .set([1, 2])), (.double(.nan), .double(0)), (.double(.nan), .double(-1)),
            (.uuid(UUID()), .uuid(UUID())),
            (.date(now), .double(0)), (.object(PredicateObject(5)), .object(PredicateObject("5"))),
        ] as [(PredicateValue, PredicateValue)])
    func unequal(_ left: PredicateValue, _ right: PredicateValue) {
        #expect(!isEqual(left, right))
        #expect(!isEqual(right, left))
        #expect(!isEqual(.value(left), .value(right)))
    }

    @Test func objectsByIdentityOrTheirOwnEquality() {
        let worker = Worker(name: "jo", age: 1)
        #expect(isEqual(.object(worker), .object(Worker(name: "jo", age: 1))))
        #expect(!isEqual(.object(worker), .object(Worker(name: "jo", age: 2))))
        #expect(isEqual(.object(worker), .value(.object(PredicateObject(worker)))))
        #expect(isEqual(.object(company), .object(company)))
        #expect(!isEqual(.object(company), .object(Company("Acme", []))))
        #expect(isEqual(KeyedValue(bridging: [company]), KeyedValue(bridging: [company])))
        #expect(!isEqual(KeyedValue(bridging: [company]), .value([1])))
        #expect(!isEqual(.object(Dept(title: "A", people: [])), .object(Dept(title: "A", people: []))))
    }

    @Test func reflectedObjectsAreTheObjectTheyShow() {
        final class Plain {}
        let plain = Plain()
        #expect(isEqual(KeyedValue(bridging: plain), KeyedValue(bridging: plain)))
        #expect(!isEqual(KeyedValue(bridging: plain), KeyedValue(bridging: Plain())))
    }

    @Test func liveDictionariesAndPlainOnes() {
        let live = KeyedValue(bridging: ["a": 1, "b": [2]] as [String: Any])
        #expect(isEqual(live, .value(["a": 1.0, "b": [2]])))
        #expect(!isEqual(live, .value(["a": 1])))
        #expect(isEqual(.collection(KeyedCollection([live])), .value([["a": 1, "b": [2]]])))
    }

    @Test func duplicatesGoByTheSameEquality() {
        let values: [KeyedValue] = [.value(1), .value(1.0), .value(true), .value("a"), .value("a"), .null]
        #expect(values.distinct.count == 3)
        let objects = [KeyedValue.object(company), .object(company), .object(Company("Acme", []))]
        #expect(objects.distinct.count == 2)
    }

    @Test func nestingHasAnEnd() {
        var deep = PredicateValue.array([])
        for _ in 0..<1000 { deep = .array([deep]) }
        #expect(!isEqual(deep, deep))
    }
}
