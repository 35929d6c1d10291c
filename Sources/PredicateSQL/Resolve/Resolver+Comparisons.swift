import PredicateSyntax
import PredicateText

/// The relation that an operator tests between two values.
enum Relation {
    case relation(RelationOperator)
    case between
    /// `a IN b`; for `b CONTAINS a` the sides are swapped
    case membership(isMirrored: Bool)
    case search(SQLPiece.Search)
    case like
    case matches
    case typeEquals
}

/// An operator without a relation in SQL.
struct UnsupportedOperator: Error {
    let obstacle: SQLCompilationError.Obstacle
}

extension Relation {
    init(_ operator: ComparisonOperator) throws(UnsupportedOperator) {
        switch `operator` {
        case .lessThan: self = .relation(.less)
        case .lessThanOrEqualTo: self = .relation(.lessOrEqual)
        case .greaterThan: self = .relation(.greater)
        case .greaterThanOrEqualTo: self = .relation(.greaterOrEqual)
        case .equalTo: self = .relation(.equal)
        case .notEqualTo: self = .relation(.notEqual)
        case .between: self = .between
        case .in: self = .membership(isMirrored: false)
        case .customSelector(let name): throw UnsupportedOperator(obstacle: .selector(name))
        }
    }

    init(_ operator: StringOperator) throws(UnsupportedOperator) {
        switch `operator` {
        case .beginsWith: self = .search(.beginsWith)
        case .endsWith: self = .search(.endsWith)
        case .contains: self = .membership(isMirrored: true)
        case .like: self = .like
        case .matches: self = .matches
        case .utiEquals: self = .typeEquals
        case .utiConformsTo: throw UnsupportedOperator(obstacle: .typeIdentifiers)
        }
    }
}

extension Resolver {
    /// The comparisons that apply to a column of any kind: `note == nil`, and where values are told by their storage also
    /// `note > 5`, `"jo" == note`.
    fileprivate func useOfAnyKind(
        _ left: ExpressionNode, _ relation: Relation, _ right: ExpressionNode
    ) -> AnyKindUse {
        guard let constant = left.isPlainPath ? right : right.isPlainPath ? left : nil else { return .none }
        switch constant {
        case .constantValue(let value): return value.isNil && relation.isEquality ? .whole : .told
        case .variable: return .told
        case .evaluatedObject, .keyPath, .function, .cast, .aggregate, .index, .subquery, .conditional, .set, .message,
            .member, .symbol, .assignment, .anyKey, .block, .fetch:
            return .none
        }
    }
}

/// What may be done with a column that holds values of any kind.
enum AnyKindUse {
    case none
    /// It is compared with a constant, if its values are told by their storage.
    case told
    /// It is tested for nil, counted or read, whatever it holds.
    case whole

