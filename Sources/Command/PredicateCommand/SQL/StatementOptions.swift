import PredicateModel
import PredicateQuery
import PredicateSQL
import PredicateSession
import PredicateSyntax

extension OptionGroup {
    /// The options of `predicate sql` that choose the statement.
    static let statement: [CommandOption] = [
        StatementOptions.keys, StatementOptions.distinct, StatementOptions.order, StatementOptions.first,
        StatementOptions.offset, StatementOptions.count, StatementOptions.groupBy, FilterOption.sum, FilterOption.avg,
        FilterOption.min, FilterOption.max, FilterOption.median, FilterOption.having, StatementOptions.update,
        StatementOptions.delete,
    ]
}

/// The statement that `predicate sql` prints. Without options it selects the primary keys.
///
/// `--keys name,boss.name --order -age --first 10`
struct StatementOptions {
    private var statement: Statement
    private var page: Page

    /// A statement around the condition.
    fileprivate enum Statement {
        /// The primary keys of the rows.
        case rows
        case count
        case results([ResultKey], Rows)
        case update([String: [String]])
        case delete
    }

    fileprivate enum Rows {
        case each
        case distinct
        case groups(by: [String], having: PredicateOptions?)
    }

    /// `--order -age,name --first 10 --offset 20`
    private struct Page {
        let order: [SortKey]
        /// The expressions among the sort keys, under the names that these have.
        var expressions: [ResultKey]
        let limit: Int?
        let offset: Int?
    }

    static let keys = CommandOption(
        "keys", "k", value: "KEY,...", .keys,
        help: "Select these values instead of the primary key: attributes, paths such as boss.name, phones.@count, and"
            + " expressions, each as KEY AS NAME if it needs a name")
    static let distinct = CommandOption("distinct", help: "With --keys, select equal rows once")
    static let order = CommandOption(
        "order", value: "KEY,-KEY", .keys, help: "Order by these keys or expressions, descending after a hyphen")
    static let first = CommandOption("first", nil, .number("N"), help: "Select the first N rows (default: 1)")
    static let offset = CommandOption("offset", value: "N", help: "Leave out the first N rows")
    static let count = CommandOption("count", "c", help: "Select the number of rows")
    static let groupBy = CommandOption(
        "group-by", value: "KEY,...", .keys,
        help:
            "Select a row for each group: its keys or expressions, 'count', 'sum_KEY', 'min_KEY' and 'max_KEY', or the"
            + " --keys 'city, avg(age) AS mean'")
    static let update = CommandOption(
        "update", value: "KEY=VALUE",
        help: "Change a key of the rows (see Values); null is nil, a to-one relationship takes a primary key; may be"
            + " repeated")
    static let delete = CommandOption("delete", help: "Delete the rows")

    private static let aggregates = Grouping.options.map(\.option)

    init(_ reader: ArgumentReader) throws(CommandFailure) {
        try Self.checkCombinations(reader)
        statement = try Self.statement(reader)
        let (order, expressions) = try Self.order(reader)
        page = Page(
            order: order, expressions: expressions, limit: reader.has(Self.first) ? try Self.first(reader) : nil,
            offset: try reader.value(of: Self.offset).map { (text) throws(CommandFailure) in
                try Self.number(text, Self.offset, from: 0, reader)
            })
    }

    private static func first(_ reader: ArgumentReader) throws(CommandFailure) -> Int {
        guard let text = reader.value(of: first) else { return 1 }
        return try number(text, first, from: 1, reader)
    }

    private static func number(
        _ text: String, _ option: CommandOption, from least: Int, _ reader: ArgumentReader
    ) throws(CommandFailure) -> Int {
        if let number = Int(text), number >= least { return number }
        let bound = least == 0 ? "a number from 0" : "a number above 0"
        throw reader.failure("--\(option.name) takes \(bound), found '\(text)'")
    }

    private static func order(
        _ reader: ArgumentReader
    ) throws(CommandFailure) -> (keys: [SortKey], expressions: [ResultKey]) {
        var (keys, expressions): ([SortKey], [ResultKey]) = ([], [])
        for item in try OutputValue.items(reader.values(of: order), order, reader) {
            let isDescending = item.hasPrefix("-") && item.count > 1
            let value = OutputValue(isDescending ? String(item.dropFirst()) : item, reader.context)
            let key = try value.resultKey()
            keys.append(SortKey(key.name, ascending: !isDescending))
            if case .expression = key.content { expressions.append(key) }
        }
        return (keys, expressions)
    }

