import Foundation
import PredicateAgreement
import PredicateEvaluation
import PredicateGenerators
import PredicateQuery
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Differential test: the rows of queries over a file are those of the same queries over the objects in memory. [NSP-513]
@Suite struct QueryAgreementTests {
    @Test func rowsAreThoseOfMemory() throws {
        var random = RandomSource(seed: 17)
        var (agreed, inSQL, inPart, failed) = (0, 0, 0, 0)
        var traits = EngineTraits.sqlite
        traits.indexesFolds = false
        for seed in 1...60 {
            var generator = WorldGenerator(seed: UInt64(seed), traits: traits)
            let bench = try AgreementBench(generator.world())
            let file = try WorldFile(bench.world)
            let store = try ObjectStore(file.connection, schema: bench.world.schema, context: .ofAgreement)
            let compiler = SQLCompiler(schema: bench.world.schema, calendarZone: .gmt)
            var questions = QueryQuestions(bench, seed: UInt64(seed))
            for _ in 0..<12 {
                let (entity, query) = questions.next(&random)
                let statement = try? compiler.compile(query, entity: entity)
                if let statement { if statement.remainder == nil { inSQL += 1 } else { inPart += 1 } }
                let objects = (bench.graph.objects[entity] ?? []).sorted { GroupJudge.compare($0.key, $1.key) < 0 }
                guard let wanted = try? objects.results(of: query, context: .ofAgreement),
                    wanted.rows.joined().allSatisfy(\.isExact)
                else {
                    failed += 1
                    continue
                }
                guard let found = Self.rows(of: query, entity, store) else { continue }
                #expect(found.columns == wanted.columns, "world \(seed), \(entity): \(query)")
                #expect(
                    found.rows.map { $0.map(\.comparable) } == wanted.rows.map { $0.map(\.comparable) },
                    "world \(seed), \(entity): \(query)\n\(statement.map { "\($0)" } ?? "objects")")
                agreed += 1
            }
        }
        print("queries: \(agreed) agreed, \(inSQL) in SQL, \(inPart) in part, \(failed) failed in memory")
        #expect(agreed > 400)
        #expect(inSQL > 150)
        #expect(inPart > 80)
    }

    private static func rows(of query: FormatQuery, _ entity: String, _ store: ObjectStore) -> QueryResults? {
        do {
            return try store.results(of: query, from: entity)
        } catch {
            Issue.record("\(entity): \(query)\n\(error)")
            return nil
        }
    }
}

/// Random queries about the entities of a world.
private struct QueryQuestions {
    private let world: AgreementWorld
    private var expressions: PredicateGenerator

    init(_ bench: AgreementBench, seed: UInt64) {
        world = bench.world
        expressions = PredicateGenerator(seed: seed, world: bench.world)
        expressions.makesDateFunctions = true
    }

    private static let aggregates: [ResultKey.Aggregate] = [
        .count, .countDistinct, .sum, .average, .minimum, .maximum, .median, .standardDeviation, .percentile(25),
    ]

    mutating func next(_ random: inout RandomSource) -> (entity: String, query: FormatQuery) {
        let name = random.one(of: world.entityNames)
        let paths = paths(from: name)
        var query = FormatQuery((0..<(1 + random.below(3))).map { ResultKey(random.one(of: paths), as: "k\($0)") })
        if random.percent(30) { query.keys?.append(ResultKey(expressions.rowExpression(of: name), as: "e")) }
        if random.percent(50) { group(&query, name, &random) }
        query.isDistinct = random.percent(20)
        for key in query.keys ?? [] where random.percent(40) { query.sortKeys.append(order(key.name, &random)) }
        if query.groups == nil, random.percent(20) { query.sortKeys.append(order(random.one(of: paths), &random)) }
        if random.percent(15), let key = query.keys.flatMap({ random.any(of: $0) }) {
            query.limitByKey = FormatQuery.LimitByKey(1 + random.below(2), by: [ResultKey(key.name)])
        }
        switch random.below(4) {
        case 0: query.page = .last(random.below(4))
        case 1: query.page = .first(limit: random.below(6), offset: random.below(3))
        default: break
        }
        return (name, query)
    }

    /// Groups by some of the results, and replaces the others by aggregates.
    private mutating func group(_ query: inout FormatQuery, _ name: String, _ random: inout RandomSource) {
        var (keys, groups): ([ResultKey], [ResultKey]) = ([], [])
        for key in query.keys ?? [] {
            switch key.content {
            case _ where random.percent(50):
                groups.append(key)
                if random.percent(80) { keys.append(key) }
            case .keyPath(let path):
                keys.append(ResultKey(key.name, .aggregate(random.one(of: Self.aggregates), of: path)))
            case .expression(let expression):
                keys.append(.aggregate(random.one(of: Self.aggregates), of: expression, as: key.name))
            case .count, .aggregate, .aggregateOfExpression: keys.append(key)
            }
        }
        (query.keys, query.groups) = (keys + [.count(as: "n")], groups)
        if random.percent(40) { query.having = PredicateKey("n") > Int64(random.below(3)) }
    }

    private func order(_ name: String, _ random: inout RandomSource) -> SortKey {
        SortKey(
            name, ascending: random.percent(60), options: random.percent(20) ? .caseInsensitive : [],
            nils: random.any(of: [nil, .first, .last]) ?? nil, isNumeric: random.percent(10))
    }

    private func paths(from name: String) -> [String] {
        var paths = world.entity(name).attributes.keys.sorted()
        for (key, relationship) in world.entity(name).sortedRelationships where !relationship.isToMany {
            paths += world.entity(relationship.destination).attributes.keys.sorted().map { "\(key).\($0)" }
        }
        return paths
    }
}

extension PredicateValue {
    /// False for a decimal number with so many digits that a sum of it may be rounded.
    fileprivate var isExact: Bool {
        if case .decimal(let number) = self { "\(number)".utf8.count { $0 != UInt8(ascii: ".") } < 37 } else { true }
    }

    /// The value as SQLite has it: without NaN, and with one zero.
    fileprivate var comparable: PredicateValue {
        guard case .double(let number) = self else { return self }
        return number.isNaN ? .null : .double(number + 0)
    }
}
