public import PredicateSyntax

/// A compiled predicate: its condition, and the statements that wrap it.
///
/// `age >= 21` on `Person`: ``where`` is `t0."age" >= ?1` with `[21]`, and ``select`` is `SELECT t0."id" FROM
/// "person" AS t0 WHERE t0."age" >= ?1`.
///
/// A comparison for which the evaluator would report an error, such as an overflow or arithmetic on nil, selects no
/// row.
public struct SQLQuery: Sendable {
    /// The predicate that must still be evaluated for every selected row; nil if the SQL is complete.
    public let residual: FormatPredicate?
    /// The placeholders of the condition and of every statement: `query.placeholders = .plain`. They are numbered from 1 by
    /// default, as the dialect writes them.
    public var placeholders = SQLPlaceholders.numbered(from: 1)

    let compiler: SQLCompiler
    let entityReference: EntityReference
    let body: StatementBody
    /// The values of the condition's parameters.
    let bindings: [SQLBinding]

    var dialect: any SQLDialect { compiler.dialect }

    /// The entity that rows are selected from.
    package var entity: SQLEntity { entityReference.entity }
    /// The functions that the SQL calls and that the application must register.
    public var requiredFunctions: Set<SQLFunction> { requiredFunctions(among: body.functions) }
    /// Statements to run on every connection. They include the database's own time limit if the compiler's limits
    /// have a `statementTime`: `SET statement_timeout = 5000`. They change the connection for whoever uses it next. [NSP-423]
    public var setup: [String] {
        dialect.setup + (compiler.limits.statementTime.map { dialect.setup(endingStatementsAfter: $0) } ?? [])
    }
    /// The statements of ``setup`` for one transaction, to run at its beginning instead: `SET LOCAL TIME ZONE 'UTC'`. They
    /// leave a connection of a pool as it was. nil for a database whose settings stay with the connection, which is any but
    /// PostgreSQL.
    public var transactionSetup: [String]? { dialect.transactionSetup(of: setup) }
    /// Statements to run once in the database. They create functions.
    public var prelude: [String] { prelude(for: body.functions) }

    /// Returns those functions of a statement that the application must register.
    package func requiredFunctions(among functions: Set<SQLFunction>) -> Set<SQLFunction> {
        dialect.features.contains(.applicationFunctions) ? functions : []
    }

    /// Returns the prelude of a statement.
    package func prelude(for functions: Set<SQLFunction>) -> [String] { dialect.prelude(for: functions) }

    /// The condition on the root table, whose alias is `t0`. It may refer to tables that ``from`` joins.
    ///
    /// ``condition(on:)`` is the same condition for a statement of your own.
    public var `where`: SQLFragment {
        if placeholders.isDefault {
            return SQLFragment(verbatim: body.condition, bindings: bindings, types: body.types)
        }
        var writer = makeWriter()
        writer.writeCondition(of: body, bindings)
        return writer.fragment
    }

    /// The tables: `"person" AS t0 LEFT JOIN …`
    public var from: SQLFragment { SQLFragment(verbatim: body.tables) }

    /// The statement that returns the primary keys: `SELECT t0."id" FROM … WHERE …`. If several columns identify a row, it
    /// returns them; on SQLite it returns the row's number instead.
    public var select: SQLFragment {
        statement("SELECT \(entityReference.selectedKeys.map(\.rootText).joined(separator: ", ")) FROM ")
    }

    /// `SELECT COUNT(*) FROM … WHERE …`
    public var count: SQLFragment { statement("SELECT COUNT(*) FROM ") }

    /// `SELECT EXISTS (SELECT 1 FROM … WHERE …)`
    public var exists: SQLFragment { statement("SELECT EXISTS (SELECT 1 FROM ", ")") }

    /// The way in which placeholders refer to values: `numbered`, by number, or `positional`, by order.
    package var parameterOrder: String {
        placeholders.areNumbered(in: compiler.writing) ? "numbered" : "positional"
    }

    /// A writer of a statement with the placeholders of this query.
    func makeWriter() -> SQLWriter {
        var writer = SQLWriter(compiler.writing, placeholders)
        if readsNumber { writer.numberedRows.insert(0) }
        return writer
    }

    /// Returns true if both queries were made from one template.
    package func sharesBody(with other: SQLQuery) -> Bool { body === other.body }

    /// Wraps the tables and the condition.
    private func statement(_ opening: String, _ closing: String = "") -> SQLFragment {
        var writer = makeWriter()
        writer.writeText(opening)
        writer.writeText(body.tables)
        writer.writeWhere(body, bindings)
        writer.writeText(closing)
        return writer.fragment
    }
}

extension SQLQuery: CustomStringConvertible {
    /// The statement that returns the primary keys, with its values: `SELECT t0."id" FROM … WHERE t0."age" >= ?1
    /// [bigint 21]`
    public var description: String { select.description }
}

