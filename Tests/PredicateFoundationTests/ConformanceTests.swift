import NSPredicates
import PredicateConformance
import PredicateEvaluation
import PredicateReference
import PredicateSyntax
import Testing

@testable import PredicateFoundation

/// The records and the facts of the conformance data through NSPredicate and NSExpression: the same answers, and the same errors.
@Suite struct ConformanceTests {
    @Test("objects give the recorded answers", arguments: DataFiles.all)
    func recordedAnswers(path: String) throws {
        for evaluation in try ConformanceSuite.load(path: path).evaluations where evaluation.limits == .standard {
            let found = Self.answer(of: evaluation, evaluation.tree)
            #expect(evaluation.expectation.isMet(by: found), "\(evaluation.id): \(found)")
            guard let parsed = evaluation.tree.parsedAgain else { continue }
            let again = Self.answer(of: evaluation, parsed)
            #expect(evaluation.expectation.isMet(by: again), "\(evaluation.id), by its print: \(again)")
        }
    }

    /// The second evaluation runs the program that the first one made.
    @Test("the program for the type of an Any answers as the plan does", arguments: DataFiles.all)
    func openedObjects(path: String) throws {
        for evaluation in try ConformanceSuite.load(path: path).evaluations where evaluation.limits == .standard {
            guard case .predicate(let node) = evaluation.tree,
                !Self.changing.contains(where: node.predicateFormat.contains),
                let evaluator = try? PredicateEvaluator(
                    FormatPredicate(node), registry: ConformanceEvaluation.registry)
            else { continue }
            let variables = PredicateVariables(evaluation.variables)
            for object in [KeyedValue.value(evaluation.object).foundationObject, evaluation.object] as [Any?] {
                let plan = Result { () throws(EvaluationError) in
                    try evaluator.evaluate(KeyedValue(bridging: object), variables: variables)
                }
                for _ in 0..<2 {
                    let opened = Result { () throws(EvaluationError) in
                        try evaluator.evaluate(with: object, variables: variables)
                    }
                    #expect(opened == plan, "\(evaluation.id)")
                }
            }
        }
    }

    /// Functions with another result in each call.
    private static let changing = ["random", "now()"]

    @Test func fewRecordsArePassedOver() throws {
        let all = try DataFiles.all.flatMap { try ConformanceSuite.load(path: $0).evaluations }
        let judged = all.filter { $0.limits == .standard }
        #expect(judged.count > 2_200)
        #expect(judged.count { $0.tree.parsedAgain != nil } > 1_900)
    }

    /// The answer of the object for a tree; the evaluated object and the variables are Foundation's and Swift's own.
    private static func answer(of evaluation: ConformanceEvaluation, _ tree: TreeNode) -> Answer {
        let object = KeyedValue.value(evaluation.object).foundationObject
        let variables = evaluation.variables.mapValues { KeyedValue.value($0).foundationObject ?? NSNull() }
        switch tree {
        case .predicate(let node):
            let predicate = NSPredicate(FormatPredicate(node))
            let (holds, errors) = TestSettings.gathering {
                predicate.evaluate(with: object, substitutionVariables: variables)
            }
            return Answer(value: holds, error: errors.first)
        case .expression(let node):
            let expression = NSExpression(FormatExpression(node))
            let context = NSMutableDictionary(dictionary: variables)
            let (value, errors) = TestSettings.gathering { expression.expressionValue(with: object, context: context) }
            return Answer(value: value, error: errors.first)
        }
    }
}

/// What an evaluation ended in.
private struct Answer: CustomStringConvertible {
    let value: Any?
    let error: (any Error)?

    var description: String { error.map { "\($0)" } ?? "\(String(describing: value))" }
}

extension ConformanceEvaluation.ExpectedOutcome {
    fileprivate func isMet(by answer: Answer) -> Bool {
        switch (self, answer.error) {
        case (.value(let value), nil): isEqual(KeyedValue(bridging: answer.value), value.keyedValue)
        case (.error(let name?), let error as EvaluationError): name == EvaluationErrorName(error.code)
        case (.error(nil), .some): true
        case (.value, .some), (.error, _): false
        }
    }
}

extension TreeNode {
    /// The tree that `format:` makes of the print; nil where the print does not say the same.
    fileprivate var parsedAgain: TreeNode? {
        switch self {
        case .predicate(let node):
            guard let parsed = try? FormatPredicate(format: node.predicateFormat, arguments: []), parsed.node == node
            else { return nil }
            return .predicate(FormatPredicate(NSPredicate(format: node.predicateFormat)).node)
        case .expression(let node):
            guard let parsed = try? FormatExpression(format: node.expressionFormat, arguments: []), parsed.node == node
            else { return nil }
            return .expression(FormatExpression(NSExpression(format: node.expressionFormat)).node)
        }
    }
}

/// The conformance data beside these tests.
private enum DataFiles {
    static let all: [String] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Conformance")
        let cases = FileManager.default.enumerator(atPath: folder.path + "/Cases")?.compactMap { $0 as? String } ?? []
        return cases.filter { $0.hasSuffix(".cases") }.sorted().map { folder.path + "/Cases/" + $0 }
            + [folder.path + "/Facts/cases.jsonl"]
    }()
}
