import PredicateSyntax

/// Resolves the results of a statement.
struct ResultResolver {
    let query: SQLQuery
    let resolver: Resolver

    /// Creates a resolver for a statement that has the tables of the condition, or only the first of them.
    init(_ query: SQLQuery, joins: Bool = true) {
        self.query = query
        resolver = Resolver(continuing: query, joins: joins)
    }

    /// Returns a column for each result of an object.
    func results(_ keys: [ResultKey]) throws(SQLCompilationError) -> ResultsForm {
        try checkNames(keys)
        var columns: [ResultForm] = []
        for key in keys { columns.append(try rowValue(key)) }
        return ResultsForm(columns: columns, count: columns.count, groups: nil, keys: [], sources: [:])
    }

    /// Returns the columns of a statement with distinct rows.
    func distinctResults(_ keys: [ResultKey]) throws(SQLCompilationError) -> ResultsForm {
        for key in keys { try checkRow(key) }
        return try results(keys, by: keys.compactMap(\.source))
    }

    /// Returns the columns and groups of results. A key path that is the name of an expression groups by the expression.
    func results(_ keys: [ResultKey], by sources: [ResultSource]) throws(SQLCompilationError) -> ResultsForm {
        try checkNames(keys)
        let expressions = keys.compactMap { key -> (ExactName, ResultSource)? in
            if case .expression(let expression) = key.content {
                (ExactName(key.name), .expression(expression))
            } else {
                nil
            }
        }
        let named = Dictionary(expressions) { first, _ in first }
        return try grouped(
            keys,
            by: sources.map { source in
                if case .keyPath(let path) = source { named[path] ?? source } else { source }
            })
    }

    private func checkNames(_ keys: [ResultKey]) throws(SQLCompilationError) {
        guard !keys.isEmpty else { throw SQLCompilationError(.nothingToSelect) }
        var seen: Set<ExactName> = []
        for key in keys where !seen.insert(ExactName(key.name)).inserted {
            throw SQLCompilationError(.duplicateResult(key.name))
        }
    }

    private func checkRow(_ key: ResultKey) throws(SQLCompilationError) {
        guard key.source != nil else { throw SQLCompilationError(.aggregateWithoutGroups(key.name)) }
    }

    // MARK: Rows

    /// Returns the column of a key, in its stored form.
    func column(_ key: String) throws(SQLCompilationError) -> ValueForm {
        guard case .value(let form) = try rowValue(ResultKey(key)).content else {
            throw SQLCompilationError(.notAColumn(key: key))
        }
        return form
    }

    /// Returns a value of each object, as its column stores it.
    private func rowValue(_ key: ResultKey) throws(SQLCompilationError) -> ResultForm {
        try checkRow(key)
        if case .expression(let expression) = key.content { return result(try value(of: expression), key.name) }
        guard case .keyPath(let path) = key.content else { throw SQLCompilationError(.notAColumn(key: key.name)) }
        let resolved = try resolver.accepting(anyKind: .whole) { () throws(SQLCompilationError) in
            try resolver.resolve(key: path)
        }
        switch resolved {
        case .value(let value):
            return result(value.checked, key.name)
        case .object(let object): return link(object, key.name)
        case .collection(let collection):
            guard let array = collection.array, resolved.isArrayColumn else { break }
            return result(array, key.name)
        case .constant, .list, .choice, .combined: break
        }
        throw SQLCompilationError(.notAColumn(key: path))
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
        let document = value.member?.document
        return ResultForm(
            name: name, content: .value(document ?? value.stored.form),
            type: document == nil ? SQLType(value.kind) : .json, destination: nil, mayBeNil: value.mayBeNil,
            affinity: value.guarded.map { _ in .unknown })
    }

    private func link(_ object: ObjectForm, _ name: String) -> ResultForm {
        ResultForm(
            name: name, content: .value(.column(object.key)), type: object.entity.primaryKeyType,
            destination: object.reference, mayBeNil: object.mayBeNil)
    }

}

// MARK: - Groups

extension ResultResolver {
    private func grouped(_ keys: [ResultKey], by sources: [ResultSource]) throws(SQLCompilationError) -> ResultsForm {
        var groups: [GroupForm] = []
        for source in sources { groups.append(try group(source)) }
        var form = ResultsForm(
            columns: [], count: keys.count, groups: groups, keys: [], sources: .init(places: sources))
        for key in keys { form.columns.append(try column(key, form.sources, groups)) }
        let results = [ResultSource: Int](places: keys.map(\.source))
        for (source, group) in zip(sources, groups) {
            if let index = results[source] {
                form.keys.append(index)
            } else {
                form.keys.append(form.columns.count)
                form.columns.append(group.column)
            }
        }
        for (index, column) in form.keys.enumerated() where groups[index].hasParameters {
            groups[index].position = try position(of: column, form)
        }
        form.groups = groups
        return form
    }

