public import PredicateSQL

/// The workload in a database: `people`, their departments, and a row for each tag.
public enum WorkloadSQL {
    /// A table of people that leads to their departments and tags.
    public static let schema = SQLSchema([
        SQLEntity(
            "people", table: "people",
            attributes: [
                "name": attribute(.string), "age": attribute(.integer), "email": attribute(.string),
                "score": attribute(.double), "active": attribute(.boolean), "created": attribute(.date),
            ],
            relationships: [
                "dept": .toOne("dept", column: "dept_id"), "tags": .toMany("tag", inverseColumn: "person_id"),
            ]),
        SQLEntity("dept", table: "dept", attributes: ["name": attribute(.string)]),
        SQLEntity("tag", table: "tag", attributes: ["name": attribute(.string)]),
    ])

    /// The tables of the schema.
    public static let tables = """
        CREATE TABLE dept (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE people (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL, email TEXT NOT NULL, score REAL NOT NULL,
            active INTEGER NOT NULL, created REAL NOT NULL, dept_id INTEGER NOT NULL REFERENCES dept (id));
        CREATE TABLE tag (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, person_id INTEGER NOT NULL REFERENCES people (id));
        CREATE INDEX tag_person ON tag (person_id);
        """

    private static func attribute(_ type: SQLType) -> SQLAttribute {
        SQLAttribute(type, isNullable: false)
    }
}

extension WorkloadPredicate {
    /// The predicate where tags are objects with names, as tables have them.
    public var relational: WorkloadPredicate {
        let formats = [
            "P07": #"ANY tags.name == "swift""#,
            "P09": #"SUBQUERY(tags, $t, $t.name BEGINSWITH "s").@count > 1"#,
            "P15": #"SUBQUERY(tags, $t, $t.name == "swift").@count > 0"#,
        ]
        var relational = self
        relational.format = formats[id] ?? format
        return relational
    }

    /// SQL as people write it. SQLite's `LIKE` folds ASCII only, so P02, P03 and P14 have expected results of their own.
    public var handwrittenSQL: String {
        "SELECT COUNT(*) FROM people WHERE \(Self.handwritten[id] ?? "1")"
    }

    /// The expected result of the handwritten SQL.
    public var handwrittenTruth: @Sendable (Person) -> Bool {
        switch id {
        case "P02": { $0.age >= 21 && $0.name.asciiLowered.starts(with: "jo".utf8) }
        case "P03": { $0.name.asciiLowered.holds("an") || $0.email.hasSuffix("@example.com") }
        case "P14": { $0.name.asciiLowered.elementsEqual("jose garcia".utf8) }
        default: truth
        }
    }

    private static let inOffices = "dept_id IN (SELECT id FROM dept WHERE name IN ('Sales', 'Legal', 'R&D'))"
    private static let isTagged = "EXISTS (SELECT 1 FROM tag WHERE person_id = people.id AND name = 'swift')"

    private static let handwritten = [
        "P01": "age > 21",
        "P02": "age >= 21 AND name LIKE 'jo%'",
        "P03": "name LIKE '%an%' OR email LIKE '%@example.com'",
        "P04": "name = 'John Smith'",
        "P05": inOffices,
        "P06": "score BETWEEN 10 AND 20",
        "P07": isTagged,
        "P08": "name GLOB 'J*n S*'",
        "P09": "(SELECT COUNT(*) FROM tag WHERE person_id = people.id AND name GLOB 's*') > 1",
        "P10": "active AND age BETWEEN 18 AND 65 AND \(inOffices) AND NOT email LIKE '%.org'",
        "P11": "score * 2 + 1 > 50 AND age < 50",
        "P12": "created > 599529600",
        "P13": "name LIKE 'j%n s_ith'",
        "P14": "name = 'jose garcia' COLLATE NOCASE",
        "P15": isTagged,
        "P16": "(SELECT COUNT(*) FROM tag WHERE person_id = people.id) > 2",
    ]
}

extension String {
    fileprivate var asciiLowered: [UInt8] {
        utf8.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
    }
}

extension [UInt8] {
    fileprivate func holds(_ needle: String) -> Bool {
        indices.contains { self[$0...].starts(with: needle.utf8) }
    }
}
