public import PredicateSyntax

/// The builder of a table of columns from rows of plain data, whose keys and types are inferred.
///
/// ```swift
/// let builder = ColumnTableBuilder()
/// builder.append(["name": "jo", "age": 30, "dept": ["name": "Sales"]])
/// try builder.table().count(matching: FormatPredicate("dept.name == 'Sales'"))
/// ```
///
/// Rows are dictionaries; a key that some of them lack is nil there. Values of one kind, lists of them and dictionaries
/// inside of dictionaries get columns of their own; where kinds are mixed, or where keys differ from row to row so much
/// that they are data, values are kept as they are, and evaluated one by one.
public final class ColumnTableBuilder {
    private let root = ColumnBuilder()

    public init() {}

    /// The number of rows so far.
    public var count: Int { root.count }

    /// Adds a row: a dictionary, or any other value, which predicates reach as `SELF`.
    public func append(_ row: PredicateValue) {
        root.append(row)
    }

    /// Adds a row that is a dictionary.
    public func append(_ row: [String: PredicateValue]) {
        root.append(.dictionary(row))
    }

    /// Adds a dictionary of these keys, of which none stands twice, and as many values.
    package func append(keys: [String], values: ArraySlice<PredicateValue>) {
        root.append(keys: keys, values: values)
    }

    /// The table of all rows so far.
    public func table() -> ColumnTable {
        ColumnTable(root.column(), count)
    }
}

extension ColumnTable {
    /// A table of rows of plain data: `ColumnTable(rows: [["name": "jo", "age": 30], ["name": "al"]])`.
    public init(rows: some Sequence<PredicateValue>) {
        let builder = ColumnTableBuilder()
        for row in rows { builder.append(row) }
        self = builder.table()
    }
}
