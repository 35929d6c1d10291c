/// A tree for readers: the type of each node in Apple's words, its attributes, and its children with their roles.
///
///     comparison >=
///     ├─ left: keyPath age
///     └─ right: constantValue 21
package struct TreeDump: Hashable, Sendable {
    /// `comparison`, `keyPath`, `subquery`, …
    package let type: String
    /// The attributes of the node, by name: `operator`, `value`, `options`, …
    package let attributes: [Attribute]
    /// The children, from left to right.
    package let children: [Child]

    package struct Attribute: Hashable, Sendable {
        package let name: String
        package let value: String
    }

    package struct Child: Hashable, Sendable {
        /// `left`, `right`, `base`, `argument`, …
        package let role: String
        package let tree: TreeDump
    }

    init(_ type: String, _ attributes: [(String, String)] = [], _ children: [(String, TreeDump)] = []) {
        self.type = type
        self.attributes = attributes.filter { !$0.1.isEmpty }.map(Attribute.init)
        self.children = children.map(Child.init)
    }
}

extension TreeDump {
    package init(_ node: PredicateNode) {
        switch node {
        case .constant(let value): self.init(value ? "truePredicate" : "falsePredicate")
        case .comparison(let node): self.init("comparison", node, node.operator.spelling)
        case .string(let node): self.init("string", node, node.operator.spelling)
        case .compound(let node):
            self.init(
                "compound", [("operator", node.type.spelling)],
                node.subpredicates.map { ("subpredicate", TreeDump($0)) })
        }
    }

    private init<Operator>(_ type: String, _ node: OperatorComparison<Operator>, _ spelling: String) {
        self.init(
            type,
            [
                ("modifier", node.modifier.spelling ?? ""), ("operator", spelling), ("options", node.options.spelling),
            ],
            [("left", TreeDump(node.leftExpression)), ("right", TreeDump(node.rightExpression))])
    }

    package init(_ node: ExpressionNode) {
        switch node {
        case .constantValue(let value): self.init("constantValue", [("value", value.printed)])
        case .evaluatedObject: self.init("evaluatedObject")
        case .variable(let name): self.init("variable", [("name", name)])
        case .keyPath(let path):
            let keys = ExpressionNode.keyPath(KeyPathExpression(path.components)).expressionFormat
            self.init("keyPath", [("keys", keys)], path.base.map { [("base", TreeDump($0))] } ?? [])
        case .member(let node):
            self.init("member", [], [("base", TreeDump(node.base)), ("member", TreeDump(node.member))])
        case .function(let call): self.init("function", [("name", call.function.name)], Self.arguments(call.arguments))
        case .message(let message):
            self.init(
                "message", [("selector", message.selector)],
                [("target", TreeDump(message.target))] + Self.arguments(message.arguments))
        case .cast(let cast): self.init("cast", [("to", cast.type)], [("expression", TreeDump(cast.expression))])
        case .aggregate(let elements): self.init("aggregate", [], elements.map { ("element", TreeDump($0)) })
        case .index(let node):
            self.init("index", [], [("base", TreeDump(node.base)), ("index", TreeDump(node.index))])
        case .symbol(let symbol): self.init("symbol", [("name", symbol.rawValue)])
        case .subquery(let node):
            self.init(
                "subquery", [("variable", node.variable)],
                [("collection", TreeDump(node.collection)), ("predicate", TreeDump(node.predicate))])
        case .conditional(let node):
            self.init(
                "conditional", [],
                [
                    ("predicate", TreeDump(node.predicate)), ("true", TreeDump(node.trueExpression)),
                    ("false", TreeDump(node.falseExpression)),
                ])
        case .set(let node):
            self.init(
                "set", [("operator", node.operator.rawValue)],
                [("left", TreeDump(node.leftExpression)), ("right", TreeDump(node.rightExpression))])
        case .assignment(let node):
            self.init("assignment", [("variable", node.variable)], [("expression", TreeDump(node.expression))])
        case .anyKey: self.init("anyKey")
        case .fetch(let arguments): self.init("fetch", [], Self.arguments(arguments))
        }
    }

    private static func arguments(_ nodes: [ExpressionNode]) -> [(String, TreeDump)] {
        nodes.map { ("argument", TreeDump($0)) }
    }
}

extension TreeDump: CustomStringConvertible {
    /// The tree as lines of text.
    package var description: String {
        lines.joined(separator: "\n")
    }

    private var lines: [String] {
        var lines = [([type] + attributes.map(\.value)).joined(separator: " ")]
        for (index, child) in children.enumerated() {
            let isLast = index == children.count - 1
            for (number, line) in child.tree.lines.enumerated() {
                let lead = number == 0 ? "\(isLast ? "└─" : "├─") \(child.role): " : isLast ? "   " : "│  "
                lines.append(lead + line)
            }
        }
        return lines
    }
}
