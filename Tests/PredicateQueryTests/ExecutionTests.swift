import Foundation
import PredicateEvaluation
import PredicateSyntax
import PredicateTestSupport
import Testing

@testable import PredicateQuery

/// Queries over elements of all kinds. [NSP-513]
struct ExecutionTests {
    struct Owner {
        var name: String
    }

    struct Pet {
        var name: String
        var city: String?
        var age: Int
        var weight: Double?
        var isTame: Bool
        var tags: [String] = []
        var owner: Owner?
    }

    final class PetObject {
        let name: String
        let city: String?
        let age: Int
        let weight: Double?
        let isTame: Bool
        let tags: [String]
        let owner: Owner?

        init(_ pet: Pet) {
            (name, city, age, weight) = (pet.name, pet.city, pet.age, pet.weight)
            (isTame, tags, owner) = (pet.isTame, pet.tags, pet.owner)
        }
    }

    static let pets = [
        Pet(name: "Rex", city: "Rome", age: 3, weight: 20.5, isTame: true, tags: ["a", "b"], owner: Owner(name: "jo")),
        Pet(name: "ace", city: "Oslo", age: 7, weight: nil, isTame: false, owner: Owner(name: "al")),
        Pet(name: "Bo", city: nil, age: 3, weight: 1, isTame: true, tags: ["b"]),
        Pet(
            name: "a name of more than fifteen bytes", city: "Rome", age: 12, weight: 4, isTame: true,
            owner: Owner(name: "jo")),
        Pet(name: "a name of more than fifteen", city: "a city with a long name", age: -1, weight: .nan, isTame: false),
    ]

    // MARK: - Elements

    @Test func whole() throws {
        let selected = try Self.pets.selected(by: query(where: "age > 0", order: [SortKey("age"), SortKey("name")]))
        #expect(selected.map(\.name) == ["Bo", "Rex", "ace", "a name of more than fifteen bytes"])
        let last = try Self.pets.selected(by: query(order: [SortKey("age")], page: .last(2)))
        #expect(last.map(\.age) == [7, 12])
        let page = try Self.pets.selected(
            by: query(order: [SortKey("age", ascending: false)], page: .first(limit: 2, offset: 1)))
        #expect(page.map(\.name) == ["ace", "Rex"])
        #expect(try Self.pets.selected(by: query(page: .first(limit: 0, offset: 0))).isEmpty)
        #expect(try Self.pets.selected(by: query(page: .first(limit: .max, offset: .max))).isEmpty)
        #expect(try Self.pets.selected(by: query(page: .first(limit: -1, offset: -1))).isEmpty)
        #expect(try Self.pets.selected(by: query()).count == 5)
        #expect(try [Pet]().selected(by: query(order: [SortKey("none")])).isEmpty)
        #expect(throws: EvaluationError.self) { try Self.pets.selected(by: query(groups: ["city"])) }
    }

    @Test func wholeResults() throws {
        let results = try Self.pets.prefix(1).results(of: query())
        #expect(results.columns == ["name", "city", "age", "weight", "isTame", "tags", "owner"])
        #expect(results.rows[0].prefix(4) == ["Rex", "Rome", 3, 20.5])
        let rows: [[String: PredicateValue]] = [["b": 1], ["a": 2, "b": .null]]
        #expect(try rows.results(of: query()) == QueryResults(columns: ["b", "a"], rows: [[1, .null], [.null, 2]]))
        #expect(try [3, 1, 3].results(of: query(distinct: true)) == QueryResults(columns: ["SELF"], rows: [[3], [1]]))
        #expect(try [Int]().results(of: query()).rows.isEmpty)
    }

    @Test func distinct() throws {
        let rows: [[String: PredicateValue]] = [["x": 1], ["x": 1.0], ["x": true], ["x": "1"], [:], ["x": .null]]
        #expect(try rows.results(of: query(["x"], distinct: true)).rows == [[1], [true], ["1"], [.null]])
        #expect(try rows.selected(by: query(distinct: true)).count == 5)
        let pets = Self.pets + Self.pets
        #expect(try pets.selected(by: query(distinct: true)).count == 5)
        #expect(try pets.selected(by: query(["city"], distinct: true)).map(\.name).count == 4)
        let ages = try pets.results(
            of: query(["age"], order: [SortKey("age")], page: .first(limit: 2, offset: 1), distinct: true))
        #expect(ages.rows == [[3], [7]])
    }

