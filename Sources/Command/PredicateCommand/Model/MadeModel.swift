import PredicateCoreData
import PredicateModel

/// `predicate model write`, `infer`, `merge`, `compile` and `map`: models and mapping models that are printed or written.
struct MadeModel {
    let reader: ArgumentReader
    /// The path of `--save`; nil to print.
    let path: String?

    /// Prints a model or writes it as an `.xcdatamodel` or `.xcdatamodeld`.
    func write(_ model: ManagedObjectModel, _ console: Console) throws(CommandFailure) -> ExitStatus {
        let document = ModelDocument(model)
        for omission in document.omissions {
            console.report("note: left out, because a model file cannot express it: \(omission.printable)")
        }
        var name = "contents"
        if let path, Self.hasExtension(path, "xcdatamodeld") {
            name = "\(ModelInput.name(of: path)).xcdatamodel/\(name)"
        }
        return try write(document.text, as: name, console)
    }

    func merge(_ paths: [String], _ console: Console) throws(CommandFailure) -> ExitStatus {
        var models: [ManagedObjectModel] = []
        for path in paths { models.append(try ModelInput.model(path)) }
        let merged = try ModelInput.reading { () throws(ModelError) in try ManagedObjectModel(merging: models) }
        return try write(merged, console)
    }

    func map(_ old: String, _ new: String, _ console: Console) throws(CommandFailure) -> ExitStatus {
        let (source, destination) = (try ModelInput.model(old), try ModelInput.model(new))
        var (mapping, changes) = try CoreDataFile.reading(new) { () throws(CoreDataError) in
            try MappingModel.draft(from: source, to: destination)
        }
        for change in changes { console.report("note: \(new): no expression: \(change)") }
        mapping.sourceModelPath = try Self.versionPath(old)
        mapping.destinationModelPath = try Self.versionPath(new)
        let document = try ModelInput.reading { () throws(ModelError) in try MappingDocument(mapping) }
        return try write(document.text, as: "xcmapping.xml", console)
    }

    /// The path of the version that a path names, which identifies its mapping models; nil for a store.
    private static func versionPath(_ path: String) throws(CommandFailure) -> String? {
        guard try ModelInput.stored(in: path) == nil else { return nil }
        return try? ModelInput.bundle(path).currentVersion().path
    }

    func compile(_ file: String, version: String?, _ console: Console) throws(CommandFailure) -> ExitStatus {
        guard let path, Self.hasExtension(path, "mom") || Self.hasExtension(path, "momd") else {
            throw reader.failure("expected a file to write: --save NAME.mom or --save NAME.momd")
        }
        guard Self.hasExtension(path, "momd"), version == nil, try ModelInput.stored(in: file) == nil else {
            let model = try ModelInput.model(file, version: version)
            let bytes = try ModelInput.reading(file, model.compiled)
            let name = Self.hasExtension(path, "momd") ? "\(version ?? ModelInput.name(of: file)).mom" : ""
            return try write([(name, bytes)], to: path)
        }
        let bundle = try ModelInput.bundle(file)
        let files = try ModelInput.reading(nil, bundle.compiled)
        return try write(files.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }, to: path)
    }

    // MARK: Files

    private static func hasExtension(_ path: String, _ name: String) -> Bool {
        path.split(separator: "/").last?.hasSuffix(".\(name)") ?? false
    }

    private func write(_ text: String, as name: String, _ console: Console) throws(CommandFailure) -> ExitStatus {
        if let path { return try write([(name, Array(text.utf8))], to: path) }
        try console.write(text)
        return .success
    }

    private func write(_ files: [(path: String, bytes: [UInt8])], to path: String) throws(CommandFailure) -> ExitStatus
    {
        try CoreDataFile.reading(path) { () throws(CoreDataError) in try ModelFiles.write(files, to: path) }
        return .success
    }
}
