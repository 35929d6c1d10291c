import PredicateSyntax
import PredicateText

/// The relation that an operator tests between two operands.
enum ComparisonRelation {
    case relation(RelationOperator)
    case between
    /// `a IN b`; for `b CONTAINS a` the operands are swapped
    case membership(isMirrored: Bool)
    case search(SQLPiece.Search)
    case like
    case matches
    case typeEquals
}

extension ComparisonRelation {
    init(_ operator: ComparisonOperator, _ path: TreePath) throws(CompilationFault) {
        switch `operator` {
        case .lessThan: self = .relation(.less)
        case .lessThanOrEqualTo: self = .relation(.lessOrEqual)
        case .greaterThan: self = .relation(.greater)
        case .greaterThanOrEqualTo: self = .relation(.greaterOrEqual)
        case .equalTo: self = .relation(.equal)
        case .notEqualTo: self = .relation(.notEqual)
        case .between: self = .between
        case .in: self = .membership(isMirrored: false)
        case .customSelector(let name): throw CompilationFault(.selector(name), at: path)
        }
    }

    init(_ operator: StringOperator, _ path: TreePath) throws(CompilationFault) {
        switch `operator` {
        case .beginsWith: self = .search(.beginsWith)
        case .endsWith: self = .search(.endsWith)
        case .contains: self = .membership(isMirrored: true)
        case .like: self = .like
        case .matches: self = .matches
        case .utiEquals: self = .typeEquals
        case .utiConformsTo: throw CompilationFault(.typeIdentifiers, at: path)
        }
    }
}

extension Resolver {
    /// The comparisons that apply to a column of type ``SQLType/any``: `note == nil`, and, where conditions test
    /// storage classes, also `note > 5`, `"jo" == note`.
    fileprivate func useOfAnyKind(
        _ left: ExpressionNode, _ relation: ComparisonRelation, _ right: ExpressionNode
    ) -> AnyKindUse {
        guard let constant = left.isPlainPath ? right : right.isPlainPath ? left : nil else { return .none }
        switch constant {
        case .constantValue(let value): return value.isNil && relation.isEquality ? .whole : .testingStorage
        case .variable: return .testingStorage
        case .evaluatedObject, .keyPath, .function, .cast, .aggregate, .index, .subquery, .conditional, .set, .message,
            .member, .symbol, .assignment, .anyKey, .block, .fetch:
            return .none
        }
    }
}

/// The permitted use of a column of type ``SQLType/any``.
enum AnyKindUse {
    case none
    /// It may be compared with a constant, if conditions test its storage classes.
    case testingStorage
    /// It may be tested for nil, counted or read, whatever it holds.
    case whole

    func takes(_ attribute: AttributeReference) -> Bool {
        switch self {
        case .none: false
        case .testingStorage: attribute.guardedAffinity != nil
        case .whole: true
        }
    }
}

extension ExpressionNode {
    /// True for a key path without operators.
    fileprivate var isPlainPath: Bool {
        if case .keyPath(let path) = self { !path.components.contains(where: \.isOperator) } else { false }
    }
}

extension ComparisonRelation {
    /// True for `==` and `!=`.
    fileprivate var isEquality: Bool {
        if case .relation(let relation) = self { !relation.isOrdering } else { false }
    }
}

/// The tree paths of a comparison and of its operands.
struct ComparisonPaths {
    let left: TreePath
    let right: TreePath
    let whole: TreePath

    init(_ path: TreePath) {
        whole = path
        left = path.child(0)
        right = path.child(1)
    }
}

extension Resolver {
    /// Returns the condition of a comparison with its modifier.
    func comparison(_ node: PredicateNode, _ path: TreePath) throws(CompilationFault) -> ConditionForm {
        switch node {
        case .comparison(let comparison):
            let relation = try ComparisonRelation(comparison.operator, path)
            try checkLocale(comparison.options, path)
            return try compare(
                comparison.leftExpression, relation, comparison.rightExpression,
                comparison.modifier, comparison.options.foldMode, ComparisonPaths(path))
        case .string(let comparison):
            if comparison.operator.rightSide == .needle { try checkLocale(comparison.options, path) }
            return try compare(
                comparison.leftExpression, try ComparisonRelation(comparison.operator, path),
                comparison.rightExpression,
                comparison.modifier, comparison.options.foldMode, ComparisonPaths(path))
        case .block(let block): throw CompilationFault(.block(block.name), at: path)
        case .constant, .compound: return try condition(node, path)
        }
    }

