import Foundation
import PredicateStore
import Predicates
import Testing

struct GuideExamples {
    let people = [["tenant": 7, "age": 30], ["tenant": 8, "age": 40]]

    @Test func untrusted() throws {
        let text = "age > 21 AND address.city == 'Bonn'"
        var policy = PredicatePolicy.untrusted
        policy.keys = .only(["name", "age", "address.*"])
        let predicate = try FormatPredicate(text, policy: policy)
        let evaluator = try PredicateEvaluator(predicate, policy: policy)
        #expect(try evaluator.evaluate(with: ["age": 30, "address": ["city": "Bonn"]] as [String: any Sendable]))
        #expect(throws: PredicateFormatError.self) { try FormatPredicate("salary > 1", policy: policy) }
    }

    @Test func typesOfAPolicy() throws {
        let error = PredicateFormatError.thrown {
            let schema = SQLSchema(table: "people", columns: ["name": .string, "age": .integer])
            let typed = PredicatePolicy.untrusted.checking(against: schema, entity: "people")
            _ = try FormatPredicate("age == '21'", policy: typed)  // throws: kind-mismatch
        }
        let mistake = if case .refused(.mistake(let mistake))? = error?.code { mistake.code } else { "none" }
        #expect(mistake == "kind-mismatch")
    }

    @Test func functionsUnderAPolicy() throws {
        var registry = EvaluationRegistry.standard
        registry.registerFunction("initials") { arguments in
            guard case .value(.string(let name))? = arguments.first else { return .null }
            return .value(.string(String(name.split(separator: " ").compactMap(\.first))))
        }
        var policy = PredicatePolicy.untrusted
        policy.features.insert(.hostFunction)
        policy.names = ["initials"]
        let predicate = try FormatPredicate("initials(name) == 'JS'", policy: policy)
        let evaluator = try PredicateEvaluator(predicate, policy: policy, registry: registry)
        #expect(try evaluator.evaluate(with: ["name": "Jo Smith"]))
        policy.functions.remove(.random)
        policy.features.subtract([.matches, .subquery])
        #expect(throws: PredicateFormatError.self) { try FormatPredicate("other(name) == 'JS'", policy: policy) }
    }

