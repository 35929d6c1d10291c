import Foundation
import PredicateEvaluation
import PredicateGenerators
import PredicateSQL
import PredicateSyntax

/// A change of the rows that a predicate selects: those that an engine changes are those that memory selects, and what is
/// there afterwards is what memory has then.
package struct ChangeQuestion {
    package enum Change {
        case delete
        case update([String: PredicateValue])
    }

    package let predicate: PredicateNode
    package let entity: String
    package let change: Change
    /// Selects rows of the entity after the change.
    package let then: PredicateNode

    package init(predicate: PredicateNode, entity: String, change: Change, then: PredicateNode) {
        (self.predicate, self.entity, self.change, self.then) = (predicate, entity, change, then)
    }
}

/// The outcome of statements that change rows, or fetch them.
package struct ChangeReport {
    package var agreed = 0
    package var refused: [String: Int] = [:]
    package var failures: [String] = []

    package init() {}

    package func adding(_ other: ChangeReport) -> ChangeReport {
        var sum = self
        sum.agreed += other.agreed
        sum.refused.merge(other.refused, uniquingKeysWith: +)
        sum.failures += other.failures
        return sum
    }

    /// The counts in words, and each failure.
    package var summary: String {
        let reasons = refused.sorted { $0.key < $1.key }.map { ", \($0.value) refused (\($0.key))" }.joined()
        return "\(agreed) agreed\(reasons), \(failures.count) differences"
            + failures.map { "\n  \($0)" }.joined()
    }
}

/// Puts changes to an engine.
package struct ChangeRun {
    package let bench: AgreementBench

    package init(bench: AgreementBench) {
        self.bench = bench
    }

    private var dialect: any SQLDialect { bench.engine.dialect }

    /// A change with what memory says of it.
    private struct Trial {
        let change: AgreementChange
        let returnsKeys: Bool
        let keys: Set<SQLBinding>
        let rest: Set<SQLBinding>
        /// True if a column that is NOT NULL would become nil, which ends the statement.
        let isRefused: Bool
    }

    package func run(_ questions: [ChangeQuestion]) -> ChangeReport {
        var report = ChangeReport()
        guard bench.engine.traits.changesRows else { return report }
        var trials: [Trial] = []
        for question in questions {
            for returnsKeys in [false, true] {
                do {
                    if let trial = try trial(question, returnsKeys) { trials.append(trial) }
                } catch {
                    report.refused[(error as? SQLCompilationError)?.reason ?? "\(error)", default: 0] += 1
                }
            }
        }
        for (trial, outcome) in zip(trials, bench.database.outcomes(of: trials.map(\.change))) {
            if let complaint = complaint(outcome, trial) {
                report.failures.append(
                    "\(complaint)\n    \(trial.change.statement.fragment)\n    \(trial.change.then.fragment)")
            } else {
                report.agreed += 1
            }
        }
        return report
    }

    /// Nil where memory has an error for a row.
    private func trial(_ question: ChangeQuestion, _ returnsKeys: Bool) throws -> Trial? {
        let compiler = SQLCompiler(schema: bench.world.schema, dialect: dialect, calendarZone: .gmt)
        let query = try compiler.compile(FormatPredicate(question.predicate), entity: question.entity)
        let statement =
            switch question.change {
            case .delete: try query.delete(returningKeys: returnsKeys)
            case .update(let values): try query.update(values, returningKeys: returnsKeys)
            }
        var functions: Set<SQLFunction> = query.requiredFunctions
        if case .update(let values) = question.change { functions = try query.functions(ofUpdate: values) }
        let then = try compiler.compile(FormatPredicate(question.then), entity: question.entity)
        guard let selected = selected(bench, question.predicate, question.entity) else { return nil }
        let changed = bench.world.applying(question.change, to: selected, of: question.entity, bench.engine.traits)
        guard let rest = Self.selected(AgreementGraph(changed), question.then, question.entity) else { return nil }
        let change = AgreementChange(
            AgreementStatement(statement, prelude: dialect.prelude(for: functions)),
            then: AgreementStatement(then.select, prelude: then.prelude))
        return Trial(
            change: change, returnsKeys: returnsKeys, keys: keys(selected, question.entity),
            rest: keys(rest, question.entity), isRefused: !changed.isStorable(question.entity, bench.engine.traits))
    }

    private func selected(_ bench: AgreementBench, _ predicate: PredicateNode, _ entity: String) -> Set<Int>? {
        let answers = bench.answers(predicate, about: entity)
        let judged = answers.compactMapValues(\.self)
        return judged.count == answers.count ? Set(judged.filter(\.value).keys) : nil
    }

    private static func selected(_ graph: AgreementGraph, _ predicate: PredicateNode, _ entity: String) -> Set<Int>? {
        guard let evaluator = try? PredicateEvaluator(FormatPredicate(predicate), registry: .ofAgreement) else {
            return nil
        }
        let objects = graph.objects[entity] ?? []
        let selected = try? objects.filter { try evaluator.evaluate(.object($0)) }
        return selected.map { Set($0.map(\.number)) }
    }

    private func keys(_ numbers: Set<Int>, _ entity: String) -> Set<SQLBinding> {
        let entity = bench.world.entity(entity)
        return Set(numbers.map { bench.world.storedKey(entity, $0) })
    }

    private func complaint(
        _ outcome: Result<AgreementChange.Outcome, AgreementError>, _ trial: Trial
    ) -> String? {
        switch outcome {
        case .failure(let error): return trial.isRefused || error.isOfARow ? nil : error.description
        case .success where trial.isRefused: return "a value that the column cannot hold"
        case .success(let outcome):
            if outcome.count != trial.keys.count { return "count \(outcome.count), not \(trial.keys.count)" }
            if trial.returnsKeys, Set(outcome.keys) != trial.keys || outcome.keys.count != trial.keys.count {
                return "keys \(outcome.keys), not \(trial.keys)"
            }
            return Set(outcome.rest) == trial.rest ? nil : "afterwards \(outcome.rest), not \(trial.rest)"
        }
    }
}

