/// A clause of a query, with the words that begin it.
enum QueryClause: String, Hashable, Sendable {
    /// `WHERE age > 20`
    case `where` = "WHERE"
    /// `GROUP BY country`
    case groupBy = "GROUP BY"
    /// `HAVING a > 3`
    case having = "HAVING"
    /// `LIMIT 3 BY city`
    case limitBy = "LIMIT … BY"
    /// `DISTINCT ON city`: the same as `LIMIT 1 BY city`
    case distinctOn = "DISTINCT ON"
    /// `ORDER BY age DESC`
    case orderBy = "ORDER BY"
    /// `LIMIT 10`
    case limit = "LIMIT"
    /// `OFFSET 5`
    case offset = "OFFSET"
    /// `LAST 5`
    case last = "LAST"

    /// The place among the clauses; clauses with the same place may be written in any order.
    var place: Int {
        switch self {
        case .where: 0
        case .groupBy: 1
        case .having: 2
        case .limitBy, .distinctOn, .orderBy: 3
        case .limit, .offset, .last: 4
        }
    }

    /// A Boolean value that indicates whether a query can have only one of the two clauses.
    func excludes(_ other: QueryClause) -> Bool {
        switch (self, other) {
        case (.limitBy, .distinctOn), (.distinctOn, .limitBy): true
        case (.last, .limit), (.last, .offset), (.limit, .last), (.offset, .last): true
        default: self == other
        }
    }
}

/// A clause in the text of a query.
struct QuerySection {
    let clause: QueryClause
    /// The tokens of the words that begin the clause.
    let words: Range<Int>
    /// The tokens after these words.
    let content: Range<Int>
}
