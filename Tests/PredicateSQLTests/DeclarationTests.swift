@testable import PredicateSQL
import PredicateSyntax
import PredicateTestSupport
import Testing

/// The tables of a schema as each database declares them, and the list of databases.
@Suite struct DeclarationTests {
    private static let schema = SQLSchema([
        SQLEntity(
            "Person", table: "person",
            attributes: [
                "name": .init(.string, column: "full \"name", isNullable: false), "born": .init(.date(.timestamp)),
                "seen": .init(.date(.since1970)), "code": .init(.uuid), "price": .init(.decimal),
                "tags": .init(.array(.string, .json)), "width": .init(.single), "boss_id": .init(.integer),
            ],
            relationships: [
                "boss": .toOne("Person", column: "boss_id"), "home": .toOne("Town", column: "town"),
                "towns": .manyToMany(
                    "Town", joinTable: "stay", sourceColumn: "person", targetColumn: "town", orderColumn: "number"),
            ]),
        SQLEntity(
            "Town", table: "town", primaryKey: "name", primaryKeyType: .string, attributes: ["name": .init(.string)]),
        SQLEntity("View", table: "view", primaryKey: "n", attributes: [:], sqlite: .init(numbersRows: true)),
    ])

    @Test func aSchemaIsDeclaredForPostgreSQL() throws {
        #expect(
            try Self.schema.declarations(for: .postgresql) == [
                """
                CREATE TABLE "person" (
                    "id" bigint PRIMARY KEY,
                    "born" timestamp with time zone,
                    "boss_id" bigint,
                    "code" uuid,
                    "full ""name" text NOT NULL,
                    "price" numeric,
                    "seen" double precision,
                    "tags" json,
                    "width" real,
                    "town" text
                )
                """,
                """
                CREATE TABLE "stay" (
                    "person" bigint NOT NULL,
                    "town" text NOT NULL,
                    "number" bigint,
                    PRIMARY KEY ("person", "town")
                )
                """,
                """
                CREATE TABLE "town" (
                    "name" text PRIMARY KEY
                )
                """,
                #"CREATE INDEX "person.boss_id" ON "person" ("boss_id")"#,
                #"CREATE INDEX "person.town" ON "person" ("town")"#,
                #"ALTER TABLE "person" ADD FOREIGN KEY ("boss_id") REFERENCES "person" ("id")"#,
                #"ALTER TABLE "person" ADD FOREIGN KEY ("town") REFERENCES "town" ("name")"#,
                #"CREATE INDEX "stay.town" ON "stay" ("town")"#,
                #"ALTER TABLE "stay" ADD FOREIGN KEY ("person") REFERENCES "person" ("id")"#,
                #"ALTER TABLE "stay" ADD FOREIGN KEY ("town") REFERENCES "town" ("name")"#,
            ])
    }

    @Test func typesAreThoseOfEachDatabase() throws {
        let sqlite = try Self.schema.declarations(for: .sqlite)[0]
        #expect(sqlite.contains(#""price" TEXT"#) && sqlite.contains(#""code" BLOB"#))
        #expect(sqlite.contains(#""boss_id" INTEGER REFERENCES "person" ("id") DEFERRABLE INITIALLY DEFERRED"#))
        let mariaDB = try Self.schema.declarations(for: .mariadb)
        let short = "VARCHAR(191) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin"
        // A key has a length, and so has a foreign key to it.
        #expect(mariaDB[2].contains("`name` \(short) PRIMARY KEY") && mariaDB[0].contains("`town` \(short)"))
        #expect(mariaDB[0].contains("`code` BINARY(16)"))
        #expect(try Self.schema.declarations(for: .duckdb)[0].contains(#""price" DECIMAL(38, 18)"#))
        let spark = try Self.schema.declarations(for: .spark)
        #expect(spark.count == 3 && spark[2] == "CREATE TABLE `town` (\n    `name` STRING NOT NULL\n) USING parquet")
    }

    /// Rows that are numbered in statements have the key of their columns.
    @Test func aKeyOfSeveralColumnsIsDeclared() throws {
        let schema = SQLSchema([
            SQLEntity(
                "Visit", table: "visit", primaryKey: "rowid",
                attributes: ["at": .init(.string, isNullable: false), "rank": .init(.integer)],
                relationships: ["town": .toOne("Town", column: "town")], sqlite: .init(numbersRows: true),
                keyColumns: ["town", "at"]),
            SQLEntity("Town", table: "town", attributes: [:]),
        ])
        #expect(
            try schema.declarations(for: .sqlite).last == """
                CREATE TABLE "visit" (
                    "at" TEXT NOT NULL,
                    "rank" INTEGER,
                    "town" INTEGER NOT NULL REFERENCES "town" ("id") DEFERRABLE INITIALLY DEFERRED,
                    PRIMARY KEY ("town", "at")
                )
                """)
        #expect(try schema.declarations(for: .mariadb).contains { $0.contains("`at` VARCHAR(191)") })
    }

    @Test func entitiesOfOneTableShareIt() throws {
        let schema = SQLSchema([
            SQLEntity(
                "Item", table: "item", attributes: ["name": .init(.string, isNullable: false)],
                discriminator: SQLDiscriminator(column: "kind", value: 1, descendants: [2])),
            SQLEntity(
                "Book", table: "item",
                attributes: ["name": .init(.string, isNullable: false), "pages": .init(.integer, isNullable: false)],
                discriminator: SQLDiscriminator(column: "kind", value: 2)),
        ])
        #expect(
            try schema.declarations(for: .duckdb) == [
                """
                CREATE TABLE "item" (
                    "id" BIGINT PRIMARY KEY,
                    "kind" BIGINT NOT NULL,
                    "name" VARCHAR NOT NULL,
                    "pages" BIGINT
                )
                """
            ])
    }

    @Test func whatADatabaseLacksIsRefused() throws {
        let any = SQLSchema(table: "t", columns: ["v": .any])
        #expect(try any.declarations(for: .sqlite)[0].contains(#""v" BLOB"#))
        func error(_ schema: SQLSchema, _ engine: SQLEngine) -> SQLSchemaError? {
            SQLSchemaError.thrown { try schema.declarations(for: engine) }
        }
        #expect(error(any, .mysql)?.title == "mysql cannot declare the type of t.v")
        let native = SQLSchema(table: "t", columns: ["v": .array(.integer, .native)])
        #expect(try native.declarations(for: .postgresql)[0].contains(#""v" bigint[]"#))
        #expect(error(native, .sqlite)?.code == .undeclarable("the type of t.v", database: "sqlite"))
        let name = SQLSchema(table: "😀", columns: [:])
        #expect(error(name, .mariadb)?.code == .undeclarable("the name '😀'", database: "mariadb"))
    }

    /// The compiler keeps what it has computed for a database of the list.
    @Test(arguments: SQLEngine.allCases) func aDatabaseOfTheListIsReadOnce(engine: SQLEngine) {
        #expect(engine.dialect.name == engine.rawValue)
        #expect(CompilerDialect.of(engine.dialect) === CompilerDialect.of(engine.dialect))
        #expect(SQLEngine(word: engine.rawValue.uppercased()) == engine)
    }
}
