import PredicateSyntax
import PredicateText

extension Resolver {
    /// `age IN %@` with `18..<65`: a condition for each bound that there is; nil lies in no range. [NSP-173]
    func inside(
        _ value: Resolved, _ range: PredicateRange, _ mode: FoldMode, _ paths: ComparisonPaths
    ) throws(Fault) -> ConditionForm {
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
    /// The range that a constant is; nil for everything else.
    var range: PredicateRange? {
        if case .constant(.object(let object)) = self { object.base as? PredicateRange } else { nil }
    }
}
