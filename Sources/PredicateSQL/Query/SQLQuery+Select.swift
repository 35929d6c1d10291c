import PredicateSyntax

extension SQLQuery {
    /// `SELECT t0."id", t0."name" FROM … WHERE … ORDER BY … LIMIT …`: the primary key, then the columns of the keys.
    ///
    /// A key is an attribute, a to-one relationship (the primary key of the object it leads to), or a path to either
    /// through to-one relationships. Rows that the sort keys leave equal are ordered by primary key, so that pages do not
    /// overlap.
    /// - Throws: ``SQLCompilationError`` for a key that is no column.
    public func select(
        keys: [String], sortKeys: [SQLSortKey] = [], limit: Int? = nil, offset: Int? = nil
    ) throws(SQLCompilationError) -> SQLFragment {
        var builder = StatementBuilder(self)
        var columns = [body.primaryKey]
        for key in keys { columns.append(try builder.column(key)) }
        let order = try builder.order(sortKeys, isLimited: limit != nil || offset != nil)
        let page = builder.page(limit, offset)
        return builder.fragment(
            "SELECT \(SQLText.joined(columns, by: ", "))\(builder.from())\(body.whereClause)\(order)\(page)")
    }

    /// `SELECT COUNT(*) FROM … WHERE …`
    public var count: SQLFragment {
        SQLFragment(body.select("SELECT COUNT(*)"), dialect)
    }

    /// `SELECT EXISTS (SELECT 1 FROM … WHERE …)`
    public var exists: SQLFragment {
        SQLFragment("SELECT EXISTS (\(body.select("SELECT 1")))", dialect)
    }
}

/// Adds tables and parameters to those of a condition.
struct StatementBuilder {
    private let query: SQLQuery
    private let resolver: Resolver
    private var emitter: Emitter

    init(_ query: SQLQuery) {
        self.query = query
        emitter = Emitter(query.dialect)
        resolver = Resolver(query.schema, query.dialect, query.entity, continuing: query.body)
    }

    /// The tables, with those that the keys of this statement need.
    mutating func from() -> SQLText {
        emitter.from(resolver.root.scope, nil)
    }

    func fragment(_ piece: SQLText) -> SQLFragment {
        SQLFragment(piece, query.dialect)
    }

    /// A key as its column, as it is kept.
    mutating func column(_ key: String) throws(SQLCompilationError) -> SQLText {
        switch try resolved(key) {
        case .value(let value): return emitter.text(value.form)
        case .object(let object): return emitter.text(.column(object.key))
        case .constant, .collection, .list, .choice, .combined: throw SQLCompilationError(.notAColumn(key: key))
        }
    }

    private func resolved(_ key: String) throws(SQLCompilationError) -> Resolved {
        let keys = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        return try placed(key) { () throws(Fault) in
            try resolver.follow(keys[...], from: .object(resolver.root), .root)
        }
    }

    /// Runs something whose faults are about one key.
    private func placed<Result>(_ key: String, _ body: () throws(Fault) -> Result) throws(SQLCompilationError) -> Result
    {
        do throws(Fault) {
            return try body()
        } catch {
            throw SQLCompilationError(error.code, text: key, range: 0..<key.utf8.count)
        }
    }

    /// ` ORDER BY …`; a page needs an order that leaves nothing open.
    mutating func order(_ keys: [SQLSortKey], isLimited: Bool) throws(SQLCompilationError) -> SQLText {
        guard !keys.isEmpty || isLimited else { return "" }
        var terms: [SQLText] = []
        for key in keys { terms.append(try term(key)) }
        return " ORDER BY \(SQLText.joined(terms + [query.body.primaryKey], by: ", "))"
    }

    private mutating func term(_ key: SQLSortKey) throws(SQLCompilationError) -> SQLText {
        guard case .value(let value) = try resolved(key.keyPath) else {
            throw SQLCompilationError(.notAColumn(key: key.keyPath))
        }
        let form = try placed(key.keyPath) { () throws(Fault) in try orderable(value, key) }
        let piece = value.kind == .string ? emitter.comparable(form, ordered: true) : emitter.text(form)
        return query.dialect.nullsFirst(piece, ascending: key.ascending)
    }

    private func orderable(_ value: Value, _ key: SQLSortKey) throws(Fault) -> ValueForm {
        switch value.kind {
        case .string: return try resolver.folded(value.form, key.options.foldMode, .root)
        case .date(.iso8601): return try resolver.plain(value, .root).form
        case .decimal where !query.dialect.features.contains(.decimalType):
            throw Fault(.storage("a decimal number"), at: .root)
        case .integer, .double, .decimal, .boolean, .date, .uuid, .data: return value.checked.form
        }
    }

    /// ` LIMIT 10 OFFSET 20`; numbers below 0 count as 0.
    func page(_ limit: Int?, _ offset: Int?) -> SQLText {
        if limit == nil, offset == nil { return "" }
        let parameters = [limit, offset].map { $0.map { number in parameter(max(number, 0)) } }
        return " \(query.dialect.limit(parameters[0], offset: parameters[1]))"
    }

    private func parameter(_ number: Int) -> SQLText {
        SQLText(resolver.parameter(.integer(Int64(number)), .integer))
    }

    /// A value for a column, as the column keeps it.
    func parameter(
        for value: PredicateValue, of type: SQLType, key: String
    ) throws(SQLCompilationError) -> SQLText {
        guard let (binding, parameterType) = type.binding(of: value, query.dialect) else {
            throw SQLCompilationError(.valueKind(key: key, expected: ValueKind(type).name, found: value.kindName))
        }
        return SQLText(resolver.parameter(binding, parameterType))
    }

    mutating func name(_ identifier: String) -> SQLText {
        emitter.name(identifier)
    }
}
