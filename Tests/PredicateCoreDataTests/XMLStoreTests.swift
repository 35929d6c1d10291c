import Foundation
import PredicateCoreData
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Stores of the XML type: read, asked and changed.
@Suite struct XMLStoreTests {
    private let folder: ScratchFolder
    private let path: String

    init() throws {
        folder = try ScratchFolder()
        path = folder["a.xml"]
    }

    @Test("a document in UTF-16 is read") func utf16() throws {
        for encoding in [String.Encoding.utf16, .utf16LittleEndian] {
            let mark: [UInt8] = encoding == .utf16 ? [] : [0xFF, 0xFE]
            let text = Self.document.replacing(
                "version=\"1.0\" standalone", with: "version=\"1.0\" encoding=\"UTF-16\" standalone")
            try (Data(mark) + (text.data(using: encoding) ?? Data())).write(to: URL(fileURLWithPath: path))
            #expect(try CoreDataStore(path, models: [Self.model]).objects.fetchCount(PredicateFetchRequest("ToDo")) > 0)
        }
    }

    @Test(
        "a date that is not a number, and an object of another entity, are errors",
        arguments: [
            ("274201500.83986997604370117188", "nan", "'nan' is not a value of ToDo.dueDate"),
            (
                "destination=\"LIST\" idrefs=\"z102\"", "destination=\"LIST\" idrefs=\"z103\"",
                "ToDo.list of z104 contains z103"
            ),
        ])
    func wrongValues(_ old: String, _ new: String, _ title: String) throws {
        try write(Self.document.replacing(old, with: new))
        let error = CoreDataError.thrown { try CoreDataStore(path, models: [Self.model]) }
        #expect(error?.title.contains(title) ?? false, "\(error?.title ?? "read")")
        #expect(error?.number == 134_080)
    }

    @Test("a link at one end is read at both, and told") func oneSidedLinks() throws {
        try write(Self.document)
        #expect(try CoreDataStore(path, models: [Self.model]).notes.isEmpty)
        try write(Self.document.replacing("destination=\"LIST\" idrefs=\"z102\"", with: "destination=\"LIST\""))
        let store = try CoreDataStore(path, models: [Self.model])
        #expect(store.notes == ["2 links of List.toDos are at one end only, and are read at both"])
        #expect(try store.objects.fetchCount(PredicateFetchRequest("ToDo", FormatPredicate("list != nil"))) > 0)
    }

    @Test("a link to an object that does not exist is kept, and told [NSP-453]") func linksToNothing() throws {
        try write(
            Self.document.replacing(
                "destination=\"LIST\" idrefs=\"z102\"", with: "destination=\"LIST\" idrefs=\"z777\""
            )
            .replacing("idrefs=\"z106 z104\"", with: ""))
        let store = try CoreDataStore(path, models: [Self.model])
        #expect(store.notes == ["2 links of ToDo.list lead to objects that do not exist"])
    }

    /// [NSP-453]
    @Test("objects share those of a to-many relationship without an inverse") func sharedTargets() throws {
        let model = ManagedObjectModel([
            EntityDescription(
                "P", attributes: [AttributeDescription("n", .integer16)],
                relationships: [.toMany("free", "Q", isOrdered: true)]),
            EntityDescription("Q", attributes: [AttributeDescription("w", .string)]),
        ])
        let store = try CoreDataStore.create(path, model: model)
        let words = try ["a", "b"].map { (word) throws(CoreDataError) in try store.insert("Q", ["w": word]) }
        try store.insert("P", ["n": 1, "free": [words[1], words[0]]])
        try store.insert("P", ["n": 2, "free": [words[0]]])
        func free(_ store: CoreDataStore, _ number: Int) throws -> [PredicateValue] {
            let owner = try store.objects.fetchOne("P", where: FormatPredicate("n == %d", number))
            return try owner?.related("free").map { $0["w"] ?? .null } ?? []
        }
        let again = try CoreDataStore(path)
        #expect(try free(again, 1) == ["b", "a"] && free(again, 2) == ["a"])
        #expect(try again.objects.fetchCount(PredicateFetchRequest("P", FormatPredicate("ANY free.w == 'a'"))) == 2)

        // An XML store keeps them, a SQLite store has one owner for each object.
        let copy = try StoreMigration(of: path, to: model).run(into: folder["b.xml"])
        #expect(try free(copy, 1) == ["b", "a"] && free(copy, 2) == ["a"])
        let migration = try StoreMigration(of: path, to: model)
        #expect(try migration.losses(into: .sqlite) == [.links(key: "free", entity: "P", count: 1)])
        let sqlite = try migration.run(into: folder["c.sqlite"], type: .sqlite)
        #expect(try free(sqlite, 1) == ["b", "a"] && free(sqlite, 2).isEmpty)

        // The order of an inferred migration is that of the old store.
        let widened = ManagedObjectModel(model.entities + [EntityDescription("R")])
        let next = try StoreMigration(of: folder["c.sqlite"], to: widened).run(into: folder["d.sqlite"])
        #expect(try free(next, 1) == ["b", "a"])

        let changed = try CoreDataStore(changing: path)
        try changed.delete("Q", where: FormatPredicate("w == 'a'"))
        #expect(try free(CoreDataStore(path), 1) == ["b"] && free(CoreDataStore(path), 2).isEmpty)
    }

