import PredicateCommand
import PredicateData
import Testing

/// Logs: lines with named parts.
struct LogTests {
    private let access = #"""
        127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /a.gif HTTP/1.0" 200 2326
        10.0.0.2 - - [10/Oct/2000:13:56:36 +0530] "POST /a?b=1 HTTP/1.1" 500 - "http://x.org/" "Moz \"q\"" 0.25
        ::1 - jo smith [01/Jan/2024:00:00:00 +0000] "-" 408 0 "-" "-"

        """#
    private let pairs = #"""
        level=info msg="it works" took=2.5 cached
        level=error msg="a \"b\"" took=10 ok=true empty=

        """#

    private func filter(_ words: String..., input: String) -> Outcome {
        predicate(["filter"] + words, source: MemorySource(input))
    }

    @Test func logsOfWebServersAreFoundByThemselves() {
        let lines = access.split(separator: "\n").map { String($0) + "\n" }
        #expect(filter("status >= 400", input: access) == .success(lines[1] + lines[2]))
        #expect(filter("status >= 400 AND bytes == nil", input: access) == .success(lines[1]))
        #expect(filter("time > '2000-10-10' AND user == 'frank'", input: access) == .success(lines[0]))
        #expect(
            filter("method == 'GET'", "-o", "jsonl", "-k", "time,path,bytes,agent", input: access)
                == .success(#"{"time":"2000-10-10T20:55:36Z","path":"/a.gif","bytes":2326,"agent":null}"# + "\n"))
        #expect(filter("extra == '0.25'", "-k", "host,path", input: access) == .success("10.0.0.2\t/a?b=1\n"))
        #expect(filter("request == nil AND method == nil", "-k", "user", input: access) == .success("jo smith\n"))
        #expect(filter("--count-by", "status", "--sort", "status", input: access).output.contains("408\t1\n"))
    }

    @Test func otherLinesAreErrors() {
        let outcome = filter("-f", "log", "status == 200", input: access + "oops\n")
        #expect(outcome.status == 2)
        #expect(outcome.error.contains(":4: error: this line is not in the common or combined log format"))
    }

    @Test func logfmt() {
        let lines = pairs.split(separator: "\n").map { String($0) + "\n" }
        #expect(filter("took > 3", input: pairs) == .success(lines[1]))
        #expect(filter("cached == YES", "-f", "logfmt", input: pairs) == .success(lines[0]))
        #expect(
            filter("took > 3", "-o", "jsonl", input: pairs)
                == .success(#"{"level":"error","msg":"a \"b\"","took":10,"ok":true,"empty":""}"# + "\n"))
        #expect(filter("took > 3", "-k", "msg", input: pairs) == .success(#"{"msg":"a \"b\""}"# + "\n"))
        #expect(filter("took > 3", "-o", "csv", "-k", "level,took", input: pairs) == .success("level,took\nerror,10\n"))
        #expect(filter("-f", "logfmt", "a == 1", input: "a=1 b=\"x\n").error.contains("error:"))
        #expect(filter("-f", "logfmt", "-n", "a == 1", input: "a=1 b=x\n").output == "1:a=1 b=x\n")
    }

    private let packages = """
        Package: bash
        Essential: yes
        Installed-Size: 7163
        Version: 5.2-1
        Description: GNU shell
         The shell.
         .
         More.

        # a comment
        Package: zlib1g
        Installed-Size: 10
        Version: 012


