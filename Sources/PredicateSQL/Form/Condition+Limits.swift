/// Bounds that say nothing new.
extension [ConditionForm] {
    /// The conditions of a conjunction without the bounds that an upper limit of the same column implies.
    ///
    /// `age >= 20 AND age <= 40`: what is at most 40 is a number, so that `t0."age" <= 9e999` keeps nothing away.
    var withoutImpliedBounds: [ConditionForm] {
        guard contains(where: \.isBound) else { return self }
        let limits = Set(compactMap(\.limit))
        return filter { condition in
            guard case .bound(let column, let storage) = condition else { return true }
            return !limits.contains(ColumnLimit(column, storage))
        }
    }
}

/// A column that has an upper limit of a kind.
private struct ColumnLimit: Hashable {
    private let column: ObjectIdentifier
    private let alias: Int
    /// What the limit keeps away, in the words of a bound.
    private let storage: SQLPiece.Storage

    init(_ form: ColumnForm, _ storage: SQLPiece.Storage) {
        (column, alias) = (ObjectIdentifier(form.column), form.alias)
        self.storage = storage
    }
}

extension ConditionForm {
    fileprivate var isBound: Bool {
        if case .bound = self { true } else { false }
    }

    /// The bound that the condition implies: texts stand above numbers, and data above texts.
    fileprivate var limit: ColumnLimit? {
        switch self {
        case .compare(.column(let form), .less, .parameter), .compare(.column(let form), .lessOrEqual, .parameter):
            ColumnLimit(form, .number)
        case .compareText(.column(let form), .less, .parameter),
            .compareText(.column(let form), .lessOrEqual, .parameter):
            ColumnLimit(form, .noData)
        case .constant, .and, .or, .not, .isNull, .same, .compare, .compareText, .sameText, .search, .like, .matches,
            .finds, .isStored, .bound, .truth, .isIn, .isInList, .exists, .isOnPage:
            nil
        }
    }
}
