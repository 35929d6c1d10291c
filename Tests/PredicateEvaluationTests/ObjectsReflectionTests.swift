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

/// Wrappers that store their value under a name of their own.
@propertyWrapper private final class Shared<Value> {
    private var content: Value
    init(wrappedValue: Value) { content = wrappedValue }
    var wrappedValue: Value { content }
}

@propertyWrapper private struct Doubled: Equatable {
    private var half: Int
    init(wrappedValue: Int) { half = wrappedValue / 2 }
    var wrappedValue: Int { half * 2 }
}

private struct Wrapped {
    @Shared var name = "Jo"
    @Shared var nick: String? = nil
    @Doubled var legs = 4
    private var _home = Address(city: "Oslo", zip: nil)
    var home: Address { _home }
    private var _boss: Dog? = Dog()
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
        let pairs: [(name: String, Int?, _hidden: Double)] = [("jo", 3, 1.5), ("al", nil, 2.5), ("bo", 4, 3.5)]
        for (format, expected) in [
            ("name == 'jo'", [0]), ("'1' == nil", []), ("SELF.\"1\" == nil", [1]), ("SELF.\"1\" > 2", [0, 2]),
            ("_hidden > 2", [1, 2]), ("hidden > 2 AND name > 'b'", [2]), ("SELF.\"2\" == 3", nil),
        ] as [(String, [Int]?)] {
            let evaluator = try PredicateEvaluator(FormatPredicate(format))
            let single = try? pairs.indices.filter { try evaluator.evaluate(with: pairs[$0]) }
            let mirrored = try? pairs.indices.filter {
                try evaluator.evaluate(ReflectedObject.mirrored(KeyedValue(bridging: pairs[$0])))
            }
            #expect((try? pairs.indices(matching: evaluator)) == expected, "\(format)")
            #expect(single == expected && mirrored == expected, "\(format)")
        }
    }

    @Test(
        arguments: [
            "name == 'Jo'", "name != 'x'", "nick == nil", "legs == 4", "legs IN {4}", "home == nil",
        ])
    func aWrapperOfUnknownStorageIsAnError(_ format: String) throws {
        let predicate = try FormatPredicate(format)
        let error = EvaluationError.thrown { try predicate.evaluate(with: Wrapped() as Any) }
        guard case .unreadWrapper? = error?.code else {
            Issue.record("\(format): \(String(describing: error))")
            return
        }
        #expect(error?.hints.first?.contains("KeyPathCoding") == true)
        #expect(EvaluationError.thrown { try [Wrapped(), Wrapped()].count(matching: predicate) }?.code == error?.code)
    }

    @Test func whatIsBehindAComputedPropertyHasKeys() throws {
        #expect(isExactly(try follow("home.city", in: Wrapped()), "Oslo"))
        #expect(isExactly(try follow("boss.name", in: Wrapped()), "cat"))
        #expect(try FormatPredicate("boss != nil AND home.city == 'Oslo'").evaluate(with: Wrapped() as Any))
    }

    @Test func numbersOfEveryWidth() throws {
        struct Numbers {
            var big = Int128.max
            var least = Int128.min
            var most = UInt128.max
            var half: Float16 = 1.5
            var time = Duration.milliseconds(1500)
            var tenth = Duration.milliseconds(-100)
            var maybe: Int128? = 5
        }
        let cases: [(String, [PredicateValue])] = [
            ("big == %@", [Int128.max.predicateValue]), ("big != %@", [(Int128.max - 1).predicateValue]),
            ("least == %@", [Int128.min.predicateValue]), ("most == %@", [UInt128.max.predicateValue]),
            ("most > big", []), ("half == 1.5", []), ("half < 2", []), ("time == 1.5", []), ("time > 1", []),
            ("tenth == -0.1", []), ("maybe == 5", []), ("maybe + 1 == 6", []),
        ]
        for (format, arguments) in cases {
            let predicate = try FormatPredicate(format: format, arguments: arguments)
            #expect(try predicate.evaluate(with: Numbers() as Any), "\(format)")
            #expect(try [Numbers(), Numbers()].count(matching: predicate) == 2, "\(format)")
        }
        #expect(try FormatPredicate("SELF == %@", Int128.max).evaluate(with: Int128.max as Any))
    }

    @Test func anEnumWithoutRawValuesHasACure() throws {
        enum Color { case red }
        struct Car { var color = Color.red }
        let error = EvaluationError.thrown { try FormatPredicate("color == 'red'").evaluate(with: Car() as Any) }
        #expect(error?.hints.first?.contains("enum Color: String") == true)
        #expect(error?.hints.first?.contains("conform Color to Equatable") == false)
    }
}
