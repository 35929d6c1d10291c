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
        // Later objects of a file without a header may have the key.
        guard knowsAllKeys, let finding = unknownKey(in: expression) else { return query }
        throw SessionError(finding.message, hints: finding.hint.map { [$0] } ?? [])
    }

    /// Returns the evaluators of columns. Reads the objects that the columns need, and interprets the strings in their
    /// conditions.
    func evaluators(of columns: [ShownColumn]) throws(SessionError) -> [ExpressionEvaluator] {
        var evaluators: [ExpressionEvaluator] = []
        for column in columns {
            guard case .expression(let expression) = column.query.content else { continue }
            try prepare(column.query)
            evaluators.append(try evaluator(reading(expression), column.query))
        }
        return evaluators
    }

    /// Returns objects as a table of the columns. A value that cannot be computed is nil, and the first error of each column is
    /// noted. [NSP-484]
    func table(of rows: [Int], _ columns: [ShownColumn], _ notes: inout [String]) throws(SessionError) -> [String] {
        var (cells, problems) = ([[PredicateValue]](), ColumnProblems(columns))
        let values = try evaluators(of: columns)
        let objects = try objects(at: rows, typed: ObjectPass([], values: values, context).keys)
        for (position, object) in objects {
            let taken = TakenObject(object, position, values)
            problems.add(taken)
            cells.append(taken.values)
        }
        notes += problems.notes
        let table = [numberColumn(objects.map(\.position))] + tableColumns(columns, cells)
        return TextTable(table, width: settings.width).lines(painter)
    }

    /// Returns the columns of a table, given the values of its rows.
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
}

/// Why a value of an object is left out.
enum ValueProblem {
    /// An aggregate of numbers found another value.
    case notANumber(PredicateValue)
    case failed(EvaluationError)
}

/// The problems of the values in columns; the first one of each column is shown.
struct ColumnProblems {
    private let columns: [ShownColumn]
    private var firsts: [String?]
    private var counts: [Int]

    init(_ columns: [ShownColumn]) {
        self.columns = columns
        (firsts, counts) = (columns.map { _ in nil }, columns.map { _ in 0 })
    }

    /// Adds those values of an object that could not be computed.
    mutating func add(_ taken: TakenObject) {
        for (column, error) in taken.failures { add(.failed(error), column, taken.index) }
    }

    mutating func add(_ problem: ValueProblem, _ column: Int, _ object: Int) {
        counts[column] += 1
        if firsts[column] == nil { firsts[column] = columns[column].text(of: problem, object) }
    }

    /// The first error of each column, and the number of the others.
    var notes: [String] {
        columns.indices.flatMap { index in
            let others =
                counts[index] > 1
                ? "error: \(Count.of(counts[index] - 1, "further error")) of \(columns[index].name)" : nil
            return [firsts[index], others].compactMap(\.self)
        }
    }
}

extension ShownColumn {
    fileprivate func text(of problem: ValueProblem, _ object: Int) -> String {
        switch problem {
        case .failed(let error): query.text(of: error)
        case .notANumber(let found):
            "error: '\(query.format)' of object \(object + 1) is not a number: it is \(FoundValue(found))"
        }
    }
}
