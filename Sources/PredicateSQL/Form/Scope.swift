/// The tables that a statement or a subquery reads: one that it starts from, those it needs, and those it looks up.
///
/// `FROM "phone" AS t1 LEFT JOIN "person" AS t2 ON t2."id" = t1."owner_id"`
final class Scope {
    /// A table and how it is tied to what stands before it.
    struct Source {
        enum Kind { case start, needed, lookedUp }

        var kind: Kind
        var table: String
        var alias: Int
        /// The column of this table that is tied, and what it is equal to; nil for the root.
        var tie: (column: String, value: ValueForm)?
    }

    /// What a look-up goes by: the same column of the same row leads to the same row.
    private struct LookUp: Hashable {
        var alias: Int
        var column: String
        var table: String
    }

    private(set) var sources: [Source] = []
    private var lookUps: [LookUp: Int] = [:]
    /// How many scopes stand around this one.
    let level: Int

    init(level: Int) {
        self.level = level
    }

    /// A copy that a statement may add tables to.
    init(copying other: Scope) {
        sources = other.sources
        lookUps = other.lookUps
        level = other.level
    }

    func add(_ source: Source) {
        sources.append(source)
    }

    /// The alias of the row that a foreign key leads to, looked up once.
    func lookUp(_ key: ColumnForm, in table: String, by primaryKey: String, alias makeAlias: () -> Int) -> Int {
        let lookUp = LookUp(alias: key.alias, column: key.name, table: table)
        if let alias = lookUps[lookUp] { return alias }
        let alias = makeAlias()
        lookUps[lookUp] = alias
        sources.append(Source(kind: .lookedUp, table: table, alias: alias, tie: (primaryKey, .column(key))))
        return alias
    }
}
