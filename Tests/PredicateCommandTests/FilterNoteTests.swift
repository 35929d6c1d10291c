import Testing

/// What `filter` notes on standard error: why nothing may match, once, and divisions that drop a fraction.
struct FilterNoteTests {
    private static let records = """
        {"name": "Jo", "no": 0, "tags": ["a"], "a": 7, "b": 2, "friends": [{"name": "Al"}], "done": true}
        {"name": "Al", "no": 9, "tags": [], "a": 9, "b": 2, "friends": [], "done": false}

        """
    private static let rows = "name,a,b\nJo,7,2\nAl,9,2\n"

    @Test(arguments: [
        (#"name LIKE "Jo%""#, #""Jo%": the wildcards of LIKE are * and ?, not %; write LIKE "Jo*""#),
        (#"name MATCHES "J""#, #"write ".*J.*" to search inside the string"#),
        ("no = 9", #"write #no, or pass "no" for %K"#),
        (#"tags == "b""#, #"write ANY tags == "b", or ALL"#), (#"friends.name == "X""#, "write ANY friends.name"),
        ("name == John", #"a string needs quotes: "John""#), (#"done == "true""#, "not TRUE"),
        (#""name" == "Jo""#, "remove the quotes: name"),
    ])
    func nothingMatchesForAReason(_ format: String, _ note: String) {
        let outcome = predicate("filter", format, input: Self.records)
        #expect(outcome.status == 1 && outcome.output.isEmpty)
        #expect(outcome.error.contains(note), "\(outcome.error)")
        #expect(outcome.error.split(separator: "\n").count == 1, "\(outcome.error)")
    }

    @Test(arguments: [records, rows])
    func divisionsOfIntegersAreNoted(_ input: String) {
        let outcome = predicate("filter", "-c", "a / b * 2 > 7", input: input)
        #expect(outcome.output == "1\n")
        #expect(outcome.error.contains("a / b: integer division drops the fraction; write a * 1.0 / b"))
        #expect(outcome.error.split(separator: "\n").count == 1)
    }

    @Test(arguments: ["a / b >= 4", "a / b == 4", "a * 1.0 / b > 4", "friends.count > 0", "tags[SIZE] > 0"])
    func whatIsMeantHasNoNote(_ format: String) {
        #expect(predicate("filter", format, input: Self.records).error == "")
    }
}
