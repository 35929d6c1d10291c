import PredicateEvaluation
import PredicateSession
import PredicateSyntax

/// `--count-by city`, `--group-by 'city, year(joined) AS year' --sum price --avg 'price * quantity' --having 'count > 3'`
struct Grouping {
    /// An aggregate over the records of a group: `--sum price`
    struct ValueAggregate {
        enum Function: String, CaseIterable {
            case sum, avg, min, max, median
        }

        let function: Function
        let value: OutputValue

        var isExtreme: Bool { function == .min || function == .max }

        /// The name after AS, or else `sum_price`.
        var name: String { value.name == value.text ? "\(function.rawValue)_\(value.text)" : value.name }
    }

    let keys: [OutputValue]
    let aggregates: [ValueAggregate]
    /// True for `--count-by`, which puts the largest groups first.
    let isCount: Bool
    /// The condition of `--having` over the columns.
    private let having: Condition?

    private struct Condition {
        let predicate: FormatPredicate
        let context: PredicateContext

        /// Returns the evaluator for columns with values of some kinds. A string beside a date is read as a date.
        func evaluator(_ kinds: [String: PredicateValue.Kind]) throws(CommandFailure) -> PredicateEvaluator {
            let predicate = try TextReadings(kinds, in: context.zone).read(predicate)
            do throws(EvaluationError) {
                return try PredicateEvaluator(predicate, context: context)
            } catch {
                throw .evaluation(error)
            }
        }
    }

    /// Creates the groups of the options; nil without one of them.
    init?(_ reader: ArgumentReader, _ context: PredicateContext) throws(CommandFailure) {
        let (counts, groups) = (reader.has(FilterOption.countBy), reader.has(FilterOption.groupBy))
        aggregates = try Self.aggregates(reader, context)
        guard counts || groups || !aggregates.isEmpty else { return nil }
        if counts, groups {
            throw reader.failure("--count-by and --group-by cannot be combined: both name the groups")
        }
        keys = try OutputValue.all(counts ? FilterOption.countBy : FilterOption.groupBy, reader, context)
        isCount = counts
        let columns = Self.columns(keys, aggregates)
        having = try reader.value(of: FilterOption.having).map { (format) throws(CommandFailure) in
            try Self.having(format, columns, reader)
        }
    }

    /// The options of aggregates.
    static let options: [(option: CommandOption, function: ValueAggregate.Function)] = [
        (FilterOption.sum, .sum), (FilterOption.avg, .avg), (FilterOption.min, .min), (FilterOption.max, .max),
        (FilterOption.median, .median),
    ]

    /// Returns the aggregates in the order of the command line.
    static func aggregates(
        _ reader: ArgumentReader, _ context: PredicateContext
    ) throws(CommandFailure) -> [ValueAggregate] {
        var aggregates: [ValueAggregate] = []
        for (name, list) in reader.values(of: options.map(\.option)) {
            guard let (option, function) = options.first(where: { $0.option.name == name }) else { continue }
            aggregates += try OutputValue.items([list], option, reader).map {
                let value = OutputValue($0, context, lookups: Lookups.names(reader))
                return ValueAggregate(function: function, value: value)
            }
        }
        return aggregates
    }

    private static func columns(_ keys: [OutputValue], _ aggregates: [ValueAggregate]) -> [String] {
        keys.map(\.name) + ["count"] + aggregates.map(\.name)
    }

    /// The names of the columns that are written.
    var columns: [String] { Self.columns(keys, aggregates) }

    /// The values of records that group and are aggregated.
    var values: [OutputValue] { keys + aggregates.map(\.value) }

    /// The value of each column; nil for the count.
    var sources: [OutputValue?] { keys.map(Optional.some) + [nil] + aggregates.map(\.value) }

    // MARK: Having

    private static func having(
        _ format: String, _ columns: [String], _ reader: ArgumentReader
    ) throws(CommandFailure) -> Condition {
        let options = try PredicateOptions(format, reader, takesArguments: false, takesVariables: false)
        let predicate = try options.predicate()
        try checkKeys(of: predicate, format, columns)
        var joining = ColumnKeys(columns: columns)
        let node = joining.predicate(predicate.node)
        let condition = Condition(predicate: predicate.replacingTree(node), context: options.context)
        _ = try condition.evaluator([:])
        return condition
    }

