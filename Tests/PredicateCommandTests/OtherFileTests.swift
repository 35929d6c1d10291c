import Foundation
import PredicateCommand
import PredicateData
import Testing

/// Paths to records, and values of other files.
struct OtherFileTests {
    private let runs = """
        {"runs": [{"tool": {}, "results": [{"id": "A", "n": 1}, {"id": "B", "n": 2}]}, {"x": [1]},
         {"results": [{"id": "C", "n": 3}], "more": {"results": [{"id": "D", "n": 9}]}}], "z": [1]}
        """
    private let packages = """
        {"name": "x", "packages": {"": {"version": "1"}, "node_modules/a": {"version": "2.0", "dev": true}, "e": {}},
         "z": {"q": [1, {"a": 2}, null]}}
        """

    private func filter(_ words: String..., input: String) -> Outcome { filter(words, input: input) }

    private func filter(_ words: [String], input: String) -> Outcome {
        predicate(["filter"] + words, source: MemorySource(input))
    }

    @Test func pathsLeadThroughArrays() {
        #expect(
            filter("--path", "runs.results", "n > 1", "-o", "jsonl", input: runs)
                == .success("{\"id\":\"B\",\"n\":2}\n{\"id\":\"C\",\"n\":3}\n"))
        #expect(filter("--path", "runs.results", "TRUEPREDICATE", "-c", input: runs) == .success("3\n"))
        #expect(filter("--path", "z.q", "SELF != nil", "-c", input: packages).output == "2\n")
        #expect(filter("--path", "items.labels", "TRUEPREDICATE", "-c", input: "{\"items\": []}").output == "0\n")
        let lines = "{\"a\": {\"b\": [1]}}\n{\"c\": 1}\n{\"a\": {\"b\": [2, 3]}}\n"
        #expect(filter("--path", "a.b", "SELF > 0", "-o", "jsonl", input: lines) == .success("1\n2\n3\n"))
        #expect(filter("--path", "a.b", "-f", "jsonl", "SELF > 2", input: lines).output == "3\n")
    }

    @Test func recordsHaveTheObjectAroundThem() {
        let issues = #"{"total":1.10,"items":[{"n":1,"labels":[{"s":"a"},{"s":"b"}],"t":"x"},{"n":2,"labels":["c"]}]}"#
        let labels = ["--path", "items.labels", "--parent", "item", "-o", "jsonl"]
        #expect(
            filter(labels + ["item.n > 0", "-k", "item.t,s"], input: issues)
                == .success(#"{"item.t":"x","s":"a"}\#n{"item.t":"x","s":"b"}\#n{"item.t":null,"s":null}\#n"#))
        #expect(
            filter(labels + ["item.n == 2 OR s == 'b'"], input: issues)
                == .success(
                    #"{"item":{"n":1,"t":"x"},"s":"b"}\#n{"item":{"n":2},"value":"c"}\#n"#))
        #expect(
            filter("--path", "items", "--parent", "all", "-o", "csv", "-k", "all.total,n", "n == 2", input: issues)
                == .success("all.total,n\n1.10,2\n"))
        #expect(
            filter("--path", "packages.*", "--parent", "file", "file.name == 'x'", "-c", input: packages)
                .output
                == "3\n")
        #expect(filter("--parent", "x", "a == 1", input: "[]").error.contains("--parent needs a path to the records"))
        #expect(filter("--path", "*", "--parent", "x", "a == 1", input: "{}").error.contains("--parent needs a path"))
        let own = #"{"n":1,"list":[{"up":5},{}]}"#
        #expect(
            filter("--path", "list", "--parent", "up", "-o", "jsonl", "TRUEPREDICATE", input: own)
                == .success(#"{"up":5}\#n{"up":{"n":1}}\#n"#))
        let truncated = filter(labels + ["TRUEPREDICATE"], input: #"{"items":[{"n":1,"labels":[{"s":"a"},"#)
        #expect(truncated.status == 2 && truncated.output == "")
        let long = #"{"text":"\#(String(repeating: "x", count: 1 << 20))","list":[1]}"#
        #expect(filter("--path", "list", "--parent", "up", "TRUEPREDICATE", input: long).status == 2)
        #expect(filter(labels + ["item.n > 0"], input: #"{"items": [{"labels": [{"#).status == 2)
    }

    @Test func keysWithDotsAreReadAsTheyAre() {
        let input = """
            {"a":{"b":1}}
            {"a.b":2,"a":{"b":7}}
            {"a":{"b":8},"a.b":null}

            """
        #expect(
            filter("-k", "a.b", "TRUEPREDICATE", input: input) == .success(#"{"a.b":1}\#n{"a.b":2}\#n{"a.b":8}\#n"#))
        #expect(filter("-k", "a.b", "-o", "csv", "TRUEPREDICATE", input: input) == .success("a.b\n1\n2\n8\n"))
        #expect(filter("--sum", "a.b", "TRUEPREDICATE", input: input).output == #"{"count":3,"sum_a.b":11}\#n"#)
        #expect(filter("--sort", "-a.b", "--first", "1", "TRUEPREDICATE", input: #"{"a.b": 2}"#).error == "")
        #expect(filter("--count-by", "a.b", "TRUEPREDICATE", input: #"{"a.b": 2}"#).error == "")
        #expect(filter("--count-by", "a.c", "TRUEPREDICATE", input: #"{"a.b": 2}"#).error.contains("has the key 'a'"))
    }

    @Test func membersAreRecords() {
        #expect(
            filter("--path", "packages.*", "dev == YES", "-o", "jsonl", input: packages)
                == .success("{\"@key\":\"node_modules/a\", \"version\": \"2.0\", \"dev\": true}\n".compactJSON))
        #expect(
            filter(
                "--path", "packages.*", "@key BEGINSWITH 'node'", "-k", "@key,version", "-o", "jsonl", input: packages)
                == .success("{\"@key\":\"node_modules/a\",\"version\":\"2.0\"}\n"))
        #expect(
            filter("--path", "packages.*", "@key == 'e'", "-o", "jsonl", input: packages).output == "{\"@key\":\"e\"}\n"
        )
        #expect(filter("--path", "*", "SELF == 'x'", "-o", "jsonl", input: "{\"a\": \"x\"}") == .success("\"x\"\n"))
        #expect(filter("--path", "a\\.\\*", "b == 1", input: "{\"a.*\": {\"b\": 1}}").status == 2)
        #expect(filter("--path", "\\*", "b == 1", "-c", input: "{\"*\": [{\"b\": 1}]}") == .success("1\n"))
    }

    @Test func missingPathsAreErrors() {
        #expect(
            filter("--path", "runs.result", "n > 1", input: runs).error.contains(
                "there is no value at the path 'runs.result'; did you mean results?"))
        #expect(
            filter("--path", "nope", "n > 1", input: packages).error.contains("; the keys are name, packages, z"))
        #expect(filter("--path", "name", "n > 1", input: packages).error.contains("neither an array nor an object"))
        #expect(filter("--path", "name", "n > 1", input: packages + "x").status == 2)
        #expect(filter("--path", "z", "q != nil", "-c", input: packages + " x").error.contains("error:"))
        #expect(filter("--path", "runs.results", "n > 9", input: String(runs.dropLast(3))).status == 2)
    }

    @Test func valuesOfAColumn() throws {
        let folder = try Folder([
            "ids.csv": "id,name\n1,Ann\n3,Bob\n3,Bo\n", "ids.txt": "2\n3\n", "x.jsonl": "{\"a\":{\"b\":[1,2]}}\n",
        ])
        let input = "{\"user\":1}\n{\"user\":2}\n{\"user\":3.0}\n{}\n"
        let ids = folder.path("ids.csv")
        #expect(
            filter("--values", "IDS=\(ids):id", "user IN $IDS", input: input).output == "{\"user\":1}\n{\"user\":3.0}\n"
        )
        #expect(
            filter("--values", "$IDS=\(folder.path("ids.txt"))", "user IN $IDS", "-c", input: input).output == "2\n")
        #expect(
            filter("--values", "IDS=\(folder.path("x.jsonl")):a.b", "user IN $IDS", "-c", input: input).output == "2\n")
        #expect(filter("--values", "IDS=\(ids):di", "user IN $IDS", input: input).error.contains("did you mean id?"))
        #expect(
            filter("--values", "IDS=\(ids):id", "user == 1", input: input).error.contains("--values: the predicate"))
        #expect(filter("--values", "IDS", "user IN $IDS", input: input).error.contains("--values takes NAME=FILE:KEY"))
        #expect(filter("--values", "IDS=/no:id", "user IN $IDS", input: input).error.contains("cannot open '/no'"))
    }

    @Test func recordsInPlaceOfKeys() throws {
        let folder = try Folder(["users.csv": "id,name\n1,Ann\n2,Bob\n"])
        let lookup = "user=" + folder.path("users.csv") + ":id"
        let lines = "{\"user\":1,\"t\":5}\n{\"user\":2,\"t\":6}\n{\"user\":3,\"t\":7}\n{\"t\":8}\n"
        #expect(filter("--lookup", lookup, "user.name == 'Bob'", input: lines).output == "{\"user\":2,\"t\":6}\n")
        #expect(filter("--lookup", lookup, "user.name == nil", "-c", input: lines).output == "2\n")
        #expect(
            filter("--lookup", lookup, "user.name BEGINSWITH 'A'", "-f", "csv", input: "user,t\n1,5\n2,6\n").output
                == "user,t\n1,5\n")
        #expect(
            filter("--lookup", lookup, "t > 5 AND t < 8", "-k", "t,user.name", input: lines)
                == .success("{\"t\":6,\"user.name\":\"Bob\"}\n{\"t\":7,\"user.name\":null}\n"))
        let table = "user,t\n2,1\n1,2\n3,3\n"
        #expect(
            filter("--lookup", lookup, "-f", "csv", "-k", "user,user.name AS name", "--sort", "user.name", input: table)
                == .success("user,name\n3,\n1,Ann\n2,Bob\n"))
        let counts = filter("--lookup", lookup, "-f", "csv", "--count-by", "user.name", input: table)
        #expect(counts.output.contains("Ann,1"))
        #expect(filter("--lookup", "user=x", "user.name == 'Bob'", input: lines).status == 2)
    }

    /// Several keys, expressions and a name, and records inside of a document. [NSP-458]
    @Test func recordsUnderAName() throws {
        let folder = try Folder([
            "weather.csv": "origin,hour,visib\nJFK,1,0.2\nJFK,2,9\nEWR,1,3\n",
            "countries.json":
                "{\"3166-1\": [{\"code\": \"IT\", \"name\": \"Italy\"}, {\"code\": \"FR\", \"name\": \"France\"}]}",
        ])
        let (weather, countries) = (folder.path("weather.csv"), folder.path("countries.json"))
        let flights = "n,origin,hour\n1,JFK,1\n2,JFK,2\n3,EWR,1\n4,LGA,1\n5,,1\n"
        let both = "origin,hour AS w=\(weather):origin,hour"
        #expect(
            filter("--lookup", both, "w.visib < 5", "-f", "csv", input: flights)
                == .success("n,origin,hour\n1,JFK,1\n3,EWR,1\n"))
        #expect(filter("--lookup", both, "w == nil", "-c", "-f", "csv", input: flights) == .success("2\n"))
        #expect(
            filter("--lookup", both, "-f", "csv", "-k", "n,origin,w.visib AS v", "--first", "1", input: flights)
                == .success("n,origin,v\n1,JFK,0.2\n"))
        #expect(
            filter("--lookup", both, "-f", "csv", "--group-by", "origin", "--avg", "w.visib", input: flights)
                .output.contains("JFK,2,4.6\n"))
        let code = "FUNCTION(id, \"substringToIndex:\", 2) AS land=\(countries):3166-1.code"
        #expect(
            filter("--lookup", code, "land.name == 'Italy'", input: "{\"id\":\"IT-RM\"}\n{\"id\":\"FR-01\"}\n{}\n")
                == .success("{\"id\":\"IT-RM\"}\n"))
        func error(_ setting: String) -> String {
            filter("--lookup", setting, "n > 1", "-f", "csv", input: flights).error
        }
        #expect(error("origin,hour=\(weather):origin,hour").contains("need a name"))
        #expect(error("origin,hour AS w=\(weather):origin").contains("2 and 1 keys"))
        #expect(error("orign,hour AS w=\(weather):origin,hour").contains("there is no column 'orign'"))
        #expect(error("origin,hour AS w=\(weather):origin,our").contains("there is no column 'our'"))
        #expect(error("city").contains("--lookup takes KEY=FILE:ID, found 'city'"))
    }
}

/// A folder with some files, removed at the end.
private final class Folder {
    private let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)

    init(_ files: [String: String]) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        for (name, text) in files {
            try text.write(to: url.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appendingPathComponent(name).path }
}

extension String {
    /// The string without the spaces after commas and colons.
    fileprivate var compactJSON: String { replacing(", ", with: ",").replacing(": ", with: ":") }
}
