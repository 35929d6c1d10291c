/// The rows of the enclosing scopes under the names that a subquery has for them, in a database where a subquery names
/// rows of the next scope out only.
///
/// `ANY phones.calls.seconds > age` names the person two scopes further in. The scope between repeats that row, tied by its primary key:
///
///     EXISTS (SELECT 1 FROM `phone` AS t1 JOIN `person` AS t3 ON t3.`id` = t0.`id` WHERE …
///         EXISTS (SELECT 1 FROM `call` AS t2 WHERE … t2.`seconds` > t3.`age`))
///
/// A key leads to one row at most, so that no row is counted twice; a row that a path looks up, which may be missing, is
/// looked up again from the repeated one. Where no column is named but the key that ties the scope between, that scope has
/// its value already:
///
///     EXISTS (SELECT 1 FROM `phone` AS t1 WHERE t1.`owner` = t0.`id` AND EXISTS (SELECT 1 FROM `phone` AS t2 WHERE t2.`owner` = t1.`owner` …))
///
/// The repeated row stands for the outer one in all of the scope between but its tie: Spark cannot plan a condition that names
/// an outer row beside a subquery, so that ``NamedRows`` counts those among the rows to be repeated.
struct OuterRows {
    /// The enclosing scopes, from the outermost.
    private var scopes: [Scope]
    /// The rows that this scope repeats, with their ties.
    private(set) var repeated: [Scope.Source] = []
    /// The aliases that rows have where this scope stands, where they are not their own.
    private var aliases: [Int: Int] = [:]
    /// Those that they have in all of the scope but its ties, and in its subqueries.
    private var aliasesInside: [Int: Int] = [:]
    /// A column of another row that has the same value as the only one that is named of a row.
    private typealias Equal = (column: ColumnReference, alias: Int)
    /// Those that stand for rows where this scope stands.
    private var equals: [Int: Equal] = [:]
    /// Those that stand for rows in all of the scope but its ties, and in its subqueries.
    private var equalsInside: [Int: Equal] = [:]
    private(set) var aliasCount: Int
    /// True if a row was named that has no key to be tied by: a group of rows.
    private(set) var lacksKey = false

    init(root: Scope, aliasCount: Int) {
        scopes = [root]
        self.aliasCount = aliasCount
    }

    /// A column where the writer is: of the row itself, of the row that repeats it, or of another row with the same value.
    func name(of column: ColumnReference, _ alias: Int) -> (column: ColumnReference, alias: Int) {
        if let equal = equalsInside[alias] { return equal }
        return aliasesInside[alias].map { (column, $0) } ?? nameInTie(of: column, alias)
    }

    /// A column to which a table of this scope is tied, which no row of the scope stands for.
    func nameInTie(of column: ColumnReference, _ alias: Int) -> (column: ColumnReference, alias: Int) {
        equals[alias] ?? (column, aliases[alias] ?? alias)
    }

    /// Enters a scope in which these rows from further out have to be repeated.
    mutating func enter(_ scope: Scope, naming rows: [(row: Int, columns: [ColumnReference])]) {
        scopes.append(scope)
        (aliases, aliasesInside, repeated) = (aliasesInside, [:], [])
        (equals, equalsInside) = (equalsInside, [:])
        for (row, columns) in rows {
            if let equal = equal(of: row, columns, in: scope) {
                equalsInside[row] = equal
            } else {
                repeatRow(row)
            }
        }
    }

    /// The column of a scope that is tied to the key of a row, where the columns are no others than that key.
    private func equal(of row: Int, _ columns: [ColumnReference], in scope: Scope) -> Equal? {
        guard let start = scope.sources.first, let tie = start.tie, tie.value.alias == row,
            let key = source(of: row)?.primaryKey?.name.text
        else { return nil }
        let isKey = (columns + [tie.value.column]).allSatisfy { $0.name.text.hasSameCodePoints(as: key) }
        return isKey ? (tie.column, start.alias) : nil
    }

    private func source(of row: Int) -> Scope.Source? {
        scopes.lazy.flatMap(\.sources).first { $0.alias == row }
    }

    /// Returns to the state before a scope; numbers are not used again.
    mutating func leave(to outer: OuterRows) {
        let count = aliasCount
        self = outer
        aliasCount = count
    }

    /// The alias of the row that repeats another, made unless it is there; nil for a group of rows.
    @discardableResult
    private mutating func repeatRow(_ row: Int) -> Int? {
        if let alias = aliasesInside[row] { return alias }
        guard var source = source(of: row), let key = source.primaryKey, key.name.quoted != nil else {
            lacksKey = true
            return nil
        }
        switch (source.kind, source.tie) {
        case (.lookedUp, let tie?):
            guard let parent = repeatRow(tie.value.alias) else { return nil }
            source.tie?.value = ColumnForm(alias: parent, column: tie.value.column, isNullable: tie.value.isNullable)
        case (.start, _), (.needed, _), (.lookedUp, nil):
            source.kind = .needed
            source.tie = (key, ColumnForm(alias: row, column: key, isNullable: false))
        }
        source.alias = aliasCount
        aliasesInside[row] = aliasCount
        aliasCount += 1
        repeated.append(source)
        return source.alias
    }
}

extension SQLWriter {
    /// Begins with a root, whose rows conditions that are written from now on name.
    mutating func begin(over root: Scope, aliasCount: Int) {
        guard !dialect.features.contains(.skipLevelCorrelation) else { return }
        outerRows = OuterRows(root: root, aliasCount: aliasCount)
    }

    /// Writes a subquery over a scope; `parts` tells what stands in it.
    mutating func writeSubquery(
        over scope: Scope, _ parts: (inout NamedRows) -> Void, _ body: (inout SQLWriter) -> Void
    ) {
        guard let outer = outerRows else { return body(&self) }
        var named = NamedRows(scope)
        parts(&named)
        outerRows?.enter(scope, naming: named.toRepeat)
        if outerRows?.lacksKey == true { note(missing: "a subquery that names a group further out than the next row") }
        body(&self)
        outerRows?.leave(to: outer)
    }
}
