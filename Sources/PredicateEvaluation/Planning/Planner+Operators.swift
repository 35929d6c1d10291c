import PredicateSyntax

extension Planner {
    /// The relation that an operator with its options stands for.
    func relation(
        for operator: ComparisonOperator, _ options: ComparisonOptions, _ number: Int
    ) throws(EvaluationError) -> any Relation {
        let mode = options.foldMode
        switch `operator` {
        case .lessThan: return Ordering(.less, mode)
        case .lessThanOrEqualTo: return Ordering([.less, .equal], mode)
        case .greaterThan: return Ordering(.greater, mode)
        case .greaterThanOrEqualTo: return Ordering([.greater, .equal], mode)
        case .equalTo: return Equality(mode, negated: false)
        case .notEqualTo: return Equality(mode, negated: true)
        case .between: return Between(mode)
        case .in: return Membership(mode, isMirrored: false)
        case .customSelector(let name):
            guard let answer = settings.registry.selector(named: name) else {
                let nearMisses = settings.registry.selectorNames(near: name)
                throw EvaluationError(.unknownSelector(name, nearMisses: nearMisses), culprit: number)
            }
            return CustomSelector(answer)
        }
    }

    /// The relation that an operator for texts with its options stands for.
    func relation(for operator: StringOperator, _ options: ComparisonOptions) -> any Relation {
        let mode = options.foldMode
        switch `operator` {
        case .beginsWith: return TextEnd(.beginning, mode)
        case .endsWith: return TextEnd(.end, mode)
        case .contains: return Membership(mode, isMirrored: true)
        case .like: return Like(mode)
        case .matches: return Matches(mode, settings.limits)
        case .utiEquals: return TypeIdentifierRelation(.equals)
        case .utiConformsTo: return TypeIdentifierRelation(.conforms(settings.registry.typeIdentifiers))
        }
    }
}
