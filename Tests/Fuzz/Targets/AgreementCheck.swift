import PredicateAgreement
import PredicateGenerators
import PredicateSQL
import PredicateSyntax

/// The rows that SQLite selects are those that the evaluator selects, or the compiler refuses.
struct AgreementCheck {
    private static let worlds = WorldShelf()
    private let bench: AgreementBench?
    private let predicate: PredicateNode?
    private let entity: String

    /// The first byte names a world, the others choose the predicate.
    init(_ bytes: [UInt8]) {
        let bench = Self.worlds.bench(number: bytes.first ?? 0)
        var source = RandomSource(bytes: bytes.dropFirst())
        self.bench = bench
        guard let bench else {
            (predicate, entity) = (nil, "")
            return
        }
        entity = source.any(of: bench.world.entityNames) ?? ""
        var predicates = PredicateGenerator(random: source, world: bench.world)
        predicate = predicates.predicate(about: entity)
    }

    func run() throws(FuzzFinding) {
        guard let bench, let predicate else { throw FuzzFinding("no database can be made") }
        try check(bench.verdict(predicate, about: entity), bench, predicate)
        if case .refused = bench.verdict(predicate, about: entity) {
            try check(bench.verdict(predicate, about: entity, by: .residual(SQLiteDialect())), bench, predicate)
        }
    }

    private func check(
        _ verdict: AgreementVerdict, _ bench: AgreementBench, _ predicate: PredicateNode
    ) throws(FuzzFinding) {
        guard case .disagreed(let difference) = verdict else { return }
        let print = predicate.predicateFormat
        throw FuzzFinding(
            """
            \(print) about \(entity): \(difference.statement?.description ?? "") \
            \(difference.error ?? "missing \(difference.missing.sorted()), surplus \(difference.surplus.sorted())")
            """)
    }
}

/// Worlds that are made once and asked often: as many as a byte has values.
private final class WorldShelf: @unchecked Sendable {
    private var benches: [UInt8: AgreementBench] = [:]

    func bench(number: UInt8) -> AgreementBench? {
        if let bench = benches[number] { return bench }
        // A few worlds are open at a time.
        if benches.count >= 16 { benches = [:] }
        var generator = WorldGenerator(seed: UInt64(number))
        benches[number] = try? AgreementBench(generator.world())
        return benches[number]
    }
}
