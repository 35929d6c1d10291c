import PredicateSQL
import PredicateSyntax

/// One record of a `.cases` file: a format, and what every stage makes of it.
struct CaseRecord: ConformanceCase {
    /// `operators.cases:12 equality of numbers`
    let id: String
    let title: String
    /// The line of the title.
    let line: Int
    var kind: ParsedFormat.Kind = .predicate
    var format = ""
    /// A compound made by API, in the place of a format.
    var compound: PredicateNode?
    var options = CaseOptions()
    var arguments: [PredicateValue] = []
    var variables: [String: PredicateValue] = [:]
    var prints: String?
    var tree: String?
    var substituted: String?
    var error: ExpectedFormatError?
    var rows: [CaseRow] = []
    /// The conditions of databases, with their bindings.
    var conditions: [CaseStage: String] = [:]
    /// The tables of the file.
    var schema: CaseSchema?
    /// Stages that are known to fail.
    var gaps: Set<CaseStage> = []
    /// The statements that the title and the rows cite.
    var citedStatements: [String] = []

    /// The codes of errors that the record expects.
    var expectedErrorCodes: [String] {
        rows.compactMap(\.expectedErrorCode) + [error?.code.rawValue].compactMap(\.self)
    }
}

/// The options of a record that differ from the defaults.
struct CaseOptions: Hashable, Sendable {
    var format = FormatOptions.standard
    /// The limits of the evaluator.
    var evaluation = PredicateLimits.standard
}

/// `expectedExpression @ 6..<6`
struct ExpectedFormatError: Hashable, Sendable {
    let code: FormatErrorName
    let range: Range<Int>
}

/// `row {"name": "joanna"} true`
struct CaseRow: Hashable, Sendable {
    let line: Int
    let object: PredicateValue
    let expectation: Expectation

    enum Expectation: Hashable, Sendable {
        /// `true`, `false`: whether a predicate holds
        case truth(Bool)
        /// `= 2`: what an expression evaluates to
        case value(PredicateValue)
        /// `error(incomparable)`
        case error(EvaluationErrorName)
    }

    var expectedErrorCode: String? {
        switch expectation {
        case .truth, .value: nil
        case .error(let name): name.rawValue
        }
    }

    /// True if the stage applies to predicates, or to expressions.
    func suits(_ kind: ParsedFormat.Kind) -> Bool {
        switch expectation {
        case .truth: kind == .predicate
        case .value: kind == .expression
        case .error: true
        }
    }

    /// The syntax of a row.
    static let shape = "JSON and then 'true', 'false' or 'error(…)', for an expression '= JSON' or 'error(…)'"
}

/// The stages about which a record can make an assertion.
enum CaseStage: String, Hashable, Sendable, CaseIterable {
    /// The format parses
    case format
    /// The format is an error, and where
    case error
    case prints
    case tree
    /// The print parses to an equal tree
    case readback
    case substituted
    case row
    /// The condition on a database
    case sqlite, postgresql, mariadb, duckdb, spark
    /// A table with the row gives it exactly where the row says true
    case sqliterow
}

extension CaseStage {
    /// The dialect whose condition the stage is about; nil for the others.
    var dialect: (any SQLDialect)? {
        switch self {
        case .sqlite: SQLiteDialect()
        case .postgresql: PostgreSQLDialect()
        case .mariadb: MariaDBDialect()
        case .duckdb: DuckDBDialect()
        case .spark: SparkDialect()
        case .format, .error, .prints, .tree, .readback, .substituted, .row, .sqliterow: nil
        }
    }

    /// The stages about conditions, in their order.
    static let conditions = allCases.filter { $0.dialect != nil }
}
