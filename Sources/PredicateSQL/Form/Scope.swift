import PredicateSyntax

/// The tables that a statement or a subquery reads: one that it starts from, those it needs, and those it looks up.
///
/// `FROM "phone" AS t1 LEFT JOIN "person" AS t2 ON t2."id" = t1."owner_id"`
final class Scope {
    /// A table and its tie to the tables before it.
    struct Source {
        enum Kind { case start, needed, lookedUp }

        var kind: Kind
        var table: QuotedName
        var alias: Int
        /// The column of this table that is tied, and what it is equal to; nil for the root.
        var tie: (column: ColumnReference, value: ColumnForm)?
        /// The primary key of the table; nil for one that joins others, whose rows only their own scope names.
        var primaryKey: ColumnReference?
    }

    private(set) var sources: [Source]

    init() {
        sources = []
    }

    /// A scope that starts from a table.
    init(start: Source) {
        sources = [start]
    }

    /// A copy that a statement may add tables to.
    init(copying other: Scope) {
        sources = other.sources
    }

    func add(_ source: Source) {
        sources.append(source)
    }

    /// The alias of the row that a foreign key leads to: the same column of the same row leads to the same row of a
    /// table, which is looked up once.
    func lookUp(
        _ key: ColumnForm, in table: QuotedName, by primaryKey: ColumnReference, alias makeAlias: () -> Int
    ) -> Int {
        for source in sources where source.kind == .lookedUp && source.table.text.hasSameCodePoints(as: table.text) {
            if let value = source.tie?.value, value.alias == key.alias,
                value.column.name.text.hasSameCodePoints(as: key.column.name.text)
            {
                return source.alias
            }
        }
        let alias = makeAlias()
        sources.append(
            Source(kind: .lookedUp, table: table, alias: alias, tie: (primaryKey, key), primaryKey: primaryKey))
        return alias
    }
}
