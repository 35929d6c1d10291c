import Foundation
import PredicateEvaluation
import PredicateSyntax
import PredicateTestSupport
import Testing

private struct Street { var name: String }
private struct Square: Equatable { var name: String }
private enum Shape { case round, box(side: Int) }
private enum Mood: Hashable { case good, bad(Int) }
private enum Colour: String { case red }
private final class Plain: @unchecked Sendable { let name = "x" }

private struct Person {
    var street = Street(name: "Main")
    var square = Square(name: "Old")
    var shape = Shape.box(side: 2)
    var mood = Mood.bad(1)
    var colour = Colour.red
    var plain: Plain
    var pair = (1, "a")
    var ages = 18...65
    var rooms: [Int: String] = [1: "hall"]
    var tagged: [AnyHashable: Any] = [1: "one", "1": "text", true: "yes", 2.5: "half"]
    var nested: [String: Any] = ["d": [7: ["k": "deep"]] as [Int: Any]]
    var isAdult: Bool { true }
}

private struct Home: KeyPathCoding, Sendable {
    var rooms: Int
    static let keys: KeyPathTable<Home> = ["rooms": .key(\.rooms)]
}

private struct Booking: KeyPathCoding, Sendable {
    var home: Home
    var days: ClosedRange<Int>
    var since: PartialRangeFrom<Int>
    var hours: Range<Double>
    var level: IndexSet
    static let keys: KeyPathTable<Booking> = [
        "home": .key(\.home), "days": .key(\.days), "since": .key(\.since), "hours": .key(\.hours),
        "level": .key(\.level),
    ]
}

private actor Account {
    let owner = "jo"
}

@Suite struct ObjectsHostTests {
    private let person = Person(plain: Plain())

    private func holds(_ format: String, _ arguments: [any PredicateValueConvertible] = []) throws -> Bool {
        let predicate = try FormatPredicate(format: format, arguments: arguments.map(\.predicateValue))
        let single = try predicate.evaluate(with: person as Any)
        #expect(try [person].filtered(using: predicate).count == (single ? 1 : 0))
        return single
    }

    @Test(
        arguments: [
            ("rooms[1] == 'hall'", true), ("rooms[1.0] == 'hall'", true), ("rooms['1'] == nil", true),
            ("rooms.'1' == nil", true), ("tagged['1'] == 'text'", true), ("tagged[1] == 'one'", true),
            ("tagged[2.5] == 'half'", true), ("tagged[YES] == 'one'", true), ("((nested.d)[7]).k == 'deep'", true),
            ("'hall' IN rooms", true), ("rooms.@count == 1", true), ("rooms == rooms", true),
            ("FUNCTION(rooms, 'objectForKey:', 1) == 'hall'", true), ("rooms[2] == nil", true),
            ("rooms.description CONTAINS '1 = hall'", false),
        ])
    func dictionaries(_ format: String, expected: Bool) throws {
        #expect(try holds(format) == expected, "\(format)")
    }

    @Test func dictionariesOfFoundation() throws {
        let uuid = UUID()
        let keyed = NSDictionary(dictionary: [uuid: 1, NSNumber(value: 3): 2, "3": 4])
        let predicate = try FormatPredicate("SELF[%@] == 1 AND SELF[3] == 2 AND SELF['3'] == 4", uuid)
        #expect(try predicate.evaluate(with: keyed))
        #expect(try FormatPredicate("%@[3] == 2", keyed).evaluate(with: 0 as Any?))
        #expect(PredicateValue(bridging: [1: "x"]) == nil)
        #expect(isEqual(KeyedValue(bridging: [1: "x"]), KeyedValue(bridging: [1.0: "x"])))
        #expect(!isEqual(KeyedValue(bridging: [1: "x"]), KeyedValue(bridging: ["1": "x"])))
        #expect([KeyedValue(bridging: [1: "x"]), KeyedValue(bridging: [1.0: "x"])].distinct.count == 1)
        #expect(KeyedValue(bridging: [2: "b", 1: "a"]).descriptionText == "{\n    1 = a;\n    2 = b;\n}")
        #expect(isExactly(try follow("red", in: [Colour.red: 1]), 1))
    }

    @Test(
        arguments: [
            ("street == 1", "Street"), ("street != 'Main'", "Street"), ("street IN {'Main'}", "Street"),
            ("shape == 'box'", "Shape"), ("mood == 'bad'", "Mood"), ("pair == 1", "(Int, String)"),
            ("{1} CONTAINS street", "Street"), ("ANY %@ == street", "Street"), ("street isEqual: 1", "Street"),
        ])
    func whatNothingCompares(_ format: String, type: String) throws {
        let error = EvaluationError.thrown { try holds(format, format.contains("%@") ? [[1]] : []) }
        guard case .notEquatable(let found, _)? = error?.code else {
            Issue.record("\(format): \(String(describing: error))")
            return
        }
        #expect(found == type)
        #expect(error?.hints.first?.contains("conform \(type) to KeyedValueConvertible") == true)
    }

