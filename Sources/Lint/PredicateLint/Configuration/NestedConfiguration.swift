import Foundation

/// The configuration for the files below a folder: its own `.predicate-lint` and those of the folders above it.
///
/// An inner configuration adds to the outer ones: its levels override theirs, and its paths are relative to its folder. Only
/// the outermost configuration may name a baseline, because a run has only one.
package struct NestedConfiguration: Sendable {
    /// The configurations from the outermost to the innermost, each with its folder.
    private var files: [(folder: String, configuration: LintConfiguration)] = []

    package static let fileName = ".predicate-lint"

    /// `root` is the folder of the outermost configuration.
    package init(_ configuration: LintConfiguration, root: String = ".") {
        files = [(SourceRoot.absolute(root), configuration)]
    }

    /// This configuration together with the file in a folder, if there is one. A file with a mistake is reported and left out.
    func entering(_ folder: String, _ report: (NestedConfigurationError) -> Void) -> NestedConfiguration {
        let own = SourceRoot.absolute(folder)
        let path = own + "/" + Self.fileName
        guard !files.contains(where: { $0.folder == own }), FileManager.default.fileExists(atPath: path) else {
            return self
        }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            report(NestedConfigurationError(file: path, line: 1, message: "cannot be read"))
            return self
        }
        do throws(LintConfigurationError) {
            let configuration = try LintConfiguration(text)
            if configuration.baseline != nil { throw LintConfigurationError(line: 1, .nestedBaseline) }
            var copy = self
            copy.files.append((own, configuration))
            return copy
        } catch {
            report(NestedConfigurationError(file: path, line: error.line, message: error.problem.message))
            return self
        }
    }

    /// The configuration that applies below a folder, with the files of all folders between it and the root. A file with a
    /// mistake is reported and left out.
    package func descending(to folder: String, _ report: (NestedConfigurationError) -> Void) -> NestedConfiguration {
        let own = SourceRoot.absolute(folder)
        guard let root = files.first?.folder, own == root || own.hasPrefix(root == "/" ? root : root + "/") else {
            return entering(own, report)
        }
        var result = self
        var path = root == "/" ? "" : root
        for part in own.dropFirst(path.utf8.count).split(separator: "/") {
            path += "/" + part
            result = result.entering(path, report)
        }
        return result
    }

    /// The settings for a file.
    package func settings(for path: String) -> LintSettings {
        let path = SourceRoot.absolute(path)
        var settings = LintSettings()
        for (folder, configuration) in files {
            settings.add(configuration.settings, for: Self.relative(path, to: folder))
        }
        return settings
    }

    var hasExcludes: Bool { files.contains { !$0.configuration.excludes.isEmpty } }

    package func excludes(_ path: String) -> Bool {
        let own = SourceRoot.absolute(path)
        return files.contains { folder, configuration in
            let relative = Self.relative(own, to: folder)
            return configuration.excludes.contains { $0.matches(relative) }
        }
    }

    /// The data models of the innermost configuration that names any; empty if none does.
    package var models: [String] { Self.models(files[...]) }

    private static func models(_ files: ArraySlice<(folder: String, configuration: LintConfiguration)>) -> [String] {
        guard let (folder, configuration) = files.last(where: { !$0.configuration.models.isEmpty }) else { return [] }
        return configuration.models.map { $0.hasPrefix("/") ? $0 : folder + "/" + $0 }
    }

    /// The baseline of the outermost configuration.
    package var baseline: String? {
        guard let (folder, configuration) = files.first, let path = configuration.baseline else { return nil }
        return path.hasPrefix("/") ? path : folder + "/" + path
    }

    /// The files that were read.
    package var paths: [String] { files.map { $0.folder + "/" + Self.fileName } }

    /// The data models of the innermost configuration that names any, not counting the outermost one; empty if none does. Their
    /// paths are absolute.
    package var ownModels: [String] { Self.models(files.dropFirst()) }

    var hasPathLevels: Bool { files.contains { !$0.configuration.settings.pathLevels.isEmpty } }

    // MARK: Paths

    private static func relative(_ path: String, to folder: String) -> String {
        let prefix = folder == "/" ? folder : folder + "/"
        return path.hasPrefix(prefix) ? String(path.dropFirst(prefix.count)) : path
    }
}

/// An invalid or unreadable configuration in a folder.
package struct NestedConfigurationError: Error, Hashable, Sendable {
    package var file: String
    /// The line of the mistake, from 1.
    package var line: Int
    package var message: String

    package init(file: String, line: Int, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    /// The file and the line.
    package var place: String { "\(file):\(line)" }
}
