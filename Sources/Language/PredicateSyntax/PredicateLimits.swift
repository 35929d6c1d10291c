#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Limits for sizes and work. Exceeding one is a typed error, never a crash or a long wait.
///
/// `PredicateLimits(nesting: 20, evaluationSteps: 10_000)`
///
/// One value serves all modules: the parser takes it in ``FormatOptions``, evaluators and the SQL compiler take it in
/// their initializers, and a ``PredicatePolicy`` contains one. ``PredicateLimits/Limit`` names the properties. Each
/// module documents the limits that it enforces.
public struct PredicateLimits: Hashable, Sendable {
    /// The length of a format string, in bytes.
    public var formatLength: Int
    /// The levels of a tree: calls, NOTs, and terms of a chain such as `a + b + c`. A chain of ANDs or ORs is one
    /// level, however long. Brackets in a format may nest twice as deeply. Nested constant collections have the same
    /// limit.
    public var nesting: Int
    /// The keys of one path, including keys from variables and `%K`. [NSP-169]
    public var pathKeys: Int
    /// The nodes of a tree, predicates and expressions alike. A constant is one node, however large.
    public var nodes: Int
    /// The arguments for the specifiers of a format.
    public var arguments: Int
    /// The bytes of a constant string in UTF-8 or of constant data, whether written in the format or passed as an
    /// argument.
    public var literalLength: Int
    /// The elements of a constant collection, also in nested collections.
    public var literalElements: Int
    /// The work for one object: visited elements of collections, and inside `SUBQUERY` also one step for each
    /// operator, each function and each 64 bytes of a string. Work that cannot multiply is not counted: a predicate
    /// without collections takes no steps.
    public var evaluationSteps: Int
    /// The bytes of a regular expression.
    public var patternLength: Int
    /// The work of matching one regular expression with one string, in steps of the matcher, counted in units of ten
    /// thousand.
    public var patternSteps: Int
    /// The bytes of a string that is matched with a regular expression.
    public var subjectLength: Int
    /// The bytes of a string that a function or a variable yields; an element of a collection counts as 16.
    public var resultSize: Int
    /// The bytes of one record of a file: a line of JSON Lines, a row of CSV.
    public var recordLength: Int
    /// The work of one SQLite statement, in steps of its virtual machine; each SQL function that a predicate calls takes one
    /// more step for every 16 bytes that it reads, and four for each byte that is not ASCII. `Int.max` means no limit.
    /// [NSP-420]
    public var statementSteps: Int
    /// The bytes of an SQL statement, including the strings and data bound to it. `Int.max` leaves only the limit of the
    /// database. [NSP-421]
    public var statementLength: Int
    /// The regular expressions and string folds in an SQL statement, each of which a database may evaluate for every row. A
    /// comparison with `[cd]` counts as up to three. [NSP-421]
    public var statementSearches: Int
    /// The tables that an SQL statement reads, each counted as often as it occurs. [NSP-421]
    public var statementTables: Int
    /// The time after which a database ends a statement, for databases that have such a setting; nil for no limit. The
    /// package itself never measures time: the compiler adds the setting to the statements of a connection. [NSP-423]
    public var statementTime: Duration?

    /// The default limits: 1 MiB of format and 100 levels, for which half a MiB of stack is enough in a release
    /// build. The other limits suit the predicates that a program writes itself.
    public static let standard = PredicateLimits()

    /// Makes limits; each limit that is not passed has its standard value.
    public init(
        formatLength: Int = 1 << 20, nesting: Int = 100, pathKeys: Int = 100, nodes: Int = 1_000_000,
        arguments: Int = 100_000, literalLength: Int = 1 << 24, literalElements: Int = 1_000_000,
        evaluationSteps: Int = 10_000_000,
        patternLength: Int = 1 << 16, patternSteps: Int = 10_000_000, subjectLength: Int = 1 << 24,
        resultSize: Int = 1 << 24, recordLength: Int = 1 << 26, statementSteps: Int = .max,
        statementLength: Int = .max, statementSearches: Int = .max, statementTables: Int = .max,
        statementTime: Duration? = nil
    ) {
        self.formatLength = formatLength
        self.nesting = nesting
        self.pathKeys = pathKeys
        self.nodes = nodes
        self.arguments = arguments
        self.literalLength = literalLength
        self.literalElements = literalElements
        self.evaluationSteps = evaluationSteps
        self.patternLength = patternLength
        self.patternSteps = patternSteps
        self.subjectLength = subjectLength
        self.resultSize = resultSize
        self.recordLength = recordLength
        self.statementSteps = statementSteps
        self.statementLength = statementLength
        self.statementSearches = statementSearches
        self.statementTables = statementTables
        self.statementTime = statementTime
    }

