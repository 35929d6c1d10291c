import PredicateEvaluation
import PredicateSyntax

/// The loaded objects of a session, kept by column.
package struct ObjectTable: Sendable {
    let rows: ColumnTable
    /// The keys of the objects, in the order in which the data has them.
    package let columns: [String]

    /// A table without objects.
    package static let empty = ObjectTable(rows: ColumnTable(rows: []), columns: [])

    /// The number of objects.
    package var count: Int { rows.count }

    package var isEmpty: Bool { count == 0 }

    /// The object in a row; nil as a value for an index out of bounds.
    package subscript(row: Int) -> KeyedValue { rows[row].keyedValue }

    /// The row indices of at most `limit` objects, spread evenly over all of them.
    package func spread(_ limit: Int) -> [Int] {
        guard limit < count else { return Array(0..<count) }
        return (0..<max(0, limit)).map { $0 * count / limit }
    }
}

/// Builds a table, one object after another.
struct ObjectTableBuilder {
    private let rows = ColumnTableBuilder()
    private var columns: [String] = []
    private var knownColumns: Set<String> = []
    /// The keys of the last dictionary: most objects have the same keys in the same order.
    private var lastKeys: [String] = []

    /// The number of objects so far.
    var count: Int { rows.count }

    /// Adds an object. `names` returns its keys in the order of the source; it is called only if some keys are new.
    mutating func append(_ value: PredicateValue, names: () -> [String]) {
        rows.append(value)
        guard case .dictionary(let members) = value, !members.keys.elementsEqual(lastKeys) else { return }
        lastKeys = Array(members.keys)
        guard !knownColumns.isSuperset(of: lastKeys) else { return }
        for name in names() + lastKeys.sorted() where knownColumns.insert(name).inserted { columns.append(name) }
    }

    /// Returns the table of all objects so far.
    func table() -> ObjectTable {
        ObjectTable(rows: rows.table(), columns: columns)
    }
}
