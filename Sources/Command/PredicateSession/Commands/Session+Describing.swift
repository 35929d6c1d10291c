import PredicateData
import PredicateEvaluation
import PredicateQuery
import PredicateSyntax

extension Session {
    /// Returns a table of the keys in all records of a file: types, shares of nil, numbers of distinct values, the least and
    /// the greatest value.
    ///
    /// `path` restricts it to a key and the keys of its values. Sentences about the columns follow the table.
    package func description(of path: String?) throws(SessionError) -> String {
        try requireObjects()
        try settle(keys: nil)
        let contains = { @Sendable (key: String) in path.map { key == $0 || key.hasPrefix($0 + ".") } ?? true }
        var statistics = KeyStatistics(in: zone, measuring: contains)
        let take = { (taken: TakenObject) in statistics.add(taken.object) }
        let columns = header?.columns ?? []
        let pass = ObjectPass([], needsObjects: true, context, take: take)
        if header != nil { pass.takesSlots(of: columns) { statistics.add($0, columns) } }
        try run(pass, task: "describing")
        statistics.finish(table.columns)
        let columnTypes = header?.facts ?? [:]
        let keys = statistics.keys.filter { contains($0.path) }
        guard !keys.isEmpty else { throw unknownKey(path ?? "", statistics) }
        let summary = "\(Count.of(statistics.count, "object")), \(Count.of(keys.count, "key"))"
        let reasons = keys.compactMap { columnTypes[$0.path]?.reason($0.path) }
        let notes = loadNotes.filter { $0.column.map(contains) ?? false }.map(\.message) + reasons
        return ([summary] + descriptionTable(keys, columnTypes) + notes.map { "note: \($0)" }).joined(separator: "\n")
    }

    private func unknownKey(_ path: String, _ statistics: KeyStatistics) -> SessionError {
        guard !path.isEmpty else { return SessionError("the objects have no keys") }
        return SessionError(
            "no object has the key '\(path)'",
            hints: NearMiss.hints(for: path, among: statistics.keys.map(\.path)))
    }

    private func descriptionTable(_ keys: [KeyFacts], _ columnTypes: [String: ColumnFacts]) -> [String] {
        func cells(_ body: (ValueRange) -> PredicateValue) -> [String] {
            keys.map { facts in
                guard let range = facts.range, facts.hasValues else { return "" }
                return ValueText.literal(.value(body(range)), in: zone).cut(toColumns: 40)
            }
        }
        let types = keys.map { columnTypes[$0.path]?.name ?? $0.typeText }
        let range = [
            TextTable.Column(
                "different", keys.map { $0.hasValues ? $0.range?.differentText ?? "" : "" }, alignsRight: true),
            TextTable.Column("least", cells(\.least)), TextTable.Column("greatest", cells(\.greatest)),
        ]
        return TextTable(Self.columns(of: keys, types: types, range), width: settings.width).lines(painter)
    }

    /// Returns the columns of a table of keys, with `others` before the examples.
    static func columns(
        of keys: [KeyFacts], types: [String], _ others: [TextTable.Column] = []
    ) -> [TextTable.Column] {
        let facts = [
            TextTable.Column("key path", keys.map { $0.path.printable }), TextTable.Column("type", types),
            TextTable.Column("nil", keys.map { Count.share($0.nils, of: $0.total) }, alignsRight: true),
        ]
        let examples = keys.map { $0.examples.joined(separator: ", ").cut(toColumns: 60) }
        return facts + others + [TextTable.Column("examples", examples)]
    }
}

extension KeyFacts {
    /// True if there are values other than dictionaries.
    fileprivate var hasValues: Bool { kinds.keys.contains { $0 != .dictionary } }
}
