import PredicateSQL
import PredicateSyntax
import Synchronization

/// What a store and all its objects share.
final class StoreCore: Sendable {
    let connection: SQLiteConnection
    /// Has read the schema once for all statements.
    let compiler: SQLCompiler
    var schema: SQLSchema { compiler.schema }
    private let layouts: [String: EntityLayout]
    /// What went wrong while an object was asked for a key: a key has no way to say so.
    private let lastError = Mutex<StoreError?>(nil)

    init(_ connection: SQLiteConnection, _ schema: SQLSchema) {
        self.connection = connection
        compiler = SQLCompiler(schema: schema)
        layouts = schema.entities.compactMapValues { try? EntityLayout($0) }
    }

    /// The layout with all keys of an entity. Throws the error of an unknown entity.
    func layout(_ name: String) throws(StoreError) -> EntityLayout {
        if let layout = layouts[name] { return layout }
        let nearMisses = NearMiss.candidates(for: name, among: schema.entities.keys)
        throw StoreError(.compilation(SQLCompilationError(.unknownEntity(name, nearMisses: nearMisses))))
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

    /// The row of one object; nil when it is not there, or no more.
    func row(_ layout: EntityLayout, key: SQLBinding) throws(StoreError) -> StoredRow? {
        let condition = " WHERE t0.\(layout.entity.primaryKey.quotedName) = ?1"
        let text = Self.select(layout) + Self.from(layout) + condition
        return try explaining { () throws(StoreError) in
            try connection.rows(of: SQLFragment(text, bindings: [key])).next { layout.row($0) }
        }
    }

    /// The objects that a to-many relationship leads to from the object with this key, each once.
    func related(_ relationship: SQLRelationship, key: SQLBinding) throws(StoreError) -> [StoredObject] {
        let layout = try layout(relationship.destination)
        let text: String
        switch relationship {
        case .toOne(_, let column), .toMany(_, let column):
            text = Self.select(layout) + Self.from(layout) + " WHERE t0.\(column.quotedName) = ?1"
        case .manyToMany(_, let table, let source, let target):
            let pairs =
                "SELECT t1.\(target.quotedName) FROM \(table.quotedName) AS t1 WHERE t1.\(source.quotedName) = ?1"
            text =
                Self.select(layout) + Self.from(layout)
                + " WHERE t0.\(layout.entity.primaryKey.quotedName) IN (\(pairs))"
        }
        return try explaining { () throws(StoreError) in
            let rows = try connection.rows(of: SQLFragment(text, bindings: [key]))
            var objects: [StoredObject] = []
            while let object = try rows.next({ StoredObject(self, layout, $0) }) { objects.append(object) }
            return objects
        }
    }

    private static func select(_ layout: EntityLayout) -> String {
        let names = layout.keys.map { key in
            switch layout.entity.relationships[key] {
            case .toOne(_, let column)?: column
            case .toMany?, .manyToMany?, nil: layout.entity.attributes[key]?.column ?? key
            }
        }
        return "SELECT " + ([layout.entity.primaryKey] + names).map { "t0.\($0.quotedName)" }.joined(separator: ", ")
    }

    private static func from(_ layout: EntityLayout) -> String {
        " FROM \(layout.entity.table.quotedName) AS t0"
    }
}
