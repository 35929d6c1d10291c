/// The key paths, variables, functions and blocks that a predicate or an expression refers to, each once, in the order of first use.
public struct PredicateReferences: Hashable, Sendable {
    /// Key paths on the evaluated object: `dept.name`, `friends.@count`.
    public private(set) var keyPaths: [String] = []
    /// Variables that must be given a value: `limit`, without those of a SUBQUERY or an assignment.
    public private(set) var variables: [String] = []
    /// Functions and messages: `sum:`, `uppercaseString`.
    public private(set) var functions: [String] = []

    /// The names of closures of the host: `adult`; what a closure reads is not known.
    public private(set) var blocks: [String] = []

    private var bound = BoundNames()
    /// What stands in the lists, each name behind the letter of its list.
    private var noted: Set<ExactName> = []

    /// The references of a tree.
    public init(_ predicate: PredicateNode) {
        visit(.predicate(predicate))
    }

    /// The references of a tree.
    public init(_ expression: ExpressionNode) {
        visit(.expression(expression))
    }

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

    /// The variable of a SUBQUERY has its value inside the predicate only.
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
        case nil, .evaluatedObject: note(KeyPathExpression(path.components).text, "k", in: \.keyPaths)
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
    fileprivate var text: String {
        ExpressionNode.keyPath(self).expressionFormat
    }
}
