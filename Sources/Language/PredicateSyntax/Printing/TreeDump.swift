/// A tree for readers: the type of each node in Apple's terms, its attributes, and its children with their roles.
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

        fileprivate init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    package struct Child: Hashable, Sendable {
        /// `left`, `right`, `base`, `argument`, …
        package let role: String
        package let tree: TreeDump
    }

    /// Makes a node whose children have these roles; further children have the last role.
    @inline(never)
    private init(_ type: String, _ attributes: [Attribute] = [], _ roles: [String] = [], _ children: [TreeNode] = []) {
        self.type = type
        self.attributes = attributes.filter { !$0.value.isEmpty }
        self.children = children.enumerated().map { index, child in
            Child(role: roles[min(index, roles.count - 1)], tree: TreeDump(child))
        }
    }
}

extension TreeDump {
    package init(_ node: TreeNode) {
        switch node {
        case .predicate(let node): self.init(node)
        case .expression(let node): self.init(node)
        }
    }

    package init(_ node: PredicateNode) {
        switch node {
        case .constant(let value): self.init(value ? "truePredicate" : "falsePredicate")
        case .comparison(let comparison): self.init("comparison", node, comparison.operator.spelling)
        case .string(let comparison): self.init("string", node, comparison.operator.spelling)
        case .compound(let compound):
            self.init("compound", [Attribute("operator", compound.type.spelling)], ["subpredicate"], node.children)
        case .block(let block): self.init("block", [Attribute("name", block.name)])
        }
    }

    private init(_ type: String, _ comparison: PredicateNode, _ operation: String) {
        let attributes = [
            Attribute("modifier", comparison.modifier.spelling ?? ""), Attribute("operator", operation),
            Attribute("options", comparison.options.spelling),
        ]
        self.init(type, attributes, ["left", "right"], comparison.children)
    }

    package init(_ node: ExpressionNode) {
        let children = node.children
        switch node {
        case .constantValue(let value): self.init("constantValue", [Attribute("value", value.printed)])
        case .evaluatedObject: self.init("evaluatedObject")
        case .variable(let name): self.init("variable", [Attribute("name", name)])
        case .keyPath(let path): self.init("keyPath", [Attribute("keys", path.keysFormat)], ["base"], children)
        case .member: self.init("member", [], ["base", "member"], children)
        case .function(let call): self.init("function", [Attribute("name", call.function.name)], ["argument"], children)
        case .message(let message):
            self.init("message", [Attribute("selector", message.selector)], ["target", "argument"], children)
        case .cast(let cast): self.init("cast", [Attribute("to", cast.type)], ["expression"], children)
        case .aggregate: self.init("aggregate", [], ["element"], children)
        case .index: self.init("index", [], ["base", "index"], children)
        case .symbol(let symbol): self.init("symbol", [Attribute("name", symbol.rawValue)])
        case .subquery(let node):
            self.init("subquery", [Attribute("variable", node.variable)], ["collection", "predicate"], children)
        case .conditional: self.init("conditional", [], ["predicate", "true", "false"], children)
        case .set(let node):
            self.init("set", [Attribute("operator", node.operator.rawValue)], ["left", "right"], children)
        case .assignment(let node):
            self.init("assignment", [Attribute("variable", node.variable)], ["expression"], children)
        case .anyKey: self.init("anyKey")
        case .block(let block): self.init("block", [Attribute("name", block.name)], ["argument"], children)
        case .fetch: self.init("fetch", [], ["argument"], children)
        }
    }
}

extension TreeDump: CustomStringConvertible {
    /// The tree, one line per node.
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
