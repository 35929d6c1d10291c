import PredicateEvaluation
internal import PredicateSQL
package import PredicateSyntax

// The rows that `predicate filter` writes: values of objects, of groups, and distinct values

extension ObjectStore {
    /// Returns the results of each group in order, followed by the least primary key of the group if `withLeastKey` is true.
    /// `names` are the results that group. Returns nil if an expression fails for a row, or if a result is an object.
    package func fetchGroups(
        _ request: PredicateFetchRequest, _ results: [ResultKey], by names: [String], withLeastKey: Bool = false
    ) throws(StoreError) -> [[PredicateValue]]? {
        let query = try query(request.predicate, request.entity, request.variables, mode: .exact)
        let selection = try compiling { () throws(SQLCompilationError) in
            try query.selectGroups(results, by: names, withLeastKey: withLeastKey)
        }
        guard zip(selection.columns, results).allSatisfy({ $0.isPlain(as: $1) }) else { return nil }
        let rows = try rows(of: selection.statement)
        let found = try core.explaining { () throws(StoreError) in try rows.all() }
        guard found.allSatisfy({ $0.last != .integer(1) }) else { return nil }
        return found.map { row in zip(row, selection.columns).dropLast().map { $1.type.value(of: $0) } }
    }
}

extension ObjectStore {
    /// Returns a cursor over values of the objects that a request selects; nil if one of the values is an object.
    package func fetchValues(
        _ request: PredicateFetchRequest, _ values: [ResultKey]
    ) throws(StoreError) -> ValueCursor? {
        var request = request
        var selection = try rowSelection(request, values)
        guard zip(selection.columns, values).allSatisfy({ $0.isPlain(as: $1) }) else { return nil }
        // Dates in strings, in a zone other than UTC, are read through objects.
        if core.compiler.textZone != nil, selection.columns.contains(where: \.isDateInString) { return nil }
        if selection.functions.contains(.mixedKinds), try RequestPage(request).isWhole, request.sortKeys.isEmpty {
            // Reading may have to continue in memory after some row.
            request.limit = .max
            selection = try rowSelection(request, values)
        }
        return try ValueCursor(self, request, selection)
    }

    /// Returns SQLite's query plan for the same values.
    package func queryPlan(
        of request: PredicateFetchRequest, values: [ResultKey]
    ) throws(StoreError) -> String {
        try plan(of: try rowSelection(request, values).statement)
    }

    private func rowSelection(
        _ request: PredicateFetchRequest, _ values: [ResultKey]
    ) throws(StoreError) -> ResultSelection {
        let page = try RequestPage(request)
        let query = try query(request.predicate, request.entity, request.variables, mode: .exact)
        return try compiling { () throws(SQLCompilationError) in
            try query.selectRows(
                values, sortKeys: request.sortKeys, limit: page.limit, offset: page.offset > 0 ? page.offset : nil)
        }
    }

    /// Returns true if SQL sorts the objects of a request by some values as memory does: the values are numbers, dates or
    /// strings, and no expression fails for an object.
    package func hasOrder(
        of values: [ResultKey], _ request: PredicateFetchRequest
    ) throws(StoreError) -> Bool {
        if values.isEmpty { return true }
        guard let selection = try leastValues(values, request) else { return false }
        let hasDates = selection.columns.contains { if case .date = $0.type { true } else { false } }
        guard hasDates || values.contains(where: \.isExpression) else { return true }
        let rows = try rows(of: selection.statement)
        return try core.explaining { () throws(StoreError) in try rows.all() }.allSatisfy { $0.last != .integer(1) }
    }

    /// Returns the distinct rows of some values, each followed by the least primary key of its objects. Returns nil if the
    /// values are not numbers, dates or strings, which memory may distinguish differently, or if an expression fails for an
    /// object.
    package func fetchDistinct(
        _ request: PredicateFetchRequest, _ values: [ResultKey]
    ) throws(StoreError) -> [[PredicateValue]]? {
        guard try leastValues(values, request) != nil else { return nil }
        return try fetchGroups(request, values, by: values.map(\.nameInGroups), withLeastKey: true)
    }