    private static func statement(_ reader: ArgumentReader) throws(CommandFailure) -> Statement {
        if reader.has(count) { return .count }
        if reader.has(delete) { return .delete }
        if reader.has(update) { return .update(try ChangeValues.words(reader.values(of: update), of: update)) }
        if let groups = try groups(reader) { return groups }
        if reader.has(keys) {
            let values = try OutputValue.all(keys, reader, reader.context)
            if values.contains(where: { $0.text == "@count" }) {
                let hints = ["--count selects the number of rows, --group-by KEY the number in each group"]
                throw reader.failure("--keys takes values of a row, and @count is not one", hints: hints)
            }
            var results: [ResultKey] = []
            for value in values { results.append(try value.resultKey()) }
            return .results(results, reader.has(distinct) ? .distinct : .each)
        }
        return .rows
    }

    private static func groups(_ reader: ArgumentReader) throws(CommandFailure) -> Statement? {
        var keys: [String] = []
        var results: [ResultKey] = []
        for value in try OutputValue.all(groupBy, reader, reader.context) {
            let key = try value.resultKey()
            if case .keyPath(let path) = key.content { keys.append(path) } else { keys.append(key.name) }
            results.append(key)
        }
        results.append(.count(as: "count"))
        for aggregate in try Grouping.aggregates(reader, reader.context) {
            results.append(try aggregate.resultKey())
        }
        let chosen = try chosenColumns(of: results, reader)
        guard results.count > 1 || chosen != nil else { return nil }
        let having = try reader.value(of: FilterOption.having).map { (format) throws(CommandFailure) in
            try PredicateOptions(format, reader, takesArguments: false, takesVariables: false)
        }
        return .results(chosen ?? results, .groups(by: keys, having: having))
    }

    /// Returns the columns that `--keys` chooses from groups: their keys and calls of aggregates; nil without groups.
    private static func chosenColumns(
        of groups: [ResultKey], _ reader: ArgumentReader
    ) throws(CommandFailure) -> [ResultKey]? {
        let items = try OutputValue.items(reader.values(of: keys), keys, reader)
        guard !items.isEmpty, groups.count > 1 || GroupColumn.areCalls(items) else { return nil }
        let columns = try GroupColumn.all(items, reader, reader.context) { text in
            groups.firstIndex { $0.name == text || $0.nameInGroups == text }
        }
        return try columns.map { (column) throws(CommandFailure) in
            switch column {
            case .key(let place, let name): ResultKey(name ?? groups[place].name, groups[place].content)
            case .count(let name): .count(as: name)
            case .aggregate(let aggregate): try aggregate.resultKey()
            }
        }
    }
}

extension OutputValue {
    /// Returns the value as a result of a statement: a key path or an expression.
    func resultKey() throws(CommandFailure) -> ResultKey {
        if let path = keyPath { return ResultKey(path, as: name) }
        try check()
        guard let evaluator else { return ResultKey(text, as: name) }
        return ResultKey(evaluator.expression, as: name)
    }
}

extension OutputValue {
    /// True for an expression that has the same spelling as an attribute: the attribute takes precedence.
    func isHidden(in entity: SQLEntity) -> Bool { evaluator != nil && entity.attributes[text] != nil }
}

extension [OutputValue] {
    /// Returns the values as results of a statement, each with a name of its own; nil if an expression has the same spelling as
    /// an attribute, or if a text is not an expression.
    func numberedResults(in entity: SQLEntity, from first: Int = 0) -> [ResultKey]? {
        var results: [ResultKey] = []
        for value in self {
            guard !value.isHidden(in: entity), let result = try? value.resultKey() else { return nil }
            results.append(result.numbered(first + results.count))
        }
        return results
    }
}

extension ResultKey {
    /// The same result under a name that no key path can have.
    func numbered(_ index: Int) -> ResultKey { ResultKey(".\(index)", content) }

