import PredicateEvaluation
import PredicateSyntax

/// What names and expressions mean in the clauses after WHERE: values of results, or values of elements or of groups.
package struct ResultNames {
    /// The values of results, by their names.
    private var values: [String: FormatExpression] = [:]
    /// The values of groups as keys of their records; nil for a query of elements.
    private var columns: RecordKeys?

    /// Creates the names of a query of elements. Results are expressions of an element.
    init(elements results: [ResultKey]) {
        for result in results where values[result.name] == nil { values[result.name] = result.expression }
    }

    /// Creates the names of the values of groups, which are keys of records, as are the expressions that group.
    package init(columns names: [String], keys: [(expression: FormatExpression, name: String)]) {
        columns = RecordKeys(
            columns: names, names: DottedNames(names),
            keys: Dictionary(keys.map { ($0.node, $1) }) { first, _ in first })
        for name in names { values[name] = FormatExpression(key: name) }
    }

    /// Returns what an expression is for a row: the value with its name if there is one.
    func value(of expression: FormatExpression, named name: String) throws(EvaluationError) -> FormatExpression {
        if let value = values.value(exactly: name) { return value }
        guard var columns else { return expression }
        return FormatExpression(try columns.expression(expression.node))
    }

    func value(of key: ResultKey) throws(EvaluationError) -> FormatExpression {
        try value(of: key.expression, named: key.nameInGroups)
    }

    func values(of keys: [ResultKey]) throws(EvaluationError) -> [FormatExpression] {
        try keys.map { (key) throws(EvaluationError) in try value(of: key) }
    }

    /// Returns a condition on groups as one on their records.
    package func condition(_ predicate: FormatPredicate) throws(EvaluationError) -> FormatPredicate {
        guard var columns else { return predicate }
        return predicate.replacingTree(try columns.predicate(predicate.node))
    }
}

/// Replaces expressions that group, and paths that are the name of a column, by keys of a record: `avg_dept.size` is one
/// key. Throws `undefinedKey` for a key that is no column.
private struct RecordKeys: TreeMapping {
    let columns: [String]
    let names: DottedNames
    let keys: [ExpressionNode: String]

    mutating func predicate(_ node: PredicateNode) throws(EvaluationError) -> PredicateNode {
        try mappingChildren(of: node)
    }

    mutating func expression(_ node: ExpressionNode) throws(EvaluationError) -> ExpressionNode {
        if let name = keys[node] { return FormatExpression(key: name).node }
        guard case .keyPath(let path) = node, path.base == nil else { return try mappingChildren(of: node) }
        let names = path.components.prefix { $0.name != nil }.compactMap(\.name)
        if let (name, count) = self.names.longest(at: names) {
            return .keyPath(KeyPathExpression([.key(name)] + path.components.dropFirst(count)))
        }
        guard let first = names.first, first != "self" else { return node }
        let nearMisses = NearMiss.candidates(for: first, among: columns)
        throw EvaluationError(.undefinedKey(first, of: "a group", nearMisses: nearMisses))
    }
}

extension KeyPathExpression.Component {
    fileprivate var name: String? { if case .key(let name) = self { name } else { nil } }
}

extension FormatExpression {
    /// `SELF`
    static var object: FormatExpression { FormatExpression(.evaluatedObject) }

    /// `owner.name`
    init(keyPath: String) { self.init(.keyPath(KeyPathExpression(keys: keyPath))) }

    /// A key, which may have dots and spaces.
    init(key: String) { self.init(.keyPath(KeyPathExpression([.key(key)]))) }
}
