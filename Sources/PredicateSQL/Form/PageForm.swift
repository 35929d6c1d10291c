/// A page of the rows of a scope: `(SELECT t2."id" FROM "task" AS t2 WHERE … ORDER BY … LIMIT 3)`
struct PageForm {
    /// The primary key of the rows, which is the last key of their order.
    let key: ColumnForm
    let scope: Scope
    let condition: ConditionForm
    let order: [OrderTerm]
    let limit: ValueForm?
    let offset: ValueForm?
}

/// A value that rows are ordered by.
struct OrderTerm {
    let form: ValueForm
    let isText: Bool
    let ascending: Bool
    let nullsFirst: Bool
}
