import PredicateSQL
import PredicateSyntax

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

    private struct Finding {
        let stage: CaseStage
        let message: String
    }

    private var findings: [Finding] {
        do throws(PredicateFormatError) {
            let parsed = try parsed()
            guard let error else { return findings(about: parsed) }
            return [Finding(stage: .error, message: "expected \(error.shown), found \(parsed.printed)")]
        } catch {
            return findings(about: error)
        }
    }

    private func findings(about found: PredicateFormatError) -> [Finding] {
        guard let error else {
            return [Finding(stage: .format, message: "expected it to parse, found \(found.inOneLine)")]
        }
        let isExpected = error == ExpectedFormatError(code: FormatErrorName(found.code), range: found.range)
        let differs = isExpected ? nil : "expected \(error.shown), found \(found.inOneLine)"
        return [differs, ErrorPlace.complaint(about: found, in: format)].compactMap(\.self).map {
            Finding(stage: .error, message: $0)
        }
    }

    private func findings(about parsed: ParsedFormat) -> [Finding] {
        var findings: [Finding] = []
        for (stage, expected) in goldens { findings += difference(stage, expected, golden(stage, of: parsed) ?? "") }
        if compound == nil, let complaint = ReadingBack.complaint(about: parsed) {
            findings.append(Finding(stage: .readback, message: complaint))
        }
        if let substituted {
            findings += difference(.substituted, substituted, substitutedPrint(parsed))
        }
        let outcomes = parsed.outcomes(for: rows.map(\.object), variables, limits: options.evaluation)
        findings += zip(rows, outcomes).compactMap { finding($0, $1) }
        // A row that the evaluator judges otherwise is reported once.
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

    /// The text that a golden field should hold; nil if the stage has none, or the file lacks a schema.
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
        return schema?.condition(of: predicate, dialect, variables)
    }

    /// The outcome of each row in SQLite. Evaluator limits other than the standard ones do not apply to SQL.
    func rowsInSQLite(_ parsed: ParsedFormat) -> [(CaseRow, [RowsInSQLite.Outcome])] {
        guard case .predicate(let predicate) = parsed, options.evaluation == .standard else { return [] }
        let table = RowsInSQLite(predicate, variables, rows: rows.map(\.object))
        return rows.map { ($0, table.outcomes(for: $0.object)) }
    }

    private func sqliteFindings(_ row: CaseRow, _ outcomes: [RowsInSQLite.Outcome]) -> [Finding] {
        let expected = row.expectation == .truth(true)
        return outcomes.compactMap { outcome in
            let found: String
            switch outcome {
            case .refused, .notFlat, .rowError, .selected(expected): return nil
            case .selected(let isSelected): found = isSelected ? "selected" : "not selected"
            case .failed(let message): found = message
            }
            return Finding(
                stage: .sqliterow,
                message: "row in line \(row.line): expected \(row.expectation.shown), in SQLite \(found)")
        }
    }

    private func difference(_ stage: CaseStage, _ expected: String?, _ found: String) -> [Finding] {
        guard let expected, !expected.hasSameCodePoints(as: found) else { return [] }
        return [Finding(stage: stage, message: "\(stage.rawValue): expected \(expected), found \(found)")]
    }

    private func substitutedPrint(_ parsed: ParsedFormat) -> String {
        do throws(PredicateFormatError) {
            return try parsed.substituting(variables).printed
        } catch {
            return error.missingValue
        }
    }

    private func finding(_ row: CaseRow, _ outcome: Outcome) -> Finding? {
        guard !row.expectation.isMet(by: outcome) else { return nil }
        let message = "row in line \(row.line): expected \(row.expectation.shown), found \(outcome.shown)"
        return Finding(stage: .row, message: message)
    }
}

extension ExpectedFormatError {
    /// `expectedExpression @ 6..<6`
    fileprivate var shown: String {
        "\(code.rawValue) @ \(range.lowerBound)..<\(range.upperBound)"
    }
}

extension CaseRow.Expectation {
    fileprivate func isMet(by outcome: Outcome) -> Bool {
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
