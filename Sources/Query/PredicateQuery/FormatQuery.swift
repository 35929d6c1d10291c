public import PredicateSyntax

/// A query over objects or rows: what to select, how to group and order it, and what to leave out.
///
/// ```swift
/// try FormatQuery("country, avg(age) AS a WHERE age > %@ GROUP BY country HAVING a > 3 ORDER BY a DESC LIMIT 10", 20)
///
/// FormatQuery(["country", .average("age", as: "a")], where: PredicateKey("age") > 20, groupedBy: ["country"])
/// ```
///
/// Two queries are equal if their parts are, however they were written. ``description`` is a text that parses to an equal
/// query. [NSP-513]
public struct FormatQuery: Hashable, Sendable {
    /// The values in each row of the result; nil for whole objects.
    public var keys: [ResultKey]?
    /// The condition on objects; nil for all of them.
    public var predicate: FormatPredicate?
    /// The values by which objects are grouped, each a key path or an expression; an empty list makes one group of all objects,
    /// nil makes a row for each object.
    public var groups: [ResultKey]?
    /// The condition on groups, whose keys are the names of results.
    public var having: FormatPredicate?
    /// The limit on the rows for each value of certain keys; nil to keep all rows.
    public var limitByKey: LimitByKey?
    /// A Boolean value that indicates whether equal rows are returned only once.
    public var isDistinct: Bool
    /// The order of the rows: names of results, key paths or expressions. If a result and a key path have the same spelling,
    /// the result is meant.
    public var sortKeys: [SortKey]
    /// Which of the rows are returned.
    public var page: Page

    /// `LIMIT 3 BY city`: the first rows of each city.
    public struct LimitByKey: Hashable, Sendable {
        /// The number of rows that are kept for each value.
        public var limit: Int
        /// Names of results, key paths or expressions.
        public var keys: [ResultKey]

        /// Makes a limit on the rows for each value of these keys: `LimitByKey(3, by: ["city"])`
        public init(_ limit: Int, by keys: [ResultKey]) {
            (self.limit, self.keys) = (limit, keys)
        }
    }

    /// `LIMIT 10 OFFSET 20`, `LAST 5`
    public enum Page: Hashable, Sendable {
        /// At most `limit` rows, after skipping `offset` rows; without a limit, all the others.
        case first(limit: Int?, offset: Int)
        /// The last rows.
        case last(Int)

        /// How many rows are needed, counting from the first; nil for all.
        package var end: Int? {
            guard case .first(let limit?, let offset) = self else { return nil }
            let (end, overflow) = max(limit, 0).addingReportingOverflow(max(offset, 0))
            return overflow ? .max : end
        }

        package func rows<Row>(_ rows: [Row]) -> ArraySlice<Row> {
            switch self {
            case .first(let limit, let offset):
                let rest = rows.dropFirst(max(offset, 0))
                return limit.map { rest.prefix(max($0, 0)) } ?? rest
            case .last(let count): return rows.suffix(max(count, 0))
            }
        }
    }

    /// Makes a query from its parts; without any, it selects all objects.
    ///
    /// If there are aggregates but no groups, all objects are one group. If there are groups but no keys, the keys are the
    /// values of the groups and the number of objects, `count`. A group that is the name of a result stands for the result's
    /// value.
    public init(
        _ keys: [ResultKey]? = nil, where predicate: FormatPredicate? = nil, groupedBy groups: [ResultKey]? = nil,
        having: FormatPredicate? = nil, limitByKey: LimitByKey? = nil, isDistinct: Bool = false,
        sortKeys: [SortKey] = [], limit: Int? = nil, offset: Int? = nil
    ) {
        (self.keys, self.predicate, self.groups, self.having) = (keys, predicate, groups, having)
        (self.limitByKey, self.isDistinct, self.sortKeys) = (limitByKey, isDistinct, sortKeys)
        page = .first(limit: limit, offset: offset ?? 0)
        settle()
    }
}

