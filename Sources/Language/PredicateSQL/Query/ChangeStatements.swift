public import PredicateSyntax

extension SQLQuery {
    /// Returns the statement that changes the selected rows: `UPDATE "person" AS t0 SET "name" = ?1 WHERE …`
    ///
    /// The keys are attributes and to-one relationships; a relationship takes an ``SQLObjectID`` or nil. The version
    /// of a row is incremented unless a value is given for it. With `returningKeys` the statement returns the primary
    /// keys of the rows.
    ///
    /// A value that is an expression is computed for each row, from the values before the change: `["stock":
    /// .expression(FormatExpression("stock - 1").node)]` is `SET "stock" = t0."stock" - ?1`. It must have the kind of its
    /// key. If it is nil, so is the key; if it is an error of the row, such as arithmetic on nil, the row keeps its value. A
    /// number that the column's type cannot hold ends the statement, and so does nil in a column that is NOT NULL.
    /// ``functions(ofUpdate:)`` are the functions that it calls.
    /// - Throws: ``SQLCompilationError`` for a key without a column, a value of the wrong type, an empty set of
    ///   values, a query with a residual, a condition with joins on an entity whose rows have no key, and for
    ///   `returningKeys` on a database whose UPDATE returns no keys: MariaDB, MySQL.
    public func update(
        _ values: [String: PredicateValue], returningKeys: Bool = false
    ) throws(SQLCompilationError) -> SQLFragment {
        try updateStatement(values, returningKeys: returningKeys).statement
    }

    /// Returns the functions that an update calls, in its condition or in a value that is an expression.
    /// - Throws: ``SQLCompilationError`` as ``update(_:returningKeys:)`` does.
    public func functions(
        ofUpdate values: [String: PredicateValue]
    ) throws(SQLCompilationError) -> Set<SQLFunction> {
        try updateStatement(values, returningKeys: false).functions
    }

    package func updateStatement(
        _ values: [String: PredicateValue], returningKeys: Bool
    ) throws(SQLCompilationError) -> (statement: SQLFragment, functions: Set<SQLFunction>) {
        try checkComplete()
        if returningKeys, !has(.returnsUpdatedKeys) { throw noKeys(of: .update) }
        var writer = makeWriter()
        let assignments = try Assignments(values, of: self, ResultResolver(self, joins: false)).list
        guard !assignments.isEmpty else { throw SQLCompilationError(.nothingToUpdate) }
        writer.write("UPDATE ")
        writer.writeName(entityReference.table)
        writer.write(" AS t0 SET ")
        writer.writeList(assignments) { writer, assignment in
            writer.writeName(assignment.column.name)
            writer.write(" = ")
            writer.writeValue(of: assignment)
        }
        if let version = countedVersion(values) {
            writer.write(", ")
            writer.writeIncrement(of: version)
        }
        try writeRows(&writer, isDirect: isDirect(.readsWhatItChanges), isAliased: true)
        if returningKeys { try writer.writeReturning(entityReference) }
        return (try writer.checkedFragment(), body.functions.union(writer.functions))
    }

    /// Returns the statement that deletes the selected rows: `DELETE FROM "person" AS t0 WHERE …`
    ///
    /// With `returningKeys` the statement returns the primary keys of the rows.
    /// - Throws: ``SQLCompilationError`` for a query with a residual, a condition with joins on an entity whose rows have no
    ///   key, and for `returningKeys` on a database whose DELETE returns no keys: MySQL.
    public func delete(returningKeys: Bool = false) throws(SQLCompilationError) -> SQLFragment {
        try checkComplete()
        if returningKeys, !has(.returnsDeletedKeys) { throw noKeys(of: .delete) }
        var writer = makeWriter()
        let isAliased = !returningKeys || has(.aliasesWhatItDeletes)
        let piece = SQLPiece.deletion(SQLText(operand: 0), returningKeys: returningKeys)
        let table = entityReference.table
        _ = writer.writeTemplate(dialect.template(of: piece), or: "DELETE") { writer, _ in
            writer.writeName(table)
            return .atom
        }
        let isDirect = isAliased && isDirect(.readsWhatItChanges)
        try writeRows(&writer, isDirect: isDirect, isAliased: isAliased)
        if returningKeys { try writer.writeReturning(entityReference) }
        return try writer.checkedFragment()
    }

