#if !canImport(Darwin)
    import Foundation
    import PredicateEvaluation
    import PredicateSyntax

    /// What a sort descriptor by the name of a key compares.
    struct SortForm: Sendable {
        /// The key path; nil for the object itself.
        let key: String?
        let selector: Selector?
        let comparison: SortComparison
        private let path: ExpressionCore

        init(key: String?, selector: Selector?, _ comparison: SortComparison) {
            self.key = key
            self.selector = selector
            self.comparison = comparison
            let node = key.map { ExpressionNode.keyPath(KeyPathExpression(keys: $0)) } ?? .evaluatedObject
            path = ExpressionCore(FormatExpression(node))
        }

        /// The value by which an object is ordered.
        func value(of object: Any) throws(EvaluationError) -> KeyedValue {
            try path.keyedValue(with: object)
        }

        /// True if two forms order alike; a closure is equal to nothing.
        func isSame(as other: SortForm) -> Bool {
            if case .comparator = comparison { return false }
            return key == other.key && selector == other.selector
        }
    }
#endif
