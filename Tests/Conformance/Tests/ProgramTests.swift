import Foundation
import Testing

@testable import PredicateConformance

/// The program `predicate-conformance`: its lines, notes and exit status.
struct ProgramTests {
    private let cases = """
        {"id": "x-1", "kind": "predicate", "format": "a == 1", "args": [], "variables": {}, "object": {"a": 1}, \
        "expect": true, "source": "", "authority": "peer", "note": ""}
        {"id": "x-2", "kind": "predicate", "format": "a == 2", "args": [], "variables": {}, "object": {"a": 1}, \
        "expect": true, "source": "", "authority": "peer", "note": ""}

        """

    private struct Outcome {
        var status: Int32
        var output: String
        var error: String
    }

    private func run(_ words: String...) -> Outcome {
        var (output, error) = ("", "")
        let status = ConformanceProgram.run(words) {
            output += $0
        } report: {
            error += $0
        }
        return Outcome(status: status, output: output, error: error)
    }

    /// Writes files into a folder of their own and passes their paths by name.
    private func withFiles(_ texts: [String: String], _ body: ([String: String]) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var paths: [String: String] = [:]
        for (name, text) in texts {
            let file = folder.appending(path: name)
            try Data(text.utf8).write(to: file)
            paths[name] = file.path()
        }
        try body(paths)
    }

    @Test func failuresAreLinesAndTheLastLineCounts() throws {
        try withFiles(["a.jsonl": cases]) { paths in
            let outcome = run(paths["a.jsonl"] ?? "")
            let lines = outcome.output.split(separator: "\n")
            #expect(outcome.status == 1)
            #expect(outcome.error == "")
            #expect(lines.count == 2)
            #expect(lines.first?.hasPrefix("x-2: ") == true)
            #expect(lines.last == "1 passed, 1 failed, 0 skipped")
        }
    }

    @Test func exceptionsMustFail() throws {
        let exceptions = ["known": "x-2 it differs\n", "needless": "x-1 it holds\n", "unknown": "x-2 so\nx-9 so\n"]
        try withFiles(["a.jsonl": cases].merging(exceptions) { first, _ in first }) { paths in
            let file = paths["a.jsonl"] ?? ""
            let known = run("--exceptions", paths["known"] ?? "", file)
            #expect(known.status == 0)
            #expect(known.output == "1 passed, 0 failed, 0 skipped, 1 excepted\n")
            let verbose = run("--verbose", "-x", paths["known"] ?? "", file)
            #expect(verbose.output.hasPrefix("excepted x-2: it differs\n"))
            #expect(run("-x", paths["needless"] ?? "", file).status == 1)
            let unknown = run("-x", paths["unknown"] ?? "", file)
            #expect(unknown.error == "note: no case has the excepted id 'x-9'\n")
        }
    }

    @Test func filesThatCannotBeReadAreErrors() throws {
        try withFiles(["a.jsonl": cases, "b.jsonl": "{no\n"]) { paths in
            let missing = run("/no/such/file", paths["a.jsonl"] ?? "")
            #expect(missing.status == 2)
            #expect(missing.error.hasPrefix("error: /no/such/file: "))
            #expect(missing.output.hasSuffix("1 passed, 1 failed, 0 skipped\n"))
            #expect(run(paths["b.jsonl"] ?? "").status == 2)
            let exceptions = run("--exceptions", "/no/such/file", paths["a.jsonl"] ?? "")
            #expect(exceptions.status == 2)
            #expect(exceptions.output == "")
        }
    }

    @Test func aWrongCommandLineShowsTheUsage() {
        for words in [[], ["--verbsoe", "a.cases"], ["-x"]] {
            var error = ""
            #expect(ConformanceProgram.run(words, write: { _ in }, report: { error += $0 }) == 2)
            #expect(error == ConformanceProgram.help)
        }
        #expect(run("--help").output == ConformanceProgram.help)
    }
}
