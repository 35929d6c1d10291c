import Foundation
import PredicateCoreData
import PredicateModel
import PredicateStore
import PredicateSyntax
import Testing

/// Reads, writes and observations of tasks, with the names of a model.
///
/// The limit ends a deadlock. It counts the time in which other tests keep the threads busy, so it is long.
@Suite(.timeLimit(.minutes(60))) struct StorePoolTests {
    private struct OwnError: Error {}

    private let folder: ScratchFolder
    private let store: CoreDataStore

    init() throws {
        folder = try ScratchFolder()
        store = try Fixtures.libraryStore(folder["Library.sqlite"])
    }

    @Test func manyTasks() async throws {
        let store = store
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask { _ = try await store.write { try $0.insert("Tag", ["word": "tag \(number)"]) } }
                group.addTask {
                    let counts = try await store.objects.read { objects in
                        try (0..<2).map { _ in try objects.fetchCount(PredicateFetchRequest("Tag")) }
                    }
                    #expect(counts[0] == counts[1])
                }
            }
            try await group.waitForAll()
        }
        let tags = try await store.objects.read {
            try $0.fetchCount(PredicateFetchRequest("Tag", FormatPredicate("word LIKE 'tag *'")))
        }
        #expect(tags == 20)
    }

    @Test func errorsUndoTheTransaction() async throws {
        let store = store
        await #expect(throws: OwnError.self) {
            try await store.write { store in
                try store.insert("Tag", ["word": "new"])
                throw OwnError()
            }
        }
        await #expect(throws: CoreDataError.self) { try await store.write { try $0.insert("Tag", ["words": "new"]) } }
        let count = try await store.objects.read {
            try $0.fetchCount(PredicateFetchRequest("Tag", FormatPredicate("word == 'new'")))
        }
        #expect(count == 0)
        let reader = try CoreDataStore(store.path)
        await #expect(throws: CoreDataError.self) { try await reader.write { try $0.insert("Tag", ["word": "a"]) } }
    }

    @Test func changes() async throws {
        let request = PredicateFetchRequest("Tag", sortKeys: [SortKey("word")])
        var changes = store.objects.changes(of: request).makeAsyncIterator()
        let before = try #require(try await changes.next())
        try store.insert("Tag", ["word": "zebra"])
        let after = try #require(try await changes.next())
        #expect(after.count == before.count + 1)
        // The objects of all readers are the same ones.
        #expect(Set(after).isSuperset(of: before))
        #expect(after.last?["word"] == "zebra")
    }
}
