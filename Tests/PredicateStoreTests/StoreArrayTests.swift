import Foundation
import PredicateEvaluation
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Arrays of plain values that a SQLite file keeps as JSON. [NSP-430] [NSP-431]
@Suite struct StoreArrayTests {
    private let store: ObjectStore

    init() throws {
        let connection = try StoreConnection.inMemory()
        try connection.execute("CREATE TABLE post (id INTEGER PRIMARY KEY, tags TEXT, sizes TEXT)")
        let rows = [
            #"(1, '["x", "y", "x"]', '[1, 2.0, 2.5, "3"]')"#, "(2, '[]', NULL)", "(3, NULL, '[]')",
            #"(4, '["x", 1, null, true, {"a": 1}]', '[9223372036854775808, -1]')"#, "(5, 'no JSON', '{}')",
            "(6, 'null', '7')", #"(7, '["\u00e9", "X"]', '[1e2]')"#,
        ]
        try connection.execute("INSERT INTO post VALUES \(rows.joined(separator: ", "))")
        let attributes = [
            "tags": SQLAttribute(.array(.string, .json)), "sizes": SQLAttribute(.array(.integer, .json)),
        ]
        store = try ObjectStore(
            connection, schema: SQLSchema([SQLEntity("Post", table: "post", attributes: attributes)]))
    }

    private func value(_ key: String, _ id: Int64) throws -> PredicateValue? {
        try store.fetchAll(PredicateFetchRequest("Post")).first { $0.id.key == .integer(id) }?[key]
    }

    @Test func values() throws {
        #expect(try value("tags", 1) == ["x", "y", "x"])
        #expect(try value("tags", 2) == .array([]))
        #expect(try value("tags", 3) == .null)
        #expect(try value("tags", 4) == ["x", .null, .null, .null, .null])
        #expect(try value("tags", 5) == .null)
        #expect(try value("tags", 6) == .null)
        #expect(try value("sizes", 1) == [1, 2, .null, .null])
        #expect(try value("sizes", 4) == [.null, -1])
        #expect(try value("sizes", 7) == [100])
    }

    @Test func predicatesSelectWhatMemorySelects() throws {
        let objects = try store.fetchAll(PredicateFetchRequest("Post"))
        for format in [
            #"ANY tags == "x""#, #"ALL tags == "x""#, #"NONE tags == "x""#, #""x" IN tags"#, #"tags CONTAINS[c] "x""#,
            "tags == nil", "tags.@count > 2", "sizes[SIZE] == 1", #"SUBQUERY(tags, $t, $t == "x").@count == 2"#,
            "sizes.@sum.self > 0", "sizes.@max.self == 2", "ANY tags == nil", "ANY sizes == 2", #"ANY tags == "é""#,
            #"ANY tags.@distinctUnionOfObjects.self == "é""#, "NOT (ANY sizes > 1)", "ANY tags.length == 1",
        ] {
            let predicate = try FormatPredicate(format)
            let found = try store.fetchAll(PredicateFetchRequest("Post", predicate)).map(\.id.key)
            let expected = try objects.filter { try predicate.evaluate(with: $0) }.map(\.id.key)
            #expect(found == expected, "\(format)")
        }
    }

    @Test func arraysAreWrittenAsJSON() throws {
        let tags: PredicateValue = ["a\"b", .null]
        let sizes: PredicateValue = [1, 2]
        let inserted = try store.insert("Post", ["tags": tags, "sizes": sizes])
        let object = try store.fetchAll(PredicateFetchRequest("Post")).last
        #expect(object?["tags"] == ["a\"b", .null])
        #expect(object?["sizes"] == [1, 2])
        #expect(inserted.id == object?.id)
        #expect(throws: StoreError.self) { try store.insert("Post", ["tags": sizes]) }
    }

    @Test(arguments: [
        ("JSON", #"'["x", null]'"#, SQLType.array(.string, .json)), ("JSON", "'[1, 2]'", .array(.integer, .json)),
        ("json", "'[true]'", .array(.boolean, .json)), ("JSON", "'[]'", .string), ("JSON", #"'["x", 1]'"#, .string),
        ("JSON", "'{}'", .json), ("TEXT", #"'["x"]'"#, .string), ("TEXT", "'{}'", .string),
    ])
    func theDeclaredTypeTells(_ declared: String, _ value: String, _ type: SQLType) throws {
        let connection = try StoreConnection.inMemory()
        try connection.execute(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, v \(declared)); INSERT INTO t VALUES (1, \(value))")
        #expect(try connection.schema()["t"]?.attributes["v"]?.type == type)
    }

    private struct Post: Decodable {
        let tags: [String?]?
        let sizes: [Int?]?
    }

    @Test func arraysDecode() throws {
        let posts = try store.fetchAll(Post.self)
        #expect(posts[0].tags == ["x", "y", "x"])
        #expect(posts[0].sizes == [1, 2, nil, nil])
        #expect(posts[2].tags == nil)
    }
}
