import PredicateGenerators
import PredicateSQL
import PredicateSyntax

/// A run of random predicates: what the evaluator selects against what an engine selects.
///
/// `AgreementRun(seed: 1).run(worlds: 0..<200)`: a hundred predicates for each world; the same seed and numbers of worlds
/// give the same predicates.
package struct AgreementRun {
    package let seed: UInt64
    package let engine: any AgreementEngine
    /// After so many differences the run ends.
    package var patience = 12

    package init(seed: UInt64, engine: any AgreementEngine = SQLiteEngine()) {
        self.seed = seed
        self.engine = engine
    }

    /// Predicates that are asked of one world.
    package static let predicatesPerWorld = 100

    /// The worlds for so many predicates.
    package static func worlds(forPredicates count: Int) -> Range<Int> {
        0..<((max(count, 1) + predicatesPerWorld - 1) / predicatesPerWorld)
    }

    package func run(worlds: Range<Int>) throws -> AgreementReport {
        var report = AgreementReport()
        for number in worlds where report.failures.count < patience {
            report = report.adding(try run(world: number))
        }
        return report
    }

    /// Asks all predicates of a world; those that are refused must come out right with a residual.
    package func run(world number: Int) throws -> AgreementReport {
        var report = AgreementReport()
        let (bench, predicates) = try world(number)
        let exact = predicates.map { AgreementQuestion($0.predicate, about: $0.entity, by: .exact(engine.dialect)) }
        let verdicts = bench.verdicts(exact)
        for (question, verdict) in zip(exact, verdicts) { report.add(verdict, about: question.predicate) }
        let residual = zip(predicates, verdicts).filter(\.1.isRefusal).map { predicate, _ in
            AgreementQuestion(predicate.predicate, about: predicate.entity, by: .residual(engine.dialect))
        }
        let second = bench.verdicts(residual)
        for verdict in second { report.addResidual(verdict) }
        for (question, verdict) in zip(exact + residual, verdicts + second) where verdict.isDisagreement {
            guard report.failures.count < patience else { break }
            report.failures.append(failure(number, bench, question))
        }
        report.changes = changes(number, bench, zip(predicates, verdicts).filter(\.1.isComplete).map(\.0))
        return report
    }

    /// Changes of what some predicates select, of those that were judged for every row.
    private func changes(
        _ number: Int, _ bench: AgreementBench, _ predicates: [(predicate: PredicateNode, entity: String)]
    ) -> ChangeReport {
        var random = RandomSource(seed: seed ^ UInt64(number))
        let questions = predicates.prefix(Self.changesPerWorld).map { predicate, entity in
            ChangeQuestion(predicate, about: bench.world.entity(entity), engine.traits, &random)
        }
        var report = ChangeRun(bench: bench).run(questions)
        report.failures = report.failures.map { "\($0)\n    world \(number)" }
        return report
    }

    private static let changesPerWorld = 3

    /// Calls a closure with every predicate of some worlds, for as long as it wants more.
    package func forEachPredicate(
        of worlds: Range<Int>, _ body: (AgreementBench, PredicateNode, String) throws -> Bool
    ) throws {
        for number in worlds {
            let (bench, predicates) = try world(number)
            for (predicate, entity) in predicates {
                guard try body(bench, predicate, entity) else { return }
            }
        }
    }

    /// A world in the engine, and the predicates about it, with their entities.
    private func world(
        _ number: Int
    ) throws -> (bench: AgreementBench, predicates: [(predicate: PredicateNode, entity: String)]) {
        let (world, predicates) = questions(world: number, engine.traits)
        return (try AgreementBench(world, engine), predicates)
    }

    /// A world that an engine can hold, and the predicates about it, with their entities.
    package func questions(
        world number: Int, _ traits: EngineTraits
    ) -> (world: AgreementWorld, predicates: [(predicate: PredicateNode, entity: String)]) {
        var random = RandomSource(seed: seed &* 0x1_0000_0001 &+ UInt64(number))
        var generator = WorldGenerator(seed: random.next(), traits: traits)
        let world = generator.world()
        var predicates = PredicateGenerator(seed: random.next(), world: world)
        predicates.makesDateFunctions = true
        let all = (0..<Self.predicatesPerWorld).map { _ in
            let entity = random.any(of: world.entityNames) ?? ""
            return (predicates.predicate(about: entity), entity)
        }
        return (world, all)
    }

    private func failure(_ number: Int, _ bench: AgreementBench, _ question: AgreementQuestion) -> AgreementFailure {
        var shrinker = AgreementShrinker(engine: engine, entity: question.entity, translation: question.translation)
        let (world, predicate) = shrinker.shrink(bench.world, question.predicate)
        return AgreementFailure(
            world: world, question: AgreementQuestion(predicate, about: question.entity, by: question.translation),
            engine: engine, replay: "make engines ENGINE=\(engine.name) SEED=\(seed) WORLD=\(number)")
    }
}

