import Foundation
import PredicateAgreement
import PredicateEvaluation
import PredicateGenerators
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Differential test: values of objects, distinct rows and groups, their order and their pages, are those that plain Swift
/// and the evaluator work out over the same objects in memory.
@Suite struct ResultAgreementTests {
    @Test func resultsAreThoseOfMemory() throws {
        var random = RandomSource(seed: 7)
        var (tally, computed) = (Tally(), Tally())
        // Rows come in the order of an index if one has all that is read; memory has those of the table.
        var traits = EngineTraits.sqlite.withoutJSON
        traits.indexesFolds = false
        for seed in 1...120 {
            var generator = WorldGenerator(seed: UInt64(seed), traits: traits)
            let bench = try AgreementBench(generator.world())
            let file = try WorldFile(bench.world)
            let store = try ObjectStore(file.connection, schema: bench.world.schema, context: .ofAgreement)
            var none: PredicateGenerator?
            for _ in 0..<12 {
                let question = ResultQuestion(bench, &none, &random)
                tally.add(try question.verdict(store, bench), question, seed)
            }
            var expressions = Optional(PredicateGenerator(seed: UInt64(seed), world: bench.world))
            expressions?.makesDateFunctions = true
            var others = RandomSource(seed: UInt64(seed))
            for _ in 0..<12 {
                let question = ResultQuestion(bench, &expressions, &others)
                computed.add(try question.verdict(store, bench), question, seed)
            }
        }
        print("results: \(tally); with expressions: \(computed)")
        #expect(tally.agreed > 700)
        #expect(tally.withSeveralRows > 400)
        #expect(tally.refused < 500)
        #expect(computed.agreed > 400)
    }

    private struct Tally: CustomStringConvertible {
        var (agreed, withSeveralRows, refused, failed) = (0, 0, 0, 0)

        mutating func add(_ verdict: ResultQuestion.Verdict, _ question: ResultQuestion, _ seed: Int) {
            switch verdict {
            case .agreed(let rows):
                agreed += 1
                if rows > 1 { withSeveralRows += 1 }
            case .refused: refused += 1
            case .failed: failed += 1
            case .differed(let found, let wanted):
                Issue.record("world \(seed): \(question)\n  found \(found)\n  wanted \(wanted)")
            }
        }

        var description: String {
            "\(agreed) agreed, \(withSeveralRows) with rows, \(refused) refused, \(failed) failed"
        }
    }
}

/// A random request for results.
private struct ResultQuestion: CustomStringConvertible {
    enum Verdict {
        case agreed(rows: Int)
        /// The compiler refused it as one that SQL does not say exactly.
        case refused
        /// A sum overflows.
        case failed
        case differed(found: [[String: PredicateValue]], wanted: [[String: PredicateValue]])
    }

    let entity: String
    var results: [ResultKey] = []
    var rows = ResultRows.all
    var request: PredicateFetchRequest

    var description: String { "\(entity) \(results) \(rows) \(request)" }

    /// Creates a question, with expressions if there is a generator of them.
    init(_ bench: AgreementBench, _ expressions: inout PredicateGenerator?, _ random: inout RandomSource) {
        entity = random.one(of: bench.world.entityNames)
        request = PredicateFetchRequest(entity)
        let paths = Self.paths(from: bench.world.entity(entity), in: bench.world)
        switch random.below(4) {
        case 0:
            results = Self.keys(paths, 1 + random.below(3), &random)
            addExpression(&expressions, &random)
        case 1:
            results = Self.keys(paths, 1 + random.below(2), &random)
            addExpression(&expressions, &random)
            rows = .distinct
        default:
            var groups = (0..<random.below(3)).map { _ in random.one(of: paths) }
            results = (0..<(1 + random.below(3))).map { Self.aggregate("r\($0)", paths, &random) }
            if let expression = Self.expression(of: entity, &expressions, &random) {
                results.append(ResultKey(expression, as: "e"))
                groups.append("e")
            }
            if let expression = Self.expression(of: entity, &expressions, &random) {
                results.append(.aggregate(random.one(of: Self.aggregates), of: expression, as: "x"))
            }
            for (index, path) in groups.enumerated() where path != "e" && random.percent(70) {
                results.append(ResultKey(path, as: "g\(index)"))
            }
            rows = .grouped(by: groups)
        }
        for key in results where random.percent(40) {
            request.sortKeys.append(
                SortKey(key.name, ascending: random.percent(60), nils: random.any(of: [nil, .first, .last]) ?? nil))
        }
        if random.percent(40) { request.limit = random.below(6) }
        if random.percent(30) { request.offset = random.below(3) }
        if random.percent(60) { addHaving(bench, &random) }
    }

