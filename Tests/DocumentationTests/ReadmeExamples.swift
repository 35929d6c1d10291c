import Foundation
import Predicates
import Testing

private enum Readme {
    struct Person: KeyPathCoding {
        var name: String
        var age: Int
        static let keys: KeyPathTable<Person> = [
            "name": .key(\.name), "age": .key(\.age), "adult": .computed { $0.age > 17 },
        ]
    }
}

extension Readme.Person {
    fileprivate var isAdult: Bool { age > 17 }
}

struct ReadmeExamples {
    private typealias Person = Readme.Person
    private let people = [Person(name: "Joanna", age: 30), Person(name: "jörg", age: 17), Person(name: "Ann", age: 70)]
    private let person = Person(name: "Joanna", age: 30)

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

    @Test func formats() throws {
        let results = try example {
            try FormatPredicate("%K == %@ AND %K > %d", "dept.name", "Sales", "age", 21)
        }
        #expect(results.texts == [#"dept.name == "Sales" AND age > 21"#])
    }

    private enum Status: String { case open }

    @Test func building() throws {
        let results = try example {
            let built =
                PredicateKey("age") >= 21
                && PredicateKey("name").beginsWith("jo", [.caseInsensitive, .diacriticInsensitive])
            let either = FormatPredicate(matching: ["publisher": "BookCo", "salesRank": 482769], combinedWith: .or)
            let dear = PredicateKey("price") * 1.19 > PredicateKey("budget") && PredicateKey("status") == Status.open
            built
            either
            dear
        }
        #expect(
            results.texts == [
                #"age >= 21 AND name BEGINSWITH[cd] "jo""#, #"publisher == "BookCo" OR salesRank == 482769"#,
                #"price * 1.19 > budget AND status == "open""#,
            ])
    }

    @Test func evaluators() throws {
        let results = try example {
            let evaluator = try PredicateEvaluator(try FormatPredicate("age >= $AGE"))
            try evaluator.evaluate(with: person, variables: ["AGE": 18])
            let pensioners = try people.count(matching: evaluator, variables: ["AGE": 65])
            pensioners
        }
        #expect(results.texts == ["true", "1"])
    }

    @Test func extensions() throws {
        var registry = EvaluationRegistry.standard
        registry.registerFunction("initials:") { arguments in
            guard case .value(.string(let name))? = arguments.first else { return .null }
            return .value(.string(String(name.split(separator: " ").compactMap(\.first))))
        }
        let initials = try PredicateEvaluator(FormatPredicate("initials:(name) == 'JD'"), registry: registry)
        #expect(try initials.evaluate(with: ["name": "Jane Doe"]))
    }

    @Test func closures() throws {
        let adult = FormatPredicate(name: "adult") { object, _ in (object.hostObject as? Person)?.isAdult == true }
        let some = try people.filtered(using: adult && FormatPredicate("name BEGINSWITH[c] 'j'"))
        #expect(some.map(\.name) == ["Joanna"])
    }

    @Test func databases() throws {
        let schema = SQLSchema([
            SQLEntity(
                "Person", table: "person", attributes: ["name": .init(.string), "age": .init(.integer)],
                relationships: [
                    "boss": .toOne("Person", column: "boss_id"),
                    "phones": .toMany("Phone", inverseColumn: "person_id"),
                ]),
            SQLEntity("Phone", table: "phone", attributes: ["number": .init(.string)]),
        ])
        let query = try SQLCompiler(schema: schema, dialect: PostgreSQLDialect())
            .compile(try FormatPredicate("boss.age > 60 AND ANY phones.number BEGINSWITH '+49'"), entity: "Person")
        #expect(query.select.text.contains("EXISTS"))
    }
}