    /// Returns the result with the strings in its expression's conditions interpreted. An attribute that has the same spelling
    /// as an expression takes precedence: `no`, which is also a constant.
    fileprivate func read(_ texts: TextReadings, _ entity: SQLEntity) throws(CommandFailure) -> ResultKey {
        switch content {
        case .expression(let expression):
            if let text = expression.source?.text, entity.attributes[text] != nil { return ResultKey(text, as: name) }
            return ResultKey(try texts.read(expression), as: name)
        case .aggregateOfExpression(let aggregate, let expression):
            if let text = expression.source?.text, entity.attributes[text] != nil {
                return ResultKey(name, .aggregate(aggregate, of: text))
            }
            return .aggregate(aggregate, of: try texts.read(expression), as: name)
        default: return self
        }
    }
}

extension Grouping.ValueAggregate {
    /// Returns the aggregate under the name that `predicate filter` gives it.
    func resultKey() throws(CommandFailure) -> ResultKey {
        switch try value.resultKey().content {
        case .expression(let expression): return .aggregate(function, of: expression, as: name)
        case .keyPath(let path): return ResultKey(name, .aggregate(function, of: path))
        default: return ResultKey(name, .aggregate(function, of: value.text))
        }
    }
}

// MARK: - Combinations

extension StatementOptions {
    /// Throws for options that belong to two statements, and for options without the option that they require.
    private static func checkCombinations(_ reader: ArgumentReader) throws(CommandFailure) {
        let isGrouped = ([groupBy] + aggregates).contains(where: reader.has)
        let statements = kinds.compactMap { options in options.first(where: reader.has) }
            .filter { !isGrouped || $0.name != keys.name }
        if statements.count > 1 {
            let names = statements.map { "--\($0.name)" }
            throw reader.failure(
                "\(names[0]) and \(names[1]) are two statements", hints: ["run the command once for each of them"])
        }
        if reader.has(distinct), !reader.has(keys) { throw reader.failure("--distinct needs --keys KEY,...") }
        if reader.has(FilterOption.having), !isGrouped { throw reader.failure("--having needs --group-by KEY,...") }
        guard let statement = statements.first, [count.name, update.name, delete.name].contains(statement.name),
            let other = [order, first, offset].first(where: reader.has)
        else { return }
        let hints = ["--\(statement.name) is about all rows for which the predicate holds"]
        throw reader.failure("--\(other.name) cannot be combined with --\(statement.name)", hints: hints)
    }

    /// The options that choose a statement; each list belongs to one statement.
    private static let kinds = [[count], [update], [delete], [keys], [groupBy] + aggregates]

    /// A Boolean value that indicates whether the statement returns exactly the rows of the query, so that a residual
    /// can still be evaluated for each of them.
    var leavesResidual: Bool {
        guard case .rows = statement else { return false }
        return page.limit == nil && page.offset == nil
    }
}

// MARK: - Statements

/// The statement to run, with the functions that it needs, and its columns if they are not the primary key.
struct PrintedStatement {
    /// `select`, `update` or `delete`
    let verb: String
    let fragment: SQLFragment
    let calls: Set<SQLFunction>
    let prelude: [String]
    var columns: [ResultSelection.Column] = []

    /// Creates a statement. If `functions` is nil, it calls the functions of the condition.
    fileprivate init(
        _ verb: String, _ fragment: SQLFragment, calling functions: Set<SQLFunction>? = nil, of query: SQLQuery
    ) {
        (self.verb, self.fragment) = (verb, fragment)
        calls = functions.map(query.requiredFunctions(among:)) ?? query.requiredFunctions
        prelude = functions.map(query.prelude(for:)) ?? query.prelude
    }
}

extension StatementOptions {
    /// Returns the statement around a query.
    func statement(
        of query: SQLQuery, _ schema: SQLSchema, in zone: LocalZone?
    ) throws(CommandFailure) -> PrintedStatement {
        let values = try values(of: query.entity, schema)
        let having = try having()
        let read = try reading(TextReadings(query.entity, schema, in: zone), query.entity)
        do throws(SQLCompilationError) {
            return try read.statement(of: query, values, having)
        } catch {
            throw .compilation(error, schema, mayLeaveResidual: false)
        }
    }

