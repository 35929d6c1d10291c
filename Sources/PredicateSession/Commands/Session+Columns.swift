import PredicateData
import PredicateEvaluation
import PredicateSyntax

// Computed columns of matches, and their aggregates

/// A column of matches: `age * 2 AS double`
struct ShownColumn {
    let name: String
    let query: Query
    let evaluator: ExpressionEvaluator
}

extension Session {
    /// `:columns name, age + 1 AS next`, `:columns --`, `:columns`. Shows the matches of the last predicate.
    func setColumns(_ rest: String) throws(SessionError) -> String {
        if rest == "--" {
            columns = nil
        } else if !rest.isEmpty {
            try requireObjects()
            columns = try shownColumns(rest)
        }
        let names = columns.map { $0.map(\.name).joined(separator: ", ") } ?? "all keys"
        return try (["matches are shown with \(names)"] + (rest.isEmpty ? [] : lastMatches())).joined(separator: "\n")
    }

    /// Returns the columns of a list of keys and expressions.
    func shownColumns(_ list: String) throws(SessionError) -> [ShownColumn] {
        var columns: [ShownColumn] = []
        for item in OutputList.items(list) {
            let (text, name) = OutputList.divided(item)
            columns.append(try shownColumn(text, name))
        }
        return columns
    }

    private func shownColumn(_ text: String, _ name: String?) throws(SessionError) -> ShownColumn {
        guard !text.isEmpty else {
            throw SessionError("expected keys separated by commas", hints: [SessionCommand.columns.example])
        }
        let query = try Query(text, words: argumentWords)
        guard case .expression(let expression) = query.content else {
            let hint = "write TERNARY(\(query.printed), YES, NO) for its result"
            throw SessionError("\(query.printed) is a predicate", hints: [hint])
        }
        try prepare(query)
        try requireKnownKeys(of: expression)
        return ShownColumn(name: name ?? text, query: query, evaluator: try evaluator(expression, query))
    }

    /// Returns the value of a column for an object; nil if an operand is nil.
    func value(of column: ShownColumn, _ row: Int) throws(SessionError) -> PredicateValue {
        try value(of: column.evaluator, row, column.query)
    }

    /// Returns objects as a table of the columns.
    func table(of rows: [Int], _ columns: [ShownColumn]) throws(SessionError) -> [String] {
        let numbers = TextTable.Column("#", rows.map { Count.ungrouped($0 + 1) }, alignsRight: true, isFixed: true)
        var cells = [numbers]
        for column in columns {
            var values: [PredicateValue] = []
            for row in rows { values.append(try value(of: column, row)) }
            cells.append(Self.column(column.name, values))
        }
        return TextTable(cells, width: settings.width).lines(painter)
    }

    private static func column(_ name: String, _ values: [PredicateValue]) -> TextTable.Column {
        let isNumeric =
            values.contains { $0.kind == .number }
            && values.allSatisfy { $0.kind.map { $0 == .number } ?? true }
        return TextTable.Column(
            name, values.map { ValueText.cell(.value($0)).cut(toColumns: 200) }, alignsRight: isNumeric)
    }

    /// Returns objects with the values of the columns.
    func objects(_ rows: [Int], with columns: [ShownColumn]) throws(SessionError) -> [KeyedValue] {
        var objects: [KeyedValue] = []
        for row in rows {
            var members: [String: PredicateValue] = [:]
            for column in columns { members[column.name] = try value(of: column, row) }
            objects.append(.value(.dictionary(members)))
        }
        return objects
    }
}

// MARK: - Aggregates

/// A function of all values of a group.
enum SessionAggregate: String {
    case sum = "@sum"
    case average = "@avg"
    case minimum = "@min"
    case maximum = "@max"
    case median = "median:"

    /// `sum_price`
    func name(of column: ShownColumn) -> String {
        if column.name != column.query.format { return column.name }
        return "\(rawValue.filter { $0 != "@" && $0 != ":" })_\(column.name)"
    }

    /// Returns the value for values that are not nil; nil for none.
    func value(of values: [PredicateValue]) throws(EvaluationError) -> PredicateValue {
        if values.isEmpty { return .null }
        let format = self == .median ? "median:(SELF)" : "SELF.\(rawValue).self"
        guard let expression = try? FormatExpression(format: format, arguments: []) else { return .null }
        let evaluator = try ExpressionEvaluator(expression)
        return try evaluator.value(.value(.array(values))).predicateValue ?? .null
    }
}

extension Session {
    /// `:sum price`, `:avg age, price * 2 AS double BY city`. Without a predicate, of all objects.
    func aggregate(_ function: SessionAggregate, _ rest: String) throws(SessionError) -> String {
        try requireObjects()
        let (list, keys) = OutputList.divided(rest, at: "by") ?? (rest, "")
        let columns = try shownColumns(list)
        let groups = try groups(keys.isEmpty ? [] : shownColumns(keys))
        var cells = groups.keys.enumerated().map { index, key in
            Self.column(key.name, groups.rows.map { $0.values[index] })
        }
        cells.append(Self.column("count", groups.rows.map { .integer(Int64($0.rows.count)) }))
        for column in columns {
            var values: [PredicateValue] = []
            for group in groups.rows { values.append(try value(of: function, column, group.rows)) }
            cells.append(Self.column(function.name(of: column), values))
        }
        return TextTable(cells, width: settings.width).lines(painter).joined(separator: "\n")
    }

    /// The groups of the matches by some keys, in the order in which they occur.
    private func groups(
        _ keys: [ShownColumn]
    ) throws(SessionError) -> (keys: [ShownColumn], rows: [(values: [PredicateValue], rows: [Int])]) {
        var places: [[PredicateValue]: Int] = [:]
        var groups: [(values: [PredicateValue], rows: [Int])] = keys.isEmpty ? [([], [])] : []
        if keys.isEmpty { places[[]] = 0 }
        for row in try matchingRows() {
            var values: [PredicateValue] = []
            for key in keys { values.append(try value(of: key, row)) }
            let place = places[values] ?? groups.count
            if place == groups.count { groups.append((values, [])) }
            places[values] = place
            groups[place].rows.append(row)
        }
        return (keys, groups)
    }

    private func value(
        of function: SessionAggregate, _ column: ShownColumn, _ rows: [Int]
    ) throws(SessionError) -> PredicateValue {
        var values: [PredicateValue] = []
        for row in rows {
            let value = try value(of: column, row)
            values += (value.elements ?? [value]).filter { $0.kind != nil }
        }
        do throws(EvaluationError) {
            return try function.value(of: values)
        } catch {
            throw SessionError("\(function.name(of: column)): \(error.title)", hints: error.hints)
        }
    }
}
