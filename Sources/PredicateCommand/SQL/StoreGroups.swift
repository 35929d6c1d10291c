import PredicateChecks
import PredicateEvaluation
import PredicateQuery
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
        guard var results = grouping.keys.numberedResults(in: entity),
            !grouping.aggregates.contains(where: { $0.value.isHidden(in: entity) })
        else { return nil }
        (self.grouping, self.query) = (grouping, query)
        results.append(ResultKey.count(as: "").numbered(results.count))
        for aggregate in grouping.aggregates {
            guard let result = try? aggregate.resultKey() else { return nil }
            results.append(result.numbered(results.count))
        }
        self.results = results
        let scope = CheckScope(schema, entity: entity.name)
        let kinds = grouping.aggregates.map { $0.isExtreme ? $0.value.kinds(in: scope) : [] }
        guard kinds.allSatisfy({ $0 == [.boolean] || !$0.contains(.boolean) }) else { return nil }
        areBooleans = grouping.keys.map { _ in false } + [false] + kinds.map { $0 == [.boolean] }
    }

    /// The names by which rows are grouped.
    private var names: [String] { results.prefix(grouping.keys.count).map(\.nameInGroups) }

    /// Returns the rows of all groups; nil if SQL cannot compute them, or if an error of a row must be reported.
    func rows(_ store: ObjectStore, _ request: PredicateFetchRequest) -> [[PredicateValue]]? {
        let rows = try? store.fetchGroups(request.ofAllObjects, results, by: names)
        guard let rows, areBooleans.contains(true) else { return rows }
        return rows.map { row in
            zip(row, areBooleans).map { value, isBoolean in
                if isBoolean, case .integer(let number) = value { .bool(number != 0) } else { value }
            }
        }
    }

    /// Returns SQLite's query plan; nil if SQL cannot compute the groups.
    func plan(_ store: ObjectStore, _ request: PredicateFetchRequest) -> String? {
        try? store.queryPlan(of: request.ofAllObjects, results, .grouped(by: names))
    }

    /// Returns the number of objects in all groups.
    func count(of rows: [[PredicateValue]]) -> Int {
        rows.reduce(0) { sum, row in
            if case .integer(let count) = row[grouping.keys.count] { sum + Int(count) } else { sum }
        }
    }

    /// Returns the rows for which `--having` holds, in the order of `--sort`, or else by size or key.
    func written(_ rows: [[PredicateValue]]) throws(CommandFailure) -> [[PredicateValue]] {
        Array(try query.page(of: grouping.held(rows.sorted(by: precedes)), grouping.record))
    }

    private func precedes(_ left: [PredicateValue], _ right: [PredicateValue]) -> Bool {
        let count = grouping.keys.count
        if grouping.isCount {
            let sizes = OrderedValue(right[count]).compare(OrderedValue(left[count]))
            if sizes != 0 { return sizes < 0 }
        }
        for index in 0..<count {
            let order = OrderedValue(left[index]).compare(OrderedValue(right[index]))
            if order != 0 { return order < 0 }
        }
        return false
    }
}

extension PredicateFetchRequest {
    /// The same objects, all of them, for statements with results of their own.
    var ofAllObjects: PredicateFetchRequest {
        var request = self
        (request.limit, request.keys, request.prefetching) = (nil, nil, [])
        return request
    }
}
