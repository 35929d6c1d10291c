import Foundation
import PredicateEvaluation
import PredicateGenerators
import PredicateSyntax
import Testing

/// Tests of the objects that evaluators take, and of filtering sequences.
@Suite struct EvaluatorTests {
    private let people = [
        Citizen(name: "Ann", age: 30), Citizen(name: "Bo", age: 15), Citizen(name: "Cy", age: 40),
    ]

    @Test func objectsOfManyTypes() throws {
        struct Plain { var age = 21 }
        let evaluator = try PredicateEvaluator(FormatPredicate("age >= 21"))
        #expect(try evaluator.evaluate(with: people[0]))
        #expect(try evaluator.evaluate(with: ["age": 21]))
        #expect(try evaluator.evaluate(with: ["age": 21, "name": "x"] as [String: Any]))
        #expect(try evaluator.evaluate(with: NSDictionary(dictionary: ["age": NSNumber(value: 21)])))
        #expect(try evaluator.evaluate(with: Plain()))
        #expect(try evaluator.evaluate(.value(["age": 21])))
        #expect(try !evaluator.evaluate(with: nil))
        #expect(try evaluator.evaluate(with: people[0] as Any))
        #expect(try holds("SELF > 5", for: 6))
        #expect(try holds("SELF == nil", for: nil))
    }

    @Test func keysAndTheirErrors() throws {
        let error = evaluationError { try holds("nmae == 'Ann'", for: people[0]) }
        #expect(error == EvaluationError(.undefinedKey("nmae", of: "Citizen", nearMisses: ["name"]), node: 0))
    }

    @Test func filters() throws {
        let adults = try FormatPredicate("age >= 18")
        let evaluator = try PredicateEvaluator(adults)
        #expect(try people.filtered(using: adults).map(\.name) == ["Ann", "Cy"])
        #expect(try people.filtered(using: evaluator).map(\.name) == ["Ann", "Cy"])
        #expect(try people.count(matching: evaluator) == 2)
        #expect(try people.indices(matching: evaluator) == [0, 2])
        #expect(try people.first(matching: evaluator)?.name == "Ann")
        #expect(try people.contains(matching: evaluator))
        #expect(try !people.contains(matching: FormatPredicate("age > $n"), variables: ["n": 99]))
        var copy = people
        try copy.filter(using: FormatPredicate("age > $n"), variables: ["n": 20])
        #expect(copy.count == 2)
    }

    @Test func filtersOfAnything() throws {
        let rows: [Any] = [["age": 30], ["age": 3], people[2]]
        let adults = try FormatPredicate("age >= 18")
        #expect(try rows.filtered(using: adults).count == 2)
        #expect(try rows.count(matching: adults) == 2)
        #expect(try rows.indices(matching: adults) == [0, 2])
        #expect(try rows.first(matching: adults) != nil)
        #expect(try rows.contains(matching: adults))
        var copy = rows
        try copy.filter(using: adults)
        #expect(copy.count == 2)
        #expect(try ["Nick", "Ben", "Adam"].filtered(using: FormatPredicate("SELF BEGINSWITH[c] 'b'")) == ["Ben"])
        #expect(try Set([1, 2, 3]).filtered(using: FormatPredicate("SELF > 2")) == [3])
    }

