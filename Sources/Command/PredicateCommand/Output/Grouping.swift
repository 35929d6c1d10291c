import PredicateEvaluation
import PredicateQuery
import PredicateSQL
import PredicateSession
import PredicateSyntax

/// `--count-by city`, `--group-by 'city, year(joined) AS year' --sum price --avg 'price * quantity' --having 'count > 3'`
struct Grouping {
    /// An aggregate over the records of a group: `--sum price`, `avg(price) AS mean`
    struct ValueAggregate {
        let function: ResultKey.Aggregate
        var value: OutputValue
        /// The name after AS; without AS, a name such as `sum_price`.
        let name: String

        var isExtreme: Bool { function == .minimum || function == .maximum }
    }

    private(set) var keys: [OutputValue]
    private(set) var aggregates: [ValueAggregate] = []
    /// The columns that are written: those of `--keys`, or else all of them, then one for each aggregate that an option adds.
    private(set) var written: [GroupColumn] = []
    /// The columns that `--having` and `--sort` may name: one for each place, then the other names that are written.
    private(set) var columns: [GroupColumn] = []
    /// True for `--count-by`, which puts the largest groups first.
    let isCount: Bool
    /// The condition of `--having` over the columns.
    private var having: FormatPredicate?

    /// Creates the grouping that the options describe, without `--having`; nil if none of them is given.
    init?(_ reader: ArgumentReader, _ context: PredicateContext) throws(CommandFailure) {
        isCount = reader.has(FilterOption.countBy)
        let options = try Self.aggregates(reader, context)
        let items = try OutputValue.items(reader.values(of: FilterOption.keys), FilterOption.keys, reader)
        let areCalls = !items.isEmpty && items.allSatisfy { AggregateCall(OutputList.divided($0).text) != nil }
        guard isCount || reader.has(FilterOption.groupBy) || !options.isEmpty || areCalls else { return nil }
        if isCount, reader.has(FilterOption.groupBy) {
            throw reader.failure("--count-by and --group-by cannot be combined: both name the groups")
        }
        keys = try OutputValue.all(isCount ? FilterOption.countBy : FilterOption.groupBy, reader, context)
        for item in items { try choose(item, reader, context) }
        if items.isEmpty {
            written = (keys.map(\.name) + ["count"]).enumerated().map { GroupColumn(name: $1, place: $0) }
        }
        for aggregate in options { write(aggregate) }
        columns = named(keys.map(\.name) + ["count"] + aggregates.map(\.name))
    }

    /// Adds a column of `--keys`: a key of the groups or a call of an aggregate.
    private mutating func choose(
        _ item: String, _ reader: ArgumentReader, _ context: PredicateContext
    ) throws(CommandFailure) {
        let (text, name) = OutputList.divided(item)
        if let call = AggregateCall(text), let function = call.aggregate {
            let value = OutputValue(call.operand, context, lookups: Lookups.names(reader))
            write(ValueAggregate(function: function, value: value, name: name ?? call.name))
        } else if let call = AggregateCall(text) {
            written.append(GroupColumn(name: name ?? call.name, place: keys.count))
        } else if let place = keys.firstIndex(where: { [$0.text, $0.name, $0.spelling].contains(text) }) {
            written.append(GroupColumn(name: name ?? keys[place].name, place: place))
        } else {
            throw reader.failure(
                "--keys: '\(text)' is neither a key of the groups nor an aggregate",
                hints: ["a group has one value of it if an aggregate chooses it: min(\(text))"])
        }
    }

    private mutating func write(_ aggregate: ValueAggregate) {
        aggregates.append(aggregate)
        written.append(GroupColumn(name: aggregate.name, place: keys.count + aggregates.count))
    }

    /// Returns a column for each place, then the written columns. If a place's name is also written, the written column wins.
    private func named(_ names: [String]) -> [GroupColumn] {
        let all = names.enumerated().map { GroupColumn(name: $1, place: $0) } + written
        let places = Dictionary(all.map { ($0.name, $0.place) }) { $1 }
        var seen: Set<String> = []
        return all.filter { seen.insert($0.name).inserted }.map {
            GroupColumn(name: $0.name, place: places[$0.name] ?? $0.place)
        }
    }

    /// The options of aggregates.
    static let options: [(option: CommandOption, function: ResultKey.Aggregate)] = [
        (FilterOption.sum, .sum), (FilterOption.avg, .average), (FilterOption.min, .minimum),
        (FilterOption.max, .maximum), (FilterOption.median, .median),
    ]

