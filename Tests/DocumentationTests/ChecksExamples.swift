import Predicates
import Testing

/// The article about checks.
struct ChecksExamples {
    private final class Employee: KeyPathCoding, Sendable {
        let name = ""
        let boss: Employee? = nil
        static let keys: KeyPathTable<Employee> = ["name": .key(\.name), "boss": .key(\.boss)]
    }

    @Test func predicatesAreChecked() throws {
        // swift-format-ignore
        do {
            let never = try FormatPredicate("age > 5 AND age < 3").check()                          // never-holds
            let wrong = try FormatPredicate("boss.nmae == 'jo'").check(against: Employee.self)      // unknown-key: did you mean name?
            let schema = SQLSchema(table: "person", columns: ["age": .integer])
            let mixed = try FormatPredicate("age == '5'").check(against: schema, entity: "person")  // kind-mismatch: remove the quotes: 5
            #expect(never.map(\.code) == [.neverHolds])
            #expect(wrong.map(\.hint) == ["did you mean name?"])
            #expect(mixed.map(\.hint) == ["remove the quotes: 5"])
        }
    }
}
