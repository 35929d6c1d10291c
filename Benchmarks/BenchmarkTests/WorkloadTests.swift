import BenchmarkWorkload
import Foundation
import PredicateEvaluation
import PredicateSyntax
import Testing

/// The generated people and the predicates over them.
@Suite struct WorkloadTests {
    private let people = PersonGenerator.people(20_000)

    @Test func theSameSeedMakesTheSamePeople() {
        #expect(PersonGenerator.people(100).map(\.json) == people.prefix(100).map(\.json))
        #expect(PersonGenerator.people(100, seed: 1).map(\.json) != people.prefix(100).map(\.json))
        // Written down, so that a change of the generator is seen: old results would no longer compare.
        #expect(people.first?.json == Self.first)
    }

    private static let first =
        #"{"name":"Johanna Walker","age":48,"email":"johanna.walker4696@post.example.com","score":19.742,"#
        + #""tags":["security"],"active":true,"created":"2017-07-26T03:10:33Z","dept":{"name":"Engineering"}}"#

    @Test func sharesAreThoseOfTheWorkload() {
        let accented = people.count { !$0.name.utf8.allSatisfy { $0 < 0x80 } }
        #expect((1_800...2_200).contains(accented))
        #expect(people.allSatisfy { $0.name == $0.name.precomposedStringWithCanonicalMapping })
        #expect(people.allSatisfy { $0.tags.count <= 4 && (0..<100).contains($0.age) })
        let bytes = people.reduce(0) { $0 + $1.email.utf8.count } / people.count
        #expect((24...32).contains(bytes))
    }

    @Test(arguments: WorkloadPredicate.all.map(\.id))
    func everyFormSaysWhatIsTrue(_ id: String) throws {
        let predicate = try #require(WorkloadPredicate.all.first { $0.id == id })
        let people = people.prefix(2_000)
        let truth = people.map(predicate.truth)
        let evaluator = try PredicateEvaluator(predicate.parsed())
        #expect(try people.map { try evaluator.evaluate(with: $0) } == truth)
        #expect(try people.map { try evaluator.evaluate(with: $0.dictionary) } == truth)
        #expect(try people.map { try evaluator.evaluate(with: $0.record) } == truth)
        #expect(try PersonObject.objects(Array(people)).map { try evaluator.evaluate(with: $0) } == truth)
    }

    /// A predicate that matches no person would prove nothing. The rarest matches seven in a hundred thousand.
    @Test(arguments: WorkloadPredicate.all.map(\.id))
    func predicatesHoldForSomebody(_ id: String) throws {
        let truth = try #require(WorkloadPredicate.all.first { $0.id == id }).truth
        let people = PersonGenerator().lazy.prefix(100_000)
        #expect(people.contains(where: truth) && !people.allSatisfy(truth))
    }
}
