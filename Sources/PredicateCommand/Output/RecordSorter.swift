import PredicateSyntax

/// Collects records and returns them sorted. The sort is stable.
///
/// With a limit, it holds at most about twice as many records.
struct RecordSorter<Record> {
    /// A record with the values by which it is sorted, and its number.
    typealias Entry = (values: [OrderKey], number: Int, record: Record)

    private let order: SortOrder
    private let limit: Int?
    private var held: [Entry] = []
    private var count = 0
    /// The values of the last record within the limit: a record after it is none of the first. Nil until the limit is
    /// reached.
    private(set) var last: [OrderKey]?

    init(_ order: SortOrder, limit: Int?) {
        (self.order, self.limit) = (order, limit)
    }

    /// Adds a record with the values by which it is sorted.
    mutating func add(_ record: Record, values: [OrderKey]) {
        count += 1
        if let last, order.compare(values, last) >= 0 { return }
        held.append((values, count, record))
        if let limit, held.count / 2 >= max(limit, 500) { prune(to: limit) }
    }

    private mutating func prune(to limit: Int) {
        sort()
        held.removeLast(max(0, held.count - limit))
        last = held.last?.values
    }

    private mutating func sort() {
        let order = order
        held.sort { left, right in
            let result = order.compare(left.values, right.values)
            return result == 0 ? left.number < right.number : result < 0
        }
    }

    /// Returns the records in order.
    mutating func sorted() -> [Record] { removeAll().map(\.record) }

    /// Returns the records in order, with their values, and holds none any more.
    mutating func removeAll() -> [Entry] {
        sort()
        defer { held = [] }
        return Array(held.prefix(limit ?? held.count))
    }
}

/// Sorts matches: in memory up to ``mostBytes``, and beyond that in a temporary file.
final class MatchSorter {
    private let order: SortOrder
    private let limit: Int?
    private let mostBytes: Int
    private var held: RecordSorter<PreparedRecord>
    /// About the number of bytes that are held.
    private var size = 0
    private var runs: SortRuns?

    init(_ order: SortOrder, limit: Int?, mostBytes: Int = 1 << 30) {
        (self.order, self.limit, self.mostBytes) = (order, limit, mostBytes)
        held = RecordSorter(order, limit: limit)
    }

    /// The values of the last of the first matches; nil until there are so many.
    var last: [OrderKey]? { held.last }

    /// Adds a match with the values by which it is sorted. Throws if the temporary file cannot be written.
    func add(_ match: PreparedRecord, values: [OrderKey]) throws(CommandFailure) {
        held.add(match, values: values)
        if limit != nil { return }
        size += match.size + values.reduce(64) { $0 + $1.size }
        if size > mostBytes { try spill() }
    }

    private func spill() throws(CommandFailure) {
        let runs = if let runs { runs } else { try SortRuns() }
        self.runs = runs
        try runs.append(held.removeAll())
        size = 0
    }

    /// Passes on all matches in order.
    func forEach(_ body: (PreparedRecord) throws(CommandFailure) -> Void) throws(CommandFailure) {
        guard let runs else {
            for match in held.sorted() { try body(match) }
            return
        }
        try spill()
        try runs.merge(order, body)
    }
}

extension OrderKey {
    /// About the number of bytes that the value takes in memory.
    fileprivate var size: Int {
        switch self {
        case .null, .integer, .number, .date: 24
        case .text(let text), .json(let text): 24 + text.utf8.count
        }
    }
}
