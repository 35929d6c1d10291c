import PredicateConformance
import Testing

/// Every way to write a value in a fact.
@Suite struct ValueTests {
    @Test(
        "an argument is what its tag says",
        arguments: [
            (#"{"string": "a"}"#, #""a""#), (#"{"key": "a"}"#, #""a""#), (#"{"int": 2}"#, "2.0"),
            (#"{"double": 2}"#, "2"), (#"{"bool": true}"#, "1"), (#"{"decimal": "1.5"}"#, "1.5"),
            (#"{"date": "2001-01-01T00:00:10Z"}"#, #"CAST(10, "NSDate")"#),
            (#"{"dateSinceReference": 10.5}"#, #"CAST(10.5, "NSDate")"#),
            (#"{"array": [{"int": 1}, null]}"#, "{1, nil}"),
            (#"{"set": [1, {"int": 2}]}"#, "{} UNION {2, 1}"),
            (#"{"orderedset": [1, 2]}"#, #"CAST({1, 2}, "NSOrderedSet")"#),
            (#"{"dict": {"set": {"int": 1}}}"#, #"CAST({"set", 1}, "NSDictionary")"#),
            (#"{"a": {"int": 1}, "b": 2}"#, #"CAST({"a", 1, "b", 2}, "NSDictionary")"#),
            (#"{"data": "aGk="}"#, #"CAST("aGk=", "NSData")"#),
            (
                #"{"uuid": "137DECC8-B300-4954-A233-F89909F4FD89"}"#,
                #"CAST("137DECC8-B300-4954-A233-F89909F4FD89", "NSUUID")"#
            ),
            (#"{"url": "https://swift.org"}"#, #"CAST("https://swift.org", "NSURL")"#),
            (#"{"class": "NSNumber"}"#, #"CAST("NSNumber", "Class")"#),
            (#"{"class-of": {"string": ""}}"#, #"CAST("NSString", "Class")"#),
            (#"{"expression": "1 + 1"}"#, "2"), (#"{"nsnull": true}"#, "nil"), ("null", "nil"), ("1.5", "1.5"),
            ("[1, null]", "{1, <null>}"),
        ])
    func argument(value: String, literal: String) throws {
        try Self.expectTruth(#""format": "%@ == (\#(Self.escaped(literal)))", "args": [\#(value)]"#)
    }

    @Test(
        "an object is what its mark says",
        arguments: [
            (#"{"$date": "2001-01-01T00:00:10Z"}"#, #"SELF == CAST(10, "NSDate")"#),
            (#"{"$set": [1, null]}"#, "SELF[SIZE] == 2"),
            (#"{"$orderedset": [1, 2]}"#, "SELF[0] == 1"), (#"{"$null": true}"#, "SELF == nil"),
            (#"{"$class": "Person", "name": "Lily"}"#, #"name == "Lily""#),
            (#"{"a": {"$set": ["x"]}}"#, #""x" IN a"#), (#"{"set": 1}"#, "set == 1"), ("[[1], [2]]", "SELF[1][0] == 2"),
            (#"{"a": {"date": "x"}}"#, #"a.date == "x""#),
        ])
    func object(value: String, format: String) throws {
        try Self.expectTruth(#""format": "\#(Self.escaped(format))", "object": \#(value)"#)
    }

    @Test func anObjectThatIsNoDictionaryHasJustItsOwnKeys() throws {
        let row = #"{"format": "age == 1", "object": {"$class": "Person", "name": "Lily"}, "expect": "eval-error"}"#
        #expect(try ConformanceSuite(path: "facts.jsonl", text: row).run().isSuccess)
    }

    private static func expectTruth(_ fields: String) throws {
        let report = try ConformanceSuite(path: "facts.jsonl", text: #"{\#(fields), "expect": true}"#).run()
        #expect(report.failures == [])
    }

    private static func escaped(_ text: String) -> String {
        text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\\\"")
    }
}
