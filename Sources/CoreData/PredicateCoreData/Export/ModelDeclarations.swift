import Foundation
public import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The declarations of a model's tables in a database: what `predicate model sql` prints.
///
/// ```swift
/// for statement in try ModelDeclarations(model, for: .postgresql).statements() { print(statement + ";") }
/// ```
///
/// The tables are those of ``ModelTables``, which explains their names. Here they also state what the model says of
/// values, as far as the database can state the same:
/// - NOT NULL for mandatory attributes and to-one relationships, PRIMARY KEY, UNIQUE, foreign keys.
/// - DEFAULT for numbers, Booleans, UUIDs, and strings without control characters and backslashes.
/// - CHECK for the bounds of numbers, for strings that may not be empty, and for closed sets of values. Other lengths
///   are counted in UTF-16 code units, which no database does; regular expressions differ as well.
/// - The indexes of the model over attributes and to-one relationships. The condition of a partial index is left out.
public struct ModelDeclarations: Sendable {
    /// The databases for which tables can be declared.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Target: Hashable, Sendable {
        /// A database with keys and constraints.
        case database(TableDialect)
        /// Spark, which has tables with types, defaults and NOT NULL only.
        case spark
        /// The tables in which Core Data keeps the objects, for SQLite.
        case coreData
    }

    let model: ManagedObjectModel
    let target: Target

    /// Creates the declarations of a model for a database.
    public init(_ model: ManagedObjectModel, for target: Target) {
        (self.model, self.target) = (model, target)
    }

    /// The statements in order, without semicolons.
    ///
    /// Throws a ``CoreDataError``: `unsupportedParts` for a name that the database cannot hold, and for a part of the
    /// model of unknown layout.
    public func statements() throws(CoreDataError) -> [String] {
        switch target {
        case .database(let dialect):
            var tables = ModelTables(model, for: dialect)
            let rules = TableRules(dialect)
            return try tables.tableStatements(rules) + tables.constraintStatements() + tables.indexes(of: model)
        case .spark: return try SparkTables(model).statements()
        case .coreData: return try coreData()
        }
    }

    /// The tables of a store without objects, and the rows that list its entities.
    private func coreData() throws(CoreDataError) -> [String] {
        let layout = StoreLayout(model)
        try layout.checkUnderstood("the model")
        let tables = StoreTables(layout: layout)
        let rows = layout.ordered.map { entity -> SQLText in
            """
            INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES
            (\(number: entity.number), \(string: entity.name), \(number: entity.parent), 0)
            """
        }
        return (tables.tables + tables.indexes + rows).map { SQLFragment($0).text }
    }
}

/// What a model says of the values of a column, as clauses of its declaration.
struct TableRules {
    private let dialect: TableDialect

    init(_ dialect: TableDialect) {
        self.dialect = dialect
    }

    /// ` DEFAULT 3`; empty for none.
    func defaultClause(of column: PlainColumn) -> String {
        guard case .attribute(let attribute) = column.role, let value = attribute.defaultValue,
            let literal = literal(value, column.type)
        else { return "" }
        // MySQL takes expressions only for the long types, and MariaDB takes them for all.
        return " DEFAULT \(dialect.takesExpressions ? "(\(literal))" : literal)"
    }

    /// `CHECK ("year" >= 1450 AND "year" <= 2100)`; nil for none.
    func check(of column: PlainColumn, _ name: String) -> String? {
        guard case .attribute(let attribute) = column.role else { return nil }
        let bounds = [(">=", attribute.minimumValue), ("<=", attribute.maximumValue)]
        let conditions = bounds.compactMap { sign, value in
            bound(value, column.type).map { "\(name) \(sign) \($0)" }
        }
        let all = conditions + closed(attribute, column.type, name) + notEmpty(attribute, column.type, name)
        return all.isEmpty ? nil : "CHECK (\(all.joined(separator: " AND ")))"
    }

    private func bound(_ value: PredicateValue?, _ type: PlainType) -> String? {
        guard let value else { return nil }
        switch type {
        case .integer16, .integer32, .integer64, .double, .decimal: return literal(value, type)
        case .boolean, .text, .date, .data, .uuid, .json: return nil
        }
    }

    private func closed(_ attribute: AttributeDescription, _ type: PlainType, _ name: String) -> [String] {
        guard let values = attribute.closedValues else { return [] }
        let literals = values.compactMap { literal($0, type) }
        guard literals.count == values.count else { return [] }
        return ["\(name) IN (\(literals.joined(separator: ", ")))"]
    }

    /// A length of at least one code unit is the only one that is the same in every encoding.
    private func notEmpty(_ attribute: AttributeDescription, _ type: PlainType, _ name: String) -> [String] {
        attribute.type == .string && attribute.minimumLength == 1 ? ["\(name) <> ''"] : []
    }

    // MARK: - Literals

    /// A value as a literal that every setting of the database reads in the same way; nil if there is none.
    func literal(_ value: PredicateValue, _ type: PlainType) -> String? {
        switch (type, value) {
        case (.integer16, .integer(let number)), (.integer32, .integer(let number)), (.integer64, .integer(let number)):
            number == .min ? nil : "\(number)"
        case (.double, .double(let number)), (.decimal, .double(let number)): number.isFinite ? "\(number)" : nil
        case (.double, .integer(let number)), (.decimal, .integer(let number)): "\(number)"
        case (.decimal, .decimal(let number)), (.double, .decimal(let number)): number.isFinite ? "\(number)" : nil
        case (.boolean, .bool(let flag)): dialect.literal(flag)
        case (.text, .string(let text)): Self.quoted(text)
        case (.text, .url(let url)): Self.quoted(url.absoluteString)
        case (.uuid, .uuid(let uuid)): "'\(uuid.uuidString)'"
        default: nil
        }
    }

