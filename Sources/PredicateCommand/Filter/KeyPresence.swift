import PredicateData
import PredicateSyntax

/// Which key paths of a predicate the records have: a path that no record has is probably mistyped.
///
/// `phones.numbr == 1` for `{"phones": [{"number": 1}]}`: `phones` is there, `phones.numbr` is not.
struct KeyPresence {
    private struct Node {
        let key: String
        var children: [Node]
        /// Some record, or some value of the path before the key, was a dictionary.
        var hadHolder = false
        var isPresent = false

        var isOpen: Bool { !isPresent || children.contains(where: \.isOpen) }
    }

    private var nodes: [Node]
    /// False once every key has been found.
    private(set) var isOpen: Bool

    init(_ paths: some Collection<[String]>) {
        nodes = Self.nodes(paths.map { $0[...] })
        isOpen = !nodes.isEmpty
    }

    private static func nodes(_ paths: [ArraySlice<String>]) -> [Node] {
        let groups = Dictionary(grouping: paths.filter { !$0.isEmpty }) { $0.first ?? "" }
        return groups.keys.sorted().map { key in
            Node(key: key, children: nodes((groups[key] ?? []).map { $0.dropFirst() }))
        }
    }

    /// Looks at a record.
    mutating func see(_ record: PredicateValue) {
        guard isOpen else { return }
        Self.see(record, &nodes)
        isOpen = nodes.contains(where: \.isOpen)
    }

    private static func see(_ value: PredicateValue, _ nodes: inout [Node]) {
        switch value {
        case .dictionary(let members):
            for index in nodes.indices where nodes[index].isOpen {
                nodes[index].hadHolder = true
                guard let value = members[nodes[index].key] else { continue }
                nodes[index].isPresent = true
                if !nodes[index].children.isEmpty { see(value, &nodes[index].children) }
            }
        case .array(let elements):
            for element in elements { see(element, &nodes) }
        case .null, .nullObject, .bool, .integer, .double, .decimal, .string, .date, .data, .uuid, .url, .type, .set,
            .orderedSet, .object, .expression, .predicate:
            break
        }
    }

    /// Adds what a sieve has seen.
    mutating func see(_ sieve: LineSieve) {
        guard isOpen else { return }
        Self.see(sieve, [], &nodes)
        isOpen = nodes.contains(where: \.isOpen)
    }

    private static func see(_ sieve: LineSieve, _ path: [String], _ nodes: inout [Node]) {
        for index in nodes.indices {
            guard let seen = sieve.presence(of: path + [nodes[index].key]) else { continue }
            nodes[index].hadHolder = nodes[index].hadHolder || seen.hadHolder
            nodes[index].isPresent = nodes[index].isPresent || seen.isPresent
            see(sieve, path + [nodes[index].key], &nodes[index].children)
        }
    }

    /// The shortest paths that no record has, where one could have been.
    var missing: [[String]] { Self.missing(nodes, after: []) }

    private static func missing(_ nodes: [Node], after path: [String]) -> [[String]] {
        nodes.flatMap { node in
            if node.isPresent { return missing(node.children, after: path + [node.key]) }
            return node.hadHolder ? [path + [node.key]] : []
        }
    }
}

/// The key paths of records that a predicate looks at, through variables of SUBQUERY too.
///
/// `ANY phones.number == 1 AND SUBQUERY(cars, $c, $c.wheels > 3).@count > 0` looks at `phones.number` and `cars.wheels`.
struct RecordPaths {
    private var paths: Set<[String]> = []

    static func paths(of predicate: PredicateNode) -> Set<[String]> {
        var finder = RecordPaths()
        finder.visit(.predicate(predicate), [:])
        return finder.paths
    }

    private mutating func visit(_ tree: TreeNode, _ variables: [String: [String]]) {
        guard case .expression(let node) = tree else { return visitChildren(of: tree, variables) }
        if let path = path(of: node, variables) {
            paths.insert(path)
        } else if case .subquery(let subquery) = node {
            visit(.expression(subquery.collection), variables)
            var inner = variables
            inner[subquery.variable] = path(of: subquery.collection, variables)
            visit(.predicate(subquery.predicate), inner)
        } else {
            visitChildren(of: tree, variables)
        }
    }

    private mutating func visitChildren(of tree: TreeNode, _ variables: [String: [String]]) {
        for child in tree.children { visit(child, variables) }
    }

    /// The keys up to the first operator; nil for expressions that are no path from the record.
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
