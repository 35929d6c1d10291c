import Foundation
import PredicateData
import PredicateSQL
import PredicateStore
import Testing

/// `predicate store create`, `insert`, `update`, `delete` and `metadata`: changes of Core Data stores.
@Suite struct ChangeCommandTests {
    private static let model = """
        <model userDefinedModelVersionIdentifier="1">
        <entity name="ToDo">
        <attribute name="name" attributeType="String"/>
        <attribute name="due" optional="YES" attributeType="Date"/>
        <attribute name="isDone" attributeType="Boolean" defaultValueString="NO"/>
        <attribute name="token" optional="YES" attributeType="Binary"/>
        <attribute name="place" optional="YES" attributeType="Composite" composite="Place"/>
        <relationship name="category" optional="YES" maxCount="1" deletionRule="Nullify"
            destinationEntity="Category" inverseName="items" inverseEntity="Category"/>
        </entity>
        <entity name="Errand" parentEntity="ToDo"/>
        <composite name="Place">
        <attribute name="street" optional="YES" attributeType="String"/>
        <attribute name="since" optional="YES" attributeType="Date"/>
        </composite>
        <entity name="Category">
        <attribute name="name" attributeType="String"/>
        <relationship name="items" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="ToDo"
            inverseName="category" inverseEntity="ToDo"/>
        </entity>
        </model>
        """

