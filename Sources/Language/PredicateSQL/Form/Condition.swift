import PredicateSyntax

/// A condition in the typed form between the tree and the SQL.
///
/// In SQL's three-valued logic a condition is TRUE exactly where the predicate holds, and FALSE or NULL elsewhere. This keeps
/// conditions sargable. Only a negation must treat FALSE and NULL alike, and is written with IS NOT TRUE: see ``SQLWriter``.
indirect enum ConditionForm {
    /// `TRUEPREDICATE`
    case constant(Bool)
    /// `a AND b`
    case and([ConditionForm])
    /// `a OR b`
    case or([ConditionForm])
    /// `NOT a`
    case not(ConditionForm)
    /// `a == nil`
    case isNull(ValueForm)
    /// `a == b` where both may be nil
    case same(ValueForm, ValueForm)
    /// `a < 21`: NULL if an operand is NULL
    case compare(ValueForm, RelationOperator, ValueForm)
    /// `name < "m"`: strings, compared by code points
    case compareText(ValueForm, RelationOperator, ValueForm)
    /// `name == nickname` where both may be nil
    case sameText(ValueForm, ValueForm)
    /// `name CONTAINS "oh"`; the needle is not empty
    case search(SQLPiece.Search, ValueForm, Needle)
    /// `name LIKE "j?n"`
    case like(ValueForm, ValueForm)
    /// `name LIKE "jo%"` under the column's collation: true for every string with the prefix `jo` and maybe for others, but an
    /// index can serve it
    case mayBegin(ValueForm, ValueForm)
    /// `tags @> ARRAY['x']`: true for every array with the element, and maybe for others, but an index can serve it
    case mayContain(ArrayForm, ValueForm)
    /// `name MATCHES "j.*n"`, with the pattern in the database's syntax
    case matches(ValueForm, ValueForm)
    /// A regular expression, in the database's syntax, matches a part of the string
    case finds(ValueForm, ValueForm)
    /// The column's value has a storage class.
    case isStored(ColumnForm, SQLPiece.Storage)
    /// An ``isStored(_:_:)`` test that accompanies a condition on the same column, because only values of this
    /// storage class should satisfy that condition. If the column holds no other values, the test changes nothing.
    case bound(ColumnForm, SQLPiece.Storage)
    /// A Boolean column, or a function that returns a Boolean.
    case truth(ValueForm)
    /// `age IN {1, 2, 3}`
    case isIn(ValueForm, [ValueForm], isText: Bool)
    /// `age IN {1, 2, 3, …}` with one parameter, a JSON array
    case isInList(ValueForm, ValueForm, SQLPiece.ListType)
    /// `ANY friends.age > 21`
    case exists(TableScope, ConditionForm)
    /// `ANY friends.age > 21` as the only condition: a key of the row is among the keys that subqueries select
    case isAmong(ColumnForm, [SelectedKeys])
    /// A row of a limited `FETCH`: its primary key is on a page
    case isOnPage(ValueForm, PageForm)
    /// `COALESCE(a > 5, b > 5)`: the second condition decides where the first is NULL
    case ifUnknown(ConditionForm, ConditionForm)

    static var never: ConditionForm { .constant(false) }
    static var always: ConditionForm { .constant(true) }
}

enum RelationOperator: Int, Hashable, Sendable, CaseIterable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual

    /// The operator with its operands swapped.
    var mirrored: RelationOperator {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }

    /// True if equal values satisfy the operator.
    var admitsEqual: Bool { self == .equal || self == .lessOrEqual || self == .greaterOrEqual }

    var isOrdering: Bool { self != .equal && self != .notEqual }

    /// Returns true if two numbers in the given order satisfy the operator.
    func admits(_ order: NumberOrder) -> Bool {
        switch self {
        case .equal: order == .equal
        case .notEqual: order != .equal
        case .less: order == .less
        case .lessOrEqual: order != .greater
        case .greater: order == .greater
        case .greaterOrEqual: order != .less
        }
    }
}

/// The needle of a search.
enum Needle {
    /// A constant, folded and not empty; also its bytes, for databases whose string functions stop at U+0000.
    case constant(text: SQLParameter, bytes: SQLParameter?)
    case value(ValueForm)
}

extension ConditionForm {
    /// Returns a conjunction. Folds constants, flattens nested conjunctions, and removes bounds that others imply.
    static func all(_ conditions: [ConditionForm]) -> ConditionForm {
        var kept: [ConditionForm] = []
        for condition in conditions {
            switch condition {
            case .constant(true): continue
            case .constant(false): return .never
            case .and(let inner): kept += inner
            default: kept.append(condition)
            }
        }
        kept = kept.withoutImpliedBounds.withoutNeedlessTests.withWholeRanges
        return kept.count > 1 ? .and(kept) : kept.first ?? .always
    }

    /// Returns a disjunction. Folds constants and flattens nested disjunctions.
    static func any(_ conditions: [ConditionForm]) -> ConditionForm {
        var kept: [ConditionForm] = []
        for condition in conditions {
            switch condition {
            case .constant(false): continue
            case .constant(true): return .always
            case .or(let inner): kept += inner
            default: kept.append(condition)
            }
        }
        return kept.count > 1 ? .or(kept) : kept.first ?? .never
    }

    /// True for a test of the storage class, which accompanies a condition on the same value.
    private var isStorage: Bool {
        switch self {
        case .isStored, .bound: true
        default: false
        }
    }

