import Foundation
import PredicateEvaluation
import PredicateReference
import PredicateSyntax
import Testing

/// `ANYKEY` for objects of every kind. [NSP-179]
@Suite struct AnyKeyTests {
    private struct Plain {
        var name = "jo"
        var age = 30
        var inner = Inner()
        var tags = ["x", "y"]
    }

    private struct Inner {
        var secret = "deep"
    }

    private struct Form: Encodable {
        var title = "jo"
        var part = ["secret": "deep"]
    }

    private struct Silent: KeyValueCoding {
        func value(forKey key: String) -> KeyedValue? { .value(1) }
    }

    private struct Partial: KeyValueCoding {
        var allKeys: [String] { ["name", "boss"] }
        var attributeKeys: [String] { ["name"] }
        func value(forKey key: String) -> KeyedValue? { .value(.string(key)) }
    }

    private func check(_ format: String, _ object: Any?, _ expected: Bool) throws {
        #expect(try holds(format, for: object) == expected, "\(format)")
        let node = try FormatPredicate(format).node
        let reference = ReferenceEvaluator.holds(node, for: KeyedValue(bridging: object))
        #expect(try reference.get() == expected, "\(format)")
    }

    @Test func objectsOfEveryKind() throws {
        let objects: [Any] = [
            ["name": "jo", "age": 30], Worker(name: "jo", age: 30), Plain(), Citizen(name: "jo", age: 30),
            ["name": "jo", "age": 30, "inner": ["secret": "deep"]] as [String: Any],
            KeyedRecord(KeyedRecord.Layout(["name", "age"]), ["jo", 30]),
            PredicateValue.dictionary(["name": "jo", "age": 30]),
        ]
        for object in objects {
            try check("ANYKEY == 'jo'", object, true)
            try check("ANYKEY == 30", object, true)
            try check("'jo' == ANYKEY", object, true)
            try check("ANYKEY == 'deep'", object, false)
            try check("ANYKEY CONTAINS 'deep'", object, false)
            try check("ANYKEY CONTAINS[c] 'J'", object, true)
            try check("ANYKEY > 29 AND ANYKEY BEGINSWITH 'j'", object, true)
            try check("NOT ANYKEY == 'al'", object, true)
        }
        let form = try EncodableObject(Form())
        try check("ANYKEY == 'jo'", form, true)
        try check("ANYKEY CONTAINS 'deep'", form, false)
        try check("ANYKEY == 'name'", Partial(), true)
        try check("ANYKEY == 'boss'", Partial(), false)
    }

    @Test func collectionsAreAttributes() throws {
        try check("ANYKEY CONTAINS 'x'", Plain(), true)
        try check("'y' IN ANYKEY", Plain(), true)
        try check("ANY ANYKEY == 'x'", Plain(), true)
        try check("ALL ANYKEY == 'x'", Plain(), false)
        try check("ANYKEY IN {'jo', 'al'}", Plain(), true)
    }

    @Test func valuesWithoutKeys() throws {
        for object in [nil, 5, "jo", [1, 2], [["name": "jo"]]] as [Any?] {
            try check("ANYKEY == 'jo' OR ANYKEY != 'jo'", object, false)
        }
        try check("ANYKEY == 'jo'", [String: Any](), false)
        #expect(errorCode { try holds("ANYKEY == 1", for: Silent()) } == .unlistedKeys(of: "Silent"))
    }

    @Test func theObjectOfASubquery() throws {
        try check("SUBQUERY(friends, $f, ANYKEY == $f).@count == 1", ["name": "jo", "friends": ["jo", "al"]], true)
    }

    @Test func otherErrorsStay() throws {
        let row = ["name": "jo", "age": 30] as [String: Any]
        #expect(errorCode { try holds("ANYKEY MATCHES '('", for: row) } == .invalidPattern("("))
        #expect(errorCode { try holds("ANYKEY IN 10", for: row) } == .notAContainer(found: FoundValue(10)))
        #expect(errorCode { try holds("ANYKEY BETWEEN 10", for: row) } == .notARange(found: FoundValue(10)))
        #expect(errorCode { try holds("ANYKEY == name + 1", for: row) } == .notANumber(found: FoundValue("jo")))
        #expect(errorCode { try value(of: "ANYKEY", for: row) } == .notEvaluable("ANYKEY"))
        let both = evaluationError { try holds("ANYKEY == ANYKEY", for: row) }
        #expect(both == EvaluationError(.notEvaluable("ANYKEY"), node: 1))
    }

    @Test func everyForm() throws {
        let workers = (0..<300).map { Worker(name: $0.isMultiple(of: 7) ? "jo" : nil, age: $0, tags: ["\($0 % 5)"]) }
        let rows = workers.map { ["name": $0.name as Any, "age": $0.age, "tags": $0.tags] as [String: Any] }
        for format in ["ANYKEY == 'jo' AND age > 100", "age < 50 OR ANYKEY CONTAINS '3'", "ANYKEY == 14"] {
            let predicate = try PredicateEvaluator(FormatPredicate(format))
            let node = predicate.predicate.node
            let expected = try workers.indices.filter {
                try ReferenceEvaluator.holds(node, for: workers[$0].keyedValue).get()
            }
            #expect(!expected.isEmpty && expected.count < 300)
            #expect(try workers.indices(matching: predicate) == expected)
            #expect(try rows.indices(matching: predicate) == expected)
            #expect(try workers.concurrentIndices(matching: predicate) == expected)
        }
    }
}
