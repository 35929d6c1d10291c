import PredicateData
import PredicateEvaluation
import PredicateJSON
import PredicateSyntax

/// `--sort age,-name`, `--sort '-price * quantity'`
struct SortOrder {
    let keys: [(value: OutputValue, isDescending: Bool)]
    /// A Boolean value that indicates whether strings are compared without regard to case.
    let ignoresCase: Bool

    /// Creates the order of `--sort`; nil without keys. A key may be the name of one of the written columns.
    init?(
        _ reader: ArgumentReader, _ limits: PredicateLimits, columns: [OutputValue]
    ) throws(CommandFailure) {
        let items = try OutputValue.items(reader.values(of: FilterOption.sort), FilterOption.sort, reader)
        ignoresCase = reader.has(FilterOption.ignoreCase)
        if items.isEmpty {
            if ignoresCase { throw reader.failure("--ignore-case needs --sort KEY,...") }
            return nil
        }
        let lookups = Lookups.names(reader)
        keys = items.map { item in
            let isDescending = item.hasPrefix("-") && item.count > 1
            let text = isDescending ? String(item.dropFirst()) : item
            let column = columns.first { $0.name == text && $0.needsColumn }
            return (column ?? OutputValue(text, limits: limits, lookups: lookups), isDescending)
        }
    }

    private static let endings = [":desc": "-", " desc": "-", ":asc": "", " asc": "", ":d": "-", ":a": ""]

    /// Returns the hint for `age:desc`, a key with the order of other tools; nil for other names.
    static func hint(for name: String, among names: [String]) -> String? {
        for (ending, sign) in endings where name.lowercased().hasSuffix(ending) {
            let key = String(name.dropLast(ending.count))
            if names.contains(key) { return "write --sort \(sign)\(key)" }
        }
        return nil
    }

    /// Returns the values by which a record is sorted.
    func values(of record: PredicateValue) throws(EvaluationError) -> [PredicateValue] {
        var values: [PredicateValue] = []
        for key in keys {
            let value = try key.value.value(in: record)
            if ignoresCase, case .string(let text) = value {
                values.append(.string(text.lowercased()))
            } else {
                values.append(value)
            }
        }
        return values
    }

    /// Returns a negative number, 0 or a positive number.
    func compare(_ left: [PredicateValue], _ right: [PredicateValue]) -> Int {
        for (index, key) in keys.enumerated() {
            let result = ValueOrder.compare(left[index], right[index])
            if result != 0 { return key.isDescending ? -result : result }
        }
        return 0
    }
}

/// Collects records and returns them sorted. The sort is stable.
///
/// With a limit, it holds at most about twice as many records. Without one, it holds at most ``mostBytes``.
struct RecordSorter<Record> {
    private let order: SortOrder
    private let limit: Int?
    private var held: [(values: [PredicateValue], number: Int, record: Record)] = []
    private var count = 0
    private var size = 0
    /// The values of the last record within the limit: a record after it is none of the first. Nil until the limit is
    /// reached.
    private(set) var last: [PredicateValue]?

    /// The bytes of the records that are held, 4 GiB.
    private let mostBytes: Int

    init(_ order: SortOrder, limit: Int?, mostBytes: Int = 4 << 30) {
        (self.order, self.limit, self.mostBytes) = (order, limit, mostBytes)
    }

    /// Adds a record with the values by which it is sorted. `size` is the number of its bytes. Throws if the records
    /// need more memory than the sort may take.
    mutating func add(_ record: Record, values: [PredicateValue], size: Int) throws(CommandFailure) {
        count += 1
        if let last, order.compare(values, last) >= 0 { return }
        held.append((values, count, record))
        if let limit { return held.count / 2 >= max(limit, 500) ? prune(to: limit) : () }
        self.size += size + 64 * (values.count + 1)
        if self.size > mostBytes {
            throw .message(
                "--sort holds the matches in memory, at most \(mostBytes >> 20) MiB of them",
                hints: ["--first N holds only the first N"])
        }
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
    mutating func sorted() -> [Record] {
        sort()
        return held.prefix(limit ?? held.count).map(\.record)
    }
}

/// The beginning of a value in the order of ``ValueOrder``: values with different prefixes have the order of these.
struct OrderPrefix: Comparable {
    private let rank: Int
    /// The number in the order of its bits, or the first 16 bytes of a string.
    private var (high, low): (UInt64, UInt64) = (0, 0)