    /// The limits for untrusted predicates, as in ``PredicatePolicy/untrusted``.
    public static let untrusted = PredicateLimits(
        formatLength: 16_384, nesting: 20, pathKeys: 20, nodes: 1_000, arguments: 1_000, literalLength: 8_192,
        literalElements: 1_000, evaluationSteps: 10_000, patternLength: 256, patternSteps: 100_000,
        subjectLength: 65_536, resultSize: 65_536, recordLength: 1 << 20, statementSteps: 100_000_000,
        statementLength: 1 << 18, statementSearches: 60, statementTables: 50, statementTime: .seconds(5))

    /// The value of a limit by its name: `limits[.nesting]`.
    package subscript(limit: PredicateLimits.Limit) -> Int {
        get { self[keyPath: limit.path] }
        set { self[keyPath: limit.path] = newValue }
    }
}

extension PredicateLimits {
    /// The name of a limit, for errors.
    ///
    /// `a == %@` with a string of 20 MiB: `literalLength`
    #if hasAttribute(nonexhaustive)
        @nonexhaustive
    #endif
    public enum Limit: String, Hashable, Sendable, CaseIterable {
        /// The bytes of a format string.
        case formatLength
        /// The levels of nesting in a tree.
        case nesting
        /// The keys of one key path.
        case pathKeys
        /// The nodes of a tree.
        case nodes
        /// The arguments of a format.
        case arguments
        /// The bytes of one constant.
        case literalLength
        /// The elements of a constant collection.
        case literalElements
        /// The steps of an evaluation for one object.
        case evaluationSteps
        /// The bytes of a regular expression.
        case patternLength
        /// The steps of a regular expression in one search.
        case patternSteps
        /// The bytes of a string that is matched with a regular expression.
        case subjectLength
        /// The bytes of a string or a collection that an expression yields.
        case resultSize
        /// The bytes of one record of a file.
        case recordLength
        /// The steps of one SQLite statement.
        case statementSteps
        /// The bytes of an SQL statement with its values.
        case statementLength
        /// The regular expressions and string folds in an SQL statement.
        case statementSearches
        /// The tables that an SQL statement reads.
        case statementTables

        /// The counted unit in error messages: "expected at most 100 bytes of format".
        package var unit: String {
            switch self {
            case .formatLength: "bytes of format"
            case .nesting: "levels of nesting"
            case .pathKeys: "keys in a path"
            case .nodes: "nodes in a tree"
            case .arguments: "arguments"
            case .literalLength: "bytes in a constant"
            case .literalElements: "elements in a constant collection"
            case .evaluationSteps: "steps for one object"
            case .patternLength: "bytes in a regular expression"
            case .patternSteps: "steps of a regular expression"
            case .subjectLength: "bytes in a string for a regular expression"
            case .resultSize: "bytes in a result"
            case .recordLength: "bytes in a record"
            case .statementSteps: "steps of a statement"
            case .statementLength: "bytes in a statement and its values"
            case .statementSearches: "regular expressions and folds in a statement"
            case .statementTables: "tables in a statement"
            }
        }

        /// A hint on how to stay below the limit.
        package var hint: String {
            switch self {
            case .formatLength, .literalLength: "pass shorter values, and long ones as arguments for %@"
            case .nesting: "use AND and OR without parentheses, or IN with a collection"
            case .pathKeys: "start the path at a nearer object"
            case .nodes: "use IN with a collection in place of many comparisons"
            case .arguments: "pass one collection for IN in place of many arguments"
            case .literalElements: "pass a smaller collection, or several"
            case .evaluationSteps: "avoid a SUBQUERY inside another one, which multiplies the work"
            case .patternLength: "use LIKE, BEGINSWITH or IN in place of a long regular expression"
            case .patternSteps: "avoid a repetition inside a repetition, such as (a+)+"
            case .subjectLength: "use CONTAINS or LIKE, which search strings of any length"
            case .resultSize: "join fewer or shorter strings"
            case .recordLength: "raise the limit for the length of a record"
            case .statementSteps: "add a condition that an index can serve, and avoid a SUBQUERY inside another one"
            case .statementLength: "pass fewer or shorter values"
            case .statementSearches: "use IN[cd] with a collection in place of many comparisons, or fewer options"
            case .statementTables: "combine conditions on the same relationship in one SUBQUERY"
            }
        }

        /// The property of ``PredicateLimits`` with this name.
        fileprivate var path: WritableKeyPath<PredicateLimits, Int> {
            switch self {
            case .formatLength: \.formatLength
            case .nesting: \.nesting
            case .pathKeys: \.pathKeys
            case .nodes: \.nodes
            case .arguments: \.arguments
            case .literalLength: \.literalLength
            case .literalElements: \.literalElements
            case .evaluationSteps: \.evaluationSteps
            case .patternLength: \.patternLength
            case .patternSteps: \.patternSteps
            case .subjectLength: \.subjectLength
            case .resultSize: \.resultSize
            case .recordLength: \.recordLength
            case .statementSteps: \.statementSteps
            case .statementLength: \.statementLength
            case .statementSearches: \.statementSearches
            case .statementTables: \.statementTables
            }
        }
    }
}
