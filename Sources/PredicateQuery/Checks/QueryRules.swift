import PredicateSyntax

/// The rules that the clauses of a query have to keep together.
///
/// Without a text, errors show the printed part.
struct QueryRules {
    private let query: FormatQuery
    private let places: QueryPlaces?
    private let names: ResultNames

    init(_ query: FormatQuery, _ places: QueryPlaces? = nil) {
        (self.query, self.places) = (query, places)
        names = ResultNames(query)
    }

    /// Throws the first mistake.
    func check() throws(QueryFormatError) {
        try checkNames()
        try checkNumbers()
        try checkAggregates()
        guard let groups = query.groups else {
            if query.having != nil { throw error(.havingWithoutGroups, .having) }
            return
        }
        try checkKeys(in: groups)
        try checkResults()
    }

    private func checkNames() throws(QueryFormatError) {
        var seen: Set<String> = []
        for (index, key) in (query.keys ?? []).enumerated() where !seen.insert(key.name).inserted {
            throw error(.repeatedName(key.name), .key(index))
        }
    }

    private func checkNumbers() throws(QueryFormatError) {
        if let limit = query.limitByKey?.limit, limit < 0 { throw error(.expectedNumber("LIMIT"), .limit) }
        switch query.page {
        case .first(let limit, let offset):
            if let limit, limit < 0 { throw error(.expectedNumber("LIMIT"), .page) }
            if offset < 0 { throw error(.expectedNumber("OFFSET"), .page) }
        case .last(let count): if count < 0 { throw error(.expectedNumber("LAST"), .page) }
        }
    }

    /// Aggregates are values of the list, and have groups.
    private func checkAggregates() throws(QueryFormatError) {
        for (index, key) in (query.keys ?? []).enumerated() where key.isAggregate {
            if query.groups == nil { throw error(.aggregateWithoutGroups(key.name), .key(index)) }
            if case .percentile(let percent) = key.aggregate, !(0...100).contains(percent) {
                throw error(.aggregateArguments("percentile"), .key(index))
            }
        }
        for (index, key) in (query.groups ?? []).enumerated() where key.isAggregate {
            throw error(.misplacedAggregate(key.name, clause: "GROUP BY"), .group(index))
        }
        for (index, key) in (query.limitByKey?.keys ?? []).enumerated() where key.isAggregate {
            throw error(.misplacedAggregate(key.name, clause: "LIMIT … BY"), .limitKey(index))
        }
    }

    private func checkKeys(in groups: [ResultKey]) throws(QueryFormatError) {
        let contents = Set(groups.map(\.content))
        for (index, key) in (query.keys ?? []).enumerated() where !key.isAggregate && !contents.contains(key.content) {
            throw error(.notInGroups(key.name), .key(index))
        }
    }

    /// What comes after the groups knows the names of results and groups only.
    private func checkResults() throws(QueryFormatError) {
        if let having = query.having { try check(.predicate(having.node), .having) }
        for (index, key) in query.sortKeys.enumerated() { try check(.expression(key.value.node), .sortKey(index)) }
        for (index, key) in (query.limitByKey?.keys ?? []).enumerated() {
            if let operand = key.operand { try check(.expression(operand.node), .limitKey(index)) }
        }
    }

    private func check(_ tree: TreeNode, _ part: QueryPart) throws(QueryFormatError) {
        for keys in tree.keyPaths where names.result(at: keys) == nil {
            throw error(.unknownResult(keys.joined(separator: "."), names: names.all), part)
        }
    }

    private func error(_ code: QueryFormatError.Code, _ part: QueryPart) -> QueryFormatError {
        if let places, let range = places.ranges[part] {
            return QueryFormatError(code, text: places.text, range: range)
        }
        let text = query.printed(part)
        return QueryFormatError(code, text: text, range: 0..<text.utf8.count)
    }
}

extension FormatQuery {
    /// Throws the first mistake in the clauses of a query that was made of parts; one that was parsed has none.
    package func validate() throws(QueryFormatError) { try QueryRules(self).check() }

    /// The canonical form of a part, for errors.
    fileprivate func printed(_ part: QueryPart) -> String {
        switch part {
        case .key(let index): (keys?[index]).map(QueryPrinter.text) ?? ""
        case .group(let index): (groups?[index]).map(QueryPrinter.text) ?? ""
        case .limitKey(let index): (limitByKey?.keys[index]).map(QueryPrinter.text) ?? ""
        case .sortKey(let index): sortKeys[index].value.expressionFormat
        case .predicate: predicate?.predicateFormat ?? ""
        case .having: having?.predicateFormat ?? ""
        case .list, .limit, .page: description
        }
    }
}

// MARK: - Names of results

/// The names by which HAVING, ORDER BY and LIMIT … BY refer to the values of a query.
struct ResultNames {
    /// The results and the groups by their names.
    let results: [String: ResultKey]
    /// The names in the order of the query.
    let all: [String]

    init(_ query: FormatQuery) {
        let keys = (query.keys ?? []) + (query.groups ?? [])
        let aliases = (query.groups ?? []).map { ($0.nameInGroups, $0) }
        results = Dictionary(keys.map { ($0.name, $0) } + aliases) { first, _ in first }
        var seen: Set<String> = []
        all = keys.map(\.name).filter { seen.insert($0).inserted }
    }

    /// Returns the result whose name the first keys of a path spell, with the number of these keys; nil for another path.
    func result(at keys: [String]) -> (key: ResultKey, count: Int)? {
        for count in stride(from: keys.count, to: 0, by: -1) {
            if let key = results[keys.prefix(count).joined(separator: ".")] { return (key, count) }
        }
        return nil
    }
}

extension TreeNode {
    /// The keys of the paths from the evaluated object, in source order, each up to a key that is a variable.
    var keyPaths: [[String]] {
        var paths = children.flatMap(\.keyPaths)
        if case .expression(.keyPath(let path)) = self, path.base == nil || path.base == .evaluatedObject {
            let keys = path.components.prefix { if case .key = $0 { true } else { false } }
            paths.append(keys.compactMap { if case .key(let key) = $0 { key } else { nil } })
        }
        return paths
    }
}
