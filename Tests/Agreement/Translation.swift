import Foundation
import PredicateSQL
import PredicateSyntax

/// A way from a predicate to a statement: the compiler as it is, or with one thing about it wrong.
package struct Translation: Sendable {
    package let name: String
    package var dialect: any SQLDialect
    package var mode: SQLCompiler.Mode
    /// The change to the predicate before it is compiled.
    package var tree: @Sendable (PredicateNode) -> PredicateNode
    /// The change to the schema.
    package var schema: @Sendable (SQLSchema) -> SQLSchema
    /// The change to the text of the statement; nil for none, and then nothing else is changed.
    package var text: (@Sendable (String) -> String)?

    package init(
        name: String, dialect: any SQLDialect = SQLiteDialect(), mode: SQLCompiler.Mode = .exact,
        tree: @escaping @Sendable (PredicateNode) -> PredicateNode = { $0 },
        schema: @escaping @Sendable (SQLSchema) -> SQLSchema = { $0 }, text: (@Sendable (String) -> String)? = nil
    ) {
        self.name = name
        self.dialect = dialect
        self.mode = mode
        self.tree = tree
        self.schema = schema
        self.text = text
    }

    /// The compiler as it is.
    package static let exact = Translation(name: "exact")

    /// The compiler as it is, for a dialect.
    package static func exact(_ dialect: any SQLDialect) -> Translation {
        Translation(name: "exact", dialect: dialect)
    }

    /// The compiler for a dialect, with a residual that is evaluated in memory.
    package static func residual(_ dialect: any SQLDialect) -> Translation {
        Translation(name: "residual", dialect: dialect, mode: .residual)
    }

    /// The compiled predicate. Throws what the compiler refuses.
    package func query(for predicate: PredicateNode, about entity: String, in schema: SQLSchema) throws -> SQLQuery {
        let compiler = SQLCompiler(
            schema: self.schema(schema), dialect: dialect, mode: mode, calendarZone: .gmt)
        return try compiler.compile(FormatPredicate(tree(predicate)), entity: entity)
    }

    /// The statement that selects the primary keys. Throws what the compiler refuses.
    package func statement(for predicate: PredicateNode, about entity: String, in schema: SQLSchema) throws
        -> SQLFragment
    {
        changed(try query(for: predicate, about: entity, in: schema).select)
    }

    /// The statement made of that of the compiler as it is.
    package func statement(
        for predicate: PredicateNode, about entity: String, in schema: SQLSchema, exact: SQLFragment
    ) throws -> SQLFragment {
        try text == nil ? statement(for: predicate, about: entity, in: schema) : changed(exact)
    }

    package func changed(_ statement: SQLFragment) -> SQLFragment {
        guard let text else { return statement }
        var statement = statement
        statement.text = text(statement.text)
        return statement
    }
}
