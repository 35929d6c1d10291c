import PredicateSyntax

/// Finds the key paths of records in predicates and expressions, also through variables of SUBQUERY.
///
/// `ANY phones.number == 1 AND SUBQUERY(cars, $c, $c.wheels > 3).@count > 0` has `phones.number` and `cars.wheels`.
package struct RecordPaths {
    private var paths: Set<[String]> = []
    /// True if any key may be needed: `SELF.@count`, `SELF[$key]`.
    private var needsAll = false

    /// The values of variables may be expressions.
    package init(_ tree: TreeNode, variables: [String: PredicateValue] = [:]) {
        visit(tree, [:])
        for value in variables.values { visit(.expression(.constantValue(value).opened), [:]) }
    }

    package init(_ predicate: PredicateNode, variables: [String: PredicateValue] = [:]) {
        self.init(.predicate(predicate), variables: variables)
    }

    package init(_ expression: ExpressionNode) { self.init(.expression(expression)) }

    /// The key paths, in order.
    package var sorted: [[String]] { paths.sorted { $0.lexicographicallyPrecedes($1) } }

    /// Returns the key paths; nil if other keys may be accessed. Values in columns have no keys of their own, so their paths have
    /// one key.
    package func known(inColumns: Bool) -> [[String]]? {
        inColumns ? roots?.sorted().map { [$0] } : needsAll ? nil : sorted
    }

    /// The keys of a record that may be accessed; nil if it may be any key.
    package var roots: Set<String>? { needsAll ? nil : Set(paths.compactMap(\.first)) }

    private mutating func visit(_ tree: TreeNode, _ variables: [String: [String]]) {
        if case .predicate(.block) = tree { needsAll = true }
        guard case .expression(let node) = tree else { return visitChildren(of: tree, variables) }
        if let path = path(of: node, variables) {
            paths.insert(path)
            return
        }
        switch node {
        case .evaluatedObject, .anyKey, .block, .fetch, .constantValue(.expression): needsAll = true
        case .keyPath(let path) where path.base == nil: needsAll = true
        case .subquery(let subquery):
            visit(.expression(subquery.collection), variables)
            var inner = variables
            inner[subquery.variable] = self.path(of: subquery.collection, variables)
            return visit(.predicate(subquery.predicate), inner)
        case .constantValue, .variable, .keyPath, .member, .function, .message, .cast, .aggregate, .index, .symbol,
            .conditional, .set, .assignment:
            break
        }
        visitChildren(of: tree, variables)
    }

    private mutating func visitChildren(of tree: TreeNode, _ variables: [String: [String]]) {
        for child in tree.children { visit(child, variables) }
    }

    /// Returns the keys up to the first collection operator; nil for an expression that is not a path from the record.
    private func path(of node: ExpressionNode, _ variables: [String: [String]]) -> [String]? {
        guard case .keyPath(let path) = node else { return nil }
        var keys: [String]
        switch path.base {
        case nil, .evaluatedObject: keys = []
        case .variable(let name):
            guard let base = variables[name] else { return nil }
            keys = base
        default: return nil
        }
        for component in path.components {
            guard case .key(let key) = component, !key.hasPrefix("@"), key != "self" else { break }
            keys.append(key)
        }
        return keys.isEmpty ? nil : keys
    }
}

extension ExpressionNode {
    /// The expression that this node holds as a constant, or else the node itself.
    fileprivate var opened: ExpressionNode {
        if case .constantValue(.expression(let expression)) = self { expression } else { self }
    }
}
