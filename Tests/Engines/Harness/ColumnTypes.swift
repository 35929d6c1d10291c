import Foundation
import PredicateAgreement
import PredicateSQL
import PredicateSyntax

/// A column of a declared type, the values that clients read from it, and what is asked about them.
struct TypedColumn {
    let declaration: String
    let type: SQLType
    let cells: [Cell]
    let questions: [String]
    /// True if the schema names the type, for what follows from its limits.
    let isNamed: Bool

    init(_ declaration: String, _ type: SQLType, _ cells: [Cell], _ questions: [String], isNamed: Bool = false) {
        (self.declaration, self.type, self.cells, self.questions) = (declaration, type, cells, questions)
        self.isNamed = isNamed
    }
}

/// The types that applications have, beside those of random worlds.
enum ColumnTypes {
    static func all(of engine: String) -> [TypedColumn] {
        switch engine {
        case "sqlite":
            [arrays("TEXT", .string, .json, texts), arrays("TEXT", .integer, .json, wholes), damaged("")]
        case "postgresql":
            [
                single("real"), padded("char(7)"), whole("smallint", 32_767), whole("int", 2_147_483_647),
                whole("numeric(5, 0)", 99_999, least: -99_999),
                decimals("numeric(10,2)", "99999999.99"), days("date"), moments("timestamp"),
                strings("varchar(40)"), strings("text collate \"C\""),
                arrays("text[]", .string, .native, texts), arrays("varchar(40)[]", .string, .native, texts),
                arrays("int[]", .integer, .native, smallWholes), arrays("bigint[]", .integer, .native, wholes),
                arrays("jsonb", .string, .json, texts), arrays("json", .integer, .json, wholes),
                arrays("jsonb", .double, .json, fractions), damaged("jsonb"),
            ]
        case "mariadb", "mysql":
            [
                single("float"), strings("char(40)"), strings("varchar(40)"), whole("smallint", 32_767),
                whole("tinyint", 127), whole("int unsigned", 4_294_967_295, least: 0),
                decimals("decimal(10,2)", "99999999.99"),
                decimals("decimal(40,20)", "99999999999999999999.99999999999999999999"), days("date"),
                moments("datetime(6)"),
                arrays("longtext", .string, .json, texts), arrays("json", .integer, .json, wholes),
                arrays("longtext", .double, .json, fractions), damaged("longtext"),
            ]
        case "duckdb":
            [
                single("FLOAT"), strings("VARCHAR"), strings("VARCHAR COLLATE NOCASE"),
                strings("VARCHAR COLLATE NOACCENT"), whole("SMALLINT", 32_767), whole("TINYINT", 127),
                whole("INTEGER", 2_147_483_647), whole("UINTEGER", 4_294_967_295, least: 0),
                decimals("DECIMAL(10,2)", "99999999.99"), decimals("DECIMAL(18,9)", "999999999.999999999"),
                decimals("DECIMAL(5,1)", "9999.9"), decimals("DECIMAL(19,3)", "9999999999999999.999"), days("DATE"),
                moments("TIMESTAMP"),
                arrays("VARCHAR[]", .string, .native, texts), arrays("BIGINT[]", .integer, .native, wholes),
                arrays("VARCHAR", .string, .json, texts), arrays("JSON", .integer, .json, wholes),
                arrays("VARCHAR", .double, .json, fractions), damaged("VARCHAR"),
            ]
        case "spark":
            [
                single("float"), strings("string"), whole("smallint", 32_767), whole("tinyint", 127),
                whole("int", 2_147_483_647), decimals("decimal(10,2)", "99999999.99"), days("date"),
                arrays("array<string>", .string, .native, texts),
                arrays("array<bigint>", .integer, .native, wholes), arrays("string", .string, .json, texts),
                arrays("string", .integer, .json, wholes), arrays("string", .double, .json, fractions),
                damaged("string"),
            ]
        default: []
        }
    }

    // MARK: - Numbers

