import PredicateModel
import PredicateSyntax
import Testing

/// Predicates against a model, and models themselves.
@Suite struct ModelCheckTests {
    private static let model = ManagedObjectModel([
        EntityDescription(
            "Person",
            attributes: [
                .init("name", .string), .init("age", .integer16), .init("born", .date), .init("isMember", .boolean),
                .init("code", .uuid), .init("home", .uri), .init("blob", .transformable), .init("score", .double),
            ],
            relationships: [
                .toOne("boss", "Person", inverse: "staff"), .toMany("staff", "Person", inverse: "boss"),
                .toMany("books", "Book", inverse: "author"),
            ]),
        EntityDescription(
            "Book", attributes: [.init("title", .string), .init("pages", .integer32)],
            relationships: [.toOne("author", "Person", inverse: "books")]),
        EntityDescription("Novel", superentity: "Book", attributes: [.init("genre", .string)]),
    ])

    private func findings(_ format: String, _ entity: String = "Person") throws -> [String] {
        try FormatPredicate(format).check(against: Self.model, entity: entity).map(\.code.rawValue)
    }

    @Test(arguments: [
        "name == \"jo\" AND age > 18", "ANY books.title BEGINSWITH \"A\"", "books.@count > 3", "boss == nil",
        "boss.boss.name LIKE[c] \"j*\"", "SUBQUERY(books, $b, $b.pages > 5 AND $b.author == SELF).@count > 0",
        "born < CAST(5, \"NSDate\")", "isMember == 1", "isMember == YES", "isMember == false", "name.length > 5",
        "blob == nil", "blob == $x", "ANY staff.blob == $x", "blob.anything == 5", "age.unsignedLongLongValue > 3",
        "name.isAbsolutePath == YES",
        "home.isFileURL == YES",
        "home.relativePath == \"/\"", "age.unsignedCharValue > 3", "fault == NO", "ANY books.title != nil",
        "ALL books.pages > 3", "age / 2 >= 4", "age / 10 == 3", "name CONTAINS \"m\"", "score / age > 2",
        "ALL staff.age > 3", "books.@avg.pages > 2.5", "self IN boss.staff",
        "name IN {\"a\", \"b\"}",
        "age BETWEEN {1, 5}", "$x.anything == name", "ANY books.title CONTAINS \"x\" OR TRUEPREDICATE",
        "NONE books.pages > 5",
        "books CONTAINS $book", "age + 1 > score * 2", "TERNARY(age > 5, name, boss.name) == \"x\"", "objectID == $id",
        "boss.staff.@max.age > 5", "staff == $all", "name MATCHES \"a+\"", "name != nil",
        "FUNCTION(name, \"uppercaseString\") == \"A\"",
        "code == CAST(\"137DECC8-B300-4954-A233-F89909F4FD89\", \"NSUUID\")",
    ])
    func rightPredicatesHaveNoErrors(_ format: String) throws {
        let found = try FormatPredicate(format).check(against: Self.model, entity: "Person")
        #expect(found.filter { $0.level == .error }.isEmpty, "\(found.map(\.description))")
    }

