import Foundation
import PredicateEvaluation
import PredicateSyntax
import Testing

@propertyWrapper private struct Clamped {
    private var value: Int
    init(wrappedValue: Int) { value = min(wrappedValue, 10) }
    var wrappedValue: Int {
        get { value }
        set { value = min(newValue, 10) }
    }
}

@propertyWrapper private struct Box<Value> {
    var wrappedValue: Value
}

private struct Address {
    var city: String
    var zip: Int?
}

private class Animal {
    var name = "cat"
    private var _secret = 3
    lazy var noise = "meow"
    @Clamped var legs = 40
    @Box var home = Address(city: "Oslo", zip: nil)
}

private final class Dog: Animal {
    var owner: Dog?
    var places = [Address(city: "Bergen", zip: 1), Address(city: "Oslo", zip: nil)]
    var pair = (left: 1, 2)
}

@Suite struct ObjectsReflectionTests {
    @Test(
        arguments: [
            ("name", "cat"), ("secret", 3), ("_secret", 3), ("legs", 10), ("home.city", "Oslo"),
            ("home.zip", .null), ("owner", .null), ("owner.name", .null), ("places.city", ["Bergen", "Oslo"]),
            ("places.zip", [1, .nullObject]), ("places.@count", 2), ("pair.left", 1), ("pair.1", 2),
            ("places.count", 2),
        ] as [(String, PredicateValue)])
    func properties(_ path: String, expected: PredicateValue) throws {
        let value = try follow(path, in: Dog())
        #expect(isExactly(value, expected), "\(value)")
    }

    @Test func lazyPropertiesOnceUsed() throws {
        let dog = Dog()
        #expect(errorCode { try follow("noise", in: dog) } == .unreadLazyKey("noise", of: "Dog"))
        _ = dog.noise
        #expect(isExactly(try follow("noise", in: dog), "meow"))
    }

    @Test func cyclesAreFollowedAsFarAsThePathGoes() throws {
        let dog = Dog()
        dog.owner = dog
        #expect(isExactly(try follow("owner.owner.owner.name", in: dog), "cat"))
        dog.owner = nil
    }

    @Test func unknownKeys() {
        let expected = EvaluationError.Code.undefinedKey("nmae", of: "Dog", nearMisses: ["name"])
        #expect(errorCode { try follow("nmae", in: Dog()) } == expected)
        #expect(
            Set(ReflectedObject(Dog()).allKeys).isSuperset(of: ["name", "noise", "legs", "home", "owner", "places"]))
    }

    @Test func tuples() throws {
        #expect(isExactly(try follow("age", in: (name: "jo", age: 3)), 3))
        #expect(errorCode { try follow("size", in: (name: "jo", age: 3)) } != nil)
    }
}
