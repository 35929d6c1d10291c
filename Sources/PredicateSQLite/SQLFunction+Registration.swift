internal import CPredicateSQLite
public import PredicateSQL

extension SQLFunction {
    /// Registers functions on a connection of any client of SQLite, so that it runs what `SQLCompiler` compiles for
    /// `SQLiteDialect`.
    ///
    /// ```swift
    /// configuration.prepareDatabase { try SQLFunction.register(on: $0.sqliteConnection!) }     // GRDB
    /// try SQLFunction.register(on: connection.handle)                                          // SQLite.swift
    /// try SQLFunction.register(query.requiredFunctions, on: handle)                            // those of one query
    /// ```
    ///
    /// They are deterministic, so that indexes may use them and SQLite calls them once where their arguments are constant,
    /// and free of side effects, so that views and triggers may call them. A function that is registered already is
    /// replaced, which SQLite refuses while statements of the connection run. SQLite releases them with the connection.
    ///
    /// The error of a function, such as that of an invalid pattern for MATCHES, is the message of the statement that fails.
    ///
    /// The connection must be one of the SQLite that the program is linked with, not of a copy under other names, as that
    /// of SQLiteNIO is. A connection with a password or with other settings is none.
    ///
    /// - Parameters:
    ///   - functions: All that compiled SQL may call, by default.
    ///   - connection: An open `sqlite3 *`, which no other thread uses meanwhile unless it is serialized.
    /// - Throws: ``SQLiteRegistrationError``, for a SQLite before 3.39, too.
    public static func register(
        _ functions: Set<SQLFunction> = Set(allCases), on connection: OpaquePointer
    ) throws(SQLiteRegistrationError) {
        try register(functions, on: connection, reportingTo: FunctionFault())
    }

    /// Registers functions whose errors are also kept as values.
    package static func register(
        _ functions: Set<SQLFunction> = Set(allCases), on connection: OpaquePointer, reportingTo fault: FunctionFault
    ) throws(SQLiteRegistrationError) {
        let version = sqlite3_libversion_number()
        guard version >= SQLiteRegistrationError.oldestVersion else {
            throw SQLiteRegistrationError(.version(String(cString: sqlite3_libversion())))
        }
        for function in allCases where functions.contains(function) {
            let result = FunctionImplementation(function, fault).register(on: connection)
            guard result == SQLITE_OK else {
                let message = sqlite3_errmsg(connection).map { String(cString: $0) } ?? ""
                throw SQLiteRegistrationError(.refused(function, result: result), message: message)
            }
        }
    }
}
