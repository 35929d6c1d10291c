public import PredicateSyntax

/// The rows of results that a statement returns.
public enum ResultRows: Hashable, Sendable {
    /// A row for each object.
    case all
    /// A row for each combination of values: two that are equal in the language, nil too, are one.
    case distinct
    /// A row for each group of objects that agree in some key paths, if a predicate over the results holds.
    ///
    /// `.grouped(by: ["owner.name"], having: FormatPredicate("tasks > 3 AND total >= 10"))`
    ///
    /// The keys of the predicate are the names of results and the key paths of the groups. Without key paths all objects are
    /// one group, which is there even if no object is.
    case grouped(by: [String], having: FormatPredicate? = nil)
}

/// A statement that returns results, with the names and types of its columns.
public struct SQLSelection: Hashable, Sendable {
    /// `SELECT t0."title", t0."effort" FROM …`
    public var statement: SQLFragment
    /// The columns of the statement, in the order of the results.
    public var columns: [Column]

    /// A column of results.
    public struct Column: Hashable, Sendable {
        /// The name of the result.
        public var name: String
        /// The type of the values, or of the primary keys of objects.
        public var type: SQLType
        /// The entity of the objects whose primary keys the column has; nil for values.
        public var entity: String?
    }
}
