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

/// Ranges of a column that may hold numbers beside its texts.
extension [ConditionForm] {
    /// The conditions of a conjunction with both bounds of such a range side by side, so that an index serves them together.
    ///
    ///     (born >= 'a' OR born <= 9e999) AND born < 'b'      born >= 'a' AND born < 'b' OR born <= 9e999
    ///
    /// All numbers stand below all texts, so that the upper bound holds for them.
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
        guard case .or(let parts) = self, parts.count == 2, case .isStored(let stored, .number) = parts[1],
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
        case .constant, .and, .or, .not, .isNull, .same, .compare, .compareText, .sameText, .search, .like, .mayBegin,
            .matches, .finds, .isStored, .bound, .truth, .isIn, .isInList, .exists, .isAmong, .isOnPage:
            nil
        }
    }
}
