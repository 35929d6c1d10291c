/// The limits of sizes and work: past them there is a typed error, never a crash and never a long wait.
///
/// `PredicateLimits(nesting: 20, evaluationSteps: 10_000)`
///
/// One value for all modules: the parser takes it in ``FormatOptions``, evaluators and the SQL compiler when they are
/// made, a ``PredicatePolicy`` carries one. ``PredicateLimits/Limit`` names the properties; each module documents which
/// it enforces.
public struct PredicateLimits: Hashable, Sendable {
    /// The length of a format string, in bytes.
    public var formatLength: Int
    /// The levels of a tree: calls, NOTs, and terms of a chain such as `a + b + c`. A chain of ANDs or ORs
    /// is one level, however long. Brackets in text may nest twice as deeply. Also the levels of a constant of
    /// collections in collections.
    public var nesting: Int
    /// Keys of one path, those that variables and `%K` name included. [NSP-169]
    public var pathKeys: Int
    /// Nodes of a tree, predicates and expressions alike; a constant is one node, however large.
    public var nodes: Int
    /// Arguments for the specifiers of a format.
    public var arguments: Int
    /// Bytes of a constant string in UTF-8, and of constant data, written out or passed.
    public var literalLength: Int
    /// Elements of a constant collection, those of collections in it included.
    public var literalElements: Int
    /// The work on one object: elements of collections that are looked at, and inside of `SUBQUERY` a step for each
    /// operator, function and 64 bytes of text too. Work that does not multiply is not counted: a predicate without
    /// collections takes no steps.
    public var evaluationSteps: Int
    /// Bytes of a regular expression.
    public var patternLength: Int
    /// The work of one regular expression on one text, in steps of the matcher; counted in ten thousands.
    public var patternSteps: Int
    /// Bytes of a text that a regular expression is matched with.
    public var subjectLength: Int
    /// Bytes of a text that a function or a variable makes; an element of a collection counts as 16.
    public var resultSize: Int
    /// Bytes of one record that is read: a line of JSON Lines, a row of CSV.
    public var recordLength: Int

    /// The default: 1 MiB of format and 100 levels, for which half a MiB of stack is enough in a release build; the other
    /// limits are wide enough for predicates of a program itself.
    public static let standard = PredicateLimits()

    /// The standard limits with some changed.
    public init(
        formatLength: Int = 1 << 20, nesting: Int = 100, pathKeys: Int = 100, nodes: Int = 1_000_000,
        arguments: Int = 100_000, literalLength: Int = 1 << 24, literalElements: Int = 1_000_000,
        evaluationSteps: Int = 10_000_000,
        patternLength: Int = 1 << 16, patternSteps: Int = 10_000_000, subjectLength: Int = 1 << 24,
        resultSize: Int = 1 << 24, recordLength: Int = 1 << 26
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
    }

    /// The limits for untrusted predicates: those of ``PredicatePolicy/untrusted``.
    public static let untrusted = PredicateLimits(
        formatLength: 16_384, nesting: 20, pathKeys: 20, nodes: 1_000, arguments: 1_000, literalLength: 8_192,
        literalElements: 1_000, evaluationSteps: 10_000, patternLength: 256, patternSteps: 100_000,
        subjectLength: 65_536, resultSize: 65_536, recordLength: 1 << 20)

    /// The value of a limit by its name: `limits[.nesting]`.
    public subscript(limit: PredicateLimits.Limit) -> Int {
        get { self[keyPath: limit.path] }
        set { self[keyPath: limit.path] = newValue }
    }

    /// Returns the lesser of each limit.
    public func intersected(with other: PredicateLimits) -> PredicateLimits {
        var both = self
        for limit in PredicateLimits.Limit.allCases { both[limit] = min(self[limit], other[limit]) }
        return both
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
        /// Bytes of a format string.
        case formatLength
        /// Levels of nesting in a tree.
        case nesting
        /// Keys in one key path.
        case pathKeys
        /// Nodes of a tree.
        case nodes
        /// Arguments of a format.
        case arguments
        /// Bytes in one constant.
        case literalLength
        /// Elements of a constant collection.
        case literalElements
        /// Steps of an evaluation for one object.
        case evaluationSteps
        /// Bytes of a regular expression.
        case patternLength
        /// Steps of a regular expression in one search.
        case patternSteps
        /// Bytes of a text that a regular expression searches.
        case subjectLength
        /// Bytes of a text or a collection that an expression makes.
        case resultSize
        /// Bytes of one record in a file.
        case recordLength

        /// The counted unit, for errors: "expected at most 100 bytes of format".
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
            case .subjectLength: "bytes in a text for a regular expression"
            case .resultSize: "bytes in a result"
            case .recordLength: "bytes in a record"
            }
        }

        /// A hint for staying below the limit.
        package var hint: String {
            switch self {
            case .formatLength, .literalLength: "pass long values for %@, and none longer than needed"
            case .nesting: "use AND and OR without parentheses, or IN with a collection"
            case .pathKeys: "objects that lie deeper are found from a nearer one"
            case .nodes: "IN with a collection takes the place of many comparisons"
            case .arguments, .literalElements: "one collection for IN counts as one argument; divide what is larger"
            case .evaluationSteps: "each SUBQUERY inside another one multiplies the work; compare what is near first"
            case .patternLength: "LIKE, BEGINSWITH and IN say much without a regular expression"
            case .patternSteps: "a repetition inside a repetition, such as (a+)+, is the usual cause"
            case .subjectLength: "CONTAINS and LIKE look through texts of any length"
            case .resultSize: "join less"
            case .recordLength: "a greater limit of records can be asked for"
            }
        }

        /// The property of ``PredicateLimits`` of this name.
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
            }
        }
    }
}
