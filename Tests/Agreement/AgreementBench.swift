import Foundation
import PredicateEvaluation
import PredicateSQL
import PredicateSyntax

extension EvaluationRegistry {
    /// The functions that memory and databases both have in these tests: those of dates, in UTC.
    package static let ofAgreement: EvaluationRegistry = {
        var registry = EvaluationRegistry.standard
        registry.registerCalendarFunctions()
        return registry
    }()
}

extension PredicateContext {
    package static let ofAgreement = PredicateContext(registry: .ofAgreement)
}

/// A world in a database and in memory at once, of which predicates are asked.
package final class AgreementBench {
    package let world: AgreementWorld
    package let graph: AgreementGraph
    package let engine: any AgreementEngine
    package let database: any AgreementDatabase

    package init(_ world: AgreementWorld, _ engine: any AgreementEngine = SQLiteEngine()) throws {
        self.world = world
        self.engine = engine
        graph = AgreementGraph(world)
        database = try engine.database(of: world)
    }

    /// The evaluator's result for every object, by index: true, false, or nil for an error.
    package func answers(_ predicate: PredicateNode, about entity: String) -> [Int: Bool?] {
        let objects = graph.objects[entity] ?? []
        guard let evaluator = try? PredicateEvaluator(FormatPredicate(inMemory(predicate)), registry: .ofAgreement)
        else {
            return Dictionary(uniqueKeysWithValues: objects.map { ($0.number, nil) })
        }
        return Dictionary(
            uniqueKeysWithValues: objects.map { ($0.number, try? evaluator.evaluate(.object($0))) })
    }

    /// The predicate with objects where identities stand.
    package func inMemory(_ predicate: PredicateNode) -> PredicateNode {
        predicate.mappingConstants { constant in
            constant.mappingObjects { object in
                guard let id = object.base as? SQLObjectID, let found = self.graph.object(id) else {
                    return .object(object)
                }
                return .object(PredicateObject(found))
            }
        }
    }

    /// The numbers of the rows with these keys.
    private func numbers(of keys: [SQLBinding]) -> Set<Int> {
        var numbers: Set<Int> = []
        for key in keys {
            guard let number = number(of: key) else { continue }
            // A row twice would be wrong too.
            if !numbers.insert(number).inserted { numbers.insert(-1) }
        }
        return numbers
    }

    private func number(of key: SQLBinding) -> Int? {
        switch key {
        case .integer(let value): Int(exactly: value)
        case .text(let text): Int(text.dropFirst("key ".count))
        case .null, .double, .boolean, .blob: nil
        }
    }
}

/// A question to a bench: the predicate, and the way to its statement.
package struct AgreementQuestion: Sendable {
    package let predicate: PredicateNode
    package let entity: String
    package let translation: Translation

    package init(_ predicate: PredicateNode, about entity: String, by translation: Translation) {
        self.predicate = predicate
        self.entity = entity
        self.translation = translation
    }
}

/// The outcome of one predicate.
package enum AgreementVerdict {
    /// Both selected the same of the rows that could be judged.
    case agreed(selected: Int, rows: Int, unjudged: Int)
    /// The compiler refused it, for a reason.
    case refused(String)
    /// The evaluator ended in an error for every row, or the database in one that a row may be the reason for.
    case unjudged
    case disagreed(AgreementDifference)

    package var isDisagreement: Bool {
        if case .disagreed = self { true } else { false }
    }

    /// True if both selected the same of all rows.
    package var isComplete: Bool {
        if case .agreed(_, _, let unjudged) = self { unjudged == 0 } else { false }
    }

    package var isRefusal: Bool {
        if case .refused = self { true } else { false }
    }
}

/// A difference between memory and the database.
package struct AgreementDifference {
    package var statement: SQLFragment?
    /// The message of the database, if it failed.
    package var error: String?
    /// The rows that memory selects and the database does not.
    package var missing: Set<Int> = []
    /// The rows that the database selects and memory does not.
    package var surplus: Set<Int> = []
}

extension AgreementBench {
    /// True if a translation selects the rows that the evaluator selects.
    package func verdict(
        _ predicate: PredicateNode, about entity: String, by translation: Translation = .exact,
        answers known: [Int: Bool?]? = nil
    ) -> AgreementVerdict {
        verdicts([AgreementQuestion(predicate, about: entity, by: translation)], answers: known).first ?? .unjudged
    }

