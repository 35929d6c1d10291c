import Foundation

/// The versions of a model: an `.xcdatamodeld`, a `.momd`, or a single file as a bundle with one version.
///
///     let bundle = try ModelBundle(path: "Library.xcdatamodeld")
///     for version in bundle.versions { print(version.name, try version.model().entities.count) }
///
/// Each version is read on demand, so a damaged one does not hide the others. Versions are listed in natural order of
/// their names, `Model 9` before `Model 10`, because the files do not record when they were created.
public struct ModelBundle: Sendable {
    /// The path of the bundle.
    package let path: String
    /// The versions in natural order of their names.
    public let versions: [ModelVersion]
    /// The name of the current version; nil if the bundle has several versions and does not name one.
    public let currentVersionName: String?

    /// Lists the versions of a bundle.
    /// - Throws: ``ModelError`` with the path.
    public init(path: String, limits: ModelLimits = .standard) throws(ModelError) {
        guard let kind = FileBytes.kind(of: path) else { throw ModelError(.noSuchFile, at: ModelPlace(file: path)) }
        self.path = path
        switch (kind, FileBytes.fileExtension(path)) {
        case (.directory, "xcdatamodeld"):
            versions = try Self.sourceVersions(path, limits)
            currentVersionName = try Self.currentSource(path, versions, limits)
        case (.directory, "momd"):
            let info = try VersionInformation.read(FileBytes.join(path, "VersionInfo.plist"), limits)
            versions = try Self.compiledVersions(path, info, limits)
            currentVersionName = info?.current ?? Self.only(versions)
        case (.directory, "xcdatamodel"), (.file, _):
            versions = [ModelVersion(name: FileBytes.stem(path), path: path, limits: limits)]
            currentVersionName = versions.first?.name
        case (.directory, _):
            throw ModelError(.notAModel(found: "a folder"), at: ModelPlace(file: path))
        }
        if versions.isEmpty { throw ModelError(.noVersions, at: ModelPlace(file: path)) }
    }

    private static func only(_ versions: [ModelVersion]) -> String? {
        versions.count == 1 ? versions.first?.name : nil
    }

    private static func sourceVersions(_ path: String, _ limits: ModelLimits) throws(ModelError) -> [ModelVersion] {
        try FileBytes.names(in: path).filter { $0.hasSuffix(".xcdatamodel") }.map {
            ModelVersion(name: FileBytes.stem($0), path: FileBytes.join(path, $0), limits: limits)
        }
        .sorted { NaturalOrder.precedes($0.name, $1.name) }
    }

    private static func compiledVersions(
        _ path: String, _ info: VersionInformation?, _ limits: ModelLimits
    ) throws(ModelError) -> [ModelVersion] {
        try FileBytes.names(in: path).filter { $0.hasSuffix(".mom") }.map { file in
            let name = FileBytes.stem(file)
            return ModelVersion(
                name: name, path: FileBytes.join(path, file), entityHashes: info?.hashes[name] ?? [:],
                checksum: info?.checksums[name], limits: limits)
        }
        .sorted { NaturalOrder.precedes($0.name, $1.name) }
    }

    private static func currentSource(
        _ path: String, _ versions: [ModelVersion], _ limits: ModelLimits
    ) throws(ModelError) -> String? {
        let file = FileBytes.join(path, ".xccurrentversion")
        guard FileBytes.kind(of: file) == .file else { return only(versions) }
        let list = try ModelError.reading(file) { () throws(ModelError) in
            try PropertyListValue(try FileBytes.read(file, limits: limits), limits: limits)
        }
        let name = list.dictionary?["_XCCurrentVersionName"]?.string
        return name.map { $0.hasSuffix(".xcdatamodel") ? FileBytes.stem($0) : $0 } ?? only(versions)
    }

    /// Returns the version with a name, with or without the extension of its file.
    public func version(named name: String) throws(ModelError) -> ModelVersion {
        let stem = name.hasSuffix(".xcdatamodel") || name.hasSuffix(".mom") ? FileBytes.stem(name) : name
        if let found = versions.first(where: { $0.name == stem }) { return found }
        throw ModelError(
            .unknownVersion(name, available: versions.map(\.name)), at: ModelPlace(file: path))
    }

