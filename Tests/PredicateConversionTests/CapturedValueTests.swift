import Foundation
import PredicateConversion
import PredicateEvaluation
import PredicateSyntax
import Testing

/// Values of every kind and size that a Swift predicate captures.
struct CapturedValueTests {
    enum Color: Codable, Hashable, Sendable { case red, green }
    enum Shape: Codable, Hashable, Sendable {
        case circle(Double)
        case box(width: Int, height: Int, depth: Int, name: String)
    }
    struct Tiny: Codable, Hashable, Sendable { var flag: Bool }
    struct Pair: Codable, Hashable, Sendable { var (first, second): (Int, Int) }
    struct Five: Codable, Hashable, Sendable { var (a, b, c, d, e): (Int, Int, Int, Int, Int) }
    struct Six: Codable, Hashable, Sendable { var (a, b, c, d): (Int, String, Int, String) }
    /// Not Hashable.
    struct Plain: Codable, Equatable, Sendable { var name: String }

    struct Item: Sendable {
        var color = Color.red
        var shape = Shape.circle(1)
        var tiny = Tiny(flag: true)
        var pair = Pair(first: 1, second: 2)
        var five = Five(a: 1, b: 2, c: 3, d: 4, e: 5)
        var six = Six(a: 1, b: "x", c: 3, d: "a long text that is stored elsewhere")
        var plain = Plain(name: "jo")
        var maybe: Five? = Five(a: 1, b: 2, c: 3, d: 4, e: 5)
        var none: Color?
        var colors = [Color.red, .green]
        var tags: Set<Color> = [.red, .green]
        var numbers = [1: "one"]
        var named = ["a": Color.red]
        var byColor = [Color.red: 1]
        var date = DateComponents(year: 2001, month: 2)
        var locale = Locale(identifier: "de_DE")
        var time = Duration.milliseconds(1500)
        var big = Int128.max
    }

    /// Expects that the converted predicate holds for the first item alone, as the Swift predicate does.
    private func expect(
        _ predicate: Predicate<Item>, against change: (inout Item) -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        var other = Item()
        change(&other)
        let converted = try PredicateEvaluator(FormatPredicate(predicate))
        for item in [Item(), other] {
            #expect(
                try converted.evaluate(with: item) == predicate.evaluate(item), sourceLocation: sourceLocation)
        }
        #expect(try converted.evaluate(with: Item()), sourceLocation: sourceLocation)
        #expect(try [Item(), other, Item()].indices(matching: converted) == [0, 2], sourceLocation: sourceLocation)
    }

    @Test func structsOfEverySize() throws {
        let item = Item()
        let (tiny, pair, five, six, plain) = (item.tiny, item.pair, item.five, item.six, item.plain)
        try expect(#Predicate { $0.tiny == tiny }) { $0.tiny.flag = false }
        try expect(#Predicate { $0.pair == pair }) { $0.pair.second = 3 }
        try expect(#Predicate { $0.five == five }) { $0.five.e = 6 }
        try expect(#Predicate { $0.six == six }) { $0.six.d = "" }
        try expect(#Predicate { $0.plain == plain }) { $0.plain.name = "al" }
        try expect(#Predicate { !($0.plain != plain) }) { $0.plain.name = "al" }
    }

    @Test func enumsWithoutRawValues() throws {
        let (color, shape) = (Color.red, Shape.circle(1))
        try expect(#Predicate { $0.color == color }) { $0.color = .green }
        try expect(#Predicate { $0.shape == shape }) { $0.shape = .box(width: 1, height: 2, depth: 3, name: "x") }
    }

    @Test func optionals() throws {
        let (five, none): (Five?, Color?) = (Item().five, nil)
        try expect(#Predicate { $0.maybe == five }) { $0.maybe = nil }
        try expect(#Predicate { $0.none == none }) { $0.none = .red }
    }

    @Test func collections() throws {
        let (colors, tags, numbers, named, byColor) = (
            [Color.red, .green], Set([Color.red, .green]), [1: "one"], ["a": Color.red], [Color.red: 1]
        )
        try expect(#Predicate { $0.colors == colors }) { $0.colors = [.green, .red] }
        try expect(#Predicate { $0.tags == tags }) { $0.tags = [.red] }
        try expect(#Predicate { $0.numbers == numbers }) { $0.numbers = [1: "two"] }
        try expect(#Predicate { $0.named == named }) { $0.named = ["a": .green] }
        try expect(#Predicate { $0.byColor == byColor }) { $0.byColor = [.green: 1] }
        let reds = [Color.red]
        try expect(#Predicate { reds.contains($0.color) }) { $0.color = .green }
    }

    @Test func valuesOfFoundation() throws {
        let (date, locale) = (DateComponents(year: 2001, month: 2), Locale(identifier: "de_DE"))
        try expect(#Predicate { $0.date == date }) { $0.date.month = 3 }
        try expect(#Predicate { $0.locale == locale }) { $0.locale = Locale(identifier: "en_US") }
    }

    @Test func numbersBeyond64Bits() throws {
        let (time, big) = (Duration.milliseconds(1500), Int128.max)
        try expect(#Predicate { $0.time == time }) { $0.time = .seconds(1) }
        try expect(#Predicate { $0.time >= time }) { $0.time = .seconds(1) }
        try expect(#Predicate { $0.big == big }) { $0.big -= 1 }
    }

    // MARK: Raw values

    struct Money: RawRepresentable, Codable, Hashable, Sendable {
        var rawValue: Int
        var cents: Int = 0
        init(rawValue: Int) { self.rawValue = rawValue }
    }
    struct Options: OptionSet, Codable, Hashable, Sendable {
        var rawValue: Int
    }
    struct Purse: Sendable {
        var money: Money
        var options: Options
    }

    @Test func rawValuesOfStructs() throws {
        let predicate = #Predicate<Purse> { $0.money.rawValue > 1 && $0.options.rawValue == 3 }
        let converted = try FormatPredicate(predicate)
        #expect(converted.predicateFormat == "money > 1 AND options == 3")
        let purses = [
            Purse(money: Money(rawValue: 2), options: Options(rawValue: 3)),
            Purse(money: Money(rawValue: 1), options: Options(rawValue: 3)),
        ]
        #expect(try purses.indices(matching: converted) == [0])
        let (money, options) = (Money(rawValue: 2), Options(rawValue: 3))
        #expect(
            try FormatPredicate(#Predicate<Purse> { $0.money == money && $0.options == options })
                == FormatPredicate("money == 2 AND options == 3"))
    }

    @Test func aRawValueHasNoOtherProperties() {
        let error = PredicateConversionError.thrown {
            try FormatPredicate(#Predicate<Purse> { $0.money.cents > 1 })
        }
        #expect(error?.code == .unnamedKeyPath("\\Money.cents", of: "Money", isClass: false))
    }
}
