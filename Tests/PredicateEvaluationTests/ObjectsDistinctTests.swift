import PredicateEvaluation
import PredicateGenerators
import PredicateSyntax
import Testing

/// Sets under the equality of the language: what is equal hashes alike, and what is not seldom does.
@Suite struct ObjectsDistinctTests {
    /// Equal and unequal values of every kind, each as data and as a live collection where it is one.
    private static var values: [KeyedValue] {
        var random = RandomValue(random: RandomSource(seed: 3))
        let plain: [PredicateValue] =
            (0..<150).map { _ in random.constant(depth: 3) } + [
                [1, 2], [1.0, 2], [true, 2], [.decimal(1), 2], [[1], [2]], [[1.0], [2.0]], ["a": 1], ["a": 1.0],
                ["a": [1, 2], "b": .null], ["b": .nullObject, "a": [1.0, 2]], .orderedSet([1, 2]), .set([1, 1.0, 2]),
                .set([1, 2]), 9_007_199_254_740_993, 9_007_199_254_740_992.0, [9_007_199_254_740_993],
                [9_007_199_254_740_992.0],
            ]
        let mixed: [[AnyHashable: Any]] = [
            [1: "a", "b": [1, 2]], [1.0: "a", "b": [1.0, 2]], [true: "a", "b": [1, 2]], [1: "a", "b": [1, 3]], [1: "a"],
        ]
        return plain.map(\.keyedValue) + plain.map(live) + mixed.map { KeyedValue(bridging: $0) }
    }

    /// The value as a live collection or dictionary.
    private static func live(_ value: PredicateValue) -> KeyedValue {
        switch value {
        case .array(let elements): .collection(KeyedCollection(elements.map(\.keyedValue), kind: .array))
        case .dictionary(let entries): .object(entries.mapValues { $0 as Any })
        default: value.keyedValue
        }
    }

    @Test func whatIsEqualHashesAlike() {
        var equal = 0
        let values = Self.values
        for left in values {
            for right in values where isEqual(left, right) {
                equal += 1
                #expect(DistinctValue(left).hashValue == DistinctValue(right).hashValue, "\(left) \(right)")
            }
        }
        #expect(equal > values.count)
    }

    @Test func whatDiffersSeldomDoes() {
        let rows: [PredicateValue] = (0..<1_000).flatMap { number in
            [[.integer(number), "x"], ["a": .integer(number)], [["a": [.integer(number)]]]] as [PredicateValue]
        }
        let hashes = Set(rows.map { DistinctValue($0.keyedValue).hashValue })
        #expect(hashes.count > 2_900)
    }

    /// The answer is that of comparing each with each.
    @Test func distinctKeepsTheFirstOfEach() {
        let values = Self.values
        let kept = values.distinct
        var expected: [KeyedValue] = []
        for value in values where !expected.contains(where: { isEqual($0, value) }) { expected.append(value) }
        #expect(kept.count == expected.count)
        #expect(zip(kept, expected).allSatisfy { $0.descriptionText == $1.descriptionText })
    }
}
