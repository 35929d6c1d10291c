import Dispatch
import Foundation
import PredicateModel
import PredicateSyntax

/// Lints files and directories with several workers, and writes what it finds in the order of the paths.
///
///     var run = LintRun(paths: ["Sources"])
///     run.format = .json
///     let outcome = run.start(write: { print($0, terminator: "") }, report: { path, error in … })
///
/// A few files are held in memory at a time, however many there are.
package struct LintRun: Sendable {
    /// What becomes of the fixes.
    package enum Fixing: Hashable, Sendable {
        /// Nothing; they are hinted at.
        case none
        /// They are shown as a difference, and no file changes.
        case shown
        /// They are written to the files; what is left is reported.
        case applied
    }

    /// What a run has found.
    package struct Outcome: Hashable, Sendable {
        /// The gravest level of a finding; nil if there was none.
        package var worst: LintLevel?
        /// True if a file could not be read or written.
        package var hasFailures = false
        /// The number of findings and of files.
        package var findings = 0
        package var files = 0
        /// All rows, where a baseline is to be written.
        package var rows: [LintRow] = []
    }

    package var paths: [String]
    package var configuration = LintConfiguration()
    package var format = LintFormat.text
    package var lists = false
    package var fixing = Fixing.none
    package var baseline = LintBaseline()
    /// True to keep the rows, for a new baseline.
    package var keepsRows = false
    package var workers = 2
    package var version = "0"
    /// The objects of the project, against which predicates are checked.
    package var schema: (any PredicateSchema)?
    /// What the path `-` stands for.
    package var standardInput: (source: [UInt8], kind: SourceKind)?

    package init(paths: [String]) {
        self.paths = paths
    }

    /// Reads the data models of the configuration.
    package mutating func readModels() throws(ModelError) {
        guard !configuration.models.isEmpty else { return }
        var models: [ManagedObjectModel] = []
        for path in configuration.models { models.append(try ManagedObjectModel(path: path)) }
        schema = ModelSchema(models, isFetch: true)
    }

    /// A larger file is not read, in bytes.
    package static var largestFile: Int { LintFiles.largest }

    /// Files that are linted before their output is written.
    private static let batch = 64
    /// Rounds of fixing: a fix may uncover the next mistake.
    private static let mostRounds = 8

    /// Runs. `report` is told of files that cannot be read.
    package func start<Failure: Error>(
        write: (String) throws(Failure) -> Void, report: (String, LintFileError) -> Void
    ) throws(Failure) -> Outcome {
        var outcome = Outcome()
        var writer = LintWriter(format, version: version)
        var old = baseline
        let items = items(&outcome, report)
        if fixing != .shown { try write(writer.head) }
        for start in stride(from: 0, to: items.count, by: Self.batch) {
            let part = Array(items[start..<min(start + Self.batch, items.count)])
            for (item, result) in zip(part, lint(part)) {
                switch result {
                case .failure(let error):
                    outcome.hasFailures = true
                    report(item.path, error)
                case .success(var file):
                    outcome.files += 1
                    file.linted.rows = old.removeOld(from: file.linted.rows)
                    outcome.note(file.linted.rows, keeps: keepsRows)
                    try write(fixing == .shown ? file.difference : writer.text(of: file.linted))
                }
            }
        }
        if fixing != .shown { try write(writer.tail) }
        return outcome
    }

    private func items(_ outcome: inout Outcome, _ report: (String, LintFileError) -> Void) -> [LintFiles.Item] {
        paths.flatMap { path -> [LintFiles.Item] in
            if path == "-", standardInput != nil { return [LintFiles.Item(path: path, kind: nil)] }
            if let items = LintFiles.items(at: path, excluding: configuration.excludes) { return items }
            outcome.hasFailures = true
            report(path, .missing)
            return []
        }
    }

    private struct Done: Sendable {
        var linted: LintedFile
        var difference = ""
    }

    private func lint(_ items: [LintFiles.Item]) -> [Result<Done, LintFileError>] {
        let linter = Linter(configuration.settings, schema: schema)
        let next = Counter()
        return Array(unsafeUninitializedCapacity: items.count) { buffer, count in
            let results = Slots(base: buffer.baseAddress)
            DispatchQueue.concurrentPerform(iterations: max(1, min(workers, items.count))) { _ in
                while let index = next.take(below: items.count) {
                    results.initialize(index, lint(items[index], linter))
                }
            }
            count = items.count
        }
    }

    private func lint(_ item: LintFiles.Item, _ linter: Linter) -> Result<Done, LintFileError> {
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
            return lint(source, kind, item.path, linter)
        }
    }

    private func lint(
        _ source: [UInt8], _ kind: SourceKind, _ path: String, _ linter: Linter
    ) -> Result<Done, LintFileError> {
        var source = source
        var done = Done(linted: lint(source, kind, path, linter))
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

/// Numbers that several threads take, each once.
private final class Counter: @unchecked Sendable {
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

/// Memory into which each thread writes its own elements.
private struct Slots<Value>: @unchecked Sendable {
    let base: UnsafeMutablePointer<Value>?

    func initialize(_ index: Int, _ value: Value) {
        base.map { ($0 + index).initialize(to: value) }
    }
}
