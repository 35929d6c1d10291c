import PredicateData
import PredicateEvaluation
import PredicateSyntax

// Computed columns of matches, and their aggregates

/// A column of matches: `age * 2 AS double`
struct ShownColumn {
    let name: String
    let query: Query
}

extension Session {
    /// `:columns name, age + 1 AS next`, `:columns --`, `:columns`. Shows the matches of the last predicate.
    func setColumns(_ rest: String) throws(SessionError) -> String {
        let former = columns
        if rest == "--" {
            columns = nil
        } else if !rest.isEmpty {
            try requireObjects()
            columns = try distinctColumns(rest)
        }
        let names = columns.map { $0.map(\.name).joined(separator: ", ") } ?? "all keys"
        do throws(SessionError) {
            let matches = rest.isEmpty ? [] : try lastMatches()
            return (["matches are shown with \(names)"] + matches).joined(separator: "\n")
        } catch {
            columns = former
            throw error
        }
    }

    /// Returns the columns of a list. Throws if two have one name, since objects that are written have each key once.
    private func distinctColumns(_ list: String) throws(SessionError) -> [ShownColumn] {
        let columns = try shownColumns(list)
        let names = columns.map(\.name)
        guard let name = names.first(where: { name in names.count { $0 == name } > 1 }) else { return columns }
        throw SessionError("two columns have the name '\(name)'", hints: ["write another name after AS"])
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
        let query = try Query(text, words: argumentWords, in: zone)
        guard case .expression(let expression) = query.content else {
            let hint = "write TERNARY(\(query.printed), YES, NO) for its result"
            throw SessionError("\(query.printed) is a predicate", hints: [hint])
        }
        try prepare(query)
        try requireKnownKeys(of: expression)
        return ShownColumn(name: name ?? text, query: query)
    }

    /// Returns the values of a column for objects, with the variables of now. A value that is an error is nil, and the
    /// first error is noted. [NSP-484]
    private func values(
        of column: ShownColumn, _ rows: [Int], _ notes: inout [String]
    ) throws(SessionError) -> [PredicateValue] {
        guard case .expression(let expression) = column.query.content else { return [] }
        try prepare(column.query)
        let evaluator = try evaluator(expression, column.query)
        var (values, failed): ([PredicateValue], Int) = ([], 0)
        for row in rows {
            do throws(SessionError) {
                values.append(try value(of: evaluator, row, column.query))
            } catch {
                values.append(.null)
                failed += 1
                if failed == 1 { notes.append(error.text) }
            }
        }
        if failed > 1 { notes.append("error: \(Count.of(failed - 1, "further error")) of \(column.name)") }
        return values
    }

    /// Returns objects as a table of the columns.
    func table(of rows: [Int], _ columns: [ShownColumn]) throws(SessionError) -> [String] {
        let numbers = TextTable.Column("#", rows.map { Count.ungrouped($0 + 1) }, alignsRight: true, isFixed: true)
        var (cells, notes): ([TextTable.Column], [String]) = ([numbers], [])
        for column in columns { cells.append(tableColumn(column.name, try values(of: column, rows, &notes))) }
        return TextTable(cells, width: settings.width).lines(painter) + notes
    }

    private func tableColumn(_ name: String, _ values: [PredicateValue]) -> TextTable.Column {
        let isNumeric =
            values.contains { $0.kind == .number }
            && values.allSatisfy { $0.kind.map { $0 == .number } ?? true }
        return TextTable.Column(
            name, values.map { ValueText.cell(.value($0), in: zone).cut(toColumns: 200) }, alignsRight: isNumeric)
    }