    private mutating func addExpression(_ expressions: inout PredicateGenerator?, _ random: inout RandomSource) {
        guard let expression = Self.expression(of: entity, &expressions, &random) else { return }
        results.append(ResultKey(expression, as: "e"))
    }

    /// Returns an expression in half of the cases; nil without a generator.
    private static func expression(
        of entity: String, _ expressions: inout PredicateGenerator?, _ random: inout RandomSource
    ) -> FormatExpression? {
        guard expressions != nil, random.percent(50) else { return nil }
        return expressions?.rowExpression(of: entity)
    }

    private static let aggregates: [ResultKey.Aggregate] = [
        .count, .countDistinct, .sum, .average, .minimum, .maximum, .median, .standardDeviation, .percentile(90),
        .joined(separator: ", "),
    ]

    /// Attributes, to-one relationships, and their attributes.
    private static func paths(from entity: SQLEntity, in world: AgreementWorld) -> [String] {
        var paths = entity.attributes.keys.sorted()
        for (key, relationship) in entity.sortedRelationships {
            guard !relationship.isToMany else { continue }
            let destination = relationship.destination
            paths.append(key)
            paths += world.entity(destination).attributes.keys.sorted().map { "\(key).\($0)" }
        }
        return paths
    }

    private static func keys(_ paths: [String], _ count: Int, _ random: inout RandomSource) -> [ResultKey] {
        (0..<count).map { ResultKey(random.one(of: paths), as: "k\($0)") }
    }

    private static func aggregate(_ name: String, _ paths: [String], _ random: inout RandomSource) -> ResultKey {
        if random.percent(20) { return .count(as: name) }
        return ResultKey(name, .aggregate(random.one(of: aggregates), of: random.one(of: paths)))
    }

    /// A condition on the values that the groups have.
    private mutating func addHaving(_ bench: AgreementBench, _ random: inout RandomSource) {
        guard case .grouped(let groups, _) = rows, let found = try? memory(bench, havingAside: true) else { return }
        let terms = (0..<(1 + random.below(2))).compactMap { _ -> FormatPredicate? in
            guard let name = results.map(\.name).randomElement(using: &random),
                let value = random.any(of: found.compactMap { $0[name] })
            else { return nil }
            let key = PredicateKey(name)
            let term =
                switch (value, random.below(3)) {
                case (.integer, 0), (.double, 0), (.string, 0), (.date, 0): key.isLess(than: value)
                case (.integer, 1), (.double, 1), (.string, 1), (.date, 1): key.isAtLeast(value)
                default: key.isEqual(to: value)
                }
            return random.percent(40) ? !term : term
        }
        guard let first = terms.first else { return }
        let condition = terms.dropFirst().reduce(first) { random.percent(50) ? $0 && $1 : $0 || $1 }
        rows = .grouped(by: groups, having: condition)
    }
}

extension PredicateKey {
    fileprivate func isLess(than value: PredicateValue) -> FormatPredicate { self < value }
    fileprivate func isAtLeast(_ value: PredicateValue) -> FormatPredicate { self >= value }
}

// MARK: - Both answers

extension ResultQuestion {
    func verdict(_ store: ObjectStore, _ bench: AgreementBench) throws -> Verdict {
        let found: [[String: PredicateValue]]
        do {
            found = try store.fetchDictionaries(request, results, rows)
        } catch {
            switch error.code {
            case .compilation(let error) where error.isRefusal: return .refused
            case .sqlite where error.message == "integer overflow": return .failed
            default: throw error
            }
        }
        guard let wanted = try? memory(bench) else { return .failed }
        return isSame(found, wanted) ? .agreed(rows: found.count) : .differed(found: found, wanted: wanted)
    }

    /// Without sort keys and pages the order is any.
    private func isSame(_ found: [[String: PredicateValue]], _ wanted: [[String: PredicateValue]]) -> Bool {
        guard request.sortKeys.isEmpty, request.limit == nil, (request.offset ?? 0) == 0 else { return found == wanted }
        func counts(_ rows: [[String: PredicateValue]]) -> [[String: PredicateValue]: Int] {
            Dictionary(rows.map { ($0, 1) }, uniquingKeysWith: +)
        }
        return counts(found) == counts(wanted)
    }

