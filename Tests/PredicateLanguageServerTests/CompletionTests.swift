import Foundation
import PredicateSyntax
import Testing

@testable import PredicateLanguageServer

struct CompletionTests {
    private static let model = """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" userDefinedModelVersionIdentifier="">
            <entity name="Person" representedClassName="Person" syncable="YES">
                <attribute name="age" optional="YES" attributeType="Integer 32" defaultValueString="0"/>
                <attribute name="nickname" optional="YES" attributeType="String"/>
                <relationship name="pets" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Pet" inverseName="owner" inverseEntity="Pet"/>
            </entity>
            <entity name="Pet" representedClassName="Pet" syncable="YES">
                <attribute name="breed" optional="YES" attributeType="String"/>
                <relationship name="owner" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Person" inverseName="pets" inverseEntity="Person"/>
            </entity>
        </model>
        """

    /// Runs a test with a project that has the model above.
    private static func withProject(_ body: (Project) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "lsp-\(UUID().uuidString)")
        let model = folder.appending(path: "App/Zoo.xcdatamodeld/Zoo.xcdatamodel")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Self.model.write(to: model.appending(path: "contents"), atomically: true, encoding: .utf8)
        try body(Project(folder: folder.path))
    }

    private static func labels(_ items: [PredicateValue]) -> [String] { items.compactMap { $0["label"]?.text } }

    /// The labels at the bar in the only format of a source.
    private static func labels(at source: String, project: Project = Project()) throws -> [String] {
        let parts = source.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
        let client = try ScriptedClient.open(parts.joined(), project: project)
        let before = parts[0].split(separator: "\n", omittingEmptySubsequences: false)
        return labels(try client.completions(before.count - 1, before.last?.utf16.count ?? 0))
    }

    @Test func keywordsAndFunctions() throws {
        let labels = try Self.labels(at: "let 😀 = NSPredicate(format: \"name be|\")")
        #expect(labels.contains("BEGINSWITH") && labels.contains("BETWEEN") && labels.contains("abs("))
        #expect(Set(labels).count == labels.count)
    }

    @Test func wordsAreReplacedWhereTheyStand() throws {
        let client = try ScriptedClient.open("let 😀 = NSPredicate(format: \"name be\")")
        let item = try #require(try client.completions(0, 37).first { $0["label"]?.text == "BEGINSWITH" })
        #expect(ScriptedClient.place(item["textEdit"]?["range"]) == "0:35-0:37")
        #expect(item["textEdit"]?["newText"] == .string("BEGINSWITH"))
    }

    @Test(arguments: [
        "NSPredicate(format: \"name == 'b|'\")", "NSPredicate|(format: \"name\")", "NSPredicate(format: |\"name\")",
        "NSPredicate(format: \"name\"|)", "let x = \"na|me\"",
    ])
    func nothingIsOfferedElsewhere(source: String) throws {
        #expect(try Self.labels(at: source) == [])
    }

    @Test func collectionOperatorsAndVariables() throws {
        #expect(try Self.labels(at: "NSPredicate(format: \"a.@|\")").contains("@avg"))
        let source = "NSPredicate(format: \"a == $LIMIT\")\nNSPredicate(format: \"b > $|\")"
        #expect(try Self.labels(at: source) == ["$LIMIT"])
    }

    @Test func emptyFormat() throws {
        #expect(try Self.labels(at: "NSPredicate(format: \"|\")").contains("NOT"))
    }

    @Test func keysOfTheModel() throws {
        try Self.withProject { project in
            let all = try Self.labels(at: "NSPredicate(format: \"|\")", project: project)
            #expect(all.starts(with: ["age", "breed", "nickname", "owner", "pets"]))
            let pets = try Self.labels(at: "NSPredicate(format: \"ANY pets.|\")", project: project)
            #expect(pets == ["breed", "owner"])
            let deep = try Self.labels(at: "NSPredicate(format: \"SELF.pets.owner.n|\")", project: project)
            #expect(deep == ["age", "nickname", "pets"])
            let own = try Self.labels(at: "NSPredicate(format: \"nickname.|\")", project: project)
            #expect(own.contains("length") && own.contains("pathExtension") && !own.contains("age"))
            let nothing = try Self.labels(at: "NSPredicate(format: \"nicknam.|\")", project: project)
            #expect(nothing == [])
        }
    }

    @Test func keysAreCheckedAgainstTheModel() throws {
        try Self.withProject { project in
            let source = """
                let request = NSFetchRequest<Person>(entityName: "Person")
                request.predicate = NSPredicate(format: "nickname == %@ AND ANY pets.bred == %@", a, b)
                """
            let client = try ScriptedClient.open(source, project: project)
            #expect(client.diagnostics.map { $0["code"]?.text } == ["predicate-model"])
            #expect(ScriptedClient.place(client.diagnostics.first?["range"]) == "1:64-1:73")
            #expect(client.diagnostics.first?["message"]?.text?.contains("breed") == true)
        }
    }

    @Test func keysOfTheEntityOfAFileOfPredicates() throws {
        try Self.withProject { project in
            let text = "# predicate:entity Pet\nbreed == 5\nb\n"
            let client = try ScriptedClient.open(text, "", "file:///work/a.predicate", project: project)
            #expect(client.shownDiagnostics == ["1:0-1:10 predicate-model", "2:0-2:1 predicate-syntax"])
            let labels = Self.labels(try client.completions(2, 1, "file:///work/a.predicate"))
            #expect(labels.starts(with: ["breed", "owner"]))
            #expect(!labels.contains("nickname"))
        }
    }

    @Test func hoverTellsWhatAKeyHolds() throws {
        try Self.withProject { project in
            let source =
                "// predicate:entity Person\nlet p = NSPredicate(format: \"ANY pets.breed == %@ AND age > 5\", x)"
            let client = try ScriptedClient.open(source, project: project)
            func text(_ column: Int) throws -> String? {
                try client.result("textDocument/hover", ScriptedClient.position(1, column))?["contents"]?["value"]?.text
            }
            #expect(try text(34)?.hasPrefix("`pets`: to many Pet\n\n") == true)
            #expect(try text(39)?.hasPrefix("`breed`: String\n\n") == true)
            #expect(try text(55)?.hasPrefix("`age`: Integer 32\n\n") == true)
            #expect(try text(46)?.hasPrefix("```") == true)
        }
    }

    @Test func keysOfOtherPredicates() throws {
        let source = "NSPredicate(format: \"dept.head.name == %@\", a)\nNSPredicate(format: \"dept.|\")"
        #expect(try Self.labels(at: source) == ["head"])
    }

    @Test func keysOfTheModelTellTheirKind() throws {
        try Self.withProject { project in
            let client = try ScriptedClient.open("NSPredicate(format: \"\")", project: project)
            let details = try client.completions(0, 21).prefix(5).map { $0["detail"]?.text ?? "" }
            #expect(details == ["Integer 32", "String", "String", "to one Person", "to many Pet"])
        }
    }
}