    private static let numberQuestions = [
        "v == 0.1", "v != 0.1", "v > 0.1", "v <= 0.1", "NOT v > 0.1", "v == 1", "v == nil", "v IN {1, 0.5, 0.1}",
        "v BETWEEN {0, 0.5}", "v * v > 0.02", "v + v == 1", "v * 2 == 1", "v * 1.5 > 0.2", "abs:(v) == 0.5", "-v < 0",
        "v == id", "v < id", "sqrt:(v) > 0.5", "v == 16777217", "v < 16777217.0", "v > -3", "floor:(v) == 0",
        "TERNARY(id > 2, v, 0.5) == 0.5", "v > 40000", "v >= -40000", "v + 1 > 127", "v == 40000.5",
    ]

    private static func single(_ declaration: String) -> TypedColumn {
        let values: [Double] = [0, 0.5, 1, -2.5, 0.1, 0.2, 16_777_216, 3, 1e30, -1e-30]
        let cells = values.map { Cell(stored: .double($0), value: .double(Double(Float($0)))) }
        return TypedColumn(declaration, .single, cells + [.null], numberQuestions)
    }

    private static let limitQuestions = [
        "v * v > 4", "v + v < 0", "v + v != 0", "-v > 0", "NOT v - id > 1", "v * v * v > 5", "v * id - v > 3",
        "v - 1 < -5",
        "v * 1000000007 > 5", "v + 9223372036854775807 > 0", "1 - v * v <= 0", "others.@sum.v > 5", "others.@sum.v < v",
        "others.@sum.v != 3", "others.@avg.v > 1", "others.@min.v * v > 2", "v * other.v >= 4", "v / 2 > 0",
        "v * v - v > other.v", "TERNARY(id > 2, v, 3) * v > 2", "(v + 1) * (v - 1) > 0", "v & 255 == 255",
        "v * v * v * v * v > 0", "v + 0.5 > 1", "ANY others.v * 2 > v", "v * 2.5 >= v + v",
    ]

    private static func whole(_ declaration: String, _ greatest: Int64, least: Int64? = nil) -> TypedColumn {
        let least = least ?? -greatest - 1
        let cells = [0, 1, 2, 3, greatest, least].map { Cell(stored: .integer($0), value: .integer($0)) }
        return TypedColumn(
            declaration, .integer, cells + [.null], numberQuestions + limitQuestions, isNamed: true)
    }

    /// Decimal numbers whose digits the type limits.
    private static func decimals(_ declaration: String, _ greatest: String) -> TypedColumn {
        let cells = [greatest, "-\(greatest)", "0", "1", "2", "-3", "0.1", "-0.5"].compactMap { digits in
            Decimal(string: digits).flatMap { Cell(storing: .decimal($0), .decimal) }
        }
        return TypedColumn(
            declaration, .decimal, cells + [.null],
            (numberQuestions + limitQuestions).filter { !$0.contains("/") && !$0.contains("&") }, isNamed: true)
    }

    // MARK: - Strings

    private static let stringQuestions = [
        #"v == "a""#, #"v == "a      ""#, #"v != "a""#, #"v ==[c] "A""#, #"v ==[cd] "E""#, #"v < "b""#, #"v >= "a ""#,
        #"v IN {"a", "b", ""}"#, #"v BEGINSWITH "a ""#, #"v ENDSWITH "a""#, #"v ENDSWITH " ""#, #"v CONTAINS " ""#,
        #"v LIKE "a""#, #"v LIKE "a*""#, #"v LIKE "a ?*""#, #"v MATCHES "a""#, #"v MATCHES "a +""#, "v.length == 1",
        "v.length == 7", #"uppercase:(v) == "A""#, "v == nil", #"v CONTAINS[c] v"#, #"v BEGINSWITH[cd] v"#, "v LIKE v",
        #"TERNARY(id > 1, v, "a") == "a""#, #"v CONTAINS[cd] "e""#, #""xa  y" CONTAINS v"#, "v == v", #"v == """#,
    ]

    private static func strings(_ declaration: String) -> TypedColumn {
        let values = ["a", "A", "b", "é", "e", "", "a b", "\u{301}", "e\u{301}", "zz"]
        let cells = values.map { Cell(stored: .text($0), value: .string($0)) }
        return TypedColumn(declaration, .string, cells + [.null], stringQuestions)
    }

    /// Clients read the blanks that the database fills a value up with.
    private static func padded(_ declaration: String) -> TypedColumn {
        let values = ["a", "A", "b", "é", "", "a b", "1234567"]
        let cells = values.map {
            Cell(stored: .text($0), value: .string($0.padding(toLength: 7, withPad: " ", startingAt: 0)))
        }
        return TypedColumn(declaration, .paddedString, cells + [.null], stringQuestions)
    }

