import PredicateReference
import PredicateSQL
import PredicateSyntax

/// A record of a `.cases` file: a format, and the expected result of every stage.
struct CaseRecord: ConformanceCase {
    /// `operators.cases:12 equality of numbers`
    let id: String
    let title: String
    /// The line of the title.
    let line: Int
    var kind: ParsedFormat.Kind = .predicate
    var format = ""
    /// A compound that is created by API instead of a format.
    var compound: PredicateNode?
    var options = CaseOptions()
    var arguments: [PredicateValue] = []
    var variables: [String: PredicateValue] = [:]
    var prints: String?
    var tree: String?
    var substituted: String?
    var error: ExpectedFormatError?
    var rows: [CaseRow] = []
    /// The expected SQL conditions of databases, with their bindings.
    var conditions: [CaseStage: String] = [:]
    /// The tables that the file declares.
    var schema: CaseSchema?
    /// The stages that are known to fail.
    var gaps: Set<CaseStage> = []
    /// The statements that the title and the rows cite.
    var citedStatements: [String] = []

    /// The error codes that the record expects.
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
        /// `true`, `false`: the result of a predicate
        case truth(Bool)
        /// `= 2`: the value of an expression
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

    /// Returns true if the expectation suits a predicate or an expression.
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

/// The stages that a record can make assertions about.
enum CaseStage: String, Hashable, Sendable, CaseIterable {
    /// The format parses
    case format
    /// The format is an error with this code and range
    case error
    case prints
    case tree
    /// The printed format parses to an equal tree
    case readback
    case substituted
    case row
    /// The SQL condition for a database
    case sqlite, postgresql, mariadb, duckdb, spark
    /// SQLite selects the row exactly if the record says true
    case sqliterow
}

extension CaseStage {
    /// The SQL dialect of the stage; nil for other stages.
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

    /// The stages with an SQL condition, in order.
    static let conditions = allCases.filter { $0.dialect != nil }
}

extension CaseRecord {
    func judge() -> Verdict {
        let findings = findings
        let unexpected = findings.filter { !gaps.contains($0.stage) }.map(\.message)
        let failing = Set(findings.map(\.stage))
        let closed = gaps.subtracting(failing).map(\.rawValue).sorted().map {
            "listed as a gap of '\($0)', yet it holds"
        }
        return Verdict(complaints: unexpected + closed)
    }

    /// The format with its arguments, or the compound.
    func parsed() throws(PredicateFormatError) -> ParsedFormat {
        if let compound { return .predicate(FormatPredicate(compound)) }
        return try ParsedFormat(kind, format, arguments, options.format)
    }

    private struct StageFailure {
        let stage: CaseStage
        let message: String
    }

    private var findings: [StageFailure] {
        do throws(PredicateFormatError) {
            let parsed = try parsed()
            guard let error else { return findings(about: parsed) }
            return [StageFailure(stage: .error, message: "expected \(error.shown), found \(parsed.printed)")]
        } catch {
            return findings(about: error)
        }
    }

    private func findings(about found: PredicateFormatError) -> [StageFailure] {
        guard let error else {
            return [StageFailure(stage: .format, message: "expected it to parse, found \(found.inOneLine)")]
        }
        let isExpected = error == ExpectedFormatError(code: FormatErrorName(found.code), range: found.range)
        let differs = isExpected ? nil : "expected \(error.shown), found \(found.inOneLine)"
        return [differs, ErrorRangeCheck.complaint(about: found, in: format)].compactMap(\.self).map {
            StageFailure(stage: .error, message: $0)
        }
    }

    private func findings(about parsed: ParsedFormat) -> [StageFailure] {
        var findings: [StageFailure] = []
        for (stage, expected) in goldens { findings += difference(stage, expected, golden(stage, of: parsed) ?? "") }
        if compound == nil, let complaint = RoundTripCheck.complaint(about: parsed) {
            findings.append(StageFailure(stage: .readback, message: complaint))
        }
        if let substituted {
            findings += difference(.substituted, substituted, substitutedPrint(parsed))
        }
        let outcomes = parsed.outcomes(for: rows.map(\.object), variables, limits: options.evaluation)
        findings += zip(rows, outcomes).compactMap { finding($0, $1) }
        // A row on which the evaluator differs is already reported.
        for ((row, selections), outcome) in zip(rowsInSQLite(parsed), outcomes) where finding(row, outcome) == nil {
            findings += sqliteFindings(row, selections)
        }
        return findings
    }

