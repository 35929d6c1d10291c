import Foundation
import PredicateGenerators
import PredicateSyntax

/// A way to ask a question about the same rows.
enum OutputRoad: CaseIterable {
    case csv, jsonLines, sqlite, session, store, statement, memory
}

/// A column of the random rows: `("amount", "DECIMAL TEXT", "decimal")`
struct OutputColumn {
    let name: String
    /// The declaration in a SQLite file; nil for a column that only JSON and memory have.
    let sql: String?
    /// The type of `--types`.
    let type: String

    init(_ name: String, _ sql: String?, _ type: String) {
        (self.name, self.sql, self.type) = (name, sql, type)
    }

    static let all = [
        OutputColumn("id", "INTEGER PRIMARY KEY", "integer"), OutputColumn("name", "TEXT", "string"),
        OutputColumn("city", "TEXT", "string"), OutputColumn("code", "TEXT", "string"),
        OutputColumn("age", "INTEGER", "integer"), OutputColumn("big", "INTEGER", "integer"),
        // Without a declared type SQLite keeps integers and doubles apart, as JSON and cells of the type auto do.
        OutputColumn("num", "", "auto"),
        OutputColumn("price", "DOUBLE", "double"), OutputColumn("amount", "DECIMAL TEXT", "decimal"),
        OutputColumn("born", "DATE", "date"), OutputColumn("at", "DATETIME", "date"),
        OutputColumn("paid", "BOOLEAN", "boolean"),
        // Values of mixed kinds: no type of a CSV or SQLite column holds arrays, and the type auto reads "7" as a number.
        OutputColumn("mix", nil, "auto"),
    ]

    static func columns(on road: OutputRoad) -> [OutputColumn] {
        switch road {
        case .csv, .sqlite, .store, .statement: all.filter { $0.sql != nil }
        case .jsonLines, .session, .memory: all
        }
    }

    /// The setting of `--types` for columns that a format does not describe by itself.
    static func types(on road: OutputRoad) -> String? {
        switch road {
        case .csv: columns(on: road).map { "\($0.name)=\($0.type)" }.joined(separator: ",")
        case .jsonLines, .session: "born=date,at=date,amount=decimal"
        case .sqlite, .store, .statement, .memory: nil
        }
    }
}

/// Rows with awkward values: ties, nil, decimals of 38 digits, NaN, −0.0, infinities, 2⁵³ ± 1, days and times.
struct OutputRows {
    private let rows: [[PredicateValue]]

    init(_ count: Int, _ random: inout RandomSource) {
        rows = (1...count).map { Self.row($0, &random) }
    }

    /// The rows as a road has them. NaN is nil everywhere but in memory: neither CSV nor JSON has a notation for it, and
    /// SQLite stores NaN as NULL. [NSP-176]
    func values(on road: OutputRoad) -> [[String: PredicateValue]] {
        let names = Set(OutputColumn.columns(on: road).map(\.name))
        return rows.map { row in
            var members: [String: PredicateValue] = [:]
            for (column, value) in zip(OutputColumn.all, row) where names.contains(column.name) {
                members[column.name] = road != .memory && value.isNaN ? .null : value
            }
            return members
        }
    }

    private static func row(_ id: Int, _ random: inout RandomSource) -> [PredicateValue] {
        [
            .integer(Int64(id)), value(nil: 8, names, &random), value(nil: 5, cities, &random),
            value(nil: 8, codes, &random), random.percent(15) ? .null : .integer(Int64(random.below(40) + 15)),
            value(nil: 0, bigs, &random),
            // One integer that no double holds makes the column of SQLite one of integers and doubles.
            id == 1 ? .integer(9_007_199_254_740_993) : value(nil: 10, numbers, &random),
            random.oneIn(3) ? value(nil: 20, prices, &random) : .double(Double(random.below(400) - 60) / 8),
            // Few, so that sums of them have no more than 38 digits.
            id < 4 ? value(nil: 0, longAmounts, &random) : value(nil: 10, amounts, &random),
            random.percent(10) ? .null : day(&random),
            random.percent(10) ? .null : time(&random), value(nil: 0, [.bool(true), .bool(false)], &random),
            value(nil: 12, mixed, &random),
        ]
    }

    private static func value(
        nil share: Int, _ values: [PredicateValue], _ random: inout RandomSource
    ) -> PredicateValue {
        random.percent(share) ? .null : random.one(of: values)
    }

    /// Midnights of 1960 to 1989.
    private static func day(_ random: inout RandomSource) -> PredicateValue {
        .date(Date(timeIntervalSinceReferenceDate: Double(random.below(9_000) - 14_975) * 86_400))
    }

    /// Times of the first months of 2026, many of them the same.
    private static func time(_ random: inout RandomSource) -> PredicateValue {
        let day = Double(random.below(75) + 9_131) * 86_400
        return .date(Date(timeIntervalSinceReferenceDate: day + Double(random.below(4)) * 21_600 + 1_800))
    }

    // MARK: Values

