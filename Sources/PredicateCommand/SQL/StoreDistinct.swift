import PredicateEvaluation
import PredicateQuery
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The different rows of a SQLite file that one statement selects: `--distinct -k 'city, year(at) AS year'`
///
/// They are those of memory, in the order of their first objects by primary key. [NSP-461]
struct StoreDistinct {
    private let keys: [OutputValue]
    private let values: [ResultKey]
    private let query: OutputQuery

    /// Creates the rows; nil for rows of all columns, for rounded numbers, and for an order by other values.
    init?(_ query: OutputQuery, of entity: SQLEntity) {
        guard query.isDistinct, let keys = query.keys, query.style.digits == nil else { return nil }
        guard let values = keys.numberedResults(in: entity) else { return nil }
        let names = Set(keys.map(\.spelling))
        guard query.sort?.keys.allSatisfy({ names.contains($0.value.spelling) }) ?? true else { return nil }
        (self.keys, self.values, self.query) = (keys, values, query)
    }

    /// The rows of the page, and the number of all rows.
    typealias Found = (rows: [[PredicateValue]], count: Int)

    /// Returns the rows in order; nil if SQL cannot select them, or if an error of a row must be reported.
    func rows(_ store: ObjectStore, _ request: PredicateFetchRequest) throws(CommandFailure) -> Found? {
        guard let found = try? store.fetchDistinct(request.ofAllObjects, values),
            !found.joined().contains(where: Self.isRepaired)
        else { return nil }
        let rows = found.map { (key: OrderedValue($0.last ?? .null), values: Array($0.dropLast())) }
            .sorted { $0.key.compare($1.key) < 0 }.map(\.values)
        let page = try query.page(of: rows) { .dictionary(Dictionary(zip(keys.map(\.spelling), $0)) { $1 }) }
        return (Array(page), rows.count)
    }

    /// True for a string that may not be UTF-8 in the file: it is written like others that SQLite distinguishes from it.
    private static func isRepaired(_ value: PredicateValue) -> Bool {
        if case .string(let text) = value { text.unicodeScalars.contains("\u{FFFD}") } else { false }
    }
}
