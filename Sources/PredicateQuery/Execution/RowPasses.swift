import PredicateEvaluation
import PredicateSyntax

/// The passes over rows, which are elements or groups: `LIMIT 3 BY city`, DISTINCT, ORDER BY, and the page. [NSP-513]
///
/// A pass gets the numbers of rows and returns some of them, so that values are read only where a pass needs them.
struct RowPasses {
    var firstOfKeys: (limit: Int, keys: [ExpressionEvaluator])?
    /// The values by which rows are equal; nil for all rows.
    var distinct: [ExpressionEvaluator]?
    var order: RowOrder
    var isOrdered: Bool
    var page: FormatQuery.Page
    var settings: QuerySettings

    /// Returns the numbers of the rows that are left, in order.
    func numbers<Row>(
        _ rows: UnsafeBufferPointer<Row>, _ numbers: [Int]
    ) throws(EvaluationError) -> [Int] {
        var numbers = numbers
        if let firstOfKeys {
            let inOrder = try order.sorted(rows, numbers)
            numbers = try kept(inOrder, firstOfKeys.limit, RowReader(rows, firstOfKeys.keys, settings))
            if isOrdered { numbers.sort() }
        }
        if let distinct { numbers = try kept(numbers, 1, RowReader(rows, distinct, settings)) }
        numbers = try order.sorted(rows, numbers, limit: page.end)
        return Array(page.of(numbers))
    }

    /// Returns the first rows of each key.
    private func kept<Row>(_ numbers: [Int], _ limit: Int, _ reader: RowReader<Row>) throws(EvaluationError) -> [Int] {
        var first = FirstOfKeys(limit: limit)
        let isFlat = try reader.forEachFlat(numbers, keyCount: reader.width, likeThoseOf: .fixed) { keys, numbers, _ in
            first.add(numbers, keys)
        } inFull: { (number) throws(EvaluationError) in
            first.add(number, try reader.values(of: number))
        }
        if !isFlat { for number in numbers { first.add(number, try reader.values(of: number)) } }
        return first.numbers
    }
}

/// The first rows of each of some keys, without an order: `LIMIT 3 BY city`, DISTINCT. [NSP-511]
private struct FirstOfKeys {
    let limit: Int
    private(set) var numbers: [Int] = []
    private var places = DifferentKeys()
    private var counts: [Int] = []

    init(limit: Int) { self.limit = limit }

    mutating func add(_ number: Int, _ key: [PredicateValue]) { add(number, places.place(of: key)) }

    /// Adds rows by their keys.
    mutating func add(_ rows: UnsafeBufferPointer<Int>, _ keys: GroupKeys) {
        var places = DifferentKeys.none
        swap(&places, &self.places)
        places.forEachPlace(of: keys) { add(rows[$0], ($1, $2)) }
        swap(&places, &self.places)
    }

    @inline(__always)
    private mutating func add(_ number: Int, _ found: (place: Int, isNew: Bool)) {
        if found.isNew { counts.append(0) }
        if counts[found.place] < limit { numbers.append(number) }
        counts[found.place] += 1
    }
}

extension FormatQuery.Page {
    /// How many rows from the first on are needed; nil for all.
    fileprivate var end: Int? {
        switch self {
        case .first(let limit, let offset):
            limit.map { max($0, 0) }.map {
                let (end, overflow) = $0.addingReportingOverflow(max(offset, 0))
                return overflow ? .max : end
            }
        case .last: nil
        }
    }

    /// Returns the rows of the page.
    fileprivate func of(_ rows: [Int]) -> ArraySlice<Int> {
        switch self {
        case .first(let limit, let offset):
            let rest = rows.dropFirst(max(offset, 0))
            return limit.map { rest.prefix(max($0, 0)) } ?? rest
        case .last(let count): return rows.suffix(max(count, 0))
        }
    }
}
