import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Relationships that are read with the objects of a fetch.
@Suite struct PrefetchTests {
    /// A library whose tables are gone once its objects are fetched: what is read later is not there.
    private func fetched(_ library: Library, _ request: PredicateFetchRequest, dropping tables: String...) throws
        -> [StoredObject]
    {
        let objects = try library.store.fetchAll(request)
        try library.store.connection.execute("PRAGMA foreign_keys = OFF")
        for table in tables { try library.store.connection.execute("DROP TABLE \(table)") }
        return objects
    }

    @Test func relatedObjectsAreThere() throws {
        let library = try Library()
        let request = PredicateFetchRequest(
            "Book", sortKeys: [SortKey("id")],
            prefetching: ["author", "sequel", "copies.loans", "subjects", "prequels"])
        let books = try fetched(library, request, dropping: "author", "book", "copy", "loan", "subject", "book_subject")
        #expect(
            try books.map { try $0.related("author").map { $0["name"] ?? .null } } == [
                ["Ann"], ["Ann"], ["Ann"], ["Zoë"], [],
            ])
        #expect(
            try books.map { try $0.related("sequel").map { $0["title"] ?? .null } } == [
                ["Two"], ["Three"], [], [], ["Other"],
            ])
        #expect(try books.map { try $0.related("prequels").map(\.number) } == [[], [1], [2], [5], []])
        #expect(
            try books.map { try $0.related("subjects").map(\.id.key).sorted { "\($0)" < "\($1)" } }
                == [["fun", "sea"], ["sea"], [], ["sky"], []])
        #expect(
            try books.map { try $0.related("copies").flatMap { try $0.related("loans").map(\.number) } }
                == [[], [], [], [1], []])
        #expect(try books[0].related("copies").map { $0["place"] ?? .null } == ["x", "y"])
        // What was not asked for is read when it is asked for.
        #expect(throws: StoreError.self) { try books[0].related("author").first?.related("books") }
    }

    @Test func relationshipsAreThoseOfObjectsReadOneByOne() throws {
        let library = try Library()
        let paths = ["author.books.subjects", "copies.book", "subjects.books.author", "sequel.sequel", "prequels"]
        let books = try library.store.fetchAll(
            PredicateFetchRequest("Book", sortKeys: [SortKey("id")], prefetching: paths))
        let others = try library.store.fetchAll(PredicateFetchRequest("Book", sortKeys: [SortKey("id")]))
        for path in paths {
            let keys = path.split(separator: ".").map(String.init)
            for (book, other) in zip(books, others) {
                #expect(try ends(keys, of: book) == ends(keys, of: other), "\(path) of \(book)")
            }
        }
    }

    private func ends(_ keys: [String], of object: StoredObject) throws -> [String] {
        guard let key = keys.first else { return [object.description] }
        return try object.related(key).flatMap { try ends(Array(keys.dropFirst()), of: $0) }.sorted()
    }

    /// A statement for some hundreds of objects, none for each.
    @Test func statementsAreFew() throws {
        let library = try Library()
        try library.store.connection.execute(
            """
            WITH RECURSIVE n(i) AS (VALUES (100) UNION ALL SELECT i + 1 FROM n WHERE i < 2999)
            INSERT INTO book SELECT i, 'Book', i, 'A1', 1, i % 2 + 1, NULL FROM n;
            INSERT INTO copy SELECT id, 'x', id FROM book WHERE id > 99;
            INSERT INTO copy SELECT id + 10000, 'y', id FROM book WHERE id > 99;
            INSERT INTO book_subject SELECT id, 'fun' FROM book WHERE id > 99;
            """)
        let connection = library.store.connection
        let before = connection.statementCount
        let request = PredicateFetchRequest(
            "Book", try FormatPredicate("id >= 100"), sortKeys: [SortKey("id")],
            prefetching: ["author", "copies.book", "subjects"])
        let books = try library.store.fetchAll(request)
        // 6 chunks: the first statement, and in each chunk one for each step, but two for copies past the size of a chunk.
        let fetching = connection.statementCount - before
        #expect(fetching <= 1 + 6 * 5)
        #expect(books.count == 2_900)
        for book in books {
            #expect(try book.related("copies").count == 2)
            #expect(try book.related("copies").allSatisfy { try $0.related("book") == [book] })
            #expect(try book.related("author").first?["name"] != nil)
            #expect(try book.related("subjects").map(\.id.key) == ["fun"])
        }
        #expect(connection.statementCount == before + fetching)
    }

    @Test func chosenKeysPagesAndResiduals() throws {
        let library = try Library()
        var request = PredicateFetchRequest(
            "Book", try FormatPredicate("title.capitalizedString != 'Two'"), sortKeys: [SortKey("id")], limit: 2,
            offset: 1,
            prefetching: ["author"], allowsResidual: true)
        #expect(try library.store.fetchAll(request).map(\.number) == [3, 4])
        request.predicate = try FormatPredicate("title != 'Two'")
        request.keys = ["title"]
        let books = try fetched(library, request, dropping: "author")
        #expect(try books.map { try $0.related("author").first?["name"] } == ["Ann", "Zoë"])
        #expect(books.map { $0["pages"] } == [nil, nil])
    }

    @Test func linksThatLeadNowhere() throws {
        let library = try Library(foreignKeys: false)
        try library.store.connection.execute("UPDATE book SET author_id = 77 WHERE id = 1")
        let request = PredicateFetchRequest("Book", try FormatPredicate("id == 1"), prefetching: ["author.books"])
        let book = try #require(try library.store.fetchCursor(request).next())
        #expect(try book.related("author").map(\.id) == [SQLObjectID("Author", key: 77)])
        #expect(try book.related("author").first?["name"] == .null)
    }

    @Test func otherKeysAreErrors() throws {
        let library = try Library()
        for (path, key) in [("title", "title"), ("author.wings", "wings"), ("", ""), ("copies.place", "place")] {
            let error = storeError {
                _ = try library.store.fetchCursor(PredicateFetchRequest("Book", prefetching: [path]))
            }
            #expect(error?.text == key, "\(path)")
        }
        #expect(
            storeError { _ = try library.store.fetchCursor(PredicateFetchRequest("Book", prefetching: ["copie"])) }?
                .description
                .contains("did you mean copies") == true)
    }
}
