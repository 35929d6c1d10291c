import PredicateSyntax

/// The result of introspection: the schema, and the parts of the database that it does not represent.
///
/// `try connection.introspect().omissions` is empty if every table is an entity.
package struct IntrospectedSchema: Hashable, Sendable {
    package var schema: SQLSchema
    /// The omitted parts, sorted by table.
    package var omissions: [Omission]
    /// Columns declared as UUID that hold strings in several spellings, sorted; they are typed as strings.
    package var looseUUIDs: [LooseUUIDs] = []

    package init(schema: SQLSchema, omissions: [Omission]) {
        (self.schema, self.omissions) = (schema, omissions)
    }

    /// A column declared as UUID that is typed as string.
    package struct LooseUUIDs: Hashable, Sendable {
        package let table: String
        package let column: String
        /// One of its values.
        package let example: String

        package init(table: String, column: String, example: String) {
            (self.table, self.column, self.example) = (table, column, example)
        }
    }

    /// A part of the database that the schema does not represent.
    package enum Omission: Hashable, Sendable {
        /// A view that cannot be read, with the database's message.
        case view(String, problem: String)
        /// A virtual table whose SQLite extension is missing.
        case virtualTable(String, problem: String)
        /// A table whose primary key has several columns and whose columns hide all names of the `rowid`.
        case compositeKey(table: String)
        /// A foreign key with several columns, or one that references a column other than the primary key or a
        /// missing table.
        case foreignKey(table: String, columns: [String], to: String)
        /// A column of a type that schemas do not have: `interval`
        case columnType(table: String, column: String, type: String)
        /// A column whose name no key path can contain: `@count`, or the empty name
        case columnName(table: String, column: String)
    }
}

extension SQLEntity {
    /// True for a key that no key path can contain: the empty key, and the name of a collection operator, which a key
    /// path always reads as the operator. [NSP-428]
    package static func isUnreachable(_ key: String) -> Bool {
        key.isEmpty || KeyPathOperator(rawValue: key) != nil
    }

    /// True if no key path leads to an attribute. This includes `address.street` beside a key `address` to which it does not
    /// belong.
    package func isUnreachable(_ key: String, _ attribute: SQLAttribute) -> Bool {
        if Self.isUnreachable(key) { return true }
        // A column with a dot in its own name is a single key.
        guard key.contains("."), let column = attribute.column, !column.hasSameCodePoints(as: key) else { return false }
        let parts = key.split(separator: ".", omittingEmptySubsequences: false)
        if parts.contains("") { return true }
        return (1..<parts.count).contains { count in
            let path = parts.prefix(count).joined(separator: ".")
            return attributes[exactly: path] != nil || relationships[exactly: path] != nil
        }
    }
}
