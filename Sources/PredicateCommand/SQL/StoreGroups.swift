import PredicateChecks
import PredicateEvaluation
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The groups of a SQLite file that one statement computes: `--group-by 'month(at)' --sum 'total * qty'`
///
/// They are those of the objects in memory: aggregates ignore nil. Groups that no order distinguishes are ordered by
/// their keys. [NSP-419]
struct StoreGroups {
    private let grouping: Grouping
    private let query: OutputQuery
    private let results: [ResultKey]
    /// Which columns are the least or the greatest of Booleans, which SQL returns as 0 or 1.
    private let areBooleans: [Bool]

    /// Creates the groups; nil if an attribute is spelled like an expression, if text is no expression, and for an
    /// extreme of Booleans and other values.
    init?(_ grouping: Grouping, _ query: OutputQuery, of entity: SQLEntity, in schema: SQLSchema) {
        let values = grouping.values
        guard values.allSatisfy({ $0.evaluator == nil || entity.attributes[$0.text] == nil }) else { return nil }
        (self.grouping, self.query) = (grouping, query)
        var results: [ResultKey] = []
        for key in grouping.keys {
            guard let content = try? key.resultKey().content else { return nil }
            results.append(ResultKey(Self.name(results.count), content))
        }
        results.append(.count(as: Self.name(results.count)))
        for aggregate in grouping.aggregates {
            guard let content = try? aggregate.resultKey(.ofValues).content else { return nil }
            results.append(ResultKey(Self.name(results.count), content))
        }
        self.results = results
        let scope = CheckScope(schema, entity: entity.name)
        let kinds = grouping.aggregates.map { $0.isExtreme ? $0.value.kinds(in: scope) : [] }
        guard kinds.allSatisfy({ $0 == [.boolean] || !$0.contains(.boolean) }) else { return nil }
        areBooleans = grouping.keys.map { _ in false } + [false] + kinds.map { $0 == [.boolean] }
    }

    /// A name that no key path has.
    private static func name(_ index: Int) -> String { ".\(index)" }

    /// The key paths, or the names of expressions, by which rows are grouped.
    private var names: [String] {
        results.prefix(grouping.keys.count).map { result in
            if case .keyPath(let path) = result.content { path } else { result.name }
        }
    }

    /// Returns the rows of all groups; nil if SQL cannot compute them, or if an error of a row must be reported.
    func rows(_ store: ObjectStore, _ request: PredicateFetchRequest) -> [[PredicateValue]]? {
        let rows = try? store.fetchGroups(Self.whole(request), results, by: names)
        guard let rows, areBooleans.contains(true) else { return rows }
        return rows.map { row in
            zip(row, areBooleans).map { value, isBoolean in
                if isBoolean, case .integer(let number) = value { .bool(number != 0) } else { value }
            }
        }
    }

    /// Returns SQLite's query plan; nil if SQL cannot compute the groups.
    func plan(_ store: ObjectStore, _ request: PredicateFetchRequest) -> String? {
        try? store.queryPlan(of: Self.whole(request), results, .grouped(by: names))
    }

    private static func whole(_ request: PredicateFetchRequest) -> PredicateFetchRequest {
        var request = request
        (request.limit, request.keys, request.prefetching) = (nil, nil, [])
        return request
    }

    /// Returns the number of objects in all groups.
    func count(of rows: [[PredicateValue]]) -> Int {
        rows.reduce(0) { sum, row in
            if case .integer(let count) = row[grouping.keys.count] { sum + Int(count) } else { sum }
        }
    }

    /// Returns the rows for which `--having` holds, in the order of `--sort`, or else by size or key.
    func written(_ rows: [[PredicateValue]]) throws(CommandFailure) -> [[PredicateValue]] {
        let held = try grouping.written(rows.sorted(by: precedes))
        guard let sort = query.sort else { return Array(query.page.rows(held)) }
        var sorter = RecordSorter<[PredicateValue]>(sort, limit: query.page.end)
        for row in held { sorter.add(row, values: try values(of: row, sort)) }
        return Array(query.page.rows(sorter.sorted()))
    }

    private func precedes(_ left: [PredicateValue], _ right: [PredicateValue]) -> Bool {
        let count = grouping.keys.count
        if grouping.isCount {
            let sizes = OrderKey(right[count]).compare(OrderKey(left[count]))
            if sizes != 0 { return sizes < 0 }
        }
        for index in 0..<count {
            let order = OrderKey(left[index]).compare(OrderKey(right[index]))
            if order != 0 { return order < 0 }
        }
        return false
    }

    private func values(of row: [PredicateValue], _ sort: SortOrder) throws(CommandFailure) -> [OrderKey] {
        do throws(EvaluationError) {
            return try sort.values(of: grouping.record(of: row))
        } catch {
            throw .evaluation(error)
        }
    }
}
