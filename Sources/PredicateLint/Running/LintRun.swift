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
        /// The data models that were found, because no configuration names any, and have an entity of a predicate.
        package var foundModels: [String] = []
    }

    package var paths: [String]
    package var configuration = LintConfiguration()
    /// The levels of options, which outrank those of configurations, also of inner folders.
    package var levels = LintSettings()
    package var format = LintFormat.text
    package var lists = false
    package var fixing = Fixing.none
    package var baseline = LintBaseline()
    /// The directory to which the paths of SARIF and of the baseline are relative.
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

    /// Reads the data models of the configuration. If it names none, the models in the directories are found; an
    /// entity that several of them have is left out.
    package mutating func readModels() throws(ModelError) {
        guard !configuration.models.isEmpty else {
            let directories = paths.filter(LintFiles.isDirectory)
            found = FoundModels(
                paths: Set((directories.isEmpty ? [folder] : directories).flatMap(ProjectFiles.models)).sorted())
            schema = found
            return
        }
        schema = try LintScopes.schema(of: configuration.models)
    }

    /// A line for people about a model that was found.
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
                file.linted.rows = old.removeOld(from: file.linted.rows, root)
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
        /// The types that the file declares.
        var types = SourceTypes()
        /// True if the findings depend on the types of other files.
        var needsTypes = false
    }

    /// The results for all files. The types of all sources are known only in the end; the few files that depend on
    /// them are linted then.
    private func results(_ items: [LintFiles.Item], _ scopes: LintScopes) -> [Result<Done, LintFileError>] {
        var results: [Result<Done, LintFileError>] = []
        var types = SourceTypes()
        for start in stride(from: 0, to: items.count, by: Self.batch) {
            let part = lint(Array(items[start..<min(start + Self.batch, items.count)]), scopes, types: nil)
            for case .success(let done) in part where !done.types.isEmpty { types.add(done.types) }
            results += part
        }
        let waiting = results.indices.filter {
            if case .success(let done) = results[$0] { done.needsTypes } else { false }
        }
        guard !waiting.isEmpty else { return results }
        // Files without their directory are those of one target, or of one change.
        if !paths.contains(where: LintFiles.isDirectory) { types.add(ProjectFiles.types(in: folder)) }
        let known = types.resolved()
        for start in stride(from: 0, to: waiting.count, by: Self.batch) {
            let part = Array(waiting[start..<min(start + Self.batch, waiting.count)])
            for (index, result) in zip(part, lint(part.map { items[$0] }, scopes, types: known)) {
                results[index] = result
            }
        }
        return results
    }

    /// Lints files; without the types of the project, files that need them are only read.
    private func lint(
        _ items: [LintFiles.Item], _ scopes: LintScopes, types: SourceTypes?
    ) -> [Result<Done, LintFileError>] {
        let next = SharedCounter()
        return Array(unsafeUninitializedCapacity: items.count) { buffer, count in
            let results = ResultSlots(base: buffer.baseAddress)
            DispatchQueue.concurrentPerform(iterations: max(1, min(workers, items.count))) { _ in
                while let index = next.take(below: items.count) {
                    let linter = scopes.linter(for: items[index], types: types ?? SourceTypes())
                    results.initialize(index, lint(items[index], linter, isFinal: types != nil))
                }
            }
            count = items.count
        }
    }

    private func lint(
        _ item: LintFiles.Item, _ linter: Linter, isFinal: Bool
    ) -> Result<Done, LintFileError> {
        if item.path == "-", let standardInput {
            return .success(Done(linted: lint(standardInput.source, standardInput.kind, item.path, linter)))
        }
        switch LintFiles.read(item) {
        case .failure(let error): return .failure(error)
        case .success((let source, let kind)):
            guard let kind else {
                return paths.contains(item.path)
                    ? .failure(.unknownKind) : .success(Done(linted: LintedFile(path: item.path)))
            }
            var facts = Done(linted: LintedFile(path: item.path))
            if !isFinal, kind == .swift {
                facts.needsTypes = SourceTypes.mayBeNeeded(by: source)
                facts.types = SourceTypes(source)
                if facts.needsTypes { return .success(facts) }
            }
            return lint(source, kind, item.path, linter, facts)
        }
    }

    private func lint(
        _ source: [UInt8], _ kind: SourceKind, _ path: String, _ linter: Linter, _ facts: Done
    ) -> Result<Done, LintFileError> {
        var source = source
        var done = facts
        done.linted = lint(source, kind, path, linter)
        guard fixing != .none else { return .success(done) }
        if fixing == .shown {
            done.difference = LineDiff.text(path: path, old: source, edits: done.linted.edits)
            return .success(done)
        }
        guard !done.linted.edits.isEmpty else { return .success(done) }
        for _ in 0..<Self.mostRounds where !done.linted.edits.isEmpty {
            source = LintEdit.apply(done.linted.edits, to: source)
            done.linted = lint(source, kind, path, linter)
        }
        do { try Data(source).write(to: URL(fileURLWithPath: path), options: .atomic) } catch {
            return .failure(.notWritable("\(error)"))
        }
        return .success(done)
    }

    private func lint(_ source: [UInt8], _ kind: SourceKind, _ path: String, _ linter: Linter) -> LintedFile {
        LintedFile(path: path, source: source, result: linter.lint(source, kind: kind), lists: lists)
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
