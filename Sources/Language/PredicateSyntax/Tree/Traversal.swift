/// A node of a tree: a predicate or an expression.
package enum TreeNode: Hashable, Sendable {
    case predicate(PredicateNode)
    case expression(ExpressionNode)

    /// The children from left to right, the order of node numbers.
    package var children: [TreeNode] {
        switch self {
        case .predicate(let node): node.children
        case .expression(let node): node.children
        }
    }

    /// All nodes of the tree, in the order of node numbers: children before their parents.
    package var nodes: [TreeNode] { children.flatMap(\.nodes) + [self] }

    /// The number of nodes, this one included.
    package var count: Int { children.reduce(1) { $0 + $1.count } }
}

extension PredicateNode {
    /// Both sides of a comparison; nil for other predicates.
    package var sides: (left: ExpressionNode, right: ExpressionNode)? {
        switch self {
        case .comparison(let node): (node.leftExpression, node.rightExpression)
        case .string(let node): (node.leftExpression, node.rightExpression)
        case .compound, .constant, .block: nil
        }
    }

    package var modifier: ComparisonModifier {
        switch self {
        case .comparison(let node): node.modifier
        case .string(let node): node.modifier
        case .compound, .constant, .block: .direct
        }
    }

    package var options: ComparisonOptions {
        switch self {
        case .comparison(let node): node.options
        case .string(let node): node.options
        case .compound, .constant, .block: []
        }
    }

    package var children: [TreeNode] {
        switch self {
        case .constant, .block: []
        case .comparison(let node): [.expression(node.leftExpression), .expression(node.rightExpression)]
        case .string(let node): [.expression(node.leftExpression), .expression(node.rightExpression)]
        case .compound(let node): node.subpredicates.map(TreeNode.predicate)
        }
    }
}

extension ExpressionNode {
    package var children: [TreeNode] {
        switch self {
        case .constantValue, .evaluatedObject, .variable, .symbol, .anyKey: []
        case .keyPath(let node): node.base.map { [.expression($0)] } ?? []
        case .member(let node): [.expression(node.base), .expression(node.member)]
        case .function(let node): node.arguments.map(TreeNode.expression)
        case .message(let node): ([node.target] + node.arguments).map(TreeNode.expression)
        case .cast(let node): [.expression(node.expression)]
        case .aggregate(let elements): elements.map(TreeNode.expression)
        case .index(let node): [.expression(node.base), .expression(node.index)]
        case .subquery(let node): [.expression(node.collection), .predicate(node.predicate)]
        case .conditional(let node):
            [.predicate(node.predicate), .expression(node.trueExpression), .expression(node.falseExpression)]
        case .set(let node): [.expression(node.leftExpression), .expression(node.rightExpression)]
        case .assignment(let node): [.expression(node.expression)]
        case .block(let node): node.arguments.map(TreeNode.expression)
        case .fetch(let arguments): arguments.map(TreeNode.expression)
        }
    }
}

extension TreeNode {
    /// Returns the node with this number; nil if the tree has fewer nodes. Children are numbered before their parents,
    /// left before right.
    package func node(number: Int) -> TreeNode? {
        guard number >= 0 else { return nil }
        var remaining = number
        return find(&remaining)
    }

    private func find(_ remaining: inout Int) -> TreeNode? {
        for child in children {
            if let found = child.find(&remaining) { return found }
        }
        guard remaining > 0 else { return self }
        remaining -= 1
        return nil
    }
}

// MARK: - References

/// The key paths, variables, functions and blocks that a predicate or an expression refers to. Each is listed once,
/// in the order of first use.
public struct PredicateReferences: Hashable, Sendable {
    /// Key paths on the evaluated object: `dept.name`, `friends.@count`.
    public private(set) var keyPaths: [String] = []
    /// Variables that need a value, such as `limit`; variables that a SUBQUERY or an assignment binds are excluded.
    public private(set) var variables: [String] = []
    /// Functions and messages: `sum:`, `uppercaseString`.
    public private(set) var functions: [String] = []