    @Test(
        arguments: [
            ("street == nil", false), ("street != nil", true), ("street == street", true), ("SELF == SELF", true),
            ("SELF != SELF", false), ("square == square", true), ("square == 'Old'", false), ("plain == 1", false),
            ("plain == plain", true), ("colour == 'red'", true), ("mood == mood", true),
            ("street.name == 'Main'", true),
            ("shape == shape", true), ("pair == pair", true),
        ])
    func whatHasAnAnswer(_ format: String, expected: Bool) throws {
        #expect(try holds(format) == expected, "\(format)")
    }

    @Test func objectsAsArguments() throws {
        let street = NSArray(array: [person.street])
        #expect(
            errorCode { try holds("street IN %@", [street]) } == .notEquatable("Street", against: found(person.street)))
        #expect(try holds("square IN %@", [NSArray(array: [Square(name: "Old")])]))
        #expect(try !holds("square IN %@", [NSArray(array: [Square(name: "New")])]))
        #expect(try holds("plain IN %@", [NSArray(array: [person.plain])]))
        #expect(try !holds("plain IN %@", [NSArray(array: [Plain()])]))
    }

    private func found(_ value: Any) -> FoundValue { FoundValue(KeyedValue(bridging: value)) }

    /// Typed objects have the same results in programs, batches and one by one.
    @Test(
        arguments: [
            ("3 IN days", true), ("9 IN days", false), ("3 BETWEEN days", true), ("days.lowerBound == 1", true),
            ("days CONTAINS 3", true), ("7 IN since", true), ("4 IN since", false), ("1.5 IN hours", true),
            ("2 IN hours", false), ("hours.upperBound == 2", true), ("2 IN level", true), ("5 IN level", false),
            ("ANY level > 3", true), ("level.@max.self == 4", true), ("home == home", true), ("SELF == SELF", true),
            ("home == 1", false), ("home != 'x'", true), ("since.upperBound == nil", true),
        ])
    func typedObjects(_ format: String, expected: Bool) throws {
        let booking = Booking(
            home: Home(rooms: 2), days: 1...5, since: 5..., hours: 1..<2, level: IndexSet([2, 4]))
        let evaluator = try PredicateEvaluator(FormatPredicate(format: format, arguments: []))
        #expect(try evaluator.evaluate(with: booking) == expected)
        #expect(try evaluator.evaluate(with: booking as Any) == expected)
        let many = Array(repeating: booking, count: 300)
        #expect(try many.filtered(using: evaluator).count == (expected ? 300 : 0))
    }

    @Test func structsWithKeysNeedAnEqualityOfTheirOwn() throws {
        let predicate = try FormatPredicate("ANY SELF == %@", PredicateObject(Sendables(Home(rooms: 1))))
        #expect(try !predicate.evaluate(with: [Home(rooms: 1)] as Any))
        let both = try FormatPredicate("SELF[0] == SELF[1]")
        #expect(
            errorCode { try both.evaluate(with: [Home(rooms: 1), Home(rooms: 1)] as Any) }
                == .notEquatable("Home", against: found(Home(rooms: 1))))
    }

    /// A box that is compared by its place.
    private struct Sendables: Hashable, Sendable {
        let rooms: Int
        init(_ home: Home) { rooms = home.rooms }
    }

    @Test(
        arguments: [
            ("SELF IN %@", 2, 1...3, true), ("SELF IN %@", 4, 1...3, false), ("SELF BETWEEN %@", 3, 1...3, true),
            ("%@ CONTAINS SELF", 3, 1...3, true),
        ] as [(String, Int, ClosedRange<Int>, Bool)])
    func rangesAsArguments(_ format: String, value: Int, range: ClosedRange<Int>, expected: Bool) throws {
        #expect(try FormatPredicate(format, range).evaluate(with: value as Any) == expected)
    }

    @Test func rangesOfOtherKinds() throws {
        #expect(try FormatPredicate("SELF IN %@", 1..<3).evaluate(with: 2.9 as Any))
        #expect(try !FormatPredicate("SELF IN %@", 1..<3).evaluate(with: 3 as Any))
        #expect(try FormatPredicate("SELF BETWEEN %@", 1...).evaluate(with: 3 as Any))
        #expect(try !FormatPredicate("SELF BETWEEN %@", ..<3).evaluate(with: 3 as Any))
        #expect(try FormatPredicate("SELF IN %@", ...3).evaluate(with: 3 as Any))
        #expect(try FormatPredicate("SELF IN %@", "a"..."c").evaluate(with: "b" as Any))
        let date = Date(timeIntervalSinceReferenceDate: 5)
        #expect(try FormatPredicate("SELF IN %@", Date.distantPast...Date.distantFuture).evaluate(with: date as Any))
        #expect(try FormatPredicate("SELF IN $r").evaluate(with: 2 as Any, variables: ["r": (1...3).predicateValue]))
        #expect(PredicateKey("age").isIn(1...3).predicateFormat == "age BETWEEN {1, 3}")
        #expect(try FormatPredicate("age IN %@", 1..<3).predicateFormat == "age IN 1..<3")
    }

    @Test func setsOfIndexes() throws {
        #expect(try FormatPredicate("SELF IN %@", IndexSet([1, 5])).evaluate(with: 5 as Any))
        #expect(try !FormatPredicate("SELF IN %@", IndexSet([1, 5])).evaluate(with: 3 as Any))
        let large = IndexSet(integersIn: 0..<Int.max)
        #expect(try FormatPredicate("SELF IN %@", large).evaluate(with: 1_000_000_000_000 as Any))
        #expect(try !FormatPredicate("SELF IN %@", large).evaluate(with: -1 as Any))
        #expect(try FormatPredicate("3 IN SELF AND NOT 'x' IN SELF").evaluate(with: large as Any))
    }

    @Test func piecesOfText() throws {
        let text: StaticString = "jo"
        let values: [Any] = ["joan".prefix(2), text, NSString(string: "jo")]
        for value in values {
            #expect(try FormatPredicate("SELF == 'jo' AND SELF LIKE 'j*' AND length == 2").evaluate(with: value))
        }
        #expect(try FormatPredicate("SELF == %@ AND SELF IN %@", text, ["joan".prefix(2)]).evaluate(with: "jo" as Any))
        #expect(try FormatPredicate("SELF == %@", Character("j")).evaluate(with: "j" as Any))
        #expect(try FormatPredicate("SELF == 'j'").evaluate(with: Unicode.Scalar("j") as Any))
        #expect(try ["joan".prefix(2), "al"].filtered(using: FormatPredicate("SELF == 'jo'")).count == 1)
        #expect(try [Character("a"), "b"].filtered(using: FormatPredicate("SELF == 'a'")).count == 1)
    }

    @Test func computedPropertiesHaveACure() throws {
        let error = EvaluationError.thrown { try holds("isAdult == YES") }
        #expect(error?.code == .undefinedKey("isAdult", of: "Person", nearMisses: []))
        #expect(
            error?.hints == ["declare a computed property with KeyPathCoding: \"isAdult\": .computed { $0.isAdult }"])
    }

    @Test func actorsKeepTheirState() throws {
        let account = Account()
        let predicate = try FormatPredicate("owner == 'jo'")
        #expect(errorCode { try predicate.evaluate(with: account as Any) } == .isolatedKey("owner", of: "Account"))
        #expect(errorCode { try [account].filtered(using: predicate) } == .isolatedKey("owner", of: "Account"))
        #expect(try FormatPredicate("SELF == SELF AND SELF != 1 AND class != nil").evaluate(with: account as Any))
        #expect(ReflectedObject(account).allKeys == [])
    }

    @Test func lazyPropertiesOfElements() throws {
        struct Lazy {
            lazy var count = 3
            lazy var none: Int? = nil
        }
        var read = Lazy()
        _ = (read.count, read.none)
        #expect(isExactly(try follow("count", in: read), 3))
        #expect(isExactly(try follow("none", in: read), .null))
        #expect(errorCode { try follow("none", in: Lazy()) } == .unreadLazyKey("none", of: "Lazy"))
        #expect(errorCode { try follow("count", in: [Lazy()]) } == .unreadLazyKey("count", of: "Lazy"))
    }

    @Test func encodedArraysAndSingleValuesAreThemselves() throws {
        #expect(try FormatPredicate("SELF == 5").evaluate(with: EncodableObject(5)))
        #expect(try FormatPredicate("ANY SELF > 5").evaluate(with: EncodableObject([3, 9])))
        #expect(try FormatPredicate("SELF.@count == 2").evaluate(with: EncodableObject([3, 9]) as Any))
        #expect(try FormatPredicate("SELF BEGINSWITH 'j' AND length == 2").evaluate(with: EncodableObject("jo")))
        let mixed = try [EncodableObject(["a": 1]), EncodableObject(7), EncodableObject([7])]
        #expect(try mixed.filtered(using: FormatPredicate("SELF == 7")).count == 1)
        #expect(try mixed.reversed().filtered(using: FormatPredicate("SELF == 7")).count == 1)
        #expect(try FormatPredicate("7 == %@", PredicateObject(EncodableObject(7))).evaluate(with: 0 as Any))
        let error = errorCode { try FormatPredicate("a == 1").evaluate(with: EncodableObject(7)) }
        #expect(error == .undefinedKey("a", of: "NSNumber", nearMisses: []))
    }
}
