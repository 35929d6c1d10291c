import Foundation
import PredicateAgreement
import PredicateSQL
import PredicateSyntax

/// The rows that hostile predicates are asked about: long strings, and a row with 200 related ones.
///
/// Every row has the first one as its parent, so that each to-many step multiplies the rows by 201.
enum HostileWorld {
    static let rowCount = 201

    /// The length of a long string, in characters.
    static let length = 5_000
    /// A length for tests that count steps, and measure no time.
    static let shortLength = 300

    static func world(_ traits: EngineTraits, textLength: Int) -> AgreementWorld {
        let texts = longTexts.map { String(repeating: $0, count: textLength / $0.unicodeScalars.count) }
        let rows = (0..<rowCount).map { number in
            let cells = values(number, texts).map { key, value -> (String, Cell) in
                (key, Cell(storing: value, node.attributes[key]?.type ?? .any).map(traits.held) ?? .null)
            }
            return AgreementWorld.Row(
                number: number, cells: Dictionary(cells) { first, _ in first }, links: ["parent": 0])
        }
        return AgreementWorld(schema: SQLSchema([node]), rows: ["Node": rows], pairs: [:])
    }

    private static let node = SQLEntity(
        "Node", table: "node",
        attributes: [
            "id": SQLAttribute(.integer, isNullable: false), "text": SQLAttribute(.string, isNullable: false),
            "name": SQLAttribute(.string), "rank": SQLAttribute(.integer, isNullable: false),
            "height": SQLAttribute(.double), "price": SQLAttribute(.decimal), "born": SQLAttribute(.date(.since2001)),
        ],
        relationships: [
            "parent": .toOne("Node", column: "parent_id"), "kids": .toMany("Node", inverseColumn: "parent_id"),
        ])

    private static func values(_ number: Int, _ texts: [String]) -> [String: PredicateValue] {
        [
            "text": .string(texts.indices.contains(number) ? texts[number] : "ab\(number)"),
            "name": .string("n\(number)"), "rank": .integer(Int64(number)), "height": .double(Double(number) / 4),
            "price": .decimal(Decimal(number) / 4), "born": .date(seconds: Double(number) * 86_400),
        ]
    }

    /// The pieces of strings on which matchers try many ways, and of those that folds treat letter by letter.
    private static let longTexts = [
        "ab", "a", "ab.", "a\u{301}", "aß", "0123456789", "Ab ", "((", " ", "\u{1F600}b", "ﬁ\u{130}",
    ]
}
