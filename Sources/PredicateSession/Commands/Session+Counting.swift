import PredicateEvaluation
import PredicateSyntax

// The matches of the last predicate, counted by a value

extension Session {
    /// `:count-by city`, `:count-by year:(joined)`. Without a predicate, all objects are counted.
    func countBy(_ rest: String) throws(SessionError) -> String {
        try requireObjects()
        let query = try Query(rest, words: argumentWords, in: zone)
        guard case .expression(let expression) = query.content else {
            throw SessionError(
                "\(query.printed) is a predicate", hints: ["a key is counted: \(SessionCommand.countBy.example)"])
        }
        try prepare(query)
        try requireKnownKeys(of: expression)
        var groups = ValueCounts()
        let evaluator = try evaluator(expression, query)
        for row in try matchingRows() { try groups.add(value(of: evaluator, row, query)) }
        let shown = groups.sorted.prefix(settings.rowLimit)
        let columns = [
            TextTable.Column(query.format, shown.map { ValueText.cell(.value($0.value), in: zone) }),
            TextTable.Column("count", shown.map { Count.grouped($0.count) }, alignsRight: true, isFixed: true),
        ]
        let others = groups.sorted.count - shown.count
        let note = others > 0 ? [painter.paint("… \(Count.of(others, "more group"))", .faint)] : []
        return (TextTable(columns, width: settings.width).lines(painter) + note).joined(separator: "\n")
    }

    /// Throws for a key that no object has.
    func requireKnownKeys(of expression: FormatExpression) throws(SessionError) {
        guard let finding = unknownKey(in: expression) else { return }
        throw SessionError(finding.message, hints: finding.hint.map { [$0] } ?? [])
    }

    func evaluator(_ expression: FormatExpression, _ query: Query) throws(SessionError) -> ExpressionEvaluator {
        let expression = try reading(expression)
        do throws(EvaluationError) {
            return try ExpressionEvaluator(expression, context: context)
        } catch {
            throw SessionError(rendered: query.text(of: error))
        }
    }

    func value(
        of evaluator: ExpressionEvaluator, _ row: Int, _ query: Query
    ) throws(SessionError) -> PredicateValue {
        do throws(EvaluationError) {
            return try evaluator.value(table[row]).predicateValue ?? .null
        } catch {
            if error.isAboutNil { return .null }
            throw SessionError(rendered: query.text(of: error, columns: table.columns))
        }
    }

    /// Returns the rows that match the last predicate; all rows if there is none.
    func matchingRows() throws(SessionError) -> [Int] {
        guard let query = current, case .predicate(let predicate) = query.content else { return Array(0..<table.count) }
        try prepare(query)
        guard let scan = scan(try evaluator(try reading(predicate), query), limit: .max) else {
            throw SessionError("stopped")
        }
        return scan.first
    }
}

/// How often values occur.
private struct ValueCounts {
    private var places: [GroupedValue: Int] = [:]
    private var groups: [(value: PredicateValue, count: Int)] = []

    mutating func add(_ value: PredicateValue) {
        var value = value
        if case .double(let number) = value, let integer = Int64(exactly: number) { value = .integer(integer) }
        if let place = places[GroupedValue(value)] { return groups[place].count += 1 }
        places[GroupedValue(value)] = groups.count
        groups.append((value, 1))
    }

    /// The most frequent first, others in the order in which they occur.
    var sorted: [(value: PredicateValue, count: Int)] {
        groups.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }.map(\.element)
    }
}