    @Test func limitByKey() throws {
        let limit = FormatQuery.LimitByKey(1, by: ["city"])
        #expect(try Self.pets.selected(by: query(limit: limit)).map(\.age) == [3, 7, 3, -1])
        let oldest = try Self.pets.selected(by: query(limit: limit, order: [SortKey("age", ascending: false)]))
        #expect(oldest.map(\.age) == [12, 7, 3, -1])
        let names = try Self.pets.results(
            of: query(["isTame"], limit: limit, order: [SortKey("name")], distinct: true))
        #expect(names.rows == [[true], [false]])
    }

    @Test func results() throws {
        let keys: [ResultKey] = [
            "owner.name", ResultKey("owner.name", as: "owner"),
            ResultKey(try FormatExpression("age + weight"), as: "sum"),
            ResultKey(try FormatExpression("tags.@count"), as: "tags"),
        ]
        let results = try Self.pets.results(of: query(keys, where: "age IN {3, 7}", order: [SortKey("sum")]))
        #expect(results.columns == ["owner.name", "owner", "sum", "tags"])
        #expect(results.rows == [["al", "al", .null, 0], [.null, .null, 4.0, 1], ["jo", "jo", 23.5, 2]])
        #expect(results.dictionaries[2] == ["owner.name": "jo", "owner": "jo", "sum": 23.5, "tags": 2])
        // A name is a result before it is a key of the element.
        let named = try Self.pets.results(of: query([ResultKey("age", as: "name")], order: [SortKey("name")]))
        #expect(named.rows == [[-1], [3], [3], [7], [12]])
        #expect(throws: EvaluationError.self) { try Self.pets.results(of: query(["none"])) }
        let quotient = ResultKey(try FormatExpression("age / (age - 3)"), as: "q")
        #expect(throws: EvaluationError.self) { try Self.pets.results(of: query([quotient])) }
    }

    @Test func variables() throws {
        let old = query(
            [ResultKey(try FormatExpression("age + $more"), as: "a")], where: "age > $age", order: [SortKey("age")])
        #expect(try Self.pets.results(of: old, variables: ["age": 4, "more": 10]).rows == [[17], [22]])
        #expect(throws: EvaluationError.self) { try Self.pets.results(of: old) }
    }

    // MARK: - Order

    @Test func sorted() throws {
        let names = try Self.pets.sorted(using: [SortKey("name", options: .caseInsensitive)]).map(\.name)
        #expect(names == ["a name of more than fifteen", "a name of more than fifteen bytes", "ace", "Bo", "Rex"])
        let weights = try Self.pets.sorted(using: [SortKey("weight", ascending: false, nils: .first)]).map(\.name)
        #expect(weights.map { $0.prefix(1) } == ["a", "R", "a", "B", "a"])
        #expect(try ["a10", "a9", "A1"].sorted(using: [SortKey("self", isNumeric: true)]) == ["A1", "a9", "a10"])
        let mixed: [PredicateValue] = ["a", true, .null, 0, 2, 1.5, "A", .double(.nan), -1, .array([1])]
        let order: [PredicateValue] = [.null, -1, .double(.nan), 0, true, 1.5, 2, "A", "a", .array([1])]
        #expect(try mixed.sorted(using: [SortKey("self")]).map(\.description) == order.map(\.description))
        let close = [1 << 53 + 1, 1 << 53, 1 << 53 + 2, .max, .max - 1]
        #expect(try close.sorted(using: [SortKey("self", ascending: false)]) == close.sorted(by: >))
        #expect(try [3, 1, 2].sorted(using: [SortKey]()) == [3, 1, 2])
    }

