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
        let keys = columns.indices.filter { columns[$0].aggregate == nil }
        let order = keys + columns.indices.filter { columns[$0].aggregate != nil }
        var notes: [String] = []
        let groups = try collected(order.map { columns[$0] }, &notes)
        let rows = groups.order(bySize: bySize).prefix(settings.rowLimit).map(groups.row)
        // A row has the number of its objects between its keys and its aggregates.
        let values = order.indices.map { index in rows.map { $0[index < keys.count ? index : index + 1] } }
        let rest = groups.count - rows.count
        if rest > 0 { notes.insert(painter.paint("… \(Count.of(rest, "more group"))", .faint), at: 0) }
        let table = zip(order, values).sorted { $0.0 < $1.0 }.map {
            tableColumn(columns[$0].name, $1.map(KeyedValue.value))
        }
        return (TextTable(table, width: settings.width).lines(painter) + notes).joined(separator: "\n")
    }

    /// Returns the groups of the matches by some keys, which are the first columns, and their aggregates. A value that an
    /// aggregate does not accept is left out and noted. [NSP-512]
    private func collected(_ columns: [ShownColumn], _ notes: inout [String]) throws(SessionError) -> GroupCollector {
        let functions = columns.compactMap(\.aggregate)
        let groups = GroupCollector(keyCount: columns.count - functions.count, functions)
        let rows = try matchingRows()
        var values: [[PredicateValue]] = []
        for column in columns { values.append(try self.values(of: column, rows, &notes)) }
        var errors = columns.map { ColumnErrors($0.name) }
        for index in rows.indices {
            guard let failed = groups.add(values.map { $0[index] }) else { continue }
            let column = columns.count - functions.count + failed
            let (text, found) = (columns[column].query.format, FoundValue(values[column][index]))
            errors[column].add("error: '\(text)' of object \(rows[index] + 1) is not a number: it is \(found)")
        }
        notes += errors.flatMap(\.notes)
        return groups
    }

    /// Returns the rows that match the last predicate; all rows if there is none.
    private func matchingRows() throws(SessionError) -> [Int] {
        guard let query = current, case .predicate(let predicate) = query.content else { return Array(0..<table.count) }
        try prepare(query)
        guard let scan = scan(try evaluator(try reading(predicate), query), limit: .max) else {
            throw SessionError("stopped")
        }
        return scan.first
    }
}

extension ShownColumn {
    /// The number of objects.
    fileprivate static func count(name: String = "count") -> ShownColumn {
        ShownColumn(name: name, query: Query(.constantValue(.integer(1)), "count()"), aggregate: .count)
    }
}