    /// Returns the position by which rows are grouped. The column must be the value itself, not its minimum.
    private func position(of column: Int, _ form: ResultsForm) throws(SQLCompilationError) -> Int? {
        if query.placeholders.areNumbered(in: resolver.dialect) { return nil }
        guard column < form.count, case .value = form.columns[column].content else {
            let piece = "groups by this expression of strings with constants"
            throw SQLCompilationError(
                .notExpressible(.function(piece, dialect: resolver.dialect.name)), text: form.columns[column].name,
                range: 0..<form.columns[column].name.utf8.count)
        }
        return column + 1
    }

    private func column(
        _ key: ResultKey, _ places: [ResultSource: Int], _ groups: [GroupForm]
    ) throws(SQLCompilationError) -> ResultForm {
        switch key.content {
        case .keyPath, .expression:
            guard let source = key.source, let index = places[source] else {
                throw SQLCompilationError(.notGrouped(key.name))
            }
            return groups[index].column.named(key.name)
        case .count:
            return ResultForm(
                name: key.name, content: .aggregate(.countRows), type: .integer, destination: nil, mayBeNil: false)
        case .aggregate(let aggregate, let path): return try column(aggregate, path, key.name)
        case .aggregateOfExpression(let aggregate, let expression):
            let value = try value(of: expression)
            return try expression.locating { () throws(CompilationFault) in
                try resolver.result(aggregate, of: .value(value), key.name, key.name)
            }
        }
    }

    /// Returns a value to group by. It appears twice in the statement. The key path of a value has no parameters.
    private func group(_ source: ResultSource) throws(SQLCompilationError) -> GroupForm {
        let before = resolver.parameterCount
        switch source {
        case .keyPath(let name):
            let path = name.text
            switch try resolver.resolve(key: path) {
            case .object(let object):
                return GroupForm(
                    form: .column(object.key), isText: object.entity.primaryKeyType == .string,
                    column: grouping(link(object, path)))
            case .value(let value):
                let group = try group(value, path, hasParameters: resolver.parameterCount > before)
                if !group.hasParameters { return group }
            case .constant, .collection, .list, .choice, .combined: break
            }
            throw SQLCompilationError(.notAColumn(key: path))
        case .expression(let expression):
            let value = try value(of: expression)
            let name = expression.expressionFormat
            return try group(value, name, hasParameters: resolver.parameterCount > before)
        }
    }

    private func group(
        _ value: TypedValue, _ name: String, hasParameters: Bool
    ) throws(SQLCompilationError) -> GroupForm {
        let column = try group(value, name)
        guard case .value(let form) = column.content else { throw SQLCompilationError(.notAColumn(key: name)) }
        if column.isText, form.hasSubquery, !resolver.dialect.features.contains(.groupsBySubqueries) {
            let piece = "groups by a string that a collection gives"
            throw SQLCompilationError(
                .notExpressible(.function(piece, dialect: resolver.dialect.name)), text: name,
                range: 0..<name.utf8.count)
        }
        return GroupForm(
            form: form, isText: column.isText, column: grouping(column),
            hasParameters: hasParameters && value.guarded == nil)
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
    /// The value of a row; nil for a number of objects and an aggregate.
    var source: ResultSource? {
        switch content {
        case .keyPath(let path): .keyPath(ExactName(path))
        case .expression(let expression): .expression(expression)
        case .count, .aggregate, .aggregateOfExpression: nil
        }
    }
}

/// A value of a row, by which rows may be grouped.
enum ResultSource: Hashable {
    case keyPath(ExactName)
    case expression(FormatExpression)
}

extension [ResultSource: Int] {
    /// Maps each source to the index of its first occurrence.
    fileprivate init(places sources: [ResultSource?]) {
        self.init()
        for (place, source) in sources.enumerated() {
            if let source, self[source] == nil { self[source] = place }
        }
    }
}

// MARK: - Errors of rows

extension ResultResolver {
    /// Returns a value that is 1 for a row in which an expression, or the operand of a numeric aggregate, is an error although
    /// none of its columns is nil, and 0 for any other row; nil if there can be no such error.
    func failure(in keys: [ResultKey]) throws(SQLCompilationError) -> ValueForm? {
        var tests: [ConditionForm] = []
        for key in keys {
            guard let value = try failingValue(key) else { continue }
            for part in value.form.parts {
                let columns = part.columns.map { ConditionForm.not(.isNull(.column($0))) }
                tests.append(.all([.isNull(part)] + columns))
            }
        }
        return tests.isEmpty ? nil : .conditional(.any(tests), .word("1"), .word("0"))
    }

