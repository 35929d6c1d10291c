import PredicateCommand
import Testing

/// `predicate lint` as a command: its statuses, and the checks that need an evaluator.
struct LintCommandTests {
    private func lint(_ source: String, _ words: String...) throws -> Outcome {
        var outcome = Outcome(status: -1, output: "", error: "")
        try withFiles(["a.swift": source]) { paths in
            outcome = predicate(["lint"] + words + [paths["a.swift"] ?? ""], source: silence)
        }
        return outcome
    }

    @Test func statusesTellWhatWasFound() throws {
        #expect(try lint("let p = NSPredicate(format: \"age > %d\", 1)").status == 0)
        #expect(try lint("let p = NSPredicate(format: \"age >\")").status == 1)
        #expect(predicate("lint", "/no/such/file.swift").status == 2)
    }

    @Test func aPatternThatIsNoneIsFound() throws {
        let outcome = try lint("let p = NSPredicate(format: \"name MATCHES '('\")", "--format", "json")
        #expect(outcome.status == 1)
        #expect(
            outcome.output.contains("\"rule\":\"predicate-check\"") && outcome.output.contains("cannot-be-prepared"))
    }
}
