public import PredicateSyntax

extension SQLCompiler {
    /// `INSERT INTO "person" ("age", "full_name") VALUES (?1, ?2)`: a new row with values for some keys.
    ///
    /// Keys are attributes, and to-one relationships, which take an ``SQLObjectID`` or nil. Every other column has its
    /// default. With `returningKey` the statement returns the primary key of the row.
    /// - Throws: ``SQLCompilationError`` for an unknown entity, a key that is no column, a value of another kind, and, where the key
    ///   is to be returned, a database whose INSERT returns none: MySQL, whose clients tell the key of the last row.
    public func insert(
        _ entity: String, _ values: [String: PredicateValue], returningKey: Bool = false
    ) throws(SQLCompilationError) -> SQLFragment {
        let statement = try InsertStatement(self, entity, keys: values.keys.sorted(), returningKey: returningKey)
        return SQLFragment(statement.text, bindings: try statement.bindings { values[$0] ?? .null })
    }
}

/// A statement that inserts rows with values for the same keys, one after another.
package struct InsertStatement {
    package let text: String
    private let columns: [AssignedColumn]
    /// The value that tells a row of the entity from others of its table, after the columns.
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
            throw SQLCompilationError(.keysNotReturned(statement: "INSERT", dialect: compiler.dialect.name))
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
        let types = columns.map { $0.parameterType(dialect.base) } + (kind == nil ? [] : [.integer])
        if names.isEmpty {
            writer.write(" ")
            _ = writer.writeTemplate(writer.templates.defaultValues, or: "a row of default values") { _, _ in .atom }
        } else {
            writer.write(" (")
            writer.writeList(names) { writer, name in writer.writeName(name) }
            writer.write(") VALUES (")
            writer.writeList(types.enumerated()) { writer, type in
                writer.writeParameter(SQLParameter(number: type.offset + 1, binding: .null, type: type.element))
            }
            writer.write(")")
        }
        if returningKey {
            writer.write(" RETURNING ")
            writer.writeName(entity.primaryKey.name)
        }
        do throws(Fault) {
            try writer.checkLimits()
        } catch {
            throw SQLCompilationError(error.code)
        }
        return writer.fragment.text
    }

    /// The values of a row in the order of the parameters. Throws for a value of another kind.
    package func bindings(_ value: (String) -> PredicateValue) throws(SQLCompilationError) -> [SQLBinding] {
        var bindings: [SQLBinding] = []
        bindings.reserveCapacity(columns.count + 1)
        for column in columns { bindings.append(try column.binding(of: value(column.key), dialect).0) }
        if let discriminator { bindings.append(discriminator) }
        return bindings
    }
}
