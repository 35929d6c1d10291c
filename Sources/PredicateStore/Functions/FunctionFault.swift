/// The error of a registered function in the running statement: SQLite passes on its message only, so that the error is
/// kept here until the statement has failed.
///
/// One per connection, used under its lock.
final class FunctionFault {
    private var error: StoreError.Code?

    func report(_ error: StoreError.Code) {
        self.error = error
    }

    func clear() {
        error = nil
    }

    func take() -> StoreError.Code? {
        defer { error = nil }
        return error
    }
}
