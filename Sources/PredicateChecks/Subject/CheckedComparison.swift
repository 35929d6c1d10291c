import PredicateSyntax

/// A comparison of the checked predicate, with an operator of either family.
package struct CheckedComparison {
    package enum Operator: Equatable {
        case comparison(ComparisonOperator)
        case string(StringOperator)

        package var spelling: String {
            switch self {
            case .comparison(let value): value.spelling
            case .string(let value): value.spelling
            }
        }

        package var isEquality: Bool { self == .comparison(.equalTo) || self == .comparison(.notEqualTo) }

        package var isOrdering: Bool {
            [.lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo].contains { self == .comparison($0) }
        }

        /// True if a string may stand on the right side: `==`, `!=` and the string operators.
        var takesText: Bool {
            switch self {
            case .comparison: isEquality
            case .string: true
            }
        }
    }

    package let node: CheckedNode
    package let left: CheckedNode
    package let right: CheckedNode
    package let `operator`: Operator
    package let modifier: ComparisonModifier
    package let options: ComparisonOptions

    package init?(_ node: CheckedNode) {
        guard let predicate = node.predicate, node.children.count == 2 else { return nil }
        switch predicate {
        case .comparison(let own): self.operator = .comparison(own.operator)
        case .string(let own): self.operator = .string(own.operator)
        case .compound, .constant, .block: return nil
        }
        self.node = node
        left = node.children[0]
        right = node.children[1]
        modifier = predicate.modifier
        options = predicate.options
    }

    /// The constant text on the right side; nil for other right sides, and beside what is no text for certain.
    package var pattern: String? {
        let kinds = left.type.kinds
        guard kinds.isEmpty || !kinds.isDisjoint(with: [.string, .array, .dictionary, .object]) else { return nil }
        if case .string(let text)? = right.expression?.constant { return text }
        return nil
    }
}
