import PredicateSyntax

/// Resolves the results of a statement.
struct ResultResolver {
    let query: SQLQuery
    let resolver: Resolver

    init(_ query: SQLQuery) {
        self.query = query
        resolver = Resolver(continuing: query)
    }

    /// Returns the columns and groups of the results.
    func results(_ keys: [ResultKey], _ rows: ResultRows) throws(SQLCompilationError) -> ResultsForm {
        guard !keys.isEmpty else { throw SQLCompilationError(.nothingToSelect) }
        try checkNames(keys)
        switch rows {
        case .all:
            var columns: [ResultForm] = []
            for key in keys { columns.append(try rowValue(key)) }
            return ResultsForm(columns: columns, count: columns.count, groups: nil, keys: [])
        case .distinct:
            for key in keys { try checkRow(key) }
            return try grouped(keys, by: keys.map(\.path))
        case .grouped(let paths, _): return try grouped(keys, by: paths)
        }
    }

    private func checkNames(_ keys: [ResultKey]) throws(SQLCompilationError) {
        for (index, key) in keys.enumerated() where keys[..<index].contains(where: { $0.isNamed(key.name) }) {
            throw SQLCompilationError(.duplicateResult(key.name))
        }
    }

    private func checkRow(_ key: ResultKey) throws(SQLCompilationError) {
        guard case .keyPath = key.content else { throw SQLCompilationError(.aggregateWithoutGroups(key.name)) }
    }

    // MARK: Rows

    /// Returns a value of each object, as its column stores it.
    private func rowValue(_ key: ResultKey) throws(SQLCompilationError) -> ResultForm {
        try checkRow(key)
        let resolved = try resolver.accepting(anyKind: .whole) { () throws(SQLCompilationError) in
            try resolver.resolve(key: key.path)
        }
        switch resolved {
        case .value(let value):
            return result(value.checked, key.name)
        case .object(let object): return link(object, key.name)
        case .collection(let collection):
            guard let array = collection.array, collection.isWholeArray else { break }
            return result(array, key.name)
        case .constant, .list, .choice, .combined: break
        }
        throw SQLCompilationError(.notAColumn(key: key.path))
    }

    /// Returns the result for a whole array, as its column stores it.
    private func result(_ array: ArrayForm, _ name: String) -> ResultForm {
        ResultForm(
            name: name, content: .value(.column(array.column)),
            type: .array(SQLType(array.reference.kind), array.reference.storage), destination: nil,
            mayBeNil: array.column.isNullable)
    }

    /// Returns the result for a value in its stored form.
    private func result(_ value: TypedValue, _ name: String) -> ResultForm {
        ResultForm(
            name: name, content: .value(value.stored.form), type: SQLType(value.kind), destination: nil,
            mayBeNil: value.mayBeNil, affinity: value.guarded.map { _ in .unknown })
    }

    private func link(_ object: ObjectForm, _ name: String) -> ResultForm {
        ResultForm(
            name: name, content: .value(.column(object.key)), type: object.entity.primaryKeyType,
            destination: object.reference, mayBeNil: object.mayBeNil)
    }

}

// MARK: - Groups

extension ResultResolver {
    private func grouped(_ keys: [ResultKey], by paths: [String]) throws(SQLCompilationError) -> ResultsForm {
        var groups: [GroupForm] = []
        for path in paths { groups.append(try group(path)) }
        var form = ResultsForm(columns: [], count: keys.count, groups: groups, keys: [])
        for key in keys { form.columns.append(try column(key, paths, groups)) }
        for (path, group) in zip(paths, groups) {
            if let index = keys.firstIndex(where: { $0.content == .keyPath(path) }) {
                form.keys.append(index)
            } else {
                form.keys.append(form.columns.count)
                form.columns.append(group.column)
            }
        }
        return form
    }

    private func column(
        _ key: ResultKey, _ paths: [String], _ groups: [GroupForm]
    ) throws(SQLCompilationError) -> ResultForm {
        switch key.content {
        case .keyPath(let path):
            guard let index = paths.firstIndex(where: { $0.hasSameCodePoints(as: path) }) else {
                throw SQLCompilationError(.notGrouped(path))
            }
            return groups[index].column.named(key.name)
        case .count:
            return ResultForm(
                name: key.name, content: .aggregate(.countRows), type: .integer, destination: nil, mayBeNil: false)
        case .aggregate(let aggregate, let path): return try column(aggregate, path, key.name)
        }
    }

    /// Returns a value to group by. It appears twice in the statement, so it must have no parameters: positional
    /// placeholders would bind two different values.
    private func group(_ path: String) throws(SQLCompilationError) -> GroupForm {
        let before = resolver.parameterCount
        switch try resolver.resolve(key: path) {
        case .object(let object):
            return GroupForm(
                form: .column(object.key), isText: object.entity.primaryKeyType == .string,
                column: grouping(link(object, path)))
        case .value(let value):
            let column = try group(value, path)
            let hasParameters = resolver.parameterCount > before && value.guarded == nil
            guard case .value(let form) = column.content, !hasParameters else { break }
            return GroupForm(form: form, isText: column.isText, column: grouping(column))
        case .constant, .collection, .list, .choice, .combined: break
        }
        throw SQLCompilationError(.notAColumn(key: path))
    }

