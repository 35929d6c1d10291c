import PredicateData
import PredicateSyntax

/// The report about a format string.
struct ParseReport {
    private let format: String
    private let arguments: [PredicateValue]
    private let printed: String
    private let tree: TreeDump
    private let fields: PredicateReferences

    init(_ predicate: FormatPredicate, format: String, arguments: [PredicateValue]) {
        self.format = format
        self.arguments = arguments
        printed = predicate.predicateFormat
        tree = TreeDump(predicate.node)
        fields = PredicateReferences(predicate.node)
    }

    init(_ expression: FormatExpression, format: String, arguments: [PredicateValue]) {
        self.format = format
        self.arguments = arguments
        printed = expression.expressionFormat
        tree = TreeDump(expression.node)
        fields = PredicateReferences(expression.node)
    }

    /// The report as text.
    ///
    ///     comparison >=
    ///     ├─ left: keyPath age
    ///     └─ right: constantValue 21
    ///
    ///     prints     age >= 21
    ///     keys       age
    ///     variables  (none)
    ///     functions  (none)
    var text: String {
        let rows = [
            ("prints", printed), ("keys", list(fields.keyPaths)),
            ("variables", list(fields.variables.map { "$" + $0 })), ("functions", list(fields.functions)),
        ]
        let table = rows.map { "\($0.0)\(String(repeating: " ", count: 11 - $0.0.count))\($0.1)\n" }
        return tree.description + "\n\n" + table.joined()
    }

    private func list(_ names: [String]) -> String {
        names.isEmpty ? "(none)" : names.joined(separator: ", ")
    }

    /// The report as a JSON object, with sorted members.
    var json: String {
        let object: PredicateValue = [
            "format": .string(format), "predicateFormat": .string(printed), "tree": value(of: tree),
            "keys": strings(fields.keyPaths), "variables": strings(fields.variables),
            "functions": strings(fields.functions), "arguments": .array(zip(specifiers, arguments).map(value)),
        ]
        return JSONWriter(isPretty: true).text(of: object) + "\n"
    }

    private func strings(_ names: [String]) -> PredicateValue {
        .array(names.map(PredicateValue.string))
    }

    /// Returns a node with its attributes, and its children with their roles.
    private func value(of tree: TreeDump, role: String? = nil) -> PredicateValue {
        var members: [String: PredicateValue] = ["type": .string(tree.type)]
        members["role"] = role.map(PredicateValue.string)
        for attribute in tree.attributes { members[attribute.name] = .string(attribute.value) }
        if !tree.children.isEmpty {
            members["children"] = .array(tree.children.map { value(of: $0.tree, role: $0.role) })
        }
        return .dictionary(members)
    }

    /// The text of the specifiers: `%@`, `%ld`.
    private var specifiers: [String] {
        let bytes = Array(format.utf8)
        return FormatPredicate.specifiers(in: format).map { String(decoding: bytes[$0.range], as: UTF8.self) }
    }

    /// Returns an argument as JSON, and as canonical text, which keeps its type.
    private func value(specifier: String, argument: PredicateValue) -> PredicateValue {
        let printed = ExpressionNode.constantValue(argument).expressionFormat
        return ["specifier": .string(specifier), "value": argument, "prints": .string(printed)]
    }
}
