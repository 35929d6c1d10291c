import Foundation
import PredicateCommand
import PredicateData
import Testing

/// `--distinct-on user --sort -at`: the first match for each value of some keys. [NSP-487]
struct DistinctOnTests {
    private static let rows = """
        user,at,n
        ann,2026-01-02,1
        bo,2026-01-05,2
        ann,2026-01-09,3
        ,2026-01-01,4
        bo,2026-01-03,5

        """
    private static let script = """
        CREATE TABLE log (n INTEGER PRIMARY KEY, user TEXT, at DATE);
        INSERT INTO log VALUES (1, 'ann', '2026-01-02'), (2, 'bo', '2026-01-05'), (3, 'ann', '2026-01-09'),
            (4, NULL, '2026-01-01'), (5, 'bo', '2026-01-03');
        """

    private func filter(_ words: [String], input: String = rows) -> Outcome {
        predicate(["filter"] + words, source: MemorySource(input))
    }

    @Test(arguments: [
        (["--distinct-on", "user"], "1 2 4"), (["--distinct-on", "user", "--sort", "-at"], "3 2 4"),
        (["--distinct-on", "user", "--sort", "at"], "4 1 5"), (["--distinct-on", "user", "--sort", "user"], "4 1 2"),
        (["--distinct-on", "user", "--sort", "-at", "--first", "1"], "3"),
        (["--distinct-on", "user", "--sort", "-at", "--offset", "1", "--first", "1"], "2"),
        (["--distinct-on", "user", "--sort", "-at", "--last", "1"], "4"),
        (["--distinct-on", "user", "--first", "2"], "1 2"), (["--distinct-on", "user,at"], "1 2 3 4 5"),
        (["--distinct-on", "month(at)", "--sort", "-n"], "5"), (["user == \"bo\"", "--distinct-on", "user"], "2"),
        (["--distinct-on", "TERNARY(n > 2, 1, 0)"], "1 3"),
    ])
    func theFirstOfEachIsWritten(words: [String], numbers: String) throws {
        let expected = "n\n" + numbers.split(separator: " ").map { $0 + "\n" }.joined()
        let outcome = filter(words + ["-k", "n"])
        #expect(outcome.output == expected, "\(outcome)")
        try withStore(Self.script, [:]) { store, _ in
            let stored = predicate(["filter"] + words + ["-k", "n", "-o", "csv", store], source: silence)
            #expect(stored.output == expected, "\(stored)")
        }
    }

    /// The keys are found for each row, also if SQL could compute what is written.
    @Test(arguments: [
        (["--distinct-on", "user", "-k", "user.length AS l"], "l\n3\n2\n\n"),
        (["--distinct-on", "n", "-k", "user.length AS l"], "l\n3\n2\n3\n\n2\n"),
        (["--distinct-on", "user", "-k", "uppercase:(user) AS n", "--first", "2"], "n\nANN\nBO\n"),
    ])
    func computedValuesAreWritten(words: [String], expected: String) throws {
        #expect(filter(words).output == expected)
        try withStore(Self.script, [:]) { store, _ in
            #expect(predicate(["filter"] + words + ["-o", "csv", store], source: silence).output == expected)
        }
    }

    /// A Boolean is no number, as in groups.
    @Test func booleansAreValuesOfTheirOwn() {
        let lines = "{\"a\": 1}\n{\"a\": true}\n{\"a\": 0}\n{\"a\": false}\n{\"a\": 1.0}\n"
        #expect(filter(["--distinct-on", "a", "-c"], input: lines) == .success("4\n"))
    }

    @Test func differentValuesAreCounted() throws {
        #expect(filter(["--distinct-on", "user", "-c"]) == .success("3\n"))
        #expect(filter(["--distinct-on", "user", "-c", "n < 4"]) == .success("2\n"))
        try withStore(Self.script, [:]) { store, _ in
            #expect(predicate("filter", "--distinct-on", "user", "-c", store) == .success("3\n"))
        }
    }

    /// Records are written as they are, and numbers of one value are one.
    @Test func recordsKeepTheirText() {
        let lines = "{\"a\": 1, \"b\":  2}\n{\"a\": 1.0}\n{\"a\": \"1\"}\n{}\n{\"a\": null}\n"
        #expect(
            filter(["--distinct-on", "a"], input: lines)
                == .success("{\"a\": 1, \"b\":  2}\n{\"a\": \"1\"}\n{}\n"))
        #expect(filter(["--distinct-on", "user", "--first", "1"]) == .success("user,at,n\nann,2026-01-02,1\n"))
    }

    @Test(arguments: [
        (["--distinct-on", "usr"], "there is no column 'usr'\nhint: did you mean user?"),
        (["--distinct-on", "user", "--distinct"], "--distinct cannot be combined with --distinct-on"),
        (["--distinct-on", "user", "--count-by", "n"], "--distinct-on cannot be combined with groups"),
        (["--distinct-on", "user", "-q"], "--distinct-on cannot be combined with --quiet"),
        (["--unique-by", "user"], "hint: write --distinct-on"),
    ])
    func mistakesAreErrors(words: [String], text: String) {
        let outcome = filter(words)
        #expect(outcome.status == 2 && outcome.error.contains(text), "\(outcome.error)")
    }
}
