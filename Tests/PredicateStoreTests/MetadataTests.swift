import Foundation
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Metadata of a store.
@Suite struct MetadataTests {
    private let list: ToDoList
    private var store: ObjectStore { list.store }

    init() throws {
        list = try ToDoList()
    }

    @Test func valuesOfPlainKinds() throws {
        #expect(try store.metadata().isEmpty)
        #expect(try store.metadata(for: "seen") == nil)
        let values: [String: PredicateValue] = [
            "bool": true, "integer": .integer(.min), "double": 0.1, "infinity": .double(.infinity),
            "decimal": .decimal(Decimal(string: "0.10000000000000000000000000000000000001") ?? 0), "": "empty key",
            "string": "O'Brien\0\"; --", "date": .date(Date(-0.25)), "data": .data(Data([0, 255])),
            "no data": .data(Data()),
            "uuid": .uuid(UUID()), "url": .url(try #require(URL(string: "https://swift.org/a?b=c#d"))),
        ]
        for (key, value) in values { try store.setMetadata(value, for: key) }
        #expect(try store.metadata() == values)
        #expect(try store.metadata(for: "bool") == .bool(true))
        guard case .bool? = try store.metadata(for: "bool"), case .integer? = try store.metadata(for: "integer") else {
            Issue.record("a value keeps its kind")
            return
        }
        try store.setMetadata(Double.nan, for: "double")
        guard case .double(let nan)? = try store.metadata(for: "double") else {
            Issue.record("a value keeps its kind")
            return
        }
        #expect(nan.isNaN)
        try store.setMetadata("other", for: "bool")
        try store.setMetadata(nil, for: "integer")
        #expect(try store.metadata(for: "bool") == "other")
        #expect(try store.metadata(for: "integer") == nil)
        // Keys are different where their code points are.
        try store.setMetadata(1, for: "é")
        #expect(try store.metadata(for: "e\u{301}") == nil)
    }

    @Test func theyStayWithTheFile() throws {
        try store.setMetadata(7, for: "version")
        let other = try ObjectStore(StoreConnection(store.connection.path))
        #expect(try other.metadata() == ["version": 7])
        #expect(storeError { try other.setMetadata(8, for: "version") }?.code == .readOnlyConnection)
        #expect(!other.schema.entities.keys.contains { $0.contains("metadata") })
        #expect(other.schema.entities["task"] != nil)
    }

    @Test func otherKindsAreErrors() throws {
        #expect(
            storeError { try store.setMetadata([1, 2], for: "k") }?.code
                == .unsupportedMetadata(key: "k", found: "an array"))
        #expect(
            storeError { try store.setMetadata(store.context, for: "k") }?.code
                == .unsupportedMetadata(key: "k", found: "an object"))
        try store.setMetadata(1, for: "k")
        try store.connection.execute("UPDATE predicates_metadata SET kind = 'complex'")
        #expect(
            storeError { _ = try store.metadata(for: "k") }?.code
                == .unsupportedMetadata(key: "k", found: "the kind 'complex'"))
    }

    /// A change and the note that it was made are one transaction.
    @Test func guardedChangesRunOnce() throws {
        func raise(failing: Bool = false) throws(StoreError) -> Bool {
            try store.transaction { () throws(StoreError) in
                guard try store.metadata(for: "raised") == nil else { return false }
                try store.update("Task", ["priority": 9], where: .constant(true))
                try store.setMetadata(true, for: "raised")
                if failing { throw StoreError(.inMemory) }
                return true
            }
        }
        #expect(storeError { _ = try raise(failing: true) }?.code == .inMemory)
        #expect(try store.metadata(for: "raised") == nil)
        #expect(try list.ids("priority == 9") == [])
        #expect(try raise())
        try store.update("Task", ["priority": 1], where: FormatPredicate("id == 1"))
        #expect(try !raise())
        #expect(try list.ids("priority == 9") == [2, 3, 4, 5, 6])
    }
}
