public import PredicateSyntax

/// A builder of tables from rows of plain data, whose keys and types are discovered row by row.
///
/// ```swift
/// let builder = ColumnTableBuilder()
/// builder.append(["name": "jo", "age": 30, "dept": ["name": "Sales"]])
/// try builder.table().count(matching: FormatPredicate("dept.name == 'Sales'"))
/// ```
///
/// Rows are dictionaries; a key that some of them lack is nil there. Values of one kind, lists of them and nested
/// dictionaries get columns of their own. Values of mixed kinds, and dictionaries whose keys differ so much from row to
/// row that they are data, are stored as they are and evaluated one by one.
public final class ColumnTableBuilder {
    private let root = ColumnBuilder()

    /// Makes a builder without rows.
    public init() {}

    /// The number of rows so far.
    public var count: Int { root.count }

    /// Adds a row: a dictionary, or any other value, which is `SELF` to predicates.
    public func append(_ row: PredicateValue) {
        root.append(row)
    }

    /// Adds a dictionary of distinct keys and their values.
    package func append(keys: [String], values: ArraySlice<PredicateValue>) {
        root.append(keys: keys, values: values)
    }

    /// Returns the table of all rows so far.
    public func table() -> ColumnTable {
        ColumnTable(root.column(), count)
    }
}

extension ColumnTable {
    /// Makes a table of rows of plain data: `ColumnTable(rows: [["name": "jo", "age": 30], ["name": "al"]])`.
    public init(rows: some Sequence<PredicateValue>) {
        let builder = ColumnTableBuilder()
        for row in rows { builder.append(row) }
        self = builder.table()
    }
}
