internal import CPredicateSQLite
internal import Foundation
public import PredicateSQL
public import PredicateSyntax

/// Calls the functions of compiled SQL with values, for clients that register closures in place of C functions.
///
/// A client such as SQLiteNIO contains its own copy of SQLite and provides no `sqlite3 *`. Its closures call the functions
/// here:
///
/// ```swift
/// // The guide "A filter parameter in a server" has FunctionResult, sqliteData and sqlBinding.
/// let caller = try SQLFunctionCaller(limits: policy.limits)
/// for function in SQLFunctionCaller.functions {
///     let custom = SQLiteCustomFunction(
///         function.name, argumentCount: Int32(function.argumentCount), pure: true, indirect: true
///     ) { arguments in
///         FunctionResult(sqliteData: sqliteData(try caller.call(function, arguments.map(sqlBinding))))
///     }
///     try await connection.install(customFunction: custom)
/// }
/// ```
///
/// The results are those of `SQLFunction.register(_:on:limits:)`, since the caller registers the same functions on a
/// connection of its own. A call takes about a microsecond more. Make a caller for each connection; calls of one caller
/// run one after another. [NSP-497]
public final class SQLFunctionCaller: @unchecked Sendable {
    /// The functions that can be called: all but the aggregates, which clients register in other ways. A
    /// compiler for these connections has the dialect `SQLiteDialect(functions: SQLFunctionCaller.functions)`.
    public static let functions: Set<SQLFunction> = Set(
        SQLFunction.allCases.filter { !FunctionImplementation($0, FunctionSettings(.standard)).isAggregate })

    private let lock = NSLock()
    // `@unchecked`: these are used under the lock.
    private let connection: OpaquePointer
    private let settings: FunctionSettings
    private var statements: [SQLFunction: OpaquePointer] = [:]

    /// Creates a caller.
    ///
    /// - Parameter limits: The limits of regular expressions: a pattern or a string that exceeds them is an error.
    /// - Throws: ``SQLiteRegistrationError``, also for SQLite before 3.39.
    public init(limits: PredicateLimits = .standard) throws(SQLiteRegistrationError) {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX
        let result = sqlite3_open_v2(":memory:", &handle, flags, nil)
        guard result == SQLITE_OK, let handle else {
            sqlite3_close_v2(handle)
            throw SQLiteRegistrationError(.refused(.foldCase, result: result), message: "no connection can be opened")
        }
        (connection, settings) = (handle, FunctionSettings(limits))
        try SQLFunction.register(Self.functions, on: handle, settings)
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close_v2(connection)
    }

    /// Returns the value of a function: `try caller.call(.foldCase, [.text("Jo")])` is `.text("jo")`.
    ///
    /// - Throws: ``SQLFunctionError`` for an invalid pattern of MATCHES, a pattern or string that exceeds a limit, a
    ///   column of mixed types, an aggregate, and a wrong number of arguments.
    public func call(_ function: SQLFunction, _ arguments: [SQLBinding]) throws(SQLFunctionError) -> SQLBinding {
        lock.lock()
        defer { lock.unlock() }
        guard arguments.count == function.argumentCount else {
            throw SQLFunctionError(function, message: "expected \(function.argumentCount) arguments")
        }
        let statement = try statement(function)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, argument) in arguments.enumerated() {
            _ = StatementParameter(Int32(index + 1), of: statement).bind(argument)
        }
        guard sqlite3_step(statement) == SQLITE_ROW else { throw error(function) }
        return SQLBinding(sqlite3_column_value(statement, 0))
    }

    /// `SELECT predicates2_begins(?1, ?2, ?3)`
    private func statement(_ function: SQLFunction) throws(SQLFunctionError) -> OpaquePointer {
        if let statement = statements[function] { return statement }
        let parameters = SQLText.joined((1...function.argumentCount).map { "?\(number: $0)" }, by: ", ")
        let query = SQLFragment("SELECT \(function)(\(parameters))")
        var prepared: OpaquePointer?
        sqlite3_prepare_v2(connection, query.text, -1, &prepared, nil)
        guard let prepared else { throw error(function) }
        statements[function] = prepared
        return prepared
    }

    private func error(_ function: SQLFunction) -> SQLFunctionError {
        let message = settings.fault.take()?.message ?? String(cString: sqlite3_errmsg(connection))
        return SQLFunctionError(function, message: message)
    }
}

/// An error of a function that ``SQLFunctionCaller`` has called. A client makes it the error of the statement.
public struct SQLFunctionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The function that was called.
    public var function: SQLFunction
    /// What is wrong, in the words of the evaluator.
    public var message: String

    init(_ function: SQLFunction, message: String) {
        (self.function, self.message) = (function, message)
    }

    /// `predicates_matches: …`
    public var description: String { "\(function.name): \(message)" }
}

extension SQLBinding {
    /// A value of SQLite, by its storage class.
    fileprivate init(_ value: OpaquePointer?) {
        self =
            switch StorageClass(code: sqlite3_value_type(value)) {
            case .null: .null
            case .integer: .integer(sqlite3_value_int64(value))
            case .double: .double(sqlite3_value_double(value))
            case .text: .text(String(decoding: Self.bytes(sqlite3_value_text(value), value), as: UTF8.self))
            case .blob: .blob(Data(Self.bytes(sqlite3_value_blob(value), value)))
            }
    }

    private static func bytes(_ start: UnsafeRawPointer?, _ value: OpaquePointer?) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(value)))
    }
}
