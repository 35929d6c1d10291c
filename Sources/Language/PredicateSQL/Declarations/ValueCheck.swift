import PredicateSyntax
import PredicateText

/// The CHECK of a column: those of its rules that the database can check with the same result.
///
/// `CHECK ("year" >= 1450 AND "year" <= 2100)`
struct ValueCheck {
    private let engine: SQLEngine
    private let column: ColumnDeclaration
    private var rules: ValueRules { column.rules }
    private var name: SQLText { "\(name: column.name)" }

    init(_ engine: SQLEngine, _ column: ColumnDeclaration) {
        (self.engine, self.column) = (engine, column)
    }

    /// The clause; nil if there is nothing to check.
    var clause: SQLText? {
        let conditions = bounds + lengths + [values, match].compactMap(\.self)
        return conditions.isEmpty ? nil : "CHECK (\(SQLText.joined(conditions, by: " AND ")))"
    }

    private var bounds: [SQLText] {
        guard column.type.hasBounds else { return [] }
        let bounds: [(SQLText, PredicateValue?)] = [(">=", rules.minimum), ("<=", rules.maximum)]
        return bounds.compactMap { sign, bound in
            bound.flatMap { engine.literal(of: $0, as: column.type) }.map { "\(name) \(sign) \($0)" }
        }
    }

    private var values: SQLText? {
        guard let values = rules.values else { return nil }
        let literals = values.compactMap { engine.literal(of: $0, as: column.type) }
        guard !values.isEmpty, literals.count == values.count else { return nil }
        return "\(name) IN (\(SQLText.joined(literals, by: ", ")))"
    }

    // MARK: - Strings

    private var lengths: [SQLText] {
        guard column.type == .text else { return [] }
        let length = engine.length(of: column.name)
        switch (length, rules.minimumLength ?? 0, rules.maximumLength) {
        case (let length?, 2..., let maximum?):
            return ["\(length) BETWEEN \(number: rules.minimumLength ?? 0) AND \(number: maximum)"]
        case (let length?, 2..., nil): return ["\(length) >= \(number: rules.minimumLength ?? 0)"]
        case (_, let minimum, let maximum):
            let isNotEmpty: [SQLText] = minimum == 1 ? ["\(name) <> ''"] : []
            // No string has more code points than code units.
            return isNotEmpty + (maximum.map { ["\(length ?? "length(\(name))") <= \(number: $0)"] } ?? [])
        }
    }

    /// The match of the regular expression; nil for a pattern with another meaning in the database, and if the values are
    /// listed.
    private var match: SQLText? {
        let dialect = engine.dialect
        guard column.type == .text, values == nil, let pattern = rules.pattern, !pattern.isEmpty,
            let syntax = dialect.regularExpressions, let parts = try? MatchPattern(pattern, ignoringCase: false),
            !(syntax.backtracks && parts.backtracks(beyond: PredicateLimits.untrusted.patternSteps)),
            let text = syntax.text(of: parts)
        else { return nil }
        // Settings of MariaDB and MySQL decide whether a backslash in a string is an escape, and MariaDB loses those of a
        // string when it stores the condition.
        let hexadecimal: SQLText = "CONVERT(X'\(verbatim: Hexadecimal.text(text.utf8))' USING utf8mb4)"
        return dialect.text(of: .finds(name, pattern: engine.isMySQL ? hexadecimal : "\(string: text)"))
    }
}

extension SQLEngine {
    /// The number of UTF-16 code units of a string; nil where only code points can be counted.
    fileprivate func length(of column: String) -> SQLText? {
        let quoted = dialect.quoted(column) ?? column
        return switch self {
        case .postgresql: "\(verbatim: PostgreSQLPrelude.length(of: quoted))"
        case .duckdb: "\(verbatim: DuckDBPrelude.length(of: quoted))"
        case .mariadb, .mysql: dialect.text(of: .call(.length, ["\(name: column)"]))
        case .sqlite, .spark: nil
        }
    }
}
