public import PredicateSyntax

/// A predicate as SQL: the condition, and the statements made with it.
///
/// `age >= 21` on `Person`: ``where`` is `t0."age" >= ?1` with `[21]`, and ``select`` is
/// `SELECT t0."id" FROM "person" AS t0 WHERE t0."age" >= ?1`.
///
/// Where an evaluator would report an error for a row, because of an overflow or arithmetic on nil, the comparison counts
/// as false.
public struct SQLQuery: Sendable {
    /// What the SQL does not say: the predicate that must still be asked of every row. Nil when SQL says it all.
    public var residual: FormatPredicate? { body.residual }

    /// The whole statement that returns the primary keys: `SELECT t0."id" FROM … WHERE …`
    public let select: SQLFragment

    let body: QueryBody

    /// The entity that rows are selected from.
    public var entity: SQLEntity { body.entity.entity }
    /// The functions that the text calls and that an application registers.
    public var requiredFunctions: Set<SQLFunction> {
        dialect.callsApplicationFunctions ? body.functions.functions : []
    }
    /// What must be run on every connection.
    public var setup: [String] { dialect.setup }
    /// What must be run once in the database: it installs functions.
    public var prelude: [String] { dialect.prelude(for: body.functions.functions) }

    var dialect: any SQLDialect { body.compiler.dialect }
    /// Whether the statement was written straight from the tree.
    package var isPlain: Bool { body.isPlain }

    /// The condition over the root, whose alias is `t0`; it may name tables that ``from`` joins.
    public var `where`: SQLFragment {
        var writer = body.writer()
        writer.write(body.typed().condition)
        return writer.fragment
    }

    /// The tables: `"person" AS t0 LEFT JOIN …`
    public var from: SQLFragment {
        var writer = body.writer()
        writer.writeTables(of: body.typed().scope, nil)
        let fragment = writer.fragment
        return SQLFragment(String(fragment.text.dropFirst(6)), bindings: fragment.bindings)
    }
}

/// What other statements are made of, and where the typed form comes from.
struct QueryBody: Sendable {
    let compiler: SQLCompiler
    /// The number of the entity in the schema.
    let entityNumber: Int
    let functions: SQLFunctionSet
    let origin: Origin

    enum Origin {
        indirect case typed(TypedQuery, residual: FormatPredicate?)
        /// A plain predicate that was written from the tree.
        case plain(PredicateNode)
    }

    var entity: EntityReference { compiler.index[entityNumber] }

    var residual: FormatPredicate? {
        switch origin {
        case .typed(_, let residual): residual
        case .plain: nil
        }
    }

    /// The typed form, which other statements are made of; that of a plain predicate is made whenever it is asked for.
    func typed() -> TypedQuery {
        switch origin {
        case .typed(let typed, _): typed
        case .plain(let node): TypedQuery(ofPlain: node, compiler, entity)
        }
    }

    var isPlain: Bool {
        if case .plain = origin { true } else { false }
    }

    func writer() -> SQLWriter { SQLWriter(compiler.writing) }
}

/// The typed form of a condition with the tables in scope.
///
/// The scope is only read, and copied before tables are added.
struct TypedQuery: @unchecked Sendable {
    let condition: ConditionForm
    let scope: Scope
    /// Aliases and parameters that statements may add begin here.
    let aliasCount: Int
    let parameterCount: Int

    init(_ condition: ConditionForm, _ resolver: Resolver) {
        self.condition = condition
        scope = resolver.root.scope
        aliasCount = resolver.aliasCount
        parameterCount = resolver.parameterCount
    }

    /// What is plain has a typed form, too; without one nothing would be selected.
    fileprivate init(ofPlain node: PredicateNode, _ compiler: SQLCompiler, _ entity: EntityReference) {
        let resolver = Resolver(compiler, entity, [:])
        self.init((try? resolver.condition(node, .unnoted)) ?? .never, resolver)
    }
}

extension SQLWriter {
    /// `SELECT t0."id" FROM … WHERE …`
    mutating func writeSelect(_ primaryKey: ColumnReference, _ scope: Scope, _ condition: ConditionForm) {
        write("SELECT ")
        write(primaryKey, of: 0)
        writeTables(of: scope, nil)
        writeWhere(condition)
    }

    /// ` WHERE …`; nothing where every row is selected.
    mutating func writeWhere(_ condition: ConditionForm) {
        if condition.isAlways { return }
        write(" WHERE ")
        write(condition)
    }
}
