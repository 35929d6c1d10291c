import PredicateAgreement
import PredicateSyntax
import Testing

/// Mutation test of the differential test: it detects compilers with one mistake.
@Suite struct MutantTests {
    /// A predicate that detects a mutant, and its position in the run.
    private struct Catch {
        let number: Int
        let predicate: PredicateNode
    }

    @Test func everyMutantIsCaught() async throws {
        var caught: [String: Catch] = [:]
        var number = 0
        for world in AgreementRun.worlds(forPredicates: 10_000) where caught.count < Mutants.all.count {
            try AgreementRun(seed: 21).forEachPredicate(of: world..<(world + 1)) { bench, predicate, entity in
                number += 1
                for name in Self.mutants(Mutants.all.filter { caught[$0.name] == nil }, bench, predicate, entity) {
                    caught[name] = Catch(number: number, predicate: predicate)
                }
                return caught.count < Mutants.all.count
            }
            await Task.yield()
        }
        for mutant in Mutants.all {
            guard let found = caught[mutant.name] else {
                Issue.record("\(mutant.name): not caught by \(number) predicates")
                continue
            }
            print("mutant '\(mutant.name)' caught by predicate \(found.number): \(found.predicate.predicateFormat)")
        }
    }

    /// The mutants that a predicate detects: the verdict differs for them, and not for the compiler itself.
    private static func mutants(
        _ mutants: [Translation], _ bench: AgreementBench, _ predicate: PredicateNode, _ entity: String
    ) -> [String] {
        let schema = bench.world.schema
        guard let exact = try? Translation.exact.statement(for: predicate, about: entity, in: schema) else { return [] }
        let others = mutants.filter { mutant in
            let other = try? mutant.statement(for: predicate, about: entity, in: schema, exact: exact)
            return other != nil && other != exact
        }
        guard !others.isEmpty else { return [] }
        let answers = bench.answers(predicate, about: entity)
        guard case .agreed = bench.verdict(predicate, about: entity, answers: answers) else { return [] }
        return others.filter { mutant in
            let verdict = bench.verdict(predicate, about: entity, by: mutant, answers: answers)
            if case .disagreed = verdict { return true }
            return false
        }.map(\.name)
    }
}
