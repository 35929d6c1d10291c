import PredicateEvaluation
import PredicateQuery
import PredicateSyntax

// Computed columns of matches

/// A column of matches or of groups: `age * 2 AS double`, `avg(age)`
struct ShownColumn {
    let name: String
    let query: Query
    /// The function that is applied to all values of a group; nil for the values themselves.
    var aggregate: ResultKey.Aggregate?
}

/// An item of a list, and the name after AS.
typealias ListItem = (text: String, name: String?)

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

    /// Returns the columns of a list. Throws if two have the same name, since an object is written with each key only once.
    private func distinctColumns(_ list: String) throws(SessionError) -> [ShownColumn] {
        let columns = try shownColumns(list)
        var seen: Set<String> = []
        guard let column = columns.first(where: { !seen.insert($0.name).inserted }) else { return columns }
        throw SessionError("two columns have the name '\(column.name)'", hints: ["write another name after AS"])
    }

    /// Returns the columns of a list of keys and expressions.
    func shownColumns(_ list: String) throws(SessionError) -> [ShownColumn] {
        try items(list).map(shownColumn)
    }

    func shownColumn(_ item: ListItem) throws(SessionError) -> ShownColumn {
        ShownColumn(name: item.name ?? item.text, query: try operand(item.text))
    }

    /// Returns the items of a list. If a key has the same spelling as an item, the key is meant. [NSP-484]
    func items(_ list: String) throws(SessionError) -> [ListItem] {
        try OutputList.items(list).map { (item) throws(SessionError) in
            guard item.isEmpty else { return table.columns.contains(item) ? (item, nil) : OutputList.divided(item) }
            throw SessionError("expected keys separated by commas", hints: [SessionCommand.columns.example])
        }
    }

    /// Returns a key or an expression. Throws for a predicate, and for a key that no object has.
    func operand(_ text: String) throws(SessionError) -> Query {
        if table.columns.contains(text) { return Query(.keyPath(KeyPathExpression([.key(text)])), text) }
        let query = try Query(text, words: argumentWords, in: zone)
        guard case .expression(let expression) = query.content else {
            let hint = "write TERNARY(\(query.printed), YES, NO) for its result"
            throw SessionError("\(query.printed) is a predicate", hints: [hint])
        }
        try prepare(query)
        guard let finding = unknownKey(in: expression) else { return query }
        throw SessionError(finding.message, hints: finding.hint.map { [$0] } ?? [])
    }

    /// Returns the values of a column for objects, with the current variables. A value that cannot be evaluated is nil, and the
    /// first error is added to the notes. [NSP-484]
    func values(
        of column: ShownColumn, _ rows: [Int], _ notes: inout [String]
    ) throws(SessionError) -> [PredicateValue] {
        guard case .expression(let expression) = column.query.content else { return [] }
        try prepare(column.query)
        let evaluator = try evaluator(expression, column.query)
        var errors = ColumnErrors(column.name)
        var values: [PredicateValue] = []
        for row in rows {
            do throws(EvaluationError) {
                values.append(try evaluator.valueOrNil(table[row]))
            } catch {
                values.append(.null)
                errors.add(column.query.text(of: error, columns: table.columns))
            }
        }
        notes += errors.notes
        return values
    }

    private func evaluator(_ expression: FormatExpression, _ query: Query) throws(SessionError) -> ExpressionEvaluator {
        let expression = try reading(expression)
        do throws(EvaluationError) {
            return try ExpressionEvaluator(expression, context: context)
        } catch {
            throw SessionError(rendered: query.text(of: error))
        }
    }

    /// Returns objects as a table of the columns.
    func table(of rows: [Int], _ columns: [ShownColumn]) throws(SessionError) -> [String] {
        let numbers = TextTable.Column("#", rows.map { Count.ungrouped($0 + 1) }, alignsRight: true, isFixed: true)
        var (cells, notes): ([TextTable.Column], [String]) = ([numbers], [])
        for column in columns {
            cells.append(tableColumn(column.name, try values(of: column, rows, &notes).map(KeyedValue.value)))
        }
        return TextTable(cells, width: settings.width).lines(painter) + notes
    }

    /// Returns a column of a table. Numbers are aligned right.
    func tableColumn(_ name: String, _ values: [KeyedValue]) -> TextTable.Column {
        let isNumeric =
            values.contains { $0.kind == .number }
            && values.allSatisfy { $0.kind.map { $0 == .number } ?? true }
        return TextTable.Column(
            name, values.map { ValueText.cell($0, in: zone).cut(toColumns: 200) }, alignsRight: isNumeric)
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

/// The errors in the values of a column; the first one is shown.
struct ColumnErrors {
    private let column: String
    private var first: String?
    private var count = 0

    init(_ column: String) { self.column = column }

    mutating func add(_ text: @autoclosure () -> String) {
        first = first ?? text()
        count += 1
    }

    /// The first error, and the number of the others.
    var notes: [String] {
        let others = count > 1 ? "error: \(Count.of(count - 1, "further error")) of \(column)" : nil
        return [first, others].compactMap(\.self)
    }
}