    // MARK: - Dates

    private static func days(_ declaration: String) -> TypedColumn {
        dates(declaration, [0, 86_400, 757_382_400, 730_944_000, -86_400])
    }

    private static func moments(_ declaration: String) -> TypedColumn {
        dates(declaration, [0, 0.5, 757_382_400.25, -1])
    }

    private static func dates(_ declaration: String, _ seconds: [Double]) -> TypedColumn {
        let cells = seconds.compactMap { Cell(storing: .date(seconds: $0), .date(.timestamp)) }
        return TypedColumn(
            declaration, .date(.timestamp), cells + [.null],
            [
                #"v == CAST(0, "NSDate")"#, #"v < CAST(757382400, "NSDate")"#, #"v > CAST(0.5, "NSDate")"#,
                #"v >= CAST(43200, "NSDate")"#, #"v != CAST(0, "NSDate")"#, "v == nil", "v == v",
                #"v IN {CAST(0, "NSDate"), CAST(86400, "NSDate")}"#, #"NOT v > CAST(0, "NSDate")"#,
            ])
    }

    // MARK: - Arrays

    private static let texts: [[PredicateValue]] = [
        [], ["x"], ["X"], ["x", "y", "x"], [.null], ["é", "", "a\"b\\"], ["xa", .null, "ab"], ["😀", "a b"],
    ]
    private static let wholes: [[PredicateValue]] = [
        [], [1], [1, 1, 2], [.null, 3], [9, 7, -5], [.integer(.max)], [.integer(.max), .integer(.max)], [.null],
    ]
    private static let smallWholes: [[PredicateValue]] = [[], [1], [1, 1, 2], [.null, 3], [9, 7, -5], [.null]]
    private static let fractions: [[PredicateValue]] = [
        [], [0.1], [1.0, 0.30000000000000004], [.null, -2.5], [1e300],
    ]

    private static let arrayQuestions = [
        "v == nil", "v != nil", "v.@count == 0", "v.@count > 1", "v.@count == 2", "v[SIZE] == 3", "v.count == 1",
        "ANY v == nil", "ALL v == nil", "ANY v != nil", "NONE v == nil", "SUBQUERY(v, $e, $e == nil).@count > 0",
        "SUBQUERY(v, $e, $e != nil).@count == v.@count", "v.@distinctUnionOfObjects.self.@count == 2",
        "SUBQUERY(others, $o, ANY $o.v == nil).@count > 0", "other.v.@count > 0", "NOT (v.@count > 1)",
        "TERNARY(v == nil, 1, v.@count) == 1", "v.@count == others.@count",
    ]
    private static let textQuestions = [
        #"ANY v == "x""#, #"ALL v == "x""#, #"NONE v == "x""#, #"ANY v ==[c] "X""#, #"ANY v ==[cd] "E""#,
        #""x" IN v"#, #"v CONTAINS "x""#, #"v CONTAINS[c] "X""#, #"NOT ("x" IN v)"#, #"ANY v BEGINSWITH "x""#,
        #"ANY v BEGINSWITH[c] "X""#, #"ALL v BEGINSWITH "x""#, #"ANY v IN {"x", "y"}"#, #"ALL v IN {"x", "y"}"#,
        #"ANY v LIKE "a?b*""#, #"ANY v MATCHES "x.?""#, #"ANY v != "x""#, #"ANY v < "b""#, "ANY v.length == 1",
        #"SUBQUERY(v, $e, $e == "x").@count > 1"#, #"SUBQUERY(v, $e, $e BEGINSWITH "x").@count == 1"#,
        #"v.@max.self == "y""#, #"v.@min.self < "b""#, #"ANY v == nil OR ANY v == "ab""#, #"name IN v"#,
        #"ANY v == name"#, #"ANY other.v == "x""#, #"SUBQUERY(others, $o, $o.name IN v).@count > 0"#, #"ANY v == """#,
        #"SUBQUERY(others, $o, "x" IN $o.v).@count == 1"#, #"ANY v == "\u00e9""#, #"NOT ANY v IN {"x"}"#, #"3 IN v"#,
    ]
    private static let numberArrayQuestions = [
        "ANY v == 1", "ALL v > 0", "NONE v > 3", "1 IN v", "v CONTAINS 2", "ANY v > 2.5", "ANY v BETWEEN {2, 4}",
        "SUBQUERY(v, $e, $e > 1).@count == 1", "v.@max.self > 2", "v.@min.self < 0", "ANY v IN {1, 3}", "id IN v",
        "ANY v == id", "ANY v == 0.1", "ANY v < other.id", "v.@max.self == nil",
    ]

