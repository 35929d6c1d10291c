import PredicateSyntax

/// The rules that apply to the clauses of a query as a whole.
///
/// If the query has no text, errors show the mistaken part in its printed form.
struct QueryRules {
    private let query: FormatQuery
    private let places: QueryPlaces?
    /// The names that the clauses after GROUP BY may use.
    private let names: NamedResults
    /// The names from which the values of groups may be computed.
    private let values: NamedResults

    init(_ query: FormatQuery, _ places: QueryPlaces? = nil) {
        (self.query, self.places) = (query, places)
        let (keys, groups) = (query.keys ?? [], query.groups ?? [])
        names = NamedResults(keys, groups)
        values = NamedResults(keys.filter(\.isAggregate), groups)
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

    /// Checks that GROUP BY and LIMIT … BY contain no aggregates, and that there are groups for those among the values.
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

    /// Checks the values of groups: each is a value of GROUP BY, an aggregate, or computed from these.
    private func checkKeys(in groups: [ResultKey]) throws(QueryFormatError) {
        for (index, key) in (query.keys ?? []).enumerated() {
            guard !key.isAggregate, let operand = key.operand else { continue }
            if values.unknownKeys(in: .expression(operand.node)) != nil {
                throw error(.notInGroups(key.name), .key(index))
            }
        }
    }

    /// Checks that the clauses after GROUP BY use only names of results and groups, and values of GROUP BY.
    private func checkResults() throws(QueryFormatError) {
        if let having = query.having { try check(.predicate(having.node), .having) }
        for (index, key) in query.sortKeys.enumerated() { try check(.expression(key.value.node), .sortKey(index)) }
        for (index, key) in (query.limitByKey?.keys ?? []).enumerated() {
            if let operand = key.operand { try check(.expression(operand.node), .limitKey(index)) }
        }
    }

    private func check(_ tree: TreeNode, _ part: QueryPart) throws(QueryFormatError) {
        guard let keys = names.unknownKeys(in: tree) else { return }
        throw error(.unknownResult(keys.joined(separator: "."), names: names.all), part)
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
    /// Checks that the clauses of a query agree. A query that was made in Swift may fail; one that was parsed never does.
    ///
    /// `FormatQuery(["name", .count(as: "n")])` has an aggregate without groups.
    /// - Throws: ``QueryFormatError`` for the first mistake. Its text is the mistaken part as it is printed.
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
