import Foundation
import Testing

/// `predicate store diff`, and what `predicate model` makes of a model.
@Suite struct DiffCommandTests {
    private static let model = """
        <model><entity name="Task"><attribute name="title" optional="YES" attributeType="String"/>\
        <attribute name="code" optional="YES" attributeType="String"/>\
        <attribute name="count" optional="YES" attributeType="Integer 16" minValueString="0" defaultValueString="1"/>\
        <relationship name="next" optional="YES" maxCount="1" destinationEntity="Task"/>\
        <uniquenessConstraints><uniquenessConstraint><constraint value="code"/></uniquenessConstraint>\
        </uniquenessConstraints></entity></model>
        """

    private static func withStores(_ body: (_ folder: String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("diff-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let model = folder.appendingPathComponent("M.xcdatamodel")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try Data(Self.model.utf8).write(to: model.appendingPathComponent("contents"))
        for name in ["a", "b"] {
            let store = folder.appendingPathComponent("\(name).sqlite").path
            #expect(predicate("store", "create", store, "--model", model.path).status == 0)
        }
        try body(folder.path)
    }

    private static func insert(_ path: String, _ values: String...) {
        let sets = values.flatMap { ["--set", $0] }
        #expect(predicate(["store", "insert", path, "--entity", "Task"] + sets, source: silence).status == 0)
    }

    @Test func differencesAreTextForPeople() throws {
        try Self.withStores { folder in
            let (old, new) = (folder + "/a.sqlite", folder + "/b.sqlite")
            Self.insert(old, "title=one", "code=x")
            Self.insert(old, "title=two", "code=y", "count=3")
            Self.insert(new, "title=zwei", "code=y", "count=3")
            Self.insert(new, "title=three", "code=z")
            let outcome = predicate("store", "diff", old, new)
            #expect(outcome.status == 1 && outcome.error.isEmpty)
            let lines = outcome.output.split(separator: "\n").map { line in
                line.replacingOccurrences(of: #"x-coredata://[^/]+/"#, with: "", options: .regularExpression)
            }
            let expected = [
                "- Task Task/p1", "    code: \"x\"", "    count: 1", "    title: \"one\"",
                "~ Task Task/p1 (was Task/p2)", "    title: \"two\" -> \"zwei\"",
                "+ Task Task/p2", "    code: \"z\"", "    count: 1", "    title: \"three\"",
                "Task: 1 added, 1 removed, 1 changed",
            ]
            #expect(lines.sorted() == expected.sorted())
            #expect(predicate("store", "diff", old, old) == .success(""))
            #expect(predicate("store", "diff", old, new, "--count").output == "Task: 1 added, 1 removed, 1 changed\n")
            let coloured = predicate("store", "diff", old, new, "--color", "always").output
            #expect(coloured.contains("\u{1B}[1;31m\"two\"\u{1B}[0m -> \u{1B}[32m\"zwei\"\u{1B}[0m"))
        }
    }

    @Test func differencesAreJSONForPrograms() throws {
        try Self.withStores { folder in
            let (old, new) = (folder + "/a.sqlite", folder + "/b.sqlite")
            Self.insert(old, "title=two", "code=y", "count=3")
            Self.insert(new, "title=zwei", "code=y", "count=3")
            let lines = predicate("store", "diff", old, new, "--format", "jsonl")
            #expect(lines.status == 1 && lines.output.hasPrefix("{\"change\":\"changed\",\"entity\":\"Task\",\"new\":"))
            #expect(lines.output.hasSuffix("\"properties\":{\"title\":{\"new\":\"zwei\",\"old\":\"two\"}}}\n"))
            let json = predicate("store", "diff", old, new, "--format", "json").output
            #expect(json == "[\n" + lines.output + "]\n")
            #expect(predicate("store", "diff", old, old, "--format", "json") == .success("[]\n"))
            #expect(predicate("store", "diff", old, new, "--ignore", "title").status == 0)
            #expect(
                predicate("store", "diff", old, new, "--by", "title", "--count").output == "Task: 1 added, 1 removed\n")
        }
    }

    /// The keys of an XML store are unique over all entities, so a store that was converted has other keys. [NSP-466]
    @Test func storesOfTwoTypesAreMatchedByTheValuesOfAKey() throws {
        try Self.withStores { folder in
            let (model, sqlite, xml) = (folder + "/N.xcdatamodel", folder + "/n.sqlite", folder + "/n.xml")
            let name = "<attribute name=\"name\" optional=\"YES\" attributeType=\"String\"/>"
            let entities = ["A", "B"].map { "<entity name=\"\($0)\">\(name)</entity>" }.joined()
            try FileManager.default.createDirectory(atPath: model, withIntermediateDirectories: true)
            try Data("<model>\(entities)</model>".utf8).write(to: URL(fileURLWithPath: model + "/contents"))
            _ = predicate("store", "create", sqlite, "--model", model)
            for (entity, name) in [("A", "x"), ("A", "y"), ("B", "x"), ("B", "z")] {
                _ = predicate("store", "insert", sqlite, "--entity", entity, "--set", "name=\(name)")
            }
            #expect(predicate("store", "migrate", sqlite, "--to", model, "--type", "xml", "-q", "-o", xml).status == 0)
            let outcome = predicate("store", "diff", sqlite, xml)
            #expect(outcome.status == 1)
            #expect(outcome.error.hasPrefix("note: the stores have the types sqlite and xml, with different keys, and"))
            #expect(outcome.error.contains("hint: --by KEY"))
            #expect(predicate("store", "diff", sqlite, xml, "--by", "name") == .success(""))
            #expect(predicate("store", "diff", xml, sqlite, "--by", "name") == .success(""))
        }
    }

    @Test func wrongCommandLinesAreErrors() throws {
        try Self.withStores { folder in
            let store = folder + "/a.sqlite"
            #expect(predicate("store", "diff", store).status == 2)
            #expect(predicate("store", "diff", store, folder + "/none.sqlite").status == 2)
            #expect(predicate("store", "diff", store, store, "--format", "xml").status == 2)
            let unknown = predicate("store", "diff", store, store, "--entity", "Tsk")
            #expect(unknown.status == 2 && unknown.error.contains("Task"))
            #expect(predicate("store", "diff", store, store, "--by", "titel").error.contains("title"))
            for arguments in [
                ["swift", "--access", "open"], ["sql"], ["diagram", "--depth", "2"],
            ] {
                #expect(predicate(["model"] + arguments + [store], source: silence).status == 2)
            }
            let wrong = predicate("model", "sql", store, "--dialect", "postgresql", "--core-data")
            #expect(wrong.status == 2 && wrong.error.contains("--core-data is for SQLite"))
        }
    }

    @Test func codeTablesAndDiagramsAreMadeOfAModel() throws {
        try Self.withStores { folder in
            let model = folder + "/M.xcdatamodel"
            let code = predicate("model", "swift", model).output
            #expect(code.contains("struct Task: KeyPathCoding, Codable, Hashable, Sendable {"))
            #expect(predicate("model", "swift", model, "--access", "public", "-o", folder + "/Out/") == .success(""))
            let file = try String(contentsOfFile: folder + "/Out/Task.swift", encoding: .utf8)
            #expect(file.contains("public var count: Int16? = 1"))
            #expect(predicate("model", "swift", folder + "/a.sqlite").output == code)

            #expect(
                predicate("model", "sql", model, "--dialect", "postgresql").output == """
                    CREATE TABLE "Task" (
                        "Z_PK" bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
                        "title" text,
                        "code" text,
                        "count" smallint DEFAULT 1,
                        "next" bigint,
                        CHECK ("count" >= 0),
                        UNIQUE ("code")
                    );
                    CREATE INDEX "Task.next" ON "Task" ("next");
                    ALTER TABLE "Task" ADD FOREIGN KEY ("next") REFERENCES "Task" ("Z_PK");

                    """)
            let own = predicate("model", "sql", model, "--dialect", "sqlite", "--core-data").output
            #expect(own.contains("CREATE TABLE \"ZTASK\" (\"Z_PK\" INTEGER PRIMARY KEY"))
            #expect(own.contains("(1, 'Task', 0, 0);\n"))
            let path = folder + "/model.mmd"
            #expect(predicate("model", "diagram", model, "-o", path) == .success(""))
            #expect(
                try String(contentsOfFile: path, encoding: .utf8).hasPrefix("classDiagram\n    class E1[\"Task\"] {\n"))
        }
    }

    /// A new mandatory attribute without a default needs a mapping model for objects only.
    @Test func aVerdictSaysIfItDependsOnObjects() throws {
        try Self.withStores { folder in
            let model = folder + "/N.xcdatamodel"
            try FileManager.default.createDirectory(atPath: model, withIntermediateDirectories: true)
            let text = Self.model.replacingOccurrences(
                of: "<relationship", with: "<attribute name=\"due\" attributeType=\"Date\"/><relationship")
            try Data(text.utf8).write(to: URL(fileURLWithPath: model + "/contents"))
            let models = predicate("model", "diff", folder + "/M.xcdatamodel", model)
            #expect(
                models.status == 1 && models.output.contains(": needs a mapping model if there are objects of Task\n"))
            let empty = predicate("model", "diff", folder + "/a.sqlite", model)
            #expect(empty.status == 0)
            #expect(
                empty.output.contains("needs a mapping model only for objects of Task, and the old store has none\n"))
            Self.insert(folder + "/a.sqlite", "title=one")
            let full = predicate("model", "diff", folder + "/a.sqlite", model)
            #expect(full.status == 1 && full.output.contains(": needs a mapping model\n"))
        }
    }
}
