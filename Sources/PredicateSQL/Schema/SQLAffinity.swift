/// The affinity of a SQLite column: what SQLite makes of a value that is stored in it, and of one compared with it.
///
/// Whatever the affinity, the column may hold values of other kinds: `'abc'` in a column of integers stays a text. See
/// ``SQLAttribute/affinity``.
public enum SQLAffinity: String, Hashable, Sendable, CaseIterable {
    /// `INTEGER`: a number is an integer where it is whole; a text that reads as a number becomes one.
    case integer
    /// `REAL`: as ``numeric``, and an integer is a floating-point number.
    case real
    /// `NUMERIC`, and declared types that SQLite does not know: `DECIMAL(10, 2)`, `DATETIME`, `STRING`.
    case numeric
    /// `TEXT`: a number becomes a text.
    case text
    /// `BLOB`, and columns without a declared type: nothing is converted.
    case blob
    /// That of an expression whose affinity is not known, such as the column of a view over several queries.
    case unknown

    /// The affinity of a declared type, by the five rules of SQLite in their order.
    ///
    /// `SQLAffinity(declaredType: "VARCHAR(20)")` is ``text``.
    public init(declaredType: String) {
        let name = declaredType.uppercased()
        let hasAny = { (words: [String]) in words.contains { name.contains($0) } }
        if hasAny(["INT"]) {
            self = .integer
        } else if hasAny(["CHAR", "CLOB", "TEXT"]) {
            self = .text
        } else if hasAny(["BLOB"]) || name.isEmpty {
            self = .blob
        } else {
            self = hasAny(["REAL", "FLOA", "DOUB"]) ? .real : .numeric
        }
    }

    /// True if a text that is compared with the column is not converted to a number.
    var keepsTexts: Bool {
        switch self {
        case .text, .blob, .unknown: true
        case .integer, .real, .numeric: false
        }
    }

    /// The storage classes that a column of this affinity may hold.
    var storages: [SQLPiece.Storage] {
        switch self {
        case .integer, .numeric, .blob, .unknown: [.integer, .double, .text, .data]
        case .real: [.double, .text, .data]
        case .text: [.text, .data]
        }
    }
}
