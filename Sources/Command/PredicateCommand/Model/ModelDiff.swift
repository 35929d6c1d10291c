import Foundation
import PredicateCoreData
import PredicateData
import PredicateJSON
import PredicateModel
import PredicateSession
import PredicateStore
import PredicateSyntax

/// `predicate model diff OLD NEW`: prints the changes, and whether a migration can be inferred.
struct ModelDiff {
    let paths: [String]
    let isAll: Bool
    let isJSON: Bool
    let mapping: String?

    /// Two versions with their names.
    private typealias Pair = (
        old: (name: String, model: ManagedObjectModel), new: (name: String, model: ManagedObjectModel)
    )

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        var worst = MigrationEffect.Level.nothing
        let pairs = try pairs()
        for pair in pairs {
            let difference = ModelDifference(from: pair.old.model, to: pair.new.model)
            let objects = try ConcernedObjects(difference, pair.old.model, inStore: paths.count == 2 ? paths[0] : nil)
            worst = max(worst, objects.verdict(try uncovered(difference, pair, console)))
            if isJSON {
                let verdict = objects.verdict(difference.verdict)
                try console.write(
                    ModelJSON.text(of: difference, from: pair.old.name, to: pair.new.name, verdict: verdict) + "\n")
            } else {
                try console.write(Self.text(of: difference, objects, pair.old.name, pair.new.name))
            }
        }
        if pairs.isEmpty { console.report("note: there is only one version, so there is nothing to compare") }
        switch worst {
        case .nothing, .inferable: return .success
        case .dataMayRefuse: return .undecided
        case .needsMapping: return .negative
        }
    }

    /// Returns the verdict on the changes that the mapping model does not cover.
    private func uncovered(
        _ difference: ModelDifference, _ pair: Pair, _ console: Console
    ) throws(CommandFailure) -> MigrationEffect.Level {
        guard let path = mapping else { return difference.verdict }
        let resolved = try ModelInput.reading { () throws(ModelError) in
            try MappingModel(path: path).resolved(from: pair.old.model, to: pair.new.model)
        }
        let findings = resolved.check(from: pair.old.model, to: pair.new.model)
        for finding in findings { console.report(finding.description.printable) }
        if findings.contains(where: { !$0.isWarning }) { return .needsMapping }
        let names = resolved.uncoveredEntities(from: pair.old.model, to: pair.new.model)
        if names.isEmpty { return .inferable }
        console.report("note: \(path): no mapping takes objects of \(names.joined(separator: ", "))")
        return difference.verdict
    }

    private func pairs() throws(CommandFailure) -> [Pair] {
        if paths.count == 2 {
            let old = (name: paths[0], model: try ModelInput.model(paths[0]))
            return [(old, (name: paths[1], model: try ModelInput.model(paths[1])))]
        }
        var versions: [(name: String, model: ManagedObjectModel)] = []
        for version in try ModelInput.bundle(paths[0]).versions {
            versions.append((version.name, try ModelInput.reading(nil, version.model)))
        }
        guard isAll else { return Array(zip(versions, versions.dropFirst())) }
        return versions.indices.flatMap { index in versions[(index + 1)...].map { (versions[index], $0) } }
    }

    // MARK: Text

    private static func text(
        of difference: ModelDifference, _ objects: ConcernedObjects, _ old: String, _ new: String
    ) -> String {
        let verdict = verdict(difference.verdict) + objects.condition
        let lines = ["\(old) to \(new): \(verdict)"] + difference.changes.flatMap { Self.lines(of: $0) }
        return lines.map { $0.printable + "\n" }.joined()
    }

    private static func verdict(_ level: MigrationEffect.Level) -> String {
        switch level {
        case .nothing: "nothing to do"
        case .inferable: "a migration can be inferred"
        case .dataMayRefuse: "a migration can be inferred, but may fail for some data"
        case .needsMapping: "needs a mapping model"
        }
    }

    static func lines(of change: ModelChange) -> [String] {
        let place = [change.entity, change.name].compactMap(\.self).joined(separator: ".")
        var line = "  \(mark(change.effect.level)) \(change.kind.rawValue)" + (place.isEmpty ? "" : " \(place)")
        switch (change.old, change.new) {
        case (let old?, let new?): line += ": \(old) to \(new)"
        case (let old?, nil): line += ": \(old)"
        case (nil, let new?): line += ": \(new)"
        case (nil, nil): break
        }
        switch change.effect {
        case .nothing, .inferable: return [line]
        case .dataMayRefuse(let question):
            let query = question.predicate.map {
                ["      to check: predicate filter '\($0)' STORE --entity \(question.entity)"]
            }
            return [line, "      fails if \(question.reason) (\(question.errorNumber))"] + (query ?? [])
        case .needsMapping(let number, let reason):
            let condition = change.effect.concernsObjectsOnly ? ", if there are objects" : ""
            return [line, "      \(reason)\(condition) (\(number))"]
        }
    }

    private static func mark(_ level: MigrationEffect.Level) -> String {
        switch level {
        case .nothing: " "
        case .inferable: "+"
        case .dataMayRefuse: "?"
        case .needsMapping: "!"
        }
    }
}

/// The entities whose existing objects are the only reason for a mapping model, and whether an old store has such objects.
private struct ConcernedObjects {
    private let entities: [String]
    /// Nil if no store was given.
    private let hasObjects: Bool?
    /// The verdict if there are no such objects.
    private let otherwise: MigrationEffect.Level