/// The outcome of a run.
package struct AgreementReport {
    package var predicates = 0
    package var agreed = 0
    /// Predicates that selected some rows and not all.
    package var selective = 0
    package var refused: [String: Int] = [:]
    /// For each reason a few predicates, the shortest.
    package var refusedFormats: [String: [String]] = [:]
    /// Of those refused, the ones that agreed with a residual.
    package var agreedWithResidual = 0
    package var unjudged = 0
    package var rows = 0
    package var unjudgedRows = 0
    package var failures: [AgreementFailure] = []
    /// Updates and deletes of what predicates select.
    package var changes = ChangeReport()

    package init() {}

    package mutating func add(_ verdict: AgreementVerdict, about predicate: PredicateNode) {
        predicates += 1
        switch verdict {
        case .agreed(let selected, let rows, let unjudged):
            agreed += 1
            if selected > 0, selected < rows { selective += 1 }
            self.rows += rows
            unjudgedRows += unjudged
        case .refused(let reason):
            refused[reason, default: 0] += 1
            addExample(predicate.predicateFormat, of: reason)
        case .unjudged: unjudged += 1
        case .disagreed: break
        }
    }

    package mutating func addResidual(_ verdict: AgreementVerdict) {
        if case .agreed = verdict { agreedWithResidual += 1 }
    }

    private mutating func addExample(_ format: String, of reason: String) {
        let formats = Set((refusedFormats[reason] ?? []) + [format])
        refusedFormats[reason] = Array(formats.sorted { ($0.utf8.count, $0) < ($1.utf8.count, $1) }.prefix(3))
    }

    /// This report and another one together.
    package func adding(_ other: AgreementReport) -> AgreementReport {
        var sum = self
        sum.predicates += other.predicates
        sum.agreed += other.agreed
        sum.selective += other.selective
        sum.refused.merge(other.refused, uniquingKeysWith: +)
        for (reason, formats) in other.refusedFormats { for format in formats { sum.addExample(format, of: reason) } }
        sum.agreedWithResidual += other.agreedWithResidual
        sum.unjudged += other.unjudged
        sum.rows += other.rows
        sum.unjudgedRows += other.unjudgedRows
        sum.failures += other.failures
        sum.changes = changes.adding(other.changes)
        return sum
    }

    /// The counts in words.
    package var summary: String {
        let refusals = refused.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }
        return """
            \(predicates) predicates, \(agreed) agreed (\(selective) of them selective), \
            \(refused.values.reduce(0, +)) refused (\(agreedWithResidual) of them agreed with a residual), \(unjudged) not judged, \(failures.count) differences; \
            \(unjudgedRows) of \(rows) rows not judged
            refused: \(refusals.joined(separator: ", "))
            changes: \(changes.summary)
            """
    }
}

/// A difference that has been made small.
package struct AgreementFailure: CustomStringConvertible {
    package let world: AgreementWorld
    package let question: AgreementQuestion
    package let engine: any AgreementEngine
    /// The command that finds it again.
    package let replay: String

    private var entity: String { question.entity }

    /// As a conformance record, with the tables behind it.
    package var description: String {
        var lines = [
            "case     the evaluator and \(engine.name) differ (\(question.translation.name))",
            "format   \(question.predicate.predicateFormat)",
        ]
        guard let bench = try? AgreementBench(world, engine) else { return lines.joined(separator: "\n") }
        let answers = bench.answers(question.predicate, about: entity)
        for (number, answer) in answers.sorted(by: { $0.key < $1.key }) {
            lines.append("row      \(text(number))   \(answer.map { "\($0)" } ?? "error")")
        }
        if case .disagreed(let difference)? = bench.verdicts([question]).first { lines += text(of: difference) }
        return (lines + ["replay   \(replay)"] + tables).joined(separator: "\n")
    }

    private func text(of difference: AgreementDifference) -> [String] {
        [
            "\(engine.name)   \(difference.statement?.description ?? "")",
            difference.error ?? "missing \(difference.missing.sorted()), surplus \(difference.surplus.sorted())",
        ]
    }

    private func text(_ number: Int) -> String {
        let row = world.rows[entity]?.first { $0.number == number }
        let cells = (row?.cells ?? [:]).filter { $0.value != .null }.sorted { $0.key < $1.key }
        return "\(number): {" + cells.map { "\"\($0.key)\": \($0.value.value)" }.joined(separator: ", ") + "}"
    }

    private var tables: [String] {
        world.entityNames.flatMap { name -> [String] in
            let entity = world.entity(name)
            let attributes = entity.sortedAttributes.map {
                "\($0.key): \($0.value.type)\($0.value.isNullable ? "?" : "")"
            }
            let relationships = entity.sortedRelationships.map { "\($0.key): \($0.value)" }
            let rows = (world.rows[name] ?? []).map { row in
                "  \(row.number) \(row.cells.filter { $0.value != .null }.mapValues(\.stored)) \(row.links)"
            }
            return ["\(name) (\((attributes + relationships).joined(separator: ", ")))"] + rows
        } + world.pairs.map { "\($0.key): \($0.value.map { "\($0.source)-\($0.target)" })" }
    }
}
