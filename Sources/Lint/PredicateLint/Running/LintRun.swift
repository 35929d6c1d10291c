import Dispatch
import Foundation
import PredicateModel
import PredicateSyntax

/// Lints files and directories in parallel, and writes the findings in the order of the paths.
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
        /// All rows, if a baseline is to be written.
        package var rows: [LintRow] = []
        /// The data models that were found because no configuration names any, if a predicate is about one of their entities.
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
    /// The directory of the configuration, below which other folders may have configurations of their own.
    package var folder = "."
    package var workers = 2
    package var version = "0"
    /// The objects of the project, against which predicates are checked.
    package var schema: (any PredicateSchema)?
    /// The contents of the path `-`.
    package var standardInput: (source: [UInt8], kind: SourceKind)?

    package init(paths: [String]) {
        self.paths = paths
    }

    /// Reads the data models of the configuration. If it names none, the models of the project are found; an entity
    /// that several of them have is left out.
    package mutating func readModels() throws(ModelError) {
        guard !configuration.models.isEmpty else {
            let projects = ProjectFiles.projects(of: paths, in: folder)
            found = FoundModels(paths: projects.flatMap(ProjectFiles.models))
            schema = found
            return
        }
        schema = try LintScopes.schema(of: configuration.models)
    }

    /// A line that tells a person which model was found.
    package static func note(ofFound path: String) -> String {
        "note: no model is configured, so predicates are checked against \(path)"
    }

    /// The models that were found.
    private var found: FoundModels?

    /// The maximum size of a file in bytes.
    package static var largestFile: Int { LintFiles.largest }

    /// The number of files that are linted before their output is written.
    private static let batch = 64
    /// The maximum number of rounds of fixing. A fix may reveal the next mistake.
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

    /// The results for all files. What all sources declare is known only when all have been read; the few files that depend
    /// on it, and those with fixes, are then linted again.
    private func results(_ items: [LintFiles.Item], _ scopes: LintScopes) -> [Result<Done, LintFileError>] {
        var results: [Result<Done, LintFileError>] = []
        for start in stride(from: 0, to: items.count, by: Self.batch) {
            let part = items[start..<min(start + Self.batch, items.count)].map { Work(item: $0) }
            results += lint(part, scopes)
        }
        var declarations = declarations(results, items, scopes)
        declarations.keepsSources = fixing == .none
        var waiting = work(results, items, declarations)
        for _ in 0..<ProjectDeclarations.mostSteps where !waiting.isEmpty {
            let before = results
            for start in stride(from: 0, to: waiting.count, by: Self.batch) {
                let part = waiting[start..<min(start + Self.batch, waiting.count)]
                for (index, result) in zip(part.map(\.index), lint(part.map(\.work), scopes)) {
                    results[index] = result
                }
            }
            waiting = again(waiting, before, results, declarations)
        }
        return results
    }

    /// The files to lint once more, because what they found in other files names types of further files: `cart.owner.name`.
    private func again(
        _ done: [(index: Int, work: Work)], _ before: [Result<Done, LintFileError>],
        _ after: [Result<Done, LintFileError>], _ declarations: ProjectDeclarations
    ) -> [(index: Int, work: Work)] {
        let changed = done.compactMap { index, work -> (index: Int, work: Work, new: Set<NeededMember>)? in
            guard case .success(let own) = after[index], case .success(let old) = before[index] else { return nil }
            let new = own.needs.subtracting(old.needs)
            var work = work
            work.old = own
            return new.isEmpty ? nil : (index, work, new)
        }
        guard !changed.isEmpty else { return [] }
        let members = declarations.members(needs(changed.map { after[$0.index] }))
        return changed.filter { members.contain($0.new) }.map { index, work, _ in
            var work = work
            work.members = members
            return (index, work)
        }
    }

    /// A file to lint, with what is known of other files.
    private struct Work: Sendable {
        var item: LintFiles.Item
        var types = SourceTypes()
        var members = SourceTypes()
        var wrappers: TargetWrappers?
        /// The result of the first round, without this knowledge; nil during that round.
        var old: Done?
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

    /// True if every source of a project is linted, apart from excluded ones.
    private func isLinted(_ project: String) -> Bool { paths.contains { SourceRoot($0) == SourceRoot(project) } }

    /// The files to lint again.
    private func work(
        _ results: [Result<Done, LintFileError>], _ items: [LintFiles.Item], _ declarations: ProjectDeclarations
    ) -> [(index: Int, work: Work)] {
        let types = declarations.types.resolved()
        let members = declarations.members(needs(results))
        return results.enumerated().compactMap { index, result in
            guard case .success(let done) = result else { return nil }
            let wrappers =
                done.isCode && items[index].path != "-" ? declarations.targetWrappers(for: items[index].path) : nil
            let hasFixes = fixing != .none && !done.linted.edits.isEmpty
            guard hasFixes || done.needsTypes || wrappers != nil || members.contain(done.needs) else { return nil }
            return (index, Work(item: items[index], types: types, members: members, wrappers: wrappers, old: done))
        }
    }

    private func needs(_ results: [Result<Done, LintFileError>]) -> [String: Set<NeededMember>] {
        var needs: [String: Set<NeededMember>] = [:]
        for case .success(let done) in results where !done.needs.isEmpty { needs[done.source.path] = done.needs }
        return needs
    }

    private func lint(_ work: [Work], _ scopes: LintScopes) -> [Result<Done, LintFileError>] {
        let next = SharedCounter()
        return Array(unsafeUninitializedCapacity: work.count) { buffer, count in
            let results = ResultSlots(base: buffer.baseAddress)
            DispatchQueue.concurrentPerform(iterations: max(1, min(workers, work.count))) { _ in
                while let index = next.take(below: work.count) {
                    var linter = scopes.linter(for: work[index].item, types: work[index].types)
                    linter.members = work[index].members
                    linter.wrappers = work[index].wrappers?.wrappers(for: work[index].item.path) ?? []
                    results.initialize(index, lint(work[index], linter))
                }
            }
            count = work.count
        }
    }

    private func lint(_ work: Work, _ linter: Linter) -> Result<Done, LintFileError> {
        let path = work.item.path
        if path == "-", let standardInput {
            return .success(lint(standardInput.source, standardInput.kind, path, linter))
        }
        switch LintFiles.read(work.item) {
        case .failure(let error): return .failure(error)
        case .success((let source, let kind)):
            guard let kind else {
                let none = Done(linted: LintedFile(path: path), source: .init(path: path))
                return paths.contains(path) ? .failure(.unknownKind) : .success(none)
            }
            guard let old = work.old else { return .success(lint(source, kind, path, linter)) }
            let dependsOnTypes = old.needsTypes || linter.members.contain(old.needs)
            let mayCall = work.wrappers?.mayBeCalled(in: source) ?? false
            let isSame = fixing == .none && !dependsOnTypes && !mayCall
            return isSame ? .success(old) : fixed(lint(source, kind, path, linter), source, kind, linter)
        }
    }

    private func lint(_ source: [UInt8], _ kind: SourceKind, _ path: String, _ linter: Linter) -> Done {
        let result = linter.lint(source, kind: kind)
        return Done(
            linted: LintedFile(path: path, source: source, result: result, lists: lists),
            source: .init(path: path, source, kind, result), needsTypes: kind == .swift && result.needsTypes,
            needs: result.needs,
            isCode: kind == .swift || kind == .objectiveC)
    }

    private func fixed(
        _ file: Done, _ source: [UInt8], _ kind: SourceKind, _ linter: Linter
    ) -> Result<Done, LintFileError> {
        var (done, source, path) = (file, source, file.linted.path)
        guard fixing == .applied, !done.linted.edits.isEmpty else {
            if fixing == .shown {
                done.difference = LineDiff.text(path: path, old: source, edits: done.linted.edits)
            }
            return .success(done)
        }
        for _ in 0..<Self.mostRounds where !done.linted.edits.isEmpty {
            source = LintEdit.apply(done.linted.edits, to: source)
            done = lint(source, kind, path, linter)
        }
        do { try Data(source).write(to: URL(fileURLWithPath: path), options: .atomic) } catch {
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

/// A counter that gives each number to one thread only.
private final class SharedCounter: @unchecked Sendable {
    private let lock = NSLock()
    private var value = 0

    func take(below limit: Int) -> Int? {
        lock.lock()
        defer { lock.unlock() }
        guard value < limit else { return nil }
        value += 1
        return value - 1
    }
}

/// Memory in which each thread writes its own elements.
private struct ResultSlots<Value>: @unchecked Sendable {
    let base: UnsafeMutablePointer<Value>?

    func initialize(_ index: Int, _ value: Value) {
        base.map { ($0 + index).initialize(to: value) }
    }
}
