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

    @Test(arguments: ["predicate-syntax", "predicate-dynamic", "never-holds", "kind-mismatch"])
    func everyRuleAndCheckHasAPage(_ name: String) {
        let page = predicate("help", name)
        #expect(page.status == 0 && page.error == "")
        #expect(page.output.contains("// predicate:disable:next \(name)"))
        // An address is not divided.
        let lines = page.output.split(separator: "\n").filter { !$0.contains("https://") }
        #expect(lines.filter { $0.count > 79 || $0.hasSuffix(" ") } == [])
        #expect(page.output.contains("wrong") && page.output.contains("right") && page.output.contains("source"))
    }

    @Test func aPatternThatIsNoneIsFound() throws {
        let outcome = try lint("let p = NSPredicate(format: \"name MATCHES '('\")", "--format", "json")
        #expect(outcome.status == 1)
        #expect(
            outcome.output.contains("\"rule\":\"predicate-check\"") && outcome.output.contains("cannot-be-prepared"))
    }

    /// Notes are shown if the run fails for them, or if their check has a level.
    @Test func notesAreShownOnRequest() throws {
        let source = "let p = NSPredicate(format: \"name LIKE 'jo'\")"
        #expect(try lint(source) == Outcome(status: 0, output: "", error: ""))
        for words in [["--fail-on", "note"], ["--level", "like-without-wildcard=note"]] {
            let outcome = try lint(source, words[0], words[1])
            #expect(outcome.status == 1 && outcome.output.contains("(like-without-wildcard) [predicate-check]"))
        }
    }

    @Test func aCheckHasALevel() throws {
        let source = "let p = NSPredicate(format: \"age > 5 AND age < 3\")"
        #expect(try lint(source, "--level", "never-holds=off").status == 0)
        #expect(try lint(source, "--level", "never-holds=error", "--fail-on", "error").status == 1)
        let misspelled = try lint(source, "--level", "never-hold=off")
        #expect(misspelled.status == 2 && misspelled.error.contains("did you mean never-holds?"))
    }

    @Test func aFindingWithACheckHasItsNameInReports() throws {
        let outcome = try lint("let p = NSPredicate(format: \"age > 5 AND age < 3\")", "--format", "json")
        #expect(outcome.output.contains("\"check\":\"never-holds\""))
    }
}
