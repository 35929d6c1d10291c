/// A condition in the typed form between the tree and the text.
///
/// What each case comes to in SQL is TRUE exactly where the predicate holds; where it does not, FALSE or NULL, so that
/// indexes can be used. Only a negation needs two values, and makes them: see `Emitter`.
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
    case text(SQLTextRelation, ValueForm, Needle)
    /// `name LIKE "j?n"`
    case like(ValueForm, ValueForm)
    /// A Boolean column or a function that answers with a truth value.
    case truth(ValueForm)
    /// `age IN {1, 2, 3}`
    case isIn(ValueForm, [ValueForm], isText: Bool)
    /// The same with one parameter for all.
    case isInList(ValueForm, ValueForm, SQLListType)
    /// `ANY friends.age > 21`
    case exists(Scope, ConditionForm)

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

    /// Whether equal values satisfy it.
    var admitsEqual: Bool { self == .equal || self == .lessOrEqual || self == .greaterOrEqual }

    var isOrdering: Bool { self != .equal && self != .notEqual }

    func admits<Number: Comparable>(_ left: Number, _ right: Number) -> Bool {
        switch self {
        case .equal: left == right
        case .notEqual: left != right
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        }
    }
}

/// What is looked for in a text.
enum Needle {
    /// Known, folded and not empty; the bytes too, for engines whose text functions stop at U+0000.
    case known(text: SQLParameter, bytes: SQLParameter?)
    case value(ValueForm)
}

extension ConditionForm {
    /// All of them; constants are worked in and conjunctions joined.
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
        return kept.count > 1 ? .and(kept) : kept.first ?? .always
    }

    /// One of them at least.
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

    /// Whether a column that is NULL on the left keeps it from holding, so that no test for NULL is needed beside it.
    var rejectsNull: Bool {
        switch self {
        case .compare, .compareText, .text, .like, .isIn, .isInList: true
        case .constant, .and, .or, .not, .isNull, .same, .sameText, .truth, .exists: false
        }
    }
}