    /// Refuses `[l]` if there is a locale. Patterns and selectors ignore the option.
    func checkLocale(_ options: ComparisonOptions, _ path: TreePath) throws(CompilationFault) {
        guard let locale, options.contains(.localeSensitive), !options.contains(.normalized) else { return }
        throw CompilationFault(.collation(locale), at: path)
    }

    func compare(
        _ left: ExpressionNode, _ relation: ComparisonRelation, _ right: ExpressionNode, _ modifier: ComparisonModifier,
        _ mode: FoldMode, _ paths: ComparisonPaths
    ) throws(CompilationFault) -> ConditionForm {
        if let comparison = AnyKeyComparison(left, relation, right, modifier, mode) {
            return try condition(comparison, paths)
        }
        if modifier == .direct {
            if let condition = try comparisonWithNil(left, relation, right, paths) { return condition }
            if let condition = try comparison(ofUnit: left, relation, right, paths) { return condition }
        }
        return try accepting(anyKind: useOfAnyKind(left, relation, right)) { () throws(CompilationFault) in
            let leftSide = try self.resolve(left, paths.left)
            switch modifier {
            case .direct:
                let rightSide = try self.resolve(right, paths.right)
                return try self.condition(for: relation, leftSide, rightSide, mode, paths)
            case .any, .all:
                return try self.quantified(leftSide, all: modifier == .all, paths) {
                    (element) throws(CompilationFault) in
                    let rightSide = try self.resolve(right, paths.right)
                    return try self.condition(for: relation, element, rightSide, mode, paths)
                }
            }
        }
    }

    /// `ANY`, `ALL`: a condition on the elements of a collection.
    private func quantified(
        _ collection: Resolved, all: Bool, _ paths: ComparisonPaths,
        _ test: (Resolved) throws(CompilationFault) -> ConditionForm
    ) throws(CompilationFault) -> ConditionForm {
        switch collection {
        case .collection(let collection): return try exists(in: collection, all: all, paths.left, test)
        case .constant(let constant) where constant.isNil: return .constant(all)
        case .constant(.dictionary): break
        case .constant(let constant):
            guard let elements = constant.elements else { break }
            return try quantified(elements.map(Resolved.constant), all: all, test)
        case .list(let elements): return try quantified(elements, all: all, test)
        case .choice(let condition, let left, let right):
            return .chosen(
                condition, try quantified(left, all: all, paths, test), try quantified(right, all: all, paths, test))
        case .combined: throw CompilationFault(.construct("a set expression after ANY or ALL"), at: paths.left)
        case .value(let value) where value.member != nil:
            guard let member = value.member else { break }
            let found = try exists(in: try elements(of: member, paths.left), all: all, paths.left, test)
            return try quantified(found, over: member, all: all, paths.left)
        case .value, .object:
            guard schema.schema.isCoreData else { break }
            return try test(collection)
        }
        throw CompilationFault(.expected(.collection, found: collection.operand), at: paths.left)
    }

    private func quantified(
        _ elements: [Resolved], all: Bool, _ test: (Resolved) throws(CompilationFault) -> ConditionForm
    ) throws(CompilationFault) -> ConditionForm {
        var conditions: [ConditionForm] = []
        for element in elements { conditions.append(try test(element)) }
        return all ? .all(conditions) : .any(conditions)
    }

    /// Returns the condition for a relation between two operands.
    func condition(
        for relation: ComparisonRelation, _ left: Resolved, _ right: Resolved, _ mode: FoldMode,
        _ paths: ComparisonPaths
    ) throws(CompilationFault) -> ConditionForm {
        let condition = try lifting(left, right, paths.whole) {
            (left, right) throws(CompilationFault) -> ConditionForm in
            let condition = try self.plainCondition(for: relation, left, right, mode, paths)
            return self.isNegated ? try self.orError(condition, relation, left, right, paths.whole) : condition
        }
        return findingByExpressions(condition, mode)
    }

