import Foundation
import PredicateModel

/// The options of a run, as the commands `predicate lint` and `predicate-lint` take them.
package struct LintOptions {
    /// The reason why a run cannot start.
    package enum Failure: Error {
        /// An option has a value that it does not accept: `--level check`
        case option(String)
        /// A configuration file cannot be read, or contains a mistake.
        case file(String)
        /// A data model cannot be read; the associated value is the rendered error.
        case model(String)
    }

    package var paths: [String] = []
    /// The directory of `.predicate-lint`, to which its paths are relative.
    package var root = "."
    package var configuration: String?
    package var baseline: String?
    package var models: [String] = []
    package var calls: [String] = []
    package var excludes: [String] = []
    /// `never-holds=error`
    package var levels: [String] = []
    package var format = LintFormat.text
    /// Nil has the effect of `note`, but does not show the notes of rules without a configured level.
    package var failLevel: LintLevel?
    package var fixing = LintRun.Fixing.none
    package var lists = false

    package init() {}

    /// Creates the run with its configuration, its baseline and its models.
    package func run(readsBaseline: Bool = true) throws(Failure) -> LintRun {
        var run = LintRun(paths: paths)
        run.format = format
        run.lists = lists
        run.fixing = fixing
        run.root = SourceRoot(root)
        run.folder = root
        do throws(LintFileError) {
            run.configuration = try wholeConfiguration()
            if readsBaseline, let file = run.configuration.baseline { run.baseline = try LintBaseline(file: file) }
        } catch {
            throw .file(error.message)
        }
        for name in calls {
            guard let call = CallName(name) else {
                throw .option("--call takes a name such as find(where:), found '\(name)'")
            }
            run.configuration.settings.calls.append(call)
        }
        for word in levels { try set(word, in: &run.levels) }
        do throws(ModelError) { try run.readModels() } catch { throw .model(error.description) }
        return run
    }

    /// The configuration file's settings together with those of the options.
    private func wholeConfiguration() throws(LintFileError) -> LintConfiguration {
        let standard = path(NestedConfiguration.fileName)
        let file = configuration ?? (FileManager.default.fileExists(atPath: standard) ? standard : nil)
        var whole = LintConfiguration()
        if let file { whole = try LintConfiguration(file: file) }
        whole.models = whole.models.map(path) + models
        whole.baseline = baseline ?? whole.baseline.map(path)
        whole.excludes += excludes.map(PathPattern.init)
        whole.settings.showsNotes = failLevel == .note
        return whole
    }

    private func set(_ word: String, in settings: inout LintSettings) throws(Failure) {
        let parts = word.split(separator: "=", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { throw .option("--level takes RULE=LEVEL, found '\(word)'") }
        do throws(LintConfigurationError.Problem) { try settings.setLevel(parts[0], parts[1]) } catch {
            throw .option("--level: \(error.message)")
        }
    }

    /// The path relative to the current directory, for a path that is relative to the root.
    private func path(_ name: String) -> String { name.hasPrefix("/") || root == "." ? name : root + "/" + name }
}

extension LintConfiguration {
    /// Reads a configuration from a file.
    package init(file: String) throws(LintFileError) {
        let text = try LintFileError.text(of: file)
        do throws(LintConfigurationError) { try self.init(text) } catch {
            throw .configuration("\(file):\(error.line): \(error.problem.message)")
        }
    }
}

extension LintBaseline {
    /// Reads a baseline from a file.
    package init(file: String) throws(LintFileError) { try self.init(LintFileError.text(of: file), file: file) }
}

extension LintFileError {
    fileprivate static func text(of file: String) throws(LintFileError) -> String {
        do { return try String(contentsOfFile: file, encoding: .utf8) } catch {
            throw .configuration("\(file) cannot be read")
        }
    }
}
