import PredicateSyntax
import PredicateText

extension Resolver {
    /// `a == b`: nil equals nil only, and values of different kinds are never equal.
    func equality(
        _ left: Resolved, _ right: Resolved, _ mode: FoldMode, _ paths: ComparisonPaths
    ) throws(Fault) -> ConditionForm {
        if left.isNil { return try isNil(right, paths.right) }
        if right.isNil { return try isNil(left, paths.left) }
        switch (left, right) {
        case (.value(let left), .value(let right)): return try equal(left, right, mode, paths.whole)
        case (.value(let value), .constant(let constant)), (.constant(let constant), .value(let value)):
            return try relate(value, .equal, constant, mode, paths.whole)
        case (.constant(let left), .constant(let right)): return try equal(left, right, mode, paths.whole)
        case (.object(let object), .constant(let constant)), (.constant(let constant), .object(let object)):
            return try equal(object, constant, paths.whole)
        case (.object(let left), .object(let right)): return try equal(left, right, paths.whole)
        case (.object(let object), .value(let value)), (.value(let value), .object(let object)):
            return bothNil(object.keyValue, value)
        case (.collection(let collection), _): throw Fault(.toManyWithoutModifier(collection.name), at: paths.left)
        case (_, .collection(let collection)): throw Fault(.toManyWithoutModifier(collection.name), at: paths.right)
        case (.list, _), (.combined, _), (.choice, _), (_, .list), (_, .combined), (_, .choice):
            throw Fault(.collectionValue, at: paths.whole)
        }
    }

    /// `a != b`: what is not equal, except where an operand is an error.
    func inequality(
        _ left: Resolved, _ right: Resolved, _ mode: FoldMode, _ paths: ComparisonPaths
    ) throws(Fault) -> ConditionForm {
        let equal = try equality(left, right, mode, paths)
        let failures = left.failures + right.failures
        // An integer that is an error is NULL, and so is its comparison with a constant.
        if case .compare(let form, .equal, .parameter(let constant)) = equal, left.isInteger, failures.count == 1 {
            return .compare(form, .notEqual, .parameter(constant))
        }
        return .all(failures.map { .not(.isNull($0)) } + [equal.negated])
    }

    /// `a == nil`
    private func isNil(_ other: Resolved, _ path: TreePath) throws(Fault) -> ConditionForm {
        switch other {
        case .constant(let constant): return .constant(constant.isNil)
        case .value(let value): return isNil(value)
        case .object(let object): return object.mayBeNil ? .isNull(.column(object.key)) : .never
        case .collection(let collection): return collection.base.map { .isNull(.column($0)) } ?? .never
        case .list: return .never
        case .choice, .combined: throw Fault(.collectionValue, at: path)
        }
    }

    /// NULL that stands for nil, and not for an error.
    private func isNil(_ value: Value) -> ConditionForm {
        guard value.mayBeNil else { return .never }
        if value.failures.isEmpty { return .isNull(value.form) }
        return .all([.isNull(value.form)] + value.failures.map { .not(.isNull($0)) })
    }

    func bothNil(_ left: Value, _ right: Value) -> ConditionForm {
        left.mayBeNil && right.mayBeNil ? .all([isNil(left), isNil(right)]) : .never
    }

    /// Two values of a row.
    func equal(_ left: Value, _ right: Value, _ mode: FoldMode, _ path: TreePath) throws(Fault) -> ConditionForm {
        let (left, right) = (left.checked, right.checked)
        guard left.kind.isComparable(with: right.kind) || left.guarded != nil || right.guarded != nil else {
            return bothNil(left, right)
        }
        let equal = try relate(left, .equal, right, mode, path)
        guard left.mayBeNil, right.mayBeNil else { return equal }
        guard left.failures.isEmpty, right.failures.isEmpty else { return .any([equal, bothNil(left, right)]) }
        switch equal {
        case .compare(_, .equal, .word): return .any([equal, bothNil(left, right)])
        case .compare(let left, .equal, let right): return .same(left, right)
        case .compareText(let left, .equal, let right): return .sameText(left, right)
        default: return .any([equal, bothNil(left, right)])
        }
    }

    /// Two constants.
    private func equal(
        _ left: PredicateValue, _ right: PredicateValue, _ mode: FoldMode, _ path: TreePath
    ) throws(Fault) -> ConditionForm {
        if let left = ConstantNumber(left), let right = ConstantNumber(right) {
            return .constant(left.order(to: right) == .equal)
        }
        switch (left, right) {
        case (.string(let left), .string(let right)): return .constant(TextSearch.equal(left, right, mode))
        case (.array, _), (.set, _), (.orderedSet, _), (.dictionary, _), (.object, _):
            guard left == right else { throw Fault(.collectionValue, at: path) }
            return .always
        default: return .constant(left == right)
        }
    }

    /// An object and a constant: the same entity and the same key.
    private func equal(
        _ object: ObjectForm, _ constant: PredicateValue, _ path: TreePath
    ) throws(Fault) -> ConditionForm {
        guard case .object(let host) = constant else { return .never }
        guard let id = host.base as? SQLObjectID else { throw Fault(.hostObject, at: path) }
        guard mayBe(id, object.entity), !id.key.isNil else { return .never }
        return try relate(object.keyValue, .equal, id.key, .none, path)
    }

    private func mayBe(_ id: SQLObjectID, _ entity: SQLEntity) -> Bool {
        if id.entity.hasSameCodePoints(as: entity.name) { return true }
        return schema.entity(id.entity).map { $0.entity.sharesObjects(with: entity) } ?? false
    }

    private func equal(_ left: ObjectForm, _ right: ObjectForm, _ path: TreePath) throws(Fault) -> ConditionForm {
        guard left.entity.sharesObjects(with: right.entity) else {
            return bothNil(left.keyValue, right.keyValue)
        }
        return try equal(left.keyValue, right.keyValue, .none, path)
    }
}

extension Resolved {
    fileprivate var isInteger: Bool {
        if case .value(let value) = self { value.kind == .integer && !value.mayBeNil } else { false }
    }

    /// The forms whose NULL means an error.
    fileprivate var failures: [ValueForm] {
        if case .value(let value) = self { value.checked.failures } else { [] }
    }
}
