import PredicateEvaluation
import PredicateQuery
import PredicateSyntax

// Groups of the last predicate's matches, or of all objects if there is no predicate, and their aggregates

extension Session {
    /// `:group city, count(), percentile(age, 95) AS old`
    func group(_ list: String) throws(SessionError) -> String {
        try requireObjects()
        return try groups(items(Self.withoutBy(list)).map(groupColumn))
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
        return try groups(shownColumns(Self.withoutBy(list)) + [.count()], bySize: true)
    }

    /// `city` for `by city`, as in `:group by city`
    private static func withoutBy(_ list: String) -> String {
        list.lowercased().hasPrefix("by ") ? String(list.dropFirst(3)) : list
    }

    /// Returns the column of an aggregate, or of a value by which objects are grouped.
    private func groupColumn(_ item: ListItem) throws(SessionError) -> ShownColumn {
        guard let call = AggregateCall(item.text) else { return try shownColumn(item) }
        guard let function = call.aggregate else { return .count(name: item.name ?? call.name) }
        return ShownColumn(name: item.name ?? call.name, query: try operand(call.operand), aggregate: function)
    }

    /// Returns the table of the groups: by size if `bySize` is true, the largest first, then by their keys.
    private func groups(_ columns: [ShownColumn], bySize: Bool = false) throws(SessionError) -> String {
        let keys = columns.filter { $0.aggregate == nil }
        let aggregates = columns.filter { $0.aggregate != nil && !$0.countsObjects }
        let groups = GroupCollector(keyCount: keys.count, aggregates.compactMap(\.aggregate))
        var notes: [String] = []
        try add(to: groups, keys, aggregates, &notes)
        let places = groups.groups.order(bySize: bySize)
        let rest = places.count - settings.rowLimit
        if rest > 0 { notes.insert(painter.paint("… \(Count.of(rest, "more group"))", .faint), at: 0) }
        let rows = places.prefix(settings.rowLimit).map { place in
            let row = groups.groups.row(place)
            var (key, aggregate) = (row.startIndex, keys.count + 1)
            return columns.map { column in
                if column.countsObjects { return row[keys.count] }
                defer { if column.aggregate == nil { key += 1 } else { aggregate += 1 } }
                return row[column.aggregate == nil ? key : aggregate]
            }
        }
        let table = TextTable(tableColumns(columns, rows), width: settings.width)
        return (table.lines(painter) + notes).joined(separator: "\n")
    }

    /// Adds the objects that match the last predicate to groups; all objects if there is none.
    private func add(
        to groups: GroupCollector, _ keys: [ShownColumn], _ aggregates: [ShownColumn], _ notes: inout [String]
    ) throws(SessionError) {
        let predicate = try lastPredicate()?.evaluator
        var problems = ColumnProblems(keys + aggregates)
        let values = try evaluators(of: keys + aggregates)
        let take = { (taken: TakenObject) in
            problems.add(taken)
            guard let index = groups.add(taken.values) else { return }
            problems.add(.notANumber(taken.values[keys.count + index]), keys.count + index, taken.index)
        }
        try run(ObjectPass(predicate.map { [$0] } ?? [], values: values, context, take: take), task: "grouping")
        notes += problems.notes
    }
}

extension ShownColumn {
    /// The number of objects.
    fileprivate static func count(name: String = "count") -> ShownColumn {
        ShownColumn(name: name, query: Query(.constantValue(.integer(1)), "count()"), aggregate: .count)
    }

    /// True for the number of objects.
    fileprivate var countsObjects: Bool { aggregate == .count && query.format == "count()" }
}
