import Foundation
import PredicateCoreData
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax
import PredicateTestSupport
import Testing

/// What Core Data refuses at a save is refused here, with the numbers of its headers.
@Suite struct ValidationTests {
    /// Teams have two or three players and a mandatory captain; a player is in one team, and may keep at most one pet.
    private static let model = ManagedObjectModel([
        EntityDescription(
            "Team", attributes: [AttributeDescription("name", .string)],
            relationships: [
                RelationshipDescription(
                    "players", destination: "Player", isToMany: true, inverse: "team", inverseEntity: "Player",
                    minimumCount: 2, maximumCount: 3, deleteRule: .nullify, isOptional: false),
                .toOne("captain", "Player", inverse: "leads", isOptional: false),
            ], uniquenessConstraints: [["name"]]),
        EntityDescription(
            "Player",
            attributes: [
                AttributeDescription("name", .string, regularExpression: "[A-Z][a-z]*"),
                AttributeDescription("age", .integer16, minimumValue: 18, maximumValue: 40),
            ],
            relationships: [
                .toOne("team", "Team", inverse: "players"), .toOne("leads", "Team", inverse: "captain"),
                RelationshipDescription(
                    "fans", destination: "Player", isToMany: true, inverse: "idols", inverseEntity: "Player",
                    maximumCount: 1, deleteRule: .nullify),
                .toMany("idols", "Player", inverse: "fans"),
            ]),
    ])

    private let folder: ScratchFolder
    private let store: CoreDataStore

    init() throws {
        folder = try ScratchFolder()
        store = try CoreDataStore.create(folder["a.sqlite"], model: Self.model)
    }

    private func players(_ names: String...) throws -> [SQLObjectID] {
        try names.map { try store.insert("Player", ["name": $0]) }
    }

    private func number(_ change: () throws -> Void) -> Int? {
        do {
            try change()
            return 0
        } catch {
            return (error as? CoreDataError)?.number
        }
    }

    @Test func valuesHaveTheirNumbers() throws {
        #expect(number { try store.insert("Player", ["name": "ann"]) } == 1680)
        #expect(number { try store.insert("Player", ["name": "Ann1"]) } == 1680)
        #expect(number { try store.insert("Player", ["age": 17]) } == 1620)
        #expect(number { try store.insert("Player", ["age": 41]) } == 1610)
        #expect(number { try store.insert("Player", ["name": "Ann", "age": 40]) } == 0)
        #expect(number { try store.update("Player", ["name": "bob"], where: FormatPredicate("age == 40")) } == 1680)
        #expect(try store.objects.fetchCount(PredicateFetchRequest("Player")) == 1)
    }

    @Test func aRelationshipLeadsToAnObjectThatIsThere() throws {
        let gone = SQLObjectID("Player", key: .integer(99))
        let error = CoreDataError.thrown {
            try store.insert("Team", ["captain": gone, "players": try players("A", "B")])
        }
        #expect(error?.number == 133_000 && error?.title.contains("Player 99") ?? false)
        let team = SQLObjectID("Team", key: .integer(1))
        #expect(number { try store.insert("Player", ["team": team]) } == 133_000)
    }

    @Test func countsHaveBounds() throws {
        let all = try players("A", "B", "C", "D")
        #expect(number { try store.insert("Team", ["captain": all[0]]) } == 1580)
        #expect(number { try store.insert("Team", ["captain": all[0], "players": [all[0]]]) } == 1580)
        #expect(number { try store.insert("Team", ["captain": all[0], "players": all]) } == 1590)
        let team = try store.insert("Team", ["captain": all[0], "players": [all[0], all[1]]])
        // The other end counts as well.
        #expect(number { try store.update(all[0], ["team": PredicateValue.null]) } == 1580)
        #expect(number { try store.update(all[2], ["team": team]) } == 0)
        #expect(number { try store.update(all[3], ["team": team]) } == 1590)
        // Players that another team takes are missing here.
        #expect(number { try store.insert("Team", ["captain": all[3], "players": [all[0], all[1]]]) } == 1580)
        #expect(number { try store.delete("Player", where: FormatPredicate("name IN {'B', 'C'}")) } == 1580)
        #expect(number { try store.delete("Player", where: FormatPredicate("name == 'B'")) } == 0)
        // Tables of pairs: at most one fan.
        #expect(number { try store.update(all[0], ["fans": [all[2], all[3]]]) } == 1590)
        #expect(number { try store.update(all[2], ["idols": [all[0]]]) } == 0)
        #expect(number { try store.update(all[3], ["idols": [all[0]]]) } == 1590)
    }