    /// Returns the value of a key that may be an error.
    private func failingValue(_ key: ResultKey) throws(SQLCompilationError) -> TypedValue? {
        switch key.content {
        case .expression(let expression), .aggregateOfExpression(_, let expression):
            let value = try value(of: expression)
            return value.mayBeNil ? value : nil
        case .aggregate(let aggregate, let path) where aggregate.takesNumbers:
            guard case .value(let value) = try resolver.resolve(key: path), value.guarded != nil else { return nil }
            return try SQLCompilationError.naming(path) { () throws(CompilationFault) in
                try resolver.addend(value, .root)
            }
        case .aggregate(.minimum, let path), .aggregate(.maximum, let path):
            // A string that is not a date is NULL in seconds.
            guard case .value(let value) = try resolver.resolve(key: path), case .date = value.kind else { return nil }
            return try SQLCompilationError.naming(path) { () throws(CompilationFault) in
                try resolver.inSeconds(value.checked, .root)
            }
        case .keyPath, .count, .aggregate: return nil
        }
    }
}

extension ValueForm {
    /// The value and the computed values in it, each of which may be an error.
    fileprivate var parts: [ValueForm] {
        if case .aggregate = self { return [] }
        // It would be called without the condition in front of it.
        if case .call(.mixedKinds, _) = self { return [] }
        return isPlain ? [] : [self] + operands.flatMap(\.parts)
    }

    /// True if a subquery gives the value, or a part of it.
    fileprivate var hasSubquery: Bool {
        if case .aggregate = self { true } else { operands.contains(where: \.hasSubquery) }
    }

    /// The columns of the row from which the value is computed.
    fileprivate var columns: [ColumnForm] {
        switch self {
        case .column(let column): [column]
        case .guarded(let column): [column.column]
        case .call(.mixedKinds, _): []
        case .parameter, .word, .null, .aggregate, .arithmetic, .checked, .cast, .call, .conditional:
            operands.flatMap(\.columns)
        }
    }
}

// MARK: - Expressions

extension ResultResolver {
    /// Returns the value of an expression. NULL stands for nil, and for an error of the row.
    func value(of expression: FormatExpression) throws(SQLCompilationError) -> TypedValue {
        try query.compiler.review(expression)
        return try expression.locating { () throws(CompilationFault) in
            let resolved = try resolver.resolve(expression.node, .root)
            var value = try resolver.result(of: resolved, .root)
            (value.mayBeNil, value.failures) = (value.mayBeNil || !value.failures.isEmpty || value.mayBeNaN, [])
            return value
        }
    }
}

extension FormatExpression {
    /// Runs `body`. Its errors refer to nodes of the expression.
    func locating<Result>(
        _ body: () throws(CompilationFault) -> Result
    ) throws(SQLCompilationError) -> Result {
        do throws(CompilationFault) {
            return try body()
        } catch {
            throw SQLCompilationError(error.code, node: error.path.nodeNumber(in: .expression(node)), in: self)
        }
    }
}

extension Resolver {
    /// Returns an expression as a single value of one kind.
    func result(of resolved: Resolved, _ path: TreePath) throws(CompilationFault) -> TypedValue {
        switch resolved {
        case .value(let value):
            try checkAverage(value, path)
            if value.kind == .power { throw CompilationFault(.kindDependsOnRow, at: path) }
            if value.kind == .any { throw CompilationFault(.mixedKinds("of the rows"), at: path) }
            return value.checked
        case .constant(let constant):
            guard let value = value(of: constant) else {
                throw CompilationFault(.value(constant.operand.words), at: path)
            }
            return value
        case .choice(let test, let first, let second): return try choice(test, first, second, path)
        case .object, .collection, .list, .combined: throw CompilationFault(.collectionValue, at: path)
        }
    }

    /// `TERNARY(p, a, b)`: both branches must have one kind.
    private func choice(
        _ test: ConditionForm, _ first: Resolved, _ second: Resolved, _ path: TreePath
    ) throws(CompilationFault) -> TypedValue {
        if first.isNil { return try choice(test.negated, second, first, path) }
        var value = try result(of: first, path).ofOneKind
        value.failures = value.failures.map { $0.failure(where: test) }
        if second.isNil {
            value.form = .conditional(test, value.form, .null)
        } else {
            let other = try result(of: second, path).ofOneKind
            guard other.kind == value.kind else { throw CompilationFault(.kindDependsOnRow, at: path) }
            value.form = .conditional(test, collated(value), collated(other))
            value.failures += other.failures.map { $0.failure(where: test.negated) }
        }
        value.mayBeNil = true
        return value
    }
}

extension ValueForm {
    /// `CASE WHEN done AND stock IS NULL THEN NULL ELSE 0 END`: NULL means an error of a value that only some rows have.
    fileprivate func failure(where test: ConditionForm) -> ValueForm {
        .conditional(.all([test, .isNull(self)]), .null, .word("0"))
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
