import PredicateSyntax

/// A condition in the typed form between the tree and the text.
///
/// In SQL's three-valued logic each is TRUE exactly where the predicate holds, and FALSE or NULL elsewhere, so that
/// conditions stay sargable. Only a negation needs two values, and writes IS NOT TRUE: see ``SQLWriter``.
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
    /// `a < 21`: NULL where a side is
    case compare(ValueForm, RelationOperator, ValueForm)
    /// `name < "m"`: texts, by code points
    case compareText(ValueForm, RelationOperator, ValueForm)
    /// `name == nickname` where both may be nil
    case sameText(ValueForm, ValueForm)
    /// `name CONTAINS "oh"`; the needle is not empty
    case search(SQLPiece.Search, ValueForm, Needle)
    /// `name LIKE "j?n"`
    case like(ValueForm, ValueForm)
    /// `name LIKE "jo%"` by the collation of the column: true of more texts than those that begin with `jo`, and served by an index
    case mayBegin(ValueForm, ValueForm)
    /// `name MATCHES "j.*n"`, with the pattern as the database writes it
    case matches(ValueForm, ValueForm)
    /// A text in which a regular expression finds a match, with the pattern as the database writes it
    case finds(ValueForm, ValueForm)
    /// A value of a column that is stored as one of a kind.
    case isStored(ColumnForm, SQLPiece.Storage)
    /// The same beside a condition on the same column, which no value of another storage should satisfy: where there is
    /// none, it changes nothing.
    case bound(ColumnForm, SQLPiece.Storage)
    /// A Boolean column or a function with a truth value.
    case truth(ValueForm)
    /// `age IN {1, 2, 3}`
    case isIn(ValueForm, [ValueForm], isText: Bool)
    /// `age IN {1, 2, 3, …}` with one parameter, a JSON array
    case isInList(ValueForm, ValueForm, SQLPiece.ListType)
    /// `ANY friends.age > 21`
    case exists(Scope, ConditionForm)
    /// `ANY friends.age > 21` where nothing else decides: the primary key of the row is among the foreign keys that a selection has
    case isAmong(ColumnForm, SelectedKeys)
    /// A row of a limited `FETCH`: its primary key is one of those on a page
    case isOnPage(ValueForm, PageForm)

    static var never: ConditionForm { .constant(false) }
    static var always: ConditionForm { .constant(true) }
}

enum RelationOperator: Int, Hashable, Sendable, CaseIterable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual

    /// The operator with its sides swapped.
    var mirrored: RelationOperator {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }

    /// True if equal values satisfy it.
    var admitsEqual: Bool { self == .equal || self == .lessOrEqual || self == .greaterOrEqual }

    var isOrdering: Bool { self != .equal && self != .notEqual }

    /// True if two numbers in an order satisfy it.
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
    /// A constant, folded and not empty; its bytes too, for engines whose text functions stop at U+0000.
    case constant(text: SQLParameter, bytes: SQLParameter?)
    case value(ValueForm)
}

extension ConditionForm {
    /// A conjunction; constants are folded, nested conjunctions joined, and bounds left out that others imply.
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
        kept = kept.withoutImpliedBounds.withWholeRanges
        return kept.count > 1 ? .and(kept) : kept.first ?? .always
    }

    /// A disjunction; constants are folded and nested disjunctions joined.
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

    /// True for a test for the storage of a value, which stands beside a condition on the same value.
    private var isStorage: Bool {
        switch self {
        case .isStored, .bound: true
        default: false
        }
    }

    var isAlways: Bool {
        if case .constant(true) = self { true } else { false }
    }

    /// The opposite; a double negation cancels.
    var negated: ConditionForm {
        switch self {
        case .constant(let value): .constant(!value)
        case .not(let inner): inner
        default: .not(self)
        }
    }

    /// True if the condition never holds for NULL on the left, so that it needs no test for NULL.
    var rejectsNull: Bool {
        switch self {
        case .compare, .compareText, .search, .like, .mayBegin, .matches, .finds, .isIn, .isInList, .isStored, .bound,
            .isAmong, .isOnPage:
            true
        case .and(let conditions): conditions.first?.rejectsNull == true && conditions.last?.isStorage == true
        case .constant, .or, .not, .isNull, .same, .sameText, .truth, .exists: false
        }
    }
}
