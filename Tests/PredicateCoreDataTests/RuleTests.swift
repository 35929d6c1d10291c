import Foundation
import PredicateCoreData
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Migration rules: objects that are found, made and deleted, messages, and the errors of lines.
@Suite struct RuleTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    private static let first = ManagedObjectModel([
        EntityDescription(
            "Album",
            attributes: [
                AttributeDescription("title", .string), AttributeDescription("artist", .string),
                AttributeDescription("tags", .string), AttributeDescription("isOld", .boolean),
            ], relationships: [.toMany("songs", "Song", inverse: "album", isOrdered: true)]),
        EntityDescription(
            "Song", attributes: [AttributeDescription("name", .string)],
            relationships: [.toOne("album", "Album", inverse: "songs")]),
    ])

    private static let second = ManagedObjectModel(
        [
            EntityDescription(
                "Album",
                attributes: [AttributeDescription("title", .string), AttributeDescription("lead", .string)],
                relationships: [
                    .toOne("artist", "Artist", inverse: "albums"), .toMany("words", "Word", inverse: "albums"),
                    .toMany("songs", "Song", inverse: "album", deleteRule: .cascade, isOrdered: true),
                    .toOne("opener", "Song"),
                ]),
            EntityDescription(
                "Song", attributes: [AttributeDescription("name", .string)],
                relationships: [.toOne("album", "Album", inverse: "songs")]),
            EntityDescription(
                "Artist",
                attributes: [
                    AttributeDescription("name", .string, isOptional: false), AttributeDescription("sort", .string),
                ], relationships: [.toMany("albums", "Album", inverse: "artist")]),
            EntityDescription(
                "Word", attributes: [AttributeDescription("text", .string)],
                relationships: [.toMany("albums", "Album", inverse: "words")]),
            EntityDescription("Note", attributes: [AttributeDescription("text", .string)]),
        ], versionIdentifiers: ["2"])

    private func migrate(_ rules: String, mapping: MappingModel? = nil) throws -> CoreDataStore {
        if !folder.names.contains("one.sqlite") {
            let store = try CoreDataStore.create(folder["one.sqlite"], model: Self.first)
            let emma = try store.insert(
                "Album", ["title": "Emma", "artist": "Ann", "tags": "new, loud", "isOld": false])
            try store.insert("Album", ["title": "Pride", "artist": "Ann", "tags": "loud", "isOld": true])
            try store.insert("Album", ["title": "Tess", "artist": "Bob"])
            try store.insert("Album", ["title": "None"])
            for name in ["one", "two"] { try store.insert("Song", ["name": name, "album": emma]) }
        }
        let path = folder["\(folder.names.count).sqlite"]
        let rules = try MigrationRules(rules)
        if let mapping {
            return try StoreMigration(of: folder["one.sqlite"], to: Self.second, mapping: mapping, rules: rules)
                .run(into: path)
        }
        return try StoreMigration(of: folder["one.sqlite"], to: Self.second, rules: rules).run(into: path)
    }

    private func count(_ store: CoreDataStore, _ entity: String, _ format: String = "TRUEPREDICATE") throws -> Int {
        try store.objects.fetchCount(PredicateFetchRequest(entity, FormatPredicate(format: format, arguments: [])))
    }

    /// A plain value is archived as Core Data's default transformer does; only the app's own can make its data. [NSP-478]
    @Test(
        arguments: [
            "é\u{301}\r\n", .integer(1 << 53 + 1), .double(-0.0), .bool(false),
            .date(Date(timeIntervalSinceReferenceDate: 0.5)),
            ["a", [1, .null], ["k": 2.5]], .decimal(Decimal(string: "-12345678901234567890123456789012345678e-9") ?? 0),
            .uuid(UUID(uuidString: "137DECC8-0000-4000-8000-0000000000FF") ?? UUID()), [:],
        ] as [PredicateValue])
    func transformableValuesAreArchived(_ value: PredicateValue) throws {
        func model(_ version: String) -> ManagedObjectModel {
            let attributes = [
                AttributeDescription("plain", .transformable),
                AttributeDescription("secure", .transformable, valueTransformerName: "NSSecureUnarchiveFromData"),
                AttributeDescription("own", .transformable, valueTransformerName: "ColorTransformer"),
            ]
            return ManagedObjectModel([EntityDescription("T", attributes: attributes)], versionIdentifiers: [version])
        }
        let old = try CoreDataStore.create(folder["old.sqlite"], model: model("1"))
        try old.insert("T", ["plain": value, "own": Data([1, 2])])
        let rules = try MigrationRules("T, TRUEPREDICATE, secure = {\"a\", 1}")
        let new = try StoreMigration(of: folder["old.sqlite"], to: model("2"), rules: rules).run(
            into: folder["new.sqlite"])
        let object = try #require(try new.objects.fetchAll("T").first)
        func decoded(_ key: String) -> PredicateValue? {
            if case .data(let data)? = object[key] { ArchivedTree.value(of: Array(data)) } else { nil }
        }
        #expect(decoded("plain") == value && decoded("secure") == ["a", 1])
        #expect(object["own"] == .data(Data([1, 2])))
        let error = CoreDataError.thrown { try old.insert("T", ["own": value]) }
        let expected = "data made by ColorTransformer"
        guard case .invalidValue(key: "own", entity: "T", .type(expected: expected, _))? = error?.code else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("rules of a file with CR LF") func windowsLines() throws {
        let rules = try MigrationRules("# a comment\r\nAlbum, TRUEPREDICATE, DELETE\r\nNote, TRUEPREDICATE, DELETE\r\n")
        #expect(rules.rules.count == 2)
    }

    @Test("an object of another entity is found or made [NSP-473]") func found() throws {
        let store = try migrate(
            """
            # The artist was a string.
            Album, TRUEPREDICATE, artist = FIND Artist(name = $source.artist) OR MAKE(sort = lowercase($source.artist))
            """)
        #expect(try count(store, "Artist") == 2)
        #expect(try count(store, "Album", "artist.name == 'Ann' AND artist.sort == 'ann'") == 2)
        #expect(try count(store, "Album", "artist == nil AND title == 'None'") == 1)
        #expect(try count(store, "Artist", "albums.@count == 2") == 1)
        // Without OR MAKE nothing is made.
        let none = try migrate("Album, TRUEPREDICATE, artist = find Artist(name = $source.artist)")
        #expect(try count(none, "Artist") == 0 && count(none, "Album", "artist == nil") == 4)
        try store.insert("Artist", ["name": "Cid"])
        #expect(try count(store, "Artist") == 3)
    }

    @Test("a text is split into objects and values [NSP-473]") func split() throws {
        let store = try migrate(
            """
            Album, TRUEPREDICATE, artist = nil
            Album, TRUEPREDICATE, words = FIND Word(text = $tag) OR MAKE FOR $tag IN \
            FUNCTION($source.tags, "componentsSeparatedByString:", ", ")
            Album, $source.tags != nil, lead = FUNCTION($source.tags, "componentsSeparatedByString:", ", ")[FIRST]
            Album, title = "Emma", MAKE Note(text = $n) FOR $n IN {"a", "b"}
            """)
        #expect(try count(store, "Word") == 2)
        #expect(try count(store, "Album", "ANY words.text == 'loud'") == 2)
        #expect(try count(store, "Album", "words.@count == 0") == 2)
        #expect(try count(store, "Album", "lead == 'new'") == 1 && count(store, "Album", "lead == nil") == 2)
        #expect(try count(store, "Note", "text IN {'a', 'b'}") == 2)
    }

    @Test("objects are deleted, also by their source objects, and relationships are taken over [NSP-473]")
    func deleted() throws {
        let store = try migrate(
            """
            Album, TRUEPREDICATE, opener = $source.songs
            Album, TRUEPREDICATE, artist = nil
            Album, $source.isOld == YES, DELETE
            """)
        #expect(try count(store, "Album") == 3 && count(store, "Album", "title == 'Pride'") == 0)
        #expect(try count(store, "Album", "opener.name == 'one'") == 1)
        let none = try migrate("Album, TRUEPREDICATE, artist = nil\nAlbum, songs.@count > 0, DELETE")
        #expect(try count(none, "Song") == 0 && count(none, "Album") == 3)
    }

    @Test("a rule gives an attribute another type, and a new identity [NSP-473]") func types() throws {
        func entity(_ attributes: [AttributeDescription], _ more: [RelationshipDescription] = []) -> ManagedObjectModel
        {
            ManagedObjectModel([
                EntityDescription("T", attributes: attributes, relationships: more),
                EntityDescription("N", attributes: [AttributeDescription("text", .string)]),
            ])
        }
        let old = entity(
            [
                AttributeDescription("name", .string), AttributeDescription("due", .string),
                AttributeDescription("id", .integer32, isOptional: false), AttributeDescription("note", .string),
            ], [.toMany("ns", "N")])
        let store = try CoreDataStore.create(folder["t.sqlite"], model: old)
        let note = try store.insert("N", ["text": "n"])
        try store.insert("T", ["name": "a b", "due": "2001-01-02T00:00:00Z", "id": 7, "note": "x", "ns": [note]])
        try store.insert("T", ["name": "c", "due": nil, "id": 7])
        let new = entity(
            [
                AttributeDescription("first", .string), AttributeDescription("due", .date),
                AttributeDescription("id", .uuid, isOptional: false), AttributeDescription("ns", .string),
            ], [.toOne("note", "N")])
        let rules = """
            T, TRUEPREDICATE, due = CAST($source.due, "NSDate")
            T, TRUEPREDICATE, id = UUID()
            T, TRUEPREDICATE, first = FUNCTION($source.name, "componentsSeparatedByString:", " ")[FIRST]
            T, TRUEPREDICATE, note = FIND N(text = $source.note) OR MAKE
            T, TRUEPREDICATE, ns = $source.name
            """
        func migrate(_ rules: String, _ name: String) throws(CoreDataError) -> CoreDataStore {
            try StoreMigration(of: folder["t.sqlite"], to: new, rules: MigrationRules(rules)).run(into: folder[name])
        }
        let all = try migrate(rules, "all.sqlite").objects.fetchAll(
            PredicateFetchRequest("T", sortKeys: [SortKey("first")]))
        #expect(all.map { $0["first"] } == ["a", "c"])
        #expect(all.map { $0["due"] } == [.date(Date(timeIntervalSinceReferenceDate: 86_400)), .null])
        #expect(all.map { $0["ns"] } == ["a b", "c"])
        #expect(try all[0].related("note").map { $0["text"] } == ["x"])
        let ids = all.compactMap { if case .uuid(let id)? = $0["id"] { id } else { nil } }
        #expect(Set(ids).count == 2)
        // What no rule assigns is named, and what no rule selects is missing.
        let lines = rules.split(separator: "\n")
        let left = CoreDataError.thrown { try migrate(lines.dropFirst().joined(separator: "\n"), "left.sqlite") }
        #expect(left?.code == .notInferable(["T.due was of type String and is of type Date"]))
        let some = rules.replacing("T, TRUEPREDICATE, id", with: "T, #first == 'c', id")
        let missing = CoreDataError.thrown { try migrate(some, "some.sqlite") }
        #expect(missing?.code == .missingValue(key: "id", entity: "T", count: 2))
    }

    @Test("a policy of an entity gives an attribute another type [NSP-473]") func policyTypes() throws {
        func model(_ type: AttributeType) -> ManagedObjectModel {
            ManagedObjectModel([EntityDescription("T", attributes: [AttributeDescription("due", type)])])
        }
        let store = try CoreDataStore.create(folder["t.sqlite"], model: model(.string))
        for due in ["86400", nil] { try store.insert("T", ["due": due]) }
        var policies = MigrationPolicies([
            "P": { object, changes in
                guard case .string(let text)? = object.source?["due"], let seconds = Double(text) else { return }
                changes["due"] = Date(timeIntervalSinceReferenceDate: seconds)
            },
            "Q": { _, _ in },
        ])
        try policies.use("P", for: "T")
        let made = try StoreMigration(of: folder["t.sqlite"], to: model(.date), policies: policies).run(
            into: folder["p.sqlite"])
        let dates = try made.objects.fetchAll(PredicateFetchRequest("T")).map { $0["due"] }
        #expect(dates == [.date(Date(timeIntervalSinceReferenceDate: 86_400)), .null])
        try policies.use("Q", for: "T")
        let lost = try StoreMigration(of: folder["t.sqlite"], to: model(.date), policies: policies)
        #expect(throws: CoreDataError(.notInferable(["T.due was of type String and is of type Date"]))) {
            try lost.run(into: folder["q.sqlite"])
        }
    }

    @Test("a mandatory value of a made object must be given [NSP-473]") func mandatory() throws {
        let error = CoreDataError.thrown {
            try migrate("Album, TRUEPREDICATE, artist = MAKE Artist(sort = title)")
        }
        #expect(error?.code == .missingValue(key: "name", entity: "Artist", count: 4))
        #expect(folder.names == ["one.sqlite"])
    }

    @Test("messages to a policy are replaced [NSP-474]") func messages() throws {
        func mapping(_ expression: String) -> MappingModel {
            MappingModel([
                EntityMapping(
                    "AlbumToAlbum", source: "Album", destination: "Album",
                    attributeMappings: [
                        PropertyMapping("title", ModelExpression("$source.title")),
                        PropertyMapping("lead", ModelExpression(expression)),
                    ], migrationPolicyClassName: "App.AlbumPolicy")
            ])
        }
        let plain = mapping("FUNCTION($entityPolicy, 'migrateIconURL')")
        let error = CoreDataError.thrown { try migrate("", mapping: plain) }
        #expect(error?.code == .missingPolicy(className: "App.AlbumPolicy", mapping: "AlbumToAlbum"))
        let store = try migrate("MESSAGE migrateIconURL = \"https://example.org\"", mapping: plain)
        #expect(try count(store, "Album", "lead == 'https://example.org'") == 4)
        let named = mapping("FUNCTION($entityPolicy, 'iconFor:and:', $source.title, '!')")
        let other = try migrate(
            "message iconFor: $title and: $end = FUNCTION(uppercase($title), 'stringByAppendingString:', $end)",
            mapping: named)
        #expect(try count(other, "Album", "lead == 'EMMA!'") == 1)
        // The hint of a message that is still missing names it.
        let missing = CoreDataError.thrown { try migrate("MESSAGE other = 1", mapping: plain) }
        #expect(
            missing?.hints == ["'MESSAGE migrateIconURL = expression' in --rules FILE replaces a message to a policy"])
    }

    @Test(
        "errors show the place in the line [NSP-473]",
        arguments: [
            ("Album", "expected entity, predicate, action", 5..<5),
            ("Album, title == 1 2, DELETE", "expected AND, OR or the end", 18..<19),
            ("Album, TRUEPREDICATE, lead", "expected a predicate, a comma, and an action", 26..<26),
            ("Album, TRUEPREDICATE, artist = FIND Artist(name $source.artist)", "expected =", 48..<49),
            ("Album, TRUEPREDICATE, artist = FIND Artist()", "expected a key by which an object is found", 44..<44),
            ("Album, TRUEPREDICATE, lead = 1 +", "expected a value, a key path or a function", 32..<32),
            ("Album, TRUEPREDICATE, MAKE Note(text = 1) x", "expected the end", 42..<43),
            ("MESSAGE a: b = 1", "expected a variable, such as $name", 11..<12),
        ] as [(String, String, Range<Int>)])
    func places(_ line: String, _ title: String, _ range: Range<Int>) {
        let error = CoreDataError.thrown { try MigrationRules("\n" + line) }
        #expect(error?.title == "line 2 of the rules: \(title)")
        #expect(error?.text == line && error?.range == range)
        #expect(error?.description.contains("\n  \(line)\n") ?? false)
    }

    @Test(
        "names are checked against the new model [NSP-473]",
        arguments: [
            ("Albun, TRUEPREDICATE, DELETE", "the new model has no entity 'Albun', did you mean 'Album'?"),
            ("Album, TRUEPREDICATE, titel = 1", "Album has no key 'titel', did you mean 'title'?"),
            ("Album, TRUEPREDICATE, artist = FIND Word(text = 1)", "'artist' takes objects of Artist, not of Word"),
            ("Album, TRUEPREDICATE, artist = FIND Artist(albums = 1)", "Artist has no key 'albums'"),
            ("Album, TRUEPREDICATE, lead = MAKE Note(text = 1)", "Album has no key 'lead'"),
        ] as [(String, String)])
    func names(_ line: String, _ title: String) throws {
        let error = CoreDataError.thrown { try migrate(line) }
        #expect(error?.title == "line 1 of the rules: \(title)")
        #expect(error?.number == 134_170)
    }
}