    /// Returns the current version. If the bundle has a single version, it is the current one.
    public func currentVersion() throws(ModelError) -> ModelVersion {
        if versions.count == 1 { return versions[0] }
        guard let name = currentVersionName else {
            throw ModelError(
                .unknownVersion("", available: versions.map(\.name)), at: ModelPlace(file: path))
        }
        return try version(named: name)
    }
}

extension ModelBundle {
    /// Returns the files of the compiled bundle by name: a `.mom` for each version, and `VersionInfo.plist` with the name of
    /// the current one and with the version hashes that the bundle has.
    ///
    /// `for (name, bytes) in try bundle.compiled() { try Data(bytes).write(to: folder.appending(path: name)) }`
    /// - Throws: ``ModelError`` with the file: `notWritable` for a part that an archive cannot contain, and the errors of
    /// reading the versions.
    public func compiled() throws(ModelError) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for version in versions {
            files["\(version.name).mom"] = try ModelError.reading(version.path) { () throws(ModelError) in
                try version.model().compiled()
            }
        }
        files["VersionInfo.plist"] = BinaryPropertyListWriter.bytes(of: .dictionary(versionInformation))
        return files
    }

    private var versionInformation: [String: PropertyListValue] {
        var fields: [String: PropertyListValue] = [:]
        if let name = currentVersionName { fields["NSManagedObjectModel_CurrentVersionName"] = .string(name) }
        let hashes = versions.map { ($0.name, PropertyListValue.dictionary($0.entityHashes.mapValues { .data($0) })) }
        fields["NSManagedObjectModel_VersionHashes"] = .dictionary(
            Dictionary(hashes, uniquingKeysWith: { first, _ in first }))
        let checksums = versions.compactMap { version in version.checksum.map { (version.name, $0) } }
        guard !checksums.isEmpty else { return fields }
        fields["NSManagedObjectModel_VersionChecksums"] = .dictionary(
            Dictionary(checksums, uniquingKeysWith: { first, _ in first }).mapValues { .string($0) })
        return fields
    }
}

/// A version of a model in a bundle. The model itself is read on demand.
public struct ModelVersion: Sendable {
    /// The name without extension: `Library 2`
    public let name: String
    /// The path of the file or the folder.
    package let path: String
    /// The version hashes of the entities by name, if the bundle has them: 32 bytes each, which only Core Data can
    /// compute.
    package let entityHashes: [String: Data]
    /// The checksum of the version, if the bundle has it. Staged migrations use it.
    package let checksum: String?
    private let limits: ModelLimits

    init(
        name: String, path: String, entityHashes: [String: Data] = [:], checksum: String? = nil, limits: ModelLimits
    ) {
        self.name = name
        self.path = path
        self.entityHashes = entityHashes
        self.checksum = checksum
        self.limits = limits
    }

    /// Reads the model.
    /// - Throws: ``ModelError`` with the file and the place in it.
    public func model() throws(ModelError) -> ManagedObjectModel {
        var model = try ModelFile.read(path, limits: limits)
        model.versionHashes = entityHashes
        return model
    }
}

/// The contents of `VersionInfo.plist` in a `.momd`.
struct VersionInformation {
    var current: String?
    var hashes: [String: [String: Data]] = [:]
    var checksums: [String: String] = [:]

    /// Nil if the file does not exist.
    static func read(_ path: String, _ limits: ModelLimits) throws(ModelError) -> VersionInformation? {
        guard FileBytes.kind(of: path) == .file else { return nil }
        return try ModelError.reading(path) { () throws(ModelError) -> VersionInformation in
            let list = try PropertyListValue(try FileBytes.read(path, limits: limits), limits: limits)
            guard let fields = list.dictionary else { throw ModelError(.notAPropertyList("expected a dictionary")) }
            var found = VersionInformation(current: fields["NSManagedObjectModel_CurrentVersionName"]?.string)
            for (name, value) in fields["NSManagedObjectModel_VersionHashes"]?.dictionary ?? [:] {
                found.hashes[name] = (value.dictionary ?? [:]).compactMapValues(\.data)
            }
            for (name, value) in fields["NSManagedObjectModel_VersionChecksums"]?.dictionary ?? [:] {
                found.checksums[name] = value.string
            }
            return found
        }
    }
}
