import PredicateChecks
import PredicateEvaluation
import PredicateQuery
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The part of a query that a SQLite statement does: groups, distinct rows, order, page and computed values.
///
/// Its answers are the same as in memory. Each function returns nil if SQL has no exact form, or if an error in a row must be
/// reported; memory then does the work. [NSP-419] [NSP-460] [NSP-461] [NSP-463]
struct StoreQuery {
    private let query: OutputQuery
    private let entity: SQLEntity
    private let schema: SQLSchema
    /// A Boolean value that indicates whether values are written as stored, without archives or object URIs.
    private let readsPlainValues: Bool
    /// A Boolean value that indicates whether the rows of objects are written.
    private let writesRows: Bool
    private let isQuiet: Bool

    /// Creates the part for SQL; nil if a part of the predicate is evaluated in memory.
    init?(_ settings: FilterSettings, residual: FormatPredicate?, of entity: SQLEntity, in schema: SQLSchema) {
        guard residual == nil else { return nil }
        (query, self.entity, self.schema, isQuiet) = (settings.query, entity, schema, settings.isQuiet)
        readsPlainValues = !settings.writesObjectIDs && !settings.decodesArchives
        writesRows = settings.writesRows
    }

    // MARK: - Groups

    /// The results of all groups, and which are minima or maxima of Booleans, which SQL returns as 0 or 1.
    private var groupResults: (results: [ResultKey], names: [String], areBooleans: [Bool])? {
        guard readsPlainValues, !isQuiet, let grouping = query.grouping,
            var results = grouping.keys.numberedResults(in: entity),
            !grouping.aggregates.contains(where: { $0.value.isHidden(in: entity) })
        else { return nil }
        let names = results.map(\.nameInGroups)
        results.append(ResultKey.count(as: "").numbered(results.count))
        for aggregate in grouping.aggregates {
            guard let result = try? aggregate.resultKey() else { return nil }
            results.append(result.numbered(results.count))
        }
        let scope = CheckScope(schema, entity: entity.name)
        let kinds = grouping.aggregates.map { $0.isExtreme ? $0.value.kinds(in: scope) : [] }
        guard kinds.allSatisfy({ $0 == [.boolean] || !$0.contains(.boolean) }) else { return nil }
        return (results, names, names.map { _ in false } + [false] + kinds.map { $0 == [.boolean] })
    }

    /// Returns the rows of all groups.
    func groups(_ store: ObjectStore, _ request: PredicateFetchRequest) -> [[PredicateValue]]? {
        guard let groups = groupResults,
            let rows = try? store.fetchGroups(request.ofAllObjects, groups.results, by: groups.names)
        else { return nil }
        guard groups.areBooleans.contains(true) else { return rows }
        return rows.map { row in
            zip(row, groups.areBooleans).map { value, isBoolean in
                if isBoolean, case .integer(let number) = value { .bool(number != 0) } else { value }
            }
        }
    }

    // MARK: - Different rows

    /// Returns the distinct rows of `--distinct --keys`, in the order in which their first objects come by primary key.
    func distinctRows(_ store: ObjectStore, _ request: PredicateFetchRequest) -> [[PredicateValue]]? {
        guard readsPlainValues, !isQuiet, query.isDistinct, let keys = query.keys, query.style.digits == nil,
            let values = keys.numberedResults(in: entity), isSorted(by: keys),
            let found = (try? store.fetchDistinct(request.ofAllObjects, values)) ?? nil,
            !found.joined().contains(where: Self.isRepaired)
        else { return nil }
        return found.map { (key: OrderedValue($0.last ?? .null), values: Array($0.dropLast())) }
            .sorted { $0.key.compare($1.key) < 0 }.map(\.values)
    }

    /// True if the rows are sorted by written values only.
    private func isSorted(by keys: [OutputValue]) -> Bool {
        let names = Set(keys.map(\.spelling))
        return query.sort?.keys.allSatisfy { names.contains($0.value.spelling) } ?? true
    }

    /// True for a string that may be invalid UTF-8 in the file: SQLite tells such strings apart, the output does not.
    private static func isRepaired(_ value: PredicateValue) -> Bool {
        if case .string(let text) = value { text.unicodeScalars.contains("\u{FFFD}") } else { false }
    }