    private func statement(
        of query: SQLQuery, _ values: [String: PredicateValue], _ having: FormatPredicate?
    ) throws(SQLCompilationError) -> PrintedStatement {
        switch statement {
        case .rows:
            if page.order.isEmpty, page.limit == nil, page.offset == nil {
                return PrintedStatement("select", query.select, of: query)
            }
            let selection = try query.page(
                keys: [], sortKeys: page.order, ordering: page.expressions, limit: page.limit, offset: page.offset)
            return PrintedStatement("select", selection.statement, calling: selection.functions, of: query)
        case .count: return PrintedStatement("select", query.count, of: query)
        case .results(let keys, let rows):
            let selection = try query.select(
                results: keys, rows.results(having), variables: [:], sortKeys: page.order, ordering: page.expressions,
                limit: page.limit, offset: page.offset)
            var printed = PrintedStatement(
                "select", selection.statement, calling: selection.functions, of: query)
            printed.columns = selection.columns
            return printed
        case .update: return PrintedStatement("update", try query.update(values), of: query)
        case .delete: return PrintedStatement("delete", try query.delete(), of: query)
        }
    }

    /// Returns the same options with the strings in the conditions of expressions interpreted.
    private func reading(_ texts: TextReadings, _ entity: SQLEntity) throws(CommandFailure) -> StatementOptions {
        var options = self
        options.page.expressions = try Self.read(page.expressions, texts, entity)
        if case .results(let results, let rows) = statement {
            options.statement = .results(try Self.read(results, texts, entity), rows)
        }
        return options
    }

    private static func read(
        _ results: [ResultKey], _ texts: TextReadings, _ entity: SQLEntity
    ) throws(CommandFailure) -> [ResultKey] {
        try results.map { (result) throws(CommandFailure) in try result.read(texts, entity) }
    }

    private func having() throws(CommandFailure) -> FormatPredicate? {
        guard case .results(_, .groups(_, let having?)) = statement else { return nil }
        return try having.predicate()
    }

    private func values(of entity: SQLEntity, _ schema: SQLSchema) throws(CommandFailure) -> [String: PredicateValue] {
        guard case .update(let words) = statement else { return [:] }
        var values: [String: PredicateValue] = [:]
        for (key, words) in words {
            guard words.count == 1, let word = words.first else {
                throw .message("--update \(key): a key has one value, found \(words.count)")
            }
            values[key] = try ColumnValue(key, of: entity, schema).value(word)
        }
        return values
    }
}

extension StatementOptions.Rows {
    fileprivate func results(_ having: FormatPredicate?) -> ResultRows {
        switch self {
        case .each: .all
        case .distinct: .distinct
        case .groups(let keys, _): .grouped(by: keys, having: having)
        }
    }
}

/// Reads the value of `--update KEY=VALUE` according to the type of the column, as ``ChangeValues`` reads `--set`.
private struct ColumnValue {
    private let key: String
    /// The type of the attribute, or of the primary key if the column is a relationship; nil for an unknown key, whose error
    /// suggests similar keys.
    private let type: SQLType?
    /// The entity of the object that the column refers to; nil for an attribute.
    private let destination: SQLEntity?

    init(_ key: String, of entity: SQLEntity, _ schema: SQLSchema) {
        self.key = key
        let relationship = entity.relationships[key]
        destination = relationship.flatMap { $0.isToMany ? nil : schema.entities[$0.destination] }
        type = destination?.primaryKeyType ?? entity.attributes[key]?.type
    }

    func value(_ word: String) throws(CommandFailure) -> PredicateValue {
        // A store keeps decimal numbers as doubles. There, a word is a decimal number only if a prefix says so.
        let isPlainNumber = type == .decimal && Double(word) != nil
        let value = try ChangeValues.value(
            isPlainNumber ? "decimal:\(word)" : word, type.map(\.attributeType), of: "--update \(key)")
        guard let destination, value != .null else { return value }
        return SQLObjectID(destination.name, key: value).predicateValue
    }
}

extension SQLType {
    /// The type of an attribute whose values are written as the column's values are.
    fileprivate var attributeType: AttributeType {
        switch self {
        case .integer: .integer64
        case .double, .single: .double
        case .decimal: .decimal
        case .boolean: .boolean
        case .string, .paddedString: .string
        case .date: .date
        case .uuid: .uuid
        case .data: .binaryData
        case .array, .any: .undefined
        }
    }
}
