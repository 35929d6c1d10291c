import Foundation
import PredicateEvaluation
import PredicateGenerators
import PredicateSyntax
import Testing

/// Programs answer what plans answer, for one object and for many, errors included.
@Suite struct ProgramTests {
    private static let samples: [Sample] = {
        var numbers = RandomSource(seed: 7)
        return (0..<620).map { _ in Sample(&numbers) }
    }()
    private static let layout = KeyedRecord.Layout(Sample.keys.names)
    private static var variables: PredicateVariables { ["n": 21, "t": "jo"] }
    /// The results of the plan, or the error.
    private typealias Outcome = Result<Bool, EvaluationError>

    private static func evaluators(_ seed: UInt64, _ count: Int) -> [PredicateEvaluator] {
        var formats = RandomFormats(seed: seed)
        var evaluators: [PredicateEvaluator] = []
        while evaluators.count < count {
            guard let predicate = try? FormatPredicate(format: formats.next(), arguments: []),
                let evaluator = try? PredicateEvaluator(predicate)
            else { continue }
            evaluators.append(evaluator)
        }
        return evaluators
    }

    private static func outcome(_ work: () throws(EvaluationError) -> Bool) -> Outcome {
        Result(catching: work)
    }

    private static func places<Element>(
        _ outcomes: ArraySlice<Outcome>, _ objects: ArraySlice<Element>
    ) -> Result<[Int], EvaluationError> {
        Result { () throws(EvaluationError) in
            var places: [Int] = []
            for (place, outcome) in outcomes.enumerated() where try outcome.get() { places.append(place) }
            return places
        }
    }

    /// Compares one object at a time, few and many, with the plans.
    private static func compare<Element: KeyValueCoding>(
        _ evaluator: PredicateEvaluator, _ objects: [Element], _ name: Comment
    ) {
        let format = evaluator.predicate.predicateFormat
        let expected = objects.map { object in
            outcome { () throws(EvaluationError) in try evaluator.evaluate(object.keyedValue, variables: variables) }
        }
        for (object, expected) in zip(objects.prefix(40), expected) {
            let one = outcome { () throws(EvaluationError) in try evaluator.evaluate(with: object, variables: variables)
            }
            #expect(one == expected, "\(name) one: \(format)")
            let opened = outcome { () throws(EvaluationError) in
                try evaluator.evaluate(with: object as Any?, variables: variables)
            }
            #expect(opened == expected, "\(name) one as Any: \(format)")
        }
        for range in [0..<40, 40..<objects.count] {
            let some = Array(objects[range])
            let places = places(expected[range], objects[range])
            let indices = Result { () throws(EvaluationError) in
                try some.indices(matching: evaluator, variables: variables)
            }
            #expect(indices == places, "\(name) indices of \(some.count): \(format)")
            let opened = Result { () throws(EvaluationError) in
                try (some as [Any]).indices(matching: evaluator, variables: variables)
            }
            #expect(opened == places, "\(name) indices of \(some.count) as Any: \(format)")
            let count = Result { () throws(EvaluationError) in try some.count(matching: evaluator, variables: variables)
            }
            #expect(count == places.map(\.count), "\(name) count of \(some.count): \(format)")
        }
        // The first match counts, also where an error follows it.
        let any = Result { () throws(EvaluationError) in
            try objects.contains(matching: evaluator, variables: variables)
        }
        let decisive = expected.first { if case .success(false) = $0 { false } else { true } } ?? .success(false)
        #expect(any == decisive, "\(name) contains: \(format)")
    }

    @Test(arguments: 0..<8) func structs(seed: UInt64) {
        for evaluator in Self.evaluators(seed, 90) { Self.compare(evaluator, Self.samples, "struct") }
    }