    func has(_ feature: SQLFeatures) -> Bool { compiler.writing.features.contains(feature) }

    private func noKeys(of change: SQLCompilationError.Change) -> SQLCompilationError {
        SQLCompilationError(.keysNotReturned(change, dialect: dialect.name))
    }

    /// Returns true for a condition that an UPDATE or DELETE can contain: without joins, without the number of a row, and with
    /// subqueries only if these may read the changed table.
    private func isDirect(_ feature: SQLFeatures) -> Bool {
        !body.joinsTables && !readsNumber && (!body.hasSubqueries || has(feature))
    }

    /// True if the condition contains the number of a row, which is not a column.
    var readsNumber: Bool {
        entity.numbersRows && body.condition.contains(entityReference.primaryKey.rootText)
    }

    func checkComplete() throws(SQLCompilationError) {
        guard let residual else { return }
        let text = residual.predicateFormat
        throw SQLCompilationError(.residualInChange, text: text, range: 0..<text.utf8.count)
    }

    /// Writes the condition. If the statement cannot contain it, writes a condition on the keys that the query selects.
    private func writeRows(
        _ writer: inout SQLWriter, isDirect: Bool, isAliased: Bool
    ) throws(SQLCompilationError) {
        if isDirect { return writer.writeWhere(body, bindings) }
        writer.write(" WHERE ")
        try writeSelectedKeys(&writer) { isAliased ? $0.writeColumn($1, of: 0) : $0.writeName($1.name) }
    }

    /// `t0."id" IN (SELECT t0."id" FROM … WHERE …)`: the rows whose keys the query selects.
    func writeSelectedKeys(
        _ writer: inout SQLWriter, _ write: (inout SQLWriter, ColumnReference) -> Void
    ) throws(SQLCompilationError) {
        let (keys, body, bindings) = (try entityReference.foundKeys, body, bindings)
        if keys.count > 1 { writer.write("(") }
        writer.writeList(keys, write)
        writer.write(keys.count > 1 ? ") IN " : " IN ")
        _ = writer.writeTemplate(writer.templates.selection, or: "a selection of keys") { writer, _ in
            writer.write("SELECT ")
            writer.writeList(keys) { $0.writeColumn($1, of: 0) }
            writer.writeTables(of: body.scope, nil)
            writer.writeWhere(body, bindings)
            return .or
        }
    }

    /// Returns the version column, unless a value is given for it.
    private func countedVersion(_ values: [String: PredicateValue]) -> ColumnReference? {
        guard let key = entity.versionKey, values[exactly: key] == nil,
            case .attribute(let attribute)? = entityReference.property(key)
        else { return nil }
        return attribute.column
    }
}

extension EntityReference {
    /// The columns that identify a row. Throws for rows that only have numbers.
    fileprivate var foundKeys: [ColumnReference] {
        get throws(SQLCompilationError) {
            guard !keys.isEmpty else { throw SQLCompilationError(.noKey(entity: entity.name)) }
            return keys
        }
    }
}

extension SQLWriter {
    /// ` RETURNING "id"`
    fileprivate mutating func writeReturning(_ entity: EntityReference) throws(SQLCompilationError) {
        write(" RETURNING ")
        writeList(try entity.foundKeys) { $0.writeName($1.name) }
    }

    /// `$1::text::"order_state"`
    fileprivate mutating func writeAssigned(_ value: ValueForm, _ conversion: SQLTemplate?) {
        guard let conversion else {
            _ = writeValue(value)
            return
        }
        _ = writeTemplate(conversion) { writer, _ in writer.writeValue(value) }
    }

