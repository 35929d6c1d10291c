import PredicateSyntax

/// The statements that declare tables in a database, for every schema and model.
package struct Declarations: Sendable {
    /// `CREATE TABLE` for each table, without what needs the rows or other tables to be there.
    package private(set) var tables: [SQLText] = []
    /// The foreign keys that are not declared with their tables, and the indexes. They follow the rows, so that rows can
    /// be written in any order.
    package private(set) var constraints: [SQLText] = []

    /// Throws `undeclarable` for a type that the database lacks.
    package init(_ tables: [TableDeclaration], for engine: SQLEngine) throws(SQLSchemaError) {
        var writer = DeclarationWriter(engine, tables)
        for table in tables { self.tables.append(try writer.statement(of: table)) }
        for table in tables { constraints += writer.links(of: table) }
        for table in tables { constraints += writer.indexes(of: table) }
    }
}

extension [SQLText] {
    /// The statements of a script. Throws `undeclarable` for a name that the database cannot hold.
    package func statements(for engine: SQLEngine) throws(SQLSchemaError) -> [String] {
        var statements: [String] = []
        for text in self { statements.append(try text.statement(for: engine)) }
        return statements
    }
}

/// Writes the declarations of one table after another.
private struct DeclarationWriter {
    private let engine: SQLEngine
    /// The primary keys that foreign keys refer to, by table.
    private let keys: [String: String]
    /// The tables that are declared before the current one.
    private var declared: Set<String> = []
    private var names: UniqueNames

    init(_ engine: SQLEngine, _ tables: [TableDeclaration]) {
        self.engine = engine
        keys = Dictionary(
            tables.compactMap { table in table.primaryKey.first.map { (table.name, $0) } }, uniquingKeysWith: { $1 })
        names = UniqueNames(for: engine)
        for table in tables { _ = names.add(table.name) }
    }

    // MARK: - Tables

    /// `CREATE TABLE "Shelf" ("Z_PK" bigint PRIMARY KEY, "name" text NOT NULL, UNIQUE ("name"))`
    mutating func statement(of table: TableDeclaration) throws(SQLSchemaError) -> SQLText {
        var lines: [SQLText] = []
        for column in table.columns { lines.append(try line(of: column, in: table)) }
        if engine.hasConstraints {
            lines += table.columns.compactMap(check)
            if table.primaryKey.count > 1 { lines.append("PRIMARY KEY (\(SQLText.names(table.primaryKey)))") }
            lines += table.unique.filter { names in
                table.columns.allSatisfy { !names.contains($0.name) || engine.indexesWhole($0.type) }
            }.map { "UNIQUE (\(SQLText.names($0)))" }
        }
        declared.insert(table.name)
        let list = SQLText.joined(lines, by: ",\n    ")
        return "CREATE TABLE \(name: table.name) (\n    \(list)\n)\(engine.tableEnding)"
    }

    /// `"count" smallint NOT NULL DEFAULT 1`
    private func line(of column: ColumnDeclaration, in table: TableDeclaration) throws(SQLSchemaError) -> SQLText {
        guard let type = engine.declaration(of: column.type) else {
            throw SQLSchemaError(undeclarable: "the type of \(table.name).\(column.name)", in: engine)
        }
        let isKey = engine.hasConstraints && table.primaryKey == [column.name]
        let presence: SQLText = isKey ? " PRIMARY KEY" : column.isOptional ? "" : " NOT NULL"
        return "\(name: column.name) \(type)\(presence)\(defaultClause(of: column))\(reference(of: column))"
    }

    /// ` DEFAULT 3`; empty for none.
    private func defaultClause(of column: ColumnDeclaration) -> SQLText {
        guard engine.hasConstraints, let value = column.rules.defaultValue,
            let literal = engine.literal(of: value, as: column.type)
        else { return "" }
        return engine.isMySQL ? " DEFAULT (\(literal))" : " DEFAULT \(literal)"
    }

    /// ` REFERENCES "Shelf" ("Z_PK")`; empty if the foreign key is not declared here.
    private func reference(of column: ColumnDeclaration) -> SQLText {
        guard let other = column.references, let target = target(other) else { return "" }
        return switch engine.foreignKeys {
        case .deferred: "\(target) DEFERRABLE INITIALLY DEFERRED"
        case .toEarlierTables: declared.contains(other) ? target : ""
        case .added, .none: ""
        }
    }

    private func target(_ table: String) -> SQLText? {
        keys[table].map { " REFERENCES \(name: table) (\(name: $0))" }
    }

    /// `CHECK ("year" >= 1450 AND "year" <= 2100)`; nil for none.
    private func check(of column: ColumnDeclaration) -> SQLText? {
        let (rules, name): (ValueRules, SQLText) = (column.rules, "\(name: column.name)")
        var conditions: [SQLText] = []
        for (sign, bound) in [(">=", rules.minimum), ("<=", rules.maximum)] as [(SQLText, PredicateValue?)] {
            guard column.type.isNumber, let literal = bound.flatMap({ engine.literal(of: $0, as: column.type) }) else {
                continue
            }
            conditions.append("\(name) \(sign) \(literal)")
        }
        let values = rules.values ?? []
        let literals = values.compactMap { engine.literal(of: $0, as: column.type) }
        if !values.isEmpty, literals.count == values.count {
            conditions.append("\(name) IN (\(SQLText.joined(literals, by: ", ")))")
        }
        if rules.isNotEmpty { conditions.append("\(name) <> ''") }
        return conditions.isEmpty ? nil : "CHECK (\(SQLText.joined(conditions, by: " AND ")))"
    }

    // MARK: - Foreign keys and indexes

    /// An index for each foreign key, where the database makes none itself, and the foreign keys that are added later.
    mutating func links(of table: TableDeclaration) -> [SQLText] {
        guard engine.hasConstraints else { return [] }
        var statements: [SQLText] = []
        for column in table.columns where column.isLink && column.name != table.primaryKey.first {
            guard !engine.isMySQL || column.references == nil else { continue }
            let index = names.add("\(table.name).\(column.name)")
            statements.append("CREATE INDEX \(name: index) ON \(name: table.name) (\(name: column.name))")
        }
        for column in table.columns where engine.foreignKeys == .added {
            guard let target = column.references.flatMap(target) else { continue }
            statements.append("ALTER TABLE \(name: table.name) ADD FOREIGN KEY (\(name: column.name))\(target)")
        }
        return statements
    }

    /// `CREATE INDEX "Item.byDue" ON "Item" ("due", "name" DESC)`
    mutating func indexes(of table: TableDeclaration) -> [SQLText] {
        guard engine.hasConstraints else { return [] }
        var statements: [SQLText] = []
        for index in table.indexes {
            let terms = index.terms.compactMap { term(of: $0.column, in: table, isAscending: $0.isAscending) }
            guard terms.count == index.terms.count else { continue }
            let name = names.add("\(table.name).\(index.name)")
            statements.append(
                "CREATE INDEX \(name: name) ON \(name: table.name) (\(SQLText.joined(terms, by: ", ")))")
        }
        return statements
    }

    /// `"name"(191) DESC`; nil for a column that no index holds.
    private func term(of name: String, in table: TableDeclaration, isAscending: Bool) -> SQLText? {
        guard let column = table.columns.first(where: { $0.name == name }), column.type != .json else { return nil }
        let prefix: SQLText = engine.indexesWhole(column.type) ? "" : "(191)"
        let order: SQLText = isAscending ? "" : " DESC"
        return "\(name: name)\(prefix)\(order)"
    }
}