extension AgreementWorld {
    /// False if a row of an entity has nil for an attribute that must have a value, or an integer that its column cannot hold.
    fileprivate func isStorable(_ name: String, _ traits: EngineTraits) -> Bool {
        let attributes = entity(name).attributes
        return (rows[name] ?? []).allSatisfy { row in
            attributes.allSatisfy { key, attribute in
                guard let cell = row.cells[key] else { return true }
                return cell == .null ? attribute.isNullable : traits.canHold(cell, attribute)
            }
        }
    }

    /// The world after a change of some rows of an entity.
    fileprivate func applying(
        _ change: ChangeQuestion.Change, to numbers: Set<Int>, of name: String, _ traits: EngineTraits
    ) -> AgreementWorld {
        var copy = self
        let graph = AgreementGraph(self)
        switch change {
        case .delete: copy.rows[name]?.removeAll { numbers.contains($0.number) }
        case .update(let values):
            for index in (copy.rows[name] ?? []).indices where numbers.contains(copy.rows[name]?[index].number ?? -1) {
                for (key, value) in values {
                    guard let type = entity(name).attributes[key]?.type else { continue }
                    guard case .expression(let node) = value else {
                        copy.rows[name]?[index].cells[key] = Cell(storing: value, type)
                        continue
                    }
                    // An error of the row leaves the value.
                    let object = rows[name].flatMap { graph.object(name, $0[index].number) }
                    let computed = object.flatMap { object in
                        try? ExpressionEvaluator(FormatExpression(node), registry: .ofAgreement)
                            .value(.object(object)).predicateValue
                    }
                    if let cell = computed.flatMap({ Cell(storing: traits.stored($0), type) }) {
                        copy.rows[name]?[index].cells[key] = cell
                    }
                }
            }
        }
        return copy
    }
}

extension ChangeQuestion {
    /// A random change of the rows that a predicate selects.
    init(_ predicate: PredicateNode, about entity: SQLEntity, _ traits: EngineTraits, _ random: inout RandomSource) {
        let columns = entity.sortedAttributes.filter { key, attribute in
            key != "id" && [.integer, .double, .string, .boolean, .date(.since2001)].contains(attribute.type)
        }
        guard random.percent(60), let (key, attribute) = random.any(of: columns) else {
            self.init(predicate: predicate, entity: entity.name, change: .delete, then: .constant(true))
            return
        }
        if random.percent(50), let computed = Self.value(of: key, attribute.type, entity, &random) {
            let cell = traits.cell(attribute, &random)
            let then = ComparisonPredicate(
                .keyPath(KeyPathExpression(keys: key)), .greaterThan, .constantValue(cell.value))
            self.init(
                predicate: predicate, entity: entity.name, change: .update([key: .expression(computed)]),
                then: .comparison(then))
            return
        }
        let isNil = attribute.isNullable && random.percent(25)
        let cell = isNil ? .null : traits.cell(attribute, &random)
        let then = ComparisonPredicate(
            .keyPath(KeyPathExpression(keys: key)), .equalTo, .constantValue(cell.value))
        self.init(
            predicate: predicate, entity: entity.name, change: .update([key: cell.value]), then: .comparison(then))
    }

    /// A value that is computed from the row.
    private static func value(
        of key: String, _ type: SQLType, _ entity: SQLEntity, _ random: inout RandomSource
    ) -> ExpressionNode? {
        let formats =
            switch type {
            case .integer:
                [
                    "%K + 1", "%K - %K", "%K * 3", "1 - %K", "%K + 9223372036854775807", "%K - one0.id", "%K / 2",
                    "TERNARY(%K > 0, 7, %K + 1)", "TERNARY(%K > 0, %K * 9223372036854775807, nil)",
                ]
            case .double:
                ["%K + 1", "%K * %K", "%K - one0.id", "(%K - %K) * 1e308 * 1e308", "TERNARY(%K == nil, nil, %K * 2)"]
            case .string:
                ["uppercase:(%K)", "TERNARY(%K == nil, 'none', %K)", "one0.s3", "TERNARY(%K == nil, nil, %K)"]
            case .date: ["CAST(CAST(%K, 'NSNumber') * 1000000, 'NSDate')", "TERNARY(%K == nil, %K, nil)"]
            default: [String]()
            }
        let others = entity.sortedAttributes.filter { $0.value.type == type }.map(\.key)
        return random.any(of: formats).flatMap { format in
            let keys = [PredicateValue.string(key), .string(random.any(of: others) ?? key)]
            let count = format.components(separatedBy: "%K").count - 1
            return try? FormatExpression(format: format, arguments: Array(keys.prefix(count))).node
        }
    }
}
