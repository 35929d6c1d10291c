import PredicateGenerators
import PredicateSQL
import PredicateSyntax
import Testing

/// Plain predicates are written straight from the tree: what comes out is what the typed form comes to, to the byte.
@Suite struct PlainTests {
    private static let dialects: [any SQLDialect] = [SQLiteDialect(), PostgreSQLDialect()]

    /// Two compilers for one schema, one of which writes nothing straight from the tree.
    private struct Pair {
        let plain: SQLCompiler
        let typed: SQLCompiler

        init(_ schema: SQLSchema, _ dialect: any SQLDialect, _ mode: SQLCompiler.Mode) {
            plain = SQLCompiler(schema: schema, dialect: dialect, mode: mode)
            var typed = plain
            typed.writesPlainly = false
            self.typed = typed
        }

        /// Whether a predicate was plain; records any difference.
        func check(_ node: PredicateNode, _ entity: String) -> Bool {
            let predicate = FormatPredicate(node)
            let (first, second) = (outcome(plain, predicate, entity), outcome(typed, predicate, entity))
            #expect(first.text == second.text, "\(predicate)")
            #expect(!second.isPlain)
            return first.isPlain
        }

        /// All that a query tells, as text, and errors as they are.
        private func outcome(
            _ compiler: SQLCompiler, _ predicate: FormatPredicate, _ entity: String
        ) -> (text: String, isPlain: Bool) {
            do {
                let query = try compiler.compile(predicate, entity: entity)
                let key = compiler.schema.entities[entity]?.attributes.keys.min() ?? "id"
                var parts: [Any] = [query.select, query.where, query.from, query.count, query.exists]
                parts += [query.requiredFunctions.map(\.name).sorted(), query.prelude, query.setup]
                parts += [query.residual?.predicateFormat ?? "no residual"]
                if query.residual == nil {
                    parts += [try query.delete(returningKeys: true), try query.update([key: .null])]
                }
                parts.append(try query.select(keys: [key], sortKeys: [SQLSortKey(key)], limit: 3))
                return (parts.map { "\($0)" }.joined(separator: "\n"), query.isPlain)
            } catch {
                return ("\(error)", false)
            }
        }
    }

    /// Random comparisons, alone and joined, of random worlds.
    @Test(arguments: [SQLCompiler.Mode.exact, .residual])
    func randomPredicates(mode: SQLCompiler.Mode) {
        var (count, plainCount) = (0, 0)
        for seed in 0..<8 as Range<UInt64> {
            var worlds = WorldGenerator(seed: seed)
            let world = worlds.world()
            var generator = PredicateGenerator(seed: seed &+ 1_000, world: world)
            for dialect in Self.dialects {
                let pair = Pair(world.schema, dialect, mode)
                for entity in world.entityNames {
                    let found = check(pair, entity, &generator)
                    count += found.count
                    plainCount += found.plainCount
                }
            }
        }
        #expect(plainCount * 5 > count, "\(plainCount) of \(count) are plain")
    }

    private func check(
        _ pair: Pair, _ entity: String, _ generator: inout PredicateGenerator
    ) -> (count: Int, plainCount: Int) {
        var (count, plain) = (0, [PredicateNode]())
        for _ in 0..<30 {
            // Sets the scope: keys are those of the entity.
            let whole = generator.predicate(about: entity)
            let leaf = generator.comparison(depth: 0)
            for node in [whole, leaf, .compound(CompoundPredicate(.not, [leaf]))] {
                count += 1
                if pair.check(node, entity) { plain.append(node) }
            }
        }
        var plainCount = plain.count
        for _ in 0..<30 where !plain.isEmpty {
            count += 1
            if pair.check(joined(plain, &generator.random, depth: 3), entity) { plainCount += 1 }
        }
        return (count, plainCount)
    }

