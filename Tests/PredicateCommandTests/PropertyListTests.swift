import Foundation
import PredicateCommand
import PredicateData
import Testing

/// Property lists as data.
struct PropertyListTests {
    private static var people: [[String: Any]] {
        [
            [
                "name": "Jo", "age": 30, "paid": true, "due": Date(timeIntervalSinceReferenceDate: 731_000_000),
                "id": Data([1, 2]),
            ],
            [
                "name": "Al", "age": 17.5, "paid": false, "due": Date(timeIntervalSinceReferenceDate: 700_000_000),
                "id": Data(),
            ],
        ]
    }

    private func outcome(
        _ list: Any, _ format: PropertyListSerialization.PropertyListFormat, _ arguments: String...
    ) throws -> Outcome {
        let bytes = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).plist")
        try bytes.write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        return predicate(arguments + [file.path], source: silence)
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func recordsOfAnArray(format: PropertyListSerialization.PropertyListFormat) throws {
        let found = try outcome(
            Self.people, format, "filter", "age > 18 AND paid == YES", "-k", "name,due,id", "-o", "jsonl")
        #expect(found == .success("{\"name\":\"Jo\",\"due\":\"2024-03-01T15:33:20Z\",\"id\":\"AQI=\"}\n"))
        #expect(
            try outcome(Self.people, format, "filter", "due < '2024-01-01'", "-k", "name").output
                == "[{\"name\":\"Al\"}]\n")
        #expect(try outcome(Self.people, format, "explain", "due < '2025'").output.hasPrefix("2 of 2 objects"))
        let nested: [String: Any] = ["Version": 1, "People": ["jo": Self.people[0], "al": Self.people[1]]]
        let keys = try outcome(nested, format, "filter", "--path", "People.*", "age < 18", "-k", "@key")
        #expect(keys.output == "[{\"@key\":\"al\"}]\n", "\(keys.error)")
    }

    @Test(arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func aPipeMayBeAList(format: PropertyListSerialization.PropertyListFormat) throws {
        let bytes = try PropertyListSerialization.data(fromPropertyList: Self.people, format: format, options: 0)
        for piece in [3, .max] {
            let pipe = MemorySource(Array(bytes), maximumPiece: piece)
            let found = predicate(["filter", "age > 18", "-k", "name"], source: pipe)
            #expect(found == .success("[{\"name\":\"Jo\"}]\n"), "\(piece)")
        }
        let described = predicate(["describe", "-"], source: MemorySource(Array(bytes)))
        #expect(described.output.hasPrefix("2 objects, 5 keys\n"), "\(described)")
        let counted = predicate(["explain", "age > 18", "-"], source: MemorySource(Array(bytes)))
        #expect(counted.output.hasPrefix("1 of 2 objects matches"), "\(counted)")
    }

    @Test func aBrokenListIsAnError() throws {
        try withFiles(["a.plist": "<?xml version=\"1.0\"?>\n<plist><dict>"]) { paths in
            let outcome = predicate("filter", "a > 1", paths["a.plist"] ?? "")
            #expect(outcome.status == 2 && outcome.error.contains("this property list cannot be read"))
        }
    }

    /// Text with the tag of a list in it, and rows in a file whose name says what it is.
    @Test func textAboutListsIsNone() throws {
        try withFiles(["a.txt": "{\"a\":\"<plist>\"}\n", "b.csv": "a\n<plist>\n"]) { paths in
            for name in ["a.txt", "b.csv"] {
                #expect(predicate("filter", "-c", "a == '<plist>'", paths[name] ?? "") == .success("1\n"))
            }
        }
    }
}
