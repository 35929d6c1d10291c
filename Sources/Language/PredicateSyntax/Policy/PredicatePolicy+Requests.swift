/// Checks of what a request selects and sorts by. A sort key reveals the order of values even if they are not shown.
extension PredicatePolicy {
    /// Checks key paths that are selected: `try policy.check(keyPaths: ["name", "address.city"])`.
    /// - Throws: ``PredicateFormatError`` with the code `refused` for a key that the policy does not allow.
    public func check(keyPaths: [String]) throws(PredicateFormatError) {
        for path in keyPaths { try check(FormatExpression(.keyPath(KeyPathExpression(keys: path)))) }
    }

    /// Checks sort keys: `try policy.check(sortKeys: [SortKey("age")])`.
    /// - Throws: ``PredicateFormatError`` with the code `refused` for a key that the policy does not allow.
    public func check(sortKeys: [SortKey]) throws(PredicateFormatError) {
        for key in sortKeys { try check(key.value) }
    }

    /// Checks named values that are selected, whatever their names: `try policy.check(results: [.sum("age", as: "total")])`.
    /// - Throws: ``PredicateFormatError`` with the code `refused` for a key or a construct that the policy does not allow.
    public func check(results: [ResultKey]) throws(PredicateFormatError) {
        for result in results {
            switch result.content {
            case .count: break
            case .keyPath(let path), .aggregate(_, let path): try check(keyPaths: [path])
            case .expression(let expression), .aggregateOfExpression(_, let expression): try check(expression)
            }
        }
    }

    /// Checks a whole request: the predicate, the sort keys, and the keys that are read.
    /// - Throws: ``PredicateFormatError`` with the code `refused` for what the policy does not allow.
    public func check(_ request: PredicateFetchRequest) throws(PredicateFormatError) {
        if let predicate = request.predicate { try check(predicate) }
        try check(sortKeys: request.sortKeys)
        try check(keyPaths: (request.keys ?? []) + request.prefetching)
    }
}
