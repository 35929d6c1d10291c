import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The values of rows that the statement of a SQLite file computes: `-k 'name, price * quantity AS total'`
///
/// They are those of memory, which computes the values of a row for which an expression may be an error. [NSP-463]
struct StoreValues {
    private let values: [ResultKey]

    /// Creates the values; nil for whole rows and for columns alone, which are read as they are, if an attribute is
    /// spelled like an expression, and with `--distinct-on`, whose keys are not among the values.
    init?(_ query: OutputQuery, of entity: SQLEntity) {
        guard query.distinctKeys == nil, let keys = query.keys, keys.contains(where: { $0.evaluator != nil }),
            let values = keys.numberedResults(in: entity, from: query.sort?.keys.count ?? 0)
        else { return nil }
        self.values = values
    }

    /// Returns the values of the rows of a request; nil if SQL cannot compute them.
    func rows(_ store: ObjectStore, _ ordered: StoreOrder.Request) -> ValueCursor? {
        (try? store.fetchValues(ordered.request, values, ordering: ordered.values)) ?? nil
    }

    /// Returns SQLite's query plan; nil if SQL cannot compute the values.
    func plan(_ store: ObjectStore, _ ordered: StoreOrder.Request) -> String? {
        try? store.queryPlan(of: ordered.request, values: values, ordering: ordered.values)
    }
}