    private func write(_ text: String) throws { try Data(text.utf8).write(to: URL(fileURLWithPath: path)) }

    private func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    static let model = ManagedObjectModel(
        [
            EntityDescription(
                "ToDo",
                attributes: [
                    AttributeDescription("name", .string, isOptional: false), AttributeDescription("dueDate", .date),
                    AttributeDescription("price", .decimal), AttributeDescription("rank", .integer16),
                    AttributeDescription("isDone", .boolean, isOptional: false, defaultValue: false),
                    AttributeDescription("photo", .binaryData, allowsExternalBinaryDataStorage: true),
                ],
                relationships: [.toOne("list", "List", inverse: "toDos"), .toMany("tags", "Tag", inverse: "toDos")]),
            EntityDescription(
                "List", attributes: [AttributeDescription("title", .string)],
                relationships: [.toMany("toDos", "ToDo", inverse: "list", deleteRule: .cascade, isOrdered: true)]),
            EntityDescription(
                "Tag", attributes: [AttributeDescription("word", .string)],
                relationships: [.toMany("toDos", "ToDo", inverse: "tags")]),
        ], versionIdentifiers: ["1"])

    /// A document as Core Data writes it.
    static let document = """
        <?xml version="1.0" standalone="yes"?>
        <!DOCTYPE database SYSTEM "file:///System/Library/DTDs/CoreData.dtd">

        <database>
            <databaseInfo>
                <version>134481920</version>
                <UUID>C6588137-5AC4-4FA0-ACA4-818FBA19D3AB</UUID>
                <nextObjectID>110</nextObjectID>
                <metadata>
                    <plist version="1.0">
                        <dict>
                            <key>NSPersistenceFrameworkVersion</key>
                            <integer>641</integer>
                            <key>appKey</key>
                            <string>a &amp; b</string>
                        </dict>
                    </plist>
                </metadata>
            </databaseInfo>
            <object type="TODO" id="z104">
                <attribute name="name" type="string">a \\u3c00 b &amp; c</attribute>
                <attribute name="duedate" type="date">274201500.83986997604370117188</attribute>
                <attribute name="price" type="decimal">12345678901234567890.123456789012345678</attribute>
                <attribute name="rank" type="int16">-7</attribute>
                <attribute name="isdone" type="bool">1</attribute>
                <attribute name="photo" type="binary">AAEC
        Aw==
        </attribute>
                <relationship name="list" type="1/1" destination="LIST" idrefs="z102"></relationship>
                <relationship name="tags" type="0/0" destination="TAG" idrefs="z103 z109"></relationship>
            </object>
            <object type="LIST" id="z102">
                <attribute name="title" type="string">Home</attribute>
                <relationship name="todos" type="0/0" destination="TODO" idrefs="z106 z104"></relationship>
            </object>
            <object type="TAG" id="z103">
                <attribute name="word" type="string">red</attribute>
                <relationship name="todos" type="0/0" destination="TODO" idrefs="z104"></relationship>
            </object>
            <object type="TAG" id="z109">
                <relationship name="todos" type="0/0" destination="TODO" idrefs="z104"></relationship>
            </object>
            <object type="TODO" id="z106">
                <attribute name="name" type="string">  two
        lines </attribute>
                <attribute name="price" type="decimal">0.50</attribute>
                <attribute name="isdone" type="bool">0</attribute>
                <relationship name="list" type="1/1" destination="LIST" idrefs="z102"></relationship>
                <relationship name="tags" type="0/0" destination="TAG"></relationship>
            </object>
        </database>
        """

