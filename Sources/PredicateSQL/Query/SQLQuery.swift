public import PredicateSyntax

/// A predicate as SQL: the condition, and the statements that wrap it.
///
/// `age >= 21` on `Person`: ``where`` is `t0."age" >= ?1` with `[21]`, and ``select`` is
/// `SELECT t0."id" FROM "person" AS t0 WHERE t0."age" >= ?1`.
///
/// A comparison for which an evaluator would report an error, such as an overflow or arithmetic on nil, selects no row.
public struct SQLQuery: Sendable {
    /// The predicate that must still be evaluated for every selected row; nil if the SQL says it all.
    public let residual: FormatPredicate?

    let compiler: SQLCompiler
    let entityReference: EntityReference
    let body: StatementBody
    /// The values of the condition's parameters.
    let bindings: [SQLBinding]

    var dialect: any SQLDialect { compiler.dialect }

    /// The entity that rows are selected from.
    public var entity: SQLEntity { entityReference.entity }
    /// The functions that the text calls and that an application registers.
    public var requiredFunctions: Set<SQLFunction> {
        dialect.features.contains(.applicationFunctions) ? body.functions.functions : []
    }
    /// Statements to run on every connection.
    public var setup: [String] { dialect.setup }
    /// Statements to run once in the database: they install functions.
    public var prelude: [String] { dialect.prelude(for: body.functions.functions) }

    /// The condition over the root, whose alias is `t0`; it may name tables that ``from`` joins.
    public var `where`: SQLFragment { SQLFragment(body.condition, bindings: bindings, types: body.types) }

    /// The tables: `"person" AS t0 LEFT JOIN …`
    public var from: SQLFragment { SQLFragment(body.tables) }

    /// The statement that returns the primary keys: `SELECT t0."id" FROM … WHERE …`
    public var select: SQLFragment { statement("SELECT \(entityReference.primaryKey.rootText) FROM ") }

    /// `SELECT COUNT(*) FROM … WHERE …`
    public var count: SQLFragment { statement("SELECT COUNT(*) FROM ") }

    /// `SELECT EXISTS (SELECT 1 FROM … WHERE …)`
    public var exists: SQLFragment { statement("SELECT EXISTS (SELECT 1 FROM ", ")") }

    /// The way in which placeholders find their values: `numbered`, by the number of each, or `positional`, one after another.
    package var parameterOrder: String {
        dialect.features.contains(.numberedPlaceholders) ? "numbered" : "positional"
    }

    /// True if both are made from one template.
    package func sharesBody(with other: SQLQuery) -> Bool { body === other.body }

    /// Wraps tables and condition, whose parameters keep their numbers.
    private func statement(_ opening: String, _ closing: String = "") -> SQLFragment {
        var text = opening
        text.reserveCapacity(opening.utf8.count + body.tables.utf8.count + body.condition.utf8.count + 16)
        text += body.tables
        if !body.isAlways {
            text += " WHERE "
            text += body.condition
        }
        text += closing
        return SQLFragment(text, bindings: bindings, types: body.types)
    }
}

extension SQLQuery: CustomStringConvertible {
    /// The statement that returns the primary keys, with its values: `SELECT t0."id" FROM … WHERE t0."age" >= ?1 [bigint 21]`
    public var description: String { select.description }
}
