import Foundation
import PredicateEvaluation
import PredicateSQL
import PredicateStore
import PredicateSyntax
import PredicateText
import Testing

/// The registered functions return the results of the evaluator.
@Suite struct FunctionTests {
    private let connection: StoreConnection
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        connection = try directory.database()
    }

    private static let texts = [
        "", "a", "A", "Zoë", "Zoe\u{308}", "STRASSE", "straße", "İ", "ı", "ﬁ", "😀", "e\u{301}\u{323}", "a\0B",
        "\u{345}",
        "ΑΣ", "x%_[*]?\\'\"", String(repeating: "Ä", count: 5000),
    ]

    @Test(arguments: ["c", "d", "cd"]) func folds(_ letters: String) throws {
        for left in Self.texts {
            for right in Self.texts {
                let sql = "SELECT predicates2_fold_\(letters)(?1) = predicates2_fold_\(letters)(?2)"
                let same = try FormatPredicate("SELF ==[\(letters)] %@", right).evaluate(with: left)
                #expect(try connection.value(sql, .text(left), .text(right)) == .integer(same ? 1 : 0))
            }
        }
        #expect(try connection.value("SELECT predicates2_fold_\(letters)(NULL)") == .null)
    }

    /// Arguments may be constants or differ from row to row, each by itself.
    @Test(
        arguments: [
            ("compare", "<", -1), ("compare", "==", 0), ("compare", ">", 1), ("begins", "BEGINSWITH", 1),
            ("ends", "ENDSWITH", 1), ("contains", "CONTAINS", 1), ("like", "LIKE", 1),
        ])
    func searches(_ function: String, word: String, result: Int) throws {
        try connection.execute("CREATE TABLE t (a, b, m)")
        for (left, right) in Self.texts.flatMap({ left in Self.texts.map { (left, $0) } }) {
            for mode in ["c", "d", "cd"] {
                let row: [SQLBinding] = [.text(left), .text(right), .text(mode)]
                try connection.run(SQLFragment("INSERT INTO t VALUES (?1, ?2, ?3)", bindings: row))
            }
        }
        let call = "predicates2_\(function)"
        let rows = try connection.rows(of: SQLFragment(verbatim: "SELECT a, b, m, \(call)(a, b, m) = \(result) FROM t"))
            .all()
        for case .some((.text(let left), .text(let right), .text(let mode), let holds)) in rows.map(Self.parts) {
            let expected = try FormatPredicate("SELF \(word)[\(mode)] %@", right).evaluate(with: left)
            #expect(holds == .integer(expected ? 1 : 0), "\(left) \(word)[\(mode)] \(right)")
        }
        for (needle, mode) in [
            ("'zoe'", "m"), ("'a'", "m"), ("'ss'", "'c'"), ("'i'", "'cd'"), ("b", "m"), ("b", "'d'"),
        ] {
            let rows = { (needle: String, mode: String) in
                try connection.rows(
                    of: SQLFragment(
                        verbatim: "SELECT a FROM t WHERE \(call)(a, \(needle), \(mode)) = \(result) ORDER BY rowid")
                ).all()
            }
            let changing = { (term: String) in "iif(random() IS NULL, '', \(term))" }
            #expect(try rows(needle, mode) == rows(changing(needle), changing(mode)), "\(needle) \(mode)")
        }
        for arguments in ["NULL, 'a', 'c'", "'a', NULL, 'c'", "'a', 'a', NULL"] {
            #expect(try connection.value("SELECT \(call)(\(arguments))") == .null)
        }
    }

    private static func parts(_ row: [SQLBinding]) -> (SQLBinding, SQLBinding, SQLBinding, SQLBinding)? {
        row.count == 4 ? (row[0], row[1], row[2], row[3]) : nil
    }

    @Test func texts() throws {
        let (upper, lower) = (SQLFunction.uppercase.name, SQLFunction.lowercase.name)
        for text in Self.texts {
            #expect(try connection.value("SELECT \(upper)(?1)", .text(text)) == .text(CaseMapping.upper.map(text)))
            #expect(try connection.value("SELECT \(lower)(?1)", .text(text)) == .text(CaseMapping.lower.map(text)))
            #expect(
                try connection.value("SELECT predicates_length(?1)", .text(text)) == .integer(Int64(text.utf16.count)))
        }
    }

    @Test func patterns() throws {
        let matches = "SELECT predicates_matches(?1, ?2, ?3)"
        #expect(try connection.value(matches, .text("john"), .text("J.*N"), .text("c")) == .integer(1))
        #expect(try connection.value(matches, .text("john"), .text("J.*N"), .text("")) == .integer(0))
        #expect(try connection.value(matches, .text("john"), .text("oh"), .text("")) == .integer(0))
        #expect(try connection.value(matches, .text("résumé"), .text("resume"), .text("d")) == .integer(1))
        #expect(try connection.value(matches, .null, .text("a"), .text("")) == .null)
        #expect(try connection.value(matches, .text("a"), .null, .text("")) == .null)
        let like = "SELECT predicates2_like(?1, ?2, ?3)"
        #expect(try connection.value(like, .text("a%b_"), .text("a%?_"), .text("")) == .integer(1))
        #expect(try connection.value(like, .text("JÖHN"), .text("jo*n"), .text("cd")) == .integer(1))
        #expect(try connection.value(like, .text("a*"), .text("a\\*"), .text("")) == .integer(1))
        #expect(try connection.value(like, .text("ab"), .text("a\\*"), .text("")) == .integer(0))
    }

    @Test func invalidAndCostlyPatterns() throws {
        let error = storeError {
            _ = try connection.value("SELECT predicates_matches('a', ?1, '')", .text("(a"))
        }
        #expect(error?.code == .evaluation(EvaluationError(.invalidPattern("(a"), node: 1)))
        let costly = storeError {
            _ = try connection.value(
                "SELECT predicates_matches(?1, ?2, '')", .text(String(repeating: "a", count: 40) + "!"),
                .text("(?=a)(a+)+(a+)+(a+)+$"))
        }
        guard case .evaluation(let fault)? = costly?.code, case .patternTooCostly = fault.code else {
            Issue.record("\(String(describing: costly))")
            return
        }
        // The error does not remain for the next statement.
        #expect(storeError { _ = try connection.value("SELECT nonsense") }?.result == .error)
    }

    @Test func manyPatterns() throws {
        try connection.execute("CREATE TABLE t (a, p)")
        for number in 0..<500 {
            try connection.run(
                SQLFragment(
                    "INSERT INTO t VALUES (?1, ?2)", bindings: [.text("x\(number)"), .text("x\(number % 100)")]))
        }
        #expect(
            try connection.value("SELECT count(*) FROM t WHERE predicates_matches(a, p, '')") == .integer(100))
    }

    @Test func datesAndDecimals() throws {
        #expect(try connection.value("SELECT predicates_date('2001-01-02')") == .double(86_400))
        #expect(try connection.value("SELECT predicates_date('2001-01-01 00:00:01.5')") == .double(1.5))
        #expect(try connection.value("SELECT predicates_date('soon')") == .null)
        #expect(try connection.value("SELECT predicates_date(2)") == .double(2))
        let compare = "SELECT predicates_decimal_compare(?1, ?2)"
        #expect(try connection.value(compare, .text("1.10"), .text("1.1")) == .integer(0))
        #expect(
            try connection.value(compare, .text("0.10000000000000000000000000000001"), .text("0.1")) == .integer(1))
        #expect(try connection.value(compare, .integer(-3), .text("2")) == .integer(-1))
        #expect(try connection.value(compare, .double(0.1), .text("0.1")) == .integer(0))
        #expect(try connection.value(compare, .text("x"), .text("2")) == .null)
        #expect(try connection.value("SELECT predicates_decimal_double('0.1')") == .double(0.1))
    }

    @Test func numbers() throws {
        let answers: [(String, SQLBinding)] = [
            ("predicates_divide(1.0, 0.0)", .double(.infinity)), ("predicates_divide(0.0, 0.0)", .null),
            ("predicates_divide(7, 2)", .double(3.5)), ("predicates_remainder(-7.5, 2.0)", .double(-1.5)),
            ("predicates_remainder(1.0, 0.0)", .null), ("predicates_power(2, 10)", .integer(1024)),
            ("predicates_power(2, 63)", .double(0x1p63)), ("predicates_power(2, -1)", .double(0.5)),
            ("predicates_power(2.0, 0.5)", .double(2.0.squareRoot())), ("predicates_abs(-5)", .integer(5)),
            ("predicates_abs(-9223372036854775808)", .null), ("predicates_abs(-2.5)", .double(2.5)),
            ("predicates_floor(-1.5)", .double(-2)), ("predicates_ceiling(-1.5)", .double(-1)),
            ("predicates_trunc(-1.5)", .double(-1)), ("predicates_sqrt(-1)", .null), ("predicates_sqrt(4)", .double(2)),
            ("predicates_ln(0)", .double(-.infinity)), ("predicates_log(100)", .double(2)),
            ("predicates_exp(0)", .double(1)), ("predicates_exp(NULL)", .null), ("predicates_divide(1, NULL)", .null),
        ]
        for (call, expected) in answers {
            #expect(try connection.value("SELECT \(call)") == expected, "\(call)")
        }
    }

    /// Bytes that are no UTF-8 are what an object has in their place: U+FFFD.
    @Test func textsThatAreNotUTF8() throws {
        let text = "CAST(x'4dfc6c6c6572' AS TEXT)"
        let answers: [(String, SQLBinding)] = [
            ("predicates2_like(\(text), 'M?ller', '')", .integer(1)), ("predicates_length(\(text))", .integer(6)),
            ("predicates2_contains(\(text), '\u{FFFD}', 'c')", .integer(1)),
            ("predicates2_begins(\(text), predicates2_fold_c(\(text)), 'c')", .integer(1)),
            ("predicates2_fold_c(\(text))", .text("m\u{FFFD}ller")),
        ]
        for (call, expected) in answers {
            #expect(try connection.value("SELECT \(call)") == expected, "\(call)")
        }
    }

    @Test func indexedFunctions() throws {
        try connection.execute(
            """
            CREATE TABLE t (name TEXT); CREATE INDEX folded ON t (predicates2_fold_cd(name));
            INSERT INTO t VALUES ('Zoë'), ('Ann');
            """)
        let sql = "FROM t WHERE predicates2_fold_cd(name) = predicates2_fold_cd(?1)"
        #expect(try connection.value("SELECT name \(sql)", .text("ZOE")) == .text("Zoë"))
        let plan = try connection.rows("EXPLAIN QUERY PLAN SELECT name \(sql)", .text("x"))
        #expect("\(plan)".contains("USING INDEX folded"))
    }
}