    /// [NSP-359]
    @Test(arguments: [
        ("nmae == \"jo\"", "unknown-key"), ("boss.nmae == \"jo\"", "unknown-key"),
        ("SUBQUERY(books, $b, $b.titel == \"x\").@count > 0", "unknown-key"), ("books.@avg.page > 2", "unknown-key"),
        ("name.lenght > 5", "unknown-property"), ("blob CONTAINS \"x\"", "refused-by-store"),
        ("ANY blob == \"x\"", "refused-by-store"),
        ("FUNCTION(name, \"uppercaseString\") == \"A\"", "refused-by-store"),
        ("age.name == 5", "unknown-property"),
        ("age == \"18\"", "kind-mismatch"), ("name == 5", "kind-mismatch"), ("name > 5", "kind-mismatch"),
        ("born == \"2001-01-01\"", "kind-mismatch"), ("born > 5", "kind-mismatch"), ("code == \"x\"", "kind-mismatch"),
        ("boss == \"jo\"", "kind-mismatch"), ("ANY books == boss", "kind-mismatch"), ("isMember == 2", "kind-mismatch"),
        ("isMember == \"YES\"", "constant-in-quotes"), ("age BEGINSWITH \"1\"", "kind-mismatch"),
        ("name BEGINSWITH 5", "kind-mismatch"), ("name IN {1, 2}", "kind-mismatch"), ("age IN 5", "in-no-collection"),
        ("age BETWEEN {\"a\", \"b\"}", "kind-mismatch"), ("5 == name", "kind-mismatch"),
        ("age > 70000", "out-of-range"),
        ("books.title == \"x\"", "to-many-key"), ("books == nil", "to-many-key"), ("books.pages > 5", "to-many-key"),
        ("staff.name BEGINSWITH \"x\"", "to-many-key"), ("boss == staff", "to-many-key"),
        ("ANY books.title == nil", "nil-in-to-many"), ("ALL books.title != nil", "nil-in-to-many"),
        ("ANY books == nil", "nil-in-to-many"), ("NONE books.title == nil", "nil-in-to-many"),
        ("books.title CONTAINS[cd] \"m\"", "to-many-key"), ("staff.boss.name == \"x\"", "to-many-key"),
        ("staff[SIZE] == \"x\"", "kind-mismatch"),
        ("age.unsignedLongLongValu > 3", "unknown-property"),
        ("name.localizedUppercaseString == \"A\"", "unknown-property"),
        ("\"age\" > 3", "quoted-key"), ("age / 2 > score / age * 3", "whole-division"),
        ("age / books.@count * 2 > 5", "whole-division"), ("books.count > 3", "unknown-key"),
        ("ANY name == \"x\"", "to-one-key"), ("boss.@count > 2", "to-one-key"),
        ("name == \"nil\"", "constant-in-quotes"),
        ("name != 'NULL'", "constant-in-quotes"), ("home BEGINSWITH \"http\"", "kind-mismatch"),
    ])
    func wrongPredicatesAreFound(_ format: String, _ code: String) throws {
        #expect(try findings(format) == [code])
    }

    /// SQLite converts strings and numbers to the type of a column, but no strings to dates.
    @Test(arguments: [
        ("isMember == \"0\"", "warning"), ("age == \"18\"", "warning"), ("name == 5", "warning"),
        ("name IN {1, 2}", "warning"), ("born == \"2001-01-01\"", "error"), ("code == \"x\"", "error"),
        ("isMember == 2", "error"),
    ])
    func valuesThatAStoreConvertsGiveAWarning(_ format: String, _ level: String) throws {
        let found = try FormatPredicate(format).check(against: Self.model, entity: "Person")
        #expect(found.map(\.code) == [.kindMismatch] && found.map(\.level.rawValue) == [level])
    }

    @Test func anIndexIsNoKeyAfterADot() throws {
        #expect(try findings("author.books[0].pages == 1", "Book") == ["cannot-be-prepared"])
        #expect(try Set(findings("(author.books)[0].pagse == 1", "Book")) == ["unknown-key", "refused-by-store"])
    }

    /// [NSP-355]
    @Test func subentitiesGiveAWarning() throws {
        let found = try FormatPredicate("genre == \"x\"").check(against: Self.model, entity: "Book")
        #expect(found.map(\.code) == [.subentityKey] && found[0].level == .warning)
        #expect(try findings("genre == 5", "Book") == ["subentity-key", "kind-mismatch"])
        #expect(try findings("genre == \"x\" AND title == \"y\"", "Novel") == [])
        // A near miss may be the key of a subentity.
        let near = try FormatPredicate("gener == \"x\"").check(against: Self.model, entity: "Book")
        #expect(near.map(\.hint) == ["did you mean genre?"])
    }

