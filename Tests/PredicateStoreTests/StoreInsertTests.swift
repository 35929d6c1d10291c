import Foundation
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Insertions, one by one and many at once.
@Suite struct StoreInsertTests {
    private let library: Library
    private var store: ObjectStore { library.store }

    init() throws {
        library = try Library()
    }

    @Test func anObjectWithItsRelationships() throws {
        let ann = try library.object("Author", 1)
        let subjects = try store.fetchAll("Subject", where: FormatPredicate("weight != nil"))
        let book = try store.insert(
            "Book",
            [
                "title": "O'Brien\"; --", "pages": 12, "author": ann, "sequel": SQLObjectID("Book", key: 3),
                "subjects": subjects, "copies": [SQLObjectID("Copy", key: 3)],
            ])
        #expect(book.id == SQLObjectID("Book", key: 6))
        #expect(book["title"] == "O'Brien\"; --")
        // The default of the column, and a first version.
        #expect(book["shelf"] == "A1")
        #expect(book["count"] == 1)
        #expect(try book.related("author") == [ann])
        #expect(Set(try book.related("subjects").map(\.id.key)) == ["fun", "sea"])
        #expect(try library.numbers("SELECT book_id FROM copy WHERE id = 3") == [6])
        #expect(
            try store.fetchCount(
                PredicateFetchRequest("Book", FormatPredicate("SELF == %@ AND ANY subjects.name == 'sea'", book)))
                == 1)
    }

    @Test func valuesThatFitNoColumn() throws {
        let cases: [(ObjectValues, String)] = [
            (["title": "x", "pages": "many"], "'pages' takes an integer, not a string"),
            (["title": "x", "author": 5], "'author' takes an SQLObjectID of Author, not an integer"),
            (["titel": "x"], "did you mean title"),
            (["title": nil], "'title' of Book must have a value"),
            (["pages": 3], "'title' of Book must have a value"),
            (["title": "x", "shelf": nil], "'shelf' of Book must have a value"),
            (["title": "x", "subjects": ["sea"]], "'subjects' takes SQLObjectIDs of Subject, not a string"),
            (["title": "x", "subjects": 3], "'subjects' takes SQLObjectIDs of Subject, not an integer"),
            (
                ["title": "x", "subjects": [SQLObjectID("Subject", key: "none")]],
                "Subject none does not exist"
            ),
            (["title": "x", "copies": [SQLObjectID("Book", key: 1)]], "'copies' takes SQLObjectIDs of Copy"),
            (["title": "x", "copies": [SQLObjectID("Copy", key: 99)]], "Copy 99 does not exist"),
        ]
        for (values, words) in cases {
            let error = storeError { try store.insert("Book", values) }
            #expect(error?.description.contains(words) == true, "\(String(describing: error))")
        }
        #expect(
            storeError { try store.insert("Subject", ["weight": 2.5]) }?.code
                == .missingValue(key: "name", entity: "Subject"))
        #expect(storeError { try store.insert("Loan", ["copy": SQLObjectID("Copy", key: 99)]) }?.result == .constraint)
        #expect(storeError { try store.insert("Subject", ["name": "sea"]) }?.result == .constraint)
        #expect(storeError { try store.insert("Boook", [:]) }?.description.contains("did you mean Book") == true)
        #expect(try library.numbers("SELECT count(*) FROM book UNION ALL SELECT count(*) FROM subject") == [5, 3])
        #expect(try library.numbers("SELECT count(*) FROM book_subject") == [4])
    }

    @Test func manyRows() throws {
        let rows = (0..<2_000).lazy.map { (number: Int) -> ObjectValues in
            number % 2 == 0 ? ["title": "Book \(number)", "pages": number] : ["title": "Book \(number)"]
        }
        #expect(try store.insert("Book", rows: rows, returning: .count) == .count(2_000))
        #expect(
            try store.fetchCount(
                PredicateFetchRequest("Book", FormatPredicate("title BEGINSWITH 'Book ' AND count == 1")))
                == 2_000)
        #expect(
            try store.fetchCount(PredicateFetchRequest("Book", FormatPredicate("pages >= 1000 AND shelf == 'A1'")))
                == 500)
        let more: [ObjectValues] = [["name": "b"], ["name": "a", "weight": 2]]
        #expect(try store.insert("Subject", rows: more, returning: .primaryKeys) == .primaryKeys(["b", "a"]))
        #expect(try store.insert("Subject", rows: []) == .nothing)
        #expect(try store.insert("Loan", rows: [[:], [:]], returning: .primaryKeys) == .primaryKeys([2, 3]))
    }

    /// Rows with the same keys use one statement, without a cache too.
    @Test func statementsArePreparedOnce() throws {
        let other = try Library(SQLiteOptions(.create, cachedStatements: 0))
        let before = other.store.connection.statementCount
        try other.store.insert("Loan", rows: (0..<500).map { ["until": Date(Double($0))] })
        #expect(other.store.connection.statementCount == before + 1)
        #expect(try other.numbers("SELECT count(*) FROM loan WHERE until = id - 2") == [500])
    }

    @Test func manyRowsAreAllOrNone() throws {
        let rows: [ObjectValues] = [
            ["name": "new"], ["name": "newer", "books": [SQLObjectID("Book", key: 1)]], ["name": "sea"],
        ]
        #expect(storeError { try store.insert("Subject", rows: rows) }?.result == .constraint)
        #expect(
            try library.numbers("SELECT count(*) FROM subject UNION ALL SELECT count(*) FROM book_subject") == [3, 4])
        #expect(
            storeError { try store.insert("Subject", rows: [["name": "new"], ["name": "x", "weight": "y"]]) }?
                .description
                .contains("'weight' takes a double, not a string") == true)
        #expect(try library.numbers("SELECT count(*) FROM subject") == [3])
    }

    /// A primary key that is no rowid could be NULL.
    @Test func aPrimaryKeyIsNeverNil() throws {
        let connection = try library.directory.database(
            "other.sqlite", "CREATE TABLE t (id INT PRIMARY KEY, n INTEGER)")
        let schema = SQLSchema([
            SQLEntity("T", table: "t", attributes: ["id": SQLAttribute(.integer), "n": SQLAttribute(.integer)])
        ])
        let other = try ObjectStore(connection, schema: schema)
        #expect(storeError { try other.insert("T", ["n": 1]) }?.code == .missingValue(key: "id", entity: "T"))
        #expect(try connection.rows("SELECT * FROM t").isEmpty)
        #expect(try other.insert("T", ["n": 1, "id": 4]).number == 4)
    }

    @Test func valuesOfEveryTypeComeBack() throws {
        let list = try ToDoList()
        let values: ObjectValues = [
            "title": "a\0b", "dueDate": Date(-1.5), "doNotAlert": true, "priority": Int64.min, "effort": -0.25,
            "uuid": UUID(uuidString: "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"), "price": Decimal(string: "0.10"),
            "image": Data(), "created": Date(0.25), "note": nil,
        ]
        let task = try list.store.insert("Task", values)
        for (key, value) in values { #expect(task[key] == value?.predicateValue ?? .null, "\(key)") }
        for (key, value) in values where !["image", "note"].contains(key) {
            let found = try list.store.fetchAll("Task", where: FormatPredicate("%K == %@", key, value))
            #expect(found.contains(task), "\(key)")
        }
    }
}
