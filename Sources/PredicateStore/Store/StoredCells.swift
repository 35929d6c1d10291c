import PredicateSQL
import PredicateSyntax

/// The row of an object that a statement has just read, before anything is made of it. Valid until the next row.
package struct StoredCells {
    private let statement: SQLiteStatement
    private let layout: EntityLayout

    init(_ statement: SQLiteStatement, _ layout: EntityLayout) {
        (self.statement, self.layout) = (statement, layout)
    }

    /// A value of the row.
    package enum Cell {
        case null
        case integer(Int64)
        case double(Double)
        /// The bytes of a text, which SQLite does not promise to be UTF-8.
        case text(UnsafeBufferPointer<UInt8>)
        /// Any other value.
        case value(PredicateValue)
    }

    /// The primary key.
    package var key: PredicateValue { layout.entity.primaryKeyType.value(of: statement.value(0)) }

    /// The attribute at an index of ``StoredObjects/cellIndex(of:)``: the value that the object would have.
    @inline(__always)
    package func cell(_ index: Int) -> Cell {
        let cell = statement.cell(index + 1)
        switch (cell.storage, layout.plainness(index)) {
        case (.null, _): return .null
        case (.integer, .double): return .double(Double(cell.integer))
        case (.integer, .plain): return .integer(cell.integer)
        case (.double, .plain), (.double, .double): return .double(cell.double)
        case (.text, .plain), (.text, .double), (.text, .boolean), (.text, .seconds): return .text(cell.bytes)
        case (.blob, _), (_, .boolean), (_, .seconds), (_, .converted):
            return .value(layout.value(index, statement))
        }
    }
}

extension StoredObjects {
    /// True if rows can be read as cells: SQL selects them alone, and every key is a column of one statement.
    package var readsCells: Bool { readsRowsAlone }

    /// The index of an attribute for ``StoredCells/cell(_:)``; nil for other keys.
    package func cellIndex(of key: String) -> Int? {
        guard case .attribute(let index)? = rowLayout.column(key) else { return nil }
        return index
    }

    /// Reads the next row with a function; returns false after the last.
    package func nextCells(_ read: (StoredCells) -> Void) throws(StoreError) -> Bool {
        let layout = rowLayout
        return try nextStatement { read(StoredCells($0, layout)) }
    }
}
