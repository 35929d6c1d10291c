import PredicateModel
import PredicateQuery
import PredicateSQL
import PredicateSession
import PredicateSyntax

extension OptionGroup {
    /// The options of `predicate sql` that choose the statement.
    static let statement: [CommandOption] = [
        StatementOptions.keys, StatementOptions.distinct, StatementOptions.sort, StatementOptions.first,
        StatementOptions.offset, StatementOptions.count, StatementOptions.groupBy, FilterOption.sum, FilterOption.avg,
        FilterOption.min, FilterOption.max, FilterOption.median, FilterOption.having, StatementOptions.update,
        StatementOptions.delete, StatementOptions.returning,
    ]
}

/// The statement that `predicate sql` prints. Without options it selects the primary keys.
///
/// `--keys name,boss.name --sort -age --first 10`
struct StatementOptions {
    private let statement: Statement
    /// `--sort -age,name`
    private let sort: SortOrder?
    /// `--first 10 --offset 20`
    private let limit: Int?
    private let offset: Int?
    private let limits: PredicateLimits
    /// True to return the primary keys of the rows that the statement changes.
    private let returnsKeys: Bool

    /// A statement around the condition.
    private enum Statement {
        /// The primary keys of the rows.
        case rows
        case count
        case values([OutputValue], isDistinct: Bool)
        case groups(Grouping, having: PredicateOptions?)
        case update([String: [String]])
        case delete
    }

    static let keys = CommandOption(
        "keys", "k", value: "KEY,...", .keys,
        help: "Select these values instead of the primary key: attributes, paths such as boss.name, phones.@count, and"
            + " expressions, each as KEY AS NAME if it needs a name")
    static let distinct = CommandOption("distinct", help: "With --keys, select equal rows once")
    static let sort = CommandOption(
        "sort", value: "KEY,-KEY", .keys, help: "Order by these keys or expressions, descending after a hyphen")
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
        help: "Change a key of the rows (see Values); null is nil, a to-one relationship takes a primary key, and"
            + " KEY:=EXPRESSION is computed for each row: --update 'stock:=stock - 1'; may be repeated")
    static let delete = CommandOption("delete", help: "Delete the rows")
    static let returning = CommandOption(
        "returning", help: "With --update or --delete, return the primary keys of the rows, where the database can")

    private static let aggregates = Grouping.options.map(\.option)

    init(_ reader: ArgumentReader) throws(CommandFailure) {
        try Self.checkCombinations(reader)
        statement = try Self.statement(reader)
        let page = try FormatQuery.Page(reader)
        (limit, offset) = (page.limit, reader.has(Self.offset) ? page.offset : nil)
        sort = try SortOrder(Self.sort, reader, reader.context)
        limits = reader.context.limits
        returnsKeys = reader.has(Self.returning)
    }

    private static func statement(_ reader: ArgumentReader) throws(CommandFailure) -> Statement {
        if reader.has(count) { return .count }
        if reader.has(delete) { return .delete }
        if reader.has(update) { return .update(try ChangeValues.words(reader.values(of: update), of: update)) }
        if let grouping = try Grouping(reader, reader.context) {
            let having = try reader.value(of: FilterOption.having).map { (format) throws(CommandFailure) in
                try PredicateOptions(format, reader, takesArguments: false, takesVariables: false)
            }
            return .groups(grouping, having: having)
        }
        guard reader.has(keys) else { return .rows }
        let values = try OutputValue.all(keys, reader, reader.context)
        if values.contains(where: { $0.text == "@count" }) {
            let hints = ["--count selects the number of rows, --group-by KEY the number in each group"]
            throw reader.failure("--keys takes values of a row, and @count is not one", hints: hints)
        }
        return .values(values, isDistinct: reader.has(distinct))
    }
}

extension ResultKey {
    /// Returns a key that sorts by the value of the result, in the direction of another key.
    func sortKey(like key: SortKey) -> SortKey {
        guard case .expression(let expression) = content else { return SortKey(nameInGroups, ascending: key.ascending) }
        return SortKey(expression, ascending: key.ascending)
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
        if reader.has(returning), !reader.has(update), !reader.has(delete) {
            throw reader.failure("--returning needs --update KEY=VALUE or --delete")
        }
        if reader.has(FilterOption.having), !isGrouped { throw reader.failure("--having needs --group-by KEY,...") }
        guard let statement = statements.first, [count.name, update.name, delete.name].contains(statement.name),
            let other = [sort, first, offset].first(where: reader.has)
        else { return }
        let hints = ["--\(statement.name) applies to all rows for which the predicate holds"]
        throw reader.failure("--\(other.name) cannot be combined with --\(statement.name)", hints: hints)
    }

    /// The options that choose a statement; each list belongs to one statement.
    private static let kinds = [[count], [update], [delete], [keys], [groupBy] + aggregates]

