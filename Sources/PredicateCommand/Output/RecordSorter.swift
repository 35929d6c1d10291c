import PredicateSyntax

/// `--sort age,-name`
struct SortOrder {
    let keys: [(key: RecordKey, isDescending: Bool)]

    /// Creates the order of some lists of keys; nil without any.
    init?(_ lists: [String]) throws(CommandFailure) {
        if lists.isEmpty { return nil }
        var keys: [(RecordKey, Bool)] = []
        for name in try RecordKey.names(lists, option: "--sort") {
            let isDescending = name.hasPrefix("-") && name.count > 1
            keys.append((try RecordKey(isDescending ? String(name.dropFirst()) : name), isDescending))
        }
        self.keys = keys
    }
}

/// Keeps records until all are there, and returns them in order; equal ones stay as they came.
///
/// With a limit only about twice as many are held.
struct RecordSorter<Record> {
    private let order: SortOrder
    private let limit: Int?
    private var held: [(values: [PredicateValue], number: Int, record: Record)] = []
    private var count = 0

    init(_ order: SortOrder, limit: Int?) {
        (self.order, self.limit) = (order, limit)
    }

    /// Adds a record with the values of its keys.
    mutating func add(_ record: Record, values: [PredicateValue]) {
        held.append((values, count, record))
        count += 1
        if let limit, held.count >= 2 * max(limit, 500) { prune(to: limit) }
    }

    /// Adds a record, whose values are those of its keys in `value`.
    mutating func add(_ record: Record, _ value: PredicateValue) {
        add(record, values: order.keys.map { $0.key.value(in: value) })
    }

    private mutating func prune(to limit: Int) {
        sort()
        held.removeLast(max(0, held.count - limit))
    }

    private mutating func sort() {
        let order = order
        held.sort { left, right in
            for (index, key) in order.keys.enumerated() {
                let result = ValueOrder.compare(left.values[index], right.values[index])
                if result != 0 { return (result < 0) != key.isDescending }
            }
            return left.number < right.number
        }
    }

    /// Returns all records in order.
    mutating func sorted() -> [Record] {
        sort()
        return held.prefix(limit ?? held.count).map(\.record)
    }
}