    /// Runs a test with a new store in a folder that is removed.
    private func withStore(_ body: (_ store: String, _ folder: String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("change-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let model = folder.appendingPathComponent("ToDo.xcdatamodel")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try Data(Self.model.utf8).write(to: model.appendingPathComponent("contents"))
        let store = folder.appendingPathComponent("ToDo.sqlite").path
        #expect(predicate("store", "create", store, "--model", model.path).status == 0)
        try body(store, folder.path)
    }

    /// Inserts an object and returns its URI.
    private func insert(_ store: String, _ entity: String, _ settings: String...) -> String {
        let words =
            ["store", "insert", store, "--entity", entity, "--result", "ids"] + settings.flatMap { ["--set", $0] }
        let outcome = predicate(words, source: silence)
        #expect(outcome.status == 0, "\(outcome.error)")
        return outcome.output.trimmingCharacters(in: .newlines)
    }

    private func rows(_ store: String, _ format: String, _ keys: String) -> String {
        predicate("filter", format, store, "--entity", "ToDo", "--keys", keys).output
    }

    @Test func relationshipsToManyObjectsArePrinted() throws {
        try withStore { store, folder in
            let home = insert(store, "Category", "name=Home")
            let items = ["a", "b"].map { insert(store, "ToDo", "name=\($0)", "category=\(home)") }
            func printed(_ keys: String, _ more: String...) -> String {
                let words = ["filter", "TRUEPREDICATE", store, "--entity", "Category", "--keys", keys] + more
                let outcome = predicate(words, source: silence)
                return outcome.status == 2 ? outcome.error : outcome.output
            }
            #expect(
                printed("name,items.@count,items.name,items")
                    == "{\"name\":\"Home\",\"items.@count\":2,\"items.name\":[\"a\",\"b\"],\"items\":[1,2]}\n")
            #expect(printed("items.category.name") == "{\"items.category.name\":[\"Home\",\"Home\"]}\n")
            #expect(printed("items.category.items.@count") == "{\"items.category.items.@count\":[2,2]}\n")
            #expect(printed("items.nme").contains("expected a key of ToDo, found 'nme'"))
            #expect(printed("name", "--sort", "items").contains("has no column"))
            // What is printed with its links is taken back.
            let whole = printed("name,items", "--object-ids")
            #expect(whole.contains(items[1]))
            let file = folder + "/categories.jsonl"
            try Data(whole.utf8).write(to: URL(fileURLWithPath: file))
            #expect(predicate("store", "insert", store, file, "--entity", "Category").output == "1\n")
            #expect(printed("items.@count") == "{\"items.@count\":0}\n{\"items.@count\":2}\n")
        }
    }

    @Test func urisAreObjectsWhereObjectsAreCompared() throws {
        try withStore { store, _ in
            let home = insert(store, "Category", "name=Home")
            let item = insert(store, "ToDo", "name=a", "category=\(home)")
            _ = insert(store, "ToDo", "name=b")
            func names(_ format: String, _ arguments: String..., entity: String = "ToDo") -> String {
                let words = ["filter", format, store, "--entity", entity, "--keys", "name"]
                let outcome = predicate(words + arguments.flatMap { ["--arg", $0] }, source: silence)
                return outcome.status == 2 ? outcome.error : outcome.output
            }
            let (one, other) = ("{\"name\":\"a\"}\n", "{\"name\":\"b\"}\n")
            #expect(names("category == %@", home) == one)
            #expect(names("category == '\(home)'") == one)
            #expect(names("category == %@", "url:\(home)") == one)
            #expect(names("category != %@", home) == other)
            #expect(names("SELF == %@", item) == one)
            #expect(names("self IN {%@, 'x-coredata://nothing'}", item).contains("expected the URI of an object"))
            #expect(names("category IN {%@}", home) == one)
            #expect(names("ANY items == %@", item, entity: "Category") == "{\"name\":\"Home\"}\n")
            #expect(names("%@ IN items", item, entity: "Category") == "{\"name\":\"Home\"}\n")
            #expect(names("items CONTAINS %@", item, entity: "Category") == "{\"name\":\"Home\"}\n")
            #expect(names("name == %@", item) == "")
            let foreign = "x-coredata://137DECC8-0000-4000-8000-0000000000FF/Category/p1"
            #expect(names("category == %@", foreign).contains("expected the URI of an object of this store"))
            let update = [
                "store", "update", "category == %@", store, "--entity", "ToDo", "--arg", home, "--set", "isDone=YES",
            ]
            #expect(predicate(update, source: silence).output == "1\n")
            let delete = ["store", "delete", "self == %@", store, "--entity", "ToDo", "--arg", item]
            #expect(predicate(delete, source: silence).output == "1\n")
        }
    }

    @Test func elementsOfCompositesAreKeys() throws {
        try withStore { store, folder in
            _ = insert(store, "ToDo", "name=a", "place.street=Elm", "place.since=2026-01-31")
            _ = insert(store, "ToDo", "name=b")
            #expect(
                rows(store, "place.since > '2026-01-01'", "name,place.street")
                    == "{\"name\":\"a\",\"place.street\":\"Elm\"}\n")
            let place = "{\"place\":{\"since\":\"2026-01-31T00:00:00Z\",\"street\":\"Elm\"}}\n"
            #expect(rows(store, "place != nil", "place") == place)
            // What is printed can be inserted, in both forms.
            let records =
                "{\"name\":\"c\",\"place.street\":\"Oak\"}\n{\"name\":\"d\",\"place\":{\"since\":\"2026-01-31\"}}\n"
            let file = folder + "/records.jsonl"
            try Data(records.utf8).write(to: URL(fileURLWithPath: file))
            #expect(predicate("store", "insert", store, file, "--entity", "ToDo").output == "2\n")
            #expect(
                rows(store, "place.street == 'Oak' OR name == 'd' AND place.since == '2026-01-31'", "name").count == 26)
            let update = ["store", "update", "name == 'a'", store, "--entity", "ToDo", "--set", "place=null"]
            #expect(predicate(update, source: silence).output == "1\n")
            #expect(rows(store, "place == nil", "name") == "{\"name\":\"a\"}\n{\"name\":\"b\"}\n")
            let wrong = predicate(
                "store", "insert", store, "--entity", "ToDo", "--set", "name=e", "--set", "place.stret=x")
            #expect(wrong.status == 2 && wrong.error.contains("did you mean place.street?"))
            let shown = predicate("model", "show", store, "--entity", "ToDo").output
            #expect(shown.contains("composite Place\n  street  String\n  since   Date\n"))
        }
    }

    @Test func valuesAreReadByTheTypesOfTheModel() throws {
        try withStore { store, _ in
            let home = insert(store, "Category", "name=Home")
            #expect(home.hasPrefix("x-coredata://") && home.hasSuffix("/Category/p1"))
            let item = insert(
                store, "ToDo", "name=18", "isDone=YES", "due=2026-01-31T12:00:00.250Z", "token=AAE=", "category=\(home)"
            )
            #expect(item.hasSuffix("/ToDo/p1"))
            #expect(
                rows(store, "category.name == 'Home'", "name,isDone,due,token")
                    == """
                    {"name":"18","isDone":true,"due":"2026-01-31T12:00:00.25Z","token":"AAE="}

                    """)
            #expect(
                predicate("store", "update", "name == '18'", store, "--entity", "ToDo", "--set", "due=null").output
                    == "1\n")
            #expect(rows(store, "due == nil", "name") == "{\"name\":\"18\"}\n")
            _ = insert(store, "Category", "name=string:null", "items=\(item)")
            #expect(rows(store, "category.name == 'null'", "name") == "{\"name\":\"18\"}\n")
        }
    }

    @Test func resultsAreStatusIDsAndCount() throws {
        try withStore { store, _ in
            let plain = insert(store, "ToDo", "name=Buy milk")
            let errand = insert(store, "Errand", "name=Post")
            let update = [
                "store", "update", "isDone == NO", store, "--entity", "ToDo", "--set", "isDone=NO", "--result",
            ]
            #expect(predicate(update + ["status"], source: silence) == .success("true\n"))
            #expect(predicate(update + ["count"], source: silence) == .success("2\n"))
            #expect(predicate(update + ["ids"], source: silence) == .success("\(plain)\n\(errand)\n"))
            #expect(predicate(update + ["all"], source: silence).status == 2)
            let none = predicate("store", "update", "isDone == YES", store, "--entity", "ToDo", "--set", "name=x")
            #expect(none == Outcome(status: 1, output: "0\n", error: ""))
            let delete = predicate("store", "delete", "name == 'Post'", store, "--entity", "ToDo", "--result", "ids")
            #expect(delete == .success("\(errand)\n"))
            #expect(rows(store, "TRUEPREDICATE", "name") == "{\"name\":\"Buy milk\"}\n")
        }
    }

    @Test func deleteRulesApply() throws {
        try withStore { store, _ in
            let home = insert(store, "Category", "name=Home")
            _ = insert(store, "ToDo", "name=a", "category=\(home)")
            _ = insert(store, "ToDo", "name=b")
            #expect(predicate("store", "delete", "TRUEPREDICATE", store, "--entity", "Category") == .success("1\n"))
            #expect(rows(store, "TRUEPREDICATE", "name") == "{\"name\":\"b\"}\n")
            // A primary key is never used again.
            #expect(insert(store, "ToDo", "name=c").hasSuffix("/p3"))
        }
    }

    /// [NSP-367]
    @Test func recordsOfAFileAreInserted() throws {
        try withStore { store, folder in
            let home = insert(store, "Category", "name=Home")
            func file(_ name: String, _ text: String) throws -> String {
                try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
                return "\(folder)/\(name)"
            }
            let csv = try file("a.csv", "name,due,isDone,token\n007,2026-01-31,YES,AAE=\n,2026-02-01,NO,\nlast,,,\n")
            let wrong = predicate("store", "insert", store, csv, "--entity", "ToDo")
            #expect(wrong.status == 2)
            #expect(wrong.error.contains("a.csv:3") && wrong.error.contains("ToDo.name"), "\(wrong.error)")
            #expect(rows(store, "TRUEPREDICATE", "name") == "")
            let named = predicate(
                "store", "insert", store, csv, "--entity", "ToDo", "--set", "name=none", "--result", "ids")
            #expect(named.output.split(separator: "\n").count == 3, "\(named.error)")
            #expect(
                rows(store, "isDone == YES", "name,due,token")
                    == "{\"name\":\"007\",\"due\":\"2026-01-31T00:00:00Z\",\"token\":\"AAE=\"}\n")
            #expect(rows(store, "name == 'none' AND isDone == NO", "name") == "{\"name\":\"none\"}\n")
            let json = try file(
                "b.jsonl",
                "{\"Z_PK\":9,\"name\":\"j\",\"due\":\"2026-01-31T12:00:00.5Z\",\"category\":\"\(home)\"}\n{\"name\":\"k\",\"due\":null}\n"
            )
            #expect(predicate("store", "insert", store, json, "--entity", "ToDo") == .success("2\n"))
            #expect(
                rows(store, "category.name == 'Home'", "name,due")
                    == "{\"name\":\"j\",\"due\":\"2026-01-31T12:00:00.5Z\"}\n")
            let cases = [
                ("{\"name\":\"x\"}\n{\"name\":\"y\",\"due\":\"soon\"}", ["c.jsonl:2", "hint: write 2026-01-31, or"]),
                ("{\"name\":\"x\"}\n{\"nmae\":\"y\"}", ["c.jsonl:2", "did you mean name?"]),
                ("[1]", ["expected an object"]),
                ("{\"name\":\"x\"}\n{\"name\":", ["c.jsonl:2"]),
            ]
            for (text, messages) in cases {
                let outcome = predicate("store", "insert", store, try file("c.jsonl", text), "--entity", "ToDo")
                #expect(outcome.status == 2)
                for message in messages { #expect(outcome.error.contains(message), "\(text): \(outcome.error)") }
            }
            #expect(
                predicate("store", "insert", store, "--entity", "ToDo", "--types", "a=integer").error.contains(
                    "STORE FILE"))
            #expect(predicate("filter", "TRUEPREDICATE", store, "--entity", "ToDo", "--count").output == "5\n")
        }
    }

    @Test func aPlainFileOfSQLiteIsChangedByOthers() throws {
        try withStore { _, folder in
            let path = folder + "/plain.sqlite"
            try StoreConnection(path, SQLiteOptions(.create)).execute("CREATE TABLE t (a)")
            for words in [
                ["store", "insert", path], ["store", "update", "a == 1", path], ["store", "delete", "a == 1", path],
            ] {
                let change = words[1] == "delete" ? [] : ["--set", "a=1"]
                let outcome = predicate(words + ["--entity", "t"] + change, source: silence)
                #expect(outcome.status == 2 && outcome.error.contains("predicate sql FORMAT"), "\(outcome.error)")
            }
        }
    }

    @Test func aGuardedChangeRunsOnce() throws {
        try withStore { store, _ in
            _ = insert(store, "ToDo", "name=a")
            let words = [
                "store", "update", "TRUEPREDICATE", store, "--entity", "ToDo", "--set", "isDone=YES", "--once", "moved",
            ]
            #expect(predicate(words, source: silence) == .success("1\n"))
            let again = predicate(words, source: silence)
            #expect((again.status, again.output) == (1, ""))
            #expect(again.error.contains("already contains 'moved'"))
            #expect(predicate("store", "metadata", store, "moved") == .success("true\n"))
            let failing = predicate(
                "store", "update", "TRUEPREDICATE", store, "--entity", "ToDo", "--set", "name=null", "--once", "cleared"
            )
            #expect(failing.status == 2)
            #expect(predicate("store", "metadata", store, "cleared") == Outcome(status: 1, output: "", error: ""))
        }
    }

    @Test func metadataOfTheAppArePrintedOnlyWhenAskedFor() throws {
        try withStore { store, _ in
            #expect(predicate("store", "metadata", store, "--set", "secret=17", "--set", "name=x") == .success(""))
            let known = predicate("store", "metadata", store).output
            #expect(known.contains("\"NSStoreModelVersionIdentifiers\":[\"1\"]") && !known.contains("secret"))
            #expect(predicate("store", "metadata", store, "--all").output.contains("\"name\":\"x\""))
            #expect(predicate("store", "metadata", store, "secret") == .success("17\n"))
            #expect(predicate("store", "metadata", store, "--set", "secret=null") == .success(""))
            #expect(predicate("store", "metadata", store, "secret").status == 1)
        }
    }

    @Test func wrongWordsAreErrorsAndChangeNothing() throws {
        try withStore { store, folder in
            let home = insert(store, "Category", "name=Home")
            let wrong: [([String], String)] = [
                (["store", "insert", store, "--entity", "ToDo"], "1570"),
                (["store", "insert", store, "--entity", "ToDo", "--set", "nmae=x"], "did you mean name?"),
                (["store", "insert", store, "--entity", "TooDo", "--set", "name=x"], "did you mean ToDo?"),
                (
                    ["store", "insert", store, "--entity", "ToDo", "--set", "name=x", "--set", "due=soon"],
                    "hint: write 2026-01-31, or"
                ),
                (["store", "insert", store, "--entity", "ToDo", "--set", "name=x", "--set", "name=y"], "one value"),
                (
                    ["store", "insert", store, "--entity", "ToDo", "--set", "name=x", "--set", "category=1"],
                    "expected the URI"
                ),
                (["store", "insert", store, "--entity", "ToDo", "--set", "name"], "KEY=VALUE"),
                (["store", "insert", store, "--set", "name=x"], "--entity NAME"),
                (["store", "update", "name ==", store, "--entity", "ToDo", "--set", "name=x"], "expected"),
                (["store", "update", "name == $n", store, "--entity", "ToDo", "--set", "name=x"], "--arg VALUE"),
                (
                    ["store", "update", "name == 'none'", store, "--entity", "ToDo", "--set", "nmae=x"],
                    "did you mean name?"
                ),
                (["store", "update", "TRUEPREDICATE", store, "--entity", "ToDo"], "--set KEY=VALUE"),
                (["store", "delete", store, "--entity", "ToDo"], "TRUEPREDICATE"),
                (
                    ["store", "update", "nmae == 1", store, "--entity", "Category", "--set", "name=x"],
                    "did you mean name?"
                ),
                (["store", "create", store, "--model", folder + "/ToDo.xcdatamodel"], "already exists"),
                (["store", "metadata", store, "--allow-write", folder + "/C.sqlite"], "--set"),
            ]
            for (words, message) in wrong {
                let outcome = predicate(words, source: silence)
                #expect(outcome.status == 2, "\(words)")
                #expect(outcome.error.contains(message), "\(words): \(outcome.error)")
            }
            #expect(predicate("filter", "TRUEPREDICATE", store, "--entity", "ToDo", "--count").output == "0\n")
            #expect(home.hasSuffix("p1"))
        }
    }

    @Test func aStoreOfAnotherProgramIsChangedAsACopy() throws {
        try withStore { store, folder in
            _ = insert(store, "ToDo", "name=a")
            let connection = try StoreConnection(store, SQLiteOptions(.readWrite))
            // The model stays where Core Data keeps it; what this library says of the store goes.
            let metadata = try #require(
                try PropertyListSerialization.propertyList(
                    from: try plist(connection), format: nil) as? [String: Any])
            var foreign = metadata
            foreign["SwiftPredicatesVersionHashes"] = nil
            let data = try PropertyListSerialization.data(fromPropertyList: foreign, format: .binary, options: 0)
            try connection.run(SQLFragment("UPDATE Z_METADATA SET Z_PLIST = ?1", bindings: [.blob(data)]))
            let delete = ["store", "delete", "TRUEPREDICATE", store, "--entity", "ToDo"]
            #expect(predicate(delete, source: silence).error.contains("--allow-write COPY"))
            let copy = folder + "/Copy.sqlite"
            #expect(predicate(delete + ["--allow-write", copy], source: silence) == .success("1\n"))
            #expect(rows(copy, "TRUEPREDICATE", "name") == "")
            #expect(rows(store, "TRUEPREDICATE", "name") == "{\"name\":\"a\"}\n")
            let failed = folder + "/Failed.sqlite"
            let wrong = ["store", "delete", "nmae == 1", store, "--entity", "ToDo", "--allow-write", failed]
            #expect(predicate(wrong, source: silence).status == 2)
            #expect(!FileManager.default.fileExists(atPath: failed))
            try connection.execute("CREATE TABLE ANSCKRECORDMETADATA (Z_PK INTEGER PRIMARY KEY)")
            let refused = predicate(delete + ["--allow-write", failed], source: silence)
            #expect(refused.error.contains("the table 'ANSCKRECORDMETADATA'"))
        }
    }

    private func plist(_ connection: StoreConnection) throws -> Data {
        let row = try connection.rows(of: SQLFragment("SELECT Z_PLIST FROM Z_METADATA")).next()
        guard case .blob(let data)? = row?.first else { return Data() }
        return data
    }
}
