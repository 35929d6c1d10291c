import Foundation
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

extension CoreDataStore {
    /// Copies a store of any program, with its log and its external data, and opens the copy for changes.
    ///
    /// `let copy = try CoreDataStore.copy("Photos.sqlite", to: "Mine.sqlite")`
    ///
    /// The original is not changed. The copy says in its metadata that it is one. Throws a ``CoreDataError``: `fileExists`,
    /// `notWritable` where tables of the history of changes or of CloudKit or triggers stand in the way, `file`.
    public static func copy(
        _ path: String, to copy: String, models: [ManagedObjectModel] = []
    ) throws(CoreDataError) -> CoreDataStore {
        let original = try CoreDataStore(path, models: models)
        try original.file.checkWritable()
        try original.checkUnderstood()
        try original.checkExternalData()
        for name in [copy, copy + "-wal", ExternalFolder.path(ofStore: copy)] {
            guard !FileManager.default.fileExists(atPath: name) else { throw CoreDataError(.fileExists(name)) }
        }
        // While this reads, nobody resets the log, so that file and log fit together.
        let reading = try storing { () throws(StoreError) in
            try original.connection.rows(of: SQLFragment("SELECT Z_ENT FROM Z_PRIMARYKEY"))
        }
        _ = try storing { () throws(StoreError) in try reading.next() }
        try FileCopy.copy(path, to: copy)
        try FileCopy.copy(path + "-wal", to: copy + "-wal")
        try FileCopy.copy(ExternalFolder.path(ofStore: path), to: ExternalFolder.path(ofStore: copy))
        _ = try storing { () throws(StoreError) in try reading.all() }
        var metadata = original.metadata
        metadata.values[StoreMetadata.copyKey] = .string(original.uuid)
        if metadata.values[StoreMetadata.modelKey] == nil, original.file.columns["Z_MODELCACHE"] == nil {
            metadata.values[StoreMetadata.modelKey] = .string(ModelDocument(original.model).text)
        }
        let plist = try metadata.data()
        try storing { () throws(StoreError) in
            _ = try SQLiteConnection(copy, SQLiteOptions(.readWrite)).run(metadata.row(plist))
        }
        return try CoreDataStore(changing: copy)
    }

    /// Removes a copy whose change failed, with its log and its external data.
    package static func removeCopy(_ copy: String) {
        let external = ExternalFolder.path(ofStore: copy)
        for name in [copy, copy + "-wal", copy + "-shm", external] {
            try? FileManager.default.removeItem(atPath: name)
        }
        // The folder around the data is removed where nothing else is in it.
        _ = URL(fileURLWithPath: external).deletingLastPathComponent().path.withCString(rmdir)
    }
}

/// Copies of files and folders, with errors of their own.
enum FileCopy {
    /// Copies a file or a folder; nothing where there is none.
    static func copy(_ path: String, to copy: String) throws(CoreDataError) {
        let files = FileManager.default
        guard files.fileExists(atPath: path) else { return }
        do {
            let folder = URL(fileURLWithPath: copy).deletingLastPathComponent()
            try files.createDirectory(at: folder, withIntermediateDirectories: true)
            try files.copyItem(atPath: path, toPath: copy)
            // A copy of a file that is for reading only is for writing.
            var isFolder: ObjCBool = false
            if files.fileExists(atPath: copy, isDirectory: &isFolder), !isFolder.boolValue {
                try files.setAttributes([.posixPermissions: 0o600], ofItemAtPath: copy)
            }
        } catch {
            throw CoreDataError(.file(copy, reason: "\(error.localizedDescription)"))
        }
    }

    /// Copies the files of a folder that are not yet in another one, whole: what a copy that was interrupted left is replaced.
    static func copyFiles(in folder: String, to other: String) throws(CoreDataError) {
        let files = FileManager.default
        guard folder != other, let names = try? files.contentsOfDirectory(atPath: folder) else { return }
        for name in names.sorted() {
            let (from, to) = ("\(folder)/\(name)", "\(other)/\(name)")
            guard size(from) != size(to) else { continue }
            try? files.removeItem(atPath: to)
            try copy(from, to: to)
        }
    }

    private static func size(_ path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size].flatMap { ($0 as? NSNumber)?.intValue }
    }
}