    private func names(_ store: CoreDataStore, _ format: String) throws -> [PredicateValue] {
        try store.objects.fetchAll("ToDo", where: FormatPredicate(format)).map { $0["name"] ?? .null }
    }

    // MARK: - Reading

    /// [NSP-450] [NSP-451] [NSP-452]
    @Test func aDocumentIsReadByTheNamesOfTheModel() throws {
        try write(Self.document)
        let store = try CoreDataStore(path, models: [Self.model])
        #expect(store.type == .xml)
        #expect(store.uuid == "C6588137-5AC4-4FA0-ACA4-818FBA19D3AB")
        #expect(store.metadata.values["NSStoreType"] == "XML")
        #expect(store.metadata.values["appKey"] == "a & b")
        let one = try #require(try store.objects.fetchOne("ToDo", where: FormatPredicate("rank == -7")))
        #expect(one["name"] == "a < b & c")
        guard case .date(let due)? = one["dueDate"] else { throw CoreDataError(.readOnly) }
        #expect(abs(due.timeIntervalSinceReferenceDate - 274201500.839869976) < 1e-6)
        #expect(one["isDone"] == true)
        #expect(one["photo"] == .data(Data([0, 1, 2, 3])))
        #expect(try store.uri(of: one.id).description == "x-coredata://\(store.uuid)/ToDo/p104")
        #expect(try store.id(of: "x-coredata://\(store.uuid)/ToDo/p104") == SQLObjectID("ToDo", key: 104))
        #expect(try names(store, "ANY tags.word == 'red' AND list.title == 'Home'") == ["a < b & c"])
        #expect(try store.objects.fetchCount(PredicateFetchRequest("ToDo", FormatPredicate("price == 0.5"))) == 1)
        #expect(try store.objects.fetchCount(PredicateFetchRequest("List", FormatPredicate("toDos.@count == 2"))) == 1)
        let list = try #require(try store.objects.fetchAll("List").first)
        #expect(try list.related("toDos").map(\.id.key) == [106, 104])
        // Reading leaves no trace.
        #expect(try text() == Self.document)
        #expect(folder.names == ["a.xml"])
    }