    /// A string without characters that a setting of a database or its client may read as an escape; nil for others.
    private static func quoted(_ text: String) -> String? {
        guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0 != "\\" && $0.value != 0x7F }) else { return nil }
        let literal: SQLText = "\(string: text)"
        return SQLFragment(literal).text
    }
}

extension TableDialect {
    fileprivate func literal(_ flag: Bool) -> String {
        switch self {
        case .postgresql, .duckdb: flag ? "TRUE" : "FALSE"
        case .sqlite, .mariadb, .mysql: flag ? "1" : "0"
        }
    }

    /// True if a default is written in parentheses.
    fileprivate var takesExpressions: Bool {
        switch self {
        case .mariadb, .mysql: true
        case .sqlite, .postgresql, .duckdb: false
        }
    }

    /// The length of the prefix that an index over a long string or bytes needs; nil if it needs none.
    fileprivate func indexedPrefix(of type: PlainType) -> Int? {
        switch (self, type) {
        case (.mariadb, .text), (.mysql, .text), (.mariadb, .data), (.mysql, .data): 191
        case (.mariadb, _), (.mysql, _), (.sqlite, _), (.postgresql, _), (.duckdb, _): nil
        }
    }
}

// MARK: - Indexes

extension ModelTables {
    /// `CREATE INDEX "Item.byDue" ON "Item" ("due", "name" DESC)`: the indexes of the model, in each table that has
    /// their columns.
    fileprivate mutating func indexes(of model: ManagedObjectModel) throws(CoreDataError) -> [String] {
        var statements: [String] = []
        for table in tables {
            guard case .entity(let entity) = table.content else { continue }
            for index in Self.wanted(model, entity) {
                let columns = index.keys.compactMap { key in
                    table.columns.first { $0.role.key == key.name }.map { ($0, key.isAscending) }
                }
                guard columns.count == index.keys.count, !columns.contains(where: { $0.0.type == .json }) else {
                    continue
                }
                var terms: [String] = []
                for (column, isAscending) in columns {
                    let prefix = dialect.indexedPrefix(of: column.type).map { "(\($0))" } ?? ""
                    terms.append("\(try dialect.quoted(column.name))\(prefix)\(isAscending ? "" : " DESC")")
                }
                let name = try dialect.quoted(uniqueName("\(table.name).\(index.name)"))
                let list = terms.joined(separator: ", ")
                statements.append("CREATE INDEX \(name) ON \(try dialect.quoted(table.name)) (\(list))")
            }
        }
        return statements
    }

    /// The indexes of an entity and its superentities: the fetch indexes and those of the old forms.
    private static func wanted(
        _ model: ManagedObjectModel, _ entity: String
    ) -> [(name: String, keys: [(name: String, isAscending: Bool)])] {
        model.lineage(of: entity).reversed().flatMap { owner in
            let indexes = owner.indexes.compactMap { index in
                keys(of: index).map { (name: index.name, keys: $0) }
            }
            let compound = owner.compoundIndexes.map { names in
                (name: names.joined(separator: "_"), keys: names.map { (name: $0, isAscending: true) })
            }
            let single = owner.attributes.filter { $0.isIndexed && $0.isStored }.map { attribute in
                (name: attribute.name, keys: [(name: attribute.name, isAscending: true)])
            }
            return indexes + compound + single
        }
    }

    /// Nil for an index of expressions, of regions, or of the object itself.
    private static func keys(of index: FetchIndexDescription) -> [(name: String, isAscending: Bool)]? {
        let keys = index.elements.compactMap { element -> (name: String, isAscending: Bool)? in
            guard case .property(let key) = element.value, element.collation == .binary else { return nil }
            return (key, element.isAscending)
        }
        return keys.isEmpty || keys.count != index.elements.count ? nil : keys
    }
}

// MARK: - Spark

/// The tables of a model for Spark, which knows neither keys nor checks.
private struct SparkTables {
    private let tables: ModelTables
    private let dialect = SparkDialect()

    init(_ model: ManagedObjectModel) {
        tables = ModelTables(model, for: .duckdb)
    }

    func statements() throws(CoreDataError) -> [String] {
        var statements: [String] = []
        for table in tables.tables {
            var lines: [String] = []
            for column in table.columns {
                let isMandatory = !column.isOptional || table.primaryKey.contains(column.name)
                lines.append("\(try quoted(column.name)) \(Self.type(column.type))\(isMandatory ? " NOT NULL" : "")")
            }
            let columns = lines.joined(separator: ",\n    ")
            statements.append("CREATE TABLE \(try quoted(table.name)) (\n    \(columns)\n) USING parquet")
        }
        return statements
    }

    private func quoted(_ name: String) throws(CoreDataError) -> String {
        guard let quoted = dialect.quoted(name) else {
            throw CoreDataError(.unsupportedParts("spark", parts: ["the name '\(name)'"]))
        }
        return quoted
    }

    private static func type(_ type: PlainType) -> String {
        switch type {
        case .integer16: "SMALLINT"
        case .integer32: "INT"
        case .integer64: "BIGINT"
        case .double: "DOUBLE"
        case .decimal: "DECIMAL(38, 10)"
        case .boolean: "BOOLEAN"
        case .text, .uuid, .json: "STRING"
        case .date: "TIMESTAMP"
        case .data: "BINARY"
        }
    }
}
