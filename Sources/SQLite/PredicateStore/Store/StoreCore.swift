import Foundation
package import PredicateEvaluation
package import PredicateSQL
import PredicateSyntax

/// The state that a store shares with all its objects.
final class StoreCore: Sendable {
    let connection: StoreConnection
    /// The threads of asynchronous reads and writes.
    let pool: StorePool
    /// The compiler of all statements. It indexes the schema once, and again when a fold index is created or dropped.
    var compiler: SQLCompiler { shared.withLock { $0 } }
    /// The compiler that is shared by all stores of a file that have the same schema.
    private let shared: Locked<SQLCompiler>
    var schema: SQLSchema { compiler.schema }
    private let layouts: [String: EntityLayout]
    /// Whether an index provides the maximum of a column, by table and column.
    private let greatestValues = Locked<[[String]: Bool]>([:])

    /// The lock for everything that the store's objects load on first access.
    let objectLock = NSLock()

    /// The last error in reading an object's key, kept because `value(forKey:)` cannot throw.
    private let lastError = Locked<StoreError?>(nil)

    /// The context of all predicates, with the limits of the connection. Variables come from each request.
    let context: PredicateContext

    /// Decodes the data of an attribute; nil for data of another form.
    typealias Decoder = @Sendable ([UInt8]) -> PredicateValue?
    let decoder: Decoder?

    init(
        _ connection: StoreConnection, _ schema: SQLSchema, _ context: PredicateContext, _ decoder: Decoder? = nil
    ) {
        (self.connection, self.decoder) = (connection, decoder)
        pool = StorePool(readers: connection.options.readers)
        self.context = PredicateContext(
            registry: context.registry, locale: context.locale, limits: connection.options.limits)
        shared = Locked(SQLCompiler(schema: schema, context: self.context))
        layouts = schema.entities.compactMapValues { try? EntityLayout($0, in: schema, context.zone, decoder) }
    }

    /// The state of a store with its own connection to the same file.
    init(_ connection: StoreConnection, sharing other: StoreCore) {
        self.connection = connection
        pool = StorePool(readers: connection.options.readers)
        (shared, layouts, context, decoder) = (other.shared, other.layouts, other.context, other.decoder)
    }

    /// True if both belong to the same store or its readers.
    func isSameStore(as other: StoreCore) -> Bool { shared === other.shared }

    /// Returns the layout with all keys of an entity. Throws `unknownEntity`.
    func layout(_ name: String) throws(StoreError) -> EntityLayout {
        if let layout = layouts[name] { return layout }
        let nearMisses = NearMiss.candidates(for: name, among: schema.entities.keys)
        throw StoreError(.compilation(SQLCompilationError(.unknownEntity(name, nearMisses: nearMisses))))
    }

    /// True if an index provides the maximum of a column. The result is cached until ``readIndexes()``. If an index is created
    /// or dropped before that, statements become slower, but stay correct.
    func looksUpGreatest(_ column: String, of table: String) throws(StoreError) -> Bool {
        if let known = greatestValues.withLock({ $0[[table, column]] }) { return known }
        // The plan of MAX is the same with and without an index; the plan of ORDER BY shows the difference.
        let sql: SQLText = """
            EXPLAIN QUERY PLAN SELECT \(name: column) FROM \(name: table) ORDER BY \(name: column) DESC LIMIT 1
            """
        let plan = try explaining { () throws(StoreError) in try connection.rows(of: SQLFragment(sql)).all() }
        let isLookedUp = !plan.contains { $0.text(3)?.contains("TEMP B-TREE") ?? true }
        greatestValues.withLock { $0[[table, column]] = isLookedUp }
        return isLookedUp
    }

    /// Reads the file's fold indexes again.
    func readIndexes() throws(StoreError) {
        greatestValues.withLock { $0 = [:] }
        let old = compiler
        let schema = try FoldIndexReader(connection: connection).schema(old.schema)
        if schema != old.schema { shared.withLock { $0 = SQLCompiler(schema: schema, context: context) } }
    }

    func record(_ error: StoreError) {
        lastError.withLock { $0 = error }
    }

    func takeError() -> StoreError? {
        lastError.withLock { error in
            defer { error = nil }
            return error
        }
    }

    // MARK: - Rows

    /// Reads the row of one object; nil if there is no such row.
    func row(_ layout: EntityLayout, key: SQLBinding) throws(StoreError) -> StoredRow? {
        try explaining { () throws(StoreError) in
            try connection.rows(of: layout.statements.row(key)).next { layout.row($0) }
        }
    }

    /// Reads the objects of a to-many relationship.
    func objects(
        _ entity: String, where condition: RelatedCondition, key: SQLBinding
    ) throws(StoreError) -> [StoredObject] {
        let layout = try layout(entity)
        let statement = layout.statements.related(condition, owner: key)
        return try explaining { () throws(StoreError) in
            let rows = try connection.rows(of: statement)
            var objects: [StoredObject] = []
            while let object = try rows.next({ StoredObject(self, layout, $0) }) { objects.append(object) }
            return objects
        }
    }
}

extension SQLCompiler {
    /// Creates a compiler for the predicates that evaluators with this context accept.
    package init(
        schema: SQLSchema, dialect: any SQLDialect = SQLiteDialect(), mode: Mode = .exact, context: PredicateContext
    ) {
        self.init(
            schema: schema, dialect: dialect, mode: mode, limits: context.limits, locale: context.locale,
            calendarZone: context.registry.calendarZone, textZone: context.registry.textZone)
    }
}

extension StoreCore {
    /// Runs statements compiled from the schema. If SQLite reports an unknown name, throws an error that names the
    /// table or column of the schema that is missing in the file.
    func explaining<Result>(_ work: () throws(StoreError) -> Result) throws(StoreError) -> Result {
        do throws(StoreError) {
            return try work()
        } catch {
            guard case .sqlite(.error, _) = error.code, let code = missing() else { throw error }
            throw error.with(code)
        }
    }

    /// The first table or column of the schema that is missing in the file.
    private func missing() -> StoreError.Code? {
        guard let tables = try? TableReader(connection: connection).tables() else { return nil }
        let columns = Dictionary(
            tables.map { ($0.name.lowercased(), $0.columns.map(\.name)) }, uniquingKeysWith: { first, _ in first })
        for entity in schema.entities.values.sorted(by: { $0.name < $1.name }) {
            for (table, names) in entity.names {
                guard let existing = columns[table.lowercased()] else {
                    return .missingTable(
                        table, nearMisses: NearMiss.candidates(for: table, among: tables.map(\.name)))
                }
                let valid = Set(existing.map { $0.lowercased() } + ["rowid", "_rowid_", "oid"])
                if let name = names.first(where: { !valid.contains($0.lowercased()) }) {
                    let nearMisses = NearMiss.candidates(for: name, among: existing)
                    return .missingColumn(name, table: table, nearMisses: nearMisses)
                }
            }
        }
        return nil
    }
}

extension SQLEntity {
    /// The entity's table and its join tables, with the columns that the schema declares.
    fileprivate var names: [(table: String, columns: [String])] {
        var own = [primaryKey] + attributes.sorted { $0.key < $1.key }.map { $0.value.column ?? $0.key }
        var others: [(String, [String])] = []
        for (_, relationship) in relationships.sorted(by: { $0.key < $1.key }) {
            switch relationship.kind {
            case .toOne(let column): own.append(column)
            case .toMany: break
            case .manyToMany(let table, let source, let target): others.append((table, [source, target]))
            }
        }
        return [(table, own)] + others
    }
}
