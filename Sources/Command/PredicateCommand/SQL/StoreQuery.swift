import PredicateEvaluation
import PredicateQuery
import PredicateStore
import PredicateSyntax

/// The part of a query that a SQLite statement does: groups, distinct rows, order, page and computed values.
///
/// Its answers are the same as in memory. Each function returns nil if SQL has no exact form, or if an error in a row must be
/// reported; memory then does the work. [NSP-419] [NSP-460] [NSP-461] [NSP-463]
struct StoreQuery {
    private let query: OutputQuery
    private let store: ObjectStore
    /// A Boolean value that indicates whether values are written as stored, without archives or object URIs.
    private let readsPlainValues: Bool
    /// A Boolean value that indicates whether the rows of objects are written.
    private let writesRows: Bool
    private let isQuiet: Bool

    /// Creates the part for SQL; nil if a part of the predicate is evaluated in memory.
    init?(_ settings: FilterSettings, residual: FormatPredicate?, in store: ObjectStore) {
        guard residual == nil else { return nil }
        (query, self.store, isQuiet) = (settings.query, store, settings.isQuiet)
        readsPlainValues = !settings.writesObjectIDs && !settings.decodesArchives
        writesRows = settings.writesRows
    }

    // MARK: - Groups

    /// The groups with the value at each place; nil without groups.
    private var groups: FormatQuery? {
        guard readsPlainValues, !isQuiet, let grouping = query.grouping,
            let results = (try? grouping.resultKeys())?.numbered
        else { return nil }
        return FormatQuery(results, groupedBy: Array(results.prefix(grouping.keys.count)))
    }

    /// Returns the rows of all groups.
    func groups(_ request: PredicateFetchRequest) -> [[PredicateValue]]? {
        groups.flatMap { rows(of: $0, request) }
    }

    private func rows(of query: FormatQuery, _ request: PredicateFetchRequest) -> [[PredicateValue]]? {
        (try? store.fetchRows(of: query, request.ofAllObjects)) ?? nil
    }

    // MARK: - Different rows

    /// Returns the distinct rows of `--distinct --keys`, ordered by the primary keys of their first objects.
    func distinctRows(_ request: PredicateFetchRequest) -> [[PredicateValue]]? {
        guard readsPlainValues, !isQuiet, query.isDistinct, let keys = query.keys, query.style.digits == nil,
            isSorted(by: keys), let results = (try? keys.resultKeys())?.numbered,
            let rows = rows(of: FormatQuery(results, isDistinct: true), request),
            !rows.joined().contains(where: Self.isRepaired)
        else { return nil }
        return rows
    }

    /// True if the rows are sorted by written values only.
    private func isSorted(by keys: [OutputValue]) -> Bool {
        let names = Set(keys.map(\.spelling))
        return query.sort?.values.allSatisfy { names.contains($0.spelling) } ?? true
    }

    /// True for a string that may be invalid UTF-8 in the file: SQLite tells such strings apart, the output does not.
    private static func isRepaired(_ value: PredicateValue) -> Bool {
        if case .string(let text) = value { text.unicodeScalars.contains("\u{FFFD}") } else { false }
    }

    // MARK: - Order and page

    /// Returns a request in the order and with the page of the query. Rows that are equal in all sort keys are in the order of
    /// the primary key.
    func ordered(_ request: PredicateFetchRequest) -> PredicateFetchRequest? {
        let (page, keys) = (query.page, query.sort?.keys ?? [])
        guard writesRows, !query.leavesOutMatches, query.sort != nil || page.skipsRows,
            keys.allSatisfy({ $0.options.isEmpty && !$0.isNumeric }),
            let values = try? (query.sort?.values ?? []).resultKeys()
        else { return nil }
        let whole = request.ofAllObjects
        // An expression may fail for a row that is not on the page.
        let written = page.skipsRows || page.limit != nil ? (query.keys ?? []).filter(\.isExpression) : []
        guard let others = try? written.resultKeys(),
            (try? store.hasOrder(of: values.numbered, beside: others, whole)) == true
        else { return nil }
        var ordered = request
        ordered.sortKeys = zip(values, keys).map { $0.sortKey(like: $1) }
        (ordered.limit, ordered.offset) = (page.limit, page.offset)
        if let last = page.last {
            guard let count = try? store.fetchCount(whole) else { return nil }
            (ordered.limit, ordered.offset) = (last, max(0, count - last))
        }
        return ordered
    }

    // MARK: - Values

    /// The values of `--keys`, if one is an expression. Plain columns are read without this.
    private var values: [ResultKey]? {
        guard readsPlainValues, writesRows, query.distinctKeys == nil, let keys = query.keys,
            keys.contains(where: { $0.evaluator != nil })
        else { return nil }
        return (try? keys.resultKeys())?.numbered
    }

    func values(_ request: PredicateFetchRequest) -> ValueCursor? {
        values.flatMap { (try? store.fetchValues(request, $0)) ?? nil }
    }

    // MARK: - Plans

    /// Returns SQLite's query plan for the groups.
    func groupPlan(_ request: PredicateFetchRequest) -> String? {
        groups.flatMap { try? store.queryPlan(of: $0, request.ofAllObjects) }
    }

    /// Returns SQLite's query plan for the values.
    func valuePlan(_ request: PredicateFetchRequest) -> String? {
        values.flatMap { try? store.queryPlan(of: FormatQuery($0), request) }
    }
}

extension [ResultKey] {
    /// The results under names that no key path can have.
    fileprivate var numbered: [ResultKey] { enumerated().map { ResultKey(".\($0)", $1.content) } }
}

extension PredicateFetchRequest {
    /// The same request without its limit, keys and prefetching, for statements that have results of their own.
    fileprivate var ofAllObjects: PredicateFetchRequest {
        var request = self
        (request.limit, request.keys, request.prefetching) = (nil, nil, [])
        return request
    }
}
