import Foundation
import PredicateAgreement
@_spi(Dialect) import PredicateSQL
import PredicateSyntax

/// People, their tasks and tags, as an application has them: what the fixed questions are about.
struct TaskWorld {
    let world: AgreementWorld

    /// Dates stand in a column for moments, where the dialect has one.
    init(_ engine: any AgreementEngine) {
        let due = SQLType.date(engine.dialect.timestamps == nil ? .since2001 : .timestamp)
        let entities = [Self.person, Self.task(due), Self.tag]
        world = AgreementWorld(
            schema: SQLSchema(entities),
            rows: ["Person": Self.people, "Task": Self.tasks(entities[1], engine.traits), "Tag": Self.tags],
            pairs: [
                "task_tag": [
                    .init(source: 0, target: 0), .init(source: 0, target: 1), .init(source: 2, target: 1),
                    .init(source: 5, target: 2), .init(source: 6, target: 0), .init(source: 6, target: 2),
                ]
            ])
    }

    private static let person = SQLEntity(
        "Person", table: "person",
        attributes: ["id": key(.integer), "name": SQLAttribute(.string), "age": SQLAttribute(.integer)],
        relationships: [
            "boss": .toOne("Person", column: "boss_id"), "staff": .toMany("Person", inverseColumn: "boss_id"),
            "tasks": .toMany("Task", inverseColumn: "owner_id"),
        ])

    private static func key(_ type: SQLType) -> SQLAttribute { SQLAttribute(type, isNullable: false) }

    private static func task(_ due: SQLType) -> SQLEntity {
        SQLEntity(
            "Task", table: "task",
            attributes: [
                "id": key(.integer), "title": SQLAttribute(.string, isNullable: false),
                "done": SQLAttribute(.boolean, isNullable: false),
                "due": SQLAttribute(due), "priority": SQLAttribute(.integer), "hours": SQLAttribute(.double),
                "price": SQLAttribute(.decimal), "code": SQLAttribute(.uuid), "photo": SQLAttribute(.data),
            ],
            relationships: [
                "owner": .toOne("Person", column: "owner_id"),
                "tags": .manyToMany("Tag", joinTable: "task_tag", sourceColumn: "a", targetColumn: "b"),
            ])
    }

    private static let tag = SQLEntity(
        "Tag", table: "tag", primaryKeyType: .string, attributes: ["id": key(.string), "label": SQLAttribute(.string)],
        relationships: ["tasks": .manyToMany("Task", joinTable: "task_tag", sourceColumn: "b", targetColumn: "a")])

    private static let people = [
        person(0, "Zoë", 52, nil), person(1, "zoe", 31, 0), person(2, "Jürgen", nil, 1), person(3, nil, 19, 1),
        person(4, "O'Brien", 44, 2), person(5, "", 31, nil),
    ]

    private static func person(_ number: Int, _ name: String?, _ age: Int64?, _ boss: Int?) -> AgreementWorld.Row {
        let cells = [
            "name": text(name), "age": Cell(storing: age.map(PredicateValue.integer) ?? .null, .integer) ?? .null,
        ]
        return AgreementWorld.Row(number: number, cells: cells, links: boss.map { ["boss": $0] } ?? [:])
    }

    private static let tags = (["home", "Büro", nil] as [String?]).enumerated().map { number, label in
        AgreementWorld.Row(number: number, cells: ["label": text(label)], links: [:])
    }

    private static func text(_ text: String?) -> Cell {
        Cell(storing: text.map(PredicateValue.string) ?? .null, .string) ?? .null
    }

    /// The values of tasks: title, done, due, priority, hours, price, owner.
    private static let values: [(String, Bool, Double?, Int64?, Double?, String?, Int?)] = [
        ("Milk", false, 730_900_799.999, 3, 0.25, "1.10", 0), ("milk", true, 730_900_800, 3, 1e9, "0.1", 1),
        ("Call Zoë", false, nil, 1, nil, nil, 1), ("Call Zoe", false, 730_900_800.000_001, nil, -0.0, "2.50", nil),
        ("100%", false, 730_900_800.5, 2, .leastNonzeroMagnitude, "3", 2), ("a_b", true, nil, nil, 0x1p53, "1.1", 4),
        ("", false, -1.5, 9_007_199_254_740_993, 0.1, "9007199254740993", 3),
        ("CR\r\nLF", false, 730_900_799.999, 0, nil, nil, 5), ("e\u{301}", true, 1_000_000_000, -1, 2.5, "-7", 0),
    ]

    private static func tasks(_ entity: SQLEntity, _ traits: EngineTraits) -> [AgreementWorld.Row] {
        values.enumerated().map { number, task in
            let (title, done, due, priority, hours, price, owner) = task
            let cells: [String: PredicateValue] = [
                "title": .string(title), "done": .bool(done), "due": due.map(PredicateValue.date(seconds:)) ?? .null,
                "priority": priority.map(PredicateValue.integer) ?? .null,
                "hours": hours.map(PredicateValue.double) ?? .null,
                "price": price.flatMap { Decimal(string: $0) }.map(PredicateValue.decimal) ?? .null,
                "code": .uuid(SampleValues.uuids[number % SampleValues.uuids.count]),
                "photo": number % 3 == 0 ? .null : .data(Data([UInt8](repeating: 255, count: number % 3 - 1))),
            ]
            let stored = cells.map { key, value -> (String, Cell) in
                let type = entity.attributes[key]?.type ?? .any
                return (key, Cell(storing: value, type).map(traits.held) ?? .null)
            }
            return AgreementWorld.Row(
                number: number, cells: Dictionary(stored) { first, _ in first },
                links: owner.map { ["owner": $0] } ?? [:])
        }
    }
}
