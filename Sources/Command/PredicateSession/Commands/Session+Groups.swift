import PredicateEvaluation
import PredicateQuery
import PredicateSyntax

// Groups of the last predicate's matches, or of all objects if there is no predicate, and their aggregates

extension Session {
    /// `:group city, count(), percentile(age, 95) AS old`
    func group(_ list: String) throws(SessionError) -> String {
        try requireObjects()
        return try groups(items(list).map(groupColumn))
    }

    /// `:avg age, price * 2 AS double BY city`, which is `:group city, count(), avg(age), avg(price * 2) AS double`
    func aggregate(_ function: ResultKey.Aggregate, _ rest: String) throws(SessionError) -> String {
        try requireObjects()
        let (list, by) = OutputList.divided(rest, at: "by") ?? (rest, nil)
        let keys = try by.map(shownColumns) ?? []
        let values = try items(list).map { (text, name) throws(SessionError) in
            ShownColumn(name: name ?? "\(function.name)_\(text)", query: try operand(text), aggregate: function)
        }
        return try groups(keys + [.count()] + values)
    }

    /// `:count-by city, year(joined)`
    func countBy(_ list: String) throws(SessionError) -> String {
        try requireObjects()
        return try groups(shownColumns(list) + [.count()], bySize: true)
    }

    /// Returns the column of an aggregate, or of a value by which objects are grouped.
    private func groupColumn(_ item: ListItem) throws(SessionError) -> ShownColumn {
        guard let call = AggregateCall(item.text) else { return try shownColumn(item) }
        guard let function = call.aggregate else { return .count(name: item.name ?? call.name) }
        return ShownColumn(name: item.name ?? call.name, query: try operand(call.operand), aggregate: function)
    }

    /// Returns the table of the groups: by size if `bySize` is true, the largest first, then by their keys.
    private func groups(_ columns: [ShownColumn], bySize: Bool = false) throws(SessionError) -> String {
        let results = try resultKeys(columns)
        let size = results.last.flatMap { bySize ? SortKey($0.name, ascending: false) : nil }
        let query = FormatQuery(
            results, groupedBy: results.filter { !$0.isAggregate }, sortKeys: size.map { [$0] } ?? [])
        let rows = try matchingRows()
        var notes: [String] = []
        let values = columns.filter { $0.aggregate == nil } + columns.filter { $0.aggregate != nil }
        let groups = try ask(rows, values, &notes) { (objects, settings) throws(EvaluationError) in
            try objects.results(of: query, settings).rows
        }
        let rest = groups.count - settings.rowLimit
        if rest > 0 { notes.insert(painter.paint("… \(Count.of(rest, "more group"))", .faint), at: 0) }
        let table = TextTable(tableColumns(columns, Array(groups.prefix(settings.rowLimit))), width: settings.width)
        return (table.lines(painter) + notes).joined(separator: "\n")
    }

    /// Returns the rows that match the last predicate; all rows if there is none.
    private func matchingRows() throws(SessionError) -> [Int] {
        guard let (_, evaluator) = try lastPredicate() else { return Array(0..<table.count) }
        return try scan(evaluator, limit: .max).first
    }
}

extension ShownColumn {
    /// The number of objects.
    fileprivate static func count(name: String = "count") -> ShownColumn {
        ShownColumn(name: name, query: Query(.constantValue(.integer(1)), "count()"), aggregate: .count)
    }
}