    /// A Boolean value that indicates whether the statement returns exactly the rows of the query, so that a residual
    /// can still be evaluated for each of them.
    var leavesResidual: Bool {
        guard case .rows = statement else { return false }
        return limit == nil && offset == nil
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
    func statement(
        of query: SQLQuery, _ schema: SQLSchema, in zone: LocalZone?
    ) throws(CommandFailure) -> PrintedStatement {
        let values = try values(of: query.entity, schema)
        let parts = try parts(query.entity, TextReadings(query.entity, schema, in: zone))
        do throws(SQLCompilationError) {
            return try statement(of: query, values, parts)
        } catch {
            throw .compilation(error, schema, mayLeaveResidual: false)
        }
    }

    private func statement(
        of query: SQLQuery, _ values: [String: PredicateValue], _ parts: ResultParts
    ) throws(SQLCompilationError) -> PrintedStatement {
        switch statement {
        case .rows:
            if sort == nil, limit == nil, offset == nil { return PrintedStatement("select", query.select, of: query) }
            let selection = try query.page(keys: [], sortKeys: parts.sortKeys, limit: limit, offset: offset)
            return PrintedStatement("select", selection.statement, calling: selection.functions, of: query)
        case .count: return PrintedStatement("select", query.count, of: query)
        case .values, .groups:
            let selection = try query.select(parts)
            var printed = PrintedStatement(
                "select", selection.statement, calling: selection.functions, of: query)
            printed.columns = selection.columns
            return printed
        case .update:
            let update = try query.updateStatement(values, returningKeys: returnsKeys)
            return PrintedStatement("update", update.statement, calling: update.functions, of: query)
        case .delete:
            return PrintedStatement("delete", try query.delete(returningKeys: returnsKeys), of: query)
        }
    }

    /// Returns the results, the groups and the order, with the strings in the conditions of expressions interpreted. The columns
    /// of groups are those that `predicate filter` writes.
    private func parts(_ entity: SQLEntity, _ texts: TextReadings) throws(CommandFailure) -> ResultParts {
        var parts = ResultParts([])
        (parts.isOrdered, parts.limit, parts.offset) = (false, limit, offset)
        switch statement {
        case .rows, .count, .update, .delete: break
        case .values(let values, let isDistinct):
            (parts.results, parts.isDistinct) = (try values.of(entity).read(texts).resultKeys(), isDistinct)
        case .groups(let grouping, let having):
            let grouping = grouping.of(entity)
            _ = try grouping.values.read(texts)
            let places = try grouping.resultKeys()
            parts.results = grouping.written.map { ResultKey($0.name, places[$0.place].content) }
            parts.groups = Array(places.prefix(grouping.keys.count))
            parts.having = try having?.predicate()
        }
        let values = sort?.of(entity).values ?? []
        for (result, key) in zip(try values.read(texts).resultKeys(), sort?.keys ?? []) {
            // A result with the name of the key takes precedence.
            let isNamed = parts.results.contains { $0.name == result.name }
            let named = SortKey(result.name, ascending: key.ascending)
            parts.sortKeys.append(isNamed ? named : result.sortKey(like: key))
        }
        return parts
    }

    private func values(of entity: SQLEntity, _ schema: SQLSchema) throws(CommandFailure) -> [String: PredicateValue] {
        guard case .update(let words) = statement else { return [:] }
        var values: [String: PredicateValue] = [:]
        for (key, words) in words {
            guard words.count == 1, let word = words.first else {
                throw .message("--update \(key): a key has one value, found \(words.count)")
            }
            if let (name, value) = try computed(key, word, entity) {
                values[name] = value
            } else {
                values[key] = try ColumnValue(key, of: entity, schema, limits).value(word)
            }
        }
        return values
    }

    /// Returns the key and the expression of `KEY:=EXPRESSION`; nil for a setting of another form.
    private func computed(
        _ key: String, _ word: String, _ entity: SQLEntity
    ) throws(CommandFailure) -> (String, PredicateValue)? {
        guard key.hasSuffix(":"), entity.attributes[key] == nil, entity.relationships[key] == nil else { return nil }
        let name = String(key.dropLast().reversed().drop { $0 == " " }.reversed())
        do throws(PredicateFormatError) {
            let options = FormatOptions(surplusArguments: .refused, limits: limits)
            return (name, .expression(try FormatExpression(format: word, arguments: [], options: options).node))
        } catch {
            throw .format(error)
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
    private let limits: PredicateLimits

    init(_ key: String, of entity: SQLEntity, _ schema: SQLSchema, _ limits: PredicateLimits) {
        (self.key, self.limits) = (key, limits)
        let relationship = entity.relationships[key]
        destination = relationship.flatMap { $0.isToMany ? nil : schema.entities[$0.destination] }
        type = destination?.primaryKeyType ?? entity.attributes[key]?.type
    }

    func value(_ word: String) throws(CommandFailure) -> PredicateValue {
        // A store keeps decimal numbers as doubles. There, a word is a decimal number only if a prefix says so.
        let isPlainNumber = type == .decimal && Double(word) != nil
        if let operation = operation(word) { return operation }
        let value = try ChangeValues.value(
            isPlainNumber ? "decimal:\(word)" : word, type.map(\.attributeType), of: "--update \(key)")
        guard let destination, value != .null else { return value }
        return SQLObjectID(destination.name, key: value).predicateValue
    }

    /// Returns an operation for a number, such as `stock - 1`, which is not itself a number; nil for any other word.
    private func operation(_ word: String) -> PredicateValue? {
        guard let type, [.integer, .double, .single, .decimal].contains(type) else { return nil }
        let options = FormatOptions(surplusArguments: .refused, limits: limits)
        guard let expression = try? FormatExpression(format: word, arguments: [], options: options),
            case .function = expression.node
        else { return nil }
        return .expression(expression.node)
    }
}

extension SQLType {
    /// The attribute type whose values have the same notation.
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
        case .array, .any, .json: .undefined
        }
    }
}
