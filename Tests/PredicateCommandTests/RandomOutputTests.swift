import Foundation
import PredicateGenerators
import Testing

/// Random options of `predicate filter` on the same rows in a CSV file, as JSON Lines and in a SQLite file: the output is
/// the same.
///
/// PREDICATES_OUTPUT_COUNT is the number of questions for each seed.
struct RandomOutputTests {
    private static let count = ProcessInfo.processInfo.environment["PREDICATES_OUTPUT_COUNT"].flatMap { Int($0) } ?? 60

    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func oneOutput(seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let rows = (1...40).map { RandomRow($0, &random) }
        let files = ["rows.csv": RandomRow.csv(rows), "rows.jsonl": RandomRow.json(rows)]
        try withStore(RandomRow.script(rows), files) { store, paths in
            for _ in 0..<Self.count {
                let words = RandomOptions.words(&random)
                let expected = Self.run(words, paths["rows.csv"])
                let json = Self.run(words + ["--types", "born=date,at=date"], paths["rows.jsonl"])
                let rows = Self.run(words, store)
                #expect(json == expected, "JSON Lines, seed \(seed): \(Self.line(words))")
                #expect(rows == expected, "SQLite, seed \(seed): \(Self.line(words))")
            }
        }
    }

    private static func run(_ words: [String], _ file: String?) -> String {
        let outcome = predicate(["filter"] + words + [file ?? ""], source: silence)
        return "\(outcome.status)\n\(outcome.output)"
    }

    private static func line(_ words: [String]) -> String {
        words.map { $0.contains(where: { !$0.isLetter && $0 != "-" }) ? "\"\($0)\"" : $0 }.joined(separator: " ")
    }
}

/// A row of the three files.
private struct RandomRow {
    private let cells: [Cell]

    fileprivate enum Cell {
        case null
        case plain(String)
        case text(String)
        case bool(Bool)
    }

    private static let columns = [
        ("id", "INTEGER PRIMARY KEY"), ("name", "TEXT"), ("city", "TEXT"), ("age", "INTEGER"), ("qty", "INTEGER"),
        ("price", "DOUBLE"), ("born", "DATE"), ("at", "DATETIME"), ("paid", "BOOLEAN"), ("big", "INTEGER"),
    ]

    init(_ id: Int, _ random: inout RandomSource) {
        func cell(nil share: Int, _ cell: (inout RandomSource) -> Cell) -> Cell {
            random.percent(share) ? .null : cell(&random)
        }
        cells = [
            .plain("\(id)"),
            cell(nil: 10) { .text($0.pick("Ann", "ann", "Bo", "Zoé", "zoe", "Émile", "Jo \"J\"", "a,b", "ß", "Ｘ")) },
            cell(nil: 5) { .text($0.pick("rome", "Rome", "Bonn", "Oslo", "Århus")) },
            cell(nil: 20) { .plain("\($0.below(60) + 5)") },
            .plain("\(random.below(7) - 2)"),
            cell(nil: 15) { .plain("\(Double($0.below(4000) - 300) / 8)") },
            cell(nil: 10) { .text("19\($0.below(30) + 60)-0\($0.below(9) + 1)-\($0.below(18) + 10)") },
            cell(nil: 10) { .text("2026-0\($0.below(3) + 1)-1\($0.below(9))T\($0.below(10) + 10):30:00Z") },
            .bool(random.oneIn(2)),
            .plain(random.oneIn(12) ? "9007199254740993000" : "\(random.below(1000))"),
        ]
    }

    static func csv(_ rows: [RandomRow]) -> String {
        let header = columns.map(\.0).joined(separator: ",")
        return ([header] + rows.map { $0.cells.map(\.field).joined(separator: ",") }).joined(separator: "\n") + "\n"
    }

    static func json(_ rows: [RandomRow]) -> String {
        rows.map { row in
            let members = zip(columns, row.cells).map { "\"\($0.0)\":\($1.json)" }
            return "{\(members.joined(separator: ","))}\n"
        }.joined()
    }

    static func script(_ rows: [RandomRow]) -> String {
        let table = columns.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        let values = rows.map { "(\($0.cells.map(\.sql).joined(separator: ", ")))" }
        return "CREATE TABLE t (\(table)); INSERT INTO t VALUES \(values.joined(separator: ", "));"
    }
}

extension RandomRow.Cell {
    fileprivate var field: String {
        switch self {
        case .null: ""
        case .plain(let text): text
        case .text(let text):
            text.contains(where: "\",".contains) ? "\"\(text.replacingOccurrences(of: "\"", with: "\"\""))\"" : text
        case .bool(let value): "\(value)"
        }
    }

    fileprivate var json: String {
        switch self {
        case .null: "null"
        case .plain(let text): text
        case .text(let text): "\"\(text.replacingOccurrences(of: "\"", with: "\\\""))\""
        case .bool(let value): "\(value)"
        }
    }

    fileprivate var sql: String {
        switch self {
        case .null: "NULL"
        case .plain(let text): text
        case .text(let text): "'\(text)'"
        case .bool(let value): value ? "1" : "0"
        }
    }
}

