import Foundation
import PredicateChecks
import PredicateEvaluation
import PredicateSyntax
import Testing

/// Predicates against schemas of the host and types with tables of key paths.
struct SchemaCheckTests {
    private enum Rank: String, KeyedValueConvertible { case junior, senior }

    private struct Person: KeyPathCoding {
        var name = ""
        var age = 0
        var rank: Rank?
        var boss: Boss?
        var tags: [String] = []
        var friends: [Boss] = []
        static let keys: KeyPathTable<Person> = [
            "name": .key(\.name), "age": .key(\.age), "rank": .key(\.rank), "boss": .key(\.boss), "tags": .key(\.tags),
            "friends": .key(\.friends), "half": .computed { Double($0.age) / 2 },
        ]
    }

    private final class Boss: KeyPathCoding, Sendable {
        let title = "", born = Date()
        static let keys: KeyPathTable<Boss> = ["title": .key(\.title), "born": .key(\.born)]
    }

    private static func found(_ format: String) throws -> [String] {
        try FormatPredicate(format).check(against: Person.self).map { "\($0.code.rawValue): \($0.hint ?? "")" }
    }

    @Test(arguments: [
        ("nmae == 'jo'", "unknown-key: did you mean name?"), ("boss.titel == 'x'", "unknown-key: did you mean title?"),
        ("name.lenght > 3", "unknown-property: did you mean length?"),
        ("age == '5'", "kind-mismatch: remove the quotes: 5"),
        ("rank == 3", "kind-mismatch: put it in quotes: \"3\", or CAST(rank, \"NSNumber\")"),
        ("tags == 'x'", "to-many-key: write ANY tags == \"x\", or ALL"),
        ("friends.title CONTAINS[c] 'x'", "to-many-key: write ANY friends.title CONTAINS[c] \"x\""),
        ("ANY name == 'x'", "to-one-key: leave ANY out"), ("boss.born > 5", "kind-mismatch: write CAST(5, \"NSDate\")"),
        ("age / 7 * 2.5 > 3", "whole-division: write age / 7.0"),
        ("name.toLowerCase == 'x'", "unknown-property: write lowercase(name), or compare with [c]"),
        ("name == John", "unknown-key: a string needs quotes: \"John\""),
        ("friends > 3", "to-many-key: write friends.@count > 3"),
    ])
    func mistakesAgainstTypes(_ format: String, _ finding: String) throws {
        #expect(try Self.found(format) == [finding])
    }

    @Test(arguments: [
        "name BEGINSWITH 'j' AND age > 3", "ANY tags == 'x'", "tags CONTAINS 'x'", "friends.@count > 2", "boss == nil",
        "boss.title.length > 3", "rank == 'junior'", "half / 2 > 1.5", "ANY friends.born > $d", "tags.@count == 0",
        "SUBQUERY(friends, $f, $f.title == 'x').@count > 0", "name IN {'a', 'b'}", "'x' IN tags", "tags.count > 2",
        "friends.firstObject.title == 'x'", "self.name == 'jo'", "age BETWEEN {1, 5}", "name == %@", "%K > 5",
    ])
    func rightPredicatesAgainstTypes(_ format: String) throws {
        let specifiers = FormatPredicate.specifiers(in: format)
        let arguments: [PredicateValue] = specifiers.map { $0.kind == .keyPath ? .string("age") : .string("x") }
        let predicate = try FormatPredicate(format: format, arguments: arguments)
        #expect(predicate.check(against: Person.self) == [])
    }

    /// What the tables lead to, each type once.
    @Test func tablesAreSchemas() {
        let schema = KeyPathSchema(Person.self)
        #expect(schema.root == "Person")
        #expect(schema.keys(of: "Boss") == ["title", "born"])
        #expect(schema.property("friends", of: "Person") == PredicateProperty(objects: "Boss", isToMany: true))
        #expect(schema.property("rank", of: "Person")?.kinds == [.string])
        #expect(schema.property("half", of: "Person")?.isWhole == false)
        #expect(schema.property("nmae", of: "Person") == nil)
    }

    /// A finding shows its place, and a predicate without a format that of its print.
    @Test func findingsShowTheirPlace() throws {
        let built = PredicateKey("age") > 5 && PredicateKey("age") < 3
        let finding = try #require(built.check().first)
        #expect(
            "\(finding)" == """
                never-holds: this and age > 5 never hold together
                  age > 5 AND age < 3
                              ^~~~~~~
                """)
    }
}