    /// The rows that memory has.
    func memory(_ bench: AgreementBench, havingAside: Bool = false) throws -> [[String: PredicateValue]] {
        let objects = (bench.graph.objects[entity] ?? []).sorted { GroupJudge.compare($0.key, $1.key) < 0 }
        var found: [(row: [String: PredicateValue], keys: [PredicateValue])]
        switch rows {
        case .all: found = try objects.map { (try row([$0]), [$0.key]) }
        case .distinct: found = try groups(objects, by: results)
        case .grouped(let paths, _):
            found = try groups(
                objects,
                by: paths.map { path in
                    results.first { $0.name == path && $0.isExpression } ?? ResultKey(path)
                })
        }
        if case .grouped(_, let having?) = rows, !havingAside {
            found = try found.filter { try having.evaluate(with: $0.row) }
        }
        found.sort { left, right in
            for key in request.sortKeys {
                let (first, second) = (left.row[key.keyPath] ?? .null, right.row[key.keyPath] ?? .null)
                if let order = key.orders(first, second) { return order }
            }
            for (first, second) in zip(left.keys, right.keys) {
                if let order = SortKey("").orders(first, second) { return order }
            }
            return false
        }
        return found.dropFirst(request.offset ?? 0).prefix(request.limit ?? found.count).map(\.row)
    }

    private func groups(
        _ objects: [AgreementObject], by paths: [ResultKey]
    ) throws -> [(row: [String: PredicateValue], keys: [PredicateValue])] {
        if paths.isEmpty { return [(try row(objects), [])] }
        var order: [[PredicateValue]] = []
        var groups: [[PredicateValue]: [AgreementObject]] = [:]
        for object in objects {
            let keys = try paths.map { try Self.value($0, of: [object]) }
            if groups[keys.map(GroupJudge.key)] == nil { order.append(keys) }
            groups[keys.map(GroupJudge.key), default: []].append(object)
        }
        return try order.map { (try row(groups[$0.map(GroupJudge.key)] ?? []), $0) }
    }

    private func row(_ objects: [AgreementObject]) throws -> [String: PredicateValue] {
        var row: [String: PredicateValue] = [:]
        for key in results { row[key.name] = try Self.value(key, of: objects) }
        return row
    }

    private static func value(_ key: ResultKey, of objects: [AgreementObject]) throws -> PredicateValue {
        switch key.content {
        case .keyPath(let path): return try objects.first.map { try value(path, of: $0) } ?? .null
        case .count: return .integer(Int64(objects.count))
        case .aggregate(let aggregate, let path):
            return try judged(aggregate, objects.map { try value(path, of: $0) })
        case .expression(let expression): return try objects.first.map { try value(expression, of: $0) } ?? .null
        case .aggregateOfExpression(let aggregate, let expression):
            return try judged(aggregate, objects.map { try value(expression, of: $0) })
        }
    }

    /// A question without a result is left out.
    private struct NoResult: Error {}

    private static func judged(_ aggregate: ResultKey.Aggregate, _ values: [PredicateValue]) throws -> PredicateValue {
        guard let result = GroupJudge(values).result(aggregate) else { throw NoResult() }
        if case .double(let number) = result, number.isNaN { return .null }
        return result
    }

    /// The value of an expression; nil for an error and for NaN, as in SQLite.
    private static func value(_ expression: FormatExpression, of object: AgreementObject) throws -> PredicateValue {
        let evaluator = try ExpressionEvaluator(expression, registry: .ofAgreement)
        switch try? evaluator.value(.object(object)) {
        case .object(let object as AgreementObject)?:
            return SQLObjectID(object.entity, key: object.key).predicateValue
        case let value?:
            if case .value(.double(let number)) = value, number.isNaN { return .null }
            return value.predicateValue ?? .null
        case nil: return .null
        }
    }

    private static func value(_ path: String, of object: AgreementObject) throws -> PredicateValue {
        let evaluator = try ExpressionEvaluator(FormatExpression(.keyPath(KeyPathExpression(keys: path))))
        switch try evaluator.value(.object(object)) {
        case .object(let object as AgreementObject):
            return SQLObjectID(object.entity, key: object.key).predicateValue
        case let value: return value.predicateValue ?? .null
        }
    }
}

extension ResultKey {
    fileprivate var isExpression: Bool {
        if case .expression = content { true } else { false }
    }
}

extension SQLCompilationError {
    /// True for what has no exact SQL, or no order, or is no number.
    fileprivate var isRefusal: Bool {
        switch code {
        case .notExpressible, .expected, .incomparable: true
        case .notAColumn: true
        default: false
        }
    }
}

extension SortKey {
    /// True if the left value comes first, nil if neither does.
    fileprivate func orders(_ left: PredicateValue, _ right: PredicateValue) -> Bool? {
        switch (left == .null, right == .null) {
        case (true, true): return nil
        case (true, false): return putsNilFirst
        case (false, true): return !putsNilFirst
        case (false, false): break
        }
        let order = GroupJudge.compare(left.orderedKey, right.orderedKey)
        return order == 0 ? nil : (order < 0) == ascending
    }
}

extension PredicateValue {
    /// The primary key of an object, by which groups of it are ordered.
    fileprivate var orderedKey: PredicateValue {
        if case .object(let object) = self, let id = object.base as? SQLObjectID { id.key } else { self }
    }
}
