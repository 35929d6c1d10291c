import PredicateModel
import PredicateSQL
import PredicateStore
import PredicateSyntax

/// Relationships that no column of the old row carries over: tables of pairs, and those that changed their form.
extension InferredStatements {
    /// The statements for the relationships that an entity declares.
    func relationships(of entity: EntityDescription) -> [SQLFragment] {
        guard let stored = destination.entities[entity.name] else { return [] }
        var statements: [SQLFragment] = []
        let own = Set(entity.relationships.map(\.name))
        for relationship in destination.model.relationships(of: entity.name)
        where own.contains(relationship.name) && !relationship.isTransient {
            guard let form = stored.relationships[relationship.name],
                let table = relationship.destinationEntityName.flatMap({ destination.entities[$0]?.table })
            else { continue }
            switch form {
            case .toOne: statements += toOne(relationship, entity, form, stored)
            case .toMany(let column, let order):
                guard destination.model.inverse(of: relationship) == nil else { continue }
                let held = StoredRelationship.toOne(column: column, entityColumn: nil, orderColumn: order)
                statements += pairs(relationship, entity.name, isReversed: true).map { update(held, table, $0) }
            case .manyToMany(let join): statements += insert(join, relationship, entity)
            }
        }
        return statements
    }

    /// A to-one relationship that is new, with an inverse that is not.
    private func toOne(
        _ relationship: RelationshipDescription, _ entity: EntityDescription, _ form: StoredRelationship,
        _ stored: StoredEntity
    ) -> [SQLFragment] {
        let old = match.sourceRelationship(relationship, of: entity.name)
        var statements: [SQLFragment] = []
        if old == nil, let inverse = destination.model.inverse(of: relationship) {
            statements += pairs(inverse.relationship, inverse.declaringEntity.name, isReversed: true)
                .map { update(form, stored.table, $0) }
        }
        // An order that is new is that of the primary keys.
        guard case .toOne(let column, _, let order?) = form else { return statements }
        let table = "main.\(stored.table.quotedName)"
        let place = "r.place * \(ObjectWriter.orderStep)"
        let ranks =
            "SELECT Z_PK AS id, row_number() OVER (PARTITION BY \(column.quotedName) ORDER BY Z_PK) + 1 AS place"
            + " FROM \(table) WHERE \(column.quotedName) IS NOT NULL"
        statements.append(
            SQLFragment(
                "UPDATE \(table) SET \(order.quotedName) = \(place) FROM (\(ranks)) AS r"
                    + " WHERE Z_PK = r.id AND \(order.quotedName) IS NULL"))
        return statements
    }

    /// `UPDATE main."ZITEM" SET "ZLIST" = p.target FROM (…) AS p WHERE Z_PK = p.source`
    private func update(_ form: StoredRelationship, _ table: String, _ pairs: Pairs) -> SQLFragment {
        guard case .toOne(let column, let entityColumn, let order) = form else { return SQLFragment("SELECT 1") }
        var changes = ["\(column.quotedName) = p.target"]
        if let entityColumn {
            let other = "(SELECT k.Z_ENT FROM main.\(pairs.targetTable.quotedName) AS k WHERE k.Z_PK = p.target)"
            changes.append("\(entityColumn.quotedName) = \(other)")
        }
        if let order { changes.append("\(order.quotedName) = p.place") }
        return pairs.builder.fragment(
            "UPDATE main.\(table.quotedName) SET \(changes.joined(separator: ", ")) FROM (\(pairs.text)) AS p"
                + " WHERE Z_PK = p.source")
    }

    private func insert(
        _ join: JoinTable, _ relationship: RelationshipDescription, _ entity: EntityDescription
    ) -> [SQLFragment] {
        guard let table = join.names.first else { return [] }
        var found = pairs(relationship, entity.name, isReversed: false)
        if found.isEmpty, let inverse = destination.model.inverse(of: relationship) {
            found = pairs(inverse.relationship, inverse.declaringEntity.name, isReversed: true)
        }
        return found.map { pairs in
            var columns = [join.sourceColumn, join.targetColumn]
            var values = ["p.source", "p.target"]
            let ranks = { (group: String) in
                "(row_number() OVER (PARTITION BY p.\(group)) + 1) * \(ObjectWriter.orderStep)"
            }
            if let order = join.orderColumn {
                columns.append(order)
                values.append("COALESCE(p.place, \(ranks("source")))")
            }
            if let order = join.inverseOrderColumn {
                columns.append(order)
                values.append("COALESCE(p.inverse_place, \(ranks("target")))")
            }
            let names = columns.map(\.quotedName).joined(separator: ", ")
            return pairs.builder.fragment(
                "INSERT OR IGNORE INTO main.\(table.quotedName) (\(names)) SELECT \(values.joined(separator: ", "))"
                    + " FROM (\(pairs.text)) AS p WHERE p.source IS NOT NULL AND p.target IS NOT NULL")
        }
    }

    // MARK: - Pairs of the old store

    /// A query for the pairs of an old relationship, under their new keys: `source`, `target`, `place`, `inverse_place`.
    private struct Pairs {
        let text: String
        let builder: StatementBuilder
        /// The table of the targets in the new store.
        let targetTable: String
    }

    /// The pairs of a relationship as it was; none where there was none.
    private func pairs(
        _ relationship: RelationshipDescription, _ entity: String, isReversed: Bool
    ) -> [Pairs] {
        guard let old = match.sourceRelationship(relationship, of: entity),
            let owner = match.entities[entity].flatMap({ source.entities[$0] }),
            let other = old.destinationEntityName.flatMap({ source.entities[$0] }),
            let form = owner.relationships[old.name]
        else { return [] }
        var builder = StatementBuilder()
        guard let query = query(form, owner.table, other.table, isReversed, &builder) else { return [] }
        let end = isReversed ? entity : relationship.destinationEntityName ?? ""
        return [Pairs(text: query, builder: builder, targetTable: destination.entities[end]?.table ?? "")]
    }

    private func query(
        _ form: StoredRelationship, _ owner: String, _ other: String, _ isReversed: Bool,
        _ builder: inout StatementBuilder
    ) -> String? {
        let (from, source, target, place, back): (String, String, String, String?, String?)
        switch form {
        case .toOne(let column, _, let order): (from, source, target, place, back) = (owner, "Z_PK", column, nil, order)
        case .toMany(let column, let order): (from, source, target, place, back) = (other, column, "Z_PK", order, nil)
        case .manyToMany(let join):
            guard let name = file.name(of: join) else { return nil }
            (from, source, target) = (name, join.sourceColumn, join.targetColumn)
            (place, back) = (join.orderColumn, join.inverseOrderColumn)
        }
        let first = keys.key("s.\(source.quotedName)", in: owner, &builder)
        let second = keys.key("s.\(target.quotedName)", in: other, &builder)
        let orders = [place, back].map { $0.map { "s.\($0.quotedName)" } ?? "NULL" }
        let ends = isReversed ? [second, first] : [first, second]
        let places = isReversed ? orders.reversed() : orders
        return "SELECT \(ends[0]) AS source, \(ends[1]) AS target, \(places[0]) AS place,"
            + " \(places[1]) AS inverse_place FROM old.\(from.quotedName) AS s"
            + " WHERE s.\(source.quotedName) IS NOT NULL AND s.\(target.quotedName) IS NOT NULL"
    }
}
