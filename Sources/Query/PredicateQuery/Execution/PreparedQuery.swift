import PredicateEvaluation
import PredicateSyntax

/// A query whose predicates and expressions are prepared. [NSP-513]
///
/// WHERE selects elements, which are grouped if the query has groups. The other clauses are passes over the elements, or over
/// one record for each group, with the names of the results as its keys.
///
/// The elements may themselves be records of groups, with `names` as their keys.
struct PreparedQuery {
    private let condition: PredicateEvaluator?
    private let groups: GroupedResults?
    private let passes: RowPasses
    /// The columns; nil for whole elements.
    private let columns: [(String, ExpressionEvaluator)]?
    private let settings: QuerySettings

    init(_ query: FormatQuery, _ settings: QuerySettings, names: [String]? = nil) throws(EvaluationError) {
        self.settings = settings
        condition = try query.predicate.map { (predicate) throws(EvaluationError) in try settings.evaluator(predicate) }
        groups = try GroupedResults(query, settings)
        let names =
            names.map { ResultNames(columns: $0, keys: []) } ?? groups?.names ?? ResultNames(elements: query.keys ?? [])
        let keys =
            groups?.columns.map { ($0, FormatExpression(key: $0)) } ?? query.keys?.map { ($0.name, $0.expression) }
        columns = try keys.map { (keys) throws(EvaluationError) in
            Array(zip(keys.map(\.0), try settings.evaluators(keys.map(\.1))))
        }
        passes = try Self.passes(query, names, columns?.map(\.1), settings)
    }

    private static func passes(
        _ query: FormatQuery, _ names: ResultNames, _ columns: [ExpressionEvaluator]?, _ settings: QuerySettings
    ) throws(EvaluationError) -> RowPasses {
        let having = try query.having.map { (having) throws(EvaluationError) in
            try settings.evaluator(names.condition(having))
        }
        let firstOfKeys = try query.limitByKey.map { (limit) throws(EvaluationError) in
            (limit: limit.limit, keys: try settings.evaluators(names.values(of: limit.keys)))
        }
        var order: [(SortKey, FormatExpression)] = []
        for key in query.sortKeys { order.append((key, try names.value(of: key.value, named: key.keyPath))) }
        let whole = columns == nil && query.isDistinct ? [try settings.evaluator(.object)] : nil
        return RowPasses(
            having: having, firstOfKeys: firstOfKeys, distinct: query.isDistinct ? columns ?? whole : nil,
            order: try RowOrder(order, settings), isOrdered: !order.isEmpty, page: query.page, settings: settings)
    }

    // MARK: - Execution

    /// Returns the resulting rows, made from elements or from groups.
    func results<Element>(of elements: UnsafeBufferPointer<Element>) throws(EvaluationError) -> QueryResults {
        let numbers = try matching(elements)
        guard let groups else { return try results(of: elements, passes.numbers(elements, numbers)) }
        let records = try groups.records(elements, numbers)
        return try records.withUnsafeBufferPointer { records in
            Result { () throws(EvaluationError) in
                try results(of: records, passes.numbers(records, Array(records.indices)))
            }
        }.get()
    }

    /// Returns the numbers of the selected elements, in the order of the query.
    func numbers<Element>(of elements: UnsafeBufferPointer<Element>) throws(EvaluationError) -> [Int] {
        if groups != nil { throw EvaluationError(.notEvaluable("GROUP BY")) }
        return try passes.numbers(elements, matching(elements))
    }

    private func matching<Element>(_ elements: UnsafeBufferPointer<Element>) throws(EvaluationError) -> [Int] {
        guard let condition else { return Array(elements.indices) }
        return try elements.indices(matching: condition, variables: settings.variables)
    }

    private func results<Row>(
        of rows: UnsafeBufferPointer<Row>, _ numbers: [Int]
    ) throws(EvaluationError) -> QueryResults {
        guard let columns else { return try wholeResults(of: rows, numbers) }
        let reader = RowReader(rows, columns.map(\.1), settings)
        var results = QueryResults(columns: columns.map(\.0), rows: [])
        results.rows.reserveCapacity(numbers.count)
        for number in numbers { results.rows.append(try reader.values(of: number)) }
        return results
    }

    /// Returns the values of all keys of rows, or the rows themselves if they have no keys.
    private func wholeResults<Row>(
        of rows: UnsafeBufferPointer<Row>, _ numbers: [Int]
    ) throws(EvaluationError) -> QueryResults {
        let reader = RowReader(rows, [try settings.evaluator(.object)], settings)
        var (names, known): ([String], Set<String>) = ([], [])
        for number in numbers {
            for name in reader.memberNames(of: number) where known.insert(name).inserted { names.append(name) }
        }
        var results = QueryResults(columns: names.isEmpty ? ["SELF"] : names, rows: [])
        for number in numbers {
            let value = try reader.value(of: number, 0)
            guard !names.isEmpty, case .dictionary(let members) = value else {
                results.rows.append([value] + Array(repeating: .null, count: max(names.count - 1, 0)))
                continue
            }
            results.rows.append(names.map { members[exactly: $0] ?? .null })
        }
        return results
    }
}
