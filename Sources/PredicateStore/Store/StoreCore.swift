import Foundation
import PredicateSQL
import PredicateSyntax
import Synchronization

/// The state that a store shares with all its objects.
final class StoreCore: Sendable {
    let connection: SQLiteConnection
    /// The compiler of all statements: it indexes the schema once, and once more when the file gets an index of a fold.
    var compiler: SQLCompiler { shared.compiler.withLock { $0 } }
    private let shared: SharedCompiler
    var schema: SQLSchema { compiler.schema }
    private let layouts: [String: EntityLayout]
    /// Whether an index gives the greatest value of a column.
    private let greatestValues = Mutex<[String: Bool]>([:])

    /// The compiler of all stores of a file that share a schema.
    private final class SharedCompiler: Sendable {
        let compiler: Mutex<SQLCompiler>

        init(_ compiler: SQLCompiler) {
            self.compiler = Mutex(compiler)
        }
    }

    /// The last error of reading a key of an object: `value(forKey:)` cannot throw.
    private let lastError = Mutex<StoreError?>(nil)

    init(_ connection: SQLiteConnection, _ schema: SQLSchema, _ locale: Locale?) {
        self.connection = connection
        shared = SharedCompiler(SQLCompiler(schema: schema, locale: locale))
        layouts = schema.entities.compactMapValues { try? EntityLayout($0, in: schema) }
    }

    /// The state of a store of the same file by another connection.
    init(_ connection: SQLiteConnection, sharing other: StoreCore) {
        self.connection = connection
        (shared, layouts) = (other.shared, other.layouts)
    }

    /// Returns the layout with all keys of an entity. Throws the error of an unknown entity.
    func layout(_ name: String) throws(StoreError) -> EntityLayout {
        if let layout = layouts[name] { return layout }
        let nearMisses = NearMiss.candidates(for: name, among: schema.entities.keys)
        throw StoreError(.compilation(SQLCompilationError(.unknownEntity(name, nearMisses: nearMisses))))
    }

    /// True if an index gives the greatest value of a column. It is found out once, and again with ``readIndexes()``: an index
    /// that came or went in between makes a statement slower, and no other.
    func looksUpGreatest(_ column: String, of table: String) throws(StoreError) -> Bool {
        let name = "\(table.quotedName).\(column.quotedName)"
        if let known = greatestValues.withLock({ $0[name] }) { return known }
        // The plan of MAX looks the same without an index; that of an order shows whether one gives it.
        let (key, from) = (column.quotedName, table.quotedName)
        let sql = "EXPLAIN QUERY PLAN SELECT \(key) FROM \(from) ORDER BY \(key) DESC LIMIT 1"
        let plan = try explaining { () throws(StoreError) in try connection.rows(of: SQLFragment(sql)).all() }
        let isLookedUp = !plan.contains { $0.text(3)?.contains("TEMP B-TREE") ?? true }
        greatestValues.withLock { $0[name] = isLookedUp }
        return isLookedUp
    }

    /// Finds out again of which folds the file has an index.
    func readIndexes() throws(StoreError) {
        greatestValues.withLock { $0 = [:] }
        let old = compiler
        let schema = try FoldIndexReader(connection: connection).schema(old.schema)
        if schema != old.schema {
            shared.compiler.withLock { $0 = SQLCompiler(schema: schema, locale: old.locale) }
        }
    }

    func note(_ error: StoreError) {
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
            try connection.rows(of: SQLFragment(layout.statements.row, bindings: [key])).next { layout.row($0) }
        }
    }

    /// Reads the objects of an entity that satisfy a condition on the primary key of another object.
    func objects(
        _ entity: String, where condition: RelatedCondition, key: SQLBinding
    ) throws(StoreError) -> [StoredObject] {
        let layout = try layout(entity)
        let statement = SQLFragment(layout.statements.rows(where: condition), bindings: [key])
        return try explaining { () throws(StoreError) in
            let rows = try connection.rows(of: statement)
            var objects: [StoredObject] = []
            while let object = try rows.next({ StoredObject(self, layout, $0) }) { objects.append(object) }
            return objects
        }
    }
}
