import CZlib
import Foundation

/// Reads one version of a model from a file or folder of any kind.
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
        let elements = FileBytes.join(path, "elements")
        guard FileBytes.kind(of: elements) == .file else {
            throw ModelError(.noSuchFile, at: ModelPlace(file: contents))
        }
        throw ModelError(.oldModel, at: ModelPlace(file: elements))
    }

    private static func file(_ path: String, _ limits: ModelLimits) throws(ModelError) -> ManagedObjectModel {
        let bytes = try FileBytes.read(path, limits: limits)
        return try ModelError.reading(path) { () throws(ModelError) in try model(bytes, limits) }
    }

    static func model(_ bytes: [UInt8], _ limits: ModelLimits) throws(ModelError) -> ManagedObjectModel {
        if let other = otherKind(bytes) { throw ModelError(.notAModel(found: other)) }
        if BinaryPropertyList.isOne(bytes) { return try CompiledModelReader.read(bytes, limits: limits) }
        let root = try XMLReader.read(bytes, limits: limits)
        guard root.name == "plist" else { return try ModelXMLReader.model(root) }
        return try CompiledModelReader.read(bytes, limits: limits)
    }

    /// The kind of other files that are found near models; nil if it is unknown.
    private static func otherKind(_ bytes: [UInt8]) -> String? {
        if bytes.isEmpty { return "an empty file" }
        if bytes.starts(with: Array("momv2$".utf8)) {
            return "an optimized model (.omo); the .mom next to it has the same model"
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
    /// The version hashes of a `.mom` in a `.momd` come from the bundle.
    ///
    /// The first bytes of the file, not its name, determine its kind. Only the model is created from an archive: app
    /// classes that the archive names are not looked up.
    /// - Throws: ``ModelError`` with the file and the place in it.
    public init(path: String, limits: ModelLimits = .standard) throws(ModelError) {
        self = try ModelFile.read(path, limits: limits)
        guard FileBytes.fileExtension(path) == "mom" else { return }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let bundle = try VersionInformation.read(FileBytes.join(folder, "VersionInfo.plist"), limits)
        versionHashes = bundle?.hashes[FileBytes.stem(path)] ?? [:]
    }

    /// Reads a model from the bytes of a `contents` file or of a `.mom`.
    /// - Throws: ``ModelError`` with the place.
    public init(bytes: [UInt8], limits: ModelLimits = .standard) throws(ModelError) {
        self = try ModelFile.model(bytes, limits)
    }

    /// Reads the model that a store keeps in `Z_MODELCACHE.Z_CONTENT`: an archive compressed with raw DEFLATE.
    /// - Throws: ``ModelError``, also for data that would exceed ``ModelLimits/inflatedSize``.
    package init(modelCache bytes: [UInt8], limits: ModelLimits = .standard) throws(ModelError) {
        self = try CompiledModelReader.read(try Inflater.inflate(bytes, limits: limits), limits: limits)
    }
}

extension ManagedObjectModel {
    /// The content of `Z_MODELCACHE` in a store of the model: its archive, compressed with raw DEFLATE. nil for a model
    /// that was not read from an archive.
    package var modelCache: [UInt8]? { archive.flatMap(Deflater.deflate) }
}

/// Reads files and folders, with ``ModelError`` for failures.
enum FileBytes {
    enum Kind { case file, directory }

    static func kind(of path: String) -> Kind? {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else { return nil }
        return isDirectory.boolValue ? .directory : .file
    }

    static func read(_ path: String, limits: ModelLimits) throws(ModelError) -> [UInt8] {
        let place = ModelPlace(file: path)
        guard kind(of: path) != nil else { throw ModelError(.noSuchFile, at: place) }
        let handle: FileHandle
        let data: Data?
        do {
            handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
            defer { try? handle.close() }
            data = try handle.read(upToCount: limits.fileSize + 1)
        } catch {
            throw ModelError(.unreadable((error as NSError).localizedDescription), at: place)
        }
        guard (data?.count ?? 0) <= limits.fileSize else {
            throw ModelError(.exceeds(.fileSize, limit: limits.fileSize), at: place)
        }
        return Array(data ?? Data())
    }

    /// The names in a folder in natural order, except those that begin with a dot.
    static func names(in path: String) throws(ModelError) -> [String] {
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: path)
            return names.filter { !$0.hasPrefix(".") }.sorted(by: NaturalOrder.precedes)
        } catch {
            throw ModelError(.unreadable((error as NSError).localizedDescription), at: ModelPlace(file: path))
        }
    }

    static func join(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }

    /// The last component of a path without its extension.
    static func stem(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return name }
        return String(name[..<dot])
    }

    static func fileExtension(_ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        return name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]).lowercased() } ?? ""
    }
}

