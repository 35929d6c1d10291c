import PredicateSQL

/// The statements that read rows by key, without a predicate: written once for an entity, when its layout is made.
struct RowStatements: Sendable {
    /// `SELECT t0."id", t0."name", t0."boss_id" FROM "person" AS t0`
    private let selection: String
    /// `… WHERE t0."id" = ?1`: the row with a primary key.
    let row: String
    /// `… WHERE t0."id" IN (…)`: the rows with some primary keys.
    let byKey: KeyStatement
    /// `t0."id", t0."name", t0."boss_id"`
    private let columns: String
    /// `"person" AS t0`; for a view `(SELECT row_number() OVER () AS "rowid", * FROM "grown_ups") AS t0`
    private let table: String

    /// Statements that read the primary key and the columns of some keys.
    init(_ entity: SQLEntity, keys: [String]) {
        let columns = [entity.primaryKey] + keys.map { entity.columnName(of: $0) }
        let primaryKey = "t0.\(entity.primaryKey.quotedName)"
        self.columns = columns.map { "t0.\($0.quotedName)" }.joined(separator: ", ")
        table = entity.rows(table: entity.table.quotedName, key: entity.primaryKey.quotedName) + " AS t0"
        selection = "SELECT \(self.columns) FROM \(table)"
        row = selection + " WHERE \(primaryKey) = ?1"
        byKey = KeyStatement(selection, where: primaryKey)
    }

    /// The statement for the rows that satisfy a condition on relationships.
    func rows(where condition: RelatedCondition) -> String {
        selection + condition.text + condition.order
    }

    /// The statement for the rows that relationships of several objects lead to, each with the primary key of the object
    /// behind its columns: `SELECT t0."id", t0."number", t0."owner_id" FROM "phone" AS t0 WHERE t0."owner_id" IN (…)`.
    func related(_ condition: RelatedCondition) -> KeyStatement {
        KeyStatement(
            "SELECT \(columns), \(condition.owner) FROM \(table)\(condition.join)", where: condition.owner,
            order: condition.order)
    }
}

/// The condition for the rows at the end of a to-many relationship; the parameter is the primary key at its beginning.
struct RelatedCondition: Hashable, Sendable {
    /// ` WHERE t0."owner_id" = ?1`
    let text: String
    /// `t0."owner_id"`: the column with the primary key at the beginning.
    let owner: String
    /// The table of that column with its tie; empty for the table of the rows themselves.
    let join: String
    /// ` ORDER BY t0."position"`; empty for rows in no order.
    let order: String

    /// Rows that hold the key in a column.
    init(inverseColumn: String, order: String? = nil) {
        self.order = order.map { " ORDER BY t0.\($0.quotedName)" } ?? ""
        owner = "t0.\(inverseColumn.quotedName)"
        text = " WHERE \(owner) = ?1"
        join = ""
    }

    /// ` WHERE t0."id" IN (SELECT t1."tag_id" FROM "task_tag" AS t1 WHERE t1."task_id" = ?1)`
    init(primaryKey: String, joinTable: String, sourceColumn: String, targetColumn: String, order: String? = nil) {
        owner = "t1.\(sourceColumn.quotedName)"
        let tie = "t1.\(targetColumn.quotedName) = t0.\(primaryKey.quotedName)"
        join = " JOIN \(joinTable.quotedName) AS t1 ON \(tie)"
        guard let order else {
            let pairs = "\(joinTable.quotedName) AS t1 WHERE t1.\(sourceColumn.quotedName) = ?1"
            text = " WHERE t0.\(primaryKey.quotedName) IN (SELECT t1.\(targetColumn.quotedName) FROM \(pairs))"
            self.order = ""
            return
        }
        // Pairs in an order are unique, and the order stands in their table.
        text = join + " WHERE \(owner) = ?1"
        self.order = " ORDER BY t1.\(order.quotedName)"
    }
}

extension SQLEntity {
    /// The column of an attribute or of a to-one relationship.
    fileprivate func columnName(of key: String) -> String {
        if case .toOne(_, let column)? = relationships[key] { return column }
        return attributes[key]?.column ?? key
    }
}
