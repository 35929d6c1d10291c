import PredicateEvaluation
import PredicateQuery
import PredicateSession
import PredicateSyntax

/// `--count-by city`, `--group-by 'city, year(joined) AS year' --sum price --avg 'price * quantity' --having 'count > 3'`
struct Grouping {
    /// An aggregate over the records of a group: `--sum price`, `avg(price) AS mean`
    struct ValueAggregate {
        let function: ResultKey.Aggregate
        let value: OutputValue
        /// The name after AS; without AS, a name such as `sum_price`.
        let name: String

        var isExtreme: Bool { function == .minimum || function == .maximum }
    }

    let keys: [OutputValue]
    let aggregates: [ValueAggregate]
    /// The columns that are written: those of `--keys`, or else all of them.
    let written: [WrittenColumn]
    /// The columns that `--having` and `--sort` may name: one for each place, then the other names that are written.
    let columns: [WrittenColumn]
    /// True for `--count-by`, which puts the largest groups first.
    let isCount: Bool
    /// The condition of `--having` over the columns.
    private let having: Condition?

    private struct Condition {
        let predicate: FormatPredicate
        let context: PredicateContext

        /// Returns the evaluator for columns whose values have some kinds. A string compared with a date is read as a date.
        func evaluator(_ kinds: [String: PredicateValue.Kind]) throws(CommandFailure) -> PredicateEvaluator {
            let predicate = try TextReadings(kinds, in: context.zone).read(predicate)
            do throws(EvaluationError) {
                return try PredicateEvaluator(predicate, context: context)
            } catch {
                throw .evaluation(error)
            }
        }
    }

    /// Creates the grouping that the options describe; nil if none of them is given.
    init?(_ reader: ArgumentReader, _ context: PredicateContext) throws(CommandFailure) {
        let (counts, groups) = (reader.has(FilterOption.countBy), reader.has(FilterOption.groupBy))
        let options = try Self.aggregates(reader, context)
        let items = try OutputValue.items(reader.values(of: FilterOption.keys), FilterOption.keys, reader)
        guard counts || groups || !options.isEmpty || GroupColumn.areCalls(items) else { return nil }
        if counts, groups {
            throw reader.failure("--count-by and --group-by cannot be combined: both name the groups")
        }
        let keys = try OutputValue.all(counts ? FilterOption.countBy : FilterOption.groupBy, reader, context)
        let chosen = try GroupColumn.all(items, reader, context) { text in
            keys.firstIndex { [$0.text, $0.name, $0.spelling].contains(text) }
        }
        (self.keys, isCount) = (keys, counts)
        (aggregates, written) = Self.columns(chosen, keys, options)
        columns = Self.named(written, keys.map(\.name) + ["count"] + aggregates.map(\.name))
        let names = columns.map(\.name)
        having = try reader.value(of: FilterOption.having).map { (format) throws(CommandFailure) in
            try Self.having(format, names, reader)
        }
    }

    /// Returns the aggregates and the written columns: those of the chosen columns, or of all if none are chosen, then one for
    /// each aggregate that an option adds.
    private static func columns(
        _ chosen: [GroupColumn], _ keys: [OutputValue], _ options: [ValueAggregate]
    ) -> ([ValueAggregate], [WrittenColumn]) {
        let all = keys.indices.map { GroupColumn.key($0, name: nil) } + [.count(name: "count")]
        var (aggregates, written): ([ValueAggregate], [WrittenColumn]) = ([], [])
        for column in (chosen.isEmpty ? all : chosen) + options.map(GroupColumn.aggregate) {
            switch column {
            case .key(let place, let name): written.append(.init(name: name ?? keys[place].name, place: place))
            case .count(let name): written.append(.init(name: name, place: keys.count))
            case .aggregate(let aggregate):
                aggregates.append(aggregate)
                written.append(.init(name: aggregate.name, place: keys.count + aggregates.count))
            }
        }
        return (aggregates, written)
    }

    /// Returns a column for each place, then the written columns. If a place's name is also written, the written column wins.
    private static func named(_ written: [WrittenColumn], _ names: [String]) -> [WrittenColumn] {
        let all = names.enumerated().map { WrittenColumn(name: $1, place: $0) } + written
        let places = Dictionary(all.map { ($0.name, $0.place) }) { $1 }
        var seen: Set<String> = []
        return all.filter { seen.insert($0.name).inserted }.map {
            WrittenColumn(name: $0.name, place: places[$0.name] ?? $0.place)
        }
    }

