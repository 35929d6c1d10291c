import Foundation
import PredicateEvaluation
import PredicateSyntax
import Testing

@Suite struct ObjectsKeyPathTests {
    static var row: [String: Any] {
        [
            "name": "jo", "age": 30, "none": NSNull(), "boss": ["name": "al"] as [String: Any],
            "tags": ["b", "ccc"], "marks": Set(["x", "yy", "zz"]), "nested": [[1, 2], [3]],
            "rooms": [["area": 20], ["area": 5], [:]] as [[String: Int]], "@owner": "me", "count": 7,
            "basket": [["count": 3], ["count": 4]] as [[String: Int]],
        ]
    }

    @Test(
        arguments: [
            ("name", "jo"), ("age", 30), ("self.age", 30), ("none", .nullObject), ("none.name", .null),
            ("missing", .null),
            ("missing.name.length", .null), ("boss.name", "al"), ("name.length", 2), ("@owner", "me"), ("count", 7),
            ("boss.count", .null), ("tags.length", [1, 3]), ("tags.count", 2), ("tags.firstObject", "b"),
            ("tags.lastObject.length", 3), ("marks.length", .set([1, 2])), ("rooms.area", [20, 5, .nullObject]),
            ("basket.count", [3, 4]), ("nested.count", 2), ("nested.stringValue", [["1", "2"], ["3"]]),
            ("tags.set", .set(["b", "ccc"])), ("tags.self", ["b", "ccc"]), ("tags.description", ["b", "ccc"]),
            ("boss.@allKeys", ["name"]), ("boss.allValues", .null), ("boss.self.name", "al"), ("rooms.count", 3),
            ("tags.class", [.type(.string), .type(.string)]), ("marks.allObjects.count", 3),
            ("boss.class", .null), ("boss.name.class", .type(.string)),
        ] as [(String, PredicateValue)])
    func path(_ path: String, expected: PredicateValue) throws {
        let value = try follow(path, in: Self.row)
        #expect(isExactly(value, expected), "\(value)")
    }

    @Test func noComponentsIsTheObject() throws {
        #expect(isExactly(try follow("", in: 5), 5))
        #expect(isExactly(try follow("name", in: nil), .null))
        #expect(isExactly(try follow("length", in: "abc"), 3))
    }

    @Test func objectsThroughCollections() throws {
        #expect(isExactly(try follow("depts.title", in: company), ["A", "B"]))
        #expect(isExactly(try follow("depts.people.age", in: company), [[30, 10], [50]]))
        #expect(isExactly(try follow("depts.people.name", in: company), [["jo", .nullObject], ["al"]]))
        #expect(isExactly(try follow("depts.count", in: company), 2))
    }

    @Test func unionsOfToManyKeys() throws {
        let path = try ResolvedKeyPath(components: ["depts", "people", "age"])
        #expect(isExactly(try path.flattenedValue(from: .object(company)), [30, 10, 50]))
        let tags = try ResolvedKeyPath(components: ["depts", "people", "tags"])
        #expect(try tags.flattenedValue(from: .object(company)).elements?.count == 3)
        let plain = try ResolvedKeyPath(components: ["nested"])
        #expect(isExactly(try plain.flattenedValue(from: .object(Self.row)), [[1, 2], [3]]))
        #expect(try follow("depts.people.age", in: company).flattened?.count == 3)
        #expect(KeyedValue.value(5).flattened == nil)
    }

    @Test func setsDropNilAndDuplicates() throws {
        let set: Set<Worker> = [Worker(name: "jo", age: 1), Worker(name: "jo", age: 2), Worker(name: nil, age: 3)]
        #expect(isExactly(try follow("name", in: set), .set(["jo"])))
        let ordered = NSOrderedSet(array: [["a": 1], ["a": 1.0], ["a": 2]])
        #expect(isExactly(try follow("a", in: ordered), .orderedSet([1, 2])))
    }

    @Test(arguments: [
        ("nmae", "name"), ("Depts", "depts"), ("dept", "depts"),
    ])
    func undefinedKeys(_ key: String, meant: String) {
        let expected = EvaluationError.Code.undefinedKey(key, of: "Company", nearMisses: [meant])
        #expect(errorCode { try follow(key, in: company) } == expected)
    }

    @Test func undefinedKeysInsideAPath() {
        #expect(
            errorCode { try follow("depts.people.agge", in: company) }
                == .undefinedKey("agge", of: "Worker", nearMisses: ["age"]))
        #expect(
            errorCode { try follow("name.lenght", in: company) }
                == .undefinedKey("lenght", of: "NSString", nearMisses: ["length"]))
        #expect(errorCode { try follow("wings", in: 5) } == .undefinedKey("wings", of: "NSNumber", nearMisses: []))
        #expect(errorCode { try follow("tags.wings", in: Self.row) } != nil)
    }

    @Test func everyObjectHasAClass() throws {
        #expect(isExactly(try follow("class", in: company), .type(PredicateValue.ClassName("Company"))))
        #expect(isExactly(try follow("self.name", in: company), "Acme"))
    }

    @Test func longPathsAreRefused() {
        let components = Array(repeating: "a", count: 100_000)
        #expect(
            errorCode { try ResolvedKeyPath(components: components) }
                == .exceeds(.pathKeys, limit: PredicateLimits.standard.pathKeys)
        )
    }

    @Test func deepDataEndsInAnError() {
        var deep = PredicateValue.array(["x"])
        for _ in 0..<1000 { deep = .array([deep]) }
        let value = deep
        #expect(
            errorCode { try follow("length", in: value) } == .nestingTooDeep(limit: PredicateLimits.standard.nesting))
    }

    @Test func argumentsThatAreObjects() throws {
        let argument = PredicateValue.object(PredicateObject(Worker(name: "jo", age: 30)))
        #expect(isExactly(try ResolvedKeyPath(components: ["age"]).value(from: .value(argument)), 30))
        struct Unknown: Hashable, Sendable { var size = 3 }
        let reflected = PredicateValue.object(PredicateObject(Unknown()))
        #expect(isExactly(try ResolvedKeyPath(components: ["size"]).value(from: .value(reflected)), 3))
    }
}