    @Test func refusal() throws {
        do {
            _ = try FormatPredicate("FUNCTION(name, 'uppercaseString') == 'JO'", policy: .untrusted)
        } catch {
            print(error)  // the position, the reason, and what to do instead
        }
        #expect(throws: PredicateFormatError.self) {
            try FormatPredicate("FUNCTION(name, 'uppercaseString') == 'JO'", policy: .untrusted)
        }
    }

    @Test func decoding() throws {
        struct Search: Decodable {
            var filter: FormatPredicate
        }
        let body = Data(#"{"filter": "age >= 21"}"#.utf8)
        let policy = PredicatePolicy.untrusted
        let decoder = JSONDecoder()
        decoder.userInfo[.predicatePolicy] = policy
        let search = try decoder.decode(Search.self, from: body)  // {"filter": "age >= 21"}
        #expect(try search.filter == FormatPredicate("age >= 21"))
    }

    @Test func conditions() throws {
        let decoder = JSONDecoder()
        let conditions = try JSONEncoder().encode(FormatPredicate("age >= 21 AND name BEGINSWITH[c] 'jo'").node)
        let filter = FormatPredicate(try decoder.decode(PredicateNode.self, from: conditions))
        #expect(try filter == FormatPredicate("age >= 21 AND name BEGINSWITH[c] 'jo'"))
        let json = """
            {"and": [
                {"left": {"key": "age"}, "operator": ">=", "right": {"int": 21}},
                {"left": {"key": "name"}, "operator": "BEGINSWITH", "options": "c", "right": {"string": "jo"}}
            ]}
            """
        #expect(try decoder.decode(PredicateNode.self, from: Data(json.utf8)) == filter.node)
    }

    @Test func limitsOfStatements() throws {
        let path = NSTemporaryDirectory() + "guide-\(UUID().uuidString).sqlite"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try StoreConnection(path, SQLiteOptions(.create))
            .execute("CREATE TABLE item (id INTEGER PRIMARY KEY, n INTEGER)")
        let schema = SQLSchema(table: "item", columns: ["n": .integer])
        let policy = PredicatePolicy.untrusted
        let compiler = SQLCompiler(schema: schema, dialect: PostgreSQLDialect(), limits: policy.limits)
        let store = try ObjectStore(StoreConnection(path, SQLiteOptions(limits: policy.limits)))
        let predicate = try FormatPredicate("n > 1")
        #expect(try compiler.compile(predicate, entity: "item").setup.contains("SET statement_timeout = 5000"))
        #expect(try store.fetchAll("item", where: predicate).isEmpty)
    }

    @Test func errorsAsData() throws {
        let filter = "adress.city == 'Oslo'"
        var policy = PredicatePolicy.untrusted
        policy.keys = .only(["name", "age", "address.*"])
        var body = Data()
        do {
            _ = try FormatPredicate(filter, policy: policy)
        } catch {
            body = try JSONEncoder().encode(PredicateClientError(error, in: filter, policy: policy))
        }
        let text = String(decoding: body, as: UTF8.self)
        for part in [
            #""code":"refused.key""#, #""utf8":[0,11]"#, #""replacements":["address.city"]"#,
            #""keys":["address.*","age","name"]"#,
        ] {
            #expect(text.contains(part), "\(text)")
        }
    }

    @Test func server() throws {
        let filter = "age > 21 AND name BEGINSWITH[c] 'jo'"
        let schema = SQLSchema(table: "people", columns: ["name": .string, "age": .integer])
        let policy = PredicatePolicy.untrusted
        let predicate = try FormatPredicate(filter, policy: policy)
        let compiler = SQLCompiler(schema: schema, dialect: PostgreSQLDialect(), limits: policy.limits)
        let query = try compiler.compile(predicate, entity: "people")
        let statement = query.select

        #expect(statement.text.hasPrefix("SELECT") && statement.bindings.count == 4)
    }

    @Test func typesAsTables() throws {
        struct Address: Codable {
            var city: String
        }
        struct Person: Codable {
            var id: Int
            var name: String
            var age: Int?
            var address: Address
        }
        let schema = try SQLSchema(Person.self, table: "people")
        let policy = PredicatePolicy.untrusted.checking(against: schema, entity: "Person")
        let compiler = SQLCompiler(schema: schema, dialect: PostgreSQLDialect(), limits: policy.limits)
        let tables = try schema.declarations(for: .postgresql)
        let filter = try FormatPredicate("address.city == 'Oslo' AND age > 20", policy: policy)
        let query = try compiler.compile(filter, entity: "Person")
        #expect(query.where.text.contains("\"address_city\"") && tables.count == 1)
        #expect(throws: PredicateFormatError.self) { try FormatPredicate("age == '21'", policy: policy) }
        #expect(try filter.evaluate(with: Person(id: 1, name: "Jo", age: 30, address: Address(city: "Oslo"))))
    }

    @Test func residual() throws {
        let schema = SQLSchema(table: "people", columns: ["name": .string, "age": .integer])
        let results = try example {
            let compiler = SQLCompiler(schema: schema, dialect: PostgreSQLDialect(), mode: .residual)
            let partial = try compiler.compile(
                try FormatPredicate("age > 21 AND ln(age) > 3"), entity: "people")
            partial.residual  // the part to evaluate in memory, or nil
            partial.where.text
        }
        #expect(results.texts == ["Optional(ln:(age) > 3)", #"t0."age" > $1::int8"#])
    }

    @Test func withoutFunctions() throws {
        let schema = SQLSchema(table: "person", columns: ["name": .string, "age": .integer])
        #expect(throws: SQLCompilationError.self) {
            let plain = SQLCompiler(schema: schema, dialect: SQLiteDialect(functions: []))
            _ = try plain.compile(FormatPredicate("age >= 21"), entity: "person")
            _ = try plain.compile(FormatPredicate("name CONTAINS[c] 'jo'"), entity: "person")  // throws
        }
    }

    @Test func preparing() throws {
        let evaluator = try PredicateEvaluator(try FormatPredicate("tenant == $TENANT AND age >= $AGE"))
        let count = try people.count(matching: evaluator, variables: ["TENANT": 7, "AGE": 18])
        #expect(count == 1)
    }

    @Test func schemas() throws {
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
