import PredicateSyntax
import PredicateText

extension Resolver {
    /// `a < b`, `a >= b`: two nils are `<=` and `>=`, one nil is neither.
    func ordering(
        _ left: Resolved, _ relation: RelationOperator, _ right: Resolved, _ mode: FoldMode, _ paths: ComparisonPaths
    ) throws(Fault) -> ConditionForm {
        if left.isNil || right.isNil {
            return relation.admitsEqual ? try equality(left, right, mode, paths) : .never
        }
        switch (left, right) {
        case (.value(let left), .value(let right)): return try order(left, relation, right, mode, paths.whole)
        case (.value(let value), .constant(let constant)):
            return try relate(value, relation, constant, mode, paths.whole)
        case (.constant(let constant), .value(let value)):
            return try relate(value, relation.mirrored, constant, mode, paths.whole)
        case (.constant(let left), .constant(let right)):
            if let left = ConstantNumber(left), let right = ConstantNumber(right) {
                return .constant(relation.admits(left.order(to: right)))
            }
            if case .string(let left) = left, case .string(let right) = right {
                let order = TextSearch.compare(left, right, mode)
                return .constant(relation.admits(order < 0 ? .less : order > 0 ? .greater : .equal))
            }
            guard let first = value(of: left), let second = value(of: right) else { break }
            return try relate(first, relation, second, mode, paths.whole)
        case (.collection(let collection), _): throw Fault(.toManyWithoutModifier(collection.name), at: paths.left)
        case (_, .collection(let collection)): throw Fault(.toManyWithoutModifier(collection.name), at: paths.right)
        case (.object, _), (_, .object), (.list, _), (_, .list), (.combined, _), (_, .combined), (.choice, _),
            (_, .choice):
            break
        }
        throw Fault(.incomparable(left: left.name, right: right.name), at: paths.whole)
    }

    private func order(
        _ left: Value, _ relation: RelationOperator, _ right: Value, _ mode: FoldMode, _ path: TreePath
    ) throws(Fault) -> ConditionForm {
        let condition = try relate(left, relation, right, mode, path)
        guard relation.admitsEqual, left.mayBeNil, right.mayBeNil else { return condition }
        return .any([condition, bothNil(left, right)])
    }

    /// Two values, NULL where one is; kinds that have no order, or no equality, are refused.
    func relate(
        _ left: Value, _ relation: RelationOperator, _ right: Value, _ mode: FoldMode, _ path: TreePath
    ) throws(Fault) -> ConditionForm {
        if left.guarded != nil || right.guarded != nil {
            return try relateGuarded(left.checked, relation, right.checked, mode, path)
        }
        let (left, right) = (left.checked, right.checked)
        switch (left.kind, right.kind) {
        case (.string, .string):
            return .compareText(
                try folded(left.form, mode, path), relation, try folded(right.form, mode, path))
        case (.date, .date):
            let (left, right) = (try inSeconds(left, path).form, try inSeconds(right, path).form)
            return reals(Value(form: left, kind: .double), relation, Value(form: right, kind: .double))
        case (.uuid(let first), .uuid(let second)) where !relation.isOrdering:
            guard first == second else { throw Fault(.storage(.uuid), at: path) }
            return left.kind.isText
                ? .compareText(left.form, relation, right.form) : .compare(left.form, relation, right.form)
        case (.data, .data) where !relation.isOrdering:
            return .compare(left.form, relation, right.form)
        case (let first, let second) where first.isNumber && second.isNumber:
            return try numbers(left, relation, right, path)
        default:
            throw Fault(.incomparable(left: left.kind.name, right: right.kind.name), at: path)
        }
    }

    /// Numbers in the kind in which the language compares them.
    private func numbers(
        _ left: Value, _ relation: RelationOperator, _ right: Value, _ path: TreePath
    ) throws(Fault) -> ConditionForm {
        if left.kind == .double || right.kind == .double { return reals(left, relation, right) }
        // An integer past 2^53 stands to a double and to an integer in two ways.
        if left.kind == .power || right.kind == .power { throw Fault(.kindDependsOnRow, at: path) }
        if left.kind == right.kind, left.kind != .decimal { return .compare(left.form, relation, right.form) }
        let (left, right) = (whole(left), whole(right))
        if left.kind == .integer, right.kind == .integer { return .compare(left.form, relation, right.form) }
        return decimals(left, relation, right)
    }

    private func decimals(_ left: Value, _ relation: RelationOperator, _ right: Value) -> ConditionForm {
        if dialect.features.contains(.decimalType) {
            return .compare(decimal(left), relation, decimal(right))
        }
        return .compare(.call(.decimalCompare, [left.form, right.form]), relation, .word("0"))
    }

    private func decimal(_ value: Value) -> ValueForm {
        value.kind == .integer ? .cast(value.form, .type(.integerToDecimal)) : value.form
    }
}
