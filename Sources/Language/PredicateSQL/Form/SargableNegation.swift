extension ConditionForm {
    /// The negation in a form whose parts an index serves: `age <= 18 OR age IS NULL` for `NOT age > 18`; nil if
    /// there is none. Databases order all values of a column.
    var sargableNegation: ConditionForm? {
        switch self {
        case .compare(.column(let column), let relation, .parameter(let constant)) where relation.isOrdering:
            return ConditionForm.compare(.column(column), relation.opposite, .parameter(constant)).orNil(column)
        case .compareText(.column(let column), let relation, .parameter(let constant)) where relation.isOrdering:
            return ConditionForm.compareText(.column(column), relation.opposite, .parameter(constant)).orNil(column)
        case .bound(let column, .number): return ConditionForm.isStored(column, .noNumber).orNil(column)
        case .not(.isNull(let value)): return .isNull(value)
        case .and(let parts):
            // Nearly all strings lack a given prefix, so no index would help.
            if parts.contains(where: \.isTextComparison) { return nil }
            let opposites = parts.compactMap(\.sargableNegation)
            return opposites.count == parts.count ? .any(opposites.withNilOnce) : nil
        case .or(let parts):
            // The parts may be nested deeply, so each negation is computed once.
            let opposites = parts.map { ($0, $0.sargableNegation) }
            guard opposites.contains(where: { $1 != nil || $0.isExists }) else { return nil }
            return .all(opposites.map { $1 ?? .not($0) })
        case .constant, .not, .isNull, .same, .compare, .compareText, .sameText, .search, .like, .mayBegin, .matches,
            .finds, .isStored, .bound, .truth, .isIn, .isInList, .exists, .isAmong, .isOnPage, .mayContain,
            .ifUnknown:
            return nil
        }
    }

    /// True for a part of a disjunction that a database can use better if it is negated separately.
    private var isExists: Bool {
        if case .exists = self { true } else { false }
    }

    private var isTextComparison: Bool {
        if case .compareText = self { true } else { false }
    }

    private func orNil(_ column: ColumnForm) -> ConditionForm {
        column.isNullable ? .or([self, .isNull(.column(column))]) : self
    }
}

extension [ConditionForm] {
    /// The alternatives with one test for nil of each column, at the end.
    fileprivate var withNilOnce: [ConditionForm] {
        var (others, tested): ([ConditionForm], [ColumnForm]) = ([], [])
        for alternative in self {
            let parts = if case .or(let parts) = alternative { parts } else { [alternative] }
            for part in parts {
                guard case .isNull(.column(let column)) = part else { others.append(part); continue }
                if !tested.contains(where: { $0.alias == column.alias && $0.column === column.column }) {
                    tested.append(column)
                }
            }
        }
        return others + tested.map { .isNull(.column($0)) }
    }
}

extension RelationOperator {
    /// The relation that holds for exactly the numbers for which this one does not.
    fileprivate var opposite: RelationOperator {
        switch self {
        case .equal: .notEqual
        case .notEqual: .equal
        case .less: .greaterOrEqual
        case .lessOrEqual: .greater
        case .greater: .lessOrEqual
        case .greaterOrEqual: .less
        }
    }
}
