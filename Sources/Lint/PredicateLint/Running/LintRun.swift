import Foundation
import PredicateEvaluation
import PredicateModel
import PredicateSyntax

/// Lints files and directories in parallel, and writes the findings sorted by path.
///
///     var run = LintRun(paths: ["Sources"])
///     run.format = .json
///     let outcome = run.start(write: { print($0, terminator: "") }, report: { path, error in … })
///
/// Only a few files are in memory at a time.
package struct LintRun: Sendable {
    /// The handling of fixes.
    package enum Fixing: Hashable, Sendable {
        /// Fixes are only mentioned.
        case none
        /// Fixes are shown as a diff, and no file changes.
        case shown
        /// Fixes are written to the files, and the remaining findings are reported.
        case applied
    }

    /// The result of a run.
    package struct Outcome: Hashable, Sendable {
        /// The highest level of a finding; nil if there are no findings.
        package var worst: LintLevel?
        /// True if a file could not be read or written.
        package var hasFailures = false
        /// The number of findings and of files.
        package var findings = 0
        package var files = 0
        /// All rows, if they are kept for a new baseline.
        package var rows: [LintRow] = []
        /// The data models that were found because the configuration names none, if a predicate is about one of their entities.
        package var foundModels: [String] = []
    }

    package var paths: [String]
    package var configuration = LintConfiguration()
    /// The levels given as options. They outrank the levels of all configurations, including those of inner folders.
    package var levels = LintSettings()
    package var format = LintFormat.text
    package var lists = false
    package var fixing = Fixing.none
    package var baseline = LintBaseline()
    /// The directory to which the paths of SARIF are relative.
    package var root = SourceRoot()
    /// True to keep the rows for a new baseline.
    package var keepsRows = false
    /// The directory of the outermost configuration. Folders in it may have configurations of their own.
    package var folder = "."
    package var version = "0"
    /// The objects of the project, against which predicates are checked.
    package var schema: (any PredicateSchema)?
    /// The contents of the path `-`.
    package var standardInput: (source: [UInt8], kind: SourceKind)?

    package init(paths: [String]) {
        self.paths = paths
    }

    /// Reads the data models of the configuration. If it names none, the models of the project are searched for; an entity that
    /// several of them contain is left out.
    package mutating func readModels() throws(ModelError) {
        guard !configuration.models.isEmpty else {
            let projects = ProjectFiles.projects(of: paths, in: folder)
            found = FoundModels(paths: projects.flatMap(ProjectFiles.models))
            schema = found?.schema
            return
        }
        schema = try ModelSchema(paths: configuration.models)
    }

    /// The note that tells the user which model was found.
    package static func note(ofFound path: String) -> String {
        "note: no model is configured, so predicates are checked against \(path)"
    }

    /// The models that were found because the configuration names none.
    private var found: FoundModels?

    /// The maximum size of a file in bytes.
    package static var largestFile: Int { LintFiles.largest }

    /// The maximum number of passes for fixes. A fix may reveal the next mistake.
    private static let mostRounds = 8

    /// Runs the linter. `report` is called for files that cannot be read.
    package func start<Failure: Error>(
        write: (String) throws(Failure) -> Void, report: (String, LintFileError) -> Void
    ) throws(Failure) -> Outcome {
        var outcome = Outcome()
        var writer = LintWriter(format, version: version, root: root)
        var old = baseline
        var scopes = LintScopes(configuration, folder: folder, schema: schema, levels: levels.levels)
        let items = items(&scopes, &outcome, report)
        var entities: Set<String> = []
        if fixing != .shown { try write(writer.head) }
        for (item, result) in zip(items, results(items, scopes)) {
            switch result {
            case .failure(let error):
                outcome.hasFailures = true
                report(item.path, error)
            case .success(var file):
                outcome.files += 1
                entities.formUnion(file.linted.entities)
                file.linted.rows = old.removeOld(from: file.linted.rows)
                outcome.note(file.linted.rows, keeps: keepsRows)
                try write(fixing == .shown ? file.difference : writer.text(of: file.linted))
            }
        }
        if fixing != .shown { try write(writer.tail) }
        outcome.foundModels = found?.paths(with: entities) ?? []
        return outcome
    }

    private func items(
        _ scopes: inout LintScopes, _ outcome: inout Outcome, _ report: (String, LintFileError) -> Void
    ) -> [LintFiles.Item] {
        var items: [LintFiles.Item] = []
        for path in paths {
            if path == "-", standardInput != nil {
                items.append(LintFiles.Item(path: path, kind: nil))
            } else if let found = LintFiles.items(at: path, &scopes) {
                items += found
            } else {
                outcome.hasFailures = true
                report(path, .missing)
            }
        }
        for error in scopes.errors {
            outcome.hasFailures = true
            report(error.place, .configuration(error.message))
        }
        return items
    }

    private struct Done: Sendable {
        var linted: LintedFile
        var difference = ""
        /// What the file declares.
        var source: ProjectDeclarations.Source
        /// True if the findings depend on the entities of other files.
        var needsTypes = false
        /// The members that the findings depend on.
        var needs: Set<NeededMember> = []
        /// True for a source that may call functions of other sources.
        var isCode = false
    }

    /// The results for all files. The declarations of all sources are known only when all have been read. The few files that
    /// depend on them, and those with fixes, are then linted again.
    private func results(_ items: [LintFiles.Item], _ scopes: LintScopes) -> [Result<Done, LintFileError>] {
        let first = concurrentResults(items.count) { lint(items[$0], scopes.linter(for: items[$0])) }
        let declarations = declarations(first, items, scopes)
        let types = declarations.types.resolved()
        return concurrentResults(items.count) { index in
            guard case .success(let done) = first[index] else { return first[index] }
            return again(done, items[index], scopes.linter(for: items[index], types: types), declarations)
        }
    }

    private func declarations(
        _ results: [Result<Done, LintFileError>], _ items: [LintFiles.Item], _ scopes: LintScopes
    ) -> ProjectDeclarations {
        var declarations = ProjectDeclarations(folder: folder)
        var hasCode = false
        for case .success(let done) in results {
            declarations.add(done.source)
            hasCode = hasCode || done.isCode
        }
        guard hasCode else { return declarations }
        let known = Set(items.map(\.path))
        for project in ProjectFiles.projects(of: paths, in: folder) where scopes.hasExcludes || !isLinted(project) {
            ProjectFiles.declare(&declarations, in: project, except: known)
        }
        return declarations
    }

    /// True if all sources of a project are linted, except for excluded ones.
    private func isLinted(_ project: String) -> Bool { paths.contains { SourceRoot($0) == SourceRoot(project) } }

    private func lint(_ item: LintFiles.Item, _ linter: Linter) -> Result<Done, LintFileError> {
        read(item).map { source, kind in
            guard let kind else { return Done(linted: LintedFile(path: item.path), source: .init(path: item.path)) }
            return done(linter.lint(source, kind: kind), source, kind, item.path)
        }
    }

    /// The contents of a file. The kind is nil for a file that is not linted.
    private func read(_ item: LintFiles.Item) -> Result<(source: [UInt8], kind: SourceKind?), LintFileError> {
        if item.path == "-", let standardInput { return .success((standardInput.source, standardInput.kind)) }
        return LintFiles.read(item).flatMap { file in
            file.kind == nil && paths.contains(item.path) ? .failure(.unknownKind) : .success(file)
        }
    }

    private func done(_ result: LintResult, _ source: [UInt8], _ kind: SourceKind, _ path: String) -> Done {
        Done(
            linted: LintedFile(path: path, source: source, result: result, lists: lists),
            source: .init(path: path, source, kind, result), needsTypes: kind == .swift && result.needsTypes,
            needs: result.needs,
            isCode: kind == .swift || kind == .objectiveC)
    }

    /// The result with the declarations of other files, and with fixes; the old result if it depends on neither.
    private func again(
        _ old: Done, _ item: LintFiles.Item, _ linter: Linter, _ declarations: ProjectDeclarations
    ) -> Result<Done, LintFileError> {
        let wrappers = old.isCode && item.path != "-" ? declarations.wrappers(for: item.path) : []
        var linter = linter
        if !old.needs.isEmpty { linter.members = declarations.members(old.needs, for: item.path) }
        let isOther =
            fixing != .none && !old.linted.edits.isEmpty || old.needsTypes || linter.members.contain(old.needs)
        guard isOther || !wrappers.isEmpty else { return .success(old) }
        return read(item).flatMap { [linter] source, kind in
            guard let kind, isOther || wrappers.contains(where: { $0.occurs(in: source, kind) }) else {
                return .success(old)
            }
            var linter = linter
            linter.wrappers = wrappers
            return fixed(source) { source in
                let result = linter.lint(source, kind: kind, path: item.path, in: declarations, needs: old.needs)
                return done(result, source, kind, item.path)
            }
        }
    }

    private func fixed(_ old: [UInt8], _ lint: ([UInt8]) -> Done) -> Result<Done, LintFileError> {
        var (source, done) = (old, lint(old))
        guard fixing == .applied, !done.linted.edits.isEmpty else {
            if fixing == .shown {
                done.difference = LineDiff.text(path: done.linted.path, old: source, edits: done.linted.edits)
            }
            return .success(done)
        }
        for _ in 0..<Self.mostRounds where !done.linted.edits.isEmpty {
            source = LintEdit.apply(done.linted.edits, to: source)
            done = lint(source)
        }
        do { try Data(source).write(to: URL(fileURLWithPath: done.linted.path), options: .atomic) } catch {
            return .failure(.notWritable("\(error)"))
        }
        return .success(done)
    }
}

extension LintRun.Outcome {
    fileprivate mutating func note(_ rows: [LintRow], keeps: Bool) {
        for level in rows.compactMap(\.level) {
            findings += 1
            worst = max(worst ?? level, level)
        }
        if keeps { self.rows += rows }
    }
}
