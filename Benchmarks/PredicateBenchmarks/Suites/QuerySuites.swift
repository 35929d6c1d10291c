import BenchmarkHarness
import BenchmarkWorkload
import PredicateEvaluation
import PredicateQuery
import PredicateSyntax

/// Queries over structs beside loops written by hand: groups with aggregates, orders, and different rows.
enum QuerySuites {
    static var all: [Suite] { [groups, orders, differences] }

    /// A query with groups and the same as a loop.
    struct GroupedQuery {
        enum Key: String, CaseIterable {
            case integer, string, two, expression
        }

        enum Function: String, CaseIterable {
            case average, sum, minimum, distinct, median
        }

        enum Filter: String, CaseIterable {
            case age, score, none
        }

        var key: Key
        var function: Function
        var filter: Filter

        var name: String { "\(function.rawValue)-by-\(key.rawValue)-where-\(filter.rawValue)" }

        /// The average of a group by a string, and others drawn by a seed.
        static var drawn: [GroupedQuery] {
            var random = RandomSource(seed: 13)
            var queries = [GroupedQuery(key: .string, function: .average, filter: .age)]
            // Each key and each function at least twice.
            for number in 0..<10 {
                queries.append(
                    GroupedQuery(
                        key: Key.allCases[number % 4], function: Function.allCases[number % 5],
                        filter: Filter.allCases[random.below(3)]))
            }
            return queries
        }
    }

    private static var groups: Suite {
        Suite(name: "query-groups", summary: "results(of:) of a query with groups; a loop with a dictionary") {
            context in
            context.scales.flatMap { scale in
                GroupedQuery.drawn.map { drawn in
                    Group(suite: "query-groups", name: drawn.name, scale: scale, unit: "object") {
                        let people = context.data.people(scale)
                        let query = try drawn.query
                        let expected = drawn.loop(people)
                        return [
                            Variant("results", operations: scale, expected: expected) {
                                checksum(try people.results(of: query).rows.compactMap(\.last?.number))
                            },
                            Variant("loop", .baseline, operations: scale, expected: expected) { drawn.loop(people) },
                        ]
                    }
                }
            }
        }
    }

    /// Returns a number that nearly depends on all values; sums of doubles may differ in their last digits.
    fileprivate static func checksum(_ values: some Collection<Double>) -> Int {
        values.count + Int(values.reduce(0) { $0 + ($1 * 997).rounded() })
    }

    // MARK: - Orders

    private typealias Order = (name: String, keys: [SortKey], sorted: @Sendable ([Person]) -> [Person])

    private static let sorted: [Order] = [
        ("by age", [SortKey("age")], { $0.sorted { $0.age < $1.age } }),
        ("by score", [SortKey("score", ascending: false)], { $0.sorted { $0.score > $1.score } }),
        ("by name", [SortKey("name")], { $0.sorted { $0.name < $1.name } }),
        (
            "by age and score", [SortKey("age"), SortKey("score")],
            { $0.sorted { ($0.age, $0.score) < ($1.age, $1.score) } }
        ),
        (
            "by department and name", [SortKey("dept.name"), SortKey("name")],
            { $0.sorted { ($0.dept.name, $0.name) < ($1.dept.name, $1.name) } }
        ),
    ]

    private static var orders: Suite {
        Suite(name: "query-order", summary: "sorted(using:); sorted(by:) of the standard library") { context in
            context.scales.flatMap { scale in
                sorted.map { order in
                    Group(suite: "query-order", name: order.name, scale: scale, unit: "object") {
                        let people = context.data.people(scale)
                        let expected = checksum(inOrder: order.sorted(people))
                        return [
                            Variant("sorted(using:)", operations: scale, expected: expected) {
                                checksum(inOrder: try people.sorted(using: order.keys))
                            },
                            Variant("sorted(by:)", .baseline, operations: scale, expected: expected) {
                                checksum(inOrder: order.sorted(people))
                            },
                        ]
                    }
                }
            }
        }
    }

    private static func checksum(inOrder people: [Person]) -> Int {
        stride(from: 0, to: people.count, by: 97).reduce(0) { $0 &* 31 &+ people[$1].age + Int(people[$1].score) }
    }

    // MARK: - Different rows

    private typealias Difference = (name: String, keys: [ResultKey], count: @Sendable ([Person]) -> Int)

    private static let different: [Difference] = [
        ("age", ["age"], { Set($0.lazy.map(\.age)).count }), ("email", ["email"], { Set($0.lazy.map(\.email)).count }),
        ("score", ["score"], { Set($0.lazy.map(\.score)).count }),
    ]

