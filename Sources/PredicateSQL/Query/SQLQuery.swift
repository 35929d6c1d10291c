public import PredicateSyntax

/// A predicate as SQL: the condition, and the statements made with it.
///
/// `age >= 21` on `Person`: ``where`` is `t0."age" >= ?1` with `[21]`, and ``select`` is
/// `SELECT t0."id" FROM "person" AS t0 WHERE t0."age" >= ?1`.
///
/// Where an evaluator would report an error for a row, because of an overflow or arithmetic on nil, the comparison counts
/// as false.
public struct SQLQuery: Sendable {
    /// The entity that rows are selected from.
    public let entity: SQLEntity
    /// What the SQL does not say: the predicate that must still be asked of every row. Nil when SQL says it all.
    public let residual: FormatPredicate?
    /// The functions that the text calls and that an application registers.
    public let requiredFunctions: Set<SQLFunction>
    /// What must be run on every connection.
    public let setup: [String]
    /// What must be run once in the database: it installs functions.
    public let prelude: [String]

    let dialect: any SQLDialect
    let schema: SQLSchema
    let body: QueryBody

    /// The condition over the root, whose alias is `t0`; it may name tables that ``from`` joins.
    public var `where`: SQLFragment { SQLFragment(body.condition, dialect) }

    /// The tables: `"person" AS t0 LEFT JOIN …`
    public var from: SQLFragment {
        var emitter = Emitter(dialect)
        let piece = emitter.from(body.scope.scope, nil)
        let fragment = SQLFragment(piece, dialect)
        return SQLFragment(String(fragment.text.dropFirst(6)), bindings: fragment.bindings)
    }

    /// The whole statement that returns the primary keys.
    public var select: SQLFragment {
        SQLFragment(body.select("SELECT \(body.primaryKey)"), dialect)
    }
}

/// The pieces that statements are made of.
struct QueryBody: Sendable {
    /// What follows SELECT and the columns.
    let from: SQLText
    let condition: SQLText
    /// Whether every row is selected.
    let isUnconditional: Bool
    let primaryKey: SQLText
    let scope: FrozenScope
    /// Aliases and parameters that statements may add begin here.
    let aliasCount: Int
    let parameterCount: Int

    func select(_ columns: SQLText) -> SQLText {
        "\(columns)\(from)\(whereClause)"
    }

    var whereClause: SQLText {
        isUnconditional ? "" : " WHERE \(condition)"
    }
}

/// The scope of the root as the condition left it; it is only read, and copied before tables are added.
struct FrozenScope: @unchecked Sendable {
    let scope: Scope
}
