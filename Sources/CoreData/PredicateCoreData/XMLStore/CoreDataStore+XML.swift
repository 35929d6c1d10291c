import Foundation
import PredicateEvaluation
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// Opening, creating and saving stores that are XML documents.
///
/// The objects are read into a database in memory with the tables of a SQLite store, on which everything else works.
extension CoreDataStore {
    /// True if the store is an XML document.
    package var isXML: Bool { xml != nil }

    /// Notes about parts that were not read as the file contains them.
    package var notes: [String] { xml?.notes.withLock { $0 } ?? [] }

    /// The type of the store.
    public var type: StoreType { isXML ? .xml : .sqlite }

    /// Reads an XML store. `changes` is true for a store that may be changed.
    static func readingXML(
        _ path: String, _ models: [ManagedObjectModel], _ context: PredicateContext, changes: Bool,
        decodesData: Bool = false
    ) throws(CoreDataError) -> CoreDataStore {
        let (bytes, state) = try contents(path)
        let document = XMLStoreDocument(bytes, path)
        let survey = try XMLStoreSurvey(document)
        let header = survey.header
        let metadata = StoreMetadata(uuid: header.uuid, values: header.values)
        let candidates = try models.isEmpty ? [storedModel(metadata, path)] : models
        for model in candidates { try checkHierarchy(model, path) }
        let (model, names) = try survey.model(candidates, path)
        try StoreLayout(model).checkUnderstood("the model")
        let file = XMLStoreFile(path, SharedMemoryDatabase(), state)
        let connection = try file.connection(SQLiteOptions(.create))
        var tables = XMLStoreTables(document, names, model, connection)
        try tables.fill(header)
        if changes { try tables.checkUnique() }
        file.notes.withLock { $0 = tables.notes }
        let own = try file.connection(SQLiteOptions(.create, limits: context.limits))
        file.isLoaded(own.changedRowCount)
        try storing { () throws(StoreError) in try own.execute("PRAGMA query_only = ON") }
        return try CoreDataStore(
            own, [model], context, changing: changes ? own : nil, xml: file, decodesData: decodesData)
    }

    /// The bytes of the file, and its state when they were read.
    static func contents(_ path: String) throws(CoreDataError) -> ([UInt8], FileState) {
        let limit = XMLStoreDocument.limits.fileSize
        do {
            let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? file.close() }
            let state = FileState(file.fileDescriptor)
            let data = try file.read(upToCount: limit + 1) ?? Data()
            guard let state, data.count <= limit else {
                throw ModelError(.exceeds(.fileSize, limit: limit))
            }
            return (XMLReader.utf8(Array(data)), state)
        } catch let error as ModelError {
            throw CoreDataError(.unreadableFile(path, .unreadable(error)))
        } catch {
            throw CoreDataError(.file(path, reason: error.localizedDescription))
        }
    }

    /// The model that this library has put into the metadata.
    private static func storedModel(
        _ metadata: StoreMetadata, _ path: String
    ) throws(CoreDataError) -> ManagedObjectModel {
        guard let model = try ownModel(metadata, path) else { throw CoreDataError(.noModel(path)) }
        return model
    }

    /// Writes an XML file with the objects of this store. `source` is the store whose external data they refer to, `name`
    /// the path in errors.
    func writeXML(
        to path: String, named name: String, _ metadata: StoreMetadata, keeping kept: KeptTexts,
        externalFrom source: String
    ) throws(CoreDataError) {
        try OutputFile(path, named: name).write { (output) throws(CoreDataError) in
            try XMLStoreWriter(self, keeping: kept, externalFrom: source).write(metadata, to: output)
        }
    }

    /// Writes an XML file without objects.
    static func writeXML(to path: String, named name: String, _ metadata: StoreMetadata) throws(CoreDataError) {
        let header = try XMLStoreText.header(metadata, lastID: XMLStoreText.firstID - 1)
        try OutputFile(path, named: name).write { (output) throws(CoreDataError) in
            output.append(header + XMLStoreText.footer)
        }
    }

    /// Replaces the file, if the current transaction is the outermost one and has changed something.
    func saveXML() throws(CoreDataError) {
        guard let xml, let connection = changing?.connection, connection.isInOutermostTransaction else { return }
        try xml.save(connection.changedRowCount) { (output) throws(CoreDataError) in
            let writer = try XMLStoreWriter(self, keeping: try KeptTexts(connection), externalFrom: path)
            try writer.write(try StoreMetadata(connection), to: output)
        }
    }
}

extension XMLStoreFile {
    /// A connection to the database with the objects.
    func connection(_ options: SQLiteOptions) throws(CoreDataError) -> StoreConnection {
        try storing { () throws(StoreError) in try .sharedMemory(database, path: path, options) }
    }

    /// Allows changes of the database while some work runs.
    func changing<Result>(
        _ connection: StoreConnection, _ work: () throws(CoreDataError) -> Result
    ) throws(CoreDataError) -> Result {
        guard !connection.isInTransaction else { return try work() }
        var isCommitted = false
        try storing { () throws(StoreError) in try connection.execute("PRAGMA query_only = OFF") }
        defer {
            try? connection.execute("PRAGMA query_only = ON")
            end(connection.changedRowCount, isCommitted: isCommitted)
        }
        let result = try work()
        isCommitted = true
        return result
    }
}

extension StoreMetadata {
    /// Reads the metadata of an XML store, but none of its objects.
    init(xml path: String, _ bytes: [UInt8]) throws(CoreDataError) {
        let header = try XMLStoreDocument(bytes, path).read { _ in false }
        self.init(uuid: header.uuid, values: header.values)
    }
}
