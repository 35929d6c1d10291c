import Foundation
import PredicateCoreData
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax
import PredicateTestSupport
import Testing

/// The difference of two stores. [NSP-466]
@Suite struct StoreDifferenceTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    /// The differences as lines: `~ Book.1 title: "One" "Uno"`
    private func lines(
        _ old: CoreDataStore, _ new: CoreDataStore, _ options: StoreDifference.Options = StoreDifference.Options()
    ) throws -> [String] {
        let difference = try StoreDifference(from: old, to: new, options: options)
        let objects = try difference.objects()
        var lines: [String] = []
        while let object = try objects.next() {
            let keys = [object.old?.key, object.new?.key].compactMap(\.self).map { "\($0)" }
            let mark = ["added": "+", "removed": "-", "changed": "~"][object.kind.rawValue] ?? "?"
            let head = "\(mark) \(object.entity).\(Set(keys).sorted().joined(separator: "/"))"
            lines.append(([head] + object.properties.map(text)).joined(separator: " "))
        }
        return lines
    }

    private func text(_ property: PropertyDifference) -> String {
        func name(_ uri: ObjectURI?) -> String { uri.map { "\($0.entity).\($0.key)" } ?? "nil" }
        switch property {
        case .value(let key, let old, let new): return "\(key): \(text(old)) \(text(new))"
        case .toOne(let key, let old, let new): return "\(key): \(name(old)) \(name(new))"
        case .toMany(let key, let removed, let added):
            return "\(key): " + (removed.map { "-" + name($0) } + added.map { "+" + name($0) }).joined(separator: " ")
        case .order(let key, let old, let new):
            return "\(key): \(old.map(name).joined(separator: ",")) \(new.map(name).joined(separator: ","))"
        @unknown default: return "?"
        }
    }

    private func text(_ value: PredicateValue) -> String {
        switch value {
        case .data(let data): "<\(data.map { $0 < 16 ? "0\($0)" : "\($0)" }.joined())>"
        case .date(let date): "@\(date.timeIntervalSinceReferenceDate)"
        case .bool(let flag): flag ? "YES" : "NO"
        case .null: "nil"
        default: value.printed
        }
    }

    /// The library, and a copy of it that is changed.
    private func copies(_ change: (CoreDataStore) throws -> Void) throws -> (old: CoreDataStore, new: CoreDataStore) {
        _ = try Fixtures.libraryStore(folder["old.sqlite"])
        try FileManager.default.copyItem(atPath: folder["old.sqlite"], toPath: folder["new.sqlite"])
        try change(try CoreDataStore(changing: folder["new.sqlite"]))
        return (try CoreDataStore(folder["old.sqlite"]), try CoreDataStore(folder["new.sqlite"]))
    }

    // MARK: - Matching by identity

    @Test func aCopyIsEqual() throws {
        let (old, new) = try copies { _ in }
        #expect(try lines(old, new) == [])
        let difference = try StoreDifference(from: old, to: new)
        #expect(difference.uncomparedParts == [])
        #expect(difference.matchings.map(\.entity) == ["Book", "Film", "Shelf", "Tag"])
        #expect(difference.matchings.allSatisfy { $0.rule == .identity })
    }

    @Test func everyKindOfChangeIsFound() throws {
        let (old, new) = try copies { store in
            let book = SQLObjectID("Book", key: 1)
            try store.update(book, ["title": "Uno", "shelf": nil, "cover": nil])
            try store.update(
                SQLObjectID("Film", key: 3), ["seen": true, "added": Date(timeIntervalSinceReferenceDate: 1)])
            try store.update(SQLObjectID("Tag", key: 1), ["kin": [SQLObjectID]()])
            try store.insert("Tag", ["word": "black"])
            try store.delete("Shelf", where: FormatPredicate("name == 'none'"))
        }
        #expect(
            try lines(old, new)
                == [
                    "~ Book.1 title: \"One\" \"Uno\" cover: <00010200> nil shelf: Shelf.1 nil",
                    "~ Film.3 added: nil @1.0 seen: NO YES",
                    "~ Shelf.1 items: -Book.1", "~ Tag.1 kin: -Tag.2", "~ Tag.2 kin: -Tag.1",
                    "+ Tag.4 word: nil \"black\"",
                ])
    }

    /// A damaged store: a related object that no store can contain, and a pair without an end.
    @Test func danglingKeysAreCompared() throws {
        let (old, new) = try copies { _ in }
        let join = try #require(old.layout.joinTables.first { !($0.sourceColumn == $0.targetColumn) })
        let table = try #require(old.file.name(of: join))
        for store in [old.path, new.path] {
            let connection = try StoreConnection(store, SQLiteOptions(.readWrite))
            try connection.execute(
                "INSERT INTO \(name: table) (\(name: join.sourceColumn), \(name: join.targetColumn)) VALUES (NULL, 1)")
        }
        try StoreConnection(old.path, SQLiteOptions(.readWrite)).execute(
            """
            INSERT INTO \(name: table) (\(name: join.sourceColumn), \(name: join.targetColumn))
            VALUES (1, 9223372036854775807)
            """)
        let found = try lines(try CoreDataStore(old.path), try CoreDataStore(new.path))
        #expect(found.contains { $0.contains("9223372036854775807") })
        let report = try CoreDataStore(new.path).export(to: folder["plain.sqlite"])
        #expect(report.count > 0)
    }

    @Test func ordersAreSequences() throws {
        let (old, new) = try copies { store in
            let tags = [3, 1].map { SQLObjectID("Tag", key: .integer($0)) }
            try store.update(SQLObjectID("Book", key: 1), ["tags": Array(tags.reversed())])
            try store.update(SQLObjectID("Book", key: 2), ["tags": [tags[0]]])
        }
        #expect(
            try lines(old, new) == [
                "~ Book.1 tags: Tag.3,Tag.1 Tag.1,Tag.3", "~ Book.2 tags: -Tag.2 +Tag.3", "~ Tag.2 items: -Book.2",
                "~ Tag.3 items: +Book.2",
            ])
    }

    @Test func removedObjectsHaveTheirValues() throws {
        let (old, new) = try copies { store in
            try store.update(SQLObjectID("Book", key: 2), ["prequel": nil, "shelf": nil, "tags": [SQLObjectID]()])
            try store.update(SQLObjectID("Shelf", key: 1), ["lent": [SQLObjectID]()])
            try store.delete("Book", where: FormatPredicate("title == 'Two'"))
        }
        let found = try lines(old, new, StoreDifference.Options(entities: ["Item"]))
        #expect(
            found == [
                "~ Book.1 sequel: Book.2 nil",
                "- Book.2 title: \"Two\" nil pages: 7 nil shelf: Shelf.1 nil prequel: Book.1 nil",
            ])
    }

    @Test func keysAndEntitiesCanBeLeftOut() throws {
        let (old, new) = try copies { store in
            try store.update(SQLObjectID("Book", key: 1), ["title": "Uno", "note": "x"])
            try store.update(SQLObjectID("Tag", key: 1), ["word": "crimson"])
        }
        let all = try lines(old, new)
        #expect(all.count == 2)
        #expect(try lines(old, new, StoreDifference.Options(entities: ["Tag"])) == [all[1]])
        #expect(
            try lines(old, new, StoreDifference.Options(ignoring: ["Item.title", "word"])) == [
                "~ Book.1 note: \"book\" \"x\""
            ])
        let error = CoreDataError.thrown { () throws(CoreDataError) in
            try StoreDifference(from: old, to: new, options: StoreDifference.Options(entities: ["Bok"]))
        }
        #expect(error?.description.contains("Bok") ?? false)
        let unknown = CoreDataError.thrown { () throws(CoreDataError) in
            try StoreDifference(from: old, to: new, options: StoreDifference.Options(by: ["tittle"]))
        }
        #expect(unknown?.description.contains("tittle") ?? false)
    }

    // MARK: - Matching by keys

    private static let people = ManagedObjectModel([
        EntityDescription(
            "Person",
            attributes: [
                AttributeDescription("mail", .string), AttributeDescription("number", .integer64),
                AttributeDescription("name", .string),
            ],
            relationships: [
                .toOne("boss", "Person", inverse: "team"), .toMany("team", "Person", inverse: "boss"),
                .toMany("clubs", "Club", inverse: "members", isOrdered: true),
            ],
            uniquenessConstraints: [["mail", "number"]]),
        EntityDescription(
            "Club", attributes: [AttributeDescription("name", .string)],
            relationships: [.toMany("members", "Person", inverse: "clubs")], uniquenessConstraints: [["name"]]),
        EntityDescription("Note", attributes: [AttributeDescription("text", .string)]),
    ])

    /// Two stores of the same people in another order, so that no primary key means the same.
    private func people() throws -> (old: CoreDataStore, new: CoreDataStore) {
        let old = try CoreDataStore.create(folder["p.sqlite"], model: Self.people)
        let chess = try old.insert("Club", ["name": "chess"])
        let choir = try old.insert("Club", ["name": "choir"])
        let ann = try old.insert("Person", ["mail": "ann", "number": 1, "name": "Ann", "clubs": [chess, choir]])
        try old.insert("Person", ["mail": "bob", "number": 1, "name": "Bob", "boss": ann])
        try old.insert("Person", ["mail": "bob", "number": 2, "name": "Bobby", "boss": ann, "clubs": [choir]])
        let new = try CoreDataStore.create(folder["q.sqlite"], model: Self.people)
        try new.insert("Club", ["name": "golf"])
        let choir2 = try new.insert("Club", ["name": "choir"])
        let chess2 = try new.insert("Club", ["name": "chess"])
        let bobby = try new.insert("Person", ["mail": "bob", "number": 2, "name": "Bobby", "clubs": [choir2]])
        let bob = try new.insert("Person", ["mail": "bob", "number": 1, "name": "Bob"])
        let ann2 = try new.insert("Person", ["mail": "ann", "number": 1, "name": "Ann", "clubs": [chess2, choir2]])
        try new.update(bob, ["boss": ann2])
        try new.update(bobby, ["boss": ann2])
        return (old, new)
    }

    @Test func objectsAreMatchedByTheModelsConstraints() throws {
        let (old, new) = try people()
        #expect(try lines(old, new) == ["+ Club.1 name: nil \"golf\""])
        let temporary = SQLFragment(verbatim: "SELECT count(*) FROM sqlite_temp_schema")
        #expect(try new.objects.connection.rows(of: temporary).all() == [[.integer(0)]])
        let difference = try StoreDifference(from: old, to: new)
        #expect(
            Dictionary(uniqueKeysWithValues: difference.matchings.map { ($0.entity, $0.rule) }) == [
                "Person": .keys(["mail", "number"]), "Club": .keys(["name"]), "Note": .primaryKey,
            ])
        let golf = SQLObjectID("Club", key: 1)
        try new.update(SQLObjectID("Person", key: 2), ["boss": nil, "name": "Robert"])
        try new.update(SQLObjectID("Person", key: 3), ["clubs": [SQLObjectID("Club", key: 2), golf]])
        try new.insert("Person", ["mail": "eve", "boss": SQLObjectID("Person", key: 3)])
        #expect(
            try lines(old, new) == [
                // chess is key 1 in the old store and key 3 in the new one.
                "~ Club.1/3 members: -Person.1", "+ Club.1 name: nil \"golf\"",
                "~ Person.1/3 team: -Person.2 +Person.4 clubs: -Club.1 +Club.1",
                "~ Person.2 name: \"Bob\" \"Robert\" boss: Person.1 nil",
                "+ Person.4 mail: nil \"eve\" boss: nil Person.3",
            ])
    }

    @Test func objectsAreMatchedByChosenKeys() throws {
        let (old, new) = try people()
        let found = try lines(old, new, StoreDifference.Options(entities: ["Person"], by: ["name"]))
        #expect(found == [])
        // Without a club's key, clubs are matched by name as well, which is their constraint.
        try new.update(SQLObjectID("Person", key: 1), ["mail": "bobby"])
        #expect(
            try lines(old, new, StoreDifference.Options(entities: ["Person"], by: ["name"])) == [
                "~ Person.1/3 mail: \"bob\" \"bobby\""
            ])
    }

    @Test func equalKeysArePairedInOrder() throws {
        let (old, new) = (
            try CoreDataStore.create(folder["p.sqlite"], model: Self.people),
            try CoreDataStore.create(folder["q.sqlite"], model: Self.people)
        )
        for text in ["a", "b"] { try old.insert("Note", ["text": text]) }
        try old.insert("Note", [:])
        try new.insert("Note", [:])
        for text in ["b", "a", "a"] { try new.insert("Note", ["text": text]) }
        #expect(
            try lines(old, new, StoreDifference.Options(by: ["text"])) == ["+ Note.4 text: nil \"a\""])
        #expect(
            try lines(old, new) == [
                "~ Note.1 text: \"a\" nil", "~ Note.3 text: nil \"a\"", "+ Note.4 text: nil \"a\"",
            ])
    }

    // MARK: - Models that differ

    @Test func whatOnlyOneModelHasIsTold() throws {
        let (old, _) = try people()
        var model = Self.people
        model["Person"]?.attributes[2] = AttributeDescription("name", .integer16)
        model["Person"]?.attributes.append(AttributeDescription("age", .integer16))
        model["Note"] = nil
        model.entities.append(EntityDescription("Item", attributes: [AttributeDescription("title", .string)]))
        let new = try CoreDataStore.create(folder["n.sqlite"], model: model)
        try new.insert("Item", ["title": "chair"])
        try old.insert("Note", ["text": "gone"])
        let difference = try StoreDifference(from: old, to: new)
        #expect(
            difference.uncomparedParts.map(\.description).sorted() == [
                "Item is only in the new store", "Note is only in the old store",
                "Person.age is only in the new store",
                "Person.name is String in the old store and Integer 16 in the new one",
            ])
        let found = try lines(old, new)
        #expect(found.contains("- Note.1 text: \"gone\" nil") && found.contains("+ Item.1 title: nil \"chair\""))
        #expect(found.filter { $0.hasPrefix("- Person") }.count == 3)
    }

    // MARK: - External data

    @Test func externalDataIsComparedByContent() throws {
        let model = ManagedObjectModel([
            EntityDescription(
                "Photo",
                attributes: [AttributeDescription("image", .binaryData, allowsExternalBinaryDataStorage: true)])
        ])
        let uuids = ["AAAA", "BBBB", "CCCC"]
        do {
            // The file is copied after it is closed.
            let store = try CoreDataStore.create(folder["x.sqlite"], model: model)
            for _ in 0..<3 { try store.insert("Photo", ["image": Data([7, 7])]) }
        }
        try FileManager.default.copyItem(atPath: folder["x.sqlite"], toPath: folder["y.sqlite"])
        for (name, contents) in [("x", [[1], [2], [7, 7]]), ("y", [[1], [3], [7, 7]])] as [(String, [[UInt8]])] {
            let data = folder[".\(name)_SUPPORT/_EXTERNAL_DATA"]
            try FileManager.default.createDirectory(atPath: data, withIntermediateDirectories: true)
            let connection = try StoreConnection(folder["\(name).sqlite"], SQLiteOptions(.readWrite))
            for (index, bytes) in contents.enumerated() {
                // The third image is a file in one store, and in the row in the other.
                if index == 2, name == "y" { continue }
                let file = name == "x" || index == 0 ? uuids[index] : "DDDD"
                try Data(bytes).write(to: URL(fileURLWithPath: data + "/" + file))
                try connection.run(
                    SQLFragment(
                        verbatim: "UPDATE ZPHOTO SET ZIMAGE = ?1 WHERE Z_PK = ?2",
                        bindings: [.blob(Data([2] + Array(file.utf8) + [0])), .integer(Int64(index) + 1)]))
            }
        }
        #expect(
            try lines(CoreDataStore(folder["x.sqlite"]), CoreDataStore(folder["y.sqlite"])) == [
                "~ Photo.2 image: <02> <03>"
            ])
        try FileManager.default.removeItem(atPath: folder[".y_SUPPORT/_EXTERNAL_DATA/DDDD"])
        let error = CoreDataError.thrown { () throws -> [String] in
            try lines(CoreDataStore(folder["x.sqlite"]), CoreDataStore(folder["y.sqlite"]))
        }
        #expect(error?.code == .missingExternalData(key: "image", entity: "Photo", file: "DDDD"))
    }
}