    func takes(_ attribute: AttributeReference) -> Bool {
        switch self {
        case .none: false
        case .told: attribute.guardedAffinity != nil
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

extension Relation {
    /// True for `==` and `!=`.
    fileprivate var isEquality: Bool {
        if case .relation(let relation) = self { !relation.isOrdering } else { false }
    }
}

/// The tree paths of a comparison and its sides.
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
    /// A comparison with its modifier.
    func comparison(_ node: PredicateNode, _ path: TreePath) throws(Fault) -> ConditionForm {
        switch node {
        case .comparison(let comparison):
            if comparison.operator.binding != nil { try checkLocale(comparison.options, path) }
            return try compare(
                comparison.leftExpression, try Relation(comparison.operator, path), comparison.rightExpression,
                comparison.modifier, comparison.options.foldMode, ComparisonPaths(path))
        case .string(let comparison):
            if comparison.operator.rightSide == .needle { try checkLocale(comparison.options, path) }
            return try compare(
                comparison.leftExpression, try Relation(comparison.operator, path), comparison.rightExpression,
                comparison.modifier, comparison.options.foldMode, ComparisonPaths(path))
        case .block(let block): throw Fault(.block(block.name), at: path)
        case .constant, .compound: return try condition(node, path)
        }
    }

    /// Refuses `[l]` where there is a locale. Patterns and selectors are the same with and without it.
    func checkLocale(_ options: ComparisonOptions, _ path: TreePath) throws(Fault) {
        guard let locale, options.contains(.localeSensitive), !options.contains(.normalized) else { return }
        throw Fault(.collation(locale), at: path)
    }

    func compare(
        _ left: ExpressionNode, _ relation: Relation, _ right: ExpressionNode, _ modifier: ComparisonModifier,
        _ mode: FoldMode, _ paths: ComparisonPaths
    ) throws(Fault) -> ConditionForm {
        if let comparison = AnyKeyComparison(left, relation, right, modifier, mode) {
            return try condition(comparison, paths)
        }
        if modifier == .direct, let condition = try comparisonWithNil(left, relation, right, paths) { return condition }
        return try accepting(anyKind: useOfAnyKind(left, relation, right)) { () throws(Fault) in
            let leftSide = try self.resolve(left, paths.left)
            switch modifier {
            case .direct:
                let rightSide = try self.resolve(right, paths.right)
                return try self.condition(for: relation, leftSide, rightSide, mode, paths)
            case .any, .all:
                return try self.quantified(leftSide, all: modifier == .all, paths) { (element) throws(Fault) in
                    let rightSide = try self.resolve(right, paths.right)
                    return try self.condition(for: relation, element, rightSide, mode, paths)
                }
            }
        }
    }

    /// `ANY`, `ALL`: a condition for the elements of a collection.
    private func quantified(
        _ collection: Resolved, all: Bool, _ paths: ComparisonPaths,
        _ test: (Resolved) throws(Fault) -> ConditionForm
    ) throws(Fault) -> ConditionForm {
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
        case .combined: throw Fault(.construct("a set expression after ANY or ALL"), at: paths.left)
        case .value, .object: break
        }
        throw Fault(.expected(.collection, found: collection.name), at: paths.left)
    }

    private func quantified(
        _ elements: [Resolved], all: Bool, _ test: (Resolved) throws(Fault) -> ConditionForm
    ) throws(Fault) -> ConditionForm {
        var conditions: [ConditionForm] = []
        for element in elements { conditions.append(try test(element)) }
        return all ? .all(conditions) : .any(conditions)
    }

    /// The condition for a relation between two sides.
    func condition(
        for relation: Relation, _ left: Resolved, _ right: Resolved, _ mode: FoldMode, _ paths: ComparisonPaths
    ) throws(Fault) -> ConditionForm {
        let condition = try lifting(left, right, paths.whole) { (left, right) throws(Fault) -> ConditionForm in
            switch relation {
            case .relation(.equal): return try self.equality(left, right, mode, paths)
            case .relation(.notEqual): return try self.inequality(left, right, mode, paths)
            case .relation(let relation): return try self.ordering(left, relation, right, mode, paths)
            case .between: return try self.between(left, right, mode, paths)
            case .membership(isMirrored: false):
                return try self.membership(of: left, at: paths.left, in: right, at: paths.right, mode, paths)
            case .membership(isMirrored: true):
                return try self.membership(of: right, at: paths.right, in: left, at: paths.left, mode, paths)
            case .search(let search):
                return try self.search(
                    in: left, at: paths.left, search, for: right, at: paths.right, mode)
            case .like: return try self.like(left, right, mode, paths)
            case .matches: return try self.matches(left, right, mode, paths)
            case .typeEquals: return try self.typeEquality(left, right, paths)
            }
        }
        return findingByExpressions(condition, mode)
    }

    /// `age BETWEEN {18, 65}`: both bounds count, nil gives false.
    private func between(
        _ value: Resolved, _ bounds: Resolved, _ mode: FoldMode, _ paths: ComparisonPaths
    ) throws(Fault) -> ConditionForm {
        if value.isNil || bounds.isNil { return .never }
        if let range = bounds.range { return try inside(value, range, mode, paths) }
        guard let pair = bounds.pair else {
            throw Fault(.expected(.twoBounds, found: bounds.name), at: paths.right)
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
    /// The two elements of an array of two.
    fileprivate var pair: (Resolved, Resolved)? {
        switch self {
        case .list(let elements): return elements.count == 2 ? (elements[0], elements[1]) : nil
        case .constant(.array(let elements)), .constant(.orderedSet(let elements)):
            return elements.count == 2 ? (.constant(elements[0]), .constant(elements[1])) : nil
        case .constant, .value, .object, .collection, .choice, .combined: return nil
        }
    }
}

extension Relation {
    fileprivate init(_ operator: ComparisonOperator, _ path: TreePath) throws(Fault) {
        do { self = try Relation(`operator`) } catch { throw Fault(error.obstacle, at: path) }
    }

    fileprivate init(_ operator: StringOperator, _ path: TreePath) throws(Fault) {
        do { self = try Relation(`operator`) } catch { throw Fault(error.obstacle, at: path) }
    }
}