        """

    @Test func paragraphsOfFieldsAreRecords() {
        let first = packages.split(separator: "\n\n")[0] + "\n\n"
        #expect(filter("Essential == 'yes'", input: packages) == .success(String(first)))
        #expect(
            filter("#\"Installed-Size\" < 100", "-o", "jsonl", input: packages)
                == .success(#"{"Package":"zlib1g","Installed-Size":10,"Version":"012"}"# + "\n"))
        #expect(
            filter(
                "-k", "Package,#\"Installed-Size\" AS kb", "--sort", "#\"Installed-Size\"", "-o", "csv", input: packages
            )
                == .success("Package,kb\nzlib1g,10\nbash,7163\n"))
        #expect(
            filter("Description CONTAINS 'shell'", "-k", "Description", input: packages)
                == .success(#"{"Description":"GNU shell\nThe shell.\n\nMore."}"# + "\n"))
        #expect(filter("Package == 'zlib1g'", "-nk", "Version", input: packages).output.hasPrefix("10:"))
        #expect(filter("-c", "-f", "deb822", input: "cpu\t: 0\nflags\t: a b\n\ncpu\t: 1\n") == .success("2\n"))
        #expect(filter("cpu == 1", "-f", "deb822", "-c", input: "cpu\t: 0\r\n\r\ncpu\t: 1\r\n") == .success("1\n"))
    }

    @Test func linesThatAreNoFieldsAreErrors() {
        let outcome = filter("-f", "deb822", "a == 1", input: "a: 1\n\nb: 2\noops\n\na: 1\n")
        #expect(outcome.output == "a: 1\n\na: 1\n\n")
        #expect(
            outcome.error
                == "(standard input):4: error: expected a field such as Package: bash, or a line that begins with a blank (column 1)\n"
        )
        #expect(outcome.status == 2)
        #expect(filter("-f", "deb822", "-c", input: "") == Outcome(status: 1, output: "0\n", error: ""))
        #expect(filter("-f", "deb822", "-c", input: ": 1\n").status == 2)
    }

    @Test func patternsDivideLines() {
        let input = "2024-01-02 [warn] low disk: 7%\n2024-01-03 [info] fine\n"
        let pattern = #"(?<day>\S+) \[(?P<log_level>\w+)\] (?<text>[^:]*)(: (?<share>\d+)%)?"#
        #expect(filter("--pattern", pattern, "share > 5", input: input).output == "2024-01-02 [warn] low disk: 7%\n")
        #expect(
            filter("--pattern", pattern, "day > '2024-01-02'", "-o", "jsonl", input: input).output
                == #"{"day":"2024-01-03","log_level":"info","text":"fine","share":null}"# + "\n")
        #expect(filter("--pattern", "é(?<a>.)", "a == 'ü'", "-k", "a", input: "xéü\n").output == "ü\n")
        let other = filter("--pattern", "x(?<a>.)", "a == 1", input: "x1\ny\n")
        #expect(other.output == "x1\n")
        #expect(other.error.contains(":2: error: this line does not match --pattern"))
        #expect(filter("--pattern", "(", "a == 1", input: "").error.contains("'(' is no valid regular expression"))
        #expect(filter("--pattern", "(a)", "a == 1", input: "").error.contains("there are no named groups"))
        #expect(filter("--pattern", "(?<a>a)(?<a>b)", "a == 1", input: "").error.contains("named 'a'"))
        #expect(filter("--pattern", "(?<a>a)", "-f", "csv", "a == 1", input: "").status == 2)
    }

    @Test func unmatchedLinesAreLeftOutOrJoined() {
        let input = "x 1 a\n  at b\n\ny 2 c\r\n  at d"
        let pattern = #"^(?<id>\w) (?<n>\d) (?<text>.*)"#
        #expect(filter("--pattern", pattern, "n > 0", input: input).output == "x 1 a\ny 2 c\n")
        #expect(
            filter("--pattern", pattern, "--unmatched", "skip", "n > 0", input: input) == .success("x 1 a\ny 2 c\n"))
        let joined = filter("--pattern", pattern, "--unmatched", "join", "text CONTAINS 'at'", input: input)
        #expect(joined == .success("x 1 a\n  at b\n\ny 2 c\r\n  at d\n"))
        #expect(
            filter("--pattern", pattern, "--unmatched", "join", "n == 2", "-o", "jsonl", "-n", input: input).output
                == #"{"line":4,"id":"y","n":2,"text":"c\r\n  at d"}"# + "\n")
        let empty = filter(
            "--pattern", pattern, "--unmatched", "join", "-k", "text", "-o", "jsonl", "n > 0", input: "x 1 \n at\n")
        #expect(empty == .success(#"{"text":"\n at"}"# + "\n"))
        let number = #"^(?<id>\w) (?<n>\d+)$"#
        #expect(
            filter("--pattern", number, "--unmatched", "join", "n == 2", "-o", "jsonl", input: "x 1\n at\ny 2\n").output
                == #"{"id":"y","n":2}"# + "\n")
        let first = filter("--pattern", pattern, "--unmatched", "join", "-c", "n > 0", input: "  at z\n" + input)
        #expect(first.output == "2\n")
        #expect(first.error.hasPrefix("(standard input):1: error: this line does not match --pattern"))
        #expect(filter("--unmatched", "join", "n > 0", input: "").error.contains("--unmatched is for lines that"))
        #expect(filter("--pattern", pattern, "--unmatched", "all", "n > 0", input: "").error.contains("found 'all'"))
    }
}
