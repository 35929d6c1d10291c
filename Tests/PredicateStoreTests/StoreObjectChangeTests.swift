import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Changes of single objects, their versions and their to-many relationships.
@Suite struct StoreObjectChangeTests {
    private let library: Library
    private var store: ObjectStore { library.store }

    init() throws {
        library = try Library()
    }

    @Test func anObjectIsReturnedAsItIsThen() throws {
        let book = try library.object("Book", 2)
        let changed = try store.update(book, ["title": "Deux", "pages": nil, "author": SQLObjectID("Author", key: 2)])
        #expect(book["title"] == "Two")
        #expect(changed == book)
        #expect(changed["title"] == "Deux")
        #expect(changed["pages"] == .null)
        #expect(changed["count"] == 8)
        #expect(try changed.related("author").map(\.number) == [2])
        #expect(try library.object("Book", 2)["title"] == "Deux")
        #expect(try library.object("Book", 1)["title"] == "One")
    }

    @Test func versionsTellChangedObjects() throws {
        let (mine, yours) = (try library.object("Book", 2), try library.object("Book", 2))
        let next = try store.update(mine, ["pages": 1])
        #expect(storeError { try store.update(yours, ["pages": 2]) }?.code == .conflict(SQLObjectID("Book", key: 2)))
        #expect(storeError { try store.update(mine, ["pages": 2]) }?.code == .conflict(SQLObjectID("Book", key: 2)))
        #expect(storeError { try store.delete(yours) }?.code == .conflict(SQLObjectID("Book", key: 2)))
        #expect(storeError { try store.add([], to: "subjects", of: yours) }?.code == .conflict(yours.id))
        #expect(try library.object("Book", 2)["pages"] == 1)
        #expect(try store.update(next, ["pages": 3])["count"] == 9)
        // A change of many objects counts as well, and so does one by another connection.
        let fetched = try library.object("Book", 2)
        try store.update("Book", ["pages": 4], where: FormatPredicate("id == 2"))
        #expect(storeError { try store.update(fetched, ["pages": 5]) }?.code == .conflict(fetched.id))
        #expect(try library.object("Book", 2)["count"] == 10)
        try store.update("Book", ["count": 1], where: FormatPredicate("id == 2"))
        #expect(try library.object("Book", 2)["count"] == 1)
        #expect(
            storeError { try store.update(fetched, ["count": 5]) }?.code == .managedVersion("count", entity: "Book"))
    }

    /// nil counts as the version 0; an object of chosen keys has its version too.
    @Test func versionsBeginAnywhere() throws {
        let zoë = try library.object("Author", 2)
        let (next, other) = (try store.update(zoë, ["name": "Z"]), try library.object("Author", 2))
        #expect(next["version"] == 1)
        #expect(other["version"] == 1)
        #expect(storeError { try store.update(zoë, ["name": "Y"]) }?.code == .conflict(zoë.id))
        let request = PredicateFetchRequest("Author", try FormatPredicate("id == 2"), keys: ["name"])
        let partial = try #require(try store.fetchCursor(request).next())
        #expect(try store.update(partial, ["name": "X"])["version"] == 2)
        #expect(storeError { try store.update(partial, ["name": "W"]) }?.code == .conflict(zoë.id))
        try store.update("Author", ["version": Int64.max], where: FormatPredicate("id == 2"))
        #expect(try store.update(library.object("Author", 2), ["name": "V"])["version"] == .integer(.min))
    }

    @Test func objectsThatAreGone() throws {
        let (loan, book) = (try library.object("Loan", 1), try library.object("Book", 5))
        try library.store.connection.execute("DELETE FROM loan; DELETE FROM book WHERE id = 5")
        #expect(storeError { try store.update(loan, ["until": nil]) }?.code == .noSuchObject(loan.id))
        #expect(storeError { try store.update(book, ["pages": 1]) }?.code == .noSuchObject(book.id))
        #expect(storeError { try store.delete(loan) }?.code == .noSuchObject(loan.id))
        #expect(
            storeError { try store.add([SQLObjectID("Copy", key: 1)], to: "copies", of: book) }?.code
                == .noSuchObject(book.id))
        // A relationship of an entity without versions needs the object, too.
        let copy = try library.object("Copy", 3)
        try library.store.connection.execute("DELETE FROM copy WHERE id = 3")
        #expect(storeError { try store.remove([], from: "loans", of: copy) }?.code == .noSuchObject(copy.id))
    }

    @Test func valuesThatFitNoColumn() throws {
        let book = try library.object("Book", 1)
        let cases: [(ObjectValues, String)] = [
            (["pages": "many"], "'pages' takes an integer, not a string"),
            (["wings": 1], "expected a key of Book, found 'wings'"),
            (["title": nil], "'title' of Book must have a value"),
            (["copies": [1]], "'copies' takes SQLObjectIDs of Copy"),
        ]
        for (values, words) in cases {
            let error = storeError { try store.update(book, values) }
            #expect(error?.description.contains(words) == true, "\(String(describing: error))")
        }
        #expect(storeError { try store.add([], to: "author", of: book) }?.text == "author")
        #expect(try store.update(book, ["pages": 7])["count"] == 2)
    }

    // MARK: - Relationships

    private func subjects(_ number: Int64) throws -> [PredicateValue] {
        try library.object("Book", .integer(number)).related("subjects").map(\.id.key).sorted { "\($0)" < "\($1)" }
    }

    @Test func pairsOfAJoinTable() throws {
        let sky = try library.object("Subject", "sky")
        var book = try library.object("Book", 1)
        book = try store.add([sky, SQLObjectID("Subject", key: "fun")], to: "subjects", of: book)
        #expect(try subjects(1) == ["fun", "sea", "sky"])
        book = try store.remove([sky, SQLObjectID("Subject", key: "none")], from: "subjects", of: book)
        #expect(try subjects(1) == ["fun", "sea"])
        book = try store.update(book, ["subjects": [sky], "pages": 5])
        #expect(try subjects(1) == ["sky"])
        #expect(book["pages"] == 5)
        #expect(book["count"] == 4)
        #expect(try sky.related("books").map(\.number).sorted() == [1, 4])
        book = try store.update(book, ["subjects": nil])
        #expect(try subjects(1) == [])
        #expect(try subjects(2) == ["sea"])
        let error = storeError {
            try store.update(book, ["pages": 9, "subjects": [SQLObjectID("Subject", key: "none")]])
        }
        #expect(error?.code == .noSuchObject(SQLObjectID("Subject", key: "none")))
        #expect(try library.object("Book", 1)["pages"] == 5)
    }

    @Test func objectsThatLeadBack() throws {
        let ann = try library.object("Author", 1)
        let other = try library.object("Book", 4)
        let ann2 = try store.add([other], to: "books", of: ann)
        #expect(try library.numbers("SELECT id FROM book WHERE author_id = 1 ORDER BY id") == [1, 2, 3, 4])
        #expect(storeError { try store.update(other, ["pages": 1]) }?.code == .conflict(other.id))
        let ann3 = try store.update(ann2, ["books": [SQLObjectID("Book", key: 2), SQLObjectID("Book", key: 5)]])
        #expect(try library.numbers("SELECT id FROM book WHERE author_id = 1 ORDER BY id") == [2, 5])
        #expect(try library.numbers("SELECT changes FROM book ORDER BY id") == [2, 7, 2, 2, 2])
        try store.remove([SQLObjectID("Book", key: 1), SQLObjectID("Book", key: 5)], from: "books", of: ann3)
        #expect(try library.numbers("SELECT id FROM book WHERE author_id = 1 ORDER BY id") == [2])
        #expect(try library.object("Author", 1)["version"] == 4)
    }
}
