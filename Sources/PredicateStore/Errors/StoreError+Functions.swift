import PredicateSQLite

extension StoreError.Code {
    /// The error of a function that a statement called.
    init(_ error: FunctionError) {
        switch error {
        case .evaluation(let error): self = .evaluation(error)
        case .mixedKinds(let column, let found): self = .mixedKinds(column: column, found: found)
        }
    }
}

extension StoreError {
    /// The error of functions that could not be registered.
    init(_ error: SQLiteRegistrationError) {
        switch error.code {
        case .version: self.init(.sqlite(.error, extended: 1), message: error.title)
        case .refused(_, let result):
            self.init(.sqlite(SQLiteResult(code: result), extended: result), message: error.message)
        }
    }
}
