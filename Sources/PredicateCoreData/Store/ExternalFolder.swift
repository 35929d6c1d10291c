import Foundation
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// The folder of the files that hold large data of a store: `.Photos_SUPPORT/_EXTERNAL_DATA` beside `Photos.sqlite`.
enum ExternalFolder {
    static func path(ofStore path: String) -> String {
        let url = URL(fileURLWithPath: path)
        let name = url.deletingPathExtension().lastPathComponent
        return url.deletingLastPathComponent().appendingPathComponent(".\(name)_SUPPORT")
            .appendingPathComponent("_EXTERNAL_DATA").path
    }
}

extension CoreDataStore {
    /// Throws `missingExternalData` where the file beside the store is missing in which an object of an entity, or of one below
    /// it, keeps the data of one of some attributes; all attributes without `keys`.
    package func checkExternalData(of entity: String, keys: Set<String>? = nil) throws(CoreDataError) {
        for entity in model.subtree(of: entity) {
            guard let stored = layout.entities[entity.name], file.columns[stored.table] != nil else { continue }
            for attribute in model.storedAttributes(of: entity.name)
            where attribute.allowsExternalBinaryDataStorage && keys?.contains(attribute.name) ?? true {
                try checkExternalData(attribute.name, of: stored)
            }
        }
    }

    /// Throws `missingExternalData` for data of any object.
    func checkExternalData() throws(CoreDataError) {
        for entity in model.rootEntities { try checkExternalData(of: entity.name) }
    }

    /// Throws where the file is missing in which an object has the data of an attribute.
    func checkExternalData(_ key: String, of entity: StoredEntity) throws(CoreDataError) {
        guard let column = entity.columns[key]?.quotedName else { return }
        let folder = URL(fileURLWithPath: ExternalFolder.path(ofStore: path), isDirectory: true)
        let text = """
            SELECT substr(\(column), 2) FROM \(entity.table.quotedName)
            WHERE Z_ENT = ?1 AND substr(\(column), 1, 1) = x'02'
            """
        let rows = try storing { () throws(StoreError) in
            try connection.rows(of: SQLFragment(text, bindings: [.integer(entity.number)]))
        }
        while let row = try storing({ () throws(StoreError) in try rows.next() }) {
            guard case .blob(let bytes)? = row.first, let name = ExternalData.name(in: bytes),
                !FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
            else { continue }
            throw CoreDataError(.missingExternalData(key: key, entity: entity.name, file: name))
        }
    }
}
