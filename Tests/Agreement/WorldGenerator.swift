import PredicateGenerators
import PredicateSQL
import PredicateSyntax

/// Makes random worlds: two to four entities with attributes of every type, to-one, to-many and many-to-many
/// relationships, and rows of which a quarter of the values are nil.
package struct WorldGenerator {
    package var random: RandomSource
    /// What the columns of the engine hold.
    package let traits: EngineTraits

    package init(seed: UInt64, traits: EngineTraits = .sqlite) {
        random = RandomSource(seed: seed)
        self.traits = traits
    }

    private static let tableNames = ["person", "phone \"book\"", "Tag'; DROP TABLE person; --", "größe"]
    private static let columnNames = ["select", "a b", "it's", "x\"y", "é", "%K", "?1", "$v", "--", "t0"]

    package mutating func world() -> AgreementWorld {
        let names = (0..<(2 + random.below(3))).map { "E\($0)" }
        var entities = names.enumerated().map { entity($1, table: Self.tableNames[$0]) }
        for index in entities.indices { addToOnes(to: index, &entities) }
        if random.percent(80) { addManyToMany(&entities) }
        let schema = SQLSchema(sized(entities))
        var world = AgreementWorld(schema: schema, rows: [:], pairs: [:])
        for entity in entities { world.rows[entity.name] = rows(entity) }
        for entity in entities { link(entity, &world) }
        return world
    }

    // MARK: - Schema

    private mutating func entity(_ name: String, table: String) -> SQLEntity {
        let isText = random.percent(20)
        var entity = SQLEntity(
            name, table: table, primaryKey: "id", primaryKeyType: isText ? .string : .integer, attributes: [:])
        entity.attributes["id"] = SQLAttribute(entity.primaryKeyType, isNullable: false)
        for (number, type) in types().enumerated() {
            let key = "\(type.letter)\(number)"
            let column = random.percent(25) ? "\(random.any(of: Self.columnNames) ?? "")\(number)" : nil
            entity.attributes[key] = SQLAttribute(
                type, column: column, isNullable: random.percent(85), affinity: nil, indexedFolds: indexedFolds(type))
        }
        for (number, limited) in traits.limitedTypes.enumerated() where random.percent(30) {
            entity.attributes["l\(number)"] = SQLAttribute(
                limited.type, isNullable: random.percent(85), nativeType: limited.name)
        }
        return entity
    }

    /// The entities with sizes, nearly all of them wrong: sizes decide about forms, never about rows.
    private func sized(_ entities: [SQLEntity]) -> [SQLEntity] {
        var (sizes, sized) = (random, entities)
        for index in sized.indices {
            sized[index].rowCount = sizes.any(of: [nil, 1, 12, 1_000_000_000]) ?? nil
            for key in sized[index].attributes.keys.sorted() {
                sized[index].attributes[key]?.valueCount = sizes.any(of: [nil, 0, 5, 1_000_000]) ?? nil
                sized[index].attributes[key]?.valueRange = sizes.any(of: [nil, 0...0, -5...5, -1e9...1e9]) ?? nil
            }
        }
        return sized
    }

    /// The folds of texts that have an index, where the engine can have one.
    private mutating func indexedFolds(_ type: SQLType) -> Set<ComparisonOptions> {
        guard traits.indexesFolds, type == .string, random.percent(30) else { return [] }
        return Set(ComparisonOptions.foldModes.filter { _ in random.percent(60) })
    }

    /// Strings and numbers always, twice; of the other types some.
    private mutating func types() -> [SQLType] {
        var types: [SQLType] = [.integer, .integer, .double, .string, .string]
        for type in traits.types where random.percent(45) { types.append(type) }
        if traits.holdsAnyKind, random.percent(10) { types.append(.any) }
        return types
    }

    private mutating func addToOnes(to index: Int, _ entities: inout [SQLEntity]) {
        for number in 0..<(1 + random.below(2)) {
            let target = random.below(entities.count)
            let (key, column) = ("one\(number)", "one\(number)_id")
            let source = entities[index].name
            entities[index].relationships[key] = .toOne(entities[target].name, column: column)
            if random.percent(80) {
                entities[target].relationships["many\(source)\(number)"] = .toMany(source, inverseColumn: column)
            }
        }
    }

    private mutating func addManyToMany(_ entities: inout [SQLEntity]) {
        let (source, target) = (random.below(entities.count), random.below(entities.count))
        let (sourceName, targetName) = (entities[source].name, entities[target].name)
        entities[source].relationships["pairs"] = .manyToMany(
            targetName, joinTable: "join \"table\"", sourceColumn: "a", targetColumn: "b")
        entities[target].relationships["pairsBack"] = .manyToMany(
            sourceName, joinTable: "join \"table\"", sourceColumn: "b", targetColumn: "a")
    }

    // MARK: - Rows

    private mutating func rows(_ entity: SQLEntity) -> [AgreementWorld.Row] {
        (0..<(3 + random.below(9))).map { number in
            var row = AgreementWorld.Row(number: number, cells: [:], links: [:])
            for (key, attribute) in entity.sortedAttributes where key != "id" {
                let isNil = attribute.isNullable && random.percent(25)
                row.cells[key] = isNil ? .null : traits.cell(attribute, &random)
            }
            return row
        }
    }

    private mutating func link(_ entity: SQLEntity, _ world: inout AgreementWorld) {
        for (key, relationship) in entity.sortedRelationships {
            let targets = world.rows[relationship.destination] ?? []
            switch relationship.kind {
            case .toOne:
                for index in (world.rows[entity.name] ?? []).indices where random.percent(75) {
                    world.rows[entity.name]?[index].links[key] = random.any(of: targets)?.number
                }
            case .manyToMany(let table, "a", _):
                world.pairs[table] = pairs(world.rows[entity.name] ?? [], targets)
            case .toMany, .manyToMany: break
            }
        }
    }

    private mutating func pairs(
        _ sources: [AgreementWorld.Row], _ targets: [AgreementWorld.Row]
    ) -> [AgreementWorld.Pair] {
        sources.flatMap { source in
            targets.filter { _ in random.percent(20) }.map { .init(source: source.number, target: $0.number) }
        }
    }
}

extension SQLType {
    /// The prefix of keys of this type.
    fileprivate var letter: String {
        switch self {
        case .integer: "n"
        case .double: "x"
        case .single: "f"
        case .decimal: "m"
        case .boolean: "b"
        case .string, .paddedString: "s"
        case .date: "d"
        case .uuid: "u"
        case .data: "y"
        case .array: "a"
        case .any: "v"
        case .json: "j"
        }
    }
}
