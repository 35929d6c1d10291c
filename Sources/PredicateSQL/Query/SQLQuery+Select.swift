import PredicateSyntax

extension SQLQuery {
    /// `SELECT t0."id", t0."name" FROM … WHERE … ORDER BY … LIMIT …`: the primary key, then the columns of the keys.
    ///
    /// A key is an attribute, a to-one relationship (the primary key of the object it leads to), or a path to either
    /// through to-one relationships. Rows that the sort keys leave equal are ordered by primary key, so that pages do not
    /// overlap. A negative limit or offset counts as 0.
    /// - Throws: ``SQLCompilationError`` for a key that is no column.
    public func select(
        keys: [String], sortKeys: [SQLSortKey] = [], limit: Int? = nil, offset: Int? = nil
    ) throws(SQLCompilationError) -> SQLFragment {
        var builder = StatementBuilder(self)
        var columns: [ValueForm] = []
        for key in keys { columns.append(try builder.column(key)) }
        let order = try builder.order(sortKeys)
        builder.writeSelect(columns)
        builder.writeWhere()
        builder.writeOrder(order, isLimited: limit != nil || offset != nil)
        builder.writePage(limit, offset)
        if let piece = builder.writer.missingPiece {
            throw SQLCompilationError(.notExpressible(.function(piece, dialect: dialect.name)))
        }
        return builder.writer.fragment
    }
}

/// Adds tables and parameters to those of a condition.
struct StatementBuilder: ~Copyable {
    private let query: SQLQuery
    private let resolver: Resolver
    var writer: SQLWriter

    init(_ query: SQLQuery) {
        self.query = query
        writer = SQLWriter(query.compiler.writing)
        resolver = Resolver(continuing: query)
    }

    /// A key that rows are ordered by.
    struct Term {
        let form: ValueForm
        let isText: Bool
        let ascending: Bool
    }

    /// A key as its column, as it is kept.
    func column(_ key: String) throws(SQLCompilationError) -> ValueForm {
        switch try resolver.accepting(anyKind: true, { () throws(SQLCompilationError) in try resolved(key) }) {
        case .value(let value): return value.form
        case .object(let object): return .column(object.key)
        case .constant, .collection, .list, .choice, .combined: throw SQLCompilationError(.notAColumn(key: key))
        }
    }

    private func resolved(_ key: String) throws(SQLCompilationError) -> Resolved {
        let keys = key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        return try naming(key) { () throws(Fault) in
            try resolver.follow(keys[...], from: .object(resolver.root), .root)
        }
    }

    /// Runs `body`; its error is one about a key.
    private func naming<Result>(_ key: String, _ body: () throws(Fault) -> Result) throws(SQLCompilationError) -> Result
    {
        do throws(Fault) {
            return try body()
        } catch {
            throw SQLCompilationError(error.code, text: key, range: 0..<key.utf8.count)
        }
    }

    func order(_ keys: [SQLSortKey]) throws(SQLCompilationError) -> [Term] {
        var terms: [Term] = []
        for key in keys { terms.append(try term(key)) }
        return terms
    }

    private func term(_ key: SQLSortKey) throws(SQLCompilationError) -> Term {
        guard case .value(let value) = try resolved(key.keyPath) else {
            throw SQLCompilationError(.notAColumn(key: key.keyPath))
        }
        let form = try naming(key.keyPath) { () throws(Fault) in try orderable(value, key) }
        return Term(form: form, isText: value.kind == .string, ascending: key.ascending)
    }

    private func orderable(_ value: Value, _ key: SQLSortKey) throws(Fault) -> ValueForm {
        switch value.kind {
        case .string:
            let form = try resolver.folded(value.form, key.options.foldMode, .root)
            guard resolver.dialect.templates.comparable(form, ordered: true) != nil else {
                throw Fault(.function("an order of texts", dialect: query.dialect.name), at: .root)
            }
            return form
        case .date(.iso8601): return try resolver.inSeconds(value, .root).form
        case .decimal where !query.dialect.features.contains(.decimalType):
            throw Fault(.storage(.decimal), at: .root)
        case .integer, .double, .power, .decimal, .boolean, .date, .uuid, .data, .any: return value.checked.form
        }
    }

    /// A value for a column, as the column keeps it.
    func parameter(
        for value: PredicateValue, of type: SQLType, key: String
    ) throws(SQLCompilationError) -> SQLParameter {
        guard let (binding, parameterType) = type.binding(of: value, query.dialect) else {
            var found = value.kindName
            if case .date = type, case .date = value { found += " past the years of ISO 8601" }
            throw SQLCompilationError(.valueKind(key: key, expected: ValueKind(type).name, found: found))
        }
        return resolver.parameter(binding, parameterType)
    }
}

// MARK: - Text

extension StatementBuilder {
    /// `SELECT t0."id", t0."name" FROM …`, with the tables that the keys of this statement need.
    mutating func writeSelect(_ columns: [ValueForm]) {
        writer.write("SELECT ")
        writer.writeColumn(query.entityReference.primaryKey, of: 0)
        for column in columns {
            writer.write(", ")
            writer.writeValue(column)
        }
        writer.writeTables(of: resolver.root.scope, nil)
    }

    mutating func writeWhere() {
        writer.writeWhere(query.body, query.bindings)
    }

    /// ` ORDER BY …`; a page needs an order that leaves nothing open.
    mutating func writeOrder(_ order: [Term], isLimited: Bool) {
        guard !order.isEmpty || isLimited else { return }
        writer.write(" ORDER BY ")
        for term in order {
            let piece = SQLPiece.nullsFirst(SQLText(operand: 0), ascending: term.ascending)
            let template = query.dialect.text(of: piece).map(SQLTemplate.init)
            _ = writer.writeTemplate(template, or: "an order") { writer, _ in
                term.isText ? writer.writeComparable(term.form, ordered: true) : writer.writeValue(term.form)
            }
            writer.write(", ")
        }
        writer.writeColumn(query.entityReference.primaryKey, of: 0)
    }

    /// ` LIMIT 10 OFFSET 20`; numbers below 0 count as 0.
    mutating func writePage(_ limit: Int?, _ offset: Int?) {
        if limit == nil, offset == nil { return }
        let piece = SQLPiece.limit(
            limit.map { _ in SQLText(operand: 0) }, offset: offset.map { _ in SQLText(operand: 1) })
        let template = query.dialect.text(of: piece).map(SQLTemplate.init)
        let parameters = [limit, offset].map { resolver.form(.integer(Int64(max($0 ?? 0, 0))), .integer) }
        writer.write(" ")
        _ = writer.writeTemplate(template, or: "a page") { writer, operand in writer.writeValue(parameters[operand]) }
    }
}
