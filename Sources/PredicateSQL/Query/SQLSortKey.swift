public import PredicateSyntax

/// A key that the rows of a statement are ordered by: `SQLSortKey("name", ascending: false)`.
public typealias SQLSortKey = SortKey