    /// Sorts of random strings and numbers, by one and by two keys, also of the first rows only.
    @Test(arguments: 0..<8) func sortedRandomly(_ seed: Int) throws {
        var random = Random(UInt64(seed) &+ 1)
        let rows = (0..<3_000).map { number in
            Pet(
                name: String(repeating: "a", count: random.below(20)) + ["", "b", "B", "\0", "é"][random.below(5)],
                city: nil, age: random.below(seed % 2 == 0 ? 5 : 100_000), weight: Double(number), isTame: false)
        }
        let ascending = seed % 3 != 0
        let keys = [SortKey("age", ascending: ascending), SortKey("name")]
        let expected = rows.sorted { left, right in
            if left.age != right.age { return (left.age < right.age) == ascending }
            if left.name.utf8.elementsEqual(right.name.utf8) { return (left.weight ?? 0) < (right.weight ?? 0) }
            return left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
        }
        #expect(try rows.sorted(using: keys).map(\.weight) == expected.map(\.weight))
        let first = try rows.selected(by: query(order: keys, page: .first(limit: 20, offset: 7)))
        #expect(first.map(\.weight) == expected.dropFirst(7).prefix(20).map(\.weight))
    }

    // MARK: - Groups

    @Test func groups() throws {
        let keys: [ResultKey] = ["city", .count(as: "n"), .average("age", as: "avg_age"), .sum("weight", as: "w")]
        let results = try Self.pets.results(of: query(keys, where: "age > 0", groups: ["city"]))
        #expect(results.columns == ["city", "n", "avg_age", "w"])
        #expect(results.rows == [[.null, 1, 3.0, 1.0], ["Oslo", 1, 7.0, .null], ["Rome", 2, 7.5, 24.5]])
        let ordered = try Self.pets.results(of: query(keys, groups: ["city"], order: [SortKey("n", ascending: false)]))
        #expect(ordered.rows.map { $0[0] } == ["Rome", .null, "Oslo", "a city with a long name"])
        let count = query([.count(as: "n")], groups: ["city"], order: [SortKey("n", nils: .last)], page: .last(1))
        #expect(try Self.pets.results(of: count).rows == [[2]])
    }

    @Test func oneGroup() throws {
        let count = query([.count(as: "n"), .minimum("name", as: "least"), .maximum("age", as: "most")])
        #expect(try Self.pets.results(of: count).rows == [[5, "Bo", 12]])
        #expect(try [Pet]().results(of: count).rows == [[0, .null, .null]])
        #expect(try [Pet]().results(of: query([.count(as: "n")], groups: ["city"])).rows.isEmpty)
        #expect(try Self.pets.results(of: query(where: "FALSEPREDICATE", groups: [])).rows == [[0]])
    }

    @Test func aggregates() throws {
        let keys: [ResultKey] = [
            .count("weight", as: "a"), .countDistinct("age", as: "b"), ResultKey("c", .aggregate(.median, of: "age")),
            ResultKey("d", .aggregate(.joined(separator: "+"), of: "tags")), .countDistinct("tags", as: "e"),
            .aggregate(.sum, of: try FormatExpression("age * 2"), as: "f"), .maximum("weight", as: "g"),
            .minimum("weight", as: "h"), ResultKey("i", .aggregate(.percentile(50), of: "age")),
            .countDistinct("owner", as: "j"), .sum("isTame", as: "k"),
        ]
        let expected: [PredicateValue] = [4, 4, 3, "a+b+b", 2, 48, 20.5, .double(.nan), 3.0, 2, 3]
        #expect(try Self.pets.results(of: query(keys)).rows.map(\.description) == [expected].map(\.description))
    }

    @Test func groupsByExpressions() throws {
        let double = ResultKey(try FormatExpression("age * 2"), as: "double")
        let byName = try Self.pets.results(of: query([double, .count(as: "n")], groups: ["double"]))
        #expect(byName.rows == [[-2, 1], [6, 2], [14, 1], [24, 1]])
        let byValue = try Self.pets.results(
            of: query(
                [.count(as: "n")], groups: [double], order: [SortKey(try FormatExpression("age * 2"), ascending: false)]
            ))
        #expect(byValue.rows == [[1], [1], [2], [1]])
        let owner = try Self.pets.results(
            of: query(["owner.name", .count(as: "n")], groups: ["owner.name"], having: "owner.name == 'jo'"))
        #expect(owner.rows == [["jo", 2]])
        let renamed = try Self.pets.results(
            of: query(
                [ResultKey("owner.name", as: "o"), .count(as: "n")], groups: ["o"],
                order: [SortKey("owner.name", ascending: false)]))
        #expect(renamed.rows == [["jo", 2], ["al", 1], [.null, 2]])
        let computed = ResultKey(try FormatExpression("uppercase(city)"), as: "C")
        let upper = try Self.pets.results(
            of: query([computed], groups: ["city"], having: "C BEGINSWITH 'R' AND city ENDSWITH 'e'"))
        #expect(upper.rows == [["ROME"]])
        #expect(throws: EvaluationError.self) { try Self.pets.results(of: query(["age"], groups: ["city"])) }
    }

