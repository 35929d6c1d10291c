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
            "name BEGINSWITH[c] 'zca'", "name <[c] 'AAAC'",
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
            ? #"(id bigint PRIMARY KEY, name text, age bigint, code text COLLATE "C")"#
            : """
            (id bigint PRIMARY KEY, name varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci, age bigint, \
            code varchar(100) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin)
            """
        let rows = (0..<10).map { part in
            let values = (1_000 * part..<1_000 * part + 1_000).map {
                "(\($0), '\(Self.name($0))', \($0), '\(Self.name($0))')"
            }
            return "INSERT INTO \(quoted) VALUES \(values.joined(separator: ", "))"
        }
        return ["DROP TABLE IF EXISTS \(quoted)", "CREATE TABLE \(quoted) \(types)"] + rows
    }

    /// `zca 77`: names with many different beginnings.
    private static func name(_ number: Int) -> String {
        let letters = [number, number / 26, number / 676].map { String(Unicode.Scalar(UInt8(97 + $0 % 26))) }
        return letters.joined() + " \(number)"
    }
}
