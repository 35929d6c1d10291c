import PredicateCommand
import Testing

struct UsageTests {
    @Test func versionIsOneConstant() {
        #expect(predicate("--version") == .success("predicate \(CommandLineTool.version)\n"))
    }

    @Test(arguments: [[], ["parse"], ["filter"], ["help"], ["explain"], ["check"], ["repl"]])
    func helpIsTheSameOnEveryWay(to topic: [String]) {
        let page = predicate(["help"] + topic, source: silence)
        #expect(page.status == 0)
        #expect(page.error == "")
        #expect(page == predicate(topic + ["--help"], source: silence))
        #expect(page == predicate(topic + ["-h"], source: silence))
        #expect(page.output.hasPrefix("Usage: predicate "))
    }

    @Test(arguments: [[], ["parse"], ["filter"], ["help"], ["explain"], ["check"], ["repl"]])
    func helpFitsATerminal(topic: [String]) {
        let lines = predicate(["help"] + topic, source: silence).output.split(separator: "\n")
        #expect(lines.filter { $0.count > 79 || $0.hasSuffix(" ") }.isEmpty)
    }

    @Test func helpNamesEveryOptionInOneColumn() {
        let page = predicate("help", "filter").output
        for name in [
            "arg", "set", "invert", "count", "first", "quiet", "keys", "output", "format", "types", "path", "strict",
        ] {
            #expect(page.contains("--\(name)"))
        }
        #expect(page.contains("  -v, --invert               Select"))
        #expect(page.contains("      --first [N]            Stop"))
    }

    @Test(arguments: [
        ([], "expected a command\nhint: 'predicate repl' reads lines from a file or a pipe"),
        (["filtr"], "unknown command 'filtr'\nhint: did you mean filter?"),
        (["missing.csv"], "unknown command 'missing.csv'\nhint: there is no file of this name either"),
        (["--versoin"], "unknown option '--versoin'\nhint: did you mean --version?"),
        (["help", "prase"], "unknown command 'prase'\nhint: did you mean parse?"),
        (["parse"], "expected a format"),
        (["filter"], "expected a predicate"),
        (["filter", "--", "--help"], "expected"),
        (["filter", "a == 1", "--cuont"], "unknown option '--cuont'\nhint: did you mean --count?"),
        (["filter", "a == 1", "--inv"], "unknown option '--inv'\nhint: did you mean --invert?"),
        (
            ["filter", "a == 1", "-vZ"],
            "unknown option '-Z'\nhint: put -- before an argument that begins with a hyphen"
        ),
        (["filter", "a == 1", "--count=3"], "--count takes no value"),
        (["filter", "a == 1", "--arg"], "--arg needs a value: --arg VALUE"),
        (["filter", "a == 1", "-a"], "-a needs a value: -a VALUE"),
        (["filter", "a == 1", "--first=0"], "--first takes a number above 0, found '0'"),
        (["filter", "a == 1", "--first=x"], "--first takes a number above 0, found 'x'"),
        (
            ["filter", "a == 1", "--format", "xml"],
            "--format takes json, jsonl, csv, tsv, lines, log, logfmt or deb822, found 'xml'"
        ),
        (["filter", "a == 1", "--output", "xml"], "--output takes jsonl, json, csv, tsv, table or lines, found 'xml'"),
        (["filter", "a == 1", "--sort", "a,,b"], "--sort takes keys separated by commas"),
        (["filter", "a == 1", "--sum", ""], "--sum takes keys separated by commas"),
        (["filter", "a == 1", "--count-by", "a", "--group-by", "b"], "--count-by and --group-by cannot be combined"),
        (
            ["filter", "a == 1", "--count-by", "a", "-k", "b"],
            "--keys: 'b' is neither a key of the groups nor an aggregate"
        ),
        (["filter", "a == 1", "--delimiter", "ab"], "--delimiter takes one ASCII character or its name, found 'ab'"),
        (["filter", "a == 1", "--decimal", "x"], "--decimal takes a point or a comma, found 'x'"),
        (["filter", "a == 1", "--encoding", "koi8"], "--encoding takes utf-8, utf-16, windows-1252, latin1"),
        (["filter", "a == 1", "--dates", "epoch"], "--dates: expected dmy, mdy, ymd, epoch, epochms, for one column"),
        (["filter", "a == 1", "--types", "a=colour"], "--types: unknown type 'colour'; the types are string, integer"),
        (["filter", "a == 1", "--types", "a=intger"], "--types: unknown type 'intger'; did you mean integer?"),
        (["filter", "a == 1", "--limit", "3"], "unknown option '--limit'\nhint: write --first"),
        (["filter", "a == 1", "--head"], "unknown option '--head'\nhint: write --first"),
        (["filter", "a == 1", "--select", "a"], "unknown option '--select'\nhint: write --keys"),
        (["filter", "a == 1", "--columns", "a"], "unknown option '--columns'\nhint: write --keys"),
        (["filter", "a == 1", "--fields=a"], "unknown option '--fields'\nhint: write --keys"),
        (["filter", "a == 1", "--order-by", "a"], "unknown option '--order-by'\nhint: write --sort"),
        (["filter", "--where", "a == 1"], "unknown option '--where'\nhint: the predicate is an argument of its own"),
        (["explain", "a == 1", "--limit", "3"], "unknown option '--limit'\nhint: see 'predicate help explain'"),
        (["describe", "--sort", "a"], "unknown option '--sort'\nhint: predicate help filter explains --sort"),
        (["check", "a == 1", "--object", "3"], "unknown option '--object'\nhint: predicate help explain explains"),
        (["help", "--sort"], "unknown option '--sort'\nhint: predicate help filter explains --sort"),
        (["help", "filter", "sort"], "unknown command 'filter sort'\nhint: predicate help filter is the page"),
        (["describe", "a == 1", "x.csv"], "expected a file, found the predicate 'a == 1'"),
        (
            ["filter", "a == 1", "--percentile", "a"],
            "unknown option '--percentile'\nhint: --keys 'percentile(AGE, 95)' prints it"
        ),
        (["filter", "a == 1", "-n2"], "unknown option '-2'\nhint: use --first 2 to limit the matches"),
        (["filter", "a == 1", "-1"], "unknown option '-1'\nhint: use --first 1 to limit the matches"),
        (["filter", "a == 1", "-10", "x.csv"], "unknown option '-10'\nhint: use --first 10 to limit the matches"),
        (["filter", "a == 1", "--types", "a"], "--types: invalid type declaration 'a'"),
        (["filter", "a == 1", "--keys", "a,,b"], "--keys takes keys separated by commas"),
        (["filter", "a == 1", "--path", ""], "--path takes a key, found ''"),
        (["filter", "a == 1", "--path", "b", "--format", "csv"], "--path is for JSON documents only"),
        (["filter", "a == 1", "--set", "A"], "--set takes NAME=VALUE, found 'A'"),
        (["filter", "a == 1", "--set", "=1"], "--set takes NAME=VALUE, found '=1'"),
        (["filter", "a == 1", "--set", "A=1"], "--set: the predicate has no variable $A"),
        (
            ["filter", "a == $MIN", "--set", "MNI=1"],
            "--set: the predicate has no variable $MNI\nhint: did you mean $MIN?"
        ),
        (["filter", "a == $MIN"], "the variable $MIN has no value\nhint: --set MIN=VALUE"),
    ])
    func wrongUsageIsExplained(_ arguments: [String], _ message: String) {
        let outcome = predicate(arguments, source: silence)
        #expect(outcome.status == 2)
        #expect(outcome.output == "")
        #expect(outcome.error.hasPrefix("error: \(message)"), "\(outcome.error)")
    }