    /// A number and a text are asked of an object at once where a program begins with them.
    @Test(arguments: [
        "age > 2", "NOT age BETWEEN {1, 21}", "age != 21", "active == YES", "active != 1", "score < 1.5", "score != 21",
        "born > CAST(50, 'NSDate')",
    ])
    func aNumberBesideAText(_ n: String) throws {
        let texts = [
            "name BEGINSWITH[cd] 'jo'", "name ENDSWITH 'e'", "NOT name CONTAINS[c] 'a'", "name == 'jo'", "name != 'Jo'",
            "name LIKE[c] 's?n*'",
        ]
        for t in texts {
            let formats = [
                "\(n) AND \(t)", "\(n) OR \(t)", "NOT (\(n) AND \(t))", "NOT (\(n) OR \(t))", "\(t) AND \(n)",
                "\(n) AND \(t) AND paid == 1", "\(n) OR \(t) OR paid == 1", "\(n) AND (\(t) OR small > 1)",
                "\(n) OR (\(t) AND small > 1)", "(\(n) AND \(t)) OR home.city BEGINSWITH 'j'",
                "(\(n) OR \(t)) AND home.city BEGINSWITH 'j'", "\(t) OR \(n)",
            ]
            for format in formats {
                let predicate = try FormatPredicate(format: format, arguments: [])
                Self.compare(try PredicateEvaluator(predicate), Self.samples, "pair")
            }
        }
    }

    /// An operand that matters only for its error is evaluated in the order of the objects.
    @Test(arguments: [
        "age / 0.5 > 3 OR TRUEPREDICATE", "age > 2 AND (score * 2 > 3 OR TRUEPREDICATE)",
        "modulus:by:(age, 3) == 1 OR TRUEPREDICATE", "NOT (modulus:by:(age, small) == 1 AND FALSEPREDICATE)",
        "(age + small > 20 OR TRUEPREDICATE) AND name != 'jo'",
        "age < 3 OR (uppercase(name) == 'JO' AND FALSEPREDICATE)",
        "(small / age > 1 OR TRUEPREDICATE) AND age != 0", "nick.length > 1 OR TRUEPREDICATE",
    ])
    func answersThatDoNotCount(_ format: String) throws {
        let evaluator = try PredicateEvaluator(FormatPredicate(format: format, arguments: []))
        Self.compare(evaluator, Self.samples, "struct")
        Self.compare(evaluator, Self.samples.map(SampleObject.init), "class")
        Self.compare(evaluator, Self.samples.map(\.row), "row")
    }

    @Test(arguments: ["born", "left"]) func datesInARange(_ key: String) throws {
        let bounds = [10.0, 80].map { PredicateValue.date(Date(timeIntervalSinceReferenceDate: $0)) }
        for arguments in [bounds, bounds.reversed(), [bounds[0], bounds[0]]] {
            for format in ["K BETWEEN {%@, %@}", "NOT K BETWEEN {%@, %@}", "age > 2 AND K BETWEEN {%@, %@}"] {
                let format = format.replacingOccurrences(of: "K", with: key)
                let evaluator = try PredicateEvaluator(FormatPredicate(format: format, arguments: arguments))
                Self.compare(evaluator, Self.samples, "struct")
                Self.compare(evaluator, Self.samples.map(SampleObject.init), "class")
                Self.compare(evaluator, Self.samples.map(\.row), "row")
                Self.compare(evaluator, Self.samples.map { KeyedRecord(Self.layout, $0.data) }, "record")
            }
        }
    }

    @Test func objects() {
        let objects = Self.samples.prefix(300).map(SampleObject.init)
        let answers = Self.samples.prefix(300).map(SampleAnswers.init)
        for evaluator in Self.evaluators(100, 120) {
            Self.compare(evaluator, objects, "class")
            Self.compare(evaluator, answers, "answers")
        }
    }

