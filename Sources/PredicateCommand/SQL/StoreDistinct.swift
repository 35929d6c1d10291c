import PredicateEvaluation
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The different rows of a SQLite file that one statement selects: `--distinct -k 'city, year(at) AS year'`
///
/// They are those of memory, in the order of their first objects by primary key. [NSP-461]
struct StoreDistinct {
    private let keys: [OutputValue]
    private let values: [ResultKey]
    private let sort: SortOrder?
    private let page: RowPage

    /// Creates the rows; nil for rows of all columns, for rounded numbers, and for an order by other values.
    init?(_ query: OutputQuery, of entity: SQLEntity) {
        guard query.isDistinct, let keys = query.keys, query.style.digits == nil else { return nil }
        guard keys.allSatisfy({ $0.evaluator == nil || entity.attributes[$0.text] == nil }) else { return nil }
        let names = Set(keys.map(\.spelling))
        guard query.sort?.keys.allSatisfy({ names.contains($0.value.spelling) }) ?? true else { return nil }
        var values: [ResultKey] = []
        for key in keys {
            guard let content = try? key.resultKey().content else { return nil }
            // A name that no key path has.
            values.append(ResultKey(".\(values.count)", content))
        }
        (self.keys, self.values, sort, page) = (keys, values, query.sort, query.page)
    }

    /// The rows of the page, and the number of all rows.
    typealias Found = (rows: [[PredicateValue]], count: Int)

    /// Returns the rows in order; nil if SQL cannot select them, or if an error of a row must be reported.
    func rows(_ store: ObjectStore, _ request: PredicateFetchRequest) throws(CommandFailure) -> Found? {
        var whole = request
        (whole.limit, whole.keys, whole.prefetching) = (nil, nil, [])
        guard let found = try? store.fetchDistinct(whole, values), !found.joined().contains(where: Self.isRepaired)
        else {
            return nil
        }
        let rows = found.map { (key: OrderKey($0.last ?? .null), values: Array($0.dropLast())) }
            .sorted { $0.key.compare($1.key) < 0 }.map(\.values)
        guard let sort else { return (Array(page.rows(rows)), rows.count) }
        var sorter = RecordSorter<[PredicateValue]>(sort, limit: page.end)
        for row in rows { sorter.add(row, values: try sortValues(of: row, sort)) }
        return (Array(page.rows(sorter.sorted())), rows.count)
    }

    /// True for a string that may not be UTF-8 in the file: it is written like others that SQLite distinguishes from it.
    private static func isRepaired(_ value: PredicateValue) -> Bool {
        if case .string(let text) = value { text.unicodeScalars.contains("\u{FFFD}") } else { false }
    }

    private func sortValues(of row: [PredicateValue], _ sort: SortOrder) throws(CommandFailure) -> [OrderKey] {
        do throws(EvaluationError) {
            return try sort.values(of: .dictionary(Dictionary(zip(keys.map(\.spelling), row)) { $1 }))
        } catch {
            throw .evaluation(error)
        }
    }
}
