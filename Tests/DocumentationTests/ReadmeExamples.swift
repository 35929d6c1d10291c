import Foundation
import Predicates
import Testing

/// The first screen of README.
struct ReadmeExamples {
    private let people = [Person(name: "Joanna", age: 30), Person(name: "jörg", age: 17), Person(name: "Ann", age: 70)]

    @Test func firstScreen() throws {
        let results = try example {
            let predicate = try FormatPredicate("age >= %@ AND name BEGINSWITH[cd] %@", 21, "jo")
            predicate.predicateFormat  // age >= 21 AND name BEGINSWITH[cd] "jo"

            try predicate.evaluate(with: ["name": "Joanna", "age": 30])  // true
            try people.filtered(using: predicate)  // the people who match

            let schema = SQLSchema(table: "people", columns: ["name": .string, "age": .integer])
            let query = try SQLCompiler(schema: schema).compile(predicate, entity: "people")
            query.where.text  // t0."age" >= ?1 AND predicates2_begins(t0."name", ?2, 'cd')
            query.where.bindings  // [.integer(21), .text("jo")]

            try FormatPredicate("age NOT IN %@", [1, 2])
            // error: expected an operator, found NOT IN
            //   age NOT IN %@
            //       ^~~~~~ NOT goes before the whole comparison
            // hint: write NOT (key IN value)
        }
        let texts = results.texts
        #expect(texts[0] == #"age >= 21 AND name BEGINSWITH[cd] "jo""#)
        #expect(texts[1] == "true")
        #expect((try results.lines[2].get() as? [Person])?.map(\.name) == ["Joanna"])
        #expect(texts[3] == #"t0."age" >= ?1 AND predicates2_begins(t0."name", ?2, 'cd')"#)
        #expect(try results.lines[4].get() as? [SQLBinding] == [.integer(21), .text("jo")])
        #expect(
            texts[5] == """
                error: expected an operator, found NOT IN
                  age NOT IN %@
                      ^~~~~~ NOT goes before the whole comparison
                hint: write NOT (key IN value)
                """)
    }
}