    /// The names of closures of the host, such as `adult`. The keys that a closure reads are unknown.
    package private(set) var blocks: [String] = []

    private var bound = BoundNames()
    /// The contents of the lists, each name prefixed with the letter of its list.
    private var noted: Set<ExactName> = []

    /// Collects the references of a predicate.
    public init(_ predicate: PredicateNode) { self.init(.predicate(predicate)) }

    /// Collects the references of an expression.
    public init(_ expression: ExpressionNode) { self.init(.expression(expression)) }

    package init(_ tree: TreeNode) { visit(tree) }

    private mutating func visit(_ tree: TreeNode) {
        switch tree {
        case .predicate(let node):
            if case .block(let block) = node { note(block.name, "b", in: \.blocks) }
            visitChildren(of: tree)
        case .expression(let node): visit(node)
        }
    }

    private mutating func visit(_ node: ExpressionNode) {
        switch node {
        case .variable(let name): noteVariable(name)
        case .keyPath(let path): note(path)
        case .function(let call): note(call.function.name, "f", in: \.functions)
        case .message(let message): note(message.selector, "f", in: \.functions)
        case .assignment(let assignment): return visit(assignment)
        case .subquery(let subquery): return visit(subquery)
        case .block(let block): note(block.name, "b", in: \.blocks)
        case .constantValue, .evaluatedObject, .member, .cast, .aggregate, .index, .symbol, .conditional, .set,
            .anyKey, .fetch:
            break
        }
        visitChildren(of: .expression(node))
    }

    private mutating func visitChildren(of tree: TreeNode) {
        for child in tree.children { visit(child) }
    }

    /// The variable of a SUBQUERY has a value only inside its predicate.
    private mutating func visit(_ subquery: SubqueryExpression) {
        visit(.expression(subquery.collection))
        bound.enter(subquery.variable)
        visit(.predicate(subquery.predicate))
        bound.leave()
    }

    /// `$v := $v + 1` needs a value for `v`.
    private mutating func visit(_ assignment: AssignmentExpression) {
        visit(.expression(assignment.expression))
        bound.assign(assignment.variable)
    }

    private mutating func note(_ path: KeyPathExpression) {
        for component in path.components {
            if case .variable(let name) = component { noteVariable(name) }
        }
        switch path.base {
        case nil, .evaluatedObject: note(path.keysFormat, "k", in: \.keyPaths)
        case .some: break
        }
    }

    private mutating func noteVariable(_ name: String) {
        if !bound.contains(name) { note(name, "v", in: \.variables) }
    }

    private mutating func note(
        _ name: String, _ letter: String, in list: WritableKeyPath<PredicateReferences, [String]>
    ) {
        if noted.insert(ExactName(letter + name)).inserted { self[keyPath: list].append(name) }
    }
}

extension KeyPathExpression {
    /// The keys without the base, as a format string: `dept.name` for `$person.dept.name`
    package var keysFormat: String { ExpressionNode.keyPath(KeyPathExpression(components)).expressionFormat }
}

// MARK: - Bound variables

/// The variables that a tree binds itself: by an enclosing SUBQUERY, or by an earlier assignment.
///
/// `SUBQUERY(friends, $f, $f.age > $limit)` binds `f` inside the predicate only.
struct BoundNames: Hashable, Sendable {
    /// The variables of enclosing SUBQUERYs, innermost last; a name may occur twice.
    private var scopes: [ExactName] = []
    private var assigned: Set<ExactName> = []

    func contains(_ name: String) -> Bool {
        if scopes.isEmpty, assigned.isEmpty { return false }
        return scopes.contains(ExactName(name)) || assigned.contains(ExactName(name))
    }

    /// `$v := 1`. Inside a SUBQUERY with a variable of the same name, the value ends with the SUBQUERY.
    mutating func assign(_ name: String) {
        if !scopes.contains(ExactName(name)) { assigned.insert(ExactName(name)) }
    }

    mutating func enter(_ name: String) {
        scopes.append(ExactName(name))
    }

    /// Ends the scope of the innermost SUBQUERY.
    mutating func leave() {
        scopes.removeLast()
    }
}
