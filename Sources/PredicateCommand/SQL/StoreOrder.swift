import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The order and the page of the rows of a SQLite file that its statement gives: `--sort '-price * quantity' --first 10`
///
/// They are those of memory. Rows that no key distinguishes are in the order of the primary key. [NSP-460]
struct StoreOrder {
    private let sortKeys: [SortKey]
    /// The values that sort, under the names of the sort keys.
    private let values: [ResultKey]
    private let page: RowPage
    /// The numbers of values of the expressions that are written, if not all rows are.
    private let counts: [ResultKey]

    /// Creates the order; nil if the rows have none, if only memory has it, and if equal rows are left out.
    init?(_ query: OutputQuery, of entity: SQLEntity) {
        guard query.grouping == nil, !query.leavesOutMatches, query.sort != nil || query.page.skipsRows else {
            return nil
        }
        let keys = query.sort?.keys ?? []
        guard keys.allSatisfy({ $0.key.options.isEmpty && !$0.key.isNumeric }), let values = keys.map(\.value).numberedResults(in: entity) else {
            return nil
        }
        sortKeys = zip(values, keys).map { SortKey($0.name, ascending: $1.key.ascending) }
        (self.values, page) = (values, query.page)
        let isPart = query.page.skipsRows || query.page.limit != nil
        let written = (query.keys ?? []).filter { $0.evaluator != nil && $0.keyPath == nil && !$0.isHidden(in: entity) }
        counts = isPart ? written.enumerated().compactMap { try? $1.resultKey().count.numbered($0) } : []
    }

    /// A request with its order and page.
    struct Request {
        let request: PredicateFetchRequest
        /// The values that sort, under the names of the sort keys.
        let values: [ResultKey]
    }

    /// Returns a request in the order; nil if only memory has the order, or if an error of a row must be
    /// reported, whether or not the row is on the page.
    func request(_ request: PredicateFetchRequest, _ store: ObjectStore) -> Request? {
        let whole = request.ofAllObjects
        guard (try? store.hasOrder(of: values, whole)) == true, hasNoErrors(store, whole) else { return nil }
        var ordered = request
        (ordered.sortKeys, ordered.limit, ordered.offset) = (sortKeys, page.limit, page.offset)
        if let last = page.last {
            guard let count = try? store.fetchCount(whole) else { return nil }
            (ordered.limit, ordered.offset) = (last, max(0, count - last))
        }
        return Request(request: ordered, values: values)
    }

    /// Returns true if no expression is an error of a row that is not written.
    private func hasNoErrors(_ store: ObjectStore, _ whole: PredicateFetchRequest) -> Bool {
        if counts.isEmpty { return true }
        return (try? store.fetchGroups(whole, counts, by: [])) ?? nil != nil
    }
}

extension ResultKey {
    /// The number of values of an expression.
    fileprivate var count: ResultKey {
        if case .expression(let expression) = content { .aggregate(.count, of: expression, as: name) } else { self }
    }
}
