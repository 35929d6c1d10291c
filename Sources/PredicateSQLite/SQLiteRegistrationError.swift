public import PredicateSQL
public import PredicateSyntax

/// An error of registering functions on a connection: a code, and SQLite's own message.
///
/// `.refused(.foldCase, result: 5)`: the function is registered already, and a statement of the connection is running.
public struct SQLiteRegistrationError: PredicateDiagnostic {
    /// The kind of error.
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Code: Hashable, Sendable {
        /// A SQLite before 3.39, with its version
        case version(String)
        /// A function that SQLite refused, with its result code: 5 (`SQLITE_BUSY`) while statements run, 7 without memory
        case refused(SQLFunction, result: Int32)
    }

    public var code: Code
    /// SQLite's own message; empty where SQLite was not asked.
    public var message: String

    /// An error with SQLite's message.
    public init(_ code: Code, message: String = "") {
        self.code = code
        self.message = message
    }

    /// The oldest version that runs compiled SQL, as `sqlite3_libversion_number()` counts.
    static let oldestVersion = 3_039_000
    private static let busy: Int32 = 5

    /// Empty: the error is about no predicate.
    public var text: String { "" }
    /// Empty: the error is about no predicate.
    public var range: Range<Int> { 0..<0 }
    public var label: String? { nil }

    public var title: String {
        switch code {
        case .version(let found): "expected SQLite 3.39 or newer, found \(found)"
        case .refused(let function, let result):
            "expected to register \(function.name), which SQLite refused: \(message.isEmpty ? "code \(result)" : message)"
        }
    }

    public var hints: [String] {
        switch code {
        case .version: ["link the program with a newer SQLite"]
        case .refused(_, Self.busy): ["register the functions when the connection is opened, before statements run"]
        case .refused: []
        }
    }
}