extension SQLQuery {
    /// Returns the statement that selects the primary key and the columns of some keys: `SELECT t0."id", t0."name"
    /// FROM … WHERE … ORDER BY … LIMIT …`
    ///
    /// A key is an attribute, a to-one relationship (the primary key of the related object), or a path to either
    /// through to-one relationships. Rows with equal sort keys are ordered by primary key, so that pages do not
    /// overlap. A negative limit or offset counts as 0.
    /// - Throws: ``SQLCompilationError`` for a key without a column.
    public func select(
        keys: [String], sortKeys: [SortKey] = [], limit: Int? = nil, offset: Int? = nil
    ) throws(SQLCompilationError) -> SQLFragment {
        try page(keys: keys, sortKeys: sortKeys, limit: limit, offset: offset).statement
    }

    /// Returns the same statement as ``select(keys:sortKeys:limit:offset:)``, with the functions that it calls.
    package func page(
        keys: [String], sortKeys: [SortKey], limit: Int?, offset: Int?
    ) throws(SQLCompilationError) -> (statement: SQLFragment, functions: Set<SQLFunction>) {
        let results = ResultResolver(self)
        var columns: [ValueForm] = []
        for key in keys { columns.append(try results.column(key)) }
        let order = try results.terms(sortKeys, [])
        var writer = makeWriter()
        writer.write("SELECT ")
        writer.writeList(entityReference.selectedKeys) { $0.writeColumn($1, of: 0) }
        for column in columns {
            writer.write(", ")
            writer.writeValue(column)
        }
        writeObjects(order, (limit.map { max($0, 0) }, offset.map { max($0, 0) }), nil, results, &writer)
        return (try writer.checkedFragment(), body.functions.union(writer.functions))
    }

    /// Writes the tables, the condition, the order and the page of a statement with a row for each object. A page needs a total
    /// order.
    func writeObjects(
        _ terms: [OrderTerm], _ page: ResultPage, _ order: TotalOrder?, _ results: ResultResolver,
        _ writer: inout SQLWriter
    ) {
        let scope = results.resolver.root.scope
        writer.noteNumbers(of: scope, in: terms.map(\.form))
        writer.writeTables(of: scope, nil)
        writer.writeWhere(body, bindings)
        if order != nil || !terms.isEmpty || page.limit != nil || page.offset != nil {
            writer.writeOrder(terms, then: entityReference.selectedKeys, of: 0, isReversed: order == .reversed)
        }
        writer.writePage(page, results.resolver)
    }
}

/// COUNT over columns that may hold values of several types.
extension SQLQuery {
    /// The columns with an upper bound that only excludes values of other types, each listed once.
    package var boundedColumns: [String] {
        var names: [String] = []
        for bound in body.bounds where !bound.column.hasSign {
            let name = bound.column.name.text
            if !names.contains(where: { $0.hasSameCodePoints(as: name) }) { names.append(name) }
        }
        return names
    }

    /// Returns the ``count`` statement that checks the index's maximum first: if the greatest value of each column
    /// shows that the upper bounds exclude nothing, it counts without them.
    ///
    /// `age > 21`:
    ///
    ///     SELECT CASE WHEN likely((SELECT MAX(t0."age") FROM "person" AS t0) <= 9e999)
    ///     THEN (SELECT COUNT(*) FROM "person" AS t0 WHERE t0."age" > ?1 AND 1)
    ///     ELSE (SELECT COUNT(*) FROM "person" AS t0 WHERE t0."age" > ?1 AND likely(t0."age" <= 9e999)) END
    ///
    /// It is a single statement, so that the maximum is taken over the rows that are counted. [NSP-336]
    package func count(withGreatestOf columns: [String]) -> SQLFragment {
        let bounds = body.bounds.filter { bound in
            columns.contains { $0.hasSameCodePoints(as: bound.column.name.text) }
        }
        guard !bounds.isEmpty, placeholders.isDefault, let root = body.scope.sources.first else { return count }
        var writer = SQLWriter(compiler.writing)
        writer.write("SELECT CASE WHEN ")
        writer.writeTests(of: bounds, root.table)
        writer.write(" THEN (")
        writer.writeText(count.text, without: bounds, conditionLength: body.condition.utf8.count)
        writer.write(") ELSE (")
        writer.writeText(count.text, without: [], conditionLength: body.condition.utf8.count)
        writer.write(") END")
        let limit = compiler.writing.limits.parserStack
        guard writer.missingPiece == nil, writer.unusableName == nil, writer.readStack <= limit else { return count }
        return SQLFragment(verbatim: writer.text(0..<writer.count), bindings: bindings, types: body.types)
    }
}

