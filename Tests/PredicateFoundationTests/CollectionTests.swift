import NSPredicates
import PredicateEvaluation
import Testing

/// Foundation's collections filtered by our objects and by Foundation's.
@Suite struct CollectionTests {
    private struct Plain: Hashable {
        var n: Int
    }

    private struct Keyed: KeyPathCoding, Hashable {
        var n: Int
        static let keys: KeyPathTable<Keyed> = ["n": .key(\.n)]
    }

    private let large = NSPredicate(format: "n > 1")

    @Test func everyCollection() {
        let objects = [Plain(n: 1), Plain(n: 2), Plain(n: 3)]
        #expect(NSArray(array: objects).filtered(using: large) as? [Plain] == [Plain(n: 2), Plain(n: 3)])
        #expect(NSSet(array: objects).filtered(using: large) == Set([Plain(n: 2), Plain(n: 3)] as [AnyHashable]))
        let ordered = NSOrderedSet(array: objects).filtered(using: large)
        #expect(ordered.array as? [Plain] == [Plain(n: 2), Plain(n: 3)])
        let array = NSMutableArray(array: objects)
        array.filter(using: large)
        #expect(array.count == 2)
        let set = NSMutableSet(array: objects)
        set.filter(using: large)
        #expect(set.count == 2)
        let mutable = NSMutableOrderedSet(array: objects)
        mutable.filter(using: large)
        #expect(mutable.count == 2)
    }

    @Test func keyPathsOfCollections() {
        let objects = NSArray(array: [Plain(n: 1), Plain(n: 2), Plain(n: 6)])
        #expect(objects.value(forKeyPath: "@avg.n") as? Int == 3)
        #expect(objects.value(forKeyPath: "n") as? [Int] == [1, 2, 6])
        #expect(NSSet(array: [1, 2]).value(forKeyPath: "@count") as? Int == 2)
        #expect(NSDictionary(dictionary: ["a": ["b": 7]]).value(forKeyPath: "a.b") as? Int == 7)
    }

    @Test func batchesOfOneTypeAndOfMixedTypes() {
        let keyed = (0..<1_000).map { Keyed(n: $0) }
        #expect(NSArray(array: keyed).filtered(using: large) as? [Keyed] == Array(keyed[2...]))
        let mixed: [Any] = [Keyed(n: 2), Plain(n: 0), ["n": 5] as [String: Any], NSDictionary(dictionary: ["n": 1])]
        #expect(NSArray(array: mixed).filtered(using: large).count == 2)
        let rows: [[String: Any]] = (0..<500).map { ["n": $0] }
        #expect(NSArray(array: rows).filtered(using: large).count == 498)
    }

    /// Foundation's own method, as of a program that does not import this module, element by element.
    @Test func foundationsMethodTakesOurObjects() {
        let predicate: Foundation.NSPredicate = large
        #expect(NSArray(array: [Plain(n: 1), Plain(n: 2)]).filtered(using: predicate) as? [Plain] == [Plain(n: 2)])
    }

    @Test func oneElementThatEndsInAnErrorIsLeftOut() {
        let rows: [[String: Any]] = [["n": 5], ["n": "x"], ["n": 7]]
        let (kept, errors) = TestSettings.gathering { NSArray(array: rows).filtered(using: large) }
        #expect(kept.count == 2)
        #expect(errors.count == 1)
    }

    @Test func closuresAreCalledForEachElement() {
        let odd = NSPredicate { object, _ in (object as? Int).map { $0 % 2 == 1 } ?? false }
        #expect(NSArray(array: [1, 2, 3]).filtered(using: odd) as? [Int] == [1, 3])
    }
}
