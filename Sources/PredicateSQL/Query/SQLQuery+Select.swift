public import PredicateSyntax

extension SQLQuery {
    /// `SELECT t0."id", t0."name" FROM … WHERE … ORDER BY … LIMIT …`: the primary key, then the columns of the keys.
    ///
    /// A key is an attribute, a to-one relationship (the primary key of the object it leads to), or a path to either
    /// through to-one relationships. Rows that the sort keys leave equal are ordered by primary key, so that pages do not
    /// overlap. A negative limit or offset counts as 0.
    /// - Throws: ``SQLCompilationError`` for a key that is no column.
    public func select(
        keys: [String], sortKeys: [SortKey] = [], limit: Int? = nil, offset: Int? = nil
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
        if let function = builder.writer.unregistered {
            throw SQLCompilationError(.notExpressible(.unregisteredFunction(function)))
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

    /// A key as its column, as it is kept.
    func column(_ key: String) throws(SQLCompilationError) -> ValueForm {
        switch try resolver.accepting(anyKind: .whole, { () throws(SQLCompilationError) in try resolved(key) }) {
        case .value(let value): return value.stored.form
        case .object(let object): return .column(object.key)
        case .constant, .collection, .list, .choice, .combined: throw SQLCompilationError(.notAColumn(key: key))
        }
    }

    private func resolved(_ key: String) throws(SQLCompilationError) -> Resolved {
        let keys = KeyPathExpression.keys(of: key)
        return try naming(key) { [resolver] () throws(Fault) in
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

    func order(_ keys: [SortKey]) throws(SQLCompilationError) -> [OrderTerm] {
        var terms: [OrderTerm] = []
        for key in keys { terms.append(try term(key)) }
        return terms
    }

    private func term(_ key: SortKey) throws(SQLCompilationError) -> OrderTerm {
        guard case .value(let value) = try resolved(key.keyPath) else {
            throw SQLCompilationError(.notAColumn(key: key.keyPath))
        }
        return try naming(key.keyPath) { () throws(Fault) in try resolver.orderTerm(value, key) }
    }

    /// A value as a parameter of this statement.
    func parameter(_ binding: SQLBinding, _ type: SQLBinding.ParameterType) -> SQLParameter {
        resolver.parameter(binding, type)
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
    mutating func writeOrder(_ order: [OrderTerm], isLimited: Bool) {
        guard !order.isEmpty || isLimited else { return }
        writer.writeOrder(order, then: query.entityReference.primaryKey, of: 0)
    }

    /// ` LIMIT 10 OFFSET 20`; numbers below 0 count as 0.
    mutating func writePage(_ limit: Int?, _ offset: Int?) {
        let forms = [limit, offset].map { count in
            count.map { resolver.form(.integer(Int64(max($0, 0))), .rowCount) }
        }
        writer.writePage(forms[0], forms[1])
    }
}
