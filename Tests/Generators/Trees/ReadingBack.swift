import PredicateSyntax

extension TreeNode {
    /// True if the printed tree must read back equal; NSP-149 lists the exceptions.
    package var readsBack: Bool {
        isReadableItself && children.allSatisfy(\.readsBack)
    }

    private var isReadableItself: Bool {
        switch self {
        case .predicate(.block): return false
        case .predicate: return true
        case .expression(let node): return node.isReadableItself
        }
    }
}

extension ExpressionNode {
    fileprivate var isReadableItself: Bool {
        switch self {
        case .constantValue(let value): return value.readsBack
        case .keyPath(let path): return !path.components.contains(where: \.looksLikeVariable)
        case .evaluatedObject, .variable, .member, .function, .message, .cast, .aggregate, .index, .symbol, .subquery,
            .conditional, .set, .assignment, .anyKey, .fetch:
            return true
        case .block: return false
        }
    }
}

extension PredicateNode {
    package var readsBack: Bool { TreeNode.predicate(self).readsBack }
}

extension ExpressionNode {
    package var readsBack: Bool { TreeNode.expression(self).readsBack }
}

extension KeyPathExpression.Component {
    /// A key that is `$` and a name prints bare. [NSP-147]
    fileprivate var looksLikeVariable: Bool {
        guard case .key(let key) = self, key.hasPrefix("$") else { return false }
        return String(key.dropFirst()).isIdentifier
    }
}