    init(_ value: PredicateValue) {
        rank = ValueOrder.rank(value)
        switch value {
        case .string(var text):
            (high, low) = text.withUTF8 { (Self.word($0.prefix(8)), Self.word($0.dropFirst(8).prefix(8))) }
        case .date(let date): high = Self.bits(date.timeIntervalSinceReferenceDate)
        default: high = ValueOrder.number(value).map(Self.bits) ?? 0
        }
    }

    private static func word(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> UInt64 {
        var word: UInt64 = 0
        for byte in bytes { word = word << 8 | UInt64(byte) }
        return word << UInt64(8 * (8 - bytes.count))
    }

    /// Returns the bits of a number in its order; NaN, which is after all others, has the greatest.
    private static func bits(_ number: Double) -> UInt64 {
        if number.isNaN { return .max }
        let bits = (number + 0).bitPattern
        return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
    }

    static func < (left: OrderPrefix, right: OrderPrefix) -> Bool {
        if left.rank != right.rank { return left.rank < right.rank }
        return left.high == right.high ? left.low < right.low : left.high < right.high
    }
}

/// The order of values in `--sort`, `--min` and `--max`: nil, numbers and Booleans, dates, strings by code points,
/// and other values by their JSON.
enum ValueOrder {
    /// Returns a negative number, 0 or a positive number.
    static func compare(_ left: PredicateValue, _ right: PredicateValue) -> Int {
        let (leftRank, rightRank) = (rank(left), rank(right))
        if leftRank != rightRank { return leftRank < rightRank ? -1 : 1 }
        switch (left, right) {
        case (.integer(let left), .integer(let right)): return left < right ? -1 : left == right ? 0 : 1
        case (.date(let left), .date(let right)): return left < right ? -1 : left == right ? 0 : 1
        case (.string(let left), .string(let right)): return compare(left, right)
        default: break
        }
        if leftRank == 0 { return 0 }
        if leftRank == 1, let left = number(left), let right = number(right) {
            if left.isNaN || right.isNaN { return left.isNaN == right.isNaN ? 0 : left.isNaN ? 1 : -1 }
            return left < right ? -1 : left == right ? 0 : 1
        }
        return compare(JSONWriter().text(of: left), JSONWriter().text(of: right))
    }

    /// Returns true if the value of a slot surely sorts after a value.
    static func follows(_ slot: FlatValue, _ value: PredicateValue, _ isDescending: Bool) -> Bool {
        let result: Int
        switch (slot, value) {
        case (.list, _), (.opaque, _): return false
        case (.integer(let left), .integer(let right)): result = left < right ? -1 : left == right ? 0 : 1
        case (.double(let left), .double(let right)) where !left.isNaN && !right.isNaN:
            result = left < right ? -1 : left == right ? 0 : 1
        default: result = compare(PredicateValue(flat: slot), value)
        }
        return isDescending ? result < 0 : result > 0
    }

    private static func compare(_ left: String, _ right: String) -> Int {
        if left.utf8.elementsEqual(right.utf8) { return 0 }
        return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
    }

    static func rank(_ value: PredicateValue) -> Int {
        switch value {
        case .null, .nullObject: 0
        case .bool, .integer, .double, .decimal: 1
        case .date: 2
        case .string: 3
        case .data, .uuid, .url, .type, .array, .set, .orderedSet, .dictionary, .object, .expression, .predicate: 4
        }
    }

    /// Returns the value as a number; nil if it is not a number or a Boolean.
    static func number(_ value: PredicateValue) -> Double? {
        switch value {
        case .bool(let value): value ? 1 : 0
        case .integer(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): Double(value.description)
        case .null, .nullObject, .string, .date, .data, .uuid, .url, .type, .array, .set, .orderedSet, .dictionary,
            .object, .expression, .predicate:
            nil
        }
    }
}
