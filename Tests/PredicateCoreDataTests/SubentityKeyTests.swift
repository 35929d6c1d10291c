import Foundation
import PredicateCoreData
import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Keys that only subentities have: a fetch refuses what a check of the model warns of, in the same words. [NSP-355]
@Suite struct SubentityKeyTests {
    private let folder: ScratchFolder
    private let store: CoreDataStore

    init() throws {
        folder = try ScratchFolder()
        store = try Fixtures.libraryStore(folder["library.sqlite"])
    }

    @Test(arguments: [
        ("Item", "pages > 5", "its subentity Book has"),
        ("Item", "note == 'x'", "its subentities Book and Film have"),
        ("Item", "sequel.title == 'x'", "its subentity Book has"),
        ("Shelf", "ANY items.note == 'x'", "its subentities Book and Film have"),
        ("Shelf", "latest.price > 1", "its subentity Film has"),
        ("Shelf", "SUBQUERY(items, $i, $i.pages > 5).@count > 0", "its subentity Book has"),
        ("Shelf", "items.@max.length > 1", "its subentity Film has"),
    ])
    func fetchAndCheckAgree(_ entity: String, _ format: String, _ words: String) throws {
        let predicate = try FormatPredicate(format)
        let findings = try predicate.check(against: store.model, entity: entity)
        #expect(findings.map(\.code) == [.subentityKey] && findings[0].level == .warning)
        let error = try #require(
            StoreError.thrown {
                try store.objects.fetchCount(PredicateFetchRequest(entity, predicate))
            })
        for text in ["\(error)", "\(findings[0])"] { #expect(text.contains("only \(words)"), "\(text)") }
        #expect("\(error)".contains("^"))
        let hint = try #require(findings[0].hint)
        #expect("\(error)".contains("hint: \(hint)"))
    }

    @Test func subentitiesThemselvesHaveTheKey() throws {
        #expect(try store.objects.fetchCount(PredicateFetchRequest("Book", FormatPredicate("pages > 5"))) == 2)
        #expect(try store.objects.fetchCount(PredicateFetchRequest("Film", FormatPredicate("note == 'film'"))) == 1)
    }

    @Test("orders, results and changes refuse the key too") func otherPlaces() throws {
        let refusal = SQLCompilationError.Code.subentityKey("pages", entity: "Item", subentities: ["Book"])
        func code(_ body: () throws -> Void) -> SQLCompilationError.Code? {
            do { try body() } catch {
                let inner =
                    if let error = error as? CoreDataError, case .store(let inner) = error.code { inner } else { error }
                if let error = inner as? StoreError, case .compilation(let error) = error.code { return error.code }
            }
            return nil
        }
        #expect(
            code { _ = try store.objects.fetchIDs(PredicateFetchRequest("Item", sortKeys: [SortKey("pages")])) }
                == refusal)
        #expect(code { try store.update("Item", ["pages": 1], where: FormatPredicate("TRUEPREDICATE")) } == refusal)
        #expect(
            code { _ = try store.objects.fetchIDs(PredicateFetchRequest("Item", FormatPredicate("pagse > 5"))) }
                == .unknownKey("pagse", entity: "Item", nearMisses: ["pages"]))
        // Siblings, and entities with a table of their own, have nothing to do with it.
        #expect(
            code { _ = try store.objects.fetchIDs(PredicateFetchRequest("Tag", FormatPredicate("pages > 5"))) }
                == .unknownKey("pages", entity: "Tag", nearMisses: []))
        #expect(
            code { _ = try store.objects.fetchIDs(PredicateFetchRequest("Film", FormatPredicate("pages > 5"))) }
                == .unknownKey("pages", entity: "Film", nearMisses: []))
    }

    @Test("the entity that declares a key is named, not those that inherit it") func chains() throws {
        let model = ManagedObjectModel([
            EntityDescription("A"),
            EntityDescription("B", superentity: "A", isAbstract: true, attributes: [.init("x", .string)]),
            EntityDescription("C", superentity: "B"), EntityDescription("D", superentity: "B"),
            EntityDescription("E", superentity: "A", attributes: [.init("x", .string)]),
        ])
        let store = try CoreDataStore.create(folder["chain.sqlite"], model: model)
        let predicate = try FormatPredicate("x == 'y'")
        let error = try #require(
            StoreError.thrown { try store.objects.fetchCount(PredicateFetchRequest("A", predicate)) })
        #expect("\(error)".contains("only its subentities B and E have"))
        #expect("\(try predicate.check(against: model, entity: "A")[0])".contains("only its subentities B and E have"))
    }

    /// [NSP-358]
    @Test func transientKeysAreRefused() throws {
        let predicate = try FormatPredicate("cache == 'x'")
        #expect(try predicate.check(against: store.model, entity: "Item").map(\.code) == [.transientKey])
        #expect(throws: StoreError.self) { try store.objects.fetchCount(PredicateFetchRequest("Item", predicate)) }
    }
}
