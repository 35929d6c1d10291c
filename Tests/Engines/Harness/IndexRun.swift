@_spi(Dialect) import PredicateSQL
import PredicateSyntax

/// Creates the indexes of predicates on a server, and asks it for the plans: it must use each index. [NSP-440]
struct IndexRun {
    let engine: ServerEngine

    private let table = "indexed"

    private var schema: SQLSchema {
        SQLSchema([
            SQLEntity(
                table,
                attributes: [
                    "name": SQLAttribute(.string), "age": SQLAttribute(.integer),
                    "code": SQLAttribute(.string, collation: engine.kind == .postgresql ? "C" : "utf8mb4_nopad_bin"),
                    "state": SQLAttribute(.string, nativeType: "indexed_state", labels: labels),
                    "pad": SQLAttribute(.paddedString),
                    "email": SQLAttribute(.string, nativeType: "citext"),
                    "tags": SQLAttribute(.array(.string, .native)),
                ])
        ])
    }

    private static let common = [
        "age == 77", "age IN {3, 77}", "age BETWEEN {10, 19}", "NOT (age > 5)", "name == 'zca 77'",
        "name BEGINSWITH 'zca'", "name LIKE 'zc?*77'", "code > 'zzz'", "code == 'zca 77'",
    ]

    private static let formats: [EngineKind: [String]] = [
        .postgresql: common + [
            "name > 'zzz'", "name ==[c] 'ZCA 77'", "name IN[cd] {'ZCA 77', 'zoë'}", "name BEGINSWITH[cd] 'ZCA'",
            "name BEGINSWITH[c] 'zca'", "name <[c] 'AAAC'", "state == 'rare'", "state IN {'rare', 'none'}",
            "email == 'zca 77'", "email IN {'zca 77', 'ZCA 78'}", "pad == '77        '", "ANY tags == '77'",
            "ANY tags IN {'77', '78'}",
        ],
        .mariadb: common + ["name ==[c] 'ZCA 77'", "name BEGINSWITH[c] 'zca'"],
    ]

    /// Returns the number of indexes that are used, and a complaint for each that is not. Engines without indexes have
    /// none.
    func run() throws -> (agreed: Int, complaints: [String]) {
        guard let formats = Self.formats[engine.kind] else { return (0, []) }
        let compiler = SQLCompiler(schema: schema, dialect: engine.dialect)
        var (agreed, complaints) = (0, [String]())
        for format in formats {
            try engine.run(try creation())
            let predicate = try FormatPredicate(format)
            let query = try compiler.compile(predicate, entity: table)
            let indexes = try compiler.indexes(for: predicate, entity: table)
            try engine.run(query.prelude + indexes.map(\.statement) + analysis)
            let plan = try engine.plan(of: query.select)
            if indexes.count == 1, indexes.allSatisfy({ plan.contains($0.name) }) {
                agreed += 1
            } else {
                complaints.append("\(format): \(indexes.map(\.statement)) are not used: \(plan)")
            }
        }
        try engine.run(["DROP TABLE \(quoted)"])
        return (agreed, complaints)
    }

    private var quoted: String { engine.dialect.quoted(table) ?? table }

    private var analysis: [String] { engine.kind == .postgresql ? ["ANALYZE \(quoted)"] : [] }

    /// The statements that create the table, with ten thousand rows.
    private func creation() throws -> [String] {
        let types =
            engine.kind == .postgresql
            ? """
            (id bigint PRIMARY KEY, name text, age bigint, code text COLLATE "C", \
            state indexed_state, pad char(10), email citext, tags text[])
            """
            : """
            (id bigint PRIMARY KEY, name varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci, age bigint, \
            code varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin)
            """
        let rows = (0..<10).map { part in
            let values = (1_000 * part..<1_000 * part + 1_000).map {
                "(\($0), '\(Self.name($0))', \($0), '\(Self.name($0))')"
            }
            return "INSERT INTO \(quoted) (id, name, age, code) VALUES \(values.joined(separator: ", "))"
        }
        return ["DROP TABLE IF EXISTS \(quoted)"] + declarations + ["CREATE TABLE \(quoted) \(types)"] + rows + values
    }

    /// The types that only PostgreSQL has.
    private var declarations: [String] {
        guard engine.kind == .postgresql else { return [] }
        return [
            "DROP TYPE IF EXISTS indexed_state", "CREATE TYPE indexed_state AS ENUM (\(states))",
            "CREATE EXTENSION IF NOT EXISTS citext",
        ]
    }

    private var values: [String] {
        guard engine.kind == .postgresql else { return [] }
        return [
            "UPDATE \(quoted) SET email = name, pad = id::text, tags = ARRAY[id::text, 'all']",
            "UPDATE \(quoted) SET state = (ARRAY[\(states)])[id % 40 + 1]::indexed_state",
        ]
    }

    private var labels: [String] { ["rare", "none"] + (0..<38).map { "state \($0)" } }

    private var states: String { labels.map { "'\($0)'" }.joined(separator: ", ") }

    /// `zca 77`: names with many different beginnings.
    private static func name(_ number: Int) -> String {
        let letters = [number, number / 26, number / 676].map { String(Unicode.Scalar(UInt8(97 + $0 % 26))) }
        return letters.joined() + " \(number)"
    }
}