    private static func arrays(
        _ declaration: String, _ element: SQLType, _ storage: SQLType.ArrayStorage, _ values: [[PredicateValue]]
    ) -> TypedColumn {
        let sums = ["v.@sum.self > 3", "v.@sum.self == 0", "v.@avg.self > 1", "v.@avg.self == nil"]
        let own =
            element == .string
            ? textQuestions : element == .integer ? numberArrayQuestions + sums : numberArrayQuestions
        return TypedColumn(
            declaration, .array(element, storage), values.map { Cell(array: $0, element) } + [.null],
            arrayQuestions + own)
    }

    /// What is no JSON array reads as nil, and an element of another type as a nil element.
    private static func damaged(_ declaration: String) -> TypedColumn {
        var cells = [
            Cell(
                stored: .text(#"["x", 1, null, true, {"a": 1}, ["x"]]"#),
                value: ["x", .null, .null, .null, .null, .null]),
            Cell(stored: .text("null"), value: .null), Cell(stored: .text(#"{"x": 1}"#), value: .null),
            Cell(stored: .text(#""x""#), value: .null), Cell(stored: .text("3"), value: .null),
        ]
        // A column of the database's own type holds nothing else.
        if declaration != "jsonb" { cells.append(Cell(stored: .text("[\"x\""), value: .null)) }
        return TypedColumn(declaration, .array(.string, .json), cells, arrayQuestions + textQuestions)
    }
}

/// A run of the questions about each type of column: right, or refused.
struct ColumnTypeRun {
    let engine: any AgreementEngine

    struct Report {
        var passed = 0
        var refused = 0
        var failures: [String] = []

        var summary: String { "\(passed + failures.count) judged, \(refused) refused, \(failures.count) differences" }
    }

    func run() throws -> Report {
        var report = Report()
        for column in ColumnTypes.all(of: engine.name) {
            let bench = try AgreementBench(AgreementWorld(column), engine)
            let predicates = try column.questions.map { try FormatPredicate($0).node }
            let questions = predicates.map { AgreementQuestion($0, about: "Row", by: .exact(engine.dialect)) }
            for (format, verdict) in zip(column.questions, bench.verdicts(questions)) {
                report.add(verdict, "\(column.declaration): \(format)")
            }
        }
        return report
    }
}

extension ColumnTypeRun.Report {
    fileprivate mutating func add(_ verdict: AgreementVerdict, _ question: String) {
        switch verdict {
        case .agreed: passed += 1
        case .refused, .unjudged: refused += 1
        case .disagreed(let difference):
            failures.append(
                """
                \(question): \(difference.error ?? "missing \(difference.missing.sorted()), surplus \(difference.surplus.sorted())")
                    \(difference.statement?.description ?? "")
                """)
        }
    }
}

extension AgreementWorld {
    /// A table with a column of a type, whose rows refer to each other.
    fileprivate init(_ column: TypedColumn) {
        let entity = SQLEntity(
            "Row", table: "column_types",
            attributes: [
                "id": SQLAttribute(.integer, isNullable: false),
                "v": SQLAttribute(column.type, nativeType: column.isNamed ? column.declaration : nil),
                "name": SQLAttribute(.string),
            ],
            relationships: [
                "other": .toOne("Row", column: "other_id"), "others": .toMany("Row", inverseColumn: "other_id"),
            ])
        let rows = column.cells.enumerated().map { number, cell in
            let name = number % 3 == 0 ? "x" : "y"
            return Row(
                number: number, cells: ["v": cell, "name": Cell(stored: .text(name), value: .string(name))],
                links: number % 4 == 3 ? [:] : ["other": (number * 3 + 1) % column.cells.count])
        }
        let declarations = column.declaration.isEmpty ? [:] : ["v": column.declaration]
        self.init(schema: SQLSchema([entity]), rows: ["Row": rows], pairs: [:], declarations: declarations)
    }
}
