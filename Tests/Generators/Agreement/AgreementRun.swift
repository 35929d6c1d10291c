import PredicateSQL
import PredicateSyntax

/// A run of random predicates: what the evaluator selects against what the file selects.
///
/// `AgreementRun(seed: 1).run(worlds: 0..<200)`: a hundred predicates for each world; the same seed and numbers of worlds
/// give the same predicates.
package struct AgreementRun {
    package let seed: UInt64
    /// After so many differences the run ends.
    package var patience = 12

    package init(seed: UInt64) {
        self.seed = seed
    }

    /// Predicates that are asked of one world.
    package static let predicatesPerWorld = 100

    /// The worlds for so many predicates.
    package static func worlds(forPredicates count: Int) -> Range<Int> {
        0..<((max(count, 1) + predicatesPerWorld - 1) / predicatesPerWorld)
    }

    package func run(worlds: Range<Int>) throws -> AgreementReport {
        var report = AgreementReport()
        try forEachPredicate(of: worlds) { bench, predicate, entity in
            let verdict = bench.verdict(predicate, about: entity)
            report.add(verdict)
            if case .disagreed = verdict { report.failures.append(failure(bench.world, predicate, entity, .exact)) }
            // What is refused must come out right with a residual.
            if case .refused = verdict {
                let second = bench.verdict(predicate, about: entity, by: .residual)
                report.addResidual(second)
                if case .disagreed = second {
                    report.failures.append(failure(bench.world, predicate, entity, .residual))
                }
            }
            return report.failures.count < patience
        }
        return report
    }

    /// Calls a closure with every predicate of some worlds, for as long as it wants more.
    package func forEachPredicate(
        of worlds: Range<Int>, _ body: (AgreementBench, PredicateNode, String) throws -> Bool
    ) throws {
        for number in worlds {
            var random = RandomSource(seed: seed &* 0x1_0000_0001 &+ UInt64(number))
            var generator = WorldGenerator(seed: random.next())
            let bench = try AgreementBench(generator.world())
            var predicates = PredicateGenerator(seed: random.next(), world: bench.world)
            for _ in 0..<Self.predicatesPerWorld {
                let entity = random.any(of: bench.world.entityNames) ?? ""
                guard try body(bench, predicates.predicate(about: entity), entity) else { return }
            }
        }
    }

    private func failure(
        _ world: AgreementWorld, _ predicate: PredicateNode, _ entity: String, _ translation: Translation
    ) -> AgreementFailure {
        var shrinker = AgreementShrinker(entity: entity, translation: translation)
        let (world, predicate) = shrinker.shrink(world, predicate)
        return AgreementFailure(world: world, predicate: predicate, entity: entity, translation: translation)
    }
}

/// The outcome of a run.
package struct AgreementReport {
    package var predicates = 0
    package var agreed = 0
    /// Predicates that selected some rows and not all.
    package var selective = 0
    package var refused: [String: Int] = [:]
    /// Of those refused, the ones that agreed with a residual.
    package var agreedWithResidual = 0
    package var unjudged = 0
    package var rows = 0
    package var unjudgedRows = 0
    package var failures: [AgreementFailure] = []

    package init() {}

    package mutating func add(_ verdict: AgreementVerdict) {
        predicates += 1
        switch verdict {
        case .agreed(let selected, let rows, let unjudged):
            agreed += 1
            if selected > 0, selected < rows { selective += 1 }
            self.rows += rows
            unjudgedRows += unjudged
        case .refused(let reason): refused[reason, default: 0] += 1
        case .unjudged: unjudged += 1
        case .disagreed: break
        }
    }

    package mutating func addResidual(_ verdict: AgreementVerdict) {
        if case .agreed = verdict { agreedWithResidual += 1 }
    }

    /// This report and another one together.
    package func adding(_ other: AgreementReport) -> AgreementReport {
        var sum = self
        sum.predicates += other.predicates
        sum.agreed += other.agreed
        sum.selective += other.selective
        sum.refused.merge(other.refused, uniquingKeysWith: +)
        sum.agreedWithResidual += other.agreedWithResidual
        sum.unjudged += other.unjudged
        sum.rows += other.rows
        sum.unjudgedRows += other.unjudgedRows
        sum.failures += other.failures
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
            """
    }
}

/// A difference that has been made small.
package struct AgreementFailure: CustomStringConvertible {
    package let world: AgreementWorld
    package let predicate: PredicateNode
    package let entity: String
    package let translation: Translation

    /// As a conformance record, with the tables behind it.
    package var description: String {
        var lines = [
            "case     the evaluator and SQLite differ (\(translation.name))", "format   \(predicate.predicateFormat)",
        ]
        guard let bench = try? AgreementBench(world) else { return lines.joined(separator: "\n") }
        let answers = bench.answers(predicate, about: entity)
        for (number, answer) in answers.sorted(by: { $0.key < $1.key }) {
            lines.append("row      \(text(number))   \(answer.map { "\($0)" } ?? "error")")
        }
        if case .disagreed(let difference) = bench.verdict(predicate, about: entity, by: translation) {
            lines.append("sqlite   \(difference.statement?.text ?? "")")
            lines.append("bindings \(difference.statement?.bindings ?? [])")
            lines.append(
                difference.error ?? "missing \(difference.missing.sorted()), surplus \(difference.surplus.sorted())")
        }
        return (lines + tables).joined(separator: "\n")
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
