import PredicateSyntax

extension ExpressionNode {
    /// True if the value is not a constant of the format.
    package var isVarying: Bool {
        switch self {
        case .constantValue, .symbol, .anyKey, .fetch: false
        case .evaluatedObject, .variable, .keyPath, .member, .function, .message, .cast, .aggregate, .index,
            .subquery, .conditional, .set, .assignment, .block:
            true
        }
    }
}

extension PredicateNode {
    /// The modifier of a comparison.
    package var modifier: ComparisonModifier {
        switch self {
        case .comparison(let node): node.modifier
        case .string(let node): node.modifier
        case .compound, .constant, .block: .direct
        }
    }

    /// The options of a comparison.
    package var options: ComparisonOptions {
        switch self {
        case .comparison(let node): node.options
        case .string(let node): node.options
        case .compound, .constant, .block: []
        }
    }
}
