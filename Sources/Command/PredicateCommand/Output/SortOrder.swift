import PredicateEvaluation
import PredicateQuery
import PredicateSQL
import PredicateSyntax

/// `--sort age,-name`, `--sort '-price * quantity'`
struct SortOrder {
    var values: [OutputValue]
    /// The direction and the options of each value.
    let keys: [SortKey]
    /// The order of the values of each key.
    let orders: [ValueOrder]

    /// Creates the order of `--sort`; nil if no keys are given. A key may be the name of a written column.
    init?(
        _ option: CommandOption, _ reader: ArgumentReader, _ context: PredicateContext, columns: [OutputValue] = []
    ) throws(CommandFailure) {
        let items = try OutputValue.items(reader.values(of: option), option, reader)
        let (ignoresCase, isNumeric) = (reader.has(FilterOption.ignoreCase), reader.has(FilterOption.numeric))
        if items.isEmpty {
            if let other = [FilterOption.ignoreCase, FilterOption.numeric].first(where: reader.has) {
                throw reader.failure("--\(other.name) needs --sort KEY,...")
            }
            return nil
        }
        if let item = items.first(where: { $0.hasPrefix("+") }) {
            throw reader.failure(
                "--\(option.name) takes KEY or -KEY, found '\(item)'",
                hints: ["write --\(option.name) \(item.dropFirst())"])
        }
        let lookups = Lookups.names(reader)
        let found = items.map { item in
            let isDescending = item.hasPrefix("-") && item.count > 1
            let text = isDescending ? String(item.dropFirst()) : item
            let column = columns.first { $0.name == text && $0.needsColumn }
            let key = SortKey(
                text, ascending: !isDescending, options: ignoresCase ? .caseInsensitive : [], isNumeric: isNumeric)
            return (column ?? OutputValue(text, context, lookups: lookups), key)
        }
        (values, keys) = (found.map(\.0), found.map(\.1))
        orders = keys.map { ValueOrder($0) }
    }

    /// Returns the order of the objects of an entity.
    func of(_ entity: SQLEntity) -> SortOrder {
        var order = self
        order.values = values.of(entity)
        return order
    }

    private static let endings = [":desc": "-", " desc": "-", ":asc": "", " asc": "", ":d": "-", ":a": ""]

    /// Returns the hint for `age:desc`, a sort key as other tools write it; nil for other names.
    static func hint(for name: String, among names: [String]) -> String? {
        for (ending, sign) in endings where name.lowercased().hasSuffix(ending) {
            let key = String(name.dropLast(ending.count))
            if names.contains(key) { return "write --sort \(sign)\(key)" }
        }
        return nil
    }

    /// Returns the keys for rows that have only these columns.
    func keys(among columns: [String]) -> [SortKey] {
        zip(values, keys).map { value, key in
            var named = key
            if let column = value.column(in: columns) {
                named.keyPath = columns[column]
                return named
            }
            return value.evaluator.map { key.of($0.expression) } ?? key
        }
    }
}

// MARK: - Sorting

extension RecordSorter {
    /// Adds a match, whose values have been added before.
    func take(_ match: [UInt8]) throws(CommandFailure) {
        do throws(SpillError) { try add(match) } catch { throw CommandFailure(error) }
    }

    /// Passes all matches to a closure, in order.
    func passOn(_ body: (UnsafeBufferPointer<UInt8>) throws(CommandFailure) -> Void) throws(CommandFailure) {
        try forEach(body, failing: CommandFailure.init)
    }
}

extension CommandFailure {
    fileprivate init(_ error: SpillError) {
        self = .message(
            "--sort needs a temporary file in \(error.directory): \(error.reason)",
            hints: ["TMPDIR names another directory, and --first N sorts in memory"])
    }
}
