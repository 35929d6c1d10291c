import Foundation
import PredicateAgreement
import PredicateEvaluation
import PredicateGenerators
import PredicateSQL
import PredicateSyntax

/// Asks an engine for aggregates of random groups and for random orders, and compares them with what plain arithmetic says,
/// to the last bit. [NSP-510] [NSP-512]
struct GroupRun {
    let engine: any AgreementEngine
    let seed: UInt64

    private static let questionsPerWorld = 40

    private static let aggregates: [ResultKey.Aggregate] = [
        .count, .countDistinct, .sum, .sum, .average, .average, .minimum, .maximum, .median, .standardDeviation,
        .percentile(30), .joined(separator: ", "),
    ]

    /// A statement with what it returns.
    private struct Trial {
        let statement: AgreementStatement
        let wanted: [PredicateValue]
        let isOrdered: Bool
        /// True if a sum exceeds 64 bits, which is an error but in SQLite.
        let isError: Bool
    }

    /// The report about a number of worlds.
    func run(worlds count: Int) throws -> ChangeReport {
        var report = ChangeReport()
        for number in 0..<count {
            var random = RandomSource(seed: seed &+ UInt64(number) &* 6_271)
            var generator = WorldGenerator(seed: random.next(), traits: engine.traits.withoutJSON)
            let bench = try AgreementBench(generator.world(), engine)
            report = report.adding(judge(bench, &random, number))
        }
        return report
    }

    private func judge(_ bench: AgreementBench, _ random: inout RandomSource, _ world: Int) -> ChangeReport {
        var report = ChangeReport()
        var trials: [Trial] = []
        for _ in 0..<Self.questionsPerWorld {
            do throws(SQLCompilationError) {
                let trial = random.percent(70) ? try group(bench, &random) : try order(bench, &random)
                if let trial { trials.append(trial) }
            } catch {
                report.refused[error.reason, default: 0] += 1
            }
        }
        for (trial, found) in zip(trials, bench.database.keys(selectedBy: trials.map(\.statement))) {
            if let complaint = complaint(trial, found) {
                report.failures.append("world \(world): \(complaint)\n    \(trial.statement.fragment)")
            } else {
                report.agreed += 1
            }
        }
        return report
    }

    // MARK: Questions

    private func group(_ bench: AgreementBench, _ random: inout RandomSource) throws(SQLCompilationError) -> Trial? {
        let entity = bench.world.entity(random.any(of: bench.world.entityNames) ?? "")
        let paths = entity.attributes.keys.sorted()
        guard let path = random.any(of: paths), let aggregate = random.any(of: Self.aggregates),
            let group = random.any(of: paths)
        else { return nil }
        let groups = random.percent(70) ? [group] : []
        let query = try query(entity, bench)
        let found = try query.select(results: [ResultKey("x", .aggregate(aggregate, of: path))], .grouped(by: groups))
        // Other dates are returned as they are stored.
        if case .date(let storage)? = found.columns.first?.type, storage != .since2001 { return nil }
        let objects = objects(entity, bench)
        let parts = Dictionary(grouping: objects) { object in groups.map { GroupJudge.key(object[$0]) } }
        var wanted = parts.values.map { part in GroupJudge(part.map { $0[path] }).result(aggregate) }
        if groups.isEmpty, objects.isEmpty { wanted = [GroupJudge([]).result(aggregate)] }
        let known = wanted.compactMap(\.self)
        guard known.count == wanted.count else { return nil }
        let isLarge = found.columns.first?.type == .integer && known.contains(where: \.isDouble)
        return Trial(
            statement: AgreementStatement(found.statement, prelude: query.prelude(for: found.functions)), wanted: known,
            isOrdered: false, isError: isLarge && aggregate == .sum && engine.name != "sqlite")
    }