    @Test func objectsBehindOthers() throws {
        let streets = (0..<300).map { Street(House(Garden(size: $0 % 7, trees: Array(Self.trees.prefix($0 % 4))))) }
        let formats = [
            "house.garden.size > 2", "house.garden.double == 4", "garden.double IN {4, 6}", "garden.size * 2 > 6",
            "ANY house.garden.trees == 'oak'", "'elm' IN garden.names", "house.rooms.@count > 1", "ALL house.twice < 5",
            "SUBQUERY(house.rooms, $r, $r > 1).@count > 0", "house.garden.double * 2 + 1 > 6.5",
            "SUBQUERY(house.garden.trees, $t, $t BEGINSWITH 'o').@count == 1", "garden.names.@count == 2",
            "SUBQUERY(house.twice, $r, $r BEGINSWITH 'o').@count == 1", "house.garden.size > house.rooms.@count",
            "alias.size == 7", "house.alias.size == 7", "house.alias.length == 7", "house.garden.wings == 1",
            "house.garden.size BEGINSWITH 'a'", "ANY house.garden.size > 1", "house.garden.size.@count > 1",
            "house.garden.size > 2 AND 'oak' IN house.garden.trees OR alias.size < 7", "house.other.garden.size == 3",
        ]
        for format in formats {
            let evaluator = try PredicateEvaluator(FormatPredicate(format: format, arguments: []))
            Self.compare(evaluator, streets, "street")
            Self.compare(evaluator, streets.map(\.house), "house")
        }
    }

    private static let trees = ["oak", "elm", "olive"]

    /// Copies of what objects lead to are given up, and a property is read of those alone that are asked about.
    @Test func propertiesOfObjects() throws {
        let objects = (0..<600).map { Counting(House(Garden(size: $0 % 7, trees: Self.trees)), number: $0) }
        let predicate = try FormatPredicate("number >= 200 AND reads > 0 AND house.garden.size > 2 AND 'elm' IN names")
        let evaluator = try PredicateEvaluator(predicate)
        #expect(try objects.indices(matching: evaluator) == (200..<600).filter { $0 % 7 > 2 })
        // Of the first one the program learns what there is.
        #expect(objects.dropFirst().allSatisfy { $0.count == ($0.number < 200 ? 0 : 1) })
        for object in objects {
            weak var house: House?
            house = object.house
            object.house = nil
            #expect(house == nil)
        }
    }

    /// Objects for which an expression is unknown in a batch are evaluated one by one.
    @Test func anExpressionAtItsLimits() throws {
        let texts = (0..<600).map { String(repeating: "ab", count: $0 == 400 ? 20 : 1 + $0 % 3) }
        let objects = texts.map(Town.init)
        for format in [
            "city MATCHES '(ab){2}'", "city MATCHES '(ab){2}' AND city != 'ab'", "city MATCHES '(a(?=b)b)+'",
        ] {
            let predicate = try FormatPredicate(format: format, arguments: [])
            Self.compare(try PredicateEvaluator(predicate), objects, "free")
            let bounded = try PredicateEvaluator(predicate, limits: PredicateLimits(subjectLength: 30))
            Self.compare(bounded, objects, "bounded")
            #expect(throws: EvaluationError.self) { try objects.count(matching: bounded) }
        }
    }

    @Test func dictionaries() {
        let rows = Self.samples.prefix(300).map(\.row)
        let data = Self.samples.prefix(300).map(\.data)
        for evaluator in Self.evaluators(200, 120) {
            Self.compare(evaluator, rows, "row")
            Self.compare(evaluator, data, "data")
            Self.compare(evaluator, data.map(PredicateValue.dictionary), "value")
        }
    }

    @Test func records() {
        let wide = Self.samples.prefix(290).map { KeyedRecord(Self.layout, $0.data) }
        let narrow = KeyedRecord(KeyedRecord.Layout(["name", "age"]), ["jo", 21])
        for evaluator in Self.evaluators(300, 120) {
            Self.compare(evaluator, wide, "record")
            Self.compare(evaluator, Array(wide.prefix(250)) + [narrow] + wide.suffix(30), "mixed")
        }
    }

