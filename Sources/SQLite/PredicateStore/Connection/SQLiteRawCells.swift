import CPredicateSQLite
import PredicateSQLite

/// A value of a row, by its storage class. Strings and blobs are valid until the next row.
package enum RawCell {
    case null
    case integer(Int64)
    case double(Double)
    /// The bytes of a TEXT value, which SQLite does not guarantee to be valid UTF-8.
    case text(UnsafeBufferPointer<UInt8>)
    case blob(UnsafeBufferPointer<UInt8>)
}

/// Rows read in place, for queries over millions of rows: no value is copied.
extension SQLiteRows {
    /// Advances to the next row, whose values ``cell(_:)`` returns; returns false after the last.
    ///
    /// No other task may use the connection meanwhile.
    package func advance() throws(StoreError) -> Bool { try next { _ in true } ?? false }

    /// The value of a column of the current row.
    package func cell(_ column: Int) -> RawCell { current?.cell(column).raw ?? .null }
}

extension SQLiteCell {
    fileprivate var raw: RawCell {
        switch storage {
        case .null: .null
        case .integer: .integer(integer)
        case .double: .double(double)
        case .text: .text(bytes)
        case .blob: .blob(blobBytes.bindMemory(to: UInt8.self))
        }
    }
}

/// A call of a function that a statement of a connection makes, with its values in place.
package struct ConnectionCall {
    private let call: FunctionCall

    fileprivate init(_ call: FunctionCall) {
        self.call = call
    }

    /// An argument, valid during the call.
    package func cell(_ position: Int) -> RawCell { SQLiteCell(call.argument(position)).raw }

    /// Sets the result, of which SQLite copies strings and blobs.
    package func `return`(_ result: RawCell) {
        switch result {
        case .null: call.returnNull()
        case .integer(let number): call.return(number)
        case .double(let number): call.return(number)
        case .text(let bytes): call.returnText(bytes)
        case .blob(let bytes): call.returnData(UnsafeRawBufferPointer(bytes))
        }
    }

    /// Makes the statement fail.
    package func fail(_ message: String) { call.fail(message) }
}

extension StoreConnection {
    /// Registers a function with any number of arguments for statements of this connection. It returns NULL if an argument is
    /// NULL.
    package func register(_ name: String, _ body: @escaping (ConnectionCall) -> Void) throws(StoreError) {
        try withLock { () throws(StoreError) in
            let function = FunctionImplementation(named: name, settings) { body(ConnectionCall($0)) }
            guard function.register(on: handle) == SQLITE_OK else { throw StoreError(handle) }
        }
    }
}
