import PredicateSyntax

/// The names by which HAVING, ORDER BY and LIMIT … BY refer to the values of a query.
struct NamedResults {
    /// The results and the groups, by name.
    let results: [String: ResultKey]
    /// The names, in the order of the query.
    let all: [String]

    private let names: DottedNames
    /// The expressions by which a query groups.
    private let groups: Set<ExpressionNode>

    init(_ query: FormatQuery) { self.init(query.keys ?? [], query.groups ?? []) }

    init(_ results: [ResultKey], _ groups: [ResultKey]) {
        let (keys, aliases) = (results + groups, groups.map { ($0.nameInGroups, $0) })
        self.results = Dictionary(keys.map { ($0.name, $0) } + aliases) { first, _ in first }
        names = DottedNames(self.results.keys)
        self.groups = Set(groups.compactMap { $0.operand?.node })
        var seen: Set<String> = []
        all = keys.map(\.name).filter { seen.insert($0).inserted }
    }

    /// Returns the result whose name begins a path, and the number of keys that spell the name; nil if there is none.
    func result(at keys: [String]) -> (key: ResultKey, count: Int)? {
        guard let (name, count) = names.longest(at: keys), let key = results[name] else { return nil }
        return (key, count)
    }
}

extension NamedResults {
    /// Returns the keys of the first unknown path in a tree: one that does not begin with a name and is not part of an
    /// expression of GROUP BY; nil if there is none.
    func unknownKeys(in tree: TreeNode) -> [String]? {
        if case .expression(let node) = tree, groups.contains(node) { return nil }
        if let keys = tree.ownKeys { return result(at: keys) == nil ? keys : nil }
        for child in tree.children {
            if let keys = unknownKeys(in: child) { return keys }
        }
        return nil
    }
}

extension TreeNode {
    /// The key paths that start at the evaluated object, in source order.
    var keyPaths: [[String]] { ownKeys.map { [$0] } ?? children.flatMap(\.keyPaths) }

    /// The keys of a path that starts at the evaluated object, up to a key that is a variable; nil for another node.
    fileprivate var ownKeys: [String]? {
        guard case .expression(.keyPath(let path)) = self, path.base == nil || path.base == .evaluatedObject else {
            return nil
        }
        let keys = path.components.prefix { if case .key = $0 { true } else { false } }
        return keys.compactMap { if case .key(let key) = $0 { key } else { nil } }
    }
}
