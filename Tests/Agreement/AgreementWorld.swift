import PredicateSQL
import PredicateSyntax

/// A random schema and random rows: what predicates are asked about, in a file and in memory.
package struct AgreementWorld {
    /// A row: its number in the table, its values by key, and the numbers of the rows that its to-one keys lead to.
    package struct Row: Hashable {
        package let number: Int
        package var cells: [String: Cell]
        package var links: [String: Int]

        package init(number: Int, cells: [String: Cell], links: [String: Int]) {
            (self.number, self.cells, self.links) = (number, cells, links)
        }
    }

    /// A pair in a join table.
    package struct Pair: Hashable {
        package let source: Int
        package let target: Int

        package init(source: Int, target: Int) {
            (self.source, self.target) = (source, target)
        }
    }

    package var schema: SQLSchema
    /// The rows, by entity.
    package var rows: [String: [Row]]
    /// The pairs, by join table.
    package var pairs: [String: [Pair]]
    /// The declarations of columns that are not those of their type, by column.
    package var declarations: [String: String]

    package init(
        schema: SQLSchema, rows: [String: [Row]], pairs: [String: [Pair]], declarations: [String: String] = [:]
    ) {
        (self.schema, self.rows, self.pairs, self.declarations) = (schema, rows, pairs, declarations)
    }

    package var entityNames: [String] { schema.entities.keys.sorted() }

    package func entity(_ name: String) -> SQLEntity {
        schema.entities[name] ?? SQLEntity(name, attributes: [:])
    }

    /// The primary key of a row, as memory holds it.
    package func key(_ entity: SQLEntity, _ number: Int) -> PredicateValue {
        entity.primaryKeyType == .string ? .string("key \(number)") : .integer(Int64(number))
    }

    package func storedKey(_ entity: SQLEntity, _ number: Int) -> SQLBinding {
        entity.primaryKeyType == .string ? .text("key \(number)") : .integer(Int64(number))
    }
}

// MARK: - Join tables

extension AgreementWorld {
    package struct Ends {
        let source: SQLEntity
        let target: SQLEntity
        let sourceColumn: String
        let targetColumn: String
    }

    /// The entities that a join table ties together; its source stands in the column `a`.
    package func ends(of table: String) -> Ends? {
        for name in entityNames {
            for (_, relationship) in entity(name).sortedRelationships {
                guard case .manyToMany(table, "a", let targetColumn) = relationship.kind else { continue }
                return Ends(
                    source: entity(name), target: entity(relationship.destination), sourceColumn: "a",
                    targetColumn: targetColumn)
            }
        }
        return nil
    }
}

extension SQLEntity {
    package var sortedAttributes: [(key: String, value: SQLAttribute)] { attributes.sorted { $0.key < $1.key } }
    package var sortedRelationships: [(key: String, value: SQLRelationship)] {
        relationships.sorted { $0.key < $1.key }
    }
}

extension String {
    package var quoted: String { "\"" + replacing("\"", with: "\"\"") + "\"" }
}
