import PredicateSyntax

/// Finds the key paths of records in predicates and expressions, also through variables of SUBQUERY.
///
/// `ANY phones.number == 1 AND SUBQUERY(cars, $c, $c.wheels > 3).@count > 0` has `phones.number` and `cars.wheels`.
package struct RecordPaths {
    private var paths: Set<[String]> = []
    /// True if any key may be needed: `SELF.@count`, `SELF[$key]`.
    private var needsAll = false

    private init(_ trees: [TreeNode]) {
        for tree in trees { visit(tree, [:]) }
    }

    /// The values of variables may be expressions.
    private init(_ predicate: PredicateNode, _ variables: [String: PredicateValue]) {
        self.init([.predicate(predicate)] + variables.values.map { .expression(.constantValue($0).opened) })
    }

    /// Returns the key paths of a predicate, in order.
    package static func paths(of predicate: PredicateNode) -> [[String]] { RecordPaths([.predicate(predicate)]).sorted }

    /// Returns the key paths of an expression, in order.
    package static func paths(of expression: ExpressionNode) -> [[String]] {
        RecordPaths([.expression(expression)]).sorted
    }

    private var sorted: [[String]] { paths.sorted { $0.lexicographicallyPrecedes($1) } }

    /// Returns the key paths of a predicate; nil if it may access other keys. Values in columns have no keys of their own, so their
    /// paths have one key.
    package static func known(
        of predicate: PredicateNode, variables: [String: PredicateValue], inColumns: Bool
    ) -> [[String]]? {
        RecordPaths(predicate, variables).known(inColumns: inColumns)
    }

    /// Returns the keys of a record that a predicate or an expression may access; nil if it may access any key.
    static func roots(of tree: TreeNode, variables: [String: PredicateValue]) -> Set<String>? {
        switch tree {
        case .predicate(let predicate): roots(of: predicate, variables: variables)
        case .expression(let expression): roots(of: expression)
        }
    }

    /// Returns the key paths of an expression; nil if it may access other keys.
    package static func known(of expression: ExpressionNode, inColumns: Bool) -> [[String]]? {
        RecordPaths([.expression(expression)]).known(inColumns: inColumns)
    }

    private func known(inColumns: Bool) -> [[String]]? {
        inColumns ? roots?.sorted().map { [$0] } : needsAll ? nil : sorted
    }

    /// Returns the keys of a record that a predicate may access; nil if it may access any key.
    package static func roots(of predicate: PredicateNode, variables: [String: PredicateValue] = [:]) -> Set<String>? {
        RecordPaths(predicate, variables).roots
    }

    /// Returns the keys of a record that an expression may access; nil if it may access any key.
    package static func roots(of expression: ExpressionNode) -> Set<String>? {
        RecordPaths([.expression(expression)]).roots
    }

    private var roots: Set<String>? { needsAll ? nil : Set(paths.compactMap(\.first)) }

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
