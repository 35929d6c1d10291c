import Foundation
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Dates that are kept as texts of ISO 8601, which an index serves. [NSP-335]
@Suite struct DateTextTests {
    /// One moment in several spellings, others around it, and values that are no dates.
    private static let texts = [
        "2024-02-29T12:00:00Z", "2024-02-29T12:00:00.000Z", "2024-02-29 12:00:00", "2024-03-01T01:59:00+13:59",
        "2024-02-28T12:01:00-23:59", "2024-03-01T11:59:00+23:59", "2024-02-29", "2024-03-01", "2024-02-28",
        "2024-02-27T23:59:59.999999Z", "2024-03-02T00:00:00Z", "0000-01-01", "0000-01-01T00:00:00+23:59",
        "9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59-23:59", "2024-02-29x", "2024-02-30", "", "abc", "2024", "-1",
    ]

    private static let dates = [
        "2024-02-29T12:00:00Z", "2024-02-29T11:59:59.999Z", "2024-02-29", "2024-03-01", "0000-01-01",
        "9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59-23:59", "0000-01-01T00:00:00+23:59",
    ]

    private static func store(_ declared: String, _ attribute: SQLAttribute) throws -> ObjectStore {
        let connection = try StoreConnection.inMemory()
        try connection.execute(
            "CREATE TABLE task (id INTEGER PRIMARY KEY, due \(declared)); CREATE INDEX i ON task (due)")
        for text in texts {
            try connection.run(SQLFragment("INSERT INTO task (due) VALUES (?1)", bindings: [.text(text)]))
        }
        let others: [SQLBinding] = [
            .null, .integer(730_900_800), .double(730_900_800.5), .integer(-5), .blob(Data([50])),
        ]
        for other in others where attribute.affinity != nil {
            try connection.run(SQLFragment("INSERT INTO task (due) VALUES (?1)", bindings: [other]))
        }
        return try ObjectStore(connection, schema: SQLSchema([SQLEntity("task", attributes: ["due": attribute])]))
    }

    /// Every relation selects what it does in memory, whatever the offset of a text and its kind.
    @Test(arguments: [
        ("TEXT", SQLiteAffinity.text), ("DATETIME", .numeric), ("", .blob), ("TEXT COLLATE NOCASE", .text),
        ("TEXT", nil),
    ])
    func textsOfAllSpellings(declared: String, affinity: SQLiteAffinity?) throws {
        let collation = declared.contains("NOCASE") ? "NOCASE" : nil
        let store = try Self.store(
            declared, SQLAttribute(.date(.iso8601), collation: collation, affinity: affinity))
        let objects = try store.fetchAll("task")
        for date in Self.dates {
            for relation in ["<", "<=", "==", "!=", ">=", ">"] {
                for format in [
                    "due \(relation) CAST('\(date)', 'NSDate')", "NOT due \(relation) CAST('\(date)', 'NSDate')",
                ] {
                    let predicate = try FormatPredicate(format)
                    let expected = objects.filter { (try? predicate.evaluate(with: $0)) == true }
                    // Text that is no date raises in memory.
                    let found = try store.fetchAll("task", where: predicate).filter {
                        (try? predicate.evaluate(with: $0)) != nil
                    }
                    #expect(Set(found.map(\.id)) == Set(expected.map(\.id)), "\(format) \(declared)")
                }
            }
        }
    }

    @Test func anIndexServes() throws {
        let store = try Self.store("TEXT", SQLAttribute(.date(.iso8601), affinity: .text))
        let plan = try store.queryPlan(
            of: PredicateFetchRequest(
                "task", FormatPredicate("due >= %@ AND due < %@", Self.date(0), Self.date(86_400))))
        #expect(plan.contains("SEARCH t0 USING COVERING INDEX i (due>? AND due<?)"))
        let mixed = try Self.store("DATETIME", SQLAttribute(.date(.iso8601), affinity: .numeric))
        let later = try mixed.queryPlan(of: PredicateFetchRequest("task", FormatPredicate("due > %@", Self.date(0))))
        #expect(later.contains("MULTI-INDEX OR") && !later.contains("SCAN"))
    }

    private static func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

    /// Dates whose days are the same, and dates without a day of four digits, have bindings of their own.
    @Test func templatesKeepDaysApart() throws {
        let schema = SQLSchema([
            SQLEntity("task", attributes: ["due": SQLAttribute(.date(.iso8601), affinity: .text)])
        ])
        let compiler = SQLCompiler(schema: schema)
        for seconds in [
            [1e6, 2e6], [1e6 + 1, 1e6 + 2], [7e8, 7e8 + 86_400], [-7e10, 7e8], [3e11, 4e11], [5, 1e6],
        ] {
            let arguments = seconds.map { PredicateValue.date(Self.date($0)) }
            let predicate = try FormatPredicate(format: "due >= %@ AND due < %@", arguments: arguments)
            for _ in 0..<3 {
                let query = try compiler.compile(predicate, entity: "task")
                let fresh = try SQLCompiler(schema: schema).compile(predicate, entity: "task")
                #expect(query.select == fresh.select)
            }
        }
    }
}