    private func plainCondition(
        for relation: ComparisonRelation, _ left: Resolved, _ right: Resolved, _ mode: FoldMode,
        _ paths: ComparisonPaths
    ) throws(CompilationFault) -> ConditionForm {
        switch relation {
        case .relation(.equal): try equality(left, right, mode, paths)
        case .relation(.notEqual): try inequality(left, right, mode, paths)
        case .relation(let relation): try ordering(left, relation, right, mode, paths)
        case .between: try between(left, right, mode, paths)
        case .membership(isMirrored: false):
            try membership(of: left, at: paths.left, in: right, at: paths.right, mode, paths)
        case .membership(isMirrored: true):
            try membership(of: right, at: paths.right, in: left, at: paths.left, mode, paths)
        case .search(let search): try self.search(in: left, at: paths.left, search, for: right, at: paths.right, mode)
        case .like: try like(left, right, mode, paths)
        case .matches: try matches(left, right, mode, paths)
        case .typeEquals: try typeEquality(left, right, paths)
        }
    }

    /// `age BETWEEN {18, 65}`: the bounds are included, and nil gives false.
    private func between(
        _ value: Resolved, _ bounds: Resolved, _ mode: FoldMode, _ paths: ComparisonPaths
    ) throws(CompilationFault) -> ConditionForm {
        if value.isNil || bounds.isNil { return .never }
        if let range = bounds.range { return try inside(value, range, mode, paths) }
        guard let pair = bounds.pair else {
            throw CompilationFault(.expected(.twoBounds, found: bounds.operand), at: paths.right)
        }
        if pair.0.isNil || pair.1.isNil { return .never }
        let present = value.withoutNil
        return .all([
            try condition(for: .relation(.greaterOrEqual), present, pair.0.withoutNil, mode, paths),
            try condition(for: .relation(.lessOrEqual), present, pair.1.withoutNil, mode, paths),
        ])
    }
}

extension Resolved {
    /// The elements of an array of two.
    fileprivate var pair: (Resolved, Resolved)? {
        switch self {
        case .list(let elements): return elements.count == 2 ? (elements[0], elements[1]) : nil
        case .constant(.array(let elements)), .constant(.orderedSet(let elements)):
            return elements.count == 2 ? (.constant(elements[0]), .constant(elements[1])) : nil
        case .constant, .value, .object, .collection, .choice, .combined: return nil
        }
    }
}