    @Test func having() throws {
        let keys: [ResultKey] = [
            "city", .average("owner.name.length", as: "avg_owner.name.length"), .sum("weight", as: "the sum"),
        ]
        let dotted = try Self.pets.results(of: query(keys, groups: ["city"], having: "avg_owner.name.length == 2"))
        #expect(dotted.rows.map { $0[0] } == ["Oslo", "Rome"])
        let spaced = try FormatPredicate("%K > 20", "the sum")
        #expect(try Self.pets.results(of: query(keys, groups: ["city"], having: spaced)).rows.map { $0[0] } == ["Rome"])
        // A condition with an operand that is nil does not hold.
        let keyed: [ResultKey] = ["city", .sum("weight", as: "w")]
        #expect(
            try Self.pets.results(of: query(keyed, groups: ["city"], having: "w + 1 > 2")).rows.map { $0[0] } == [
                "Rome"
            ])
        #expect(throws: EvaluationError.self) {
            try Self.pets.results(of: query(keyed, groups: ["city"], having: "age > 1"))
        }
    }

    @Test func equalKeys() throws {
        let rows: [[String: PredicateValue]] = [
            ["x": 1.0], ["x": 1], ["x": true], ["x": .null], [:], ["x": "1"], ["x": .decimal(1)], ["x": .double(-0.0)],
            ["x": 0],
        ]
        let results = try rows.results(of: query(["x", .count(as: "n")], groups: ["x"]))
        #expect(results.rows == [[.null, 2], [.double(-0.0), 2], [true, 1], [1.0, 3], ["1", 1]])
    }

    @Test(arguments: ["name", "owner"]) func notANumber(_ key: String) throws {
        for keys in [[ResultKey.sum(key, as: "s")], [.average(key, as: "s")]] {
            let error = EvaluationError.thrown { try Self.pets.results(of: query(keys)) }
            guard case .notANumber? = error?.code else {
                Issue.record("\(String(describing: error))")
                continue
            }
        }
        #expect(try Self.pets.results(of: query([.sum("city", as: "s")], where: "city == nil")).rows == [[.null]])
    }

    // MARK: - Kinds of elements

    /// All kinds of elements give the same results.
    @Test func kinds() throws {
        let keys: [ResultKey] = [
            "city", .count(as: "n"), .average("age", as: "a"), .sum("weight", as: "w"), .minimum("name", as: "m"),
            .countDistinct("owner.name", as: "o"), .aggregate(.sum, of: try FormatExpression("age + weight"), as: "x"),
        ]
        let grouped = query(keys, where: "age > 0", groups: ["city"], order: [SortKey("a")])
        let plain = query(
            ["name", "owner.name", ResultKey(try FormatExpression("age * 2"), as: "d")], where: "isTame == YES",
            order: [SortKey("age"), SortKey("name", ascending: false)], page: .first(limit: 2, offset: 1))
        for query in [grouped, plain] {
            let expected = try Self.pets.results(of: query)
            #expect(expected.rows.count > 1)
            #expect(try Self.pets.map(PetObject.init).results(of: query) == expected)
            #expect(try Self.pets.map { $0 as Any }.results(of: query) == expected)
            #expect(try Self.pets.lazy.map { $0 }.results(of: query) == expected)
            let dictionaries = Self.pets.map(\.dictionary)
            #expect(try dictionaries.results(of: query) == expected)
            #expect(try dictionaries.map { $0 as [String: Any] }.results(of: query) == expected)
            #expect(try dictionaries.map(PredicateValue.dictionary).results(of: query) == expected)
            #expect(try dictionaries.map { KeyedValue.value(.dictionary($0)) }.results(of: query) == expected)
            let layout = KeyedRecord.Layout(["name", "city", "age", "weight", "isTame", "tags", "owner"])
            #expect(try dictionaries.map { KeyedRecord(layout, $0) }.results(of: query) == expected)
            #expect(try Self.pets.map(KeyedPet.init).results(of: query) == expected)
        }
    }

    struct KeyedPet: KeyPathCoding {
        static let keys: KeyPathTable<KeyedPet> = [
            "name": .key(\.pet.name), "city": .key(\.pet.city), "age": .key(\.computed), "weight": .key(\.pet.weight),
            "isTame": .key(\.pet.isTame), "owner": .key(\.owner),
        ]
        let pet: Pet
        var computed: Int { pet.age }
        var owner: PredicateValue { pet.owner.map { ["name": .string($0.name)] } ?? .null }
    }

    /// More rows than are read at a time, some of which must be read in full.
    @Test func manyRows() throws {
        struct Row {
            var key: Int?
            var text: String
            var value: Double
        }
        let rows = (0..<5_000).map {
            Row(key: $0 % 7 == 0 ? nil : $0 % 3, text: "text number \($0 % 50) of some", value: Double($0))
        }
        let next = ResultKey(try FormatExpression("key + 1"), as: "next")
        let query = query(
            [next, .count(as: "n"), .sum("value", as: "s"), .countDistinct("text", as: "t")], groups: ["next"])
        var expected: [Int?: (count: Int, sum: Double, texts: Set<String>)] = [:]
        for row in rows {
            var group = expected[row.key.map { $0 + 1 }] ?? (0, 0, [])
            group.count += 1
            group.sum += row.value
            group.texts.insert(row.text)
            expected[row.key.map { $0 + 1 }] = group
        }
        let results = try rows.results(of: query)
        #expect(results.rows.map { $0[0] } == [.null, 1, 2, 3])
        for row in results.rows {
            var key: Int?
            if case .integer(let value) = row[0] { key = Int(value) }
            let group = try #require(expected[key])
            #expect(
                row.dropFirst() == [
                    .integer(Int64(group.count)), .double(group.sum), .integer(Int64(group.texts.count)),
                ])
        }
    }
}

