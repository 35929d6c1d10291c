import PredicateCommand
import Testing

/// `predicate describe FILE`.
struct DescribeTests {
    private func described(_ name: String, _ text: String, _ arguments: String...) throws -> Outcome {
        var outcome = Outcome.success("")
        try withFiles([name: text]) { paths in
            outcome = predicate(["describe", paths[name] ?? ""] + arguments, source: silence)
        }
        return outcome
    }

    /// The cells of a row of the table.
    private func row(_ key: String, of outcome: Outcome) -> [String] {
        let line = outcome.output.split(separator: "\n").first { $0.hasPrefix(key + " ") } ?? ""
        return line.split(separator: /\s{2,}/).map(String.init)
    }

    @Test func columns() throws {
        let rows = "id,due,price,open\n1,25.12.2023,1.5,true\n2,01.02.2024,,false\n2,31.05.2024,n/a,true\n"
        let outcome = try described("a.csv", rows)
        #expect(outcome.status == 0 && outcome.output.hasPrefix("3 objects, 4 keys\nkey path"), "\(outcome)")
        #expect(row("id", of: outcome) == ["id", "integer", "0 %", "2", "1", "2", "1, 2"])
        #expect(row("due", of: outcome).prefix(6) == ["due", "date (dmy)", "0 %", "3", "2023-12-25", "2024-05-31"])
        #expect(row("price", of: outcome) == ["price", "double", "67 %", "1", "1.5", "1.5", "1.5"])
        #expect(row("open", of: outcome) == ["open", "boolean", "0 %", "2", "NO", "YES", "YES, NO"])
    }

    @Test func whyAColumnIsText() throws {
        let outcome = try described("a.csv", "x,d\n5,01.02.2024\n7,03.04.2024\nseven,05.06.2024\n")
        #expect(outcome.output.contains("note: 'x' is text, since 'seven' is not a number\n"), "\(outcome)")
        #expect(outcome.output.contains("--dates 'd=dmy'"), "\(outcome)")
    }

    /// Keys that only later records have, keys of values, and elements of arrays.
    @Test func keysOfDocuments() throws {
        let lines = (0..<40_000).map { "{\"a\":\($0),\"b\":{\"c\":\"\($0 % 7)\"}}" } + ["{\"late\":[3,1,2]}"]
        let outcome = try described("a.jsonl", lines.joined(separator: "\n"))
        #expect(outcome.output.hasPrefix("40,001 objects, 4 keys\n"), "\(outcome)")
        #expect(row("a", of: outcome).prefix(6) == ["a", "number", "<1 %", "40,000", "0", "39999"])
        #expect(row("b.c", of: outcome).prefix(6) == ["b.c", "string", "0 %", "7", "\"0\"", "\"6\""])
        #expect(row("late", of: outcome).prefix(6) == ["late", "array of number", ">99 %", "3", "1", "3"])
        let inner = try described("a.jsonl", lines.joined(separator: "\n"), "b")
        #expect(inner.output.hasPrefix("40,001 objects, 2 keys\n") && row("a", of: inner) == [])
        let unknown = try described("a.jsonl", "{\"name\":1}", "nmae")
        #expect(unknown.status == 2)
        #expect(unknown.error == "error: no object has the key 'nmae'\nhint: did you mean name?\n")
    }

    /// More different values, and more keys, than are held.
    @Test func muchIsNotHeld() throws {
        let many = (0...100_000).map { "{\"a\":\($0)}" }.joined(separator: "\n")
        #expect(row("a", of: try described("a.jsonl", many)).prefix(4) == ["a", "number", "0 %", "> 100,000"])
        let wide = "{" + (0..<3_000).map { "\"k\($0)\":1" }.joined(separator: ",") + "}"
        #expect(try described("a.jsonl", wide).output.hasPrefix("1 object, 2,000 keys\n"))
    }

    @Test func wrongOperands() throws {
        #expect(predicate("describe").error.hasPrefix("error: expected a file\n"))
        #expect(predicate("describe", "a", "b", "c").error.hasPrefix("error: expected one file and one key\n"))
        let broken = try described("a.jsonl", "{\"a\":1}\n{\"a\":\n")
        #expect(broken.status == 2 && broken.output.hasPrefix("1 object, 1 key\n"), "\(broken)")
    }
}
