public import PredicateSyntax

extension PredicatePolicy {
    /// Checks a whole query against the policy: values, groups, conditions and the order.
    ///
    /// If the policy lists keys, the query must list its values too, since whole objects have every key.
    /// - Throws: `PredicateFormatError` with the code `refused` or `exceeds` and a hint.
    public func check(_ query: FormatQuery) throws(PredicateFormatError) {
        try QueryPolicyCheck(self, query).check()
    }
}

/// A check of a query against a policy.
///
/// Clauses after GROUP BY may use the names of results, because the results are checked; below a result that is an object, they
/// may use only the keys that the policy allows there. Without groups, only a name by itself is a result: in an expression it
/// may be a key of the row.
struct QueryPolicyCheck {
    private let policy: PredicatePolicy
    /// The policy, with the names of the results added to its keys.
    private let policyOfResults: PredicatePolicy
    private let query: FormatQuery
    /// The names of the results, if there are no groups.
    private let names: Set<String>
    private let places: QueryPlaces?

    init(_ policy: PredicatePolicy, _ query: FormatQuery, _ places: QueryPlaces? = nil) {
        (self.policy, self.query, self.places) = (policy, query, places)
        names = query.groups == nil ? Set((query.keys ?? []).map(\.name)) : []
        var ofResults = policy
        // Names of results are not keys of the objects.
        if query.groups != nil { ofResults.types = nil }
        if case .only(let paths) = policy.keys, query.groups != nil {
            let results = NamedResults(query).results
            ofResults.keys = .only(results.reduce(into: paths) { $0.formUnion(Self.paths($1.key, $1.value, paths)) })
        }
        policyOfResults = ofResults
    }

    /// Throws the first refusal.
    func check() throws(PredicateFormatError) {
        if query.keys == nil, case .only = policy.keys {
            let range = places?.ranges[.list] ?? 0..<0
            throw PredicateFormatError(.refused(.allKeys), text: places?.text ?? query.description, range: range)
        }
        for (index, key) in (query.keys ?? []).enumerated() { try check(key, .key(index), policy) }
        if let predicate = query.predicate { try check(predicate, .predicate, policy) }
        for (index, key) in (query.groups ?? []).enumerated() { try check(key, .group(index), policy) }
        if let having = query.having { try check(having, .having, policyOfResults) }
        for (index, key) in (query.limitByKey?.keys ?? []).enumerated() {
            if !isName(key.operand) { try check(key, .limitKey(index), policyOfResults) }
        }
        for (index, key) in query.sortKeys.enumerated() where !isName(key.value) { try check(key, .sortKey(index)) }
    }

    /// True for an expression that is only the name of a result, in a query without groups.
    private func isName(_ value: FormatExpression?) -> Bool {
        value?.plainKeyPath.map(names.contains) ?? false
    }

    private func check(_ key: ResultKey, _ part: QueryPart, _ policy: PredicatePolicy) throws(PredicateFormatError) {
        try located(part) { () throws(PredicateFormatError) in try policy.check(results: [key]) }
    }

    private func check(
        _ predicate: FormatPredicate, _ part: QueryPart, _ policy: PredicatePolicy
    ) throws(PredicateFormatError) {
        try located(part) { () throws(PredicateFormatError) in try policy.check(predicate) }
    }

    private func check(_ key: SortKey, _ part: QueryPart) throws(PredicateFormatError) {
        try located(part) { () throws(PredicateFormatError) in try policyOfResults.check(sortKeys: [key]) }
    }

    /// Moves an error to its place in the whole text. An error without a place in its part applies to the whole part.
    private func located(
        _ part: QueryPart, _ check: () throws(PredicateFormatError) -> Void
    ) throws(PredicateFormatError) {
        do throws(PredicateFormatError) {
            try check()
        } catch {
            guard let places, let range = places.ranges[part] else { throw error }
            let text = String(decoding: Array(places.text.utf8)[range], as: UTF8.self)
            let isWithin = error.text.utf8.elementsEqual(text.utf8)
            let whole = PredicateFormatError(error.code, range: 0..<range.count)
            throw (isWithin ? error : whole).moved(to: range.lowerBound, in: places.text)
        }
    }

    /// The paths that are allowed because they begin with the name of a result: the name itself, and below it whatever is
    /// allowed below the key path that it names.
    private static func paths(_ name: String, _ result: ResultKey, _ allowed: Set<String>) -> Set<String> {
        guard !name.hasSuffix(".*") else { return [] }
        guard case .keyPath(let path) = result.content else { return [name] }
        var paths = Set(allowed.filter { $0.hasPrefix(path + ".") }.map { name + $0.dropFirst(path.count) })
        if allowed.contains(where: { $0.hasSuffix(".*") && (path + ".").hasPrefix($0.dropLast()) }) {
            paths.insert(name + ".*")
        }
        return paths.union([name])
    }
}
