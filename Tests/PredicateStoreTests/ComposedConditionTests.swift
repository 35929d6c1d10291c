import PredicateAgreement
import PredicateGenerators
import PredicateSQL
import PredicateStore
import PredicateSyntax
import Testing

/// Differential test: compiled conditions beside hand-written ones with parameters of their own select the rows for which
/// all of them hold in memory.
@Suite struct ComposedConditionTests {
    /// Aliases of the root table; nil for its name without an alias.
    private static let aliases = [nil, "p", "t0", "T1", "we\"ird", "order"]

    @Test func rowsAreThoseOfTheConjunctionInMemory() throws {
        let run = AgreementRun(seed: 31)
        var random = RandomSource(seed: 31)
        var (asked, selective, joined) = (0, 0, 0)
        for number in 0..<30 {
            let (world, predicates) = run.questions(world: number, .sqlite)
            let bench = try AgreementBench(world)
            for (index, (first, entity)) in predicates.enumerated() {
                let second = predicates[index...].dropFirst().first { $0.1 == entity }?.0 ?? first
                let tenant = Set((bench.graph.objects[entity] ?? []).map(\.number).filter { _ in random.below(3) > 0 })
                guard let both = try? Composition([first, second], about: entity, in: world, tenant, index),
                    case .success(let keys)? = bench.database.keys(selectedBy: [both.statement]).first
                else { continue }
                let answers = [first, second].map { bench.answers($0, about: entity) }
                for object in bench.graph.objects[entity] ?? [] {
                    guard let wanted = both.isSelected(object.number, answers) else { continue }
                    let isFound = keys.contains(world.storedKey(world.entity(entity), object.number))
                    #expect(isFound == wanted, "world \(number), row \(object.number): \(both.statement.fragment)")
                }
                asked += 1
                if !keys.isEmpty { selective += 1 }
                if both.statement.fragment.text.contains("LEFT JOIN") { joined += 1 }
            }
        }
        print("composed: \(asked) statements, \(selective) with rows, \(joined) with joins")
        #expect(asked > 2000 && selective > 400 && joined > 50)
    }

    /// Two compiled conditions between a hand-written one before them and a tenant rule after them.
    private struct Composition {
        let statement: AgreementStatement
        private let tenant: Set<Int>
        private static let excluded = 1

        init(
            _ predicates: [PredicateNode], about name: String, in world: AgreementWorld, _ tenant: Set<Int>,
            _ index: Int
        ) throws {
            let entity = world.entity(name)
            let alias = ComposedConditionTests.aliases[index % ComposedConditionTests.aliases.count]
            let column = "\((alias ?? entity.table).quoted).\(entity.primaryKey.quoted)"
            let isPlain = index % 2 == 0
            var fragment = SQLFragment("SELECT ")
            fragment.text += "\(column) FROM \(entity.table.quoted)" + (alias.map { " AS \($0.quoted)" } ?? "")
            fragment.text += " WHERE \(column) <> \(isPlain ? "?" : "?1")"
            fragment.bindings = [world.storedKey(entity, Self.excluded)]
            let compiler = SQLCompiler(schema: world.schema, calendarZone: .gmt)
            for predicate in predicates {
                var query = try compiler.compile(FormatPredicate(predicate), entity: name)
                query.placeholders = isPlain ? .plain : .numbered(from: fragment.bindings.count + 1)
                let condition = try query.condition(on: alias ?? entity.table)
                fragment.text += " AND \(condition.text)"
                fragment.bindings += condition.bindings
            }
            let places = tenant.indices.map { _ in "?" }
            fragment.text += " AND \(column) IN (\(places.joined(separator: ", ")))"
            fragment.bindings += tenant.sorted().map { world.storedKey(entity, $0) }
            (statement, self.tenant) = (AgreementStatement(fragment), tenant)
        }

        /// Returns true for a row that memory selects; nil for one of which a predicate is an error.
        func isSelected(_ number: Int, _ answers: [[Int: Bool?]]) -> Bool? {
            if number == Self.excluded || !tenant.contains(number) { return false }
            var all = true
            for answer in answers {
                guard let holds = answer[number] ?? nil else { return nil }
                all = all && holds
            }
            return all
        }
    }
}
