/// A statement that returns results, with the names and types of its columns.
public struct ResultSelection: Hashable, Sendable {
    /// `SELECT t0."title", t0."effort" FROM …`
    public var statement: SQLFragment
    /// The columns of the statement, in the order of the results.
    public var columns: [Column]
    /// The functions that the statement calls: the application registers them, or the dialect's prelude creates them in the
    /// database.
    public var functions: Set<SQLFunction>

    /// A column of a statement.
    public struct Column: Hashable, Sendable {
        /// The name of the result.
        public var name: String
        /// The type of the values, or of the primary keys of the objects.
        public var type: SQLType
        /// The entity of the objects whose primary keys the column holds; nil for values.
        public var entity: String?
    }
}