    /// [NSP-450]
    @Test func aStoreThatIsOpenForReadingCannotBeChanged() throws {
        try write(Self.document)
        let store = try CoreDataStore(path, models: [Self.model])
        #expect(throws: CoreDataError(.readOnly)) { try store.insert("List", ["title": "x"]) }
        #expect(StoreError.thrown { try store.objects.insert("List", ["title": "x"]) } != nil)
        #expect(throws: CoreDataError(.noModel(path))) { try CoreDataStore(path) }
        #expect(throws: CoreDataError(.foreignStore(path))) {
            try CoreDataStore(changing: path)
        }
        #expect(try StoreMetadataText.uuid(path) == "C6588137-5AC4-4FA0-ACA4-818FBA19D3AB")
    }

    // MARK: - Choosing the model

    /// [NSP-455]
    @Test func theModelThatKnowsAllNamesIsChosen() throws {
        try write(Self.document)
        var older = Self.model
        older["ToDo"]?.attributes.removeAll { $0.name == "rank" }
        var newer = Self.model
        newer["ToDo"]?.relationships.append(.toOne("next", "ToDo"))
        #expect(try CoreDataStore(path, models: [newer, older, Self.model]).model == Self.model)
        #expect(
            throws: CoreDataError(.modelMismatch(path, differences: ["the attribute ToDo.rank is unknown"]))
        ) { try CoreDataStore(path, models: [older]) }
        var less = Self.model
        less["Tag"] = nil
        #expect(CoreDataError.thrown { try CoreDataStore(path, models: [less]) }?.number == 134_100)
    }

    /// [NSP-451]
    @Test func namesThatDifferOnlyInCaseAreRefused() throws {
        try write(Self.document)
        var model = Self.model
        model["ToDo"]?.attributes.append(AttributeDescription("NAME", .string))
        #expect(throws: CoreDataError(.unreadableModel(path, .sameNames("ToDo.name", "ToDo.NAME")))) {
            try CoreDataStore(path, models: [model])
        }
        #expect(throws: CoreDataError(.unreadableModel(folder["b.xml"], .sameNames("ToDo.name", "ToDo.NAME")))) {
            try CoreDataStore.create(folder["b.xml"], model: model)
        }
        #expect(folder.names == ["a.xml"])
    }

    /// [NSP-455]
    @Test func aViolatedConstraintForbidsChangesOnly() throws {
        var model = Self.model
        model["ToDo"]?.uniquenessConstraints = [["isDone"]]
        let text = Self.document.replacingOccurrences(of: ">1</attribute>", with: ">0</attribute>")
        try write(text)
        #expect(try CoreDataStore(path, models: [model]).objects.fetchCount(PredicateFetchRequest("ToDo")) == 2)
        #expect(throws: CoreDataError(.notUnique(keys: ["isDone"], entity: "ToDo"))) {
            try CoreDataStore.copy(path, to: folder["b.xml"], models: [model])
        }
    }

    // MARK: - Writing

    /// [NSP-452] [NSP-453]
    @Test func objectsAreWrittenAsTheyWereRead() throws {
        try write(Self.document)
        let copy = folder["b.xml"]
        let store = try CoreDataStore.copy(path, to: copy, models: [Self.model])
        let red = try #require(try store.objects.fetchOne("Tag", where: FormatPredicate("word == 'red'")))
        try store.update(red.id, ["word": "blue"])
        let text = try String(contentsOfFile: copy, encoding: .utf8)
        let body = try #require(text.range(of: "    <object")).lowerBound
        #expect(
            String(text[body...]) == """
                    <object type="LIST" id="z102">
                        <attribute name="title" type="string">Home</attribute>
                        <relationship name="todos" type="0/0" destination="TODO" idrefs="z106 z104"></relationship>
                    </object>
                    <object type="TAG" id="z103">
                        <attribute name="word" type="string">blue</attribute>
                        <relationship name="todos" type="0/0" destination="TODO" idrefs="z104"></relationship>
                    </object>
                    <object type="TAG" id="z109">
                        <relationship name="todos" type="0/0" destination="TODO" idrefs="z104"></relationship>
                    </object>
                    <object type="TODO" id="z104">
                        <attribute name="name" type="string">a &lt; b &amp; c</attribute>
                        <attribute name="duedate" type="date">274201500.83986997604370117188</attribute>
                        <attribute name="price" type="decimal">12345678901234567890.123456789012345678</attribute>
                        <attribute name="rank" type="int16">-7</attribute>
                        <attribute name="isdone" type="bool">1</attribute>
                        <attribute name="photo" type="binary">AAECAw==</attribute>
                        <relationship name="list" type="0/1" destination="LIST" idrefs="z102"></relationship>
                        <relationship name="tags" type="0/0" destination="TAG" idrefs="z103 z109"></relationship>
                    </object>
                    <object type="TODO" id="z106">
                        <attribute name="name" type="string">  two
                lines </attribute>
                        <attribute name="price" type="decimal">0.50</attribute>
                        <attribute name="isdone" type="bool">0</attribute>
                        <relationship name="list" type="0/1" destination="LIST" idrefs="z102"></relationship>
                        <relationship name="tags" type="0/0" destination="TAG"></relationship>
                    </object>
                </database>

                """)
        #expect(text.contains("<key>appKey</key>\n\t<string>a &amp; b</string>"))
        #expect(text.contains("<nextObjectID>110</nextObjectID>"))
        #expect(try CoreDataStore(copy).uuid == "C6588137-5AC4-4FA0-ACA4-818FBA19D3AB")
        #expect(folder.names == ["a.xml", "b.xml"])
    }

    /// [NSP-450] [NSP-451] [NSP-453]
    @Test func aNewStoreIsFilledAndChanged() throws {
        let uuid = try #require(UUID(uuidString: "137DECC8-0000-4000-8000-0000000000FF"))
        let store = try CoreDataStore.create(path, model: Self.model, uuid: uuid)
        let home = try store.insert("List", ["title": "Home"])
        let milk = try store.insert("ToDo", ["name": "Milk", "list": home, "rank": 3])
        let mail = try store.insert("ToDo", ["name": "Mail", "list": home])
        #expect([home.key, milk.key, mail.key] == [102, 103, 104])
        try store.update(home, ["toDos": [mail, milk]])
        #expect(
            try text().hasSuffix(
                """
                    </databaseInfo>
                    <object type="LIST" id="z102">
                        <attribute name="title" type="string">Home</attribute>
                        <relationship name="todos" type="0/0" destination="TODO" idrefs="z104 z103"></relationship>
                    </object>
                    <object type="TODO" id="z103">
                        <attribute name="name" type="string">Milk</attribute>
                        <attribute name="rank" type="int16">3</attribute>
                        <attribute name="isdone" type="bool">0</attribute>
                        <relationship name="list" type="0/1" destination="LIST" idrefs="z102"></relationship>
                        <relationship name="tags" type="0/0" destination="TAG"></relationship>
                    </object>
                    <object type="TODO" id="z104">
                        <attribute name="name" type="string">Mail</attribute>
                        <attribute name="isdone" type="bool">0</attribute>
                        <relationship name="list" type="0/1" destination="LIST" idrefs="z102"></relationship>
                        <relationship name="tags" type="0/0" destination="TAG"></relationship>
                    </object>
                </database>

                """))
        let again = try CoreDataStore(path)
        #expect(again.model == Self.model)
        #expect(try again.objects.fetchAll("List")[0].related("toDos").map(\.id.key) == [104, 103])
        #expect(try store.delete("List", where: FormatPredicate("TRUEPREDICATE"), returning: .count) == .count(1))
        #expect(try CoreDataStore(path).objects.fetchCount(PredicateFetchRequest("ToDo")) == 0)
        // The ID of a deleted object is not given again.
        #expect(try CoreDataStore(changing: path).insert("Tag", ["word": "x"]).key == 105)
        #expect(throws: CoreDataError(.fileExists(path))) { try CoreDataStore.create(path, model: Self.model) }
    }

    /// [NSP-454]
    @Test func aTransactionIsSavedOnceOrNotAtAll() throws {
        let store = try CoreDataStore.create(path, model: Self.model)
        let empty = try text()
        try store.transaction { () throws(CoreDataError) in
            try store.insert("Tag", ["word": "a"])
            try store.setMetadata("yes", for: "done")
            #expect(try! self.text() == empty)
        }
        #expect(try CoreDataStore(path).objects.fetchCount(PredicateFetchRequest("Tag")) == 1)
        #expect(try CoreDataStore(path).metadata.values["done"] == "yes")
        let before = try text()
        let missing = CoreDataError(.missingValue(key: "name", entity: "ToDo", count: 1))
        #expect(throws: missing) {
            try store.transaction { () throws(CoreDataError) in
                try store.insert("Tag", ["word": "b"])
                try store.insert("ToDo", [:])
            }
        }
        #expect(try text() == before)
        #expect(try store.objects.fetchCount(PredicateFetchRequest("Tag")) == 1)
        // A change of nothing does not write.
        let number = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? NSNumber
        try store.delete("Tag", where: FormatPredicate("word == 'none'"))
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? NSNumber == number)
        #expect(folder.names == ["a.xml"])
    }

    /// SQLite reads a store for an export with a connection of its own.
    @Test func anExportToSQLiteInATransactionIsAnError() throws {
        let store = try CoreDataStore.create(path, model: Self.model)
        try store.transaction { () throws(CoreDataError) in
            try store.insert("Tag", ["word": "a"])
            #expect(throws: CoreDataError.self) { try store.export(to: folder["plain.sqlite"]) }
            try! store.export(to: folder["plain.jsonl"], as: .jsonLines)
        }
        #expect(try store.export(to: folder["plain.sqlite"]).count == 1)
        #expect(folder.names == ["a.xml", "plain.jsonl", "plain.sqlite"])
    }

    /// [NSP-454]
    @Test func aFileThatAnotherProgramChangedIsNotReplaced() throws {
        let store = try CoreDataStore.create(path, model: Self.model)
        let other = try CoreDataStore(changing: path)
        try other.insert("Tag", ["word": "theirs"])
        let theirs = try text()
        let error = CoreDataError(.changedFile(path))
        #expect(throws: error) { try store.insert("Tag", ["word": "ours"]) }
        #expect(throws: error) { try store.insert("Tag", ["word": "ours"]) }
        #expect(try text() == theirs)
        #expect(try store.objects.fetchCount(PredicateFetchRequest("Tag")) == 0)
        try other.insert("Tag", ["word": "more"])
        #expect(folder.names == ["a.xml"])
    }

    /// [NSP-454]
    @Test func aFailureToWriteChangesNothing() throws {
        let home = folder["home"]
        try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
        let path = home + "/a.xml"
        let store = try CoreDataStore.create(path, model: Self.model)
        try FileManager.default.moveItem(atPath: home, toPath: folder["moved"])
        let error = CoreDataError.thrown { try store.insert("Tag", ["word": "a"]) }
        guard case .file(path, _)? = error?.code else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try store.objects.fetchCount(PredicateFetchRequest("Tag")) == 0)
        try FileManager.default.moveItem(atPath: folder["moved"], toPath: home)
        try store.insert("Tag", ["word": "a"])
        #expect(try CoreDataStore(path).objects.fetchCount(PredicateFetchRequest("Tag")) == 1)
    }

    /// [NSP-454]
    @Test func aKilledProcessLeavesAWholeFile() throws {
        let store = try CoreDataStore.create(path, model: Self.model)
        try store.insert("Tag", rows: (0..<500).map { _ in ["word": "0"] })
        for count in [1, 3, 7] {
            let child = Process()
            child.executableURL = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
                .appendingPathComponent("StoreChanger")
            child.arguments = ["xml", path, "words"]
            let output = Pipe()
            child.standardOutput = output
            try child.run()
            var read = Data()
            while read.count(where: { $0 == UInt8(ascii: "\n") }) < count {
                let more = output.fileHandleForReading.availableData
                if more.isEmpty { break }
                read += more
            }
            kill(child.processIdentifier, SIGKILL)
            child.waitUntilExit()
            let words = Set(try CoreDataStore(path).objects.fetchAll("Tag").map { $0["word"] ?? .null })
            #expect(words.count == 1)
            guard case .string(let word)? = words.first, let round = Int(word) else {
                Issue.record("\(words)")
                continue
            }
            #expect(round >= count)
        }
        try CoreDataStore(changing: path).insert("Tag", ["word": "x"])
        #expect(folder.names == ["a.xml"])
    }

    /// [NSP-457]
    @Test func aBinaryStoreIsNamed() throws {
        let list = try PropertyListSerialization.data(fromPropertyList: ["a": 1], format: .binary, options: 0)
        try list.write(to: URL(fileURLWithPath: path))
        #expect(throws: CoreDataError(.binaryStore(path))) { try CoreDataStore(path) }
        #expect(throws: CoreDataError(.binaryStore(folder["b"]))) {
            try CoreDataStore.create(folder["b"], model: Self.model, type: .binary)
        }
        #expect(StoreType(file: path) == .binary)
        #expect(StoreType(file: folder["none"]) == nil)
        #expect(StoreType(newFile: "A.XML") == .xml && StoreType(newFile: "a.sqlite") == .sqlite)
    }
}

/// The UUID in a document, by a search for its element.
enum StoreMetadataText {
    static func uuid(_ path: String) throws -> String? {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        return text.split(separator: "<UUID>").dropFirst().first?.split(separator: "</UUID>").first.map(String.init)
    }
}
