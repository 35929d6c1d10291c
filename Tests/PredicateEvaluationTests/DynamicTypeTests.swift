import PredicateEvaluation
import PredicateSyntax
import PredicateTestSupport
import Testing

private class Animal {
    var name: String
    init(_ name: String) { self.name = name }
}

private class Dog: Animal {
    var age: Int
    init(_ name: String, _ age: Int) {
        self.age = age
        super.init(name)
    }
}

private final class Puppy: Dog {}

private final class Cat: Animal {
    var age: Double
    init(_ name: String, _ age: Double) {
        self.age = age
        super.init(name)
    }
}

private protocol Named {
    var name: String { get }
}

private struct Person: Named {
    var name: String
    var age: Int
}

private struct Firm: Named {
    var name: String
    var pet: any Named
    var extra: Any = 7
}

private protocol Held: AnyObject {}
extension Dog: Held {}

private struct Failure: Error {
    var age = 3
}

/// Objects whose own type is not the type of the array, the field or the parameter.
@Suite struct DynamicTypeTests {
    private let animals: [Animal] = [Dog("a", 1), Cat("b", 2), Puppy("c", 3), Dog("d", 4)]

    private func indices<Object>(_ objects: [Object], _ format: String) throws -> [Int] {
        let predicate = try FormatPredicate(format)
        let batch = try objects.indices(matching: predicate)
        let evaluator = try PredicateEvaluator(predicate)
        // Twice: the second time a program for the type evaluates.
        for _ in 0..<2 {
            let single = try objects.indices.filter { try evaluator.evaluate(with: objects[$0]) }
            #expect(single == batch)
        }
        let plain = try objects.indices.filter { try predicate.evaluate(with: objects[$0]) }
        #expect(plain == batch)
        return batch
    }

    @Test func keysOfSubclassesInAnArrayOfTheirSuperclass() throws {
        #expect(try indices(animals, "age >= 2") == [1, 2, 3])
        #expect(try indices(animals, "age >= 2 AND name != 'c'") == [1, 3])
        #expect(try indices(animals, "name == 'c' OR age == 1") == [0, 2])
        #expect(try indices(Array(repeating: animals, count: 100).flatMap(\.self), "age + 1 == 4").count == 100)
    }

    @Test func aKeyThatOneClassLacksIsAnErrorForItsObjects() throws {
        let mixed: [Animal] = animals + [Animal("x")]
        let error = EvaluationError.thrown { try mixed.indices(matching: FormatPredicate("age >= 2")) }
        #expect(error?.code == .undefinedKey("age", of: "Animal", nearMisses: []))
        #expect(try mixed.indices(matching: FormatPredicate("name == 'x' OR age == 1")) == [0, 4])
        #expect(throws: EvaluationError.self) { try animals.indices(matching: FormatPredicate("size > 2")) }
    }

    @Test func elementsOfAProtocol() throws {
        let named: [any Named] = [Person(name: "a", age: 1), Firm(name: "b", pet: Person(name: "p", age: 9))]
        #expect(try indices(named, "name == 'b'") == [1])
        #expect(try indices(Array(repeating: named, count: 200).flatMap(\.self), "name == 'a'").count == 200)
        let held: [any Held] = [Dog("a", 1), Puppy("b", 2)]
        #expect(try indices(held, "age == 2") == [1])
        let anything: [Any] = [Person(name: "a", age: 1), ["age": 1], Dog("d", 1)]
        #expect(try indices(anything, "age == 1") == [0, 1, 2])
        let errors: [any Error] = [Failure(), Failure(age: 4)]
        #expect(try indices(errors, "age == 4") == [1])
        let hashable: [any Hashable & Sendable] = ["x", 1, "y"]
        #expect(try indices(hashable, "SELF == 'y'") == [2])
    }

    @Test func fieldsOfAProtocol() throws {
        let companies = (0..<300).map { Firm(name: "\($0)", pet: Person(name: "p\($0 % 3)", age: $0)) }
        #expect(try indices(companies, "pet.name == 'p1' AND pet.age < 5") == [1, 4])
        #expect(try indices(companies, "extra == 7 AND pet.age == 3") == [3])
        let nested = Firm(name: "n", pet: Firm(name: "m", pet: Person(name: "q", age: 2)))
        #expect(try indices([nested], "pet.pet.name == 'q'") == [0])
    }
}
