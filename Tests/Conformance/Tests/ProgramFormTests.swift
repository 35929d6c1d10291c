import PredicateConformance
import PredicateEvaluation
import PredicateReference
import PredicateSyntax
import Testing

/// Every recorded predicate holds in all forms of evaluation: one dictionary or record, and batches.
@Suite struct ProgramFormTests {
    @Test(arguments: DataFiles.cases)
    func allFormsAgree(path: String) throws {
        for group in Self.groups(try ConformanceSuite.load(path: path).evaluations) {
            let comparison = ReferenceComparison(
                group.node, variables: PredicateVariables(group.variables), registry: ConformanceEvaluation.registry)
            let layout = KeyedRecord.Layout(Set(group.objects.flatMap(\.keys)).sorted(), toleratesMissingKeys: true)
            let records = group.objects.map { KeyedRecord(layout, $0) }
            // Batches take the vectorized form from some two hundred objects on.
            let times = 200 / group.objects.count + 1
            let differences = [
                comparison.difference(group.objects, times: times), comparison.difference(records, times: times),
                comparison.differenceOfFirst(group.objects),
            ]
            for case let difference? in differences { Issue.record("\(group.record): \(difference)") }
        }
    }

    @Test func manyRecordsAreCompared() throws {
        let groups = try DataFiles.cases.map { Self.groups(try ConformanceSuite.load(path: $0).evaluations).count }
        #expect(groups.reduce(0, +) > 250, "\(groups)")
    }

    /// The objects of one record.
    private struct Group {
        let record: String
        let node: PredicateNode
        let variables: [String: PredicateValue]
        var objects: [[String: PredicateValue]]
    }

    /// The evaluations of predicates over dictionaries, by record; not those with limits of their own, and none whose
    /// results change from call to call or depend on the order of a set.
    private static func groups(_ evaluations: [ConformanceEvaluation]) -> [Group] {
        var groups: [Group] = []
        for evaluation in evaluations {
            guard case .predicate(let node) = evaluation.tree, case .dictionary(let object) = evaluation.object,
                evaluation.limits == .standard, evaluation.expectation.endsSoon, !evaluation.tree.changesItsMind,
                !evaluation.tree.makesSets
            else { continue }
            if groups.last?.record == evaluation.record {
                groups[groups.count - 1].objects.append(object)
            } else {
                groups.append(
                    Group(record: evaluation.record, node: node, variables: evaluation.variables, objects: [object]))
            }
        }
        return groups
    }
}

extension ConformanceEvaluation.ExpectedOutcome {
    /// False for errors that are found after as much work as the limits allow.
    fileprivate var endsSoon: Bool {
        switch self {
        case .value, .error(nil): true
        case .error(let name?): ![.exceeds, .patternTooCostly, .resultTooLarge, .nestingTooDeep].contains(name)
        }
    }
}
