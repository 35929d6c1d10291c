import Testing

struct TestCommandTests {
    private let cases = """
        {"id": "x-1", "kind": "predicate", "format": "a == 1", "args": [], "variables": {}, "object": {"a": 1}, \
        "expect": true, "source": "", "authority": "peer", "note": ""}
        {"id": "x-2", "kind": "predicate", "format": "a == 2", "args": [], "variables": {}, "object": {"a": 1}, \
        "expect": true, "source": "", "authority": "peer", "note": ""}

        """

    @Test func failuresAreLinesAndTheLastLineCounts() throws {
        try withFiles(["a.jsonl": cases]) { paths in
            let outcome = predicate("test", paths["a.jsonl"] ?? "")
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
            let known = predicate("test", "--exceptions", paths["known"] ?? "", file)
            #expect(known == .success("1 passed, 0 failed, 0 skipped, 1 excepted\n"))
            let verbose = predicate("test", "--verbose", "-x", paths["known"] ?? "", file)
            #expect(verbose.output.hasPrefix("excepted x-2: it differs\n"))
            #expect(predicate("test", "-x", paths["needless"] ?? "", file).status == 1)
            let unknown = predicate("test", "-x", paths["unknown"] ?? "", file)
            #expect(unknown.error == "note: no case has the excepted id 'x-9'\n")
        }
    }

    @Test func filesThatCannotBeReadAreErrors() throws {
        try withFiles(["a.jsonl": cases, "b.jsonl": "{no\n"]) { paths in
            let missing = predicate("test", "/no/such/file", paths["a.jsonl"] ?? "")
            #expect(missing.status == 2)
            #expect(missing.error.hasPrefix("error: /no/such/file: "))
            #expect(missing.output.hasSuffix("1 passed, 1 failed, 0 skipped\n"))
            #expect(predicate("test", paths["b.jsonl"] ?? "").status == 2)
            let exceptions = predicate("test", "--exceptions", "/no/such/file", paths["a.jsonl"] ?? "")
            #expect(exceptions.status == 2)
            #expect(exceptions.output == "")
        }
    }
}
