import Foundation
import PredicateConversion
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Raw values of enums that do not list their cases.
struct EnumTests {
    enum Level: Int, Codable, Sendable {
        case low = 1, middle = 5, high = 2
        /// Gives the raw values of some cases.
        var weight: Int { self == .high ? 3 : rawValue }
    }
    enum Only: String, Codable, Sendable { case one = "1" }
    enum Word: String, Codable, Sendable { case open, late, done }

    struct Order: Sendable {
        var level: Level
        var word: Word
        var only: Only
        var next: Word?
    }

    private func format(_ predicate: Predicate<Order>) throws -> String {
        try FormatPredicate(predicate).predicateFormat
    }

    @Test func rawValuesAreTheEnums() throws {
        #expect(try format(#Predicate { $0.level.rawValue > 1 }) == "level > 1")
        #expect(try format(#Predicate { $0.word.rawValue == "late" }) == "word == \"late\"")
        #expect(try format(#Predicate { $0.next?.rawValue == "done" }) == "next == \"done\"")
    }

    /// Its name would be that of the property at the same offset.
    @Test func anEnumWithoutASizeNeedsAName() throws {
        let predicate = #Predicate<Order> { $0.only.rawValue == "1" }
        #expect(throws: PredicateConversionError.self) { try format(predicate) }
        #expect(
            try FormatPredicate(predicate, names: [\Order.only: "only"]).predicateFormat == "only == \"1\"")
    }

    @Test func anotherPropertyIsNone() {
        #expect(throws: PredicateConversionError.self) { try format(#Predicate { $0.level.weight > 1 }) }
    }
}

/// Predicates over a generic parameter, whose key paths are those of a protocol.
struct GenericRowTests {
    protocol Named: Sendable {
        var name: String { get }
    }
    struct Person: Named {
        var name: String
    }

    private func predicate<Row: Named>(_ type: Row.Type) -> Predicate<Row> {
        #Predicate<Row> { $0.name == "jo" }
    }

    private func names<Row: Named>(_ type: Row.Type) -> KeyPathNames { [\Row.name: "name"] }

    @Test func theCureOfTheHintWorks() throws {
        let error = PredicateConversionError.thrown { try FormatPredicate(predicate(Person.self)) }
        #expect(error?.hints.contains { $0.contains("names: [\\Row.name: \"name\"]") } == true)
        let format = try FormatPredicate(predicate(Person.self), names: names(Person.self)).predicateFormat
        #expect(format == "name == \"jo\"")
    }
}
