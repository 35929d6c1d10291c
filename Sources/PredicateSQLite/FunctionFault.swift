package import PredicateEvaluation

/// The error of a function, for which SQLite has a message only.
package enum FunctionError: Hashable, Sendable {
    /// `predicates_matches(name, '(', '')`
    case evaluation(EvaluationError)
    /// `predicates_mixed_kinds(age, 'age')`: a column whose rows hold values of several kinds
    case mixedKinds(column: String, found: String)

    /// The message that SQLite passes on.
    package var message: String {
        switch self {
        case .evaluation(let error): "\(error)"
        case .mixedKinds(let column, let found): Self.mixedKinds(column, found)
        }
    }

    /// `expected values of one kind in the column 'age', found a text`
    package static func mixedKinds(_ column: String, _ found: String) -> String {
        "expected values of one kind in the column '\(column)', found \(found)"
    }
}

/// The error of a registered function in the running statement: SQLite passes on its message only, so that the error is
/// kept here until the statement has failed.
///
/// One per connection, used under its lock.
package final class FunctionFault {
    private var error: FunctionError?

    package init() {}

    func report(_ error: FunctionError) {
        self.error = error
    }

    /// Forgets the error of the statement before.
    package func clear() {
        error = nil
    }

    /// The error, which is forgotten.
    package func take() -> FunctionError? {
        defer { error = nil }
        return error
    }
}
