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

    /// Creates the order; nil if the rows have none, if only memory has it, and if equal rows are left out.
    init?(_ query: OutputQuery, of entity: SQLEntity) {
        guard query.grouping == nil, !query.isDistinct, query.sort != nil || query.page.skipsRows else { return nil }
        let keys = query.sort?.keys ?? []
        guard query.sort?.ignoresCase != true,
            keys.allSatisfy({ $0.value.evaluator == nil || entity.attributes[$0.value.text] == nil })
        else { return nil }
        var (sortKeys, values): ([SortKey], [ResultKey]) = ([], [])
        for (index, key) in keys.enumerated() {
            // A name that no key path has.
            guard let content = try? key.value.resultKey().content else { return nil }
            values.append(ResultKey(".\(index)", content))
            sortKeys.append(SortKey(".\(index)", ascending: !key.isDescending))
        }
        (self.sortKeys, self.values, page) = (sortKeys, values, query.page)
    }

    /// A request with its order and page.
    struct Request {
        let request: PredicateFetchRequest
        /// The values that sort, under the names of the sort keys.
        let values: [ResultKey]
    }

    /// Returns a request in the order; nil if only memory has the order, or if an error of a row must be
    /// reported.
    func request(_ request: PredicateFetchRequest, _ store: ObjectStore) -> Request? {
        var whole = request
        (whole.limit, whole.keys, whole.prefetching) = (nil, nil, [])
        guard (try? store.hasOrder(of: values, whole)) == true else { return nil }
        var ordered = request
        (ordered.sortKeys, ordered.limit, ordered.offset) = (sortKeys, page.limit, page.offset)
        if let last = page.last {
            guard let count = try? store.fetchCount(whole) else { return nil }
            (ordered.limit, ordered.offset) = (last, max(0, count - last))
        }
        return Request(request: ordered, values: values)
    }
}
