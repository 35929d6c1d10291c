import Foundation
import PredicateConversion
import PredicateSyntax
import PredicateTestSupport
import Testing

/// What the language lacks is refused with the name of the node and its place in the printed predicate.
@Suite struct ConversionRefusalTests {
    private func expect(
        _ predicate: Predicate<Animal>, _ description: String, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        do {
            let format = try FormatPredicate(predicate)
            Issue.record("converted to \(format)", sourceLocation: sourceLocation)
        } catch {
            let lines = error.description.split(separator: "\n").filter { !$0.hasPrefix("hint:") }
            #expect(lines.joined(separator: "\n") == description, sourceLocation: sourceLocation)
            #expect(!error.hints.isEmpty, sourceLocation: sourceLocation)
        }
    }

    @Test func nodesHavePlaces() {
        let id = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
        expect(
            #Predicate { $0.age > 1 && $0.tags[0..<1].contains("a") },
            """
            error: cannot convert CollectionRangeSubscript: the language has no slices
              ($0.age > 1) && $0.tags[0 ..< 1].contains("a")
                              ^~~~~~~~~~~~~~~~
            """)
        expect(
            #Predicate { $0.id < id },
            """
            error: cannot convert Comparison: only Swift knows the order of UUID
              $0.id < CAST("00000000-0000-0000-0000-000000000001…
              ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
            """)
        expect(
            #Predicate { $0.thin * 2 > 3 },
            """
            error: cannot convert Arithmetic: the language computes with 64-bit numbers and decimals, not with Float
              ($0.thin * 2.0) > 3.0
               ^~~~~~~~~~~~~
            """)
        expect(
            Predicate { pet in
                let age = PredicateExpressions.build_KeyPath(root: pet, keyPath: \.age)
                let cast = PredicateExpressions.ConditionalCast<_, Double>(age)
                return PredicateExpressions.build_Equal(lhs: cast, rhs: PredicateExpressions.build_Arg(Double?.some(3)))
            },
            """
            error: cannot convert ConditionalCast: the language has no cast from Int to Double
              ($0.age as? Double) == 3.0
               ^~~~~~~~~~~~~~~~~
            """)
        expect(
            #Predicate { $0.friends.contains { $0.tags.starts(with: ["a"]) } },
            """
            error: cannot convert SequenceStartsWith: the language searches strings, not Array<String>
              $0.friends.contains { v1 in v1.tags.starts(with: {"a"}) }
                                          ^~~~~~~~~~~~~~~~~~~~~~~~~~~
            """)
        expect(
            #Predicate { $0.marks.contains { $0.value > 3 } },
            """
            error: cannot convert SequenceContainsWhere: Dictionary<String, Int> is neither an array nor a set
              $0.marks.contains { v1 in v1.value > 3 }
              ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
            """)
    }

    @Test func computedPropertiesHaveNoName() throws {
        let error = try #require(
            PredicateConversionError.thrown {
                try FormatPredicate(#Predicate<Animal> { $0.isYoung })
            })
        guard case .unnamedKeyPath(_, of: "Animal", isClass: false) = error.code else { throw error }
        #expect(error.hints.count == 3)
        #expect(error.text.hasPrefix("$0.<computed"))
        let format = try FormatPredicate(#Predicate<Animal> { $0.isYoung }, names: [\Animal.isYoung: "young"])
        #expect(format.predicateFormat == "young == 1")
    }

    @Test func constantsThatCannotBe() {
        let (limits, great) = ([1, 2], Int.max)
        expect(
            #Predicate { $0.age > limits[5] },
            """
            error: the constant cannot be evaluated: Index 5 was not within the valid bounds of the collection (0 ..< 2)
              $0.age > {1, 2}[5]
                       ^~~~~~~~~
            """)
        expect(
            #Predicate { $0.age > great + 1 },
            """
            error: the result does not fit in its type
              $0.age > (9223372036854775807 + 1)
                        ^~~~~~~~~~~~~~~~~~~~~~~
            """)
        expect(
            #Predicate { pet in limits.contains { $0 + great > pet.age } },
            """
            error: the result does not fit in its type
              {1, 2}.contains { v1 in (v1 + 9223372036854775807) > $0.age }
                                       ^~~~~~~~~~~~~~~~~~~~~~~~
            """)
    }

    @Test func unknownNodesAreNamed() throws {
        let predicate = Predicate<Animal> { pet in
            PredicateExpressions.build_Negation(
                Foreign(inner: PredicateExpressions.build_KeyPath(root: pet, keyPath: \.isTame)))
        }
        expect(
            predicate,
            """
            error: cannot convert Foreign: it is not one of Foundation's nodes
              !Foreign(…)
               ^~~~~~~~~~
            """)
    }

    /// A node of another module.
    private struct Foreign<Inner: StandardPredicateExpression<Bool>>: StandardPredicateExpression {
        let inner: Inner
        func evaluate(_ bindings: PredicateBindings) throws -> Bool { try inner.evaluate(bindings) }
    }

    @Test func depthAndSizeAreBounded() throws {
        func predicate(levels: Int) -> Predicate<Animal> {
            Predicate<Animal> { pet in
                let age: Tree<Int> = PredicateExpressions.build_KeyPath(root: pet, keyPath: \.age)
                let sum = (0..<levels).reduce(age) { sum, _ in Self.increased(sum) }
                return Build.compare(sum, Build.constant(0), .greaterThan)
            }
        }
        #expect(throws: Never.self) { try FormatPredicate(predicate(levels: 50)) }
        #expect(throws: PredicateConversionError.self) { try FormatPredicate(predicate(levels: 120)) }
        let error = try #require(PredicateConversionError.thrown { try FormatPredicate(predicate(levels: 400)) })
        #expect(error.code == .nestingTooDeep(limit: 200))
    }

    @Test func longChainsAreFlat() throws {
        let predicate = Predicate<Animal> { pet in
            let test: any StandardPredicateExpression<Bool> = PredicateExpressions.build_KeyPath(
                root: pet, keyPath: \.isTame)
            return (0..<200).reduce(test) { chain, _ in Self.either(chain, test) }
        }
        #expect(try FormatPredicate(predicate).predicateFormat.hasPrefix("isTame == 1 OR isTame == 1 OR "))
    }

    private static func increased(_ sum: Tree<Int>) -> Tree<Int> { Build.arithmetic(sum, Build.constant(1), .add) }
    private static func either(_ left: Tree<Bool>, _ right: Tree<Bool>) -> Tree<Bool> { Build.or(left, right) }
}