    /// The first object tells how the others are read; where there is none, its place is not looked at.
    @Test(arguments: ["age > 3", "age > $n", "name == 'x' AND tags.@count > 1"])
    func nothingIsReadOfNoObjects(format: String) throws {
        let evaluator = try PredicateEvaluator(FormatPredicate(format))
        func check<Object: KeyedValueConvertible & Sendable>(_: Object.Type) throws {
            let nowhere = UnsafeBufferPointer(start: UnsafePointer<Object>(bitPattern: 1 << 12), count: 0)
            let variables: PredicateVariables = ["n": 1]
            #expect(try nowhere.filtered(using: evaluator, variables: variables).isEmpty)
            #expect(try nowhere.count(matching: evaluator, variables: variables) == 0)
            #expect(try nowhere.indices(matching: evaluator, variables: variables) == [])
            #expect(try nowhere.first(matching: evaluator, variables: variables) == nil)
            #expect(try !nowhere.contains(matching: evaluator, variables: variables))
            #expect(try [Object]().concurrentCount(matching: evaluator, variables: variables) == 0)
            #expect(try [Object]().concurrentIndices(matching: evaluator, variables: variables) == [])
            #expect(try [Object]().concurrentlyFiltered(using: evaluator, variables: variables).isEmpty)
        }
        try check(KeyedRecord.self)
        try check(Sample.self)
        try check(Citizen.self)
        try check(PredicateValue.self)
        try check([String: PredicateValue].self)
        try check(String.self)
        #expect(try [[String: Any]]().count(matching: evaluator, variables: ["n": 1]) == 0)
        #expect(try [KeyedRecord]().count(matching: evaluator, variables: ["n": 1]) == 0)
        #expect(try [Sample]().filtered(using: evaluator, variables: ["n": 1]).isEmpty)
        #expect(try people[1..<1].count(matching: evaluator, variables: ["n": 1]) == 0)
    }

    @Test func anErrorLeavesTheArrayAlone() throws {
        var rows: [Any] = [3, "x"]
        #expect(errorCode { try rows.filter(using: FormatPredicate("SELF > 2")) } != nil)
        #expect(rows.count == 2)
    }

    @Test func sharedByTasks() async throws {
        let evaluator = try PredicateEvaluator(FormatPredicate("name LIKE p AND name MATCHES q AND n IN {1, 2, 3}"))
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for task in 0..<4 {
                group.addTask {
                    let rows: [[String: PredicateValue]] = (0..<200).map {
                        ["name": .string("x\($0)"), "p": .string("x*\(task)"), "q": .string("x\\d*\(task)"), "n": 2]
                    }
                    return try rows.count(matching: evaluator)
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(counts == 80)
    }

    @Test func expressions() throws {
        let expression = try FormatExpression("price * 2 + $tax")
        #expect(isExactly(try expression.value(with: ["price": 5], variables: ["tax": 1]), 11))
        let evaluator = try ExpressionEvaluator(FormatExpression("name"))
        #expect(isExactly(try evaluator.value(with: people[0]), "Ann"))
        #expect(isExactly(try evaluator.value(with: nil), .null))
    }
}

/// Filtering of sets, and in place.
@Suite struct CollectionFilterTests {
    private let adults = FormatPredicate(
        .comparison(
            ComparisonPredicate(.keyPath(KeyPathExpression(keys: "age")), .greaterThan, .constantValue(17))))
    private let jo = Worker(name: "jo", age: 30)
    private let al = Worker(name: "al", age: 10)

    @Test func setsStaySets() throws {
        let people: Set = [jo, al]
        let found = try people.filtered(using: adults)
        #expect(type(of: found) == Set<Worker>.self && found == [jo])
        let list: [Worker] = try people.filtered(using: adults)
        #expect(list == [jo])
        #expect(try Set([jo]).filtered(using: PredicateEvaluator(adults)) == [jo])
        #expect(try people.filtered(using: FormatPredicate("age > $n"), variables: ["n": 50]).isEmpty)
    }

    @Test func inPlace() throws {
        var set: Set = [jo, al]
        try set.filter(using: adults)
        #expect(set == [jo])
        var array = [jo, al, jo]
        try array.filter(using: adults)
        #expect(array == [jo, jo])
        var contiguous: ContiguousArray = [al, jo]
        try contiguous.filter(using: adults)
        #expect(contiguous == [jo])
        var slice = [jo, al, jo, al][1...]
        try slice.filter(using: FormatPredicate("age < $n"), variables: ["n": 20])
        #expect(slice == [al, al])
    }

    @Test func anErrorChangesNothing() throws {
        var set: Set<AnyHashable> = [["age": 30], ["age": "x"]]
        let predicate = try FormatPredicate("age + 1 > 3")
        #expect(throws: EvaluationError.self) { try set.filter(using: predicate) }
        #expect(set.count == 2)
        var array = [["age": 1], [:]] as [[String: Int]]
        #expect(throws: EvaluationError.self) { try array.filter(using: predicate) }
        #expect(array.count == 2)
    }
}
