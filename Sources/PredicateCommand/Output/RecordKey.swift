import PredicateData
import PredicateEvaluation
import PredicateSyntax

/// A key path of `--sort`, `--count-by`, `--group-by` and the aggregates: a column, or keys with dots between them.
///
/// `age`, `dept.name`, `scores.@avg.self`; `v1\.0` is one key.
struct RecordKey {
    let name: String
    /// The keys that the path may begin with.
    let roots: [String]
    private let keys: [String]
    /// For paths with operators.
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

    /// Returns the value of a record; nil for missing keys, and an array where the path leads through one.
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

    /// Returns the names of lists such as `name,age`.
    static func names(_ lists: [String], option: String) throws(CommandFailure) -> [String] {
        let names = lists.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
        if names.contains("") {
            throw .usage(UsageError("\(option) takes keys separated by commas", in: .filter))
        }
        return names
    }
}

/// The order of values in `--sort`, `--min` and `--max`: nil, numbers and Booleans, dates, texts by their code points, and
/// anything else by its JSON.
enum ValueOrder {
    /// Returns a negative number, 0 or a positive one.
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

    /// The number of a value; nil for other values.
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
