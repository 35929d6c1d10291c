import PredicateCoreData
import PredicateModel
import Testing

/// The plain tables of a model, declared for each database.
@Suite struct ModelTablesTests {
    private static let model = ManagedObjectModel(
        [
            EntityDescription(
                "Book",
                attributes: [
                    AttributeDescription("title", .string, isOptional: false), AttributeDescription("price", .decimal),
                    AttributeDescription("code", .integer16, isOptional: false), AttributeDescription("born", .date),
                    AttributeDescription("tint", .transformable),
                    AttributeDescription("place", .composite, compositeName: "Place"),
                ],
                relationships: [
                    .toOne("shelf", "Shelf", inverse: "books"), .toMany("tags", "Tag", inverse: "books"),
                ],
                uniquenessConstraints: [["title"], ["code"]]),
            EntityDescription("Shelf", relationships: [.toMany("books", "Book", inverse: "shelf", isOrdered: true)]),
            EntityDescription("Tag", relationships: [.toMany("books", "Book", inverse: "tags")]),
        ],
        composites: [CompositeDescription("Place", attributes: [AttributeDescription("x", .double)])])

    @Test func tablesHaveTheNamesOfTheModel() {
        let tables = ModelTables(Self.model).tables
        #expect(tables.map(\.name) == ["Book", "Shelf", "Tag", "Book_tags"])
        #expect(
            tables[0].columns.map(\.name) == [
                "Z_PK", "title", "price", "code", "born", "tint", "tint@data", "place.x", "shelf", "shelf.position",
            ])
        #expect(tables[0].columns.compactMap(\.references) == ["Shelf"])
        #expect(tables[3].columns.map(\.references) == ["Book", "Tag"])
        #expect(tables[3].primaryKey == ["Book", "tags"])
    }

    @Test func statementsFitEachDatabase() throws {
        let postgreSQL = try ModelTables(Self.model, for: .postgresql).script()
        #expect(
            postgreSQL[0] == """
                CREATE TABLE "Book" (
                    "Z_PK" bigint PRIMARY KEY,
                    "title" text NOT NULL,
                    "price" numeric,
                    "code" smallint NOT NULL,
                    "born" timestamp with time zone,
                    "tint" json,
                    "tint@data" bytea,
                    "place.x" double precision,
                    "shelf" bigint,
                    "shelf.position" bigint,
                    UNIQUE ("title"),
                    UNIQUE ("code")
                )
                """)
        #expect(postgreSQL.contains(#"ALTER TABLE "Book" ADD FOREIGN KEY ("shelf") REFERENCES "Shelf" ("Z_PK")"#))
        #expect(postgreSQL.contains(#"CREATE INDEX "Book.shelf" ON "Book" ("shelf")"#))
        let mariaDB = try ModelTables(Self.model, for: .mariadb).script()
        #expect(mariaDB[0].contains("UNIQUE (`code`)") && !mariaDB[0].contains("UNIQUE (`title`)"))
        #expect(!mariaDB.contains { $0.hasPrefix("CREATE INDEX") })
        let sqlite = try ModelTables(Self.model).script()
        #expect(sqlite[0].contains(#""shelf" INTEGER REFERENCES "Shelf" ("Z_PK") DEFERRABLE INITIALLY DEFERRED"#))
        // DuckDB takes references only to tables that are there.
        let duckDB = try ModelTables(Self.model, for: .duckdb).script()
        #expect(!duckDB[0].contains("REFERENCES") && duckDB[3].contains(#"REFERENCES "Tag" ("Z_PK")"#))
    }

    @Test func namesAreUniqueAndShortEnough() throws {
        let long = String(repeating: "a", count: 80)
        let model = ManagedObjectModel([
            EntityDescription(long, attributes: [AttributeDescription("a\"b", .string)]),
            EntityDescription(long + "b"),
        ])
        let tables = ModelTables(model, for: .postgresql)
        #expect(tables.tables.map(\.name.utf8.count) == [63, 63] && tables.tables[0].name != tables.tables[1].name)
        #expect(try tables.script()[0].contains("\"a\"\"b\" text"))
        let beyond = ManagedObjectModel([EntityDescription("😀")])
        let error = CoreDataError.thrown { _ = try ModelTables(beyond, for: .mysql).script() }
        #expect(error?.code == .unsupportedParts("mysql", parts: ["the name '😀'"]))
    }
}
