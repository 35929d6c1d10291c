import PredicateSyntax
import PredicateText

extension Planner {
    /// The relation that an operator with its options stands for.
    mutating func relation(
        for operator: ComparisonOperator, _ options: ComparisonOptions, _ node: Int
    ) throws(EvaluationError) -> any Relation {
        if options.contains(.localeSensitive), let own = try collated(`operator`, options, node) { return own }
        let mode = options.foldMode
        switch `operator` {
        case .lessThan: return SharedRelations.of(mode).less
        case .lessThanOrEqualTo: return SharedRelations.of(mode).lessOrEqual
        case .greaterThan: return SharedRelations.of(mode).greater
        case .greaterThanOrEqualTo: return SharedRelations.of(mode).greaterOrEqual
        case .equalTo: return SharedRelations.of(mode).equal
        case .notEqualTo: return SharedRelations.of(mode).unequal
        case .between: return SharedRelations.of(mode).between
        case .in: return SharedRelations.of(mode).member
        case .customSelector(let name):
            guard let body = settings.registry.selector(named: name) else {
                let nearMisses = settings.registry.selectorNames(near: name)
                throw EvaluationError(.unknownSelector(name, nearMisses: nearMisses), node: node)
            }
            return CustomSelector(body)
        }
    }

    /// The relation that an operator for texts with its options stands for.
    mutating func relation(for operator: StringOperator, _ options: ComparisonOptions) -> any Relation {
        if options.contains(.localeSensitive), let own = collated(`operator`, options) { return own }
        let mode = options.foldMode
        switch `operator` {
        case .beginsWith: return SharedRelations.of(mode)[.beginsWith]
        case .endsWith: return SharedRelations.of(mode)[.endsWith]
        case .contains: return SharedRelations.of(mode).contains
        case .like: return Like(mode)
        case .matches: return Matches(mode, settings.limits)
        case .utiEquals: return TypeIdentifierRelation(.equals)
        case .utiConformsTo: return TypeIdentifierRelation(.conforms(settings.registry.typeIdentifiers))
        }
    }
}

/// The relations that hold nothing but their options: made once, and shared by all plans.
///
/// A class, so that taking one relation does not copy the references of all.
private final class SharedRelations: Sendable {
    let less, lessOrEqual, greater, greaterOrEqual: Ordering
    let equal, unequal: Equality
    let between: Between
    let member, contains: Membership
    /// One for each ``TextMatch``, in the order of the raw values.
    private let texts: [TextRelation]

    private init(_ mode: FoldMode) {
        (less, lessOrEqual) = (Ordering(.less, mode), Ordering([.less, .equal], mode))
        (greater, greaterOrEqual) = (Ordering(.greater, mode), Ordering([.greater, .equal], mode))
        (equal, unequal) = (Equality(mode, negated: false), Equality(mode, negated: true))
        between = Between(mode)
        (member, contains) = (Membership(mode, isMirrored: false), Membership(mode, isMirrored: true))
        texts = TextMatch.allCases.map { TextRelation($0, mode) }
    }

    subscript(match: TextMatch) -> TextRelation { texts[Int(match.rawValue)] }

    @inline(__always)
    static func of(_ mode: FoldMode) -> SharedRelations {
        switch mode {
        case .none: unfolded
        case .caseInsensitive: caseInsensitive
        case .diacriticInsensitive: diacriticInsensitive
        case .caseAndDiacriticInsensitive: caseAndDiacriticInsensitive
        }
    }

    private static let unfolded = SharedRelations(.none)
    private static let caseInsensitive = SharedRelations(.caseInsensitive)
    private static let diacriticInsensitive = SharedRelations(.diacriticInsensitive)
    private static let caseAndDiacriticInsensitive = SharedRelations(.caseAndDiacriticInsensitive)
}
