import Foundation
import PredicateStore
import Predicates
import Testing

struct MacroExamples {
    struct Person: Decodable {
        var name: String
        var age: Int
        var isAdult: Bool { age > 17 }
    }

    private static func store() throws -> ObjectStore {
        let connection = try StoreConnection.inMemory()
        try connection.execute(
            """
            CREATE TABLE Person(id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL);
            INSERT INTO Person(name, age) VALUES ('Joe', 30), ('Joan', 20), ('Jo', 3), ('Ann', 40);
            """)
        return try ObjectStore(
            connection,
            schema: SQLSchema([
                SQLEntity("Person", attributes: ["name": .init(.string), "age": .init(.integer)])
            ]))
    }

    @Test func guide() throws {
        let adults = #Predicate<Person> { $0.age >= 18 && $0.name.starts(with: "Jo") }
        let converted = try FormatPredicate(adults)
        print(converted)  // age >= 18 AND name BEGINSWITH "Jo"
        #expect("\(converted)" == #"age >= 18 AND name BEGINSWITH "Jo""#)

        let named = try FormatPredicate(#Predicate<Person> { $0.isAdult }, names: [\Person.isAdult: "adult"])
        #expect("\(named)" == "adult == 1")

        let store = try Self.store()
        let schema = store.schema
        let query = try SQLCompiler(schema: schema).compile(adults, entity: "Person")
        let people = try store.fetchAll(
            Person.self, PredicateFetchRequest(where: adults, sortedBy: [SortDescriptor(\.name)], limit: 20))
        #expect(people.map(\.name) == ["Joan", "Joe"])
        #expect(query.where.bindings.first == .integer(18))
    }
}