    private func order(_ bench: AgreementBench, _ random: inout RandomSource) throws(SQLCompilationError) -> Trial? {
        let entity = bench.world.entity(random.any(of: bench.world.entityNames) ?? "")
        guard let path = random.any(of: entity.attributes.keys.sorted()) else { return nil }
        let key = SortKey(path, ascending: random.percent(50), nils: random.any(of: [nil, .first, .last]) ?? nil)
        let query = try query(entity, bench)
        let statement = try query.select(keys: [], sortKeys: [key])
        let sorted = objects(entity, bench).sorted { left, right in
            let (first, second) = (left[path], right[path])
            if (first == .null) != (second == .null) { return (first == .null) == key.putsNilFirst }
            let order = GroupJudge.compare(first, second)
            return order == 0 ? GroupJudge.compare(left.key, right.key) < 0 : (order < 0) == key.ascending
        }
        return Trial(
            statement: AgreementStatement(statement, prelude: query.prelude(for: Set(SQLFunction.allCases))),
            wanted: sorted.map(\.key), isOrdered: true, isError: false)
    }

    private func query(_ entity: SQLEntity, _ bench: AgreementBench) throws(SQLCompilationError) -> SQLQuery {
        let compiler = SQLCompiler(schema: bench.world.schema, dialect: engine.dialect, calendarZone: .gmt)
        return try compiler.compile(.constant(true), entity: entity.name)
    }

    private func objects(_ entity: SQLEntity, _ bench: AgreementBench) -> [AgreementObject] {
        (bench.graph.objects[entity.name] ?? []).sorted { GroupJudge.compare($0.key, $1.key) < 0 }
    }

    // MARK: Answers

    private func complaint(_ trial: Trial, _ found: Result<[SQLBinding], AgreementError>) -> String? {
        switch found {
        case .failure(let error): return trial.isError ? nil : error.description
        case .success(let values):
            let kind = trial.wanted.first { $0 != .null } ?? .null
            let found = values.map { $0.text(as: kind) }
            let wanted = trial.wanted.map { $0.text(engine.traits) }
            let isRight = trial.isOrdered ? found == wanted : found.sorted() == wanted.sorted()
            if isRight, values.count == wanted.count, !trial.isError { return nil }
            return trial.isError ? "expected an error, found \(values)" : "expected \(wanted)\n    found \(values)"
        }
    }
}

extension AgreementObject {
    fileprivate subscript(path: String) -> PredicateValue { value(forKey: path)?.predicateValue ?? .null }
}

extension PredicateValue {
    fileprivate var isDouble: Bool { if case .double = self { true } else { false } }

    /// The value in the notation of this judgement.
    fileprivate func text(_ traits: EngineTraits) -> String {
        switch self {
        case .bool(let value): value ? "1" : "0"
        case .integer(let value): "\(value)"
        case .double(let value): value.isNaN && !traits.holdsNaN ? "nil" : value.text
        case .decimal(let value): "\(value)"
        case .date(let date): date.timeIntervalSinceReferenceDate.text
        case .string(let text): "'\(text.unicodeScalars.map { "\($0.value)" }.joined(separator: " "))'"
        case .null: "nil"
        default: "?"
        }
    }
}

extension Double {
    fileprivate var text: String { Int64(exactly: self).map { "\($0)" } ?? "\(self)" }
}

extension SQLBinding {
    /// The value in the notation of this judgement. A number may come as its digits.
    fileprivate func text(as wanted: PredicateValue) -> String {
        switch (self, wanted) {
        case (.null, _): "nil"
        case (.boolean(let value), _): value ? "1" : "0"
        case (.integer(let value), _): "\(value)"
        case (.double(let value), _): value.text
        case (.text(let text), .string): PredicateValue.string(text).text(.sqlite)
        case (.text(let text), .double): Double(text).map(\.text) ?? text
        case (.text(let text), _): Decimal(string: text).map { "\($0)" } ?? text
        case (.blob, _): "?"
        }
    }
}
