/// A column of results in the typed form.
struct ResultForm {
    let name: String
    let content: Content
    let type: SQLType
    /// The entity of objects, whose primary keys the column has.
    let destination: EntityReference?
    let mayBeNil: Bool
    /// The affinity of a column that may hold values of several kinds: it is not that of the column that they come from.
    var affinity: SQLAffinity?

    enum Content {
        /// `t0."effort"`
        case value(ValueForm)
        /// `MAX(t0."effort")`
        case aggregate(AggregateForm)
    }

    /// True if its values are compared as texts.
    var isText: Bool { ValueKind(type).isText }
}

/// A value that rows are grouped by, and the column in which the group has it.
struct GroupForm {
    /// `t0."name" COLLATE BINARY`
    let form: ValueForm
    let isText: Bool
    let column: ResultForm
}

/// The columns and groups of a statement.
struct ResultsForm {
    /// The results, in their order, then the values of groups that are no results.
    var columns: [ResultForm]
    /// The number of results.
    let count: Int
    /// The values that rows are grouped by; nil for a row for each object.
    var groups: [GroupForm]?
    /// The columns whose values tell one row from every other.
    var keys: [Int]
}
