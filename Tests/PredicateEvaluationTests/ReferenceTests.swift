import PredicateEvaluation
import PredicateGenerators
import PredicateReference
import PredicateSyntax
import Testing

/// Every way to evaluate a predicate says what the reference says, which walks the tree and knows no other way.
@Suite struct ReferenceTests {
    private static let layout = KeyedRecord.Layout(LanguageSample.keys.names)
    private static let samples: [LanguageSample] = {
        var random = RandomSource(seed: 5)
        return (0..<24).map { _ in LanguageSample(&random) }
    }()
    private static var variables: PredicateVariables {
        [
            "n": 2, "t": "jo", "k": "age", "p": "pets",
            "e": PredicateValue.expression(.keyPath(KeyPathExpression([.key("rank")]))),
        ]
    }

    /// Predicates in the whole language, so many of a seed.
    private static func comparisons(_ seed: UInt64, _ count: Int) throws -> [ReferenceComparison] {
        var formats = LanguageFormats(seed: seed)
        return try (0..<count).map { _ in
            ReferenceComparison(try FormatPredicate(format: formats.next(), arguments: []).node, variables: variables)
        }
    }

    @Test(arguments: 0..<6) func structs(seed: UInt64) throws {
        for comparison in try Self.comparisons(seed, 200) {
            // Batches go another way from some two hundred objects on.
            #expect(comparison.difference(Self.samples, times: 9) == nil)
            #expect(comparison.differenceOfFirst(Self.samples) == nil)
        }
    }

    @Test(arguments: 100..<104) func dictionaries(seed: UInt64) throws {
        let data = Self.samples.map(\.data)
        let rows = data.map { $0.mapValues { $0 as Any } }
        for comparison in try Self.comparisons(seed, 150) {
            #expect(comparison.difference(data, times: 9) == nil)
            #expect(comparison.difference(rows, times: 9) == nil)
            #expect(comparison.difference(data.map(PredicateValue.dictionary)) == nil)
        }
    }

    @Test(arguments: 200..<204) func records(seed: UInt64) throws {
        let records = Self.samples.map { KeyedRecord(Self.layout, $0.data) }
        for comparison in try Self.comparisons(seed, 150) {
            #expect(comparison.difference(records, times: 9) == nil)
        }
    }

    @Test func allCores() throws {
        for comparison in try Self.comparisons(300, 40) {
            #expect(comparison.concurrentDifference(Self.samples, times: 400) == nil)
        }
    }

    /// The predicates and objects that programs are tested with: every kind of property, and few operators.
    @Test(arguments: 0..<4) func storedProperties(seed: UInt64) throws {
        var (formats, random) = (RandomFormats(seed: seed), RandomSource(seed: seed))
        let samples = (0..<20).map { _ in Sample(&random) }
        let rows = samples.map(\.row)
        let objects = samples.map(SampleObject.init)
        for _ in 0..<200 {
            guard let node = try? FormatPredicate(format: formats.next(), arguments: []).node else { continue }
            let comparison = ReferenceComparison(node, variables: Self.variables)
            #expect(comparison.difference(samples, times: 10) == nil)
            #expect(comparison.difference(rows) == nil)
            #expect(comparison.difference(objects, times: 10) == nil)
        }
    }

    /// Trees of every shape, most of which make no sense: the errors are the same.
    @Test func anyTree() throws {
        var trees = RandomTree(seed: 6)
        for _ in 0..<4_000 {
            let node = trees.predicate(depth: 3)
            if TreeNode.predicate(node).changesItsMind || TreeNode.predicate(node).makesSets { continue }
            let comparison = ReferenceComparison(node, variables: Self.variables)
            #expect(comparison.difference(Array(Self.samples.prefix(3))) == nil)
        }
    }
}