/// The order of names in which numbers are compared by value: `Model`, `Model 2`, `Model 10`.
enum NaturalOrder {
    static func precedes(_ left: String, _ right: String) -> Bool {
        left.compare(right, options: [.caseInsensitive, .numeric, .forcedOrdering]) == .orderedAscending
    }
}

/// Decompresses raw DEFLATE, which has no header, or gzip, up to a maximum size.
package enum Inflater {
    private static let chunk = 1 << 16

    /// True for bytes that begin as gzip does.
    package static func isGzip(_ bytes: some Sequence<UInt8>) -> Bool { bytes.starts(with: [0x1F, 0x8B]) }

    package static func inflate(
        _ bytes: [UInt8], isGzip: Bool = false, limits: ModelLimits
    ) throws(ModelError) -> [UInt8] {
        guard bytes.count <= limits.fileSize else { throw ModelError(.exceeds(.fileSize, limit: limits.fileSize)) }
        var stream = z_stream()
        let status = isGzip ? predicates_inflate_gzip(&stream) : predicates_inflate_raw(&stream)
        guard status == Z_OK else { throw ModelError(.corruptCompression) }
        defer { inflateEnd(&stream) }
        var output: [UInt8] = []
        var input = bytes
        let code: ModelError.Code? = input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(clamping: input.count)
            return run(&stream, into: &output, limits)
        }
        if let code { throw ModelError(code) }
        return output
    }

    /// Decompresses to the end of the stream; returns the error, or nil.
    private static func run(
        _ stream: inout z_stream, into output: inout [UInt8], _ limits: ModelLimits
    ) -> ModelError.Code? {
        var buffer = [UInt8](repeating: 0, count: chunk)
        while true {
            let (status, count) = buffer.withUnsafeMutableBufferPointer { buffer in
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(buffer.count)
                let status = CZlib.inflate(&stream, Z_NO_FLUSH)
                return (status, buffer.count - Int(stream.avail_out))
            }
            output += buffer[..<count]
            if output.count > limits.inflatedSize { return .exceeds(.inflatedSize, limit: limits.inflatedSize) }
            if status == Z_STREAM_END { return nil }
            // Without progress the data is truncated.
            if status != Z_OK || count == 0 { return .corruptCompression }
        }
    }
}

/// Compresses to raw DEFLATE, which has no header.
enum Deflater {
    /// The compressed bytes; nil if there is not enough memory.
    static func deflate(_ bytes: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        guard predicates_deflate_raw(&stream) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var input = bytes
        let bound = Int(deflateBound(&stream, uLong(bytes.count)))
        return [UInt8](unsafeUninitializedCapacity: bound) { output, count in
            input.withUnsafeMutableBufferPointer { input in
                (stream.next_in, stream.avail_in) = (input.baseAddress, uInt(input.count))
                (stream.next_out, stream.avail_out) = (output.baseAddress, uInt(output.count))
                CZlib.deflate(&stream, Z_FINISH)
            }
            count = bound - Int(stream.avail_out)
        }
    }
}