    /// Returns objects with the values of the columns.
    func objects(
        _ rows: [Int], with columns: [ShownColumn], _ notes: inout [String]
    ) throws(SessionError) -> [KeyedValue] {
        var objects = rows.map { _ in [String: PredicateValue]() }
        for column in columns {
            for (index, value) in try values(of: column, rows, &notes).enumerated() {
                objects[index][column.name] = value
            }
        }
        return objects.map { .value(.dictionary($0)) }
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

    /// Returns the result for values without nil, as `predicate filter` does.
    fileprivate func result(of values: [PredicateValue]) throws(EvaluationError) -> PredicateValue {
        var (total, middle) = (ValueTotal(), NumberMedian())
        switch self {
        case .minimum, .maximum: return values.isEmpty ? .null : try extreme(of: values)
        case .sum, .average:
            for value in values where !total.add(value) { throw EvaluationError(.notANumber(found: FoundValue(value))) }
            return self == .sum ? total.sum : total.average
        case .median:
            for value in values where !middle.add(value) {
                throw EvaluationError(.notANumber(found: FoundValue(value)))
            }
            return middle.value
        }
    }

    private func extreme(of values: [PredicateValue]) throws(EvaluationError) -> PredicateValue {
        guard let expression = try? FormatExpression(format: "SELF.\(rawValue).self", arguments: []) else {
            return .null
        }
        return try ExpressionEvaluator(expression).value(.value(.array(values))).predicateValue ?? .null
    }
}

extension Session {
    /// `:sum price`, `:avg age, price * 2 AS double BY city`. Without a predicate, of all objects.
    func aggregate(_ function: SessionAggregate, _ rest: String) throws(SessionError) -> String {
        try requireObjects()
        let (list, by) = OutputList.divided(rest, at: "by") ?? (rest, "")
        let (columns, keys) = (try shownColumns(list), by.isEmpty ? [] : try shownColumns(by))
        let rows = try matchingRows()
        var (notes, keyValues): ([String], [[PredicateValue]]) = ([], [])
        for key in keys { keyValues.append(try values(of: key, rows, &notes)) }
        let groups = Self.groups(of: rows.count, by: keyValues)
        let shown = groups.prefix(settings.rowLimit)
        var cells = keys.indices.map { index in
            tableColumn(keys[index].name, shown.map { keyValues[index][$0.first ?? 0] })
        }
        cells.append(tableColumn("count", shown.map { .integer(Int64($0.count)) }))
        for column in columns {
            let values = try values(of: column, rows, &notes)
            cells.append(tableColumn(function.name(of: column), try results(function, column, shown, values)))
        }
        if groups.count > shown.count {
            notes.insert(painter.paint("… \(Count.of(groups.count - shown.count, "more group"))", .faint), at: 0)
        }
        return (TextTable(cells, width: settings.width).lines(painter) + notes).joined(separator: "\n")
    }

    /// The places of the matches of each group, in the order in which the groups occur; all matches without a key.
    private static func groups(of count: Int, by keys: [[PredicateValue]]) -> [[Int]] {
        if keys.isEmpty { return [Array(0..<count)] }
        var (places, groups): ([[GroupedValue]: Int], [[Int]]) = ([:], [])
        for index in 0..<count {
            let values = keys.map { GroupedValue($0[index]) }
            let place = places[values] ?? groups.count
            if place == groups.count { groups.append([]) }
            places[values] = place
            groups[place].append(index)
        }
        return groups
    }

    private func results(
        _ function: SessionAggregate, _ column: ShownColumn, _ groups: ArraySlice<[Int]>, _ values: [PredicateValue]
    ) throws(SessionError) -> [PredicateValue] {
        do throws(EvaluationError) {
            var results: [PredicateValue] = []
            for group in groups {
                let present = group.flatMap { values[$0].elements ?? [values[$0]] }.filter { $0.kind != nil }
                results.append(try function.result(of: present))
            }
            return results
        } catch {
            throw SessionError("\(function.name(of: column)): \(error.title)", hints: error.hints)
        }
    }
}

/// A value that is a key of groups: true and 1 are two groups, 1 and 1.0 are one.
struct GroupedValue: Hashable {
    private let value: PredicateValue
    private let isBoolean: Bool

    init(_ value: PredicateValue) {
        self.value = value
        isBoolean = value.kind == .boolean
    }
}
