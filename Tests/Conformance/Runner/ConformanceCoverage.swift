import PredicateSyntax

/// The number of records and rows that each stage judges. It shows if a stage skips records silently.
package struct ConformanceCoverage: Hashable, Sendable {
    package enum Stage: String, Hashable, Sendable, CaseIterable {
        case records, parse
        case formatErrors = "format errors"
        case prints, trees, substitutions, rows
        /// Rows that SQLite selects exactly if the record says so
        case sqliteRows = "SQLite rows"
        /// Rows whose predicate the compiler rejects
        case refusedRows = "rows SQL refuses"
        /// Rows whose object is not a dictionary of plain values
        case objectsWithoutTable = "rows that fit no table"
        /// Rows for which SQLite reports an error about a value
        case rowErrors = "rows SQLite cannot evaluate"
        case sqliteTexts = "SQLite texts"
        case postgreSQLTexts = "PostgreSQL texts"
        case mariaDBTexts = "MariaDB texts"
        case duckDBTexts = "DuckDB texts"
        case sparkTexts = "Spark texts"
    }

    private var counts: [Stage: Int] = [:]

    package init() {}

    package subscript(stage: Stage) -> Int { counts[stage] ?? 0 }

    mutating func add(_ stage: Stage, _ number: Int = 1) {
        counts[stage, default: 0] += number
    }

    package mutating func merge(_ other: ConformanceCoverage) {
        counts.merge(other.counts, uniquingKeysWith: +)
    }

    /// `800 records, 760 parse, …`
    package var summary: String {
        Stage.allCases.map { "\(self[$0]) \($0.rawValue)" }.joined(separator: ", ")
    }
}

extension ConformanceSuite {
    /// The number of records and rows of a `.cases` file that each stage judges.
    package var coverage: ConformanceCoverage {
        var coverage = ConformanceCoverage()
        for case let record as CaseRecord in cases { coverage.merge(record.coverage) }
        return coverage
    }
}

extension CaseRecord {
    fileprivate var coverage: ConformanceCoverage {
        var coverage = ConformanceCoverage()
        coverage.add(.records)
        guard let parsed = try? parsed() else {
            coverage.add(.formatErrors)
            return coverage
        }
        coverage.add(.parse)
        coverage.add(.rows, rows.count)
        let goldens: [(ConformanceCoverage.Stage, String?)] = [
            (.prints, prints), (.trees, tree), (.substitutions, substituted), (.sqliteTexts, conditions[.sqlite]),
            (.postgreSQLTexts, conditions[.postgresql]), (.mariaDBTexts, conditions[.mariadb]),
            (.duckDBTexts, conditions[.duckdb]), (.sparkTexts, conditions[.spark]),
        ]
        for (stage, text) in goldens where text != nil { coverage.add(stage) }
        for (_, outcomes) in rowsInSQLite(parsed) { coverage.add(outcomes.first.stage) }
        return coverage
    }
}

extension RowsInSQLite.RowOutcome? {
    fileprivate var stage: ConformanceCoverage.Stage {
        switch self {
        case .selected, .failed: .sqliteRows
        case .refused: .refusedRows
        case .notFlat, nil: .objectsWithoutTable
        case .rowError: .rowErrors
        }
    }
}