// MARK: - One form for each query

extension FormatQuery {
    /// Normalizes the parts as parsing does: an expression that is just a key path becomes a key path, and defaults are filled
    /// in.
    mutating func settle() {
        keys = keys?.map(\.settled)
        if keys?.isEmpty == true { keys = nil }
        if groups == nil, let keys, keys.allSatisfy(\.isAggregate) { groups = [] }
        groups = groups.map { named($0.map(\.settled)) }
        if keys == nil, let groups { keys = groups + [.count(as: "count")] }
        limitByKey = limitByKey.map { LimitByKey($0.limit, by: $0.keys.map(\.settled)) }
        sortKeys = sortKeys.map(\.settled)
    }

    /// Returns the groups, with names of results replaced by the values that they stand for. [NSP-418]
    private func named(_ groups: [ResultKey]) -> [ResultKey] {
        let values = (keys ?? []).filter { !$0.isAggregate }.map { ($0.name, $0) }
        let results = Dictionary(values) { first, _ in first }
        return groups.map { $0.content == .keyPath($0.name) ? results[$0.name] ?? $0 : $0 }
    }
}

extension ResultKey {
    /// A Boolean value that indicates whether the value is computed from all objects of a group.
    package var isAggregate: Bool {
        switch content {
        case .count, .aggregate, .aggregateOfExpression: true
        case .keyPath, .expression: false
        }
    }

    /// The value that is returned, or that is aggregated; nil for the number of objects.
    package var operand: FormatExpression? {
        switch content {
        case .keyPath(let path), .aggregate(_, let path): FormatExpression(.keyPath(KeyPathExpression(keys: path)))
        case .expression(let expression), .aggregateOfExpression(_, let expression): expression
        case .count: nil
        }
    }

    /// The expression of the value or of the operand; for the number of objects, the name as a key.
    var expression: FormatExpression { operand ?? FormatExpression(key: name) }

    package func aggregated(_ aggregate: Aggregate) -> ResultKey {
        switch content {
        case .keyPath(let path): ResultKey(name, .aggregate(aggregate, of: path))
        case .expression(let expression): .aggregate(aggregate, of: expression, as: name)
        case .count, .aggregate, .aggregateOfExpression: self
        }
    }

    /// The aggregate; nil for any other value, and for the number of objects.
    package var aggregate: Aggregate? {
        switch content {
        case .aggregate(let aggregate, _), .aggregateOfExpression(let aggregate, _): aggregate
        case .keyPath, .expression, .count: nil
        }
    }

    fileprivate var settled: ResultKey {
        guard let operand, isAggregate else {
            return operand.map { ResultKey(name, Content($0)) } ?? self
        }
        return ResultKey(name, aggregate.map { Content($0, of: operand) } ?? content)
    }
}

extension ResultKey.Content {
    init(_ expression: FormatExpression) {
        self = expression.plainKeyPath.map { .keyPath($0) } ?? .expression(expression)
    }

    init(_ aggregate: ResultKey.Aggregate, of expression: FormatExpression) {
        self =
            expression.plainKeyPath.map { .aggregate(aggregate, of: $0) }
            ?? .aggregateOfExpression(aggregate, expression)
    }
}

extension SortKey {
    fileprivate var settled: SortKey {
        var key = self
        if let path = expression?.plainKeyPath { key.keyPath = path }
        return key
    }

    /// The same sort key for another value.
    package func of(_ value: FormatExpression) -> SortKey {
        SortKey(value, ascending: ascending, options: options, nils: nils, isNumeric: isNumeric)
    }
}

extension FormatExpression {
    /// The keys joined by dots, if the expression is a key path that this string would parse to; nil otherwise.
    var plainKeyPath: String? {
        guard case .keyPath(let path) = node, path.base == nil, let keys = path.keys else { return nil }
        let text = keys.joined(separator: ".")
        return KeyPathExpression(keys: text) == path ? text : nil
    }
}