    /// `COALESCE(t0."stock" * ?1, t0."held")`, `CASE WHEN t0."width" IS NOT NULL THEN … ELSE t0."height" END`
    fileprivate mutating func writeValue(of assignment: Assignments.Assignment) {
        let (value, conversion) = (assignment.value, assignment.column.conversion)
        switch assignment.ownValue {
        case .replaced:
            writeAssigned(value, conversion)
        case .keptForNull:
            write("COALESCE(")
            writeAssigned(value, conversion)
            write(", ")
            writeColumn(assignment.column.column, of: 0)
            write(")")
        case .keptForErrors(let failures):
            write("CASE WHEN ")
            writeCondition(.all(failures.map { .not(.isNull($0)) }))
            write(" THEN ")
            writeAssigned(value, conversion)
            write(" ELSE ")
            writeColumn(assignment.column.column, of: 0)
            write(" END")
        }
    }

    /// `"version" = COALESCE(t0."version", 0) + 1`
    fileprivate mutating func writeIncrement(of column: ColumnReference) {
        writeName(column.name)
        write(" = COALESCE(")
        writeColumn(column, of: 0)
        write(", 0) + 1")
    }
}

extension SQLCompiler {
    /// Returns the statement that inserts a row: `INSERT INTO "person" ("age", "full_name") VALUES (?1, ?2)`
    ///
    /// The keys are attributes and to-one relationships; a relationship takes an ``SQLObjectID`` or nil. Every other
    /// column gets its default. With `returningKey` the statement returns the primary key of the row.
    /// - Throws: ``SQLCompilationError`` for an unknown entity, a key without a column, a value of the wrong type,
    ///   and for `returningKey` on a database whose INSERT returns no keys: MySQL, whose clients provide the key of
    ///   the last row.
    public func insert(
        _ entity: String, _ values: [String: PredicateValue], returningKey: Bool = false
    ) throws(SQLCompilationError) -> SQLFragment {
        let statement = try InsertStatement(self, entity, keys: values.keys.sorted(), returningKey: returningKey)
        return SQLFragment(verbatim: statement.text, bindings: try statement.bindings { values[$0] ?? .null })
    }
}

/// A statement that inserts rows with values for the same keys, one row per run.
package struct InsertStatement {
    package let text: String
    private let columns: [AssignedColumn]
    /// The value of the discriminator, bound after the columns; nil without a discriminator.
    private let discriminator: SQLBinding?
    private let dialect: any SQLDialect

    package init(
        _ compiler: SQLCompiler, _ name: String, keys: [String], returningKey: Bool
    ) throws(SQLCompilationError) {
        guard let entity = compiler.index.entity(name) else {
            let nearMisses = NearMiss.candidates(for: name, among: compiler.schema.entities.keys)
            throw SQLCompilationError(.unknownEntity(name, nearMisses: nearMisses))
        }
        var columns: [AssignedColumn] = []
        for key in keys { columns.append(try AssignedColumn(key, of: entity, in: compiler.schema)) }
        if returningKey, !compiler.writing.features.contains(.returnsInsertedKeys) {
            throw SQLCompilationError(.keysNotReturned(.insert, dialect: compiler.dialect.name))
        }
        self.columns = columns
        discriminator = entity.entity.discriminator.map { $0.value.map(SQLBinding.integer) ?? .null }
        dialect = compiler.dialect
        text = try Self.text(compiler.writing, entity, columns, returningKey)
    }

    private static func text(
        _ dialect: CompilerDialect, _ entity: EntityReference, _ columns: [AssignedColumn], _ returningKey: Bool
    ) throws(SQLCompilationError) -> String {
        var writer = SQLWriter(dialect)
        writer.write("INSERT INTO ")
        writer.writeName(entity.table)
        let kind = entity.discriminator?.column.name
        let names = columns.map(\.name) + [kind].compactMap(\.self)
        let values =
            columns.map { ($0.parameterType(dialect.base), $0.conversion) } + (kind == nil ? [] : [(.integer, nil)])
        if names.isEmpty {
            writer.write(" ")
            _ = writer.writeTemplate(writer.templates.defaultValues, or: "a row of default values") { _, _ in .atom }
        } else {
            writer.write(" (")
            writer.writeList(names) { writer, name in writer.writeName(name) }
            writer.write(") VALUES (")
            writer.writeList(values.enumerated()) { writer, value in
                let (type, conversion) = value.element
                let parameter = SQLParameter(number: value.offset + 1, binding: .null, type: type)
                writer.writeAssigned(.parameter(parameter), conversion)
            }
            writer.write(")")
        }
        if returningKey { try writer.writeReturning(entity) }
        return try writer.checkedFragment().text
    }

    /// Returns the values of a row in the order of the parameters. Throws for a value of the wrong type.
    package func bindings(_ value: (String) -> PredicateValue) throws(SQLCompilationError) -> [SQLBinding] {
        var bindings: [SQLBinding] = []
        bindings.reserveCapacity(columns.count + 1)
        for column in columns { bindings.append(try column.binding(of: value(column.key), dialect).0) }
        if let discriminator { bindings.append(discriminator) }
        return bindings
    }
}