    /// The verdicts about several predicates, which the database is asked at once.
    package func verdicts(
        _ questions: [AgreementQuestion], answers known: [Int: Bool?]? = nil
    ) -> [AgreementVerdict] {
        let cases = questions.map { prepared($0, known) }
        let statements = cases.compactMap { if case .asked(let trial) = $0 { trial.statement } else { nil } }
        var keys = database.keys(selectedBy: statements).makeIterator()
        return zip(questions, cases).map { question, preparation in
            switch preparation {
            case .decided(let verdict): verdict
            case .asked(let trial): compare(trial, question, keys.next())
            }
        }
    }

    /// A statement to ask, with what memory says.
    private struct Trial {
        let statement: AgreementStatement
        let residual: FormatPredicate?
        let judged: [Int: Bool]
        let rows: Int
    }

    private enum Preparation {
        case decided(AgreementVerdict)
        case asked(Trial)
    }

    private func prepared(_ question: AgreementQuestion, _ known: [Int: Bool?]?) -> Preparation {
        let query: SQLQuery
        do {
            query = try question.translation.query(for: question.predicate, about: question.entity, in: world.schema)
        } catch {
            return .decided(.refused((error as? SQLCompilationError)?.reason ?? "\(error)"))
        }
        let answers = known ?? answers(question.predicate, about: question.entity)
        let judged = answers.compactMapValues(\.self)
        if judged.isEmpty, !answers.isEmpty { return .decided(.unjudged) }
        let statement = AgreementStatement(question.translation.changed(query.select), prelude: query.prelude)
        return .asked(Trial(statement: statement, residual: query.residual, judged: judged, rows: answers.count))
    }

    private func compare(
        _ trial: Trial, _ question: AgreementQuestion, _ keys: Result<[SQLBinding], AgreementError>?
    ) -> AgreementVerdict {
        let fragment = trial.statement.fragment
        var selected: Set<Int>
        switch keys ?? .failure(AgreementError("no answer")) {
        case .success(let keys): selected = numbers(of: keys)
        // Where memory has an error for a row, a database has one for the whole statement; and it may look at more rows
        // than memory does, which stops at the first part of an AND that does not hold.
        case .failure(let error):
            return error.isOfARow
                ? .unjudged : .disagreed(AgreementDifference(statement: fragment, error: error.description))
        }
        if let residual = trial.residual {
            let rest = self.answers(residual.node, about: question.entity)
            selected = selected.filter { rest[$0] != .some(.some(false)) }
        }
        let wanted = Set(trial.judged.filter(\.value).keys)
        // A comparison does not hold for a row for which it is an error; -1 stands for a row that was selected twice.
        let errorsCount = trial.residual == nil && question.predicate.isSimple
        let surplus = selected.subtracting(wanted).filter { trial.judged[$0] == false || $0 == -1 || errorsCount }
        let missing = wanted.subtracting(selected)
        guard surplus.isEmpty, missing.isEmpty else {
            return .disagreed(AgreementDifference(statement: fragment, missing: missing, surplus: surplus))
        }
        return .agreed(selected: wanted.count, rows: trial.rows, unjudged: trial.rows - trial.judged.count)
    }
}

extension PredicateNode {
    /// True of one comparison without predicates inside: where an operand is an error, so is the whole.
    fileprivate var isSimple: Bool {
        guard case .comparison(let comparison) = self, comparison.modifier == .direct else { return false }
        return [comparison.leftExpression, comparison.rightExpression].allSatisfy(\.isWithoutPredicates)
    }
}

extension ExpressionNode {
    fileprivate var isWithoutPredicates: Bool {
        TreeNode.expression(self).children.allSatisfy { child in
            if case .expression(let expression) = child { expression.isWithoutPredicates } else { false }
        }
    }
}

extension SQLCompilationError {
    /// The reason in a word or two: the name of the case.
    package var reason: String {
        if case .notExpressible(let obstacle) = code { return "\(obstacle)".caseName }
        return "\(code)".caseName
    }
}

extension String {
    fileprivate var caseName: String { String(prefix { $0 != "(" }) }
}