    @Test func aDeleteLeavesNoMandatoryRelationshipWithoutAnObject() throws {
        let all = try players("A", "B", "C")
        let team = try store.insert("Team", ["captain": all[2], "players": [all[0], all[1]]])
        let error = CoreDataError.thrown {
            try store.delete("Player", where: FormatPredicate("name == 'C'"))
        }
        #expect(error == CoreDataError(.missingValue(key: "captain", entity: "Team", count: 1)))
        #expect(try store.objects.fetchCount(PredicateFetchRequest("Player")) == 3)
        // A new captain of one team is one less of another.
        let more = try players("D", "E")
        #expect(number { try store.insert("Team", ["captain": all[2], "players": more]) } == 1570)
        #expect(number { try store.update(team, ["captain": PredicateValue.null]) } == 1570)
    }

    @Test func aTransactionIsValidatedAtItsEnd() throws {
        try store.transaction { () throws(CoreDataError) in
            let captain = try store.insert("Player", ["name": "A"])
            let team = try store.insert("Team", ["captain": captain])
            try store.update(captain, ["team": team])
            try store.insert("Player", ["name": "B", "team": team])
        }
        #expect(
            try store.objects.fetchCount(PredicateFetchRequest("Player", FormatPredicate("team.captain.name == 'A'")))
                == 2)
        #expect(
            number {
                try store.transaction { () throws(CoreDataError) in
                    let captain = try store.insert("Player", ["name": "C"])
                    try store.insert("Team", ["captain": captain])
                }
            } == 1580)
        #expect(try store.objects.fetchCount(PredicateFetchRequest("Team")) == 1)
        // Nothing of the failed transaction is left to validate.
        #expect(number { try store.insert("Player", ["name": "D"]) } == 0)
    }

    @Test func uniquenessNamesEntityAndKey() throws {
        let all = try players("A", "B", "C", "D")
        try store.insert("Team", ["name": "x", "captain": all[0], "players": [all[0], all[1]]])
        let error = CoreDataError.thrown {
            try store.insert("Team", ["name": "x", "captain": all[2], "players": [all[2], all[3]]])
        }
        #expect(error == CoreDataError(.constraintConflict(keys: ["name"], entity: "Team")))
        #expect(error?.number == 133_021)
    }

    @Test func aDenialHasItsNumber() throws {
        let store = try Fixtures.libraryStore(folder["c.sqlite"])
        let denied = CoreDataError.thrown { try store.delete("Tag", where: FormatPredicate("items.@count > 0")) }
        #expect(denied?.number == 1600 && denied?.description.contains("(1600)\n") ?? false)
    }

    @Test func aBoundOfDatesIsADate() throws {
        let day = PredicateValue.date(Date(timeIntervalSinceReferenceDate: 86_400))
        let model = ManagedObjectModel([
            EntityDescription("T", attributes: [AttributeDescription("due", .date, minimumValue: day)])
        ])
        let store = try CoreDataStore.create(folder["d.sqlite"], model: model)
        let error = CoreDataError.thrown { try store.insert("T", ["due": Date(timeIntervalSinceReferenceDate: 0)]) }
        #expect(error?.title == "invalid value for T.due: the minimum is 2001-01-02T00:00:00Z" && error?.number == 1640)
    }

    // MARK: - Derived attributes

    private static func library(_ derived: [AttributeDescription]) -> ManagedObjectModel {
        ManagedObjectModel([
            EntityDescription(
                "Author", attributes: [AttributeDescription("name", .string)] + derived,
                relationships: [.toMany("books", "Book", inverse: "author")]),
            EntityDescription(
                "Book", attributes: [AttributeDescription("pages", .integer64)],
                relationships: [.toOne("author", "Author", inverse: "books")]),
        ])
    }

    /// A migration works them out, and changes keep them up to date.
    @Test func derivedAttributesAreWorkedOutByAMigration() throws {
        let path = folder["plain.sqlite"]
        let plain = try CoreDataStore.create(path, model: Self.library([]))
        let author = try plain.insert("Author", ["name": "Ann"])
        try plain.insert("Author", ["name": "Bob"])
        for pages in [10, 20] { try plain.insert("Book", ["pages": pages, "author": author]) }
        let model = Self.library([
            AttributeDescription("count", .integer64, derivation: "books.@count"),
            AttributeDescription("total", .integer64, derivation: "books.@sum.pages"),
            AttributeDescription("key", .string, derivation: "uppercase:(name)"),
        ])
        let store = try StoreMigration(of: path, to: model).run(into: folder["derived.sqlite"])
        let authors = try store.objects.fetchAll(PredicateFetchRequest("Author", sortKeys: [SortKey("name")]))
        #expect(authors.map { $0["count"] } == [.integer(2), .integer(0)])
        #expect(authors.map { $0["total"] } == [.integer(30), .integer(0)])
        #expect(authors.map { $0["key"] } == ["ANN", "BOB"])
        let cy = try store.insert("Author", ["name": "Cy"])
        #expect(try store.objects.fetchOne("Author", where: FormatPredicate("name == 'Cy'"))?["key"] == "CY")
        try store.delete("Author", where: FormatPredicate("SELF == %@", cy))
        try store.setMetadata("x", for: "mine")
        let again = try StoreMigration(of: store.path, to: model).run(into: folder["again.sqlite"])
        let derived = try FormatPredicate("total == 30 AND key == 'ANN'")
        #expect(try again.objects.fetchCount(PredicateFetchRequest("Author", derived)) == 1)
    }

    // MARK: - Version hashes

    @Test func hashesAreWrittenWhereTheyAreKnown() throws {
        var model = Self.library([])
        #expect(try CoreDataStore.create(folder["b.sqlite"], model: model).metadata.versionHashes.isEmpty)
        model.versionHashes = ["Author": Data(repeating: 1, count: 32), "Book": Data(repeating: 2, count: 32)]
        let store = try CoreDataStore.create(folder["c.sqlite"], model: model)
        #expect(store.metadata.versionHashes == model.versionHashes)
        #expect(store.metadata.values["NSStoreModelVersionHashesVersion"] == .integer(3))
        // A store gives them to what is migrated to its model; those of another version do not go on.
        let kept = try CoreDataStore(folder["c.sqlite"]).model
        let migrated = try StoreMigration(of: folder["b.sqlite"], to: kept).run(into: folder["d.sqlite"])
        #expect(migrated.metadata.versionHashes == model.versionHashes)
        model["Author"]?.attributes.append(AttributeDescription("more", .string))
        #expect(model.versionHashes.isEmpty)
        let next = try StoreMigration(of: folder["d.sqlite"], to: model).run(into: folder["e.sqlite"])
        #expect(next.metadata.versionHashes.isEmpty)
        let names: PredicateValue = ["Author", "Book"]
        #expect(next.metadata.values["SwiftPredicatesEntitiesWithoutVersionHashes"] == names)
    }

    /// An import validates the relationships of all its objects by one statement each.
    @Test(
        arguments: [
            (2, true, 1, nil), (3, true, 0, nil), (1, true, 0, 1_580), (0, true, 0, 1_580), (4, true, 0, 1_590),
            (2, false, 0, 1_570), (3, true, 2, 1_590),
        ] as [(Int, Bool, Int, Int?)])
    func importsAreValidated(_ players: Int, _ hasCaptain: Bool, _ fans: Int, _ number: Int?) throws {
        func uri(_ entity: String, _ key: Int64) -> ObjectURI { ObjectURI(store: "A", entity: entity, key: key) }
        let keys = (0..<max(1, players, fans + 1)).map { Int64($0) + 1 }
        func insertAll() throws(CoreDataError) {
            let objects = try ObjectImport(store)
            let links = ["players": keys.prefix(players).map { uri("Player", $0) }]
            let captain = ["captain": hasCaptain ? [uri("Player", 1)] : []]
            _ = try objects.insert("Team", uri("Team", 1), [:], links.merging(captain) { $1 })
            for key in keys {
                let team = key <= players ? [uri("Team", 1)] : []
                let fans = key == 1 ? keys.dropFirst().prefix(fans).map { uri("Player", $0) } : []
                _ = try objects.insert("Player", uri("Player", key), [:], ["team": team, "fans": fans])
            }
            try objects.finish()
        }
        let found: CoreDataError?
        do throws(CoreDataError) {
            try store.transaction(insertAll)
            found = nil
        } catch {
            found = error
        }
        #expect(found?.number == number, "\(String(describing: found))")
        #expect(try store.objects.fetchCount(PredicateFetchRequest("Player")) == (number == nil ? keys.count : 0))
    }

    /// The bounds of a hostile model are compared like all others.
    @Test(arguments: [(Int.min, 1, nil), (Int.min, Int.max, nil), (Int.max, Int.max, 1_580), (Int.max, Int.min, 1_580)])
    func boundsMayBeExtreme(_ minimum: Int, _ maximum: Int, _ number: Int?) throws {
        let model = ManagedObjectModel([
            EntityDescription(
                "A",
                relationships: [
                    RelationshipDescription(
                        "others", destination: "A", isToMany: true, minimumCount: minimum, maximumCount: maximum,
                        deleteRule: .nullify, isOptional: false)
                ])
        ])
        let store = try CoreDataStore.create(folder["extreme.sqlite"], model: model)
        let found = self.number {
            try store.transaction { () throws(CoreDataError) in
                let objects = try ObjectImport(store)
                _ = try objects.insert("A", nil, [:], [:])
                try objects.finish()
            }
        }
        #expect(found == number ?? 0)
        #expect(self.number { try store.insert("A", [:]) } == number ?? 0)
    }
}
