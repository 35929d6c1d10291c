import PredicateModel
import Testing

@testable import PredicateCoreData

/// Tables, columns and joins from a model.
@Suite struct LayoutTests {
    private let layout = StoreLayout(Fixtures.library)

    private func columns(_ table: String) -> Set<String> { Set((layout.tables[table] ?? []).map(\.name)) }

    @Test func entitiesAreNumberedInPreorder() {
        #expect(layout.ordered.map(\.name) == ["Item", "Book", "Film", "Shelf", "Tag"])
        #expect(layout.ordered.map(\.number) == [1, 2, 3, 4, 5])
        #expect(layout.ordered.map(\.parent) == [0, 1, 1, 0, 0])
        #expect(layout.entities["Item"]?.descendants == [2, 3])
    }

    @Test func siblingsAreOrderedByUpperCaseName() {
        let names = ["SyncableThing", "SyncFeature", "b", "A"]
        let layout = StoreLayout(ManagedObjectModel(names.map { EntityDescription($0) }))
        #expect(layout.ordered.map(\.name) == ["A", "b", "SyncableThing", "SyncFeature"])
    }

    @Test func aHierarchySharesOneTable() {
        #expect(Set(layout.tables.keys) == ["ZITEM", "ZSHELF", "ZTAG"])
        #expect(
            columns("ZITEM") == [
                "Z_PK", "Z_ENT", "Z_OPT", "ZTITLE", "ZADDED", "ZUUID", "ZSHELF", "Z_FOK_SHELF", "ZPAGES", "ZNOTE",
                "ZCOVER", "ZSEQUEL", "ZPREQUEL", "ZNOTE1", "ZPRICE", "ZLENGTH", "ZSEEN", "Z4LENT",
            ])
        #expect(layout.entities["Book"]?.columns["note"] == "ZNOTE")
        #expect(layout.entities["Film"]?.columns["note"] == "ZNOTE1")
        #expect(layout.entities["Film"]?.columns["title"] == "ZTITLE")
    }

    @Test func aToOneRelationshipToAHierarchyHasTheEntityToo() {
        #expect(
            layout.entities["Shelf"]?.relationships["latest"]
                == .toOne(column: "ZLATEST", entityColumn: "Z1_LATEST", orderColumn: nil))
        #expect(columns("ZSHELF") == ["Z_PK", "Z_ENT", "Z_OPT", "ZNAME", "ZLATEST", "Z1_LATEST"])
    }

    @Test func tablesOfPairsAreCalledAfterEitherEnd() {
        guard case .manyToMany(let tags)? = layout.entities["Book"]?.relationships["tags"],
            case .manyToMany(let items)? = layout.entities["Tag"]?.relationships["items"],
            case .manyToMany(let kin)? = layout.entities["Tag"]?.relationships["kin"]
        else {
            Issue.record("expected tables of pairs")
            return
        }
        #expect(tags.names == ["Z_1TAGS", "Z_5ITEMS"])
        #expect((tags.sourceColumn, tags.targetColumn) == ("Z_1ITEMS", "Z_5TAGS"))
        #expect((tags.orderColumn, tags.inverseOrderColumn) == ("Z_FOK_5TAGS", nil))
        #expect(items == tags.reversed)
        #expect((kin.names, kin.sourceColumn, kin.targetColumn) == (["Z_5KIN"], "REFLEXIVE", "Z_5KIN"))
        #expect(layout.joinTables.count == 2)
    }

    @Test func columnsOfPairsThatClashAreNumbered() {
        let room = StoreLayout(Fixtures.rooms).entities["Room"]
        guard case .manyToMany(let guests)? = room?.relationships["guests"],
            case .manyToMany(let owners)? = room?.relationships["owners"]
        else {
            Issue.record("expected tables of pairs")
            return
        }
        #expect((guests.sourceColumn, guests.targetColumn) == ("Z_2ROOMS", "Z_3GUESTS"))
        #expect((owners.sourceColumn, owners.targetColumn) == ("Z_2ROOMS1", "Z_1OWNERS"))
    }
}
