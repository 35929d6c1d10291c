import Foundation
import PredicateAgreement
import PredicateEvaluation
import PredicateGenerators
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Differential test: random orders and pages are those of the same request over the same objects in memory.
@Suite struct SortAgreementTests {
    @Test func ordersAndPagesAreThoseOfMemory() throws {
        var random = RandomSource(seed: 11)
        var (agreed, refused) = (0, 0)
        let traits = EngineTraits.sqlite.withoutJSON
        for seed in 200...320 {
            var generator = WorldGenerator(seed: UInt64(seed), traits: traits)
            let world = generator.world()
            let graph = AgreementGraph(world)
            let file = try WorldFile(world)
            let store = try ObjectStore(file.connection, schema: world.schema)
            for _ in 0..<10 {
                let request = Self.request(world, &random)
                guard let wanted = try? Self.memory(request, graph) else { continue }
                if let found = try Self.found(request, store) {
                    #expect(found.objects == wanted, "world \(seed): \(request)")
                    #expect(found.ids == wanted, "world \(seed): \(request)")
                    agreed += 1
                } else {
                    refused += 1
                }
            }
        }
        print("orders: \(agreed) agreed, \(refused) refused")
        #expect(agreed > 600)
        #expect(refused < 300)
    }

    /// The primary keys that the store finds; nil for an order that SQL refuses: that of arrays, and of decimals that are
    /// stored as strings.
    private static func found(
        _ request: PredicateFetchRequest, _ store: ObjectStore
    ) throws(StoreError) -> (objects: [PredicateValue], ids: [PredicateValue])? {
        do throws(StoreError) {
            return (try store.fetchAll(request).map(\.id.key), try store.fetchIDs(request).map(\.key))
        } catch {
            guard case .compilation(let reason) = error.code else { throw error }
            switch reason.code {
            case .notExpressible, .incomparable: return nil
            default: throw error
            }
        }
    }

    private static let options: [ComparisonOptions] = [
        [], [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
    ]

    private static func request(_ world: AgreementWorld, _ random: inout RandomSource) -> PredicateFetchRequest {
        let name = random.one(of: world.entityNames)
        var request = PredicateFetchRequest(name)
        var paths = world.entity(name).attributes.keys.sorted()
        for (key, relationship) in world.entity(name).sortedRelationships {
            guard !relationship.isToMany else { continue }
            let destination = relationship.destination
            paths += world.entity(destination).attributes.keys.sorted().map { "\(key).\($0)" }
        }
        for _ in 0..<(1 + random.below(3)) {
            let options = random.one(of: Self.options)
            request.sortKeys.append(
                SortKey(
                    random.one(of: paths), ascending: random.percent(50), options: options,
                    nils: random.pick(nil, .first, .last)))
        }
        if random.percent(40) { request.limit = random.below(6) }
        if random.percent(40) { request.offset = random.below(4) }
        return request
    }

    /// The primary keys of the objects; those that the sort keys leave equal are in the order of their keys.
    private static func memory(_ request: PredicateFetchRequest, _ graph: AgreementGraph) throws -> [PredicateValue] {
        let byKey = PredicateFetchRequest(request.entity, sortKeys: [SortKey("id")])
        let objects = (graph.objects[request.entity] ?? []).map { KeyedValue.object($0) }
        return try request.selection(from: byKey.selection(from: objects)).compactMap { object in
            if case .object(let object as AgreementObject) = object { object.key } else { nil }
        }
    }
}