    private static var differences: Suite {
        Suite(name: "query-distinct", summary: "results(of:) of a query with DISTINCT; a set") { context in
            context.scales.flatMap { scale in
                different.map { different in
                    Group(suite: "query-distinct", name: different.name, scale: scale, unit: "object") {
                        let people = context.data.people(scale)
                        let expected = different.count(people)
                        let query = FormatQuery(different.keys, isDistinct: true)
                        return [
                            Variant("results", operations: scale, expected: expected) {
                                try people.results(of: query).rows.count
                            },
                            Variant("set", .baseline, operations: scale, expected: expected) {
                                different.count(people)
                            },
                        ]
                    }
                }
            }
        }
    }
}

extension PredicateValue {
    fileprivate var number: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .double(let value): value
        default: nil
        }
    }
}

// MARK: - The query and the loop

extension QuerySuites.GroupedQuery {
    fileprivate var query: FormatQuery {
        get throws {
            let decade = ResultKey(try FormatExpression("age / 10"), as: "decade")
            let keys: [ResultKey] =
                switch key {
                case .integer: ["age"]
                case .string: ["dept.name"]
                case .two: ["active", "dept.name"]
                case .expression: [decade]
                }
            let result: ResultKey =
                switch function {
                case .average: .average("score", as: "value")
                case .sum: .sum("score", as: "value")
                case .minimum: .minimum("score", as: "value")
                case .distinct: .countDistinct("age", as: "value")
                case .median: ResultKey("value", .aggregate(.median, of: "score"))
                }
            let condition: String? =
                switch filter {
                case .age: "age >= 30"
                case .score: "score < 50"
                case .none: nil
                }
            return FormatQuery(keys + [result], where: try condition.map { try FormatPredicate($0) }, groupedBy: keys)
        }
    }

    /// What a loop keeps of a group.
    fileprivate protocol State {
        init()
        mutating func add(_ person: Person)
        var value: Double { get }
    }

    private struct Average: State {
        var (sum, count) = (0.0, 0)
        mutating func add(_ person: Person) { (sum, count) = (sum + person.score, count + 1) }
        var value: Double { sum / Double(count) }
    }

    private struct Sum: State {
        var sum = 0.0
        mutating func add(_ person: Person) { sum += person.score }
        var value: Double { sum }
    }

    private struct Minimum: State {
        var value = Double.infinity
        mutating func add(_ person: Person) { value = min(value, person.score) }
    }

    private struct Distinct: State {
        var values: Set<Int> = []
        mutating func add(_ person: Person) { values.insert(person.age) }
        var value: Double { Double(values.count) }
    }

    private struct Median: State {
        var values: [Double] = []
        mutating func add(_ person: Person) { values.append(person.score) }
        var value: Double {
            let sorted = values.sorted()
            let middle = sorted.count / 2
            return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
        }
    }

    private struct Two: Hashable {
        var (active, department): (Bool, String)
    }

    /// Groups people by hand; each combination is compiled as a loop of its own.
    fileprivate func loop(_ people: [Person]) -> Int {
        switch key {
        case .integer: loop(people) { $0.age }
        case .string: loop(people) { $0.dept.name }
        case .two: loop(people) { Two(active: $0.active, department: $0.dept.name) }
        case .expression: loop(people) { $0.age / 10 }
        }
    }

    @inline(__always)
    private func loop<Key: Hashable>(_ people: [Person], _ key: (Person) -> Key) -> Int {
        switch function {
        case .average: loop(people, key, Average.self)
        case .sum: loop(people, key, Sum.self)
        case .minimum: loop(people, key, Minimum.self)
        case .distinct: loop(people, key, Distinct.self)
        case .median: loop(people, key, Median.self)
        }
    }

    @inline(__always)
    private func loop<Key: Hashable, Kept: State>(
        _ people: [Person], _ key: (Person) -> Key, _ kept: Kept.Type
    ) -> Int {
        switch filter {
        case .age: loop(people, key, kept) { $0.age >= 30 }
        case .score: loop(people, key, kept) { $0.score < 50 }
        case .none: loop(people, key, kept) { _ in true }
        }
    }

    @inline(__always)
    private func loop<Key: Hashable, Kept: State>(
        _ people: [Person], _ key: (Person) -> Key, _ kept: Kept.Type, _ holds: (Person) -> Bool
    ) -> Int {
        var groups: [Key: Kept] = [:]
        people.withUnsafeBufferPointer { people in
            for index in people.indices where holds(people[index]) {
                groups[key(people[index]), default: Kept()].add(people[index])
            }
        }
        return QuerySuites.checksum(groups.values.map(\.value))
    }
}
