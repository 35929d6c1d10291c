import Foundation
import PredicateSQL
import PredicateStore
import PredicateTestSupport
import Predicates
import Testing

/// A type of the program as the one description for memory, SQL, tables and a policy.
@Suite struct TypeSchemaTests {
    private enum Rank: String, Codable { case junior, senior }

    private struct Address: Codable {
        var city: String
        var zip: Int?
    }

    /// Without a table of key paths.
    private struct Customer: Codable {
        var id: Int
        var name: String
        var age: Int?
        var rank: Rank
        var home: Address
        var tags: [String]
        var joined: Date
        var orders: [Address] = []
        var site: URL?
        var isAdult: Bool { (age ?? 0) > 17 }
    }

    private struct Book: KeyPathCoding {
        var isbn = "", price = Decimal(1), pages: Int32 = 1, weight: Float = 1, sold: Bool?
        var code = UUID(), cover: Data?
        var size: Double { weight.isNaN ? 0 : 1 }
        static let keys: KeyPathTable<Book> = [
            "isbn": .key(\.isbn), "price": .key(\.price), "pages": .key(\.pages), "weight": .key(\.weight),
            "sold": .key(\.sold), "code": .key(\.code), "cover": .key(\.cover), "size": .key(\.size),
            "isLong": .computed { $0.pages > 500 },
        ]
    }

    private static let customers = [
        Customer(
            id: 1, name: "José", age: 30, rank: .senior, home: Address(city: "Oslo", zip: 150), tags: ["a", "b"],
            joined: Date(timeIntervalSinceReferenceDate: 1000)),
        Customer(
            id: 2, name: "Ann", age: nil, rank: .junior, home: Address(city: "Rome", zip: nil), tags: [],
            joined: Date(timeIntervalSinceReferenceDate: 2000)),
        Customer(
            id: 3, name: "Joe", age: 12, rank: .junior, home: Address(city: "Oslo", zip: 7), tags: ["b"],
            joined: Date(timeIntervalSinceReferenceDate: 3000)),
    ]

    private static func schema() throws -> SQLSchema { try SQLSchema(Customer.self, table: "customers") }

    private static func store() throws -> ObjectStore {
        let connection = try StoreConnection.inMemory()
        for statement in try schema().declarations(for: .sqlite) { try connection.execute(statement) }
        try connection.execute(
            """
            INSERT INTO customers (id, name, age, rank, home_city, home_zip, tags, joined) VALUES
                (1, 'José', 30, 'senior', 'Oslo', 150, '["a", "b"]', 1000),
                (2, 'Ann', NULL, 'junior', 'Rome', NULL, '[]', 2000),
                (3, 'Joe', 12, 'junior', 'Oslo', 7, '["b"]', 3000)
            """)
        return try ObjectStore(connection, schema: schema())
    }

    @Test func aStructIsATable() throws {
        let entity = try #require(try Self.schema()["Customer"])
        #expect(entity.table == "customers" && entity.primaryKey == "id" && entity.primaryKeyType == .integer)
        let expected: [String: SQLAttribute] = [
            "name": .init(.string, isNullable: false), "age": .init(.integer),
            "rank": .init(.string, isNullable: false),
            "home.city": .init(.string, column: "home_city", isNullable: false),
            "home.zip": .init(.integer, column: "home_zip"),
            "tags": .init(.array(.string, .json), isNullable: false), "joined": .init(.date, isNullable: false),
        ]
        #expect(entity.attributes == expected && entity.relationships.isEmpty)
    }

    @Test func aTableOfKeyPathsIsATable() throws {
        let entity = try #require(try SQLSchema(Book.self, primaryKey: "isbn", dates: .timestamp)["Book"])
        #expect(entity.primaryKeyType == .string)
        let types: [String: SQLType] = [
            "price": .decimal, "pages": .integer, "weight": .single, "sold": .boolean, "code": .uuid, "cover": .data,
        ]
        #expect(entity.attributes.mapValues(\.type) == types)
        #expect(entity.attributes.filter(\.value.isNullable).keys.sorted() == ["cover", "sold"])
    }

    /// Memory and SQL select the same, under a policy that knows the types.
    @Test(arguments: [
        ("age >= 18 AND name BEGINSWITH[cd] 'jo'", [1]), ("home.city == 'Oslo'", [1, 3]), ("rank == 'junior'", [2, 3]),
        ("ANY tags == 'b' AND age != nil", [1, 3]), ("home.zip == nil OR tags.@count > 1", [1, 2]),
        ("id IN {1, 3} AND joined > CAST(2000, 'NSDate')", [3]),
    ])
    func oneDescriptionServesBoth(_ format: String, _ expected: [Int]) throws {
        let policy = PredicatePolicy.untrusted.checking(against: try Self.schema(), entity: "Customer")
        let predicate = try FormatPredicate(format, policy: policy)
        #expect(try Self.customers.filtered(using: predicate).map(\.id) == expected)
        let found = try Self.store().fetchAll(PredicateFetchRequest("Customer", predicate, sortKeys: [SortKey("id")]))
        #expect(
            try found.map { try #require($0.value(forKey: "id")?.predicateValue) }
                == expected.map { .integer(Int64($0)) })
    }

    @Test func aPolicyRefusesWhatTheTypeLacks() throws {
        for policy in [
            PredicatePolicy.untrusted.checking(against: try Self.schema(), entity: "Customer"),
            PredicatePolicy.untrusted.checking(against: Customer.self),
        ] {
            for format in ["age == '21'", "nmae == 'jo'", "home.town == 'Oslo'", "rank == 3", "tags == 'b'"] {
                #expect(throws: PredicateFormatError.self, "\(format)") { try FormatPredicate(format, policy: policy) }
            }
            let error = PredicateFormatError.thrown { try FormatPredicate("nmae == 'jo'", policy: policy) }
            let shown = PredicateClientError(try #require(error), in: "nmae == 'jo'", policy: policy)
            #expect(shown.code == "unknown-key" && shown.replacements == ["name"] && shown.keys.contains("id"))
            let other = PredicateFormatError.thrown { try FormatPredicate("idd == 1", policy: policy) }
            #expect(PredicateClientError(try #require(other), in: "idd == 1", policy: policy).replacements == ["id"])
        }
    }

    @Test func everyDatabaseDeclaresIt() throws {
        for engine in SQLEngine.allCases {
            let schema = try SQLSchema(Customer.self, dates: engine == .sqlite ? .since2001 : .timestamp)
            #expect(try schema.declarations(for: engine).count == 1)
        }
    }

    @Test func aTypeWithoutKeysIsAnError() {
        for make in [{ try SQLSchema(Int.self) }, { try SQLSchema([String: Any].self) }, { try SQLSchema(Rank.self) }] {
            #expect(throws: SQLSchemaError.self) { try make() }
        }
        let error = SQLSchemaError.thrown { try SQLSchema(Int.self) }
        #expect(error?.description.contains("KeyPathCoding") == true)
    }
}