    init(_ difference: ModelDifference, _ model: ManagedObjectModel, inStore path: String?) throws(CommandFailure) {
        let others = difference.changes.map(\.effect).filter { !$0.concernsObjectsOnly }.map(\.level).max() ?? .nothing
        otherwise = max(others, .inferable)
        let concerned = difference.changes.filter(\.effect.concernsObjectsOnly).compactMap(\.entity)
        guard otherwise != .needsMapping, !concerned.isEmpty else {
            (entities, hasObjects) = ([], nil)
            return
        }
        entities = Array(Set(concerned)).sorted()
        let names = concerned.map { name in
            difference.changes.first { $0.kind == .entityRenamed && $0.entity == name }?.old ?? name
        }
        hasObjects = if let path { try Self.hasObjects(Set(names), path) } else { nil }
    }

    /// ` if there are objects of Item`
    var condition: String {
        guard !entities.isEmpty, hasObjects != true else { return "" }
        let names = entities.joined(separator: ", ")
        return hasObjects == nil
            ? " if there are objects of \(names)" : " only for objects of \(names), and the old store has none"
    }

    func verdict(_ level: MigrationEffect.Level) -> MigrationEffect.Level {
        level == .needsMapping && hasObjects == false ? otherwise : level
    }

    /// Nil for a file that is not a store.
    private static func hasObjects(_ entities: Set<String>, _ path: String) throws(CommandFailure) -> Bool? {
        guard SQLiteFile.isOne(path) else { return nil }
        return try CoreDataFile.reading(path) { () throws(CoreDataError) in
            let store = try CoreDataStore(path)
            for entity in entities where store.schema.entities[entity] != nil {
                let request = PredicateFetchRequest(entity)
                if try storing({ () throws(StoreError) in try store.objects.fetchCount(request) }) > 0 { return true }
            }
            return false
        }
    }
}

/// `predicate model unchanged BUNDLE --since REF`: verifies that released versions have not changed.
///
/// The models are compared, not their files, because Xcode writes its own version into the files. A version that does not exist
/// at the git reference is new and is not compared.
struct UnchangedVersions {
    let bundle: String
    let reference: String
    let isJSON: Bool

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        let bundle = try ModelInput.bundle(bundle)
        let git = try GitFiles(folder: self.bundle, reference: reference)
        var isChanged = false
        for file in try git.files() where file.hasSuffix(".xcdatamodel/contents") || file.hasSuffix(".mom") {
            let name = Self.name(of: file)
            let old = try model(try git.contents(of: file), file)
            let new = try bundle.versions.first { $0.name == name }.map { (version) throws(CommandFailure) in
                try ModelInput.model(version.path)
            }
            let changes = new.map { ModelDifference(from: old, to: $0).changes }
            guard changes != [] else { continue }
            isChanged = true
            try console.write(report(name, changes))
        }
        return isChanged ? .negative : .success
    }

    private static func name(of file: String) -> String {
        let part = file.hasSuffix("/contents") ? String(file.dropLast("/contents".count)) : file
        let last = part.split(separator: "/").last.map(String.init) ?? part
        return last.lastIndex(of: ".").map { String(last[..<$0]) } ?? last
    }

    private func model(_ bytes: [UInt8], _ file: String) throws(CommandFailure) -> ManagedObjectModel {
        do throws(ModelError) {
            return try ManagedObjectModel(bytes: bytes)
        } catch {
            throw .message("\(reference):\(file): \(error.title)", hints: error.hints)
        }
    }

    /// `changes` is nil for a version that was removed.
    private func report(_ name: String, _ changes: [ModelChange]?) -> String {
        if isJSON {
            let members: [String: PredicateValue] = [
                "version": .string(name), "gone": .bool(changes == nil),
                "changes": .array((changes ?? []).map { ModelJSON.change($0) }),
            ]
            return JSONWriter().text(of: .dictionary(members)) + "\n"
        }
        guard let changes else { return "\(name.printable): removed since \(reference.printable)\n" }
        let lines = ["\(name): changed since \(reference)"] + changes.flatMap { ModelDiff.lines(of: $0) }
        return lines.map { $0.printable + "\n" }.joined()
    }
}

/// The files of a folder at a commit of git.
struct GitFiles {
    private let folder: String
    private let name: String
    private let reference: String

    init(folder path: String, reference: String) throws(CommandFailure) {
        guard !reference.hasPrefix("-"), !reference.isEmpty else {
            throw .usage(UsageError("expected a commit, a branch or a tag, found '\(reference)'", in: .model))
        }
        let url = URL(fileURLWithPath: path)
        folder = url.deletingLastPathComponent().path
        name = url.lastPathComponent
        self.reference = reference
    }

    /// Returns the paths of the files, relative to the parent of the folder.
    func files() throws(CommandFailure) -> [String] {
        let output = try run(["ls-tree", "-r", "-z", "--name-only", reference, "--", name + "/"])
        return output.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }

    func contents(of file: String) throws(CommandFailure) -> [UInt8] {
        try run(["show", "\(reference):./\(file)"])
    }

    private func run(_ words: [String]) throws(CommandFailure) -> [UInt8] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git", "-C", folder] + words
        let output = Pipe(), errors = Pipe()
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        let bytes: Data, message: Data
        do {
            try process.run()
            bytes = try output.fileHandleForReading.readToEnd() ?? Data()
            message = try errors.fileHandleForReading.readToEnd() ?? Data()
        } catch {
            throw .message("git cannot be started: \((error as NSError).localizedDescription)")
        }
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let text = String(decoding: message, as: UTF8.self).split(separator: "\n").first.map(String.init) ?? ""
            throw .message(
                "git: \(text.printable)", hints: ["--since takes a commit, a branch or a tag of the repository"])
        }
        return Array(bytes)
    }
}
