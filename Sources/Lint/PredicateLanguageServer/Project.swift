import Foundation
import PredicateLint
import PredicateModel
import PredicateSyntax

/// A project with open documents: its data models, the types of its sources, and the linter with its settings.
package struct Project: Sendable {
    /// Nil for an editor that opened files without a folder.
    let folder: String?
    /// The linter for files in folders without a configuration of their own.
    let linter: Linter
    /// The entities of the data models.
    let entityNames: [String]
    /// The mistakes in the configuration and in the models that it names.
    let problems: [String]
    /// The modification times of the files that were read, to detect changes.
    let stamp: [String: Date]
    private let configuration: NestedConfiguration
    private let baseline: LintBaseline
    private let declarations: ProjectDeclarations?
    /// The data models of inner folders, which are read again when their files change.
    private var innerModels: [[String]: (times: [String: Date], schema: ModelSchema)] = [:]

    /// No project.
    package init() {
        (folder, linter, entityNames, problems, stamp) = (nil, Linter(), [], [], [:])
        configuration = NestedConfiguration(LintConfiguration())
        (baseline, declarations) = (LintBaseline(), nil)
    }

    /// The project in a folder. Its models are the ones that `.predicate-lint` names or else the ones found in the folder.
    package init(folder: String) {
        var reader = ProjectReader(folder)
        self.folder = folder
        configuration = reader.configuration()
        let schema = reader.schema(configuration)
        baseline = reader.baseline(configuration)
        let declarations = ProjectFiles.declarations(in: folder)
        self.declarations = declarations
        linter = Linter(configuration.settings(for: folder), schema: schema, types: declarations.types.resolved())
        entityNames = reader.entityNames
        problems = reader.problems
        stamp = ProjectFiles.times(of: reader.files)
    }

    /// A hash of the sources that were read for their declarations.
    var digest: Int { declarations?.digest ?? 0 }

    /// What is known about the file at a path: the project, and the configurations of the file's folders.
    mutating func scope(of path: String?) -> FileScope {
        var scope = FileScope(linter: linter, entityNames: entityNames)
        guard let folder, let path, path.hasPrefix(folder + "/"), let slash = path.lastIndex(of: "/") else {
            return scope
        }
        scope.declarations = declarations
        scope.linter.wrappers = declarations?.wrappers(for: path) ?? []
        (scope.path, scope.baseline) = (path, baseline)
        let own = configuration.descending(to: String(path[..<slash])) { scope.problems.append($0) }
        scope.isExcluded = own.excludes(path) || ForeignFolders.contain(path.dropFirst(folder.count))
        scope.linter.settings = own.settings(for: path)
        scope.stamp = ProjectFiles.times(of: own.paths + scope.problems.map(\.file) + own.ownModels)
        guard !own.ownModels.isEmpty else { return scope }
        do throws(ModelError) {
            let schema = try innerSchema(own.ownModels)
            (scope.linter.schema, scope.entityNames) = (schema, schema.entityNames)
        } catch {
            let file = own.paths.last ?? folder
            scope.problems.append(NestedConfigurationError(file: file, line: 1, message: error.description))
        }
        return scope
    }

    private mutating func innerSchema(_ paths: [String]) throws(ModelError) -> ModelSchema {
        let times = ProjectFiles.times(of: paths)
        if let known = innerModels[paths], known.times == times { return known.schema }
        let schema = try ModelSchema(paths: paths)
        innerModels[paths] = (times, schema)
        return schema
    }

    static func uri(_ path: String) -> String { URL(filePath: path).absoluteString }

    /// The path of a `file:` URI; nil for other URIs.
    static func path(_ uri: String) -> String? {
        guard uri.utf8.count <= 1 << 16, uri.hasPrefix("file:"), let url = URL(string: uri) else { return nil }
        return url.path(percentEncoded: false)
    }
}

extension NestedConfigurationError {
    /// The mistake as a diagnostic of the protocol, which covers the whole line.
    var diagnostic: PredicateValue {
        let (start, end) = (TextPosition(line: line - 1, character: 0), TextPosition(line: line, character: 0))
        return .object([
            "range": .object(["start": start.value, "end": end.value]), "severity": .integer(1),
            "source": .string("predicate"), "message": .string(message),
        ])
    }
}

/// What is known about one file of a project.
struct FileScope: Sendable {
    /// The linter with the settings and the models for the file.
    var linter = Linter()
    /// The entities of these models.
    var entityNames: [String] = []
    /// True for a file that is not linted.
    var isExcluded = false
    /// The mistakes in configurations of inner folders.
    var problems: [NestedConfigurationError] = []
    /// The modification times of the configurations and models of inner folders.
    var stamp: [String: Date] = [:]
    /// Nil for a file outside the project.
    var path: String?
    /// The findings of the project that are hidden.
    var baseline = LintBaseline()
    /// What the sources of the project declare.
    var declarations: ProjectDeclarations?
}

extension FileScope {
    /// The result for a version of the file, checked with the types that its findings depend on, without hidden findings.
    func result(for source: [UInt8], _ kind: SourceKind) -> LintResult {
        guard let path, let declarations else { return linter.lint(source, kind: kind) }
        let all = linter.lint(source, kind: kind, path: path, in: declarations)
        return baseline.removingOld(from: all, path: path, source: source)
    }
}

/// Reads the configuration and the models of a project, and records the mistakes in them.
private struct ProjectReader {
    private let folder: String
    private(set) var files: [String]
    private(set) var problems: [String] = []
    private(set) var entityNames: [String] = []

    init(_ folder: String) {
        self.folder = folder
        files = [folder + "/" + NestedConfiguration.fileName]
    }

    mutating func configuration() -> NestedConfiguration {
        let own = FileManager.default.fileExists(atPath: files[0]) ? read(files[0], LintConfiguration.init(file:)) : nil
        return NestedConfiguration(own ?? LintConfiguration(), root: folder)
    }

    mutating func baseline(_ configuration: NestedConfiguration) -> LintBaseline {
        guard let path = configuration.baseline else { return LintBaseline() }
        files.append(path)
        return read(path, LintBaseline.init(file:)) ?? LintBaseline()
    }

    private mutating func read<Value>(_ path: String, _ reader: (String) throws(LintFileError) -> Value) -> Value? {
        do throws(LintFileError) { return try reader(path) } catch {
            problems.append(error.message)
            return nil
        }
    }

    mutating func schema(_ configuration: NestedConfiguration) -> (any PredicateSchema)? {
        let named = configuration.models
        guard !named.isEmpty else {
            let found = FoundModels(paths: ProjectFiles.models(in: folder))
            files += found?.paths ?? []
            entityNames = found?.schema.entityNames ?? []
            return found?.schema
        }
        files += named
        var models: [ManagedObjectModel] = []
        for path in named {
            do throws(ModelError) {
                models.append(try ManagedObjectModel(path: path))
            } catch {
                problems.append("\(path): \(error.description)")
            }
        }
        guard !models.isEmpty else { return nil }
        let schema = ModelSchema(models, isFetch: true)
        entityNames = schema.entityNames
        return schema
    }
}