extension SQLWriter {
    /// Writes `likely((SELECT MAX(t0."age") FROM "person" AS t0) <= 9e999)` for each column, once.
    fileprivate mutating func writeTests(of bounds: [StatementBody.Bound], _ table: QuotedName) {
        var seen: [StatementBody.Bound] = []
        for bound in bounds where !seen.contains(where: { $0.hasSameTest(as: bound) }) {
            if !seen.isEmpty { write(" AND ") }
            seen.append(bound)
            writeOperand(.not) { writer in
                writer.writeTemplate(writer.templates.isStored[bound.storage], or: "values of several kinds") {
                    writer, _ in
                    writer.write("(SELECT MAX(")
                    writer.writeColumn(bound.column, of: 0)
                    writer.write(") FROM ")
                    writer.writeName(table)
                    writer.write(" AS t0)")
                    return .atom
                }
            }
        }
    }

    /// Writes a statement that ends with a condition, with TRUE in place of each bound.
    fileprivate mutating func writeText(_ text: String, without bounds: [StatementBody.Bound], conditionLength: Int) {
        let bytes = Array(text.utf8)
        let start = bytes.count - conditionLength
        var position = 0
        for bound in bounds {
            writeBytes(bytes[position..<start + bound.range.lowerBound])
            writeCondition(.always)
            position = start + bound.range.upperBound
        }
        writeBytes(bytes[position...])
    }
}

extension StatementBody.Bound {
    fileprivate func hasSameTest(as other: StatementBody.Bound) -> Bool {
        storage == other.storage && column.name.text.hasSameCodePoints(as: other.column.name.text)
    }
}

/// The tables and the condition of a compiled predicate, written once: the part that every statement wraps.
///
/// `age >= 21`: the tables are `"person" AS t0`, the condition is `t0."age" >= ?1`.
///
/// The values of parameters are not part of it, so that predicates that differ only in constants share a body.
///
/// `@unchecked`: the scope is only read; it is copied before tables are added.
final class StatementBody: @unchecked Sendable {
    /// A placeholder in the condition.
    struct Placeholder: Equatable {
        /// Its range in the condition, as UTF-8 offsets.
        var range: Range<Int>
        /// The index of its value among the bindings.
        let binding: Int
        let type: SQLBinding.ParameterType
    }

    /// A part of the condition that excludes values of other types: `likely(t0."age" <= 9e999)` in
    /// `t0."age" > ?1 AND likely(t0."age" <= 9e999)`.
    struct Bound {
        /// Its range in the condition, as UTF-8 offsets.
        var range: Range<Int>
        /// The column of the root table.
        let column: ColumnReference
        let storage: SQLPiece.Storage
    }

    /// `"person" AS t0 LEFT JOIN …`
    let tables: String
    let condition: String
    let placeholders: [Placeholder]
    let bounds: [Bound]
    /// The types of the values, in order.
    let types: [SQLBinding.ParameterType]
    /// True if the condition holds for every row, so that statements need no WHERE.
    let isAlways: Bool
    /// True if the condition contains subqueries.
    let hasSubqueries: Bool
    /// True if other constants may have other SQL, so that it is no template.
    let dependsOnConstants: Bool
    let functions: Set<SQLFunction>
    let size: StatementSize
    let scope: TableScope
    /// The number of aliases in use. A statement that adds tables numbers them from here.
    let aliasCount: Int

    init(
        tables: String, condition: String, placeholders: [Placeholder], bounds: [Bound], isAlways: Bool,
        hasSubqueries: Bool, dependsOnConstants: Bool, functions: Set<SQLFunction>, size: StatementSize,
        scope: TableScope, aliasCount: Int
    ) {
        self.tables = tables
        self.condition = condition
        self.placeholders = placeholders
        self.bounds = bounds
        types = placeholders.types
        self.isAlways = isAlways
        self.hasSubqueries = hasSubqueries
        self.dependsOnConstants = dependsOnConstants
        self.functions = functions
        self.size = size
        self.scope = scope
        self.aliasCount = aliasCount
    }

    var joinsTables: Bool { scope.sources.count > 1 }

    /// Returns true if another body has the same SQL, so that one can replace the other.
    func hasSameText(as other: StatementBody) -> Bool {
        tables == other.tables && condition == other.condition && placeholders == other.placeholders
            && isAlways == other.isAlways
    }
}

extension SQLWriter {
    /// Writes ` WHERE …`, with parameters numbered after the ones already written; nothing if every row is selected.
    mutating func writeWhere(_ body: StatementBody, _ bindings: [SQLBinding]) {
        if body.isAlways { return }
        write(" WHERE ")
        writeCondition(of: body, bindings)
    }

    /// Writes the condition, with parameters numbered after those that are already written.
    mutating func writeCondition(of body: StatementBody, _ bindings: [SQLBinding]) {
        let bytes = Array(body.condition.utf8)
        var position = 0
        for placeholder in body.placeholders {
            writeBytes(bytes[position..<placeholder.range.lowerBound])
            let (number, value) = (placeholder.binding + 1, bindings[placeholder.binding])
            writeParameter(SQLParameter(number: number, binding: value, type: placeholder.type))
            position = placeholder.range.upperBound
        }
        writeBytes(bytes[position...])
    }
}