    /// Some of them, joined by AND, OR and NOT.
    private func joined(_ nodes: [PredicateNode], _ random: inout RandomSource, depth: Int) -> PredicateNode {
        if depth == 0 || random.percent(25) { return random.one(of: nodes) }
        let type: LogicalType = random.pick(.and, .or, .not)
        let count = type == .not ? 1 : random.percent(2) ? 40 : 1 + random.below(4)
        let parts = (0..<count).map { _ in joined(nodes, &random, depth: depth - 1) }
        return .compound(CompoundPredicate(type, parts))
    }

    /// What is said to be plain is.
    @Test func formats() throws {
        let plain = [
            "age > 21", "21 <= age", "NOT age == 21", "age != 21", "rank != 3", "height BETWEEN {1, 2.5}", "age == nil",
            "name != nil", "member == YES", "member < 1", "born > CAST(0, \"NSDate\")", "name IN {'jo', 'al'}",
            "name ==[cd] 'Zoë'", "name BEGINSWITH 'jo'", "name BEGINSWITH[c] 'Jo'", "name ENDSWITH[d] 'é'",
            "nick CONTAINS 'o' AND NOT nick CONTAINS 'p'", "name LIKE '*an'", "name LIKE[c] 'j*n s?ith'",
            "name MATCHES 'j.*'", "boss.name == 'jo'", "boss.boss.age > 40 OR deputy.age < 30", "boss.id == 7",
            "height * 2 + 1 > 50", "3 - (weight + height) / 2 <= 4.5", "phones.@count > 2", "phones.@count == 0",
            "tags.@count != 1",
            "ANY phones.number == '1'", "NOT ANY tags.title BEGINSWITH 's'", "ANY phones.rank IN {1, 2}",
            "SUBQUERY(phones, $p, $p.number == '1' AND age > 3).@count > 0",
            "SUBQUERY(tags, $t, $t.title BEGINSWITH 's').@count > 1",
        ]
        let pair = Pair(Self.schema, SQLiteDialect(), .exact)
        for format in plain {
            #expect(pair.check(try FormatPredicate(format).node, "Person"), "\(format)")
        }
    }

    /// What the database could not read is told as ever.
    @Test func limits() throws {
        let pair = Pair(Self.schema, SQLiteDialect(), .exact)
        let deep = try FormatPredicate(
            String(repeating: "NOT (age > 1 AND (rank < 2 OR ", count: 24)
                + "age == 3" + String(repeating: "))", count: 24))
        let long = try FormatPredicate(Array(repeating: "age > 1", count: 70).joined(separator: " OR "))
        let unknown = try FormatPredicate("age > 1 AND agee > 2")
        for predicate in [deep, long, unknown] { #expect(!pair.check(predicate.node, "Person")) }
        #expect(!pair.check(try FormatPredicate("age > 1").node, "Nobody"))
        let names = SQLSchema(table: "a\0b", columns: ["age": .integer])
        #expect(!Pair(names, SQLiteDialect(), .exact).check(try FormatPredicate("age > 1").node, "a\0b"))
    }

    private static let schema = SQLSchema([
        SQLEntity(
            "Person", table: "person",
            attributes: [
                "id": .init(.integer, isNullable: false), "name": .init(.string), "age": .init(.integer),
                "nick": .init(.string, isNullable: false, collation: "BINARY"), "height": .init(.double),
                "rank": .init(.integer, isNullable: false), "weight": .init(.double), "member": .init(.boolean),
                "born": .init(.date),
            ],
            relationships: [
                "boss": .toOne("Person", column: "boss_id"), "deputy": .toOne("Person", column: "deputy_id"),
                "phones": .toMany("Phone", inverseColumn: "person_id"),
                "tags": .manyToMany("Tag", joinTable: "person_tag", sourceColumn: "person_id", targetColumn: "tag_id"),
            ]),
        SQLEntity("Phone", table: "phone", attributes: ["number": .init(.string), "rank": .init(.integer)]),
        SQLEntity("Tag", table: "tag", attributes: ["title": .init(.string, isNullable: false)]),
    ])
}
