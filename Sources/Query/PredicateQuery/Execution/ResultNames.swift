import PredicateEvaluation
import PredicateSyntax

/// The meaning of names and expressions in the clauses after WHERE, as expressions over an element or over a group's record.
struct ResultNames {
    /// The values of the results, by name.
    private var values: [String: FormatExpression] = [:]
    /// The keys of the groups' records; nil for a query of elements.
    private var columns: RecordKeys?

    /// Creates the names for a query of elements. Results are expressions over an element.
    init(elements results: [ResultKey]) {
        for result in results where values[result.name] == nil { values[result.name] = result.expression }
    }

    /// Creates the names for a query with groups. Their values, and the expressions of GROUP BY, are keys of records.
    init(columns names: [String], keys: [(expression: FormatExpression, name: String)]) {
        columns = RecordKeys(
            columns: names, names: DottedNames(names),
            keys: Dictionary(keys.map { ($0.node, $1) }) { first, _ in first })
        for name in names { values[name] = FormatExpression(key: name) }
    }

    /// Returns what an expression means for a row: the value with that name, if there is one.
    func value(of expression: FormatExpression, named name: String) throws(EvaluationError) -> FormatExpression {
        if let value = values[exactly: name] { return value }
        guard var columns else { return expression }
        return FormatExpression(try columns.expression(expression.node))
    }

    func value(of key: ResultKey) throws(EvaluationError) -> FormatExpression {
        try value(of: key.expression, named: key.nameInGroups)
    }

    func values(of keys: [ResultKey]) throws(EvaluationError) -> [FormatExpression] {
        try keys.map { (key) throws(EvaluationError) in try value(of: key) }
    }

    /// Returns a condition on groups as a condition on their records.
    func condition(_ predicate: FormatPredicate) throws(EvaluationError) -> FormatPredicate {
        guard var columns else { return predicate }
        return FormatPredicate(try columns.predicate(predicate.node), source: predicate.source)
    }
}

/// Replaces expressions of GROUP BY, and paths that spell the name of a column, by keys of a record: `avg_dept.size` is one
/// key. Throws `undefinedKey` for a key that is not a column.
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

    /// A single key, even if it contains dots and spaces.
    init(key: String) { self.init(.keyPath(KeyPathExpression([.key(key)]))) }
}
