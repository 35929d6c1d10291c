import Foundation
import PredicateCoreData
import PredicateGenerators
import PredicateModel
import PredicateStore
import PredicateSyntax
import PredicateTestSupport
import Testing

/// Derived attributes after random changes, compared with a recomputation.
@Suite struct DerivedAttributeTests {
    /// Authors derive from their books, books from their author and the author's town, and shelves, which books do not know,
    /// from their books.
    private static let model = ManagedObjectModel([
        EntityDescription("Town", attributes: [AttributeDescription("name", .string)]),
        EntityDescription(
            "Author",
            attributes: [
                AttributeDescription("name", .string),
                AttributeDescription("key", .string, derivation: "canonical:(name)"),
                AttributeDescription("loud", .string, derivation: "uppercase:(name)"),
                AttributeDescription("count", .integer64, derivation: "books.@count"),
                AttributeDescription("total", .integer64, derivation: "books.pages.@sum"),
                AttributeDescription("tags", .integer64, derivation: "topics.@count"),
                AttributeDescription("changed", .date, derivation: "now()"),
            ],
            relationships: [
                .toMany("books", "Book", inverse: "author"), .toOne("town", "Town"),
                .toMany("topics", "Topic", inverse: "authors"),
            ]),
        EntityDescription(
            "Topic",
            attributes: [
                AttributeDescription("word", .string),
                AttributeDescription("authorCount", .integer64, derivation: "authors.@count"),
            ], relationships: [.toMany("authors", "Author", inverse: "topics")]),
        EntityDescription(
            "Book",
            attributes: [
                AttributeDescription("pages", .integer64),
                AttributeDescription("by", .string, derivation: "author.name"),
                AttributeDescription("place", .string, derivation: "author.town.name"),
            ], relationships: [.toOne("author", "Author", inverse: "books")]),
        EntityDescription("Novel", superentity: "Book"),
        EntityDescription(
            "Shelf",
            attributes: [
                AttributeDescription("pages", .integer64, derivation: "sum:(books.pages)"),
                AttributeDescription("samePages", .integer64, derivation: "books.@sum.pages"),
                AttributeDescription("first", .integer64, derivation: "latest.pages"),
                AttributeDescription("only", .integer64, derivation: "sum:(latest.pages)"),
            ], relationships: [.toMany("books", "Book"), .toOne("latest", "Book")]),
    ])

    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    /// Every derived attribute against the attributes and relationships that it derives from.
    private func check(_ store: CoreDataStore, _ place: String) throws {
        func number(_ value: PredicateValue?) -> Int64 { if case .integer(let number)? = value { number } else { 0 } }
        for author in try store.objects.fetchAll("Author") {
            let books = try author.related("books")
            #expect(number(author["count"]) == Int64(books.count), "\(place): \(author)")
            #expect(number(author["total"]) == books.reduce(0) { $0 + number($1["pages"]) }, "\(place): \(author)")
            #expect(number(author["tags"]) == Int64(try author.related("topics").count), "\(place): \(author)")
            let name: String? = if case .string(let text)? = author["name"] { text } else { nil }
            #expect(author["loud"] == name.map { .string($0.uppercased()) } ?? .null, "\(place): \(author)")
            #expect(author["key"] == name.map { .string($0.lowercased().replacing("ä", with: "a")) } ?? .null)
            #expect(author["changed"] != .null)
        }
        for topic in try store.objects.fetchAll("Topic") {
            #expect(number(topic["authorCount"]) == Int64(try topic.related("authors").count), "\(place): \(topic)")
        }
        for book in try store.objects.fetchAll("Book") {
            let author = try book.related("author").first
            #expect(book["by"] == author?["name"] ?? .null, "\(place): \(book)")
            #expect(book["place"] == (try author?.related("town").first?["name"]) ?? .null, "\(place): \(book)")
        }
        for shelf in try store.objects.fetchAll("Shelf") {
            let pages = try shelf.related("books").reduce(0) { $0 + number($1["pages"]) }
            #expect(number(shelf["pages"]) == pages, "\(place): \(shelf)")
            #expect(number(shelf["samePages"]) == pages, "\(place): \(shelf)")
            #expect(shelf["first"] == (try shelf.related("latest").first?["pages"]) ?? .null, "\(place): \(shelf)")
            #expect(number(shelf["only"]) == number(shelf["first"]), "\(place): \(shelf)")
        }
    }

