import PredicateData
import PredicateJSON
import PredicateSyntax

extension Subcommand {
    static let parse = Subcommand(
        "parse", "Show how a format string is parsed", usage: ["predicate parse [OPTION...] FORMAT [VALUE...]"],
        operands: [.none], options: [[ParseCommand.expression, ParseCommand.json]],
        help: [
            .paragraph(
                "Show how a format string is parsed: its tree, its canonical form, and its keys, variables and"
                    + " functions. Each VALUE is the argument for one specifier, from left to right."),
            .options, .values,
            .exitStatus([("0", "FORMAT is valid"), ("2", "FORMAT or the command line is invalid")]),
            .examples([
                "predicate parse 'name ==[c] \"jo\" OR NOT ANY tags IN {1, 2}'",
                "predicate parse '%K BETWEEN %@' age '[18, 65]'",
                "predicate parse --json 'born < %@' date:2001-01-01T00:00:00Z",
                "predicate parse --expression 'sum:(prices) * 1.19'",
            ]),
        ]
    ) { (reader, console) throws(CommandFailure) in try ParseCommand(reader).run(console) }
}

/// `predicate parse 'age >= %@' 18`: describes a format string.
struct ParseCommand {
    private let reader: ArgumentReader

    static let expression = CommandOption("expression", "e", help: "FORMAT is an expression, such as 'price * 2'")
    static let json = CommandOption("json", "j", help: "Print one JSON object")

    init(_ reader: ArgumentReader) { self.reader = reader }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        guard let format = reader.operands.first else { throw reader.failure("expected a format") }
        let report = try report(of: format)
        try console.write(reader.has(Self.json) ? report.json : report.text)
        return .success
    }

    private func report(of format: String) throws(CommandFailure) -> ParseReport {
        let arguments = try ArgumentValue.arguments(Array(reader.operands.dropFirst()), for: format, in: nil)
        do throws(PredicateFormatError) {
            if reader.has(Self.expression) {
                let expression = try FormatExpression(format: format, arguments: arguments, options: .strict)
                return ParseReport(expression, format: format, arguments: arguments)
            }
            let predicate = try FormatPredicate(format: format, arguments: arguments, options: .strict)
            return ParseReport(predicate, format: format, arguments: arguments)
        } catch {
            throw .format(error)
        }
    }
}

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

    /// The report for readers:
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

    /// Returns a node as a dictionary of its attributes and its children, each with its role.
    private func value(of tree: TreeDump, role: String? = nil) -> PredicateValue {
        var members: [String: PredicateValue] = ["type": .string(tree.type)]
        members["role"] = role.map(PredicateValue.string)
        for attribute in tree.attributes { members[attribute.name] = .string(attribute.value) }
        if !tree.children.isEmpty {
            members["children"] = .array(tree.children.map { value(of: $0.tree, role: $0.role) })
        }
        return .dictionary(members)
    }

    /// The specifiers in the format: `%@`, `%ld`.
    private var specifiers: [String] {
        let bytes = Array(format.utf8)
        return FormatPredicate.specifiers(in: format).map { String(decoding: bytes[$0.range], as: UTF8.self) }
    }

    /// Returns an argument as a JSON value and in its canonical form, which keeps its type.
    private func value(specifier: String, argument: PredicateValue) -> PredicateValue {
        let printed = ExpressionNode.constantValue(argument).expressionFormat
        return ["specifier": .string(specifier), "value": argument, "prints": .string(printed)]
    }
}