    /// Returns a statement that selects the minimum of each value; nil if a value is not a number, a date or a string.
    private func leastValues(
        _ values: [ResultKey], _ request: PredicateFetchRequest
    ) throws(StoreError) -> ResultSelection? {
        let query = try query(request.predicate, request.entity, request.variables, mode: .exact)
        let extremes = values.map(\.minimum)
        let selection = try compiling { () throws(SQLCompilationError) in
            try query.selectGroups(extremes, by: [])
        }
        return zip(selection.columns, extremes).allSatisfy { $0.isPlain(as: $1) } ? selection : nil
    }
}

extension ResultKey {
    /// The minimum of the values.
    fileprivate var minimum: ResultKey {
        switch content {
        case .keyPath(let path): ResultKey(name, .aggregate(.minimum, of: path))
        case .expression(let expression): ResultKey(name, .aggregateOfExpression(.minimum, expression))
        case .count, .aggregate, .aggregateOfExpression: self
        }
    }

    fileprivate var isExpression: Bool {
        if case .expression = content { true } else { false }
    }
}

/// The values of the objects that a request selects, one object at a time.
package final class ValueCursor {
    /// An object of the request.
    package enum Row {
        case values([PredicateValue])
        /// An object for which an expression may fail: memory computes the values, or reports the error.
        case object(StoredObject)
    }

    private let store: ObjectStore
    private let request: PredicateFetchRequest
    private let rows: SQLiteRows
    private let columns: [ResultSelection.Column]
    /// The number of rows so far.
    private var count = 0
    /// The objects that follow a row with a value of a kind other than its column's; such a row ends the statement.
    private var objects: ObjectCursor?

    fileprivate init(
        _ store: ObjectStore, _ request: PredicateFetchRequest, _ selection: ResultSelection
    ) throws(StoreError) {
        (self.store, self.request, columns) = (store, request, selection.columns)
        rows = try store.rows(of: selection.statement)
    }

    /// Returns the next row, or nil after the last.
    package func next() throws(StoreError) -> Row? {
        if let objects { return try objects.next().map(Row.object) }
        do throws(StoreError) {
            let row = try nextValues()
            count += 1
            return row
        } catch {
            guard case .mixedKinds = error.code else { throw error }
            objects = try store.fetchCursor(request.dropping(count))
            return try next()
        }
    }

    private func nextValues() throws(StoreError) -> Row? {
        let row = try store.core.explaining { () throws(StoreError) in
            try rows.next { statement in columns.indices.map { columns[$0].type.value(of: statement.value($0)) } }
        }
        guard let row else { return nil }
        let count = row.count - 2
        if row[count + 1] == .integer(0) { return .values(Array(row.prefix(count))) }
        return StoredObject(store.core, SQLObjectID(request.entity, key: row[count])).map(Row.object)
    }
}

extension PredicateFetchRequest {
    /// The request without its first objects.
    fileprivate func dropping(_ count: Int) -> PredicateFetchRequest {
        var request = self
        request.offset = (offset ?? 0) + count
        request.limit = limit.map { max(0, $0 - count) }
        return request
    }
}

extension ResultSelection.Column {
    fileprivate var isDateInString: Bool {
        switch type {
        case .date(.iso8601), .date(.timestamp): true
        case .integer, .double, .single, .decimal, .boolean, .string, .paddedString, .date, .uuid, .data, .array, .any:
            false
        }
    }

    /// True for a value that is not an object and, as a minimum or maximum, has a type that memory orders the same way.
    fileprivate func isPlain(as result: ResultKey) -> Bool {
        guard entity == nil else { return false }
        switch result.content {
        case .aggregate(.minimum, _), .aggregate(.maximum, _), .aggregateOfExpression(.minimum, _),
            .aggregateOfExpression(.maximum, _):
            break
        case .keyPath, .count, .aggregate, .expression, .aggregateOfExpression: return true
        }
        switch type {
        case .integer, .double, .single, .boolean, .string, .date: return true
        case .paddedString, .decimal, .uuid, .data, .array, .any: return false
        }
    }
}
