import Predicates
import Testing

struct Person: KeyPathCoding {
    var name: String
    var age: Int
    static let keys: KeyPathTable<Person> = [
        "name": .key(\.name), "age": .key(\.age), "isAdult": .computed { $0.age > 17 },
    ]
}

struct TourExamples {
    let people = [Person(name: "Joanna", age: 30), Person(name: "jörg", age: 17), Person(name: "Ann", age: 70)]

    @Test func overview() throws {
        let results = try example {
            let predicate = try FormatPredicate("age >= %@ AND name BEGINSWITH[cd] %@", 21, "jo")
            try predicate.evaluate(with: ["name": "Joanna", "age": 30])  // true
        }
        #expect(results.texts == ["true"])
    }

    @Test func parsing() throws {
        let predicate = try FormatPredicate("%K == %@ AND %K > %d", "dept.name", "Sales", "age", 21)
        print(predicate)  // dept.name == "Sales" AND age > 21
        #expect("\(predicate)" == #"dept.name == "Sales" AND age > 21"#)
    }

    private enum Status: String, PredicateValueConvertible { case open }

    @Test func building() throws {
        let either = FormatPredicate(matching: ["publisher": "BookCo", "salesRank": 482769], combinedWith: .or)
        let dear = PredicateKey("price") * 1.19 > PredicateKey("budget") && PredicateKey("status") == Status.open
        #expect(either.predicateFormat == #"publisher == "BookCo" OR salesRank == 482769"#)
        #expect(dear.predicateFormat == #"price * 1.19 > budget AND status == "open""#)
    }

    @Test func evaluatingAndCompiling() throws {
        let adult = PredicateKey("age") >= 21
        let named = try FormatPredicate("name BEGINSWITH[cd] 'jo'")
        let both = adult && named

        let results = try example {
            try named.evaluate(with: Person(name: "Joël", age: 30))  // true
            let matches = try people.filtered(using: named)
            matches.map(\.name)
        }
        #expect(results.texts == ["true", #"["Joanna", "jörg"]"#])

        let evaluator = try PredicateEvaluator(try FormatPredicate("age >= $AGE"))
        let adults = try people.count(matching: evaluator, variables: ["AGE": 18])
        #expect(adults == 2)

        let sql = try example {
            let schema = SQLSchema(table: "people", columns: ["name": .string, "age": .integer])
            let query = try SQLCompiler(schema: schema).compile(both, entity: "people")
            query.where.text  // t0."age" >= ?1 AND predicates2_begins(t0."name", ?2, 'cd')
            query.where.bindings  // [.integer(21), .text("jo")]
        }
        #expect(sql.texts.first == #"t0."age" >= ?1 AND predicates2_begins(t0."name", ?2, 'cd')"#)
        #expect(try sql.lines.last?.get() as? [SQLBinding] == [.integer(21), .text("jo")])
    }
}
