import PredicateEvaluation
import PredicateSyntax

/// The first match for each value of the keys of `--distinct-on`, in the order of `--sort` or else of the input.
/// [NSP-487]
struct FirstMatches {
    /// The values of the keys: `["Rome", 2020]`
    typealias Key = [Part]

    /// A value, which is equal to others of its kind only: `true` is not 1, as in groups.
    struct Part: Hashable {
        private let value: PredicateValue
        private let isBoolean: Bool

        init(_ value: PredicateValue) {
            self.value = value.asKey
            isBoolean = value.kind == .boolean
        }
    }

    private let keys: [OutputValue]
    private let order: SortOrder?
    private var places: [Key: Int] = [:]
    /// With an order, the first match so far for each key, in the order in which the keys came.
    private(set) var entries: [RecordSorter<PreparedRecord>.Entry] = []

    init(_ keys: [OutputValue], _ order: SortOrder?) {
        (self.keys, self.order) = (keys, order)
    }

    /// Returns the key of a record.
    func key(of record: PredicateValue) throws(EvaluationError) -> Key {
        var key: Key = []
        for value in keys { key.append(Part(try value.value(in: record))) }
        return key
    }

    /// The key of a record whose key cannot be computed: nil, as in a column.
    var missingKey: Key { keys.map { _ in Part(.null) } }

    /// Returns true if no match with the key came before. For rows without an order.
    mutating func insert(_ key: Key) -> Bool {
        guard places[key] == nil else { return false }
        places[key] = places.count
        return true
    }

    /// Keeps a match if it is the first with its key so far. For rows with an order; of equal ones the earlier is kept.
    mutating func add(_ match: RecordSorter<PreparedRecord>.Entry, _ key: Key) {
        guard let place = places[key] else {
            places[key] = entries.count
            return entries.append(match)
        }
        if let order, order.compare(match.values, entries[place].values) < 0 { entries[place] = match }
    }
}