    /// The options of aggregates.
    static let options: [(option: CommandOption, function: ResultKey.Aggregate)] = [
        (FilterOption.sum, .sum), (FilterOption.avg, .average), (FilterOption.min, .minimum),
        (FilterOption.max, .maximum), (FilterOption.median, .median),
    ]

    /// Returns the aggregates that options describe, in the order of the command line.
    static func aggregates(
        _ reader: ArgumentReader, _ context: PredicateContext
    ) throws(CommandFailure) -> [ValueAggregate] {
        var aggregates: [ValueAggregate] = []
        for (name, list) in reader.values(of: options.map(\.option)) {
            guard let (option, function) = options.first(where: { $0.option.name == name }) else { continue }
            aggregates += try OutputValue.items([list], option, reader).map {
                let value = OutputValue($0, context, lookups: Lookups.names(reader))
                let isNamed = value.name != value.text
                return ValueAggregate(
                    function: function, value: value, name: isNamed ? value.name : "\(function.name)_\(value.text)")
            }
        }
        return aggregates
    }

    /// The names of the columns that `--having` and `--sort` may name.
    var columnNames: [String] { columns.map(\.name) }

    /// The values of a record that are needed for grouping and for aggregates.
    var values: [OutputValue] { keys + aggregates.map(\.value) }

    /// The value at each place in a row; nil for the count.
    var sources: [OutputValue?] { keys.map(Optional.some) + [nil] + aggregates.map(\.value) }

    /// The failure for a key that has no single value in a group.
    static func notInGroups(_ text: String, _ reader: ArgumentReader) -> CommandFailure {
        reader.failure(
            "--keys: '\(text)' is neither a key of the groups nor an aggregate",
            hints: ["a group has one value of it if an aggregate chooses it: min(\(text))"])
    }

    // MARK: Rows

    /// Returns an empty collection of groups.
    func collector() -> GroupCollector { GroupCollector(keyCount: keys.count, aggregates.map(\.function)) }

    /// Adds a record. For a value that cannot be computed, nil is added and its error is thrown. [NSP-484]
    func add(_ record: PredicateValue, to groups: GroupCollector) throws(GroupProblem) {
        var values: [PredicateValue] = []
        var failure: EvaluationError?
        for value in self.values {
            do throws(EvaluationError) {
                values.append(try value.value(in: record))
            } catch {
                failure = failure ?? error
                values.append(.null)
            }
        }
        if let index = groups.add(values) {
            throw .notANumber(aggregates[index].value.text, values[keys.count + index])
        }
        if let failure { throw .failed(failure) }
    }

    /// Returns a row for each group, in the order of `--sort`, or else by size or key.
    func rows(of groups: GroupCollector, _ query: OutputQuery) throws(CommandFailure) -> ArraySlice<[PredicateValue]> {
        let places = groups.order(bySize: isCount)
        if query.sort == nil, having == nil { return query.page.rows(places).map(groups.row)[...] }
        return try query.page(of: held(places.map(groups.row)), record)
    }

    // MARK: Having

    private static func having(
        _ format: String, _ columns: [String], _ reader: ArgumentReader
    ) throws(CommandFailure) -> Condition {
        let options = try PredicateOptions(format, reader, takesArguments: false, takesVariables: false)
        let predicate = try options.predicate()
        try checkKeys(of: predicate, format, columns)
        let condition: Condition
        do throws(EvaluationError) {
            let predicate = try ResultNames(columns: columns, keys: []).condition(predicate)
            condition = Condition(predicate: predicate, context: options.context)
        } catch {
            throw .evaluation(error)
        }
        _ = try condition.evaluator([:])
        return condition
    }

    /// Throws for a key that is not a column.
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

    /// The function that is called in `avg(age) > 3`; `max` if there is none.
    private static func called(in format: String, with path: String) -> String {
        let words = format.lowercased().split { !$0.isLetter && $0 != "_" && $0 != "." }.map(String.init)
        let word = words.firstIndex(of: path.lowercased()).flatMap { $0 > 0 ? words[$0 - 1] : nil }
        let names = Self.options.map(\.function.name)
        return word == "average" || word == "mean" ? "avg" : names.first { $0 == word } ?? "max"
    }

    /// `--max age makes the column max_age`, for `max_age`; nil for a name that does not contain an aggregate's name.
    static func aggregate(named name: String) -> String? {
        let functions = Self.options.map(\.function.name)
        guard let function = functions.first(where: { name.hasPrefix($0 + "_") }) else { return nil }
        return aggregate(function, name.dropFirst(function.count + 1))
    }

