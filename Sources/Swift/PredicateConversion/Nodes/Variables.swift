import Foundation
import PredicateEvaluation
import PredicateSyntax

/// `$0`, `v1`
protocol VariableNode {
    var key: PredicateExpressions.VariableID { get }
}

extension PredicateExpressions.Variable: ConvertibleNode, VariableNode {
    var operands: [any PredicateExpression] { [] }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        guard let value = scope[key] else { throw ConversionRefusal(.unknownNode("a variable that nothing binds")) }
        return value
    }

    func print(to printer: inout SourcePrinter) { printer.write(printer.name(of: key)) }
}

/// `18`, `names`
extension PredicateExpressions.Value: ConvertibleNode {
    var operands: [any PredicateExpression] { [] }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        .captured(value)
    }

    func print(to printer: inout SourcePrinter) {
        let text = ExpressionNode.constantValue(KeyedValue(bridging: value).argument).expressionFormat
        printer.write(text.count > 80 ? text.prefix(80) + "…" : text)
    }
}

/// `nil`
extension PredicateExpressions.NilLiteral: ConvertibleNode {
    var operands: [any PredicateExpression] { [] }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted { .constant(.null) }

    func print(to printer: inout SourcePrinter) { printer.write("nil") }
}

/// `$0.name`, `$0.tags.count`
extension PredicateExpressions.KeyPath: ConvertibleNode {
    var operands: [any PredicateExpression] { [root] }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        try ValueType.refuseNestedOptional(Output.self, "KeyPath")
        let base = try walk.value(root, at: 0, scope)
        if let property = knownProperty { return property.converted(base) }
        guard let keys = walk.names.keys(of: keyPath) else {
            throw ConversionRefusal(.unnamed(keyPath))
        }
        return .value(base.appending(keys))
    }

    func print(to printer: inout SourcePrinter) {
        printer.operand(0, of: self)
        if let property = knownProperty {
            printer.write(".\(property.name)")
        } else {
            let names = PropertyPath(keyPath)?.properties.joined(separator: ".")
            printer.write(".\(names ?? String(keyPath.text.drop { $0 != "<" }))")
        }
    }
}

/// `$0.boss?.name`, `$0.name.flatMap { $0.contains("a") }`
extension PredicateExpressions.OptionalFlatMap: ConvertibleNode {
    var operands: [any PredicateExpression] { [wrapped, transform] }
    var parameter: PredicateExpressions.VariableID? { variable.key }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        try ValueType.refuseNestedOptional(LHS.Output.self, "OptionalFlatMap")
        let whole = try walk.convert(wrapped, at: 0, scope)
        // The variable represents the unwrapped value; a Boolean that a predicate decides is represented by that
        // predicate.
        var inner = whole
        if case .optionalCondition(_, let holds) = whole { inner = .condition(holds) }
        let result = try walk.convert(transform, at: 1, scope.binding(variable.key, to: inner))
        return Self.mapped(whole, result)
    }

    /// Returns the result if there is a value, nil if there is none.
    private static func mapped(_ whole: Converted, _ result: Converted) -> Converted {
        let present = whole.isPresent
        if case .constant(let isPresent) = present { return isPresent ? result : .constant(.null) }
        switch result {
        case .value(let node):
            if case .value(let whole) = whole, node.isNil(where: whole) { return result }
            return .value(.choice(present, node, .constantValue(.null)))
        case .order(let order): return .value(.choice(present, order.expression, .constantValue(.null)))
        case .condition(let node): return .optionalCondition(present: present, holds: node)
        case .optionalCondition(let inner, let node):
            return .optionalCondition(present: .all([present, inner]), holds: node)
        }
    }

    func print(to printer: inout SourcePrinter) { printer.closureCall("flatMap", self) }
}

/// `$0.age ?? 18`
extension PredicateExpressions.NilCoalesce: InfixNode {
    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        try ValueType.refuseNestedOptional(LHS.Output.self, "NilCoalesce")
        let left = try walk.convert(lhs, at: 0, scope)
        let right = try walk.convert(rhs, at: 1, scope)
        guard Output.self == Bool.self else {
            return .value(.choice(left.isPresent, left.expression, right.expression))
        }
        switch right.truth {
        case false?: return .condition(left.predicate)
        case true?: return .condition(.any([left.isNil, left.predicate]))
        case nil: return .condition(.any([left.predicate, .all([left.isNil, right.predicate])]))
        }
    }

    func print(to printer: inout SourcePrinter) { printer.infix("??", self) }
}

/// `$0.age!`: nil where Swift throws [NSP-275]
extension PredicateExpressions.ForcedUnwrap: ConvertibleNode {
    var operands: [any PredicateExpression] { [inner] }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        try walk.convert(inner, at: 0, scope)
    }

    func print(to printer: inout SourcePrinter) {
        printer.operand(0, of: self)
        printer.write("!")
    }
}

/// `tax.evaluate($0.price)` with a captured `#Expression`: its tree, with the arguments in place of its variables.
extension PredicateExpressions.ExpressionEvaluate: ConvertibleNode {
    var operands: [any PredicateExpression] {
        var operands: [any PredicateExpression] = [expression]
        for input in repeat each input { operands.append(input) }
        return operands
    }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        guard let node = expression as? any ConvertibleNode, FreeVariables.none(in: node),
            let inlined = try? expression.evaluate(PredicateBindings())
        else { throw ConversionRefusal(.unsupported(node: "ExpressionEvaluate", .variableExpression)).below(0) }
        var (inner, index) = (scope, 0)
        for (variable, input) in repeat (each inlined.variable, each input) {
            index += 1
            inner = inner.binding(variable.key, to: try walk.convert(input, at: index, scope))
        }
        do throws(ConversionRefusal) {
            return try walk.convert(inlined.expression, inner)
        } catch {
            // A node of the captured expression has no range in this text, so the error is located at the call.
            var refusal = error
            refusal.path = []
            throw refusal
        }
    }

    func print(to printer: inout SourcePrinter) {
        printer.write("expression.evaluate(")
        for index in operands.indices.dropFirst() {
            if index > 1 { printer.write(", ") }
            printer.argument(index, of: self)
        }
        printer.write(")")
    }
}
