import PredicateSQL

/// The statements that read rows by key, without a predicate: written once for an entity, when its layout is made.
struct RowStatements: Sendable {
    /// `SELECT t0."id", t0."name", t0."boss_id" FROM "person" AS t0`
    private let selection: String
    /// `… WHERE t0."id" = ?1`: the row with a primary key.
    let row: String

    /// Statements that read the primary key and the columns of some keys.
    init(_ entity: SQLEntity, keys: [String]) {
        let columns = [entity.primaryKey] + keys.map { entity.columnName(of: $0) }
        let list = columns.map { "t0.\($0.quotedName)" }.joined(separator: ", ")
        selection = "SELECT \(list) FROM \(entity.table.quotedName) AS t0"
        row = selection + " WHERE t0.\(entity.primaryKey.quotedName) = ?1"
    }

    /// The statement for the rows that satisfy a condition on relationships.
    func rows(where condition: RelatedCondition) -> String {
        selection + condition.text
    }
}

/// The condition for the rows at the end of a to-many relationship; the parameter is the primary key at its beginning.
struct RelatedCondition: Hashable, Sendable {
    /// ` WHERE t0."owner_id" = ?1`
    let text: String

    /// Rows that hold the key in a column.
    init(inverseColumn: String) {
        text = " WHERE t0.\(inverseColumn.quotedName) = ?1"
    }

    /// ` WHERE t0."id" IN (SELECT t1."tag_id" FROM "task_tag" AS t1 WHERE t1."task_id" = ?1)`
    init(primaryKey: String, joinTable: String, sourceColumn: String, targetColumn: String) {
        let pairs = "\(joinTable.quotedName) AS t1 WHERE t1.\(sourceColumn.quotedName) = ?1"
        text = " WHERE t0.\(primaryKey.quotedName) IN (SELECT t1.\(targetColumn.quotedName) FROM \(pairs))"
    }
}

extension SQLEntity {
    /// The column of an attribute or of a to-one relationship.
    fileprivate func columnName(of key: String) -> String {
        if case .toOne(_, let column)? = relationships[key] { return column }
        return attributes[key]?.column ?? key
    }
}