    /// Returns the aggregates that options describe, in the order of the command line.
    private static func aggregates(
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

    /// Returns the grouping of the objects of an entity.
    func of(_ entity: SQLEntity) -> Grouping {
        var grouping = self
        grouping.keys = keys.of(entity)
        let values = aggregates.map(\.value).of(entity)
        for index in aggregates.indices { grouping.aggregates[index].value = values[index] }
        return grouping
    }

    /// Returns the value at each place as a result of a statement: the keys, the number of rows, and the aggregates.
    func resultKeys() throws(CommandFailure) -> [ResultKey] {
        let values = try aggregates.map(\.value).resultKeys()
        let results = zip(aggregates, values).map { ResultKey($0.name, $1.content).aggregated($0.function) }
        return try keys.resultKeys() + [.count(as: "count")] + results
    }

    /// The values of a record that are needed for grouping and for aggregates.
    var values: [OutputValue] { keys + aggregates.map(\.value) }

    // MARK: Rows

    /// Returns an empty collection of groups.
    func collector() -> GroupCollector { GroupCollector(keyCount: keys.count, aggregates.map(\.function)) }

    /// Adds a match. For a value that cannot be computed, nil is added and its error is thrown. [NSP-484]
    func add(_ match: some FoundMatch, to groups: GroupCollector) throws(GroupProblem) {
        let (values, failure) = values.values(of: match)
        if let index = groups.add(values) {
            throw .notANumber(aggregates[index].value.text, values[keys.count + index])
        }
        if let failure { throw .failed(failure) }
    }

    /// Returns the page of those groups for which `--having` holds, in the order of `--sort`, or else by size or key.
    func rows(of groups: GroupCollector, _ query: OutputQuery) throws(CommandFailure) -> [[PredicateValue]] {
        let groups = groups.groups
        let places = groups.order(bySize: isCount)
        if query.sort == nil, having == nil { return query.page.rows(places).map(groups.row) }
        return try selected(places.map(groups.row), query)
    }

    /// Returns the same for the rows of groups in any order.
    func ordered(_ rows: [[PredicateValue]], _ query: OutputQuery) throws(CommandFailure) -> [[PredicateValue]] {
        let places = GroupOrder.places(sizes(of: rows), bySize: isCount) { rows[$0].prefix(keys.count) }
        return try selected(places.map { rows[$0] }, query)
    }

    /// Returns the number of records in each group.
    func sizes(of rows: [[PredicateValue]]) -> [Int] {
        rows.map { if case .integer(let count) = $0[keys.count] { Int(count) } else { 0 } }
    }

    /// Returns the rows that `--having`, `--sort` and the page select. A string that `--having` compares with a date is read as a
    /// date.
    private func selected(
        _ rows: [[PredicateValue]], _ query: OutputQuery
    ) throws(CommandFailure) -> [[PredicateValue]] {
        let condition = try having.map { (having) throws(CommandFailure) in
            try TextReadings(kinds(of: rows), in: query.context.zone).read(having)
        }
        let results = QueryResults(
            columns: columnNames, rows: rows.map { row in columns.map { row[$0.place] } })
        return try query.indices(of: results, having: condition).map { rows[$0] }
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

    // MARK: Having

    /// Reads the condition of `--having`.
    mutating func readHaving(_ reader: ArgumentReader) throws(CommandFailure) {
        guard let format = reader.value(of: FilterOption.having) else { return }
        let options = try PredicateOptions(format, reader, takesArguments: false, takesVariables: false)
        let predicate = try options.predicate()
        try checkKeys(of: predicate, format, columnNames)
        try CommandFailure.evaluating { () throws(EvaluationError) in
            let none = QueryResults(columns: columnNames, rows: [])
            _ = try none.indices(selectedBy: FormatQuery(having: predicate), context: options.context)
        }
        having = predicate
    }

    /// Throws for a key that is not a column.
    private func checkKeys(
        of predicate: FormatPredicate, _ format: String, _ columns: [String]
    ) throws(CommandFailure) {
        let paths = RecordPaths(predicate.node).sorted.map { $0.joined(separator: ".") }
        for path in paths where !columns.contains(where: { path == $0 || path.hasPrefix($0 + ".") }) {
            if let column = columns.first(where: { $0.hasSuffix("_" + path) }) {
                throw .message("--having: the groups have no column '\(path)'", hints: ["write \(column)"])
            }
            let suggestions = UsageError.suggestions(for: path, among: columns)
            throw .message(
                "--having: the groups have no column '\(path)'",
                hints: suggestions.isEmpty
                    ? [
                        columnHint,
                        Self.aggregate(named: path) ?? Self.aggregate(Self.called(in: format, with: path), path),
                    ] : suggestions)
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

    /// The hint that lists the columns of the groups.
    var columnHint: String { "their columns are \(columnNames.joined(separator: ", "))" }
}

/// A column of groups: its name, and its place among the keys, the count and the aggregates.
struct GroupColumn {
    let name: String
    let place: Int
}

/// The reason why a record cannot be added to its group.
enum GroupProblem: Error {
    /// An aggregate of numbers found another value.
    case notANumber(String, PredicateValue)
    /// An expression cannot be evaluated.
    case failed(EvaluationError)
}