    /// So many texts that they are looked up by hash, short and long ones.
    @Test func manyMembers() throws {
        let texts = (0..<300).map { String(repeating: "ä\($0)", count: 1 + $0 % 7) } + ["", "Jo", "jo"]
        let wanted = texts.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
        let evaluator = try PredicateEvaluator(FormatPredicate("SELF IN %@", wanted))
        #expect(try texts.filtered(using: evaluator) == wanted)
        #expect(try texts.count { try evaluator.evaluate(with: $0) } == wanted.count)
        let folded = try PredicateEvaluator(FormatPredicate("SELF IN[cd] %@", wanted.map { $0.uppercased() }))
        #expect(try texts.filtered(using: folded) == wanted)
    }

    @Test func valuesThemselves() throws {
        let formats = [
            "SELF > 2", "SELF BETWEEN {2, 5}", "SELF BEGINSWITH[c] 's'", "SELF == nil", "SELF IN {2, 'sun'}",
        ]
        for format in formats {
            let evaluator = try PredicateEvaluator(FormatPredicate(format: format, arguments: []))
            let numbers = Array(0..<300)
            let texts = numbers.map { Sample.texts[$0 % Sample.texts.count] }
            let optional = numbers.map { $0 % 3 == 0 ? nil : $0 }
            func expected(_ values: [some KeyedValueConvertible]) -> Result<Int, EvaluationError> {
                Result { () throws(EvaluationError) in
                    var count = 0
                    for value in values where try evaluator.evaluate(value.keyedValue) { count += 1 }
                    return count
                }
            }
            func found(_ values: [some KeyedValueConvertible]) -> Result<Int, EvaluationError> {
                Result { () throws(EvaluationError) in try values.count(matching: evaluator) }
            }
            #expect(found(numbers) == expected(numbers))
            #expect(found(texts) == expected(texts))
            #expect(found(optional) == expected(optional))
        }
    }
}

/// Structs and objects that lead to one another.
private struct Street: KeyPathCoding {
    let house: House
    var garden: Garden { house.garden }
    let alias = Alias(size: 3)

    init(_ house: House) {
        self.house = house
    }

    static let keys: KeyPathTable<Street> = [
        "house": .key(\.house), "garden": .key(\.garden), "alias": .key(\.alias),
    ]
}

private final class House: KeyPathCoding {
    let garden: Garden
    let alias = Alias(size: 3)
    let other: House?

    init(_ garden: Garden) {
        self.garden = garden
        other = garden.size > 3 ? House(Garden(size: 3, trees: [])) : nil
    }

    static let keys: KeyPathTable<House> = [
        "garden": .key(\.garden), "rooms": .computed { Array(0..<$0.garden.size) }, "alias": .key(\.alias),
        "twice": .computed { Array(repeating: $0.garden.size, count: 2) }, "other": .key(\.other),
    ]
}

/// Counts how often one of its properties is read.
private final class Counting: KeyPathCoding {
    var house: House?
    let number: Int
    private(set) var count = 0
    private var reads: Int {
        count += 1
        return count
    }

    init(_ house: House, number: Int) {
        self.house = house
        self.number = number
    }

    static let keys: KeyPathTable<Counting> = [
        "number": .key(\.number), "reads": .computed { $0.reads },
        "house": .computed { $0.house ?? House(Garden(size: 0, trees: [])) },
        "names": .computed { $0.house?.garden.trees ?? [] },
    ]
}

private final class Town: KeyPathCoding {
    let city: String

    init(city: String) {
        self.city = city
    }

    static let keys: KeyPathTable<Town> = ["city": .key(\.city)]
}

private struct Garden: KeyPathCoding {
    var size: Int
    var trees: [String]

    static let keys: KeyPathTable<Garden> = [
        "size": .key(\.size), "trees": .key(\.trees), "double": .computed { $0.size * 2 },
        "names": .computed { $0.trees },
    ]
}

/// A wrapper that names another value.
private struct Alias: KeyPathCoding {
    var size: Int
    var keyedValue: KeyedValue { .value(["size": 7]) }

    static let keys: KeyPathTable<Alias> = ["size": .key(\.size)]
}
