import Foundation
import PredicateStore
import Testing

/// The commands on a store of the XML type. [NSP-450] [NSP-456]
@Suite struct XMLStoreCommandTests {
    private static let model = """
        <model userDefinedModelVersionIdentifier="1">
        <entity name="ToDo">
        <attribute name="name" attributeType="String"/>
        <attribute name="dueDate" optional="YES" attributeType="Date"/>
        <relationship name="list" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="List"
            inverseName="toDos" inverseEntity="List"/>
        </entity>
        <entity name="List">
        <attribute name="title" optional="YES" attributeType="String"/>
        <attribute name="budget" optional="YES" attributeType="Decimal"/>
        <relationship name="toDos" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="ToDo"
            inverseName="list" inverseEntity="ToDo"/>
        </entity>
        </model>
        """

    private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("xml-\(UUID().uuidString)")
    private var store: String { folder.path + "/ToDo.xml" }
    private var model: String { folder.path + "/ToDo.xcdatamodel" }

    private func withStore(_ body: () throws -> Void) throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(atPath: model, withIntermediateDirectories: true)
        try Data(Self.model.utf8).write(to: URL(fileURLWithPath: model + "/contents"))
        #expect(predicate("store", "create", store, "--model", model).error.contains("version hashes"))
        for name in ["a < b", "c"] {
            let words = ["store", "insert", store, "--entity", "ToDo", "--set", "name=\(name)", "--result", "status"]
            #expect(predicate(words, source: silence) == .success("true\n"))
        }
        try body()
    }

    private func names(_ format: String, _ path: String, _ options: String...) -> Outcome {
        predicate(["filter", format, path, "--entity", "ToDo", "--keys", "name"] + options, source: silence)
    }

    @Test func itIsFilledAskedAndChanged() throws {
        try withStore {
            let written = try String(contentsOfFile: store, encoding: .utf8)
            #expect(written.contains("<object type=\"TODO\" id=\"z103\">"))
            #expect(names("name CONTAINS '<'", store) == .success("{\"name\":\"a < b\"}\n"))
            #expect(
                predicate("store", "update", "name == 'c'", store, "--entity", "ToDo", "--set", "name=d").output
                    == "1\n")
            #expect(predicate("store", "delete", "name == 'd'", store, "--entity", "ToDo").output == "1\n")
            #expect(names("TRUEPREDICATE", store) == .success("{\"name\":\"a < b\"}\n"))
            #expect(predicate("store", "metadata", store, "NSStoreType") == .success("\"XML\"\n"))
            #expect(predicate("store", "metadata", store, "--set", "mine=1").status == 0)
            #expect(predicate("store", "metadata", store, "mine") == .success("1\n"))
            #expect(predicate("schema", store).output.contains("\"ToDo\""))
            #expect(predicate("model", "show", store).output.contains("dueDate"))
            let sql = predicate("sql", "dueDate == nil", "--schema", store, "--entity", "ToDo")
            #expect(sql.output.contains("ZDUEDATE"), "\(sql)")
            #expect(predicate("store", "export", store, "-o", folder.path + "/plain.sqlite", "--quiet").status == 0)
        }
    }

    @Test func wordsOfDecimalsKeepTheirDigits() throws {
        try withStore {
            for digits in ["12345678901234567890.125", "0.1", "7"] {
                let words = ["store", "insert", store, "--entity", "List", "--set", "budget=\(digits)"]
                #expect(predicate(words, source: silence).status == 0)
                let written = try String(contentsOfFile: store, encoding: .utf8)
                #expect(written.contains("<attribute name=\"budget\" type=\"decimal\">\(digits)<"))
            }
        }
    }

    @Test func newValuesReplaceKeptDigits() throws {
        try withStore {
            let words = ["store", "insert", store, "--entity", "List", "--set", "budget=0.1000000000000000000000001"]
            #expect(predicate(words, source: silence).status == 0)
            let update = ["store", "update", "TRUEPREDICATE", store, "--entity", "List", "--set", "budget=0.1"]
            #expect(predicate(update, source: silence).status == 0)
            let written = try String(contentsOfFile: store, encoding: .utf8)
            #expect(written.contains("type=\"decimal\">0.1</attribute>"))
        }
    }

    @Test(arguments: ["a\u{1}\u{301}b", "\u{600}\u{1}", "\\u3c00", "\u{1}\u{1}\\", "\\\\u\u{FFFF}"])
    func escapesStandBesideCombiningMarks(text: String) throws {
        try withStore {
            let words = ["store", "insert", store, "--entity", "List", "--set", "title=" + text]
            #expect(predicate(words, source: silence).status == 0)
            let found = predicate(
                ["filter", "title == %@", store, "--entity", "List", "--arg", "string:" + text, "-c"], source: silence)
            #expect(found == .success("1\n"))
        }
    }

    @Test func numbersBeyondTheLastKeyAreErrors() throws {
        try withStore {
            let text = try String(contentsOfFile: store, encoding: .utf8)
            let id = "<nextObjectID>\(Int64.max - 1)</nextObjectID>"
            let changed = text.replacing(/<nextObjectID>\d+<\/nextObjectID>/, with: id)
            try Data(changed.utf8).write(to: URL(fileURLWithPath: store))
            let words = ["store", "insert", store, "--entity", "List", "--set", "title=x"]
            #expect(predicate(words, source: silence).status == 2)
        }
    }

    @Test func unusedKeysAreReleased() throws {
        try withStore {
            let records = folder.path + "/items.jsonl"
            try Data("{\"name\":\"d\"}\n".utf8).write(to: URL(fileURLWithPath: records))
            #expect(predicate("store", "insert", store, records, "--entity", "ToDo").status == 0)
            #expect(try String(contentsOfFile: store, encoding: .utf8).contains("<nextObjectID>104</nextObjectID>"))
        }
    }

    @Test func aFailedConversionLeavesNoFile() throws {
        try withStore {
            let model = folder.path + "/Same.xcdatamodel"
            try FileManager.default.createDirectory(atPath: model, withIntermediateDirectories: true)
            let text = Self.model.replacing("name=\"title\"", with: "name=\"BUDGET\"")
            try Data(text.utf8).write(to: URL(fileURLWithPath: model + "/contents"))
            let new = folder.path + "/new.xml"
            let outcome = predicate(
                "store", "migrate", store, "--to", model, "--type", "xml", "-o", new, "--quiet", "--allow-loss")
            #expect(outcome.status == 2)
            #expect(!FileManager.default.fileExists(atPath: new))
        }
    }

    /// A SQLite store keeps the first owner of an object of a to-many relationship without an inverse.
    @Test("links that the new store cannot have are left behind only on request [NSP-456]")
    func aConversionThatLosesLinks() throws {
        try withStore {
            let (tags, shared) = (folder.path + "/Tags.xcdatamodel", folder.path + "/s.xml")
            let new = folder.path + "/n.sqlite"
            try FileManager.default.createDirectory(atPath: tags, withIntermediateDirectories: true)
            let text = """
                <model><entity name="Tag"/><entity name="Note"><relationship name="tags" optional="YES" toMany="YES"
                destinationEntity="Tag"/></entity></model>
                """
            try Data(text.utf8).write(to: URL(fileURLWithPath: tags + "/contents"))
            let note = { (id: Int) in
                """
                <object type="NOTE" id="z\(id)"><relationship name="tags" type="0/0" destination="TAG" idrefs="z9"/></object>
                """
            }
            let document = """
                <?xml version="1.0"?><database><databaseInfo><version>134481920</version><UUID>A</UUID>
                <nextObjectID>110</nextObjectID></databaseInfo>\(note(1))\(note(2))<object type="TAG" id="z9"/></database>
                """
            try Data(document.utf8).write(to: URL(fileURLWithPath: shared))
            let migrate = ["store", "migrate", shared, "--model", tags, "--to", tags, "--type", "sqlite", "-o", new]
            let refused = predicate(migrate, source: silence)
            #expect(refused.status == 3 && refused.error.contains("1 link of Note.tags"), "\(refused)")
            #expect(refused.error.contains("--type xml keeps them") && !refused.error.contains("--mapping"))
            #expect(!FileManager.default.fileExists(atPath: new))
            // A model in which tags have notes loses none.
            let both = folder.path + "/Both.xcdatamodel"
            try FileManager.default.createDirectory(atPath: both, withIntermediateDirectories: true)
            let inverse = text.replacing(
                "<entity name=\"Tag\"/>",
                with: """
                    <entity name="Tag"><relationship name="notes" optional="YES" toMany="YES" destinationEntity="Note"
                    inverseName="tags" inverseEntity="Note"/></entity>
                    """
            ).replacing(
                "destinationEntity=\"Tag\"",
                with: "destinationEntity=\"Tag\" inverseName=\"notes\" inverseEntity=\"Tag\"")
            try Data(inverse.utf8).write(to: URL(fileURLWithPath: both + "/contents"))
            let whole = [
                "store", "migrate", shared, "--model", tags, "--to", both, "--type", "sqlite", "-o", new + "2",
            ]
            #expect(predicate(whole, source: silence).status == 0)
            #expect(predicate(migrate + ["--allow-loss"], source: silence).status == 0)
        }
    }

    @Test func itIsConverted() throws {
        try withStore {
            let sqlite = folder.path + "/ToDo.sqlite"
            let back = folder.path + "/Back.store"
            #expect(
                predicate("store", "migrate", store, "--to", store, "--type", "sqlite", "-o", sqlite, "--quiet").status
                    == 0)
            #expect(predicate("store", "metadata", sqlite, "NSStoreType") == .success("\"SQLite\"\n"))
            #expect(
                predicate("store", "migrate", sqlite, "--to", sqlite, "--type", "xml", "-o", back, "--quiet").status
                    == 0)
            #expect(predicate("store", "metadata", back, "NSStoreType") == .success("\"XML\"\n"))
            #expect(
                predicate("store", "migrate", store, "--to", model, "-o", folder.path + "/same", "--quiet").status == 0)
            #expect(predicate("store", "metadata", folder.path + "/same", "NSStoreType") == .success("\"XML\"\n"))
            for path in [store, sqlite, back] {
                #expect(names("TRUEPREDICATE", path) == .success("{\"name\":\"a < b\"}\n{\"name\":\"c\"}\n"))
            }
            #expect(predicate("store", "create", folder.path + "/x", "--model", model, "--type", "binary").status != 0)
        }
    }

    @Test func aStoreOfAnotherProgramNeedsItsModel() throws {
        try withStore {
            let foreign = folder.path + "/Foreign.xml"
            let text = """
                <?xml version="1.0" standalone="yes"?>
                <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">
                <database><databaseInfo><UUID>U</UUID><nextObjectID>102</nextObjectID></databaseInfo>
                <object type="TODO" id="z102"><attribute name="name" type="string">x</attribute></object></database>
                """
            try Data(text.utf8).write(to: URL(fileURLWithPath: foreign))
            #expect(names("TRUEPREDICATE", foreign).error.contains("contains no model"))
            #expect(names("TRUEPREDICATE", foreign, "--model", model) == .success("{\"name\":\"x\"}\n"))
            #expect(predicate("store", "metadata", foreign).output.contains("XML"))
            let delete = ["store", "delete", "TRUEPREDICATE", foreign, "--entity", "ToDo"]
            #expect(predicate(delete, source: silence).error.contains("created by another program"))
            let copy = folder.path + "/Mine.xml"
            let words = delete + ["--allow-write", copy, "--model", model]
            #expect(predicate(words, source: silence) == .success("1\n"))
            #expect(names("TRUEPREDICATE", copy).output == "")
            let after = try String(contentsOfFile: foreign, encoding: .utf8)
            #expect(after == text)
            let table = predicate("filter", "TRUEPREDICATE", foreign, "--table", "ZTODO")
            #expect(table.error.contains("has no tables"))
        }
    }
}
