import Foundation
import PredicateEvaluation
import PredicateSyntax
import Testing

@Suite struct ObjectsOperatorTests {
    static var row: [String: Any] {
        [
            "g": [5, 6, 7, 8, 9], "empty": [Int](), "mixed": [1, 2.5], "nils": [1, NSNull(), 3] as [Any],
            "money": [Decimal(string: "0.1") ?? 0, Decimal(string: "0.2") ?? 0], "words": ["b", "a", "c", "a"],
            "map": ["x": 1, "y": 3],
            "friends": [["age": 20, "pets": [1, 2]], ["age": 40, "pets": [2, 3]], [:]] as [[String: Any]],
            "sets": Set([Set([1, 2]), Set([2, 3])]), "dates": [Date.distantPast, Date.distantFuture], "one": 5,
            "twice": [1, 1.0, 2] as [Any], "marks": Set(["a", "bb"]), "nan": [Double.nan, 2, 1], "object": ["@sum": 3],
        ]
    }

    @Test(
        arguments: [
            ("g.@count", 5), ("g.@max.self", 9), ("g.@min.self", 5), ("g.@max", 9), ("g.@sum.self", 35), ("g.@sum", 35),
            ("g.@avg.self", 7.0), ("empty.@count", 0), ("empty.@sum.self", 0), ("empty.@avg.self", .null),
            ("empty.@max.self", .null), ("empty.@min", .null), ("mixed.@sum.self", 3.5), ("nils.@count", 3),
            ("nils.@sum.self", 4),
            ("nils.@min.self", 1), ("nils.@avg.self", .double(4.0 / 3)),
            ("money.@sum.self", .decimal(Decimal(string: "0.3") ?? 0)),
            ("money.@avg.self", .decimal(Decimal(string: "0.15") ?? 0)), ("words.@max.self", "c"),
            ("words.@min.self", "a"),
            ("words.@distinctUnionOfObjects.self", ["b", "a", "c"]),
            ("words.@unionOfObjects.self", ["b", "a", "c", "a"]),
            ("words.@distinctUnionOfObjects.length", [1]), ("map.@count", 2), ("map.@sum.self", 4),
            ("map.@allKeys", ["x", "y"]),
            ("map.@allKeys.@count", 2), ("map.@allValues.@max.self", 3), ("map.@allKeys.length", [1, 1]),
            ("friends.@avg.age", 20.0), ("friends.@sum.age", 60), ("friends.@max.age", 40), ("friends.@count", 3),
            ("friends.@unionOfObjects.age", [20, 40]), ("friends.age.@max.self", 40), ("friends.pets.@count", 3),
            ("friends.pets.@unionOfArrays.self", [1, 2, 2, 3]),
            ("friends.pets.@distinctUnionOfArrays.self", [1, 2, 3]), ("friends.@max.pets.@sum.self", 5),
            ("sets.@distinctUnionOfSets.self", .set([1, 2, 3])), ("sets.@unionOfSets.self", .set([1, 2, 3])),
            ("dates.@max.self", .date(.distantFuture)), ("twice.@distinctUnionOfObjects.self", [1, 2]),
            ("marks.@unionOfObjects.length", .set([1, 2])), ("nan.@max.self", 2.0), ("missing.@count", .null),
            ("missing.@sum.age", .null), ("g.@count.stringValue", "5"), ("friends.@max.age.stringValue", "40"),
            ("object.@count", 1), ("@count", 15),
        ] as [(String, PredicateValue)])
    func operators(_ path: String, expected: PredicateValue) throws {
        let value = try follow(path, in: Self.row)
        #expect(isExactly(value, expected), "\(value)")
    }

    @Test func operatorsOnTheObjectItself() throws {
        #expect(isExactly(try follow("@count", in: [1, 2]), 2))
        #expect(isExactly(try follow("@count", in: [Int]()), 0))
        #expect(isExactly(try follow("@sum.age", in: company.depts[0].people), 40))
        #expect(isExactly(try follow("depts.people.@count", in: company), 2))
        #expect(isExactly(try follow("depts.@sum.people.@count", in: company), 3))
        #expect(isExactly(try follow("depts.people.@unionOfArrays.name", in: company), ["jo", "al"]))
        #expect(try follow("depts.@unionOfObjects.people", in: company).elementCount == 2)
    }

    @Test(
        arguments: [
            ("g.@average.self", "@average", ["@avg"]), ("g.@Count", "@Count", ["@count"]),
            ("g.@summ", "@summ", ["@sum"]),
            ("g.@size", "@size", ["@count"]), ("g.@medium.b", "@medium", []), ("@nobody", "@nobody", []),
            ("one.@foo", "@foo", []), ("g.@", "@", []),
        ] as [(String, String, [String])])
    func unknownOperators(_ path: String, name: String, nearMisses: [String]) {
        let expected = EvaluationError.Code.unknownCollectionOperator(name, nearMisses: nearMisses)
        #expect(errorCode { try follow(path, in: Self.row) } == expected)
    }

    @Test(arguments: ["one.@count", "one.@sum.self", "one.@max.self", "one.@allKeys", "one.@unionOfObjects.self"])
    func operatorsNeedCollections(_ path: String) {
        #expect(errorCode { try follow(path, in: Self.row) } == .notACollection(found: FoundValue(classOf: .value(1))))
    }

    @Test func wrongElements() {
        #expect(
            errorCode { try follow("words.@sum.self", in: Self.row) }
                == .notANumber(found: FoundValue(classOf: .value("x"))))
        #expect(
            errorCode { try follow("words.@avg.self", in: Self.row) }
                == .notANumber(found: FoundValue(classOf: .value("x"))))
        #expect(
            errorCode { try follow("@max.self", in: [1, "a"] as [Any]) }
                == .incomparable(left: FoundValue(classOf: .value("x")), right: FoundValue(classOf: .value(1))))
        #expect(
            errorCode { try follow("@unionOfArrays.self", in: [1]) }
                == .notACollection(found: FoundValue(classOf: .value(1))))
        #expect(errorCode { try follow("@sum.self", in: [Int64.max, 1]) } == .integerOverflow)
        #expect(isExactly((try? follow("@avg.self", in: [Int64.max, Int64.max])) ?? .null, .double(0x1p63)))
    }
}
