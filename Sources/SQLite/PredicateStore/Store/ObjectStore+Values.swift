import PredicateEvaluation
package import PredicateQuery
internal import PredicateSQL
package import PredicateSyntax

// The rows that `predicate filter` writes: values of objects, of groups, and distinct values

extension ObjectStore {
    /// Returns the groups of a query over the objects that a request selects, in any order, or its distinct rows, in the order
    /// of the first object of each. Returns nil if an expression fails for an object, if a result is an object, or if distinct
    /// values are of a type other than number, date or string, for which memory may find other duplicates.
    package func fetchRows(
        of query: FormatQuery, _ request: PredicateFetchRequest
    ) throws(StoreError) -> [[PredicateValue]]? {
        let selection = try selection(of: query, request)
        guard isPlain(selection, query) else { return nil }
        let found = try ResultCursor(self, selection).rest()
        guard found.allSatisfy({ $0.last != .integer(1) }) else { return nil }
        return found.map { Array($0.prefix(query.keys?.count ?? 0)) }
    }

    /// Returns a cursor over values of the objects that a request selects; nil if one of the values is an object.
    package func fetchValues(
        _ request: PredicateFetchRequest, _ values: [ResultKey]
    ) throws(StoreError) -> ValueCursor? {
        let query = FormatQuery(values)
        var request = request
        var selection = try selection(of: query, request)
        guard isPlain(selection, query) else { return nil }
        // Dates in strings, in a zone other than UTC, are read through objects.
        if core.compiler.textZone != nil, selection.columns.contains(where: \.isDateInString) { return nil }
        if selection.functions.contains(.mixedKinds), try RequestPage(request).isWhole, request.sortKeys.isEmpty {
            // Reading may have to continue in memory after some row.
            request.limit = .max
            selection = try self.selection(of: query, request)
        }
        return try ValueCursor(self, request, selection)
    }

    /// Returns SQLite's query plan for the groups, distinct rows or values of a query.
    package func queryPlan(
        of query: FormatQuery, _ request: PredicateFetchRequest
    ) throws(StoreError) -> String {
        try plan(of: try selection(of: query, request).statement)
    }

    /// Returns true if SQL sorts the objects of a request by some values as memory does: the values are numbers, dates or
    /// strings, and neither they nor `others` fail for an object.
    package func hasOrder(
        of values: [ResultKey], beside others: [ResultKey], _ request: PredicateFetchRequest
    ) throws(StoreError) -> Bool {
        let checked = values.map { $0.aggregated(.minimum) } + others.map { $0.aggregated(.count) }
        if checked.isEmpty { return true }
        let query = FormatQuery(
            checked.enumerated().map { ResultKey(".\($0)", $1.content) }, groupedBy: [])
        let selection = try selection(of: query, request)
        guard isPlain(selection, query) else { return false }
        let hasDates = selection.columns.contains { if case .date = $0.type { true } else { false } }
        guard hasDates || !others.isEmpty || values.contains(where: \.isExpression) else { return true }
        return try fetchRows(of: query, request) != nil
    }

    /// Returns the statement for the results of a query, with the order and page of a request. Its last column marks errors.
    private func selection(
        of query: FormatQuery, _ request: PredicateFetchRequest
    ) throws(StoreError) -> ResultSelection {
        let page = try RequestPage(request)
        var parts = ResultParts(query.keys ?? [])
        (parts.groups, parts.isDistinct, parts.sortKeys) = (query.groups, query.isDistinct, request.sortKeys)
        (parts.limit, parts.offset) = (page.limit, page.offset > 0 ? page.offset : nil)
        (parts.isOrdered, parts.tellsErrors) = (query.isDistinct, true)
        let compiled = try self.query(request.predicate, request.entity, request.variables, mode: .exact)
        return try compiling { () throws(SQLCompilationError) in try compiled.select(parts) }
    }

    /// Returns true if a query returns no objects, and memory orders minima, maxima and distinct values as SQL does.
    private func isPlain(_ selection: ResultSelection, _ query: FormatQuery) -> Bool {
        zip(selection.columns, query.keys ?? []).allSatisfy { column, key in
            column.entity == nil && (column.isOrdered || !query.isDistinct && !key.isExtreme)
        }
    }
}

extension ResultKey {
    fileprivate var isExpression: Bool {
        if case .expression = content { true } else { false }
    }

    fileprivate var isExtreme: Bool { aggregate == .minimum || aggregate == .maximum }
}

/// The values of the objects that a request selects, one object at a time.
package final class ValueCursor {
    /// An object of the request.
    package enum Row {
        case values([PredicateValue])
        /// An object for which an expression may fail: the caller computes its values, or reports the error.
        case object(StoredObject)
    }

    private let store: ObjectStore
    private let request: PredicateFetchRequest
    private let rows: ResultCursor
    /// The number of rows so far.
    private var count = 0
    /// The remaining objects, if a value of another type than its column's has ended the statement.
    private var objects: ObjectCursor?

    fileprivate init(
        _ store: ObjectStore, _ request: PredicateFetchRequest, _ selection: ResultSelection
    ) throws(StoreError) {
        (self.store, self.request) = (store, request)
        rows = try ResultCursor(store, selection)
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
        guard let row = try rows.next() else { return nil }
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
        case .integer, .double, .single, .decimal, .boolean, .string, .paddedString, .date, .uuid, .data, .array, .any,
            .json:
            false
        }
    }

    /// True for values of a type that memory orders in the same way.
    fileprivate var isOrdered: Bool {
        switch type {
        case .integer, .double, .single, .boolean, .string, .date: true
        case .paddedString, .decimal, .uuid, .data, .array, .any, .json: false
        }
    }
}
