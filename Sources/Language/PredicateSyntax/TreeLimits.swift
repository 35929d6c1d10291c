#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

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
    /// Returns true if the tree is within the limits for levels, nodes and constants: `node.isWithin(.untrusted)`.
    ///
    /// Every stage checks this itself. Code that builds trees from untrusted input must check while building: Swift
    /// frees and compares nested values by recursion, so a tree of tens of thousands of levels (thousands on a thread
    /// with a small stack) overflows the stack even when it is freed. Formats and archives never yield such a tree.
    package func isWithin(_ limits: PredicateLimits) -> Bool {
        (try? TreeLimitCheck(.predicate(self), limits)) != nil
    }
}

extension ExpressionNode {
    /// See `PredicateNode.isWithin(_:)`.
    package func isWithin(_ limits: PredicateLimits) -> Bool {
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
            let inner = value.elements ?? []
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
