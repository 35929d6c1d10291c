import PredicateSQL
import PredicateSyntax

/// A way from a predicate to a statement: the compiler as it is, or with one thing about it wrong.
struct Translation: Sendable {
    let name: String
    var dialect: any SQLDialect = SQLiteDialect()
    var mode = SQLCompiler.Mode.exact
    /// What is done to the predicate before it is compiled.
    var tree: @Sendable (PredicateNode) -> PredicateNode = { $0 }
    /// What is done to the schema.
    var schema: @Sendable (SQLSchema) -> SQLSchema = { $0 }
    /// What is done to the text of the statement; nil for nothing. Then nothing else is done.
    var text: (@Sendable (String) -> String)?

    /// The compiler as it is.
    static let exact = Translation(name: "exact")
    /// The same where what SQL cannot say is asked of the rows in memory.
    static let residual = Translation(name: "residual", mode: .residual)

    /// The compiled predicate. Throws what the compiler refuses.
    func query(for predicate: PredicateNode, about entity: String, in schema: SQLSchema) throws -> SQLQuery {
        let compiler = SQLCompiler(schema: self.schema(schema), dialect: dialect, mode: mode)
        return try compiler.compile(FormatPredicate(tree(predicate)), entity: entity)
    }

    /// The statement that selects the primary keys. Throws what the compiler refuses.
    func statement(for predicate: PredicateNode, about entity: String, in schema: SQLSchema) throws -> SQLFragment {
        changed(try query(for: predicate, about: entity, in: schema).select)
    }

    /// The statement made of that of the compiler as it is.
    func statement(
        for predicate: PredicateNode, about entity: String, in schema: SQLSchema, exact: SQLFragment
    ) throws -> SQLFragment {
        try text == nil ? statement(for: predicate, about: entity, in: schema) : changed(exact)
    }

    func changed(_ statement: SQLFragment) -> SQLFragment {
        SQLFragment(text?(statement.text) ?? statement.text, bindings: statement.bindings)
    }
}