    private static let names: [PredicateValue] = [
        "Ann", "ann", "Bo", "Zoé", "Zoe\u{301}", "zoe", "Émile", "Jo \"J\"", "a,b", "ß", "SS", "Ｘ", "", "한",
        "\u{1112}\u{1161}\u{11AB}", "😀", "İ", "i",
    ]
    private static let cities: [PredicateValue] = ["rome", "Rome", "Bonn", "Oslo", "Århus"]
    private static let codes: [PredicateValue] = ["9", "10", "010", "a9", "a10", "A9b", "A10", "007", "1e3", "", "-1"]
    private static let bigs: [PredicateValue] = [
        9_007_199_254_740_991, 9_007_199_254_740_992, 9_007_199_254_740_993, .integer(.max), .integer(.min), 0, 1, -7,
    ]
    private static let numbers: [PredicateValue] = [
        9_007_199_254_740_992, .double(9_007_199_254_740_992), 9_007_199_254_740_993, 3, .double(3), 2.5, -1, 0,
        .double(-0.0), 1, .double(1), .double(1e22), .double(0.1),
    ]
    private static let prices: [PredicateValue] = [
        // Without −0.0, which SQLite stores as 0 in a column of doubles.
        .double(.nan), .double(.infinity), .double(-.infinity), .double(0), .double(0.1), .double(1),
        .double(9_007_199_254_740_994), .double(1e16), .double(-1e16), .double(3), .double(.leastNonzeroMagnitude),
    ]
    private static let amounts = decimals([
        "1234567890123.4567", "1234567890123.4568", "0.1", "1", "-3", "0.10000000001", "0.100000000001",
        "123456789012345678901234.789012345678", "-123456789012345678901234.789012345679", "9007199254740993",
        "9007199254740992", "0", "2.5",
    ])
    private static let longAmounts = decimals([
        "12345678901234567890123456.789012345678", "12345678901234567890123456.789012345679",
        "-12345678901234567890123456.789012345679", "-12345678901234567890123456.789012345678",
    ])

    private static func decimals(_ texts: [String]) -> [PredicateValue] {
        texts.map { Decimal(string: $0).map(PredicateValue.decimal) ?? .null }
    }

    private static let mixed: [PredicateValue] = [
        2.5, -1, "7", .bool(true), .array([1]), .dictionary(["a": 1]), 1, .double(1), .bool(false), 0, "10",
        .array([.double(1)]), .array([1, 2.5]), .dictionary(["a": 2]), .array([]),
    ]
}

extension PredicateValue {
    fileprivate var isNaN: Bool {
        if case .double(let number) = self { number.isNaN } else { false }
    }
}

// MARK: - Files

extension OutputRows {
    var csv: String {
        let columns = OutputColumn.columns(on: .csv)
        let lines = rows.map { row in zip(columns, row).map { Self.field($1, $0) }.joined(separator: ",") }
        return ([columns.map(\.name).joined(separator: ",")] + lines).joined(separator: "\n") + "\n"
    }

    var jsonLines: String {
        rows.map { row in
            let members = zip(OutputColumn.all, row).map { "\"\($0.name)\":\(Self.json($1, isDay: $0.sql == "DATE"))" }
            return "{\(members.joined(separator: ","))}\n"
        }.joined()
    }

    var script: String {
        let columns = OutputColumn.columns(on: .sqlite)
        let table = columns.map { "\($0.name) \($0.sql ?? "")" }.joined(separator: ", ")
        let values = rows.map { row in "(" + zip(columns, row).map { Self.sql($1, $0) }.joined(separator: ", ") + ")" }
        return "CREATE TABLE t (\(table)); INSERT INTO t VALUES \(values.joined(separator: ", "));"
    }

    private static func field(_ value: PredicateValue, _ column: OutputColumn) -> String {
        guard case .string(let text) = value else {
            let json = json(value, isDay: column.sql == "DATE")
            return json == "null" ? "" : json.filter { $0 != "\"" }
        }
        // An empty cell is nil, and one in quotes an empty string.
        let isPlain = !text.isEmpty && !text.contains(where: "\",".contains)
        return isPlain ? text : "\"\(text.replacingOccurrences(of: "\"", with: "\"\""))\""
    }

    private static func sql(_ value: PredicateValue, _ column: OutputColumn) -> String {
        switch value {
        case .null: "NULL"
        case .string(let text): "'\(text)'"
        case .decimal(let number): "'\(number)'"
        case .double(let number) where number.isNaN: "NULL"
        case .double(let number) where number.isInfinite: number > 0 ? "9e999" : "-9e999"
        case .date: json(value, isDay: column.sql == "DATE").replacingOccurrences(of: "\"", with: "'")
        default: json(value, isDay: false)
        }
    }

    private static func json(_ value: PredicateValue, isDay: Bool) -> String {
        switch value {
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .double(let value) where value.isNaN: "null"
        case .double(let value) where value.isInfinite: value > 0 ? "1e999" : "-1e999"
        case .double(let value): "\(value)"
        case .decimal(let value): "\(value)"
        case .string(let text): "\"\(text.replacingOccurrences(of: "\"", with: "\\\""))\""
        case .date(let date): "\"\(date.formatted(isDay ? .iso8601.year().month().day() : .iso8601))\""
        case .array(let values): "[" + values.map { json($0, isDay: false) }.joined(separator: ",") + "]"
        case .dictionary(let members):
            "{" + members.map { "\"\($0)\":" + json($1, isDay: false) }.joined(separator: ",") + "}"
        default: "null"
        }
    }
}