    /// Throws for a key that is no column.
    private static func checkKeys(
        of predicate: FormatPredicate, _ format: String, _ columns: [String]
    ) throws(CommandFailure) {
        let paths = RecordPaths.paths(of: predicate.node).map { $0.joined(separator: ".") }.sorted()
        for path in paths where !columns.contains(where: { path == $0 || path.hasPrefix($0 + ".") }) {
            if let column = columns.first(where: { $0.hasSuffix("_" + path) }) {
                throw .message("--having: the groups have no column '\(path)'", hints: ["write \(column)"])
            }
            let suggestions = UsageError.suggestions(for: path, among: columns)
            throw .message(
                "--having: the groups have no column '\(path)'",
                hints: suggestions.isEmpty
                    ? [hint(columns), aggregate(named: path) ?? aggregate(called(in: format, with: path), path)]
                    : suggestions)
        }
    }

    /// The function in `avg(age) > 3`; `max` without one.
    private static func called(in format: String, with path: String) -> String {
        let words = format.lowercased().split { !$0.isLetter && $0 != "_" && $0 != "." }.map(String.init)
        let word = words.firstIndex(of: path.lowercased()).flatMap { $0 > 0 ? words[$0 - 1] : nil }
        let names = ValueAggregate.Function.allCases.map(\.rawValue)
        return word == "average" || word == "mean" ? "avg" : names.first { $0 == word } ?? "max"
    }

    /// `--max age makes the column max_age`, for `max_age`; nil for a name without the name of an aggregate.
    static func aggregate(named name: String) -> String? {
        let functions = ValueAggregate.Function.allCases.map(\.rawValue)
        guard let function = functions.first(where: { name.hasPrefix($0 + "_") }) else { return nil }
        return aggregate(function, name.dropFirst(function.count + 1))
    }

    private static func aggregate(_ function: String, _ key: some StringProtocol) -> String {
        "--\(function) \(key) makes the column \(function)_\(key)"
    }

    private static func hint(_ columns: [String]) -> String { "their columns are \(columns.joined(separator: ", "))" }

    /// The hint that lists the columns of the groups.
    var columnHint: String { Self.hint(columns) }

    /// A Boolean value that indicates whether `--having` leaves groups out.
    var hasCondition: Bool { having != nil }

    /// Returns the rows of the groups for which the condition of `--having` holds.
    func written(_ rows: [[PredicateValue]]) throws(CommandFailure) -> [[PredicateValue]] {
        guard let evaluator = try having?.evaluator(kinds(of: rows)) else { return rows }
        var held: [[PredicateValue]] = []
        for row in rows where try holds(evaluator, row) { held.append(row) }
        return held
    }

    private func holds(_ condition: PredicateEvaluator, _ row: [PredicateValue]) throws(CommandFailure) -> Bool {
        do throws(EvaluationError) {
            return try condition.evaluate(.value(record(of: row)))
        } catch {
            if error.isAboutNil { return false }
            throw .evaluation(error)
        }
    }

    /// Returns the kinds of the values in each column, of those in which all values that are not nil have one kind.
    private func kinds(of rows: [[PredicateValue]]) -> [String: PredicateValue.Kind] {
        var kinds: [String: PredicateValue.Kind] = [:]
        for (index, column) in columns.enumerated() {
            let found = Set(rows.lazy.compactMap { $0[index].kind }.prefix(1_000))
            if found.count == 1 { kinds[column] = found.first }
        }
        return kinds
    }

    /// Returns a row as a record, whose keys are the names of the columns.
    func record(of row: [PredicateValue]) -> PredicateValue { .dictionary(Dictionary(zip(columns, row)) { $1 }) }
}

/// Joins the keys of a path that are the name of a column: `sum_dept.size` is one key.
private struct ColumnKeys: TreeMapping {
    let columns: [String]

    mutating func predicate(_ node: PredicateNode) -> PredicateNode { mappingChildren(of: node) }

    mutating func expression(_ node: ExpressionNode) -> ExpressionNode {
        guard case .keyPath(let path) = node, path.base == nil else { return mappingChildren(of: node) }
        let keys = path.components.prefix { if case .key = $0 { true } else { false } }
        for count in stride(from: keys.count, to: 1, by: -1) {
            let name = keys.prefix(count).map { if case .key(let key) = $0 { key } else { "" } }.joined(separator: ".")
            guard columns.contains(name) else { continue }
            return .keyPath(KeyPathExpression([.key(name)] + path.components.dropFirst(count)))
        }
        return node
    }
}

/// Why a record cannot be added to its group.
enum GroupProblem: Error {
    /// An aggregate of numbers found another value.
    case notANumber(String, PredicateValue)
    /// An expression cannot be evaluated.
    case failed(EvaluationError)
}
