import Foundation
import PredicateData
import PredicateModel
import PredicateSyntax

/// `predicate model unchanged BUNDLE --since REF`: that versions which are out there stay what they were.
///
/// What counts is the model, not the text: Xcode writes its own version into the files. A version that git does not have at
/// the reference is new, and may be anything.
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

    /// `changes` is nil for a version that is gone.
    private func report(_ name: String, _ changes: [ModelChange]?) -> String {
        if isJSON {
            let members: [String: PredicateValue] = [
                "version": .string(name), "gone": .bool(changes == nil),
                "changes": .array((changes ?? []).map { ModelJSON.change($0) }),
            ]
            return JSONWriter().text(of: .dictionary(members)) + "\n"
        }
        guard let changes else { return "\(name.printable): gone since \(reference.printable)\n" }
        let lines = ["\(name): changed since \(reference)"] + changes.flatMap { ModelDiff.lines(of: $0) }
        return lines.map { $0.printable + "\n" }.joined()
    }
}

/// The files of a folder as git has them at a commit.
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

    /// The paths below the folder's parent.
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
