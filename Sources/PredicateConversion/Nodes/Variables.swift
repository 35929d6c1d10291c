import Foundation
import PredicateSyntax

/// `$0`, `v1`
protocol VariableNode {
    var key: PredicateExpressions.VariableID { get }
}

extension PredicateExpressions.Variable: ConvertibleNode, VariableNode {
    var operands: [any PredicateExpression] { [] }

    func converted(by walk: Walk, _ scope: Scope) throws(Refusal) -> Converted {
        guard let value = scope[key] else { throw Refusal(.unknownNode("a variable that nothing binds")) }
        return value
    }

    func print(to printer: inout SourcePrinter) { printer.write(printer.name(of: key)) }
}

/// `18`, `names`
extension PredicateExpressions.Value: ConvertibleNode {
    var operands: [any PredicateExpression] { [] }

    func converted(by walk: Walk, _ scope: Scope) throws(Refusal) -> Converted {
        try CapturedValue.converted(value)
    }

    func print(to printer: inout SourcePrinter) {
        let text =
            (try? CapturedValue.constant(value)).map { ExpressionNode.constantValue($0).expressionFormat }
            ?? "\(Output.self)"
        printer.write(text.count > 80 ? text.prefix(80) + "…" : text)
    }
}

/// `nil`
extension PredicateExpressions.NilLiteral: ConvertibleNode {
    var operands: [any PredicateExpression] { [] }

    func converted(by walk: Walk, _ scope: Scope) throws(Refusal) -> Converted { .constant(.null) }

    func print(to printer: inout SourcePrinter) { printer.write("nil") }
}

/// `$0.name`, `$0.tags.count`
extension PredicateExpressions.KeyPath: ConvertibleNode {
    var operands: [any PredicateExpression] { [root] }

    func converted(by walk: Walk, _ scope: Scope) throws(Refusal) -> Converted {
        guard !ValueType.isNestedOptional(Output.self) else {
            throw Refusal(.unsupported(node: "KeyPath", .nestedOptional(type: "\(Output.self)")))
        }
        let base = try walk.value(root, at: 0, scope)
        if let property = KnownProperty(of: Root.Output.self, keyPath, collectionProperty) {
            return property.converted(base)
        }
        guard let keys = walk.naming.keys(of: keyPath) else {
            throw Refusal(.unnamedKeyPath(keyPath.debugDescription, of: "\(Root.Output.self)"))
        }
        return .value(base.appending(keys))
    }

    func print(to printer: inout SourcePrinter) {
        printer.operand(0, of: self)
        if let property = KnownProperty(of: Root.Output.self, keyPath, collectionProperty) {
            printer.write(".\(property.name)")
        } else {
            let names = PropertyPath(keyPath)?.properties.joined(separator: ".")
            printer.write(".\(names ?? String(keyPath.debugDescription.drop { $0 != "<" }))")
        }
    }
}
