import NSPredicates
import PredicateConversion
import PredicateSyntax
import Testing

/// NSSortDescriptor by the name of a key: order, direction, selectors, collections.
@Suite struct SortDescriptorTests {
    private struct File: Hashable {
        var name: String
        var size: Int?
    }

    private let files = [File(name: "b10", size: 2), File(name: "B2", size: nil), File(name: "a", size: 10)]

    private func names(_ descriptors: NSSortDescriptor...) -> [String] {
        NSArray(array: files).sortedArray(using: descriptors).compactMap { ($0 as? File)?.name }
    }

    @Test func byValue() {
        #expect(names(NSSortDescriptor(key: "name", ascending: true)) == ["B2", "a", "b10"])
        #expect(names(NSSortDescriptor(key: "size", ascending: true)) == ["B2", "b10", "a"])
        #expect(names(NSSortDescriptor(key: "size", ascending: false)) == ["a", "b10", "B2"])
        #expect(names(NSSortDescriptor(keyPath: \File.name, ascending: false)) == ["b10", "a", "B2"])
    }

    @Test func byAKeyPathWhoseValuesAreNotComparable() {
        #expect(names(NSSortDescriptor(keyPath: \File.size, ascending: true)) == ["B2", "b10", "a"])
        #expect(names(NSSortDescriptor(keyPath: \File.size, ascending: false)) == ["a", "b10", "B2"])
        #expect(NSSortDescriptor(keyPath: \File.size, ascending: true).key == "size")
    }

    @Test func theComparatorComparesValuesOfTheKey() {
        let own = NSSortDescriptor(key: "name", ascending: true) { left, _ in
            left is Int ? .orderedAscending : .orderedDescending
        }
        #expect(own.comparator(21, 42) == .orderedAscending && own.comparator("a", "b") == .orderedDescending)
        let folded = NSSortDescriptor(key: "name", ascending: false, selector: Selector("caseInsensitiveCompare:"))
        #expect(folded.comparator("A", "a") == .orderedSame && folded.comparator("a", "B") == .orderedAscending)
        #expect(NSSortDescriptor(key: "size", ascending: true).comparator(10, 9.5) == .orderedDescending)
    }

    private final class House {
        let inhabitants: [File] = []
        let owner: File? = nil
    }

    @Test func aKeyPathHasANameWhereValuesHaveNoOrder() {
        #expect(NSSortDescriptor(keyPath: \House.inhabitants, ascending: true).key == "inhabitants")
        #expect((try? SortKey(NSSortDescriptor(keyPath: \House.inhabitants, ascending: true))) == nil)
        #expect(NSSortDescriptor(keyPath: \House.owner?.name, ascending: true).key == "owner.name")
    }

    @Test func bySelector() {
        func names(_ selector: Selector) -> [String] {
            self.names(NSSortDescriptor(key: "name", ascending: true, selector: selector))
        }
        #expect(names("caseInsensitiveCompare:") == ["a", "b10", "B2"])
        #expect(names(Selector("localizedStandardCompare:")) == ["a", "B2", "b10"])
        #expect(names(NSSelectorFromString("compare:")) == ["B2", "a", "b10"])
        #expect(names("localizedCaseInsensitiveCompare:") == ["a", "b10", "B2"])
    }

    @Test func byClosure() {
        let byLength = NSSortDescriptor(key: "name", ascending: true) { left, right in
            let (left, right) = ((left as? String ?? "").count, (right as? String ?? "").count)
            return left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
        }
        #expect(names(byLength) == ["a", "B2", "b10"])
        #expect(byLength.selector == nil)
        #expect((try? SortKey(byLength)) == nil)
    }

    @Test func theObjectItself() {
        let numbers = NSMutableArray(array: [3, 1, 2])
        numbers.sort(using: [NSSortDescriptor(key: nil, ascending: false)])
        #expect(numbers as? [Int] == [3, 2, 1])
        #expect(
            NSSet(array: ["b", "a"]).sortedArray(using: [NSSortDescriptor(key: "self", ascending: true)]) as? [String]
                == ["a", "b"])
    }

    @Test func partsEqualityAndReversal() throws {
        let name = NSSortDescriptor(key: "name", ascending: true, selector: "caseInsensitiveCompare:")
        #expect(name.key == "name")
        #expect(name.selector == "caseInsensitiveCompare:")
        #expect(name == NSSortDescriptor(key: "name", ascending: true, selector: "caseInsensitiveCompare:"))
        #expect(name != NSSortDescriptor(key: "name", ascending: true))
        let reversed = name.reversedSortDescriptor as? NSSortDescriptor
        #expect(reversed?.ascending == false)
        #expect(reversed?.compare(files[0], to: files[2]) == .orderedAscending)
        #expect(NSSortDescriptor(keyPath: \File.name, ascending: true).key == "name")
        #expect(try SortKey(name) == SortKey("name", options: .caseInsensitive))
    }

    /// Swift's own descriptor, as Foundation converts it.
    @Test func ofADescriptorOfSwift() {
        #expect(
            names(NSSortDescriptor(SortDescriptor(\File.name, comparator: .lexical, order: .reverse))) == [
                "b10", "a", "B2",
            ])
    }

    @Test func asAnOrderOfAFetch() throws {
        #expect(try SortKey(NSSortDescriptor(key: "name", ascending: false)) == SortKey("name", ascending: false))
        #expect(try SortKey(NSSortDescriptor(keyPath: \File.size, ascending: true)) == SortKey("size"))
        for refused in [
            NSSortDescriptor(key: nil, ascending: true),
            NSSortDescriptor(key: "name", ascending: true, selector: "localizedStandardCompare:"),
        ] {
            #expect(throws: PredicateConversionError.self) { try SortKey(refused) }
        }
    }

    @Test func valuesWithoutAnOrderFollowThePolicy() {
        let mixed: [Any] = [["a": 1], ["a": "x"]]
        let (sorted, errors) = TestSettings.gathering {
            NSArray(array: mixed).sortedArray(using: [NSSortDescriptor(key: "a", ascending: true)])
        }
        #expect(sorted.count == 2)
        #expect(!errors.isEmpty)
    }
}
