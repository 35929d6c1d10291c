import PredicateData
import PredicateEvaluation
import PredicateJSON
import PredicateSyntax

/// `--sort age,-name`
struct SortOrder {
    let keys: [(key: RecordKey, isDescending: Bool)]

    /// Creates the order from the keys of `--sort`; nil if there are none.
    init?(_ names: [String]) throws(CommandFailure) {
        if names.isEmpty { return nil }
        var keys: [(RecordKey, Bool)] = []
        for name in names {
            let isDescending = name.hasPrefix("-") && name.count > 1
            keys.append((try RecordKey(isDescending ? String(name.dropFirst()) : name), isDescending))
        }
        self.keys = keys
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
}

/// Collects records and returns them sorted. The sort is stable.
///
/// With a limit, it holds at most about twice as many records.
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

    /// Adds a record. Its sort values are taken from `value`.
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

    /// Returns the records in order.
    mutating func sorted() -> [Record] {
        sort()
        return held.prefix(limit ?? held.count).map(\.record)
    }
}

/// A key path of `--sort`, `--count-by`, `--group-by` or an aggregate: a column, or keys separated by dots.
///
/// `age`, `dept.name`, `scores.@avg.self`; `v1\.0` is one key.
struct RecordKey: ComputedMember {
    let name: String
    /// The root keys to read from records: the whole name, in case a column has it, and the first key.
    let roots: [String]
    private let keys: [String]
    /// Evaluates key paths with collection operators.
    private let evaluator: ExpressionEvaluator?

    init(_ name: String) throws(CommandFailure) {
        self.name = name
        keys = RecordsPath.keys(name)
        roots = [name, keys.first ?? name]
        guard keys.contains(where: { $0.hasPrefix("@") }) else {
            evaluator = nil
            return
        }
        do throws(EvaluationError) {
            let path = KeyPathExpression(keys.map { .key($0) })
            evaluator = try ExpressionEvaluator(FormatExpression(.keyPath(path)))
        } catch {
            throw .evaluation(error)
        }
    }

    /// Returns true if the key is one of these columns, or begins with one of them and computes a value of it.
    func isColumn(of columns: [String]) -> Bool {
        if columns.contains(name) { return true }
        guard let first = keys.first, columns.contains(first) else { return false }
        return keys.count == 1 || evaluator != nil
    }

    /// True if the key has a collection operator: `tags.@count`
    var isComputed: Bool { evaluator != nil }

    /// Appends the JSON of the value in a JSON record: copied from it, or computed; `null` for nil. Returns false for
    /// a missing key and for a computed value that is nil, and nil for a key of the elements of empty arrays.
    func append(from record: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) throws(DataError) -> Bool? {
        do throws(JSONError) {
            guard isComputed else { return try JSONScanner.append(keys, in: record, to: &bytes) }
            let value = value(in: try JSONReader.parse(record))
            JSONWriter().write(value, to: &bytes)
            return value != .null
        } catch {
            throw DataError(error)
        }
    }

    /// Returns the value in a record: nil for missing keys, and an array if an array is on the path.
    func value(in record: PredicateValue) -> PredicateValue {
        if case .dictionary(let members) = record, let value = members[name] { return value }
        guard let evaluator else { return Self.value(of: keys[...], in: record) }
        return (try? evaluator.value(.value(record)))?.predicateValue ?? .null
    }

    private static func value(of keys: ArraySlice<String>, in value: PredicateValue) -> PredicateValue {
        guard let key = keys.first else { return value }
        switch value {
        case .dictionary(let members):
            return members[key].map { self.value(of: keys.dropFirst(), in: $0) } ?? .null
        case .array(let elements):
            return .array(elements.map { self.value(of: keys, in: $0) })
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type, .set,
            .orderedSet, .object, .expression, .predicate:
            return .null
        }
    }

    static func all(_ names: [String]) throws(CommandFailure) -> [RecordKey] {
        var keys: [RecordKey] = []
        for name in names { keys.append(try RecordKey(name)) }
        return keys
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

    private static func compare(_ left: String, _ right: String) -> Int {
        if left.utf8.elementsEqual(right.utf8) { return 0 }
        return left.utf8.lexicographicallyPrecedes(right.utf8) ? -1 : 1
    }

    private static func rank(_ value: PredicateValue) -> Int {
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