    @Test(arguments: ["check", "explain"]) func aFileBeforeThePredicateIsExplained(_ command: String) throws {
        try withFiles(["people.csv": "age\n3\n"]) { paths in
            let file = try #require(paths["people.csv"])
            let start = "error: expected a format before the file '\(file)'\nhint: predicate \(command) "
            #expect(predicate(command, file, "age > 3").error.hasPrefix(start + "'age > 3' \(file)"))
            #expect(predicate(command, file).error.hasPrefix(start + "'age > 21' \(file)"))
        }
    }

    @Test func twoHyphensEndOptions() {
        #expect(predicate("filter", "--count", "--", "a == 1", "--count").error.contains("cannot open '--count'"))
        #expect(predicate("parse", "--", "a == %@", "-x").output.contains("constantValue \"-x\""))
    }

    @Test func negativeNumbersAndAHyphenAreNoOptions() {
        #expect(predicate("parse", "a == %d", "-1").output.contains("prints     a == -1\n"))
        #expect(predicate("parse", "a == %@", "-.5").output.contains("prints     a == \"-.5\"\n"))
        #expect(predicate("parse", "a == %@", "-").output.contains("prints     a == \"-\"\n"))
    }

    @Test func optionsStandAnywhereAndLettersMayBeJoined() {
        let input = #"{"a": 1}"# + "\n" + #"{"a": 2}"#
        #expect(predicate("filter", "-vc", "a == 1", input: input) == .success("1\n"))
        #expect(predicate("filter", "a == %@", "-ca1", input: input) == .success("1\n"))
        #expect(predicate("filter", "a == %@", "--arg=2", "-c", "-", input: input) == .success("1\n"))
        #expect(predicate("filter", "a == %@", "--arg", "-2", "-c", input: input).output == "0\n")
    }
}