    /// The golden fields that the record has.
    private var goldens: [(CaseStage, String)] {
        let conditions = CaseStage.conditions.map { ($0, self.conditions[$0]) }
        return ([(.prints, prints), (.tree, tree)] + conditions).compactMap { stage, text in text.map { (stage, $0) } }
    }

    /// Returns the current value of a golden field; nil if the stage has none, or if the file has no schema.
    func golden(_ stage: CaseStage, of parsed: ParsedFormat) -> String? {
        switch stage {
        case .prints: parsed.printed
        case .tree: TreeDump(parsed.tree).text
        case .sqlite, .postgresql, .mariadb, .duckdb, .spark: stage.dialect.flatMap { condition(of: parsed, $0) }
        case .format, .error, .readback, .substituted, .row, .sqliterow: nil
        }
    }

    private func condition(of parsed: ParsedFormat, _ dialect: any SQLDialect) -> String? {
        guard case .predicate(let predicate) = parsed else { return nil }
        return schema?.condition(of: predicate, dialect, variables, options.evaluation)
    }

    /// Returns the outcomes of each row in SQLite. Records with other evaluation limits have none, because SQL does
    /// not know them.
    func rowsInSQLite(_ parsed: ParsedFormat) -> [(CaseRow, [RowsInSQLite.RowOutcome])] {
        guard case .predicate(let predicate) = parsed, options.evaluation == .standard else { return [] }
        let table = RowsInSQLite(predicate, variables, rows: rows.map(\.object))
        return rows.map { ($0, table.outcomes(for: $0.object)) }
    }

    private func sqliteFindings(_ row: CaseRow, _ outcomes: [RowsInSQLite.RowOutcome]) -> [StageFailure] {
        let expected = row.expectation == .truth(true)
        return outcomes.compactMap { outcome in
            let found: String
            switch outcome {
            case .refused, .notFlat, .rowError, .selected(expected): return nil
            case .selected(let isSelected): found = isSelected ? "selected" : "not selected"
            case .failed(let message): found = message
            }
            return StageFailure(
                stage: .sqliterow,
                message: "row in line \(row.line): expected \(row.expectation.shown), in SQLite \(found)")
        }
    }

    private func difference(_ stage: CaseStage, _ expected: String?, _ found: String) -> [StageFailure] {
        guard let expected, !expected.hasSameCodePoints(as: found) else { return [] }
        return [StageFailure(stage: stage, message: "\(stage.rawValue): expected \(expected), found \(found)")]
    }

    private func substitutedPrint(_ parsed: ParsedFormat) -> String {
        do throws(PredicateFormatError) {
            return try parsed.substituting(variables).printed
        } catch {
            return error.missingValue
        }
    }

    private func finding(_ row: CaseRow, _ outcome: EvaluationOutcome) -> StageFailure? {
        guard !row.expectation.isMet(by: outcome) else { return nil }
        let message = "row in line \(row.line): expected \(row.expectation.shown), found \(outcome.shown)"
        return StageFailure(stage: .row, message: message)
    }
}

extension ExpectedFormatError {
    /// `expectedExpression @ 6..<6`
    fileprivate var shown: String {
        "\(code.rawValue) @ \(range.lowerBound)..<\(range.upperBound)"
    }
}

extension CaseRow.Expectation {
    fileprivate func isMet(by outcome: EvaluationOutcome) -> Bool {
        switch (self, outcome) {
        case (.truth(let truth), _): outcome.isValue(.bool(truth))
        case (.value(let value), _): outcome.isValue(value)
        case (.error(let name), .failure(let error)): name == EvaluationErrorName(error.code)
        case (.error, .value): false
        }
    }

    fileprivate var shown: String {
        switch self {
        case .truth(let truth): "\(truth)"
        case .value(let value): value.shown
        case .error(let name): "error(\(name.rawValue))"
        }
    }
}

extension TreeDump {
    init(_ tree: TreeNode) {
        switch tree {
        case .predicate(let node): self.init(node)
        case .expression(let node): self.init(node)
        }
    }

    /// The tree on one line. Each node is in parentheses: its type, its attributes, and its children from left to
    /// right.
    ///
    /// `(comparison >= (keyPath age) (constantValue 21))`
    var text: String {
        let words = [type] + attributes.map(\.value) + children.map(\.tree.text)
        return "(" + words.joined(separator: " ").onOneLine + ")"
    }
}