/// Words of the command line, without the file.
private enum RandomOptions {
    private static let predicates = [
        "age != nil AND age > 20", "name != nil AND name BEGINSWITH[cd] 'z'", "city IN {'Rome', 'Bonn'}", "paid == YES",
        "price != nil AND qty != 0 AND price / qty < 40.5", "born < '1975'", "NOT at < '2026-02'", "name == nil",
        "id > 99",
        "qty > 0 OR city ==[c] 'rome'", "at != nil AND month(at) == 2", "born BETWEEN {'1965', '1980'}",
    ]

    private static let columns = ["id", "name", "city", "age", "qty", "price", "born", "at", "paid", "big"]

    /// Numbers, or nil
    private static let numbers = [
        "age", "qty", "price", "big", "id", "price * qty", "age + 1", "age / 2", "price / 3", "qty * 1.5",
        "length(name)",
        "year(born)", "month(at)", "day(born)", "age * age - qty", "abs(qty)", "floor(price)", "round:(price)",
        "TERNARY(age > 30, 1, 0)", "price * 1.0 / qty", "name.length", "modulus:by:(age, 7)", "sqrt(age)", "big * 3",
        "hour(at)", "max({age, qty})", "-qty", "age ** 2", "big - age", "ceiling:(price)", "trunc(price)",
    ]

    private static let texts = [
        "name", "city", "lowercase(city)", "uppercase(name)", "TERNARY(paid == YES, 'yes', 'no')",
        "TERNARY(age > 30, name, city)", "lowercase(name)",
    ]

    private static let others = [
        "born", "at", "paid", "date:truncatedTo:(at, 'month')", "date:truncatedTo:(born, 'year')",
    ]

    static func words(_ random: inout RandomSource) -> [String] {
        var words = random.percent(60) ? [random.one(of: predicates)] : ["TRUEPREDICATE"]
        if random.oneIn(6) { words.append("--invert") }
        words += random.percent(40) ? groups(&random) : rows(&random)
        if random.oneIn(5) { words += ["--zone", random.pick("Europe/Berlin", "America/New_York")] }
        return words
    }

    private static func value(_ random: inout RandomSource) -> String {
        random.weighted([numbers: 5, texts: 3, others: 2]).map { random.one(of: $0) } ?? "id"
    }

    /// Values under their own names or others, which differ.
    private static func items(_ random: inout RandomSource, most: Int) -> [String] {
        var values: [String] = []
        for _ in 0...random.below(most) {
            let value = value(&random)
            if !values.contains(value) { values.append(value) }
        }
        return values.enumerated().map { random.oneIn(3) ? "\($1) AS \("klmnop".dropFirst($0).prefix(1))" : $1 }
    }

    // MARK: Rows

    private static func rows(_ random: inout RandomSource) -> [String] {
        if random.oneIn(12) { return ["--count"] }
        var words: [String] = []
        let keys = random.percent(75) ? items(&random, most: 4) : []
        if !keys.isEmpty { words += ["-k", keys.joined(separator: ",")] }
        if random.percent(60) { words += sort(keys, &random) }
        if random.oneIn(3), !keys.isEmpty { words.append("--distinct") }
        words += page(&random) + digits(&random)
        return words + ["-o", keys.isEmpty ? "jsonl" : random.pick("jsonl", "csv", "json", "tsv")]
    }

    private static func sort(_ keys: [String], _ random: inout RandomSource) -> [String] {
        let names = keys.map { $0.components(separatedBy: " AS ").last ?? $0 }
        var items: [String] = []
        for _ in 0...random.below(2) {
            let name = random.oneIn(2) ? random.any(of: names) : nil
            let key = name ?? value(&random)
            items.append(random.oneIn(2) ? "-" + key : key)
        }
        return ["--sort", items.joined(separator: ",")] + (random.oneIn(5) ? ["--ignore-case"] : [])
    }

    private static func page(_ random: inout RandomSource) -> [String] {
        switch random.below(6) {
        case 0: ["--first", "\(random.below(12) + 1)"]
        case 1: ["--last", "\(random.below(12) + 1)"]
        case 2: ["--offset", "\(random.below(15))"]
        case 3: ["--offset", "\(random.below(9))", "--first", "\(random.below(9) + 1)"]
        default: []
        }
    }

    private static func digits(_ random: inout RandomSource) -> [String] {
        random.oneIn(6) ? ["--digits", "\(random.below(4))"] : []
    }

    // MARK: Groups

    private static func groups(_ random: inout RandomSource) -> [String] {
        let isCount = random.oneIn(3)
        let keys = isCount || random.percent(80) ? items(&random, most: 2) : []
        var words = keys.isEmpty ? [] : [isCount ? "--count-by" : "--group-by", keys.joined(separator: ",")]
        var names = keys.map { $0.components(separatedBy: " AS ").last ?? $0 } + ["count"]
        for index in 0..<(keys.isEmpty ? 1 : 0) + random.below(3) {
            let function = random.pick("sum", "avg", "min", "max", "median")
            let isExtreme = ["min", "max"].contains(function)
            words += ["--" + function, "\(isExtreme ? value(&random) : random.one(of: numbers)) AS v\(index)"]
            names.append("v\(index)")
        }
        if random.oneIn(4) { words += ["--having", "count > \(random.below(3))"] }
        if random.oneIn(3) {
            words += ["--sort", (random.oneIn(2) ? "-" : "") + random.one(of: names)]
            if random.oneIn(4) { words.append("--ignore-case") }
        }
        return words + page(&random) + digits(&random) + ["-o", random.pick("jsonl", "csv", "json", "tsv")]
    }
}
