import PredicateSyntax

/// The counts of a compiled condition that the statement limits of `PredicateLimits` bound.
///
/// `name CONTAINS[cd] "jo"`: one table; in PostgreSQL three searches, two regular expressions and a function.
struct StatementSize: Hashable {
    /// The regular expressions, and the calls of functions that read a string.
    var searches = 0
    /// The tables, each counted as often as it is named.
    var tables = 0
}

extension PredicateLimits {
    /// True if any limit of a statement applies. Most compilers have none, and need not count.
    var limitsStatements: Bool {
        statementLength < .max || statementSearches < .max || statementTables < .max
    }

    /// Returns the limit that a statement exceeds; nil if it is within all of them. [NSP-421]
    func exceeded(by body: StatementBody, _ bindings: [SQLBinding]) -> Limit? {
        if body.size.tables > statementTables { return .statementTables }
        if body.size.searches > statementSearches { return .statementSearches }
        let length = bindings.reduce(body.tables.utf8.count + body.condition.utf8.count) { $0 + $1.length }
        return length > statementLength ? .statementLength : nil
    }
}

extension SQLBinding {
    /// The bytes of a string or of data; eight for any other value.
    fileprivate var length: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .blob(let bytes): bytes.count
        case .null, .integer, .double, .boolean: 8
        }
    }
}
