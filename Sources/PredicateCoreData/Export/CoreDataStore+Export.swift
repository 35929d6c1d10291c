import Foundation
import PredicateSQL
import PredicateStore
import PredicateSyntax

extension CoreDataStore {
    /// Writes the objects into a new SQLite file of plain tables, which every tool reads, and returns their number.
    ///
    /// `try CoreDataStore("Photos.sqlite").export(to: "plain.sqlite")`
    ///
    /// There is a table for each entity under the name of the model, of the objects that are of it themselves: their primary key
    /// `Z_PK`, the attributes that they have, elements of composite attributes under their paths, and the keys of the objects at
    /// the ends of to-one relationships, with `NAME.entity` where these may be of several entities and `NAME.position` where the
    /// inverse has an order. A relationship between many objects is a table of pairs, `Album_assets`; the history of changes is
    /// `history`. Dates are ISO 8601 texts, UUIDs texts, Booleans 0 and 1, large data the bytes themselves.
    ///
    /// With `entities` there are tables of these alone. All is written in one transaction, to a file under another name.
    ///
    /// Throws a ``CoreDataError``: `fileExists`, `missingExternalData`, `store` with `unknownEntity`.
    @discardableResult
    public func export(to path: String, entities: [String]? = nil) throws(CoreDataError) -> Int {
        for name in entities ?? [] where schema.entities[name] == nil {
            let near = NearMiss.candidates(for: name, among: schema.entities.keys)
            throw CoreDataError(
                .store(StoreError(.compilation(SQLCompilationError(.unknownEntity(name, nearMisses: near))))))
        }
        if let entities {
            for name in entities { try checkExternalData(of: name) }
        } else {
            try checkExternalData()
        }
        let chosen = entities.map { names in
            Set(names.flatMap { model.subtree(of: $0).map(\.name) })
        }
        let work = try MigrationFile(path)
        do throws(CoreDataError) {
            let count = try PlainTables(self, entities: chosen).write(to: work.temporary, from: self)
            try work.finish(external: nil)
            return count
        } catch {
            work.remove()
            throw error
        }
    }
}

extension PlainTables {
    /// Writes the tables, and returns the number of objects.
    fileprivate func write(to path: String, from store: CoreDataStore) throws(CoreDataError) -> Int {
        let connection = try SQLiteConnection.migrating(path, attaching: store.path)
        let folder = ExternalFolder.path(ofStore: store.path)
        var count = 0
        try connection.migrate { () throws(CoreDataError) in
            for table in tables {
                let made = try write(table, connection)
                if table.columns.first?.name == "Z_PK" { count += made }
                for column in table.external { try takeIn(column, of: table, folder, connection) }
            }
        }
        try storing { () throws(StoreError) in try connection.execute("DETACH old") }
        return count
    }

    private func write(_ table: Table, _ connection: SQLiteConnection) throws(CoreDataError) -> Int {
        let declarations = table.columns.map { "\($0.name.quotedName) \($0.declaration)" }.joined(separator: ", ")
        try connection.runMigrating(SQLFragment("CREATE TABLE main.\(table.name.quotedName) (\(declarations))"))
        let values = table.columns.map(\.value).joined(separator: ", ")
        let text = "INSERT INTO main.\(table.name.quotedName) SELECT \(values) FROM \(table.rows)"
        return try storing { () throws(StoreError) in try connection.run(table.builder.fragment(text)) }
    }

    /// Puts the data of files into the rows that name them.
    private func takeIn(
        _ column: String, of table: Table, _ folder: String, _ connection: SQLiteConnection
    ) throws(CoreDataError) {
        let (name, column) = ("main.\(table.name.quotedName)", column.quotedName)
        let text = "SELECT Z_PK, \(column) FROM \(name) WHERE substr(\(column), 1, 1) = x'02'"
        let rows = try storing { () throws(StoreError) in try connection.rows(of: SQLFragment(text)).all() }
        for row in rows {
            guard case .blob(let bytes) = row[1],
                case .data(let data) = ExternalData.value(of: .data(bytes), in: folder), data != bytes
            else { continue }
            try connection.runMigrating(
                SQLFragment("UPDATE \(name) SET \(column) = ?2 WHERE Z_PK = ?1", bindings: [row[0], .blob(data)]))
        }
    }
}