/// Creates a query.
private func query(
    _ keys: [ResultKey]? = nil, where predicate: String? = nil, groups: [ResultKey]? = nil, having: String? = nil,
    limit: FormatQuery.LimitByKey? = nil, order: [SortKey] = [], page: FormatQuery.Page = .first(limit: nil, offset: 0),
    distinct: Bool = false
) -> FormatQuery {
    query(
        keys, where: predicate, groups: groups, having: having.flatMap { try? FormatPredicate($0) }, limit: limit,
        order: order, page: page, distinct: distinct)
}

private func query(
    _ keys: [ResultKey]?, where predicate: String? = nil, groups: [ResultKey]? = nil, having: FormatPredicate?,
    limit: FormatQuery.LimitByKey? = nil, order: [SortKey] = [], page: FormatQuery.Page = .first(limit: nil, offset: 0),
    distinct: Bool = false
) -> FormatQuery {
    var query = FormatQuery(
        keys, where: predicate.flatMap { try? FormatPredicate($0) }, groupedBy: groups, having: having,
        limitByKey: limit, isDistinct: distinct, sortKeys: order)
    query.page = page
    return query
}

extension ExecutionTests.Pet {
    fileprivate var dictionary: [String: PredicateValue] {
        [
            "name": .string(name), "city": city.map { .string($0) } ?? .null, "age": .integer(Int64(age)),
            "weight": weight.map { .double($0) } ?? .null, "isTame": .bool(isTame),
            "tags": .array(tags.map { .string($0) }), "owner": owner.map { ["name": .string($0.name)] } ?? .null,
        ]
    }
}

/// Random numbers of a seed.
private struct Random {
    private var state: UInt64

    init(_ seed: UInt64) { state = seed }

    mutating func below(_ count: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(truncatingIfNeeded: state >> 33) % count
    }
}