    private static func aggregate(_ function: String, _ key: some StringProtocol) -> String {
        "--\(function) \(key) makes the column \(function)_\(key)"
    }

    private static func hint(_ columns: [String]) -> String { "their columns are \(columns.joined(separator: ", "))" }

    /// The hint that lists the columns of the groups.
    var columnHint: String { Self.hint(columnNames) }

    /// Returns the page of those rows that satisfy `--having`, in the order of `--sort`, or else by size or key.
    func ordered(_ rows: [[PredicateValue]], _ query: OutputQuery) throws(CommandFailure) -> [[PredicateValue]] {
        let sizes = SortKey("", ascending: !isCount)
        let orders = (isCount ? [ValueOrder(sizes)] : []) + keys.map { _ in ValueOrder(SortKey("")) }
        var sorter = RecordSorter<[PredicateValue]>(orders, limit: nil)
        for row in rows {
            let values = (isCount ? [row[keys.count]] : []) + row.prefix(keys.count)
            sorter.add(row, values: values.map { OrderedValue($0) })
        }
        return Array(try query.page(of: held(sorter.sorted()), record))
    }

    /// Returns the number of records in all groups.
    func count(of rows: [[PredicateValue]]) -> Int {
        rows.reduce(0) { if case .integer(let count) = $1[keys.count] { $0 + Int(count) } else { $0 } }
    }

    /// Returns the rows of those groups that satisfy the condition of `--having`.
    func held(_ rows: [[PredicateValue]]) throws(CommandFailure) -> [[PredicateValue]] {
        guard let evaluator = try having?.evaluator(kinds(of: rows)) else { return rows }
        var held: [[PredicateValue]] = []
        for row in rows where try holds(evaluator, row) { held.append(row) }
        return held
    }

    private func holds(_ condition: PredicateEvaluator, _ row: [PredicateValue]) throws(CommandFailure) -> Bool {
        do throws(EvaluationError) {
            return try condition.holds(.value(record(of: row)))
        } catch {
            throw .evaluation(error)
        }
    }

    /// Returns the kind of each column in which all values except nil have the same kind.
    private func kinds(of rows: [[PredicateValue]]) -> [String: PredicateValue.Kind] {
        var kinds: [String: PredicateValue.Kind] = [:]
        for column in columns {
            let found = Set(rows.lazy.compactMap { $0[column.place].kind }.prefix(1_000))
            if found.count == 1 { kinds[column.name] = found.first }
        }
        return kinds
    }

    /// Returns a row as a record with the names of the columns as its keys.
    func record(of row: [PredicateValue]) -> PredicateValue {
        .dictionary(Dictionary(columns.map { ($0.name, row[$0.place]) }) { first, _ in first })
    }
}

/// A column of groups: its name, and its place among the keys, the count and the aggregates.
struct WrittenColumn {
    let name: String
    let place: Int
}

/// A column that `--keys` chooses from groups: `country, avg(age) AS mean, count()`
enum GroupColumn {
    /// A key of the groups, by its place, and the name after AS.
    case key(Int, name: String?)
    case count(name: String)
    case aggregate(Grouping.ValueAggregate)

    /// Returns true for a list that consists only of aggregates, and so needs no keys of groups.
    static func areCalls(_ items: [String]) -> Bool {
        !items.isEmpty && items.allSatisfy { AggregateCall(OutputList.divided($0).text) != nil }
    }

    /// Returns the columns for the items of a list; `place` finds the place of a group's key.
    static func all(
        _ items: [String], _ reader: ArgumentReader, _ context: PredicateContext, place: (String) -> Int?
    ) throws(CommandFailure) -> [GroupColumn] {
        let lookups = Lookups.names(reader)
        return try items.map { (item) throws(CommandFailure) in
            let (text, name) = OutputList.divided(item)
            guard let call = AggregateCall(text) else {
                guard let place = place(text) else { throw Grouping.notInGroups(text, reader) }
                return .key(place, name: name)
            }
            guard let function = call.aggregate else { return .count(name: name ?? call.name) }
            let value = OutputValue(call.operand, context, lookups: lookups)
            return .aggregate(.init(function: function, value: value, name: name ?? call.name))
        }
    }
}

/// The reason why a record cannot be added to its group.
enum GroupProblem: Error {
    /// An aggregate of numbers found another value.
    case notANumber(String, PredicateValue)
    /// An expression cannot be evaluated.
    case failed(EvaluationError)
}
