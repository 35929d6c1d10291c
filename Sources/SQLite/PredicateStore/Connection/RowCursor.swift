import Foundation
internal import PredicateSQL
import PredicateSQLite

/// The rows of one query. The current row stays in SQLite, so its values are compared without being copied.
///
/// For reading two files side by side, row by row. Not for concurrent use.
package final class RowCursor {
    private let connection: StoreConnection
    private let rows: SQLiteRows
    /// False after the last row.
    package private(set) var hasRow = false

    /// Prepares a query and advances to its first row.
    package init(_ connection: StoreConnection, _ query: SQLText) throws(StoreError) {
        self.connection = connection
        rows = try connection.rows(of: SQLFragment(query))
        try advance()
    }

    /// Advances to the next row, if there is one.
    package func advance() throws(StoreError) { hasRow = try rows.advance() }

    /// An integer of the current row; nil for any other value.
    package func integer(_ column: Int) -> Int64? {
        connection.withLock { if case .integer(let value) = rows.cell(column) { value } else { nil } }
    }

    /// A value of the current row.
    package func value(_ column: Int) -> SQLBinding {
        connection.withLock { rows.current?.value(column) ?? .null }
    }

    /// The columns in a range whose values differ from those in another cursor's current row.
    package func differences(from other: RowCursor, in columns: Range<Int>) -> [Int] {
        withLocks(other) {
            columns.filter { CellOrder(rows.cell($0), other.rows.cell($0)) != .same }
        }
    }

    /// The order of this cursor's current row relative to another cursor's, by the columns in a range, as SQLite sorts them.
    package func order(to other: RowCursor, by columns: Range<Int>) -> CellOrder {
        withLocks(other) {
            for column in columns {
                let order = CellOrder(rows.cell(column), other.rows.cell(column))
                if order != .same { return order }
            }
            return .same
        }
    }

    /// Locks both connections, in the same order for all cursors, so that two comparisons never wait for each other.
    private func withLocks<Result>(_ other: RowCursor, _ body: () -> Result) -> Result {
        let isFirst = ObjectIdentifier(connection) < ObjectIdentifier(other.connection)
        let (first, second) = isFirst ? (connection, other.connection) : (other.connection, connection)
        return first.withLock { second.withLock(body) }
    }
}

/// The order of two stored values in SQLite, under the collation BINARY: NULL, numbers, strings, data.
package enum CellOrder: Sendable {
    case before, same, after

    init(_ left: RawCell, _ right: RawCell) {
        switch (left, right) {
        case (.null, .null): self = .same
        case (.integer(let left), .integer(let right)): self.init(left, right)
        case (.double(let left), .double(let right)): self.init(left, right)
        case (.integer(let left), .double(let right)): self.init(integer: left, right)
        case (.double(let left), .integer(let right)): self = Self(integer: right, left).reversed
        case (.text(let left), .text(let right)), (.blob(let left), .blob(let right)):
            self.init(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
        case (let left, let right): self.init(Self.rank(left), Self.rank(right))
        }
    }

    private init<Value: Comparable>(_ left: Value, _ right: Value) {
        self = left < right ? .before : left == right ? .same : .after
    }

    /// The exact order of an integer and a double, which may have no common type.
    private init(integer: Int64, _ double: Double) {
        if double >= 0x1p63 {
            self = .before
        } else if double < -0x1p63 {
            self = .after
        } else {
            let whole = Int64(double)
            self = integer == whole ? Self(0, double - Double(whole)) : Self(integer, whole)
        }
    }

    private init(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) {
        let count = min(left.count, right.count)
        var order: Int32 = 0
        if count > 0, let leftStart = left.baseAddress, let rightStart = right.baseAddress {
            order = memcmp(leftStart, rightStart, count)
        }
        self = order == 0 ? Self(left.count, right.count) : Self(order, 0)
    }

    private var reversed: CellOrder {
        switch self {
        case .before: .after
        case .same: .same
        case .after: .before
        }
    }

    private static func rank(_ cell: RawCell) -> Int {
        switch cell {
        case .null: 0
        case .integer, .double: 1
        case .text: 2
        case .blob: 3
        }
    }
}