    private func changeOne(_ store: CoreDataStore, _ random: inout RandomSource) throws {
        func ids(_ entity: String) throws -> [SQLObjectID] { try store.objects.fetchAll(entity).map(\.id) }
        func some(_ entity: String) throws -> [SQLObjectID] {
            try ids(entity).filter { _ in Bool.random(using: &random) }
        }
        let (number, word) = (
            Int.random(in: 0..<100, using: &random), ["Ann", "Bär", "cy"].randomElement(using: &random)
        )
        let target = ["Town", "Author", "Topic", "Book", "Novel", "Shelf"].randomElement(using: &random) ?? "Book"
        var values: ObjectValues = [:]
        switch target {
        case "Town": values = ["name": word]
        case "Topic": values = ["word": word, "authors": try some("Author")]
        case "Author":
            values = ["name": word, "town": try ids("Town").randomElement(using: &random)]
            if number < 30 { values["books"] = try some("Book") }
            if number > 80 { values["topics"] = try some("Topic") }
        case "Shelf": values = ["books": try some("Book"), "latest": try ids("Book").randomElement(using: &random)]
        default:
            values = ["pages": number]
            if number < 60 { values["author"] = try ids("Author").randomElement(using: &random) }
        }
        let object = try ids(target).randomElement(using: &random)
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<4: try store.insert(target, values)
        case 4..<8: if let object { try store.update(object, values) }
        case 8: try store.update("Book", ["pages": number], where: FormatPredicate("pages < %@", number))
        default: if let object { try store.delete(target, where: FormatPredicate("SELF == %@", object)) }
        }
    }

    @Test(arguments: [("a.sqlite", 1), ("b.sqlite", 2), ("c.xml", 3)])
    func areThoseOfARecomputation(_ name: String, _ seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let store = try CoreDataStore.create(folder[name], model: Self.model)
        for round in 0..<60 {
            if round % 3 == 0 {
                do {
                    try store.transaction { () throws(CoreDataError) in
                        for _ in 0..<4 {
                            do { try changeOne(store, &random) } catch {
                                throw error as? CoreDataError ?? CoreDataError(.readOnly)
                            }
                        }
                    }
                } catch let error {
                    // The objects are read as they were before the transaction, which may have deleted some of them.
                    guard case .missingObject = error.code else { throw error }
                }
            } else {
                try changeOne(store, &random)
            }
            try check(store, "\(name) \(round)")
        }
        let again = try StoreMigration(of: store.path, to: Self.model).run(into: folder["again-\(name)"])
        try check(again, "again")
    }

    /// Objects of an import derive from each other and from an existing object, which derives from them.
    @Test(arguments: [("a.sqlite", 1), ("b.sqlite", 2), ("c.xml", 3)])
    func thoseOfAnImportAreComputed(_ name: String, _ seed: UInt64) throws {
        var random = RandomSource(seed: seed)
        let store = try CoreDataStore.create(folder[name], model: Self.model)
        let ann = try store.insert("Author", ["name": "Ann", "town": try store.insert("Town", ["name": "Rom"])])
        try store.insert("Book", ["pages": 7, "author": ann])
        let known = try store.uri(of: ann)
        func uri(_ entity: String, _ key: Int64) -> ObjectURI { ObjectURI(store: "A", entity: entity, key: key) }
        try store.transaction { () throws(CoreDataError) in
            let objects = try ObjectImport(store)
            _ = try objects.insert(
                "Shelf", nil, [:], ["books": (1...9).map { uri("Book", $0) }, "latest": [uri("Book", 3)]])
            for key in Int64(1)...40 {
                let author = Int64.random(in: 0...20, using: &random)
                let links = ["author": [author == 0 ? known : uri("Author", author)]]
                let entity = key % 3 == 0 ? "Novel" : "Book"
                _ = try objects.insert(entity, uri("Book", key), ["pages": .integer(key)], links)
            }
            for key in Int64(1)...20 {
                let topics = (1...5).filter { _ in Bool.random(using: &random) }.map { uri("Topic", $0) }
                _ = try objects.insert(
                    "Author", uri("Author", key), ["name": .string("Bär \(key)")], ["topics": topics])
            }
            for key in Int64(1)...5 { _ = try objects.insert("Topic", uri("Topic", key), ["word": "x"], [:]) }
            try objects.finish()
        }
        try check(store, name)
        try store.update("Book", ["pages": 1], where: FormatPredicate("pages > 20"))
        try check(store, "\(name), changed")
    }

    /// The time of a change is that of the object's own change, not of what it depends on.
    @Test func theTimeIsThatOfTheObjectsOwnChange() throws {
        let store = try CoreDataStore.create(folder["a.sqlite"], model: Self.model)
        let author = try store.insert("Author", ["name": "Ann"])
        let book = try store.insert("Book", ["pages": 1, "author": author])
        func time() throws -> PredicateValue? { try store.objects.fetchAll("Author").first?["changed"] }
        let first = try time()
        try store.update(book, ["pages": 2])
        #expect(try time() == first)
        #expect(try store.objects.fetchAll("Author").first?["total"] == .integer(2))
        try store.update(author, ["name": "Bob"])
        #expect(try time() != first)
    }

    @Test func anExpressionThatCannotBeComputedStopsChanges() throws {
        var model = Self.model
        model["Town"]?.attributes.append(AttributeDescription("size", .string, derivation: "mystery:(name)"))
        let store = try CoreDataStore.create(folder["a.sqlite"], model: model)
        let error = CoreDataError.thrown { try store.insert("Topic", ["word": "x"]) }
        #expect(error?.title.hasPrefix("Town, size: ") ?? false)
    }
}
