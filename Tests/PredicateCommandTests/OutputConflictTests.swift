import PredicateCommand
import PredicateData
import Testing

/// Options that have no place in the output of another one are refused with both names. [NSP-459]
struct OutputConflictTests {
    private let rows = "name,city\nAnn,Rome\nBo,Lyon\nBo,Lyon\n"

    private func filter(_ words: [String], _ input: String) -> Outcome {
        predicate(["filter"] + words, source: MemorySource(input))
    }

    private static let groups = [["--count-by", "a"], ["--group-by", "a"], ["--sum", "a"], ["--median", "a"]]
    private static let rowOptions =
        groups + [
            ["--last"], ["--offset", "1"], ["--sort", "a"], ["-o", "csv"], ["--digits", "1"], ["-n"],
        ]

    private static let refused: [([String], [[String]])] = [
        (["--quiet"], rowOptions + [["--count"], ["--files-with-matches"], ["--first"], ["-H"], ["-k", "a"]]),
        (["--files-with-matches"], rowOptions + [["--count"], ["--first"], ["-H"], ["--distinct"], ["-k", "a"]]),
        (["--count"], rowOptions + [["-k", "a"]]),
    ]

    @Test func neitherIsIgnored() {
        for (option, others) in Self.refused {
            for other in others {
                let outcome = filter(["a == 1"] + option + other, "a\n1\n")
                #expect(outcome.status == 2)
                #expect(outcome.error.contains(" cannot be combined with \(option[0])\n"), "\(outcome.error)")
            }
        }
        #expect(filter(["--distinct", "--count-by", "city"], rows).error.contains("always distinct"))
        #expect(filter(["--sum", "a", "-H"], rows).error.contains("--with-filename is for records"))
        #expect(filter(["-c", "--distinct", "-H"], rows).error.contains("--with-filename cannot be combined"))
    }

    @Test func differentRowsAreCounted() {
        #expect(filter(["-c", "--distinct"], rows) == .success("2\n"))
        #expect(filter(["-c", "--distinct", "-k", "city"], rows + "Cy,Rome\n") == .success("2\n"))
        #expect(filter(["-c", "--distinct", "--first", "1"], rows) == .success("1\n"))
        #expect(filter(["name == 'x'", "-c", "--distinct"], rows) == Outcome(status: 1, output: "0\n", error: ""))
        let lines = "{\"a\":1}\n{\"a\":1}\n{\"a\":2}\n"
        #expect(filter(["a > 0", "-c", "--distinct", "-k", "a * 0 AS z"], lines) == .success("1\n"))
        #expect(filter(["a > 0", "-c", "--distinct"], lines) == .success("2\n"))
    }

    /// Options about columns of text are not ignored beside formats that have none.
    @Test func optionsOfCSVAreForCSV() throws {
        let options = [
            ["--header", "no"], ["--header", "yes"], ["--ragged"], ["--quotes", "lazy"], ["--quotes", "none"],
            ["-d", ";"],
            ["--decimal", ","], ["--skip", "1"], ["--nil", "-"],
        ]
        try withFiles(["a.jsonl": "{\"a\":1}\n"]) { files in
            for option in options {
                let outcome = predicate(
                    ["filter", "a == 1", files["a.jsonl"] ?? ""] + option, source: MemorySource(""))
                #expect(outcome.error.hasSuffix("is for CSV and TSV\n"), "\(outcome.error)")
                #expect(outcome.status == 2)
                #expect(filter(["a == 1", "-f", "json"] + option, "[]").status == 2)
            }
        }
        #expect(filter(["--pattern", "(?<a>.)", "--header", "no"], "x\n").error.contains("with --pattern"))
        #expect(filter(["--pattern", "(?<a>.)", "--skip", "1", "-c"], "x\ny\n").output == "1\n")
    }

    @Test func aWordAfterAnOptionWithoutAValueIsNoFile() {
        #expect(filter(["--distinct", "city"], rows).error.contains("expected") == true)
        #expect(
            filter(["name != nil", "--distinct", "city"], rows).error.hasPrefix(
                "error: --distinct takes no value, and there is no file 'city'\n"))
        #expect(
            filter(["name != nil", "--first", "x"], rows).error.hasPrefix(
                "error: --first takes a number, and there is no file 'x'\n"))
        #expect(filter(["name != nil", "-k", "*"], rows).error.contains("without --keys all columns are printed"))
    }
}