    @Test func findingsHaveARangeAndAHint() throws {
        let found = try FormatPredicate("age > 5 AND boss.nmae == \"x\"").check(against: Self.model, entity: "Person")
        #expect(found[0].range == 12..<21)
        #expect(found[0].hint == "did you mean name?")
        #expect("\(found[0])".hasPrefix("unknown-key: Person has no key 'nmae'\n  age > 5 AND boss.nmae"))
    }

    @Test func anEntityThatIsNotThereIsAnError() throws {
        #expect(throws: ModelError(.unknownEntity("Persn", nearMisses: ["Person"]))) {
            try FormatPredicate("TRUEPREDICATE").check(against: Self.model, entity: "Persn")
        }
    }

    // MARK: Models

    /// The findings of a model that has all of these, as `code place`.
    private func check(_ entities: [EntityDescription], _ requests: [FetchRequestTemplate] = []) -> [String] {
        ManagedObjectModel(entities, fetchRequestTemplates: requests).check().map { "\($0.code.name) \($0.place)" }
    }

    @Test func theModelAboveIsRight() {
        #expect(Self.model.check() == [])
    }

    /// A store has no transient properties; rules of values are about objects in memory. [NSP-358]
    @Test func transientKeysGiveAWarning() throws {
        var next = RelationshipDescription.toOne("next", "A")
        next.isTransient = true
        let entity = EntityDescription(
            "A",
            attributes: [
                .init("x", .integer32), .init("sum", .integer32, isTransient: true),
                .init("loose", .undefined, isTransient: true),
            ], relationships: [next])
        let model = ManagedObjectModel([entity])
        for format in ["sum == 1", "loose == 1", "x == 1 AND next.x == 2", "next == nil"] {
            let found = try FormatPredicate(format).check(against: model, entity: "A")
            #expect(found.map(\.code) == [.transientKey] && found[0].level == .warning, "\(format): \(found)")
        }
        #expect(
            check([entity], [.init("one", entity: "A", predicate: "sum == $X")]) == [
                "missing-inverse entity A, relationship next", "transient-key fetch request one",
            ])
        #expect(try FormatExpression("sum + 1").check(against: model, entity: "A") == [])
    }

    /// [NSP-357]
    @Test func fetchedPropertiesKnowTheirSource() {
        var owner = EntityDescription("Node", attributes: [.init("number", .integer64), .init("label", .string)])
        owner.fetchedProperties = [
            FetchedPropertyDescription("good", entity: "Message", predicate: "from == $FETCH_SOURCE.number"),
            FetchedPropertyDescription("bad", entity: "Message", predicate: "from == $FETCH_SOURCE.num"),
            FetchedPropertyDescription("kinds", entity: "Message", predicate: "from == $FETCH_SOURCE.label"),
            FetchedPropertyDescription("info", entity: "Message", predicate: "text == $FETCHED_PROPERTY.userInfo.word"),
            FetchedPropertyDescription("lost", entity: "Mesage", predicate: nil),
        ]
        let message = EntityDescription("Message", attributes: [.init("from", .integer64), .init("text", .string)])
        #expect(
            check([owner, message]) == [
                "unknown-key entity Node, fetched property bad",
                "kind-mismatch entity Node, fetched property kinds",
                "unknown-key entity Node, fetched property info",
                "unknown-entity entity Node, fetched property lost",
            ])
    }

    /// [NSP-357]
    @Test func templatesAreChecked() {
        let entity = EntityDescription("A", attributes: [.init("x", .integer32)])
        #expect(
            check(
                [entity],
                [
                    .init("one", entity: "A", predicate: "y == $Y"), .init("two", entity: "A", predicate: "x =="),
                    .init("three", entity: "B"), .init("four", entity: nil),
                    .init("five", entity: "A", predicate: "x == $Y"),
                ]) == [
                    "unknown-key fetch request one", "not-a-predicate fetch request two",
                    "unknown-entity fetch request three", "missing-fetch-request fetch request four",
                ])
    }

    @Test func entitiesAndAttributes() {
        let found = check([
            EntityDescription("A"), EntityDescription("A"), EntityDescription("B", superentity: "C"),
            EntityDescription("D", superentity: "E"), EntityDescription("E", superentity: "D"),
            EntityDescription(
                "F",
                attributes: [
                    .init("x", .string), .init("x", .string), .init("u", .undefined),
                    .init("v", .undefined, isTransient: true),
                    .init("w", .unknown("Vector")), .init("n", .integer16, defaultValue: 70_000),
                    .init("s", .integer16, defaultValue: "a"), .init("b", .double, minimumValue: 5, maximumValue: 1),
                    .init("o", .double, defaultValue: 9.0, maximumValue: 1.0),
                    .init("l", .string, defaultValue: "abc", maximumLength: 2),
                    .init("c", .composite, compositeName: "Nothing"), .init("hash", .string),
                ]),
            EntityDescription("G", superentity: "F", attributes: [.init("n", .integer16)]),
        ])
        #expect(
            Set(found) == [
                "duplicate-entity entity A", "unknown-entity entity B", "inheritance-circle entity D",
                "inheritance-circle entity E", "duplicate-property entity F", "missing-type entity F, attribute u",
                "unknown-type entity F, attribute w", "invalid-default entity F, attribute n",
                "invalid-default entity F, attribute s", "contradictory-bounds entity F, attribute b",
                "invalid-default entity F, attribute o", "invalid-default entity F, attribute l",
                "unknown-composite entity F, attribute c", "reserved-name entity F, attribute hash",
                "redeclared-property entity G, attribute n",
            ])
    }

    @Test func relationships() {
        let found = check([
            EntityDescription(
                "A",
                relationships: [
                    .init("nowhere", destination: nil, isToMany: false), .toOne("lost", "X"), .toOne("alone", "B"),
                    .toOne("one", "B", inverse: "nothing"), .toOne("two", "B", inverse: "back"),
                    .init(
                        "counts", destination: "B", isToMany: true, inverse: "right", minimumCount: 5, maximumCount: 2),
                ]),
            EntityDescription(
                "B", relationships: [.toOne("back", "A", inverse: "one"), .toOne("right", "A", inverse: "counts")]),
        ])
        #expect(
            Set(found) == [
                "missing-destination entity A, relationship nowhere", "unknown-entity entity A, relationship lost",
                "missing-inverse entity A, relationship alone", "invalid-inverse entity A, relationship one",
                "invalid-inverse entity A, relationship two", "invalid-counts entity A, relationship counts",
                "invalid-inverse entity B, relationship back",
            ])
    }

    @Test func indexesAndDerivations() {
        let found = check([
            EntityDescription(
                "A",
                attributes: [
                    .init("name", .string), .init("temp", .string, isTransient: true),
                    .init("good", .integer64, derivation: "parts.@count"),
                    .init("kind", .string, derivation: "parts.@count"),
                    .init("many", .string, derivation: "parts.name"),
                    .init("text", .string, derivation: "canonical:(name)"),
                    .init("gone", .string, derivation: "nmae"),
                ],
                relationships: [.toMany("parts", "A", inverse: "whole"), .toOne("whole", "A", inverse: "parts")],
                uniquenessConstraints: [["nmae"], ["parts"], ["temp"], ["name"]],
                indexes: [
                    .init("i", [.init("nam")], partialIndexPredicate: "name == 5"), .init("i", [.init("name")]),
                    .init("j", [.init(.expression("name.lenght"))]),
                ])
        ])
        #expect(
            Set(found) == [
                "invalid-derivation entity A, attribute kind", "invalid-derivation entity A, attribute many",
                "unknown-key entity A, attribute gone", "unknown-indexed-key entity A, uniqueness constraint nmae",
                "unknown-indexed-key entity A, uniqueness constraint parts",
                "unknown-indexed-key entity A, uniqueness constraint temp", "unknown-indexed-key entity A, index i",
                "kind-mismatch entity A, index i", "duplicate-index entity A", "unknown-property entity A, index j",
            ])
    }
}
