import PredicateSyntax

/// The rules that choose the form of conditions on related rows, for each database.
///
/// Every form selects the same rows. The table shows the reasons: milliseconds with 300,000 users, 300,000 orders and indexes
/// of their columns.
///
/// | condition | database | form | instead of |
/// |---|---|---|---|
/// | `ANY orders.total > 4999` | SQLite | set 0.1 | EXISTS 650 |
/// | the same inside SUBQUERY | SQLite, MariaDB | sets 0.1, 0.6 | EXISTS 650, 2000 |
/// | `name == "x" AND ANY orders.created >= d` | SQLite | joined set 0.01 | set 1100, EXISTS 0.01 |
/// | `plan == "gold" AND ANY orders.created >= d`, few orders | SQLite | joined set 5 | set 3, EXISTS 62 |
/// | the same, nearly all orders | SQLite | joined set 1180 | set 1010, EXISTS 31 |
/// | `country == "se" AND ANY orders.coupon == "y"` | SQLite | joined set 0.02 | set 0.02, EXISTS 91 |
/// | `email == "x" OR ANY orders.coupon == "y"` | PostgreSQL, MariaDB, DuckDB | union 0.3, 0.4, 1.8 | EXISTS 58, 122, set 17 |
/// | the same | SQLite | set 0.03 | EXISTS 710 |
/// | `user.city == "x" OR total > 4999` | PostgreSQL, MariaDB, DuckDB | union 60, 30, 11 | LEFT JOIN 302, 1064, 58 |
/// | the same | SQLite | set 3 | LEFT JOIN 494 |
/// | `NONE orders.total > 2000` | MariaDB | EXISTS 12,200 | set 16,400 |
/// | `user.plan == "free" OR state == "paid"`, 87 % of all | PostgreSQL, MariaDB, DuckDB | union 1600, 3500, 200 | LEFT JOIN 440, 3300, 82 |
/// | the same | SQLite | set 620 | LEFT JOIN 730 |
///
/// No statistics are known, so a form that may cost three times as much is chosen where it may also save nearly everything.
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

    /// True if a set may be tested for each row: it is hashed.
    var hashesSets: Bool { features.contains(.hashesSets) }

    /// True if JOIN, not LEFT JOIN, joins a row without which the condition cannot be true. SQLite reorders such joins, which
    /// is hundreds of times slower if it expects wrong numbers of rows; it never reorders LEFT JOIN.
    var joinsNeededRows: Bool { !features.contains(.storageClasses) }

    /// True if a condition inside EXISTS stays as it is: the database would start from its set for every outer row.
    var startsFromSets: Bool { features.contains(.startsFromSubqueries) }

    /// Returns true if a set is better than an EXISTS at a place.
    func makesSet(at place: Place) -> Bool {
        switch place {
        case .joined: startsFromSets
        // MariaDB joins the negation of an EXISTS.
        case .negated: startsFromSets && !features.contains(.unitesKeys)
        case .evaluated, .alternative: hashesSets
        }
    }

    /// True if a set is joined to objects of which other conditions probably select few. SQLite then starts from the rows that
    /// it expects to be fewer; other databases do so with EXISTS.
    var joinsSets: Bool { features.contains(.storageClasses) }

    /// Returns true if the keys of the sides of an OR are united, because each side may select few rows.
    func unites(_ sides: [ConditionForm]) -> Bool {
        features.contains(.unitesKeys) && sides.allSatisfy(\.maySelectFew)
    }
}

extension [ConditionForm] {
    /// True if a part of the conjunction probably selects few objects.
    var selectsFew: Bool {
        contains(where: \.selectsFew) || isRange
    }

    /// True if two parts are the bounds of one column.
    private var isRange: Bool {
        let lower = compactMap { $0.column(boundedBy: .greater, .greaterOrEqual) }
        return compactMap { $0.column(boundedBy: .less, .lessOrEqual) }.contains { upper in
            lower.contains { $0.alias == upper.alias && $0.column === upper.column }
        }
    }
}

extension ConditionForm {
    /// True for a column that has a given value or prefix.
    fileprivate var selectsFew: Bool {
        switch self {
        case .compare(.column(let column), .equal, .parameter): !column.column.isBoolean
        case .compareText(_, .equal, .parameter), .isIn, .isInList, .mayBegin, .search(.beginsWith, _, .constant): true
        case .and(let parts): parts.selectsFew
        case .constant, .or, .not, .isNull, .same, .compare, .compareText, .sameText, .search, .like, .mayContain,
            .matches, .finds, .isStored, .bound, .truth, .exists, .isAmong, .isOnPage, .ifUnknown:
            false
        }
    }

    /// True for a condition that an index or a set may serve.
    fileprivate var maySelectFew: Bool {
        switch self {
        case .compare(.aggregate, _, .parameter): true
        case .compare(let value, let relation, .parameter(let constant)):
            value.isColumn && relation != .notEqual && constant.type != .boolean
        case .compareText(_, let relation, .parameter): relation != .notEqual
        case .and(let parts): parts.contains(where: \.maySelectFew)
        case .or(let parts): parts.allSatisfy(\.maySelectFew)
        case .isIn, .isInList, .mayBegin, .mayContain, .search(.beginsWith, _, .constant), .exists, .isAmong: true
        case .constant, .not, .isNull, .same, .compare, .compareText, .sameText, .search, .like, .matches, .finds,
            .isStored, .bound, .truth, .isOnPage, .ifUnknown:
            false
        }
    }

    /// The column that has a constant bound by one of two relations.
    fileprivate func column(boundedBy relation: RelationOperator, _ other: RelationOperator) -> ColumnForm? {
        switch self {
        case .compare(.column(let column), let found, .parameter) where found == relation || found == other: column
        case .compareText(.column(let column), let found, .parameter) where found == relation || found == other: column
        case .constant, .and, .or, .not, .isNull, .same, .compare, .compareText, .sameText, .search, .like, .mayBegin,
            .mayContain, .matches, .finds, .isStored, .bound, .truth, .isIn, .isInList, .exists, .isAmong, .isOnPage,
            .ifUnknown:
            nil
        }
    }
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
