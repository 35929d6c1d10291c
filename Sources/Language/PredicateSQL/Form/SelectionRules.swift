import PredicateSyntax

/// The rules that choose the form of conditions on related rows, for each database.
///
/// Every form selects the same rows. The table shows the reasons: milliseconds with indexes of the columns and 300,000 users and
/// 300,000 orders, or 100,000 of each in lines that begin with a star.
///
/// | condition | database | form | instead of |
/// |---|---|---|---|
/// | `ANY orders.total > 4999` | SQLite | set 0.1 | EXISTS 650 |
/// | the same inside SUBQUERY | SQLite, MariaDB | sets 0.1, 0.6 | EXISTS 650, 2000 |
/// | `name == "x" AND ANY orders.created >= d` | SQLite | EXISTS 0.01 | set 1100 |
/// | `plan == "gold" AND ANY orders.created >= d`, few orders | SQLite | set 3 | EXISTS 62 |
/// | the same, nearly all orders | SQLite | EXISTS 31 | set 1010 |
/// | * `age BETWEEN {21, 22} AND NOT (orders.@max.qty >= 20)` | PostgreSQL, SQLite, MariaDB | search 17, 6, 12 | set 73, 153, 138 |
/// | `email == "x" OR ANY orders.coupon == "y"` | PostgreSQL, MariaDB, DuckDB | union 0.3, 0.4, 1.8 | EXISTS 58, 122, set 17 |
/// | * `total != 5 OR user.name BEGINSWITH "x"` | PostgreSQL, MariaDB, DuckDB | set 43, 43, 4 | union 73, 75, 9 |
/// | * `NOT (orders.@count >= 4) OR name BEGINSWITH "x"` | PostgreSQL, MariaDB, DuckDB | set 36, 94, 14 | union 144, 170, 23, search 346, 585, 38 |
/// | * `status != "paid" OR user.name BEGINSWITH "x"` | PostgreSQL | set 29, EXISTS 44 | LEFT JOIN 127 |
/// | * `user.age != 77 AND placed >= d` | PostgreSQL | set 17 | LEFT JOIN 73 |
/// | * `user.age IN {48, 57, 70}` | SQLite | set 3 | LEFT JOIN 78 |
/// | `NONE orders.total > 2000` | MariaDB | EXISTS 12,200 | set 16,400 |
///
/// How many rows conditions select is estimated by ``Selectivity``.
struct SelectionRules {
    private let features: SQLFeatures

    init(_ features: SQLFeatures) {
        self.features = features
    }

    /// The place of a condition.
    enum Place {
        /// The whole condition, or a part of a conjunction: databases join an EXISTS or a set there.
        case joined
        /// Directly under NOT at such a place: databases join the negation of an EXISTS.
        case negated
        /// A side of an OR over several tables, where an EXISTS is evaluated row by row.
        case alternative
        /// Elsewhere under OR and NOT.
        case evaluated

        var isJoined: Bool { self == .joined || self == .negated }

        var insideAnd: Place { self == .joined || self == .alternative ? self : .evaluated }
        var insideNot: Place { self == .joined ? .negated : .evaluated }
    }

    /// Returns true if a set of so many rows may be tested for each row: it is hashed, by PostgreSQL only if it expects one that
    /// fits in its memory. An EXISTS there becomes a hashed set or a search for each row, whichever is expected to cost less.
    func hashesSet(of rows: @autoclosure () -> Double) -> Bool {
        features.contains(.hashesSets) || rows() <= Self.mostHashed
    }

    private static let mostHashed = 100_000.0

    /// True if JOIN, not LEFT JOIN, joins a row without which the condition cannot be true. SQLite reorders such joins, which
    /// is hundreds of times slower if it expects wrong numbers of rows; it never reorders LEFT JOIN.
    var joinsNeededRows: Bool { !features.contains(.storageClasses) }

    /// Returns true if a condition on a row that a foreign key refers to is a set, where the row is not joined by JOIN.
    func refersToSets(at place: Place) -> Bool { place == .alternative || place == .joined && !joinsNeededRows }

    /// True if a condition inside EXISTS stays as it is: the database would start from its set for every outer row.
    var startsFromSets: Bool { features.contains(.startsFromSubqueries) }

    /// Returns true if a set is better than an EXISTS at a place.
    func makesSet(at place: Place, of rows: @autoclosure () -> Double) -> Bool {
        switch place {
        case .joined: startsFromSets
        // MariaDB joins the negation of an EXISTS.
        case .negated: startsFromSets && !features.contains(.unitesKeys)
        case .evaluated, .alternative: hashesSet(of: rows())
        }
    }

    /// Returns true if a search for each tested row costs less than a set of the selected rows.
    func searches(_ search: @autoclosure () -> Double, insteadOf set: @autoclosure () -> Double) -> Bool {
        (startsFromSets || !features.contains(.hashesSets)) && search() < set()
    }

    /// True if the keys that the sides of an OR select can be united.
    var unitesKeys: Bool { features.contains(.unitesKeys) }

    /// Returns true if the keys of the sides of an OR are united, because together they select few of the tested rows.
    func unites(_ selected: Double, of tested: Double) -> Bool { 5 * selected < tested }
}

extension ConditionForm {
    /// Returns true if the condition is false or NULL where some columns are NULL.
    func isUntrue(where isNull: (ColumnForm) -> Bool) -> Bool {
        switch self {
        case .constant(let value): return !value
        case .and(let parts): return parts.contains { $0.isUntrue(where: isNull) }
        case .or(let parts): return parts.allSatisfy { $0.isUntrue(where: isNull) }
        case .compare(let left, _, let right), .compareText(let left, _, let right):
            return left.isNull(where: isNull) || right.isNull(where: isNull)
        case .not(.isNull(let value)), .search(_, let value, _), .like(let value, _), .mayBegin(let value, _),
            .matches(let value, _), .finds(let value, _), .truth(let value), .isIn(let value, _, isText: _),
            .isInList(let value, _, _), .isOnPage(let value, _):
            return value.isNull(where: isNull)
        case .isStored(let column, _), .bound(let column, _), .isAmong(let column, _): return isNull(column)
        case .mayContain(let array, _): return isNull(array.column)
        case .exists(let scope, _): return scope.sources.first?.tie.map { isNull($0.value) } ?? false
        case .not, .isNull, .same, .sameText, .ifUnknown: return false
        }
    }
}

extension ValueForm {
    /// Returns true if the value is NULL where some columns are NULL.
    fileprivate func isNull(where isNull: (ColumnForm) -> Bool) -> Bool {
        switch self {
        case .null: true
        case .column(let column): isNull(column)
        case .cast(let value, _), .checked(let value): value.isNull(where: isNull)
        case .arithmetic(_, let left, let right): left.isNull(where: isNull) || right.isNull(where: isNull)
        case .call(_, let arguments): arguments.first?.isNull(where: isNull) ?? false
        case .parameter, .word, .guarded, .conditional, .aggregate: false
        }
    }
}