    var isAlways: Bool {
        if case .constant(true) = self { true } else { false }
    }

    /// The negation; a double negation cancels.
    var negated: ConditionForm {
        switch self {
        case .constant(let value): .constant(!value)
        case .not(let inner): inner
        default: .not(self)
        }
    }

    /// Returns true if a condition on a value never holds for NULL, so that it needs no NULL test.
    func rejectsNull(of value: ValueForm) -> Bool {
        guard case .column(let column) = value else { return rejectsNull }
        return rejectsNull || isUntrue { $0.alias == column.alias && $0.column === column.column }
    }

    /// True if the condition never holds for NULL on the left.
    private var rejectsNull: Bool {
        switch self {
        case .compare, .compareText, .search, .like, .mayBegin, .mayContain, .matches, .finds, .isIn, .isInList,
            .isStored, .bound, .isAmong, .isOnPage, .ifUnknown:
            true
        case .and(let conditions): conditions.first?.rejectsNull == true && conditions.last?.isStorage == true
        case .constant, .or, .not, .isNull, .same, .sameText, .truth, .exists: false
        }
    }
}

/// Redundant bounds and tests.
extension [ConditionForm] {
    /// The conjuncts without needless tests for nil: `price < 5` for `price != nil AND price < 5`, which does not hold for nil
    /// either way. A long conjunction keeps all.
    var withoutNeedlessTests: [ConditionForm] {
        guard count <= 16, contains(where: { $0.presentColumn != nil }) else { return self }
        return filter { condition in
            guard let column = condition.presentColumn else { return true }
            return !contains { other in
                other.presentColumn == nil
                    && other.isUntrue { $0.alias == column.alias && $0.column === column.column }
            }
        }
    }

    /// The conjuncts without bounds that an upper limit on the same column implies.
    ///
    /// `age >= 20 AND age <= 40`: an upper bound already excludes strings, so `t0."age" <= 9e999` is redundant.
    var withoutImpliedBounds: [ConditionForm] {
        guard contains(where: { if case .bound = $0 { true } else { false } }) else { return self }
        let limits = Set(compactMap(\.limit))
        return filter { condition in
            guard case .bound(let column, let storage) = condition else { return true }
            return !limits.contains(ColumnLimit(column, storage))
        }
    }
}

/// Ranges of a column that may hold strings and numbers.
extension [ConditionForm] {
    /// The conjuncts with both bounds of such a range next to each other, so that one index scan serves them.
    ///
    ///     (born >= 'a' OR born <= 9e999) AND born < 'b'      born >= 'a' AND born < 'b' OR born <= 9e999
    ///
    /// All numbers are ordered below all strings, so they satisfy the upper bound.
    var withWholeRanges: [ConditionForm] {
        guard let index = firstIndex(where: { $0.openRange != nil }), let open = self[index].openRange,
            let end = firstIndex(where: { $0.textLimit == open.column })
        else { return self }
        var joined = self
        joined[index] = .or([.and([open.start, self[end]]), open.numbers])
        joined.remove(at: end)
        return joined.withWholeRanges
    }
}

extension ConditionForm {
    /// The parts of `born >= 'a' OR born <= 9e999`.
    fileprivate var openRange: (column: ColumnLimit, start: ConditionForm, numbers: ConditionForm)? {
        guard case .or(let parts) = self, parts.count == 2, case .isStored(let stored, .rareNumber) = parts[1],
            case .compareText(.column(let column), .greaterOrEqual, .parameter) = parts[0],
            ColumnLimit(column, .number) == ColumnLimit(stored, .number)
        else { return nil }
        return (ColumnLimit(column, .number), parts[0], parts[1])
    }

    /// The column of `born < 'b'`.
    fileprivate var textLimit: ColumnLimit? {
        guard case .compareText(.column(let column), .less, .parameter) = self else { return nil }
        return ColumnLimit(column, .number)
    }
}

/// A column with an upper limit.
private struct ColumnLimit: Hashable {
    private let column: ObjectIdentifier
    private let alias: Int
    /// The storage class that the limit implies, as in a bound.
    private let storage: SQLPiece.Storage

    init(_ form: ColumnForm, _ storage: SQLPiece.Storage) {
        (column, alias) = (ObjectIdentifier(form.column), form.alias)
        self.storage = storage
    }
}

extension ConditionForm {
    /// The column of `price != nil`.
    fileprivate var presentColumn: ColumnForm? {
        if case .not(.isNull(.column(let column))) = self { column } else { nil }
    }

    /// The bound that the condition implies: strings are ordered above numbers, and data above strings.
    fileprivate var limit: ColumnLimit? {
        switch self {
        case .compare(.column(let form), .less, .parameter), .compare(.column(let form), .lessOrEqual, .parameter):
            ColumnLimit(form, .number)
        case .compareText(.column(let form), .less, .parameter),
            .compareText(.column(let form), .lessOrEqual, .parameter):
            ColumnLimit(form, .noData)
        case .constant, .and, .or, .not, .isNull, .same, .compare, .compareText, .sameText, .search, .like, .mayBegin,
            .mayContain, .matches, .finds, .isStored, .bound, .truth, .isIn, .isInList, .exists, .isAmong, .isOnPage,
            .ifUnknown:
            nil
        }
    }
}
