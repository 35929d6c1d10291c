import PredicateSQL
import PredicateStore

/// The attributes of an entity in the order in which its table has the columns.
package enum ColumnOrder {
    /// Returns the names of the attributes. Those without a column of the table come last, sorted.
    package static func attributes(of entity: SQLEntity, in store: PredicateStore) throws(StoreError) -> [String] {
        let positions = try positions(of: entity.table, in: store)
        func position(_ name: String) -> Int64 {
            positions[(entity.attributes[name]?.column ?? name).lowercased()] ?? .max
        }
        return entity.attributes.keys.sorted { (position($0), $0) < (position($1), $1) }
    }

    private static func positions(of table: String, in store: PredicateStore) throws(StoreError) -> [String: Int64] {
        let text = "SELECT name, cid FROM pragma_table_xinfo(?1)"
        let rows = try store.connection.rows(of: SQLFragment(text, bindings: [.text(table)]))
        var positions: [String: Int64] = [:]
        while let row = try rows.next() {
            guard case .text(let name)? = row.first, case .integer(let position)? = row.last else { continue }
            positions[name.lowercased()] = position
        }
        return positions
    }
}
