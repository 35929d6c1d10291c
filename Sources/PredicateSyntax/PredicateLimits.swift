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
    /// The keys of one path, including those that variables and `%K` contribute. [NSP-169]
    public var pathKeys: Int
    /// The nodes of a tree, predicates and expressions alike. A constant is one node, however large.
    public var nodes: Int
    /// The arguments for the specifiers of a format.
    public var arguments: Int
    /// The bytes of a constant string in UTF-8 or of constant data, whether written in the format or passed as an
    /// argument.
    public var literalLength: Int
    /// The elements of a constant collection, including those of nested collections.
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

    /// The default limits: 1 MiB of format and 100 levels, for which half a MiB of stack is enough in a release
    /// build. The other limits suit the predicates that a program writes itself.
    public static let standard = PredicateLimits()

    /// Makes the standard limits with some changed.
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

    /// The limits for untrusted predicates, as in ``PredicatePolicy/untrusted``.
    public static let untrusted = PredicateLimits(
        formatLength: 16_384, nesting: 20, pathKeys: 20, nodes: 1_000, arguments: 1_000, literalLength: 8_192,
        literalElements: 1_000, evaluationSteps: 10_000, patternLength: 256, patternSteps: 100_000,
        subjectLength: 65_536, resultSize: 65_536, recordLength: 1 << 20)

    /// The value of a limit by its name: `limits[.nesting]`.
    public subscript(limit: PredicateLimits.Limit) -> Int {
        get { self[keyPath: limit.path] }
        set { self[keyPath: limit.path] = newValue }
    }

    /// Returns the smaller of each pair of limits.
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
            }
        }
    }
}

// MARK: - Limits of trees

/// The limit that a tree exceeds. Every stage checks trees before it works on them.
package struct ExceededLimit: Error, Hashable {
    package let limit: PredicateLimits.Limit
    /// The node number, children before parents; nil if the whole tree is too large.
    package let node: Int?
}

/// A check of a tree against the limits, in the order of node numbers: children before parents.
package struct TreeLimitCheck {
    package private(set) var depth = 0
    package private(set) var nodes = 0
    /// The variables on the left of `:=`.
    package private(set) var assigned: Set<ExactName> = []
    private let limits: PredicateLimits

    /// Throws the first limit that the tree exceeds.
    package init(_ tree: TreeNode, _ limits: PredicateLimits) throws(ExceededLimit) {
        self.limits = limits
        try check(tree, level: 1)
    }

    private mutating func check(_ tree: TreeNode, level: Int) throws(ExceededLimit) {
        switch tree {
        case .predicate(let node): try check(node, level: level)
        case .expression(let node): try check(node, level: level)
        }
    }

    private func enter(_ level: Int) throws(ExceededLimit) {
        guard level <= limits.nesting else { throw ExceededLimit(limit: .nesting, node: nil) }
    }

    private mutating func leave(_ level: Int) throws(ExceededLimit) {
        if level > depth { depth = level }
        nodes += 1
        guard nodes <= limits.nodes else { throw ExceededLimit(limit: .nodes, node: nil) }
    }

    /// Visits the nodes without making lists of children, which would cost more than the rest of the check. The
    /// recursion ends at the limit of nesting.
    private mutating func check(_ node: PredicateNode, level: Int) throws(ExceededLimit) {
        try enter(level)
        switch node {
        case .constant, .block: break
        case .comparison(let node):
            try check(node.leftExpression, level: level + 1)
            try check(node.rightExpression, level: level + 1)
        case .string(let node):
            try check(node.leftExpression, level: level + 1)
            try check(node.rightExpression, level: level + 1)
        case .compound(let node): for index in 0..<node.count { try check(node[index], level: level + 1) }
        }
        try leave(level)
    }

    private mutating func check(_ node: ExpressionNode, level: Int) throws(ExceededLimit) {
        try enter(level)
        switch node {
        case .evaluatedObject, .variable, .symbol, .anyKey: break
        case .constantValue(let value): try check(value)
        case .keyPath(let node):
            if let base = node.base { try check(base, level: level + 1) }
            guard node.count <= limits.pathKeys else { throw ExceededLimit(limit: .pathKeys, node: nodes) }
        case .function(let node): for index in 0..<node.count { try check(node[index], level: level + 1) }
        case .assignment(let node):
            try check(node.expression, level: level + 1)
            assigned.insert(ExactName(node.variable))
        case .member, .message, .cast, .aggregate, .index, .subquery, .conditional, .set, .block, .fetch:
            for child in node.children { try check(child, level: level + 1) }
        }
        try leave(level)
    }

    private func check(_ value: PredicateValue) throws(ExceededLimit) {
        guard let limit = value.exceededLimit(in: limits) else { return }
        throw ExceededLimit(limit: limit, node: limit == .nesting ? nil : nodes)
    }
}

