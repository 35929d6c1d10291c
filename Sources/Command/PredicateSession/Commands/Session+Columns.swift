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

    /// Returns the columns as values of a query over the objects, each under a name that no key has.
    func resultKeys(_ columns: [ShownColumn]) throws(SessionError) -> [ResultKey] {
        try columns.enumerated().map { (index, column) throws(SessionError) in
            let (value, name) = (try value(of: column), ".\(index)")
            return column.aggregate.map { .aggregate($0, of: value, as: name) } ?? ResultKey(value, as: name)
        }
    }

    /// Returns the expression of a column with its strings read, after reading the objects that it needs.
    func value(of column: ShownColumn) throws(SessionError) -> FormatExpression {
        guard case .expression(let expression) = column.query.content else {
            return FormatExpression(.constantValue(.null))
        }
        try prepare(column.query)
        let value = try reading(expression)
        do throws(EvaluationError) {
            _ = try ExpressionEvaluator(value, context: context)
        } catch {
            throw SessionError(rendered: column.query.text(of: error))
        }
        return value
    }

    /// Asks a query about objects. A value that cannot be evaluated, or that its aggregate does not take, is nil, and the first
    /// problem of each column is noted. [NSP-484] [NSP-512]
    func ask<Answer>(
        _ rows: [Int], _ columns: [ShownColumn], _ notes: inout [String],
        _ work: ([QueriedObject], QuerySettings) throws(EvaluationError) -> Answer
    ) throws(SessionError) -> Answer {
        var problems = columns.map { ColumnProblems($0.name) }
        let settings = QuerySettings(context) { [table] problem in
            let column = problem.column
            problems[column].add(columns[column].text(of: problem, object: rows[problem.row], in: table))
        }
        do throws(EvaluationError) {
            let answer = try work(rows.map { QueriedObject(keyedValue: table[$0]) }, settings)
            notes += problems.flatMap(\.notes)
            return answer
        } catch {
            throw SessionError(rendered: RecordErrorText.text(of: error, columns: table.columns))
        }
    }

    /// Returns the values of the columns for objects.
    private func values(
        of columns: [ShownColumn], _ rows: [Int], _ notes: inout [String]
    ) throws(SessionError) -> [[PredicateValue]] {
        let query = FormatQuery(try resultKeys(columns))
        return try ask(rows, columns, &notes) { (objects, settings) throws(EvaluationError) in
            try objects.results(of: query, settings).rows
        }
    }

    /// Returns objects as a table of the columns.
    func table(of rows: [Int], _ columns: [ShownColumn]) throws(SessionError) -> [String] {
        let numbers = TextTable.Column("#", rows.map { Count.ungrouped($0 + 1) }, alignsRight: true, isFixed: true)
        var notes: [String] = []
        let cells = tableColumns(columns, try values(of: columns, rows, &notes))
        return TextTable([numbers] + cells, width: settings.width).lines(painter) + notes
    }

    /// Returns the columns of a table with some rows.
    func tableColumns(_ columns: [ShownColumn], _ rows: [[PredicateValue]]) -> [TextTable.Column] {
        columns.enumerated().map { index, column in tableColumn(column.name, rows.map { .value($0[index]) }) }
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
        let names = columns.map(\.name)
        return try values(of: columns, rows, &notes).map { .value(.dictionary(Dictionary(zip(names, $0)) { $1 })) }
    }
}

/// An object of the table as an element of a query.
struct QueriedObject: KeyedValueConvertible {
    let keyedValue: KeyedValue
}

extension ShownColumn {
    /// Returns the text of a problem in the column, for an object of the table.
    fileprivate func text(of problem: RowProblem, object: Int, in table: ObjectTable) -> String {
        switch problem.problem {
        case .failed(let error): query.text(of: error, columns: table.columns)
        case .notANumber(let found):
            "error: '\(query.format)' of object \(object + 1) is not a number: it is \(FoundValue(found))"
        }
    }
}

/// The problems of the values in a column; the first one is shown.
private struct ColumnProblems {
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
