import PredicateSyntax

/// Comparisons of doubles, among which what is not a number equals itself and stands between the negative numbers and 0. [NSP-176]
///
/// A database either keeps it and has an order of its own for it, the last place, or has NULL in its place. Columns of the
/// latter never hold it: it can only be the result of a function or of an operation.
extension Resolver {
    private var ordersNaN: Bool { dialect.features.contains(.ordersNotANumber) }

    /// A double beside a constant: the column stays bare but for what is not a number.
    func relate(double value: Value, _ relation: RelationOperator, _ number: Double) -> ConditionForm {
        if case .cast(let column, .dateToSeconds(.timestamp)) = value.form, let timestamps = dialect.timestamps {
            return timestamp(column, relation, number, timestamps)
        }
        guard !number.isNaN else { return relate(toNaN: value, relation) }
        let condition = compare(value.form, relation, number)
        return placing(value, in: condition, relation, holds: relation.admits(NumberOrder(.nan, number)))
    }

    /// A double beside a constant; an infinite one is beyond all that a database of finite doubles holds.
    func compare(_ value: ValueForm, _ relation: RelationOperator, _ number: Double) -> ConditionForm {
        guard number.isInfinite, dialect.features.contains(.finiteDoubles) else {
            return .compare(value, relation, form(.double(number), .double))
        }
        return relation.admits(NumberOrder(0, number)) ? .not(.isNull(value)) : .never
    }

    /// `height < %@` with what is not a number.
    private func relate(toNaN value: Value, _ relation: RelationOperator) -> ConditionForm {
        let negative = ConditionForm.compare(value.form, .less, .word("0"))
        let notNegative = ConditionForm.compare(value.form, .greaterOrEqual, .word("0"))
        switch relation {
        case .equal: return isNaN(value)
        case .notEqual: return .all([.not(.isNull(value.form)), isNaN(value).negated])
        case .less: return negative
        case .lessOrEqual: return .any([negative, isNaN(value)])
        case .greater: return placing(value, in: notNegative, .greaterOrEqual, holds: false)
        case .greaterOrEqual: return placing(value, in: notNegative, .greaterOrEqual, holds: true)
        }
    }

    /// Two values as doubles.
    func reals(_ left: Value, _ relation: RelationOperator, _ right: Value) -> ConditionForm {
        let (leftIsNaN, rightIsNaN) = (isNaN(left), isNaN(right))
        let (left, right) = (double(left), double(right))
        let numbers = ConditionForm.compare(left.form, relation, right.form)
        if leftIsNaN.isNever && rightIsNaN.isNever { return numbers }
        let bothNaN = relation.admitsEqual ? ConditionForm.all([leftIsNaN, rightIsNaN]) : .never
        guard relation.isOrdering else { return ordersNaN ? numbers : .any([numbers, bothNaN]) }
        let isLess = relation == .less || relation == .lessOrEqual
        return .any([
            ordersNaN ? .all([numbers, leftIsNaN.opposite, rightIsNaN.opposite]) : numbers,
            .all([leftIsNaN, signed(right, negative: !isLess, rightIsNaN)]),
            .all([rightIsNaN, signed(left, negative: isLess, leftIsNaN)]),
            bothNaN,
        ])
    }

    /// A number below 0, or one that is not.
    private func signed(_ value: Value, negative: Bool, _ isNaN: ConditionForm) -> ConditionForm {
        if negative { return .compare(value.form, .less, .word("0")) }
        let condition = ConditionForm.compare(value.form, .greaterOrEqual, .word("0"))
        return ordersNaN ? .all([condition, isNaN.opposite]) : condition
    }

    /// A comparison of a value, which holds for what is not a number or does not.
    private func placing(
        _ value: Value, in condition: ConditionForm, _ relation: RelationOperator, holds: Bool
    ) -> ConditionForm {
        // Where it comes last it is above every bound.
        if ordersNaN, holds == (relation == .greater || relation == .greaterOrEqual) { return condition }
        if holds { return .any([condition, isNaN(value)]) }
        return ordersNaN ? .all([condition, isNaN(value).opposite]) : condition
    }

    /// True for a double that is not a number.
    private func isNaN(_ value: Value) -> ConditionForm {
        guard value.kind == .double else { return .never }
        switch value.form {
        case .parameter, .aggregate, .cast(_, .dateToSeconds(.timestamp)), .cast(_, .dateToSeconds(.iso8601)):
            return .never
        case .word, .column, .guarded, .null, .arithmetic, .checked, .cast, .call, .conditional: break
        }
        if ordersNaN { return .compare(value.form, .equal, .word("CAST('NaN' AS FLOAT)")) }
        guard value.mayBeNaN else { return .never }
        return .all([.isNull(value.form)] + value.failures.map { .not(.isNull($0)) })
    }
}

extension ConditionForm {
    fileprivate var isNever: Bool {
        if case .constant(false) = self { true } else { false }
    }

    /// The negation of an equality, which NULL satisfies neither: `height <> 'NaN'`.
    fileprivate var opposite: ConditionForm {
        if case .compare(let left, .equal, let right) = self { .compare(left, .notEqual, right) } else { negated }
    }
}
