import Foundation
import PredicateAgreement
import PredicateEvaluation
import PredicateGenerators
import PredicateSQL
import PredicateSyntax

/// Asks an engine for the values of random expressions, one for each row and one for each group, and compares them with
/// those of memory, to the last bit but for the sign of zero.
struct ExpressionRun {
    let engine: any AgreementEngine
    let seed: UInt64

    private static let expressionsPerWorld = 24

    /// A statement with the values that memory has for it.
    fileprivate struct Trial {
        let statement: AgreementStatement
        let wanted: [SQLBinding]
        /// True if the statement returns each value once.
        let isDistinct: Bool
        let type: SQLType
        let traits: EngineTraits
    }

    /// The report about a number of worlds.
    func run(worlds count: Int) throws -> ChangeReport {
        var report = ChangeReport()
        for number in 0..<count {
            var random = RandomSource(seed: seed &+ UInt64(number) &* 7_919)
            var generator = WorldGenerator(seed: random.next(), traits: engine.traits)
            let bench = try AgreementBench(generator.world(), engine)
            var expressions = PredicateGenerator(seed: random.next(), world: bench.world)
            expressions.makesDateFunctions = true
            report = report.adding(judge(bench, &expressions, &random, number))
        }
        return report
    }

    private func judge(
        _ bench: AgreementBench, _ expressions: inout PredicateGenerator, _ random: inout RandomSource, _ world: Int
    ) -> ChangeReport {
        var report = ChangeReport()
        var trials: [Trial] = []
        for _ in 0..<Self.expressionsPerWorld {
            let entity = random.any(of: bench.world.entityNames) ?? ""
            let expression = expressions.rowExpression(of: entity)
            do throws(SQLCompilationError) {
                trials += try self.trials(expression, entity, bench)
            } catch {
                report.refused[error.reason, default: 0] += 1
            }
        }
        for (trial, found) in zip(trials, bench.database.keys(selectedBy: trials.map(\.statement))) {
            switch found {
            case .failure(let error) where error.isOfARow: report.refused["an error of a row", default: 0] += 1
            case .failure(let error):
                report.failures.append("world \(world): \(error)\n    \(trial.statement.fragment)")
            case .success(let values):
                if trial.isRight(values.map(trial.comparable)) {
                    report.agreed += 1
                } else {
                    report.failures.append(
                        "world \(world): expected \(trial.wanted)\n    found \(values)\n    \(trial.statement.fragment)"
                    )
                }
            }
        }
        return report
    }

    private func trials(
        _ expression: FormatExpression, _ entity: String, _ bench: AgreementBench
    ) throws(SQLCompilationError) -> [Trial] {
        let compiler = SQLCompiler(schema: bench.world.schema, dialect: engine.dialect, calendarZone: .gmt)
        let query = try compiler.compile(FormatPredicate(.constant(true)), entity: entity)
        let results = [ResultKey(expression, as: "x")]
        let rows = try query.select(results: results)
        guard let type = rows.columns.first?.type, type.isComparable else { return [] }
        let wanted = values(of: expression, entity, bench).map { $0.comparable(as: type, engine.traits) }
        var trials = [
            Trial(
                statement: AgreementStatement(rows.statement, prelude: query.prelude(for: rows.functions)),
                wanted: wanted, isDistinct: false, type: type, traits: engine.traits)
        ]
        if let groups = try? query.select(results: results, .distinct) {
            trials.append(
                Trial(
                    statement: AgreementStatement(groups.statement, prelude: query.prelude(for: groups.functions)),
                    wanted: wanted, isDistinct: true, type: type, traits: engine.traits))
        }
        return trials
    }

    /// The values in memory; NULL for an error.
    private func values(of expression: FormatExpression, _ entity: String, _ bench: AgreementBench) -> [SQLBinding] {
        let objects = bench.graph.objects[entity] ?? []
        guard let evaluator = try? ExpressionEvaluator(expression, registry: .ofAgreement) else {
            return objects.map { _ in .null }
        }
        return objects.map { object in
            let value = try? evaluator.value(.object(object)).predicateValue
            return SQLBinding(value ?? .null)
        }
    }
}

extension ExpressionRun.Trial {
    fileprivate func comparable(_ found: SQLBinding) -> SQLBinding { found.comparable(as: type, traits) }

    fileprivate func isRight(_ found: [SQLBinding]) -> Bool {
        let (found, wanted) = (found.map(\.exact), wanted.map(\.exact))
        if isDistinct { return Set(found) == Set(wanted) && found.count == Set(wanted).count }
        func counts(_ values: [SQLBinding]) -> [SQLBinding: Int] {
            Dictionary(values.map { ($0, 1) }, uniquingKeysWith: +)
        }
        return counts(found) == counts(wanted)
    }
}

extension SQLType {
    /// True if engines return values of the type in one form.
    fileprivate var isComparable: Bool {
        switch self {
        case .integer, .double, .boolean, .string, .date(.since2001): true
        case .single, .paddedString, .decimal, .date, .uuid, .data, .array, .any, .json: false
        }
    }
}

extension SQLBinding {
    /// The bytes of a string: Swift's strings are equal if they are canonically equivalent, those of databases are not.
    fileprivate var exact: SQLBinding {
        if case .text(let text) = self { .blob(Data(text.utf8)) } else { self }
    }

    /// The value of an expression as engines return it.
    fileprivate init(_ value: PredicateValue) {
        switch value {
        case .bool(let value): self = .boolean(value)
        case .integer(let value): self = .integer(value)
        case .double(let value): self = .double(value)
        case .string(let value): self = .text(value)
        case .date(let date): self = .double(date.timeIntervalSinceReferenceDate)
        default: self = .null
        }
    }

    /// Truth as 1 or 0, NaN as a value that equals itself, or as NULL where the database lacks it, and whole numbers as
    /// integers: a column of dates or of PostgreSQL's numeric may hold one, and its driver then returns an integer or digits.
    fileprivate func comparable(as type: SQLType, _ traits: EngineTraits) -> SQLBinding {
        switch self {
        case .boolean(let value): .integer(value ? 1 : 0)
        case .double(let value) where value.isNaN: traits.holdsNaN ? .text("NaN") : .null
        case .double(let value): Int64(exactly: value).map(SQLBinding.integer) ?? self
        case .text(let text): type == .string ? self : Int64(text).map(SQLBinding.integer) ?? self
        case .null, .integer, .blob: self
        }
    }
}