/// A column that a statement assigns: the column of an attribute or a to-one relationship.
struct AssignedColumn {
    let key: String
    let name: QuotedName
    /// The conversion of an assigned string to the column's own type; nil without one.
    var conversion: SQLTemplate?
    let type: SQLType
    /// The entity whose primary keys the column holds; nil for an attribute.
    let destination: SQLEntity?
    /// The column of an attribute, or of a relationship.
    let column: ColumnReference
    private let schema: SQLSchema
    /// True for external storage: the column's first byte indicates where the data is.
    private let isTagged: Bool

    /// Finds the column of a key. Throws for an unknown key, and for a key without a column.
    init(_ key: String, of entity: EntityReference, in schema: SQLSchema) throws(SQLCompilationError) {
        (self.key, self.schema) = (key, schema)
        isTagged = entity.entity.attributes[exactly: key]?.externalFolder != nil
        switch entity.property(key) {
        case .attribute(let attribute):
            (name, type, destination) = (attribute.column.name, attribute.type, nil)
            column = attribute.column
            conversion = attribute.column.assigned
            return
        case .toOne(let destination, let column):
            guard let destination = schema.entities[exactly: destination] else { break }
            (name, type, self.destination) = (column.name, destination.primaryKeyType, destination)
            self.column = column
            return
        case .toMany, .manyToMany: break
        case nil: throw SQLCompilationError(schema.missingKey(key, of: entity.entity))
        }
        throw SQLCompilationError(.notAColumn(key: key))
    }

    /// The type of the column's parameters.
    func parameterType(_ dialect: any SQLDialect) -> SQLBinding.ParameterType {
        type.binding(of: .null, dialect)?.1 ?? .text
    }

    /// Returns the binding that stores a value in the column. Throws for a value of the wrong type.
    func binding(
        of value: PredicateValue, _ dialect: any SQLDialect
    ) throws(SQLCompilationError) -> (SQLBinding, SQLBinding.ParameterType) {
        let (binding, type) = try type.binding(of: try primaryKey(value), for: key, dialect)
        guard isTagged, case .blob(let data) = binding else { return (binding, type) }
        return (.blob([1] + data), type)
    }

    private func leadsTo(_ id: SQLObjectID, _ destination: SQLEntity) -> Bool {
        if id.entity.hasSameCodePoints(as: destination.name) { return true }
        return schema.entities[exactly: id.entity].map { $0.sharesObjects(with: destination) } ?? false
    }

    /// Returns the primary key of an object; a value for an attribute is returned unchanged.
    private func primaryKey(_ value: PredicateValue) throws(SQLCompilationError) -> PredicateValue {
        guard let destination, !value.isNil else { return value }
        if case .object(let host) = value, let id = host.base as? SQLObjectID, leadsTo(id, destination) {
            return id.key
        }
        throw SQLCompilationError(
            .valueKind(
                key: key, expected: "an SQLObjectID of \(destination.name)",
                found: value.identityWords ?? value.operand.words))
    }
}

extension SQLType {
    /// Returns the binding that stores a value for a key. Throws for a value of the wrong type.
    fileprivate func binding(
        of value: PredicateValue, for key: String, _ dialect: any SQLDialect
    ) throws(SQLCompilationError) -> (SQLBinding, SQLBinding.ParameterType) {
        if let binding = binding(of: value, dialect) { return binding }
        throw SQLCompilationError(
            .valueKind(key: key, expected: ValueKind(self).operand.words, found: name(ofRefused: value)))
    }
}
