import Foundation

/// One version of a model in a file or a folder, of any kind.
enum ModelFile {
    static func read(_ path: String, limits: ModelLimits) throws(ModelError) -> ManagedObjectModel {
        guard let kind = FileBytes.kind(of: path) else { throw ModelError(.noSuchFile, at: ModelPlace(file: path)) }
        switch (kind, FileBytes.fileExtension(path)) {
        case (.file, _): return try file(path, limits)
        case (.directory, "xcdatamodel"): return try source(path, limits)
        case (.directory, _): return try ModelBundle(path: path, limits: limits).currentVersion().model()
        }
    }

    private static func source(_ path: String, _ limits: ModelLimits) throws(ModelError) -> ManagedObjectModel {
        let contents = FileBytes.join(path, "contents")
        if FileBytes.kind(of: contents) == .file { return try file(contents, limits) }
        if FileBytes.kind(of: FileBytes.join(path, "elements")) != nil {
            throw ModelError(.bundleBeforeXcode43, at: ModelPlace(file: path))
        }
        throw ModelError(.noSuchFile, at: ModelPlace(file: contents))
    }

    private static func file(_ path: String, _ limits: ModelLimits) throws(ModelError) -> ManagedObjectModel {
        let bytes = try FileBytes.read(path, limits: limits)
        do throws(ModelError) {
            return try model(bytes, limits)
        } catch {
            throw error.inFile(path)
        }
    }

    static func model(_ bytes: [UInt8], _ limits: ModelLimits) throws(ModelError) -> ManagedObjectModel {
        if let other = otherKind(bytes) { throw ModelError(.notAModel(found: other)) }
        if BinaryPropertyList.isOne(bytes) { return try CompiledModelReader.read(bytes, limits: limits) }
        let root = try XMLReader.read(bytes, limits: limits)
        guard root.name == "plist" else { return try ModelXMLReader.model(root) }
        return try CompiledModelReader.read(bytes, limits: limits)
    }

    /// What the bytes are, where they are something else that people have beside their models.
    private static func otherKind(_ bytes: [UInt8]) -> String? {
        if bytes.isEmpty { return "an empty file" }
        if bytes.starts(with: Array("momv2$".utf8)) {
            return "an optimized model (.omo); the .mom beside it has the same model"
        }
        if bytes.starts(with: Array("SQLite format 3".utf8)) { return "a SQLite store" }
        return BinaryPropertyList.isOne(bytes) || XMLReader.mayBeXML(bytes) ? nil : "a file of another kind"
    }
}

extension ManagedObjectModel {
    /// Reads a model: an `.xcdatamodel`, a `.mom`, or the current version of an `.xcdatamodeld` or a `.momd`.
    ///
    /// `try ManagedObjectModel(path: "Library.xcdatamodeld")`
    ///
    /// What the file is shows in its first bytes, whatever its name. Nothing of an archive is made but the values here: classes
    /// of an app that it names are not looked up.
    /// - Throws: ``ModelError`` with the file and the place in it.
    public init(path: String, limits: ModelLimits = .standard) throws(ModelError) {
        self = try ModelFile.read(path, limits: limits)
    }

    /// Reads a model from the bytes of a `contents` file or of a `.mom`.
    /// - Throws: ``ModelError`` with the place.
    public init(bytes: [UInt8], limits: ModelLimits = .standard) throws(ModelError) {
        self = try ModelFile.model(bytes, limits)
    }

    /// Reads the model that a store keeps in `Z_MODELCACHE.Z_CONTENT`: an archive, compressed by raw DEFLATE.
    /// - Throws: ``ModelError``; data that would grow past ``ModelLimits/inflatedSize`` is an error, too.
    public init(modelCache bytes: [UInt8], limits: ModelLimits = .standard) throws(ModelError) {
        self = try CompiledModelReader.read(try Inflater.inflate(bytes, limits: limits), limits: limits)
    }
}
