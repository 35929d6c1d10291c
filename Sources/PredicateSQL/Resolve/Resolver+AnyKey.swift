import PredicateSyntax
import PredicateText

/// A comparison with `ANYKEY` on one side.
struct AnyKeyComparison {
    let left: ExpressionNode
    let relation: Relation
    let right: ExpressionNode
    let modifier: ComparisonModifier
    let mode: FoldMode

    /// Nil for a comparison without `ANYKEY`.
    init?(
        _ left: ExpressionNode, _ relation: Relation, _ right: ExpressionNode, _ modifier: ComparisonModifier,
        _ mode: FoldMode
    ) {
        guard left.isAnyKey || right.isAnyKey else { return nil }
        self.left = left
        self.relation = relation
        self.right = right
        self.modifier = modifier
        self.mode = mode
    }

    /// The comparison with an attribute in place of `ANYKEY`.
    func sides(_ key: String) -> (left: ExpressionNode, right: ExpressionNode) {
        let attribute = ExpressionNode.keyPath(KeyPathExpression([.key(key)]))
        return left.isAnyKey ? (attribute, right) : (left, attribute)
    }

    /// True for the error of an attribute of a kind that the operator does not take; an evaluator leaves it out, too.
    func leavesOut(_ code: SQLCompilationError.Code) -> Bool {
        switch code {
        case .incomparable, .expected(.string, _): true
        case .expected(.stringOrCollection, _): isContainer
        case .expected, .unknownEntity, .unknownKey, .subentityKey, .primaryKeyIsNoAttribute, .unboundVariable,
            .nilOperand, .toManyWithoutModifier, .notExpressible, .subpredicateCount, .nestingTooDeep, .exceeds,
            .tooManyParameters,
            .unusableName, .residualInChange, .valueKind, .notAColumn, .nothingToUpdate, .nothingToSelect,
            .duplicateResult, .aggregateWithoutGroups, .notGrouped, .keysNotReturned:
            false
        }
    }

    /// True for `ANYKEY CONTAINS 1` and `1 IN ANYKEY`.
    private var isContainer: Bool {
        guard case .membership(let isMirrored) = relation else { return false }
        return isMirrored == left.isAnyKey
    }
}

extension Resolver {
    /// `ANYKEY == "jo"`: the comparison with each attribute of the entity, as if written by hand, joined by OR. [NSP-179]
    func condition(_ comparison: AnyKeyComparison, _ paths: ComparisonPaths) throws(Fault) -> ConditionForm {
        guard comparison.modifier == .direct, !comparison.left.isAnyKey || !comparison.right.isAnyKey else {
            throw Fault(.construct("ANYKEY"), at: comparison.right.isAnyKey ? paths.right : paths.left)
        }
        var conditions: [ConditionForm] = []
        for key in root.entity.attributeKeys {
            let (left, right) = comparison.sides(key)
            do throws(Fault) {
                conditions.append(try compare(left, comparison.relation, right, .direct, comparison.mode, paths))
            } catch {
                guard comparison.leavesOut(error.code) else { throw error }
            }
        }
        return .any(conditions)
    }
}

extension SQLEntity {
    /// The keys of the attributes in a fixed order, so that equal predicates have equal SQL.
    fileprivate var attributeKeys: [String] { attributes.keys.map(\.self).inOrder() }
}
