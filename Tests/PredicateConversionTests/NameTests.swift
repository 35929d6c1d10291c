import Foundation
import PredicateConversion
import PredicateEvaluation
import PredicateSyntax
import PredicateTestSupport
import Testing

/// The names that key paths get.
@Suite struct KeyPathNameTests {
    private struct Table: KeyPathCoding {
        var name: String
        var other: String
        var age: Int
        var isAdult: Bool { age >= 18 }
        var isOld: Bool { age >= 65 }

        static let keys: KeyPathTable<Table> = [
            "full_name": .key(\.name), "name": .key(\.other), "adult": .key(\.isAdult), "age": .key(\.age),
        ]
    }

    private struct Box<Value: Codable & Sendable>: Codable {
        var value: Value
        var `default`: Int
        var été: Int
        var pair: Pair
        struct Pair: Codable { var first: Int }
    }

    private final class Final {
        let name = ""
    }

    private class Open {
        var name = ""
    }

    private func format<Input>(_ predicate: Predicate<Input>, _ names: KeyPathNames = [:]) throws -> String {
        try FormatPredicate(predicate, names: names).predicateFormat
    }

    @Test func tablesNameComputedPropertiesToo() throws {
        #expect(try format(#Predicate<Table> { $0.name == "a" && $0.isAdult }) == "full_name == \"a\" AND adult == 1")
        #expect(try format(#Predicate<Table> { $0.other == "a" }) == "name == \"a\"")
        #expect(throws: PredicateConversionError.self) { try format(#Predicate<Table> { $0.isOld }) }
        #expect(try format(#Predicate<Table> { $0.isOld }, [\Table.isOld: "old"]) == "old == 1")
    }

    @Test func declaredNames() throws {
        #expect(
            try FormatPredicate(
                #Predicate<Box<Int>> { $0.value == 1 && $0.`default` == 2 && $0.été == 3 && $0.pair.first == 4 })
                == FormatPredicate("value == 1 AND default == 2 AND %K == 3 AND pair.first == 4", "été"))
        // Foundation of Swift 6.0 mistakes a key path into a final class for one of several components, and traps.
        #if compiler(>=6.1)
            #expect(try format(#Predicate<Final> { $0.name == "a" }) == "name == \"a\"")
        #endif
        let error = PredicateConversionError.thrown { try format(#Predicate<Open> { $0.name == "a" }) }
        #expect(error?.title == "\\Open.<computed (String)> of Open has no name in predicates")
        #expect(error?.text == "$0.<computed (String)> == \"a\"")
        #expect(error?.hints.first == "declare the class final if the property is stored: final class Open")
        #expect(try format(#Predicate<Open> { $0.name == "a" }, [\Open.name: "name"]) == "name == \"a\"")
    }

    @Test func sortDescriptors() throws {
        #expect(try SortKey(SortDescriptor(\Animal.name)) == SortKey("name"))
        #expect(
            try SortKey(SortDescriptor(\Animal.name, comparator: .lexical, order: .reverse))
                == SortKey("name", ascending: false))
        #expect(try SortKey(SortDescriptor(\Animal.died)) == SortKey("died"))
        #expect(try SortKey(SortDescriptor(\Animal.home.city)) == SortKey("home.city"))
        #expect(try SortKey(SortDescriptor(\Animal.best?.home?.zip)) == SortKey("best.home.zip"))
        #expect(try SortKey(SortDescriptor(\Table.name, order: .reverse)) == SortKey("full_name", ascending: false))
        #expect(
            try SortKey(NSSortDescriptor(keyPath: \Animal.age, ascending: false)) == SortKey("age", ascending: false))
        let error = PredicateConversionError.thrown { try SortKey(SortDescriptor(\Animal.id)) }
        #expect(error?.code == .unsupported(node: "SortDescriptor", .order(type: "UUID")))
        let request = try PredicateFetchRequest(
            "Animal", where: #Predicate<Animal> { $0.age > 3 },
            sortedBy: [SortDescriptor(\.age), SortDescriptor(\.name)], limit: 2)
        #expect(
            try request
                == PredicateFetchRequest(
                    "Animal", FormatPredicate("age > 3"), sortKeys: [SortKey("age"), SortKey("name")], limit: 2))
    }
}
