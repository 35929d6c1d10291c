import PredicateSQL
import PredicateStore
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Indexes of texts as `[c]`, `[d]` and `[cd]` fold them.
@Suite struct FoldIndexTests {
    private let directory: TemporaryDirectory
    private let store: ObjectStore

    init() throws {
        directory = try TemporaryDirectory()
        let connection = try directory.database(
            "store.sqlite",
            """
            CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, age INTEGER);
            WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
            INSERT INTO person SELECT i, 'Name ' || i, i % 100 FROM n;
            INSERT INTO person (name) VALUES ('Zoë'), ('ZOE'), ('zoe\u{301}'), ('zoes'), (NULL), ('Straße'), ('strasse');
            """)
        store = try ObjectStore(connection)
    }

    private static let both: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]

    private func plan(_ format: String, _ sortKeys: [SortKey] = []) throws -> String {
        try store.queryPlan(of: PredicateFetchRequest("person", try FormatPredicate(format), sortKeys: sortKeys))
    }

    private func names(_ format: String) throws -> [PredicateValue?] {
        try store.fetchAll("person", where: FormatPredicate(format)).map { $0["name"] }
    }

    @Test(
        arguments: [
            ("name ==[cd] 'zoe'", "(<expr>=?)"), ("name IN[cd] {'zoe', 'name 7'}", "(<expr>=?)"),
            ("name LIKE[cd] 'zoe'", "(<expr>=?)"), ("name <[cd] 'name 11'", "(<expr><?)"),
            ("name BETWEEN[cd] {'zoe', 'zof'}", "(<expr>>? AND <expr><?)"),
            ("name BEGINSWITH[cd] 'zo'", "(<expr>>? AND <expr><?)"),
            ("name LIKE[cd] 'zo*'", "(<expr>>? AND <expr><?)"), ("name LIKE[cd] 'z?e*'", "(<expr>>? AND <expr><?)"),
        ])
    func serves(_ format: String, by terms: String) throws {
        let before = try names(format)
        #expect(try !plan(format).contains("INDEX predicates2_fold_cd(person.name)"))
        try store.createIndex(on: "person", "name", folding: Self.both)
        let plan = try plan(format)
        #expect(plan.contains("INDEX predicates2_fold_cd(person.name) \(terms)"), "\(plan)")
        #expect(try Set(names(format)) == Set(before))
    }

    /// SQLite uses each index that is created for a predicate. [NSP-440]
    @Test(
        arguments: [
            ("age == 3", ["index(person.age)"]), ("age < 2 AND age != 1", ["index(person.age)"]),
            ("name BEGINSWITH 'Zo'", ["index(person.name)"]), ("name > 'Zo'", ["index(person.name)"]),
            ("name == 'Zoë' OR age == 3", ["index(person.name)", "index(person.age)"]),
            ("name ==[c] 'zoe'", ["predicates2_fold_c(person.name)"]),
            ("name BEGINSWITH[cd] 'zo'", ["predicates2_fold_cd(person.name)"]),
        ])
    func areCreatedForAPredicate(_ format: String, _ expected: [String]) throws {
        let before = try names(format)
        #expect(try store.createIndexes(for: FormatPredicate(format), on: "person") == expected)
        let plan = try plan(format)
        for name in expected { #expect(plan.contains("INDEX \(name) ("), "\(plan)") }
        #expect(try Set(names(format)) == Set(before))
    }

    @Test func indexesOfAnUnknownKey() throws {
        let error = StoreError.thrown {
            try store.createIndexes(for: FormatPredicate("wings == 3"), on: "person")
        }
        guard case .compilation? = error?.code else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func aPrefixEndsWhereACharacterDoes() throws {
        try store.createIndex(on: "person", "name", folding: .caseInsensitive)
        #expect(try names("name BEGINSWITH[c] 'zoe'") == [.string("ZOE"), .string("zoes")])
        #expect(try names("name BEGINSWITH[c] 'stras'") == [.string("strasse")])
        #expect(try names("name ==[c] 'STRASSE'") == [.string("Straße"), .string("strasse")])
    }

    @Test func serveSortKeys() throws {
        let key = SortKey("name", options: Self.both)
        #expect(try plan("TRUEPREDICATE", [key]).contains("TEMP B-TREE"))
        try store.createIndex(on: "person", "name", folding: Self.both)
        #expect(try !plan("TRUEPREDICATE", [key]).contains("TEMP B-TREE"))
    }

    @Test func statementsOfOneShapeShareATemplate() throws {
        try store.createIndex(on: "person", "name", folding: .caseInsensitive)
        for (number, needle) in ["ZO", "NAME 19", "stra"].enumerated() {
            let predicate = try FormatPredicate("name BEGINSWITH[c] %@", needle)
            #expect(try store.fetchCount(PredicateFetchRequest("person", predicate)) == [4, 111, 2][number])
        }
    }

    @Test func areCreatedAndDroppedOnce() throws {
        for _ in 0..<2 { try store.createIndex(on: "person", "name", folding: .caseInsensitive) }
        #expect(store.schema.entities["person"]?.attributes["name"]?.indexedFolds == [.caseInsensitive])
        let copy = store
        try copy.createIndex(on: "person", "name", folding: .diacriticInsensitive)
        #expect(
            store.schema.entities["person"]?.attributes["name"]?.indexedFolds
                == [.caseInsensitive, .diacriticInsensitive])
        for _ in 0..<2 { try store.dropIndex(on: "person", "name", folding: .caseInsensitive) }
        #expect(store.schema.entities["person"]?.attributes["name"]?.indexedFolds == [.diacriticInsensitive])
    }

    @Test func areFoundByOtherStores() throws {
        try store.createIndex(on: "person", "name", folding: .caseInsensitive)
        let other = try StoreConnection(store.connection.path)
        #expect(try other.schema() == store.schema)
        let flat = SQLSchema(table: "PERSON", columns: ["name": .string])
        let found = try ObjectStore(other, schema: flat).schema.entities["PERSON"]
        #expect(found?.attributes["name"]?.indexedFolds == [.caseInsensitive])
        #expect(try SQLSchema(json: store.schema.json) == store.schema)
    }

    @Test(
        arguments: [
            ("predicates2_fold_c(name)", true), ("Predicates2_Fold_C([name]) DESC, age", true),
            ("age, predicates2_fold_c(name)", false), ("predicates2_fold_c(name || 'x')", false),
            ("predicates2_fold_c(name) COLLATE NOCASE", false), ("predicates2_fold_c(name)) WHERE (age > 3", false),
        ])
    func ofOthersCountIfTheyBeginWithAFold(_ terms: String, counts: Bool) throws {
        try store.connection.execute("CREATE INDEX own ON person (\(terms))")
        let schema = try store.connection.schema()
        #expect(
            schema.entities["person"]?.attributes["name"]?.indexedFolds == (counts ? [.caseInsensitive] : []))
    }

    @Test func namesWithDotsAndQuotesAreTold() throws {
        try store.connection.execute(#"CREATE TABLE "a.b" ("c" TEXT, "x""y" TEXT); CREATE TABLE a ("b.c" TEXT)"#)
        let store = try ObjectStore(store.connection)
        for (entity, key) in [("a.b", "c"), ("a", "b.c"), ("a.b", #"x"y"#)] {
            try store.createIndex(on: entity, key, folding: .caseInsensitive)
            #expect(
                store.schema.entities[entity]?.attributes[key]?.indexedFolds == [.caseInsensitive], "\(entity)")
        }
    }

    @Test func indexesOfOtherVersionsAreDropped() throws {
        try store.createIndex(on: "person", "name", folding: .caseInsensitive)
        // Its function would be missing; the name tells the version.
        try store.connection.execute(#"CREATE INDEX "predicates1_fold_cd(person.name)" ON person (name)"#)
        try store.connection.execute(#"CREATE INDEX "predicates_fold_names" ON person (name)"#)
        #expect(try store.dropOutdatedIndexes() == ["predicates1_fold_cd(person.name)"])
        #expect(try store.dropOutdatedIndexes() == [])
        #expect(try plan("name ==[c] 'zoe'").contains("INDEX predicates2_fold_c(person.name)"))
    }

    @Test func refusals() throws {
        let store = store
        func code(_ entity: String, _ key: String, _ options: ComparisonOptions) -> StoreError.Code? {
            do throws(StoreError) {
                try store.createIndex(on: entity, key, folding: options)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code("person", "age", .caseInsensitive) == .notAStringAttribute("age", entity: "person"))
        for options: ComparisonOptions in [[], .localeSensitive, [.caseInsensitive, .normalized]] {
            #expect(code("person", "name", options) == .unsupportedFolding)
        }
        let unknown = SQLCompilationError.Code.unknownKey("nam", entity: "person", nearMisses: ["name"])
        guard case .compilation(let error)? = code("person", "nam", .caseInsensitive) else {
            Issue.record("an unknown key was accepted")
            return
        }
        #expect(error.code == unknown)
        let reader = try ObjectStore(StoreConnection(store.connection.path))
        #expect(throws: StoreError(.readOnlyConnection)) {
            try reader.createIndex(on: "person", "name", folding: .caseInsensitive)
        }
    }
}