    // MARK: - Order and page

    /// Returns a request in the order and with the page of the query. Rows that are equal in all sort keys are in the order of
    /// the primary key.
    func ordered(_ request: PredicateFetchRequest, _ store: ObjectStore) -> PredicateFetchRequest? {
        let (page, keys) = (query.page, query.sort?.keys ?? [])
        guard writesRows, !query.leavesOutMatches, query.sort != nil || page.skipsRows,
            keys.allSatisfy({ $0.key.options.isEmpty && !$0.key.isNumeric }),
            let values = keys.map(\.value).numberedResults(in: entity)
        else { return nil }
        let whole = request.ofAllObjects
        guard (try? store.hasOrder(of: values, whole)) == true, hasNoErrors(store, whole) else { return nil }
        var ordered = request
        ordered.sortKeys = zip(values, keys).map { $0.sortKey(like: $1.key) }
        (ordered.limit, ordered.offset) = (page.limit, page.offset)
        if let last = page.last {
            guard let count = try? store.fetchCount(whole) else { return nil }
            (ordered.limit, ordered.offset) = (last, max(0, count - last))
        }
        return ordered
    }

    /// Returns true if no written expression fails for a row that is not on the page.
    private func hasNoErrors(_ store: ObjectStore, _ whole: PredicateFetchRequest) -> Bool {
        guard query.page.skipsRows || query.page.limit != nil else { return true }
        let written = (query.keys ?? []).filter { $0.evaluator != nil && $0.keyPath == nil && !$0.isHidden(in: entity) }
        let counts = written.enumerated().compactMap { try? $1.resultKey().count.numbered($0) }
        return counts.isEmpty || (try? store.fetchGroups(whole, counts, by: [])) ?? nil != nil
    }

    // MARK: - Values

    /// The values of `--keys`, if one is an expression. Plain columns are read without this.
    private var values: [ResultKey]? {
        guard readsPlainValues, writesRows, query.distinctKeys == nil, let keys = query.keys,
            keys.contains(where: { $0.evaluator != nil })
        else { return nil }
        return keys.numberedResults(in: entity)
    }

    /// Returns a cursor over the values of a request's rows.
    func values(_ store: ObjectStore, _ request: PredicateFetchRequest) -> ValueCursor? {
        values.flatMap { (try? store.fetchValues(request, $0)) ?? nil }
    }

    // MARK: - Plans

    /// Returns SQLite's query plan for the groups.
    func groupPlan(_ store: ObjectStore, _ request: PredicateFetchRequest) -> String? {
        groupResults.flatMap { try? store.queryPlan(of: request.ofAllObjects, $0.results, .grouped(by: $0.names)) }
    }

    /// Returns SQLite's query plan for the values.
    func valuePlan(_ store: ObjectStore, _ request: PredicateFetchRequest) -> String? {
        values.flatMap { try? store.queryPlan(of: request, values: $0) }
    }
}

extension OutputValue {
    /// True for an expression that has the same spelling as an attribute: the attribute takes precedence.
    fileprivate func isHidden(in entity: SQLEntity) -> Bool { evaluator != nil && entity.attributes[text] != nil }
}

extension [OutputValue] {
    /// Returns the values as results of a statement, each with a name that no key path can have; nil if an expression has the
    /// same spelling as an attribute, or if a text is not an expression.
    fileprivate func numberedResults(in entity: SQLEntity) -> [ResultKey]? {
        var results: [ResultKey] = []
        for value in self {
            guard !value.isHidden(in: entity), let result = try? value.resultKey() else { return nil }
            results.append(result.numbered(results.count))
        }
        return results
    }
}

extension ResultKey {
    fileprivate func numbered(_ index: Int) -> ResultKey { ResultKey(".\(index)", content) }

    /// The number of values that an expression has.
    fileprivate var count: ResultKey {
        if case .expression(let expression) = content { .aggregate(.count, of: expression, as: name) } else { self }
    }
}

extension PredicateFetchRequest {
    /// A request for all of the same objects, for statements that have results of their own.
    fileprivate var ofAllObjects: PredicateFetchRequest {
        var request = self
        (request.limit, request.keys, request.prefetching) = (nil, nil, [])
        return request
    }
}