extension Resolver {
    /// `a < b`, `a >= b`: two nils satisfy `<=` and `>=`, one nil satisfies neither.
    func ordering(
        _ left: Resolved, _ relation: RelationOperator, _ right: Resolved, _ mode: FoldMode, _ paths: ComparisonPaths
    ) throws(CompilationFault) -> ConditionForm {
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
        case (.collection(let collection), _):
            throw CompilationFault(.toManyWithoutModifier(collection.name), at: paths.left)
        case (_, .collection(let collection)):
            throw CompilationFault(.toManyWithoutModifier(collection.name), at: paths.right)
        case (.object, _), (_, .object), (.list, _), (_, .list), (.combined, _), (_, .combined), (.choice, _),
            (_, .choice):
            break
        }
        throw CompilationFault(.incomparable(left: left.operand, right: right.operand), at: paths.whole)
    }

    private func order(
        _ left: TypedValue, _ relation: RelationOperator, _ right: TypedValue, _ mode: FoldMode, _ path: TreePath
    ) throws(CompilationFault) -> ConditionForm {
        let condition = try relate(left, relation, right, mode, path)
        guard relation.admitsEqual, left.mayBeNil, right.mayBeNil else { return condition }
        return .any([condition, bothNil(left, right)])
    }

    /// Compares two values; the result is NULL if one is NULL. Values without an order, or of types that cannot be
    /// equal, are refused.
    func relate(
        _ left: TypedValue, _ relation: RelationOperator, _ right: TypedValue, _ mode: FoldMode, _ path: TreePath
    ) throws(CompilationFault) -> ConditionForm {
        if let member = left.member ?? right.member { throw CompilationFault(.mixedKinds(member.name), at: path) }
        if left.guarded != nil || right.guarded != nil {
            return try relateGuarded(left.checked, relation, right.checked, mode, path)
        }
        let (left, right) = (left.checked, right.checked)
        switch (left.kind, right.kind) {
        case (.string, .string):
            return .compareText(
                try folded(left.form, mode, path), relation, try folded(right.form, mode, path))
        case (.date(let first), .date(let second)):
            let sides = (try inSeconds(left, path).form, try inSeconds(right, path).form)
            let seconds = reals(
                TypedValue(form: sides.0, kind: .double), relation, TypedValue(form: sides.1, kind: .double))
            guard first == .timestamp, second == .timestamp, left.form.isColumn, right.form.isColumn else {
                return seconds
            }
            return moments(left.form, relation, right.form, or: seconds)
        case (.uuid(let first), .uuid(let second)) where !relation.isOrdering:
            guard first == second else { throw CompilationFault(.storage(.uuid), at: path) }
            return left.kind.isText
                ? .compareText(left.form, relation, right.form) : .compare(left.form, relation, right.form)
        case (.data, .data) where !relation.isOrdering:
            return .compare(left.form, relation, right.form)
        case (let first, let second) where first.isNumber && second.isNumber:
            return try numbers(left, relation, right, path)
        default:
            throw CompilationFault(.incomparable(left: left.kind.operand, right: right.kind.operand), at: path)
        }
    }

    /// Converts two numbers to the type in which the language compares them.
    private func numbers(
        _ left: TypedValue, _ relation: RelationOperator, _ right: TypedValue, _ path: TreePath
    ) throws(CompilationFault) -> ConditionForm {
        for value in [left, right] { try checkAverage(value, path) }
        if left.kind == .double || right.kind == .double {
            return estimating(reals(left, relation, right), left, relation, right)
        }
        // An integer beyond 2^53 compares differently with a double and with an integer.
        if left.kind == .power || right.kind == .power { throw CompilationFault(.kindDependsOnRow, at: path) }
        if left.kind == right.kind, left.kind != .decimal { return .compare(left.form, relation, right.form) }
        let (left, right) = (whole(left), whole(right))
        if left.kind == .integer, right.kind == .integer { return .compare(left.form, relation, right.form) }
        return decimals(left, relation, right)
    }

    private func decimals(_ left: TypedValue, _ relation: RelationOperator, _ right: TypedValue) -> ConditionForm {
        if dialect.features.contains(.decimalType) {
            return estimating(.compare(decimal(left), relation, decimal(right)), left, relation, right)
        }
        return .compare(.call(.decimalCompare, [left.form, right.form]), relation, .word("0"))
    }

    private func decimal(_ value: TypedValue) -> ValueForm {
        value.kind == .integer ? .cast(value.form, .type(.integerToDecimal)) : value.form
    }
}

extension Resolver {
    /// `age IN %@` with `18..<65`: a condition for each bound of the range; nil is in no range. [NSP-173]
    func inside(
        _ value: Resolved, _ range: PredicateRange, _ mode: FoldMode, _ paths: ComparisonPaths
    ) throws(CompilationFault) -> ConditionForm {
        let present = value.withoutNil
        var conditions: [ConditionForm] = []
        if let lower = range.lowerBound {
            let bound = Resolved.constant(lower)
            conditions.append(try condition(for: .relation(.greaterOrEqual), present, bound, mode, paths))
        }
        if let upper = range.upperBound {
            let relation = RelationOperator.upperBound(isIncluded: range.includesUpperBound)
            conditions.append(try condition(for: .relation(relation), present, .constant(upper), mode, paths))
        }
        return .all(conditions)
    }
}

extension RelationOperator {
    fileprivate static func upperBound(isIncluded: Bool) -> RelationOperator { isIncluded ? .lessOrEqual : .less }
}

extension Resolved {
    /// The range that a constant holds; nil for any other value.
    var range: PredicateRange? {
        if case .constant(.object(let object)) = self { object.base as? PredicateRange } else { nil }
    }
}
