import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Sums of integers that exceed 64 bits: the row has an error, and the statement goes on. [NSP-385]
@Suite struct IntegerSumTests {
    private let store: ObjectStore

    init() throws {
        let connection = try StoreConnection.inMemory()
        try connection.execute(
            """
            CREATE TABLE c (id INTEGER PRIMARY KEY);
            CREATE TABLE m (id INTEGER PRIMARY KEY, c_id INTEGER REFERENCES c(id), n INTEGER);
            INSERT INTO c VALUES (1), (2), (3), (4), (5);
            INSERT INTO m (c_id, n) VALUES (1, 9223372036854775807), (1, 1), (2, 7), (2, 7),
                (3, 9223372036854775807), (3, 1), (3, -1), (4, -9223372036854775808), (4, -5), (4, 5), (4, NULL);
            """)
        store = try ObjectStore(connection)
    }

    private func keys(_ format: String) throws -> [PredicateValue] {
        try store.fetchAll(PredicateFetchRequest("c", FormatPredicate(format))).map(\.id.key)
    }

    @Test func aSumBeyond64BitsIsAnErrorOfItsRow() throws {
        #expect(try keys("m.@sum.n > 5") == [2, 3])
        #expect(try keys("m.@sum.n == 9223372036854775807") == [3])
        #expect(try keys("m.@sum.n < -9223372036854775807") == [4])
        #expect(try keys("m.@sum.n == 0") == [5])
        #expect(try keys("m.@sum.n < m.@count") == [4])
        #expect(try keys("m.@avg.n > 5") == [1, 2, 3])
    }

    @Test func differentValuesAreAddedOnce() throws {
        #expect(try keys("m.n.@sum.self == 7") == [2])
        #expect(try keys("m.n.@sum.self > 7") == [3])
        #expect(try keys("m.n.@avg.self == 7") == [2])
        #expect(try keys("m.n.@sum.self == 0") == [5])
    }
}