extension PredicateNode {
    /// Returns a Boolean value that indicates whether the tree is within limits of levels, nodes and constants:
    /// `node.isWithin(.untrusted)`.
    ///
    /// Every stage checks this itself. Code that builds trees from untrusted input must check while building: Swift
    /// frees and compares nested values by recursion, so a tree of tens of thousands of levels (thousands on a thread
    /// with a small stack) overflows the stack even when it is freed. Formats and archives never yield such a tree.
    public func isWithin(_ limits: PredicateLimits) -> Bool {
        (try? TreeLimitCheck(.predicate(self), limits)) != nil
    }
}

extension ExpressionNode {
    /// Returns a Boolean value that indicates whether the tree is within limits of levels, nodes and constants:
    /// `node.isWithin(.untrusted)`.
    ///
    /// See ``PredicateNode/isWithin(_:)``.
    public func isWithin(_ limits: PredicateLimits) -> Bool {
        (try? TreeLimitCheck(.expression(self), limits)) != nil
    }
}

// MARK: - Limits of constants

extension PredicateValue {
    /// Returns the limit that a constant exceeds; nil if it is within all of them.
    ///
    /// `.array([.string("jo"), .integer(1)])`: two elements, two bytes, two levels.
    ///
    /// Walks without recursion, so deep values are safe, and stops at the first exceeded limit.
    package func exceededLimit(in limits: PredicateLimits) -> PredicateLimits.Limit? {
        if length > limits.literalLength { return .literalLength }
        guard holdsValues else { return nil }
        var elements = 0
        var waiting: [(value: PredicateValue, depth: Int)] = [(self, 1)]
        while let (value, depth) = waiting.popLast() {
            if depth > limits.nesting { return .nesting }
            if let limit = value.exceededTreeLimit(over: limits, below: depth) { return limit }
            let inner = value.innerValues
            elements += inner.count
            if elements > limits.literalElements { return .literalElements }
            for element in inner {
                if element.length > limits.literalLength { return .literalLength }
                if element.holdsValues { waiting.append((element, depth + 1)) }
            }
        }
        return nil
    }

    /// The bytes of a string, a URL or data; 0 for other values.
    private var length: Int {
        switch self {
        case .string(let text): text.utf8.count
        case .data(let data): data.count
        case .url(let url): url.absoluteString.utf8.count
        case .null, .nullObject, .bool, .integer, .double, .decimal, .date, .uuid, .type, .array, .set, .orderedSet,
            .dictionary, .object, .expression, .predicate:
            0
        }
    }

    /// The elements of a collection or the values of a dictionary.
    private var innerValues: [PredicateValue] {
        switch self {
        case .array(let elements), .orderedSet(let elements): elements
        case .set(let elements): Array(elements)
        case .dictionary(let entries): Array(entries.values)
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type,
            .object, .expression, .predicate:
            []
        }
    }

    /// Returns the limit that a tree within a constant exceeds. The levels of the tree add to the levels of the
    /// constant.
    private func exceededTreeLimit(over limits: PredicateLimits, below depth: Int) -> PredicateLimits.Limit? {
        var inner = limits
        inner.nesting -= depth
        do throws(ExceededLimit) {
            if case .expression(let node) = self { _ = try TreeLimitCheck(.expression(node), inner) }
            if case .predicate(let node) = self { _ = try TreeLimitCheck(.predicate(node), inner) }
            return nil
        } catch {
            return error.limit
        }
    }

    private var holdsValues: Bool {
        switch self {
        case .array, .orderedSet, .set, .dictionary, .expression, .predicate: true
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type,
            .object:
            false
        }
    }
}