    private func group(_ value: TypedValue, _ path: String) throws(SQLCompilationError) -> ResultForm {
        let distinct = try SQLCompilationError.naming(path) { () throws(CompilationFault) in
            try resolver.distinctValue(value, .root)
        }
        var column = result(distinct, path)
        column.affinity = value.guarded.map { _ in .unknown }
        return column
    }

    /// Returns the column of a value that rows are grouped by. If GROUP BY needs an expression around the column,
    /// such as an explicit collation, the column itself cannot be selected; MIN selects one of the equal strings of
    /// the group.
    private func grouping(_ column: ResultForm) -> ResultForm {
        guard column.isText, case .value(let form) = column.content,
            resolver.dialect.templates.comparable(form, ordered: false)?.isOperandItself != true
        else { return column }
        return ResultForm(
            name: column.name, content: .aggregate(.minimum(form, isText: true)), type: column.type,
            destination: column.destination, mayBeNil: column.mayBeNil, affinity: column.affinity)
    }

    private func column(
        _ aggregate: ResultKey.Aggregate, _ path: String, _ name: String
    ) throws(SQLCompilationError) -> ResultForm {
        // A comparison with nil works for every kind.
        let use = aggregate == .count ? AnyKindUse.whole : .none
        let resolved = try resolver.accepting(anyKind: use) { () throws(SQLCompilationError) in
            try resolver.resolve(key: path)
        }
        return try SQLCompilationError.naming(path) { () throws(CompilationFault) in
            try resolver.result(aggregate, of: resolved, path, name)
        }
    }
}

extension ResultForm {
    /// Returns the column under the name of a result.
    fileprivate func named(_ name: String) -> ResultForm {
        ResultForm(
            name: name, content: content, type: type, destination: destination, mayBeNil: mayBeNil, affinity: affinity)
    }
}

extension ResultKey {
    fileprivate func isNamed(_ other: String) -> Bool { name.hasSameCodePoints(as: other) }

    /// The key path; empty for the number of objects.
    var path: String {
        switch content {
        case .keyPath(let path), .aggregate(_, let path): path
        case .count: ""
        }
    }
}

extension Resolver {
    /// Returns a form of a value under which the database treats equal values as the same.
    func distinctValue(_ value: TypedValue, _ path: TreePath) throws(CompilationFault) -> TypedValue {
        if value.kind == .decimal, !dialect.features.contains(.decimalType) {
            throw CompilationFault(.storage(.decimal), at: path)
        }
        guard let column = value.guarded else { return try inSeconds(value.checked, path) }
        return TypedValue(form: column.distinct, kind: value.kind, mayBeNil: value.mayBeNil)
    }

    /// Returns an aggregate over the objects of a group, with the meaning of the collection operators.
    func result(
        _ aggregate: ResultKey.Aggregate, of resolved: Resolved, _ keyPath: String, _ name: String
    ) throws(CompilationFault) -> ResultForm {
        switch (aggregate, resolved) {
        case (.count, .object(let object)):
            return counted(.countValues(.column(object.key)), name)
        case (.countDistinct, .object(let object)):
            let isText = object.entity.primaryKeyType == .string
            return counted(.countDistinct(.column(object.key), isText: isText), name)
        case (_, .value(let value)): return try result(aggregate, of: value.checked, name)
        case (.sum, .object), (.average, .object), (.minimum, .object), (.maximum, .object):
            throw CompilationFault(.expected(.number, found: resolved.operand), at: .root)
        case (_, .constant), (_, .collection), (_, .list), (_, .choice), (_, .combined):
            throw CompilationFault(.notAColumn(key: keyPath), at: .root)
        }
    }

    private func result(_ aggregate: ResultKey.Aggregate, of value: TypedValue, _ name: String) throws(CompilationFault)
        -> ResultForm
    {
        switch aggregate {
        case .count: return counted(.countValues(value.stored.form), name)
        case .countDistinct:
            let value = try distinctValue(value, .root)
            return counted(.countDistinct(value.form, isText: value.kind.isText), name)
        case .sum:
            let (form, kind) = try sum(of: value, distinct: false, .root)
            return ResultForm(
                name: name, content: .aggregate(form), type: SQLType(kind), destination: nil,
                mayBeNil: kind == .decimal && mayFail(form))
        case .average:
            let (form, kind) = try average(of: value, distinct: false, .root)
            if case .decimalAverage = form { throw CompilationFault(.decimalArithmetic, at: .root) }
            return aggregated(form, SQLType(kind), name)
        case .minimum, .maximum:
            let (form, kind) = try extreme(aggregate == .minimum, of: value, .root)
            return aggregated(form, SQLType(kind), name)
        }
    }

    private func counted(_ form: AggregateForm, _ name: String) -> ResultForm {
        ResultForm(name: name, content: .aggregate(form), type: .integer, destination: nil, mayBeNil: false)
    }

    private func aggregated(_ form: AggregateForm, _ type: SQLType, _ name: String) -> ResultForm {
        ResultForm(name: name, content: .aggregate(form), type: type, destination: nil, mayBeNil: true)
    }
}

extension SQLType {
    /// Creates the type of a column with values of a kind. A power has the type double, because it may exceed 64
    /// bits; no key path refers to a power.
    init(_ kind: ValueKind) {
        switch kind {
        case .integer: self = .integer
        case .double, .power: self = .double
        case .decimal: self = .decimal
        case .boolean: self = .boolean
        case .string: self = .string
        case .date(let storage): self = .date(storage)
        case .uuid(let storage): self = .uuid(storage)
        case .data: self = .data
        case .any: self = .any
        }
    }
}
