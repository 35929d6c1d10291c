import Foundation
import PredicateSyntax

/// `$0.boss?.name`, `$0.name.flatMap { $0.contains("a") }`
extension PredicateExpressions.OptionalFlatMap: ConvertibleNode {
    var operands: [any PredicateExpression] { [wrapped, transform] }
    var parameter: PredicateExpressions.VariableID? { variable.key }

    func converted(by walk: Walk, _ scope: Scope) throws(Refusal) -> Converted {
        guard !ValueType.isNestedOptional(LHS.Output.self) else {
            throw Refusal(.unsupported(node: "OptionalFlatMap", .nestedOptional(type: "\(LHS.Output.self)")))
        }
        let whole = try walk.convert(wrapped, at: 0, scope)
        // The variable stands for what is not nil: a Boolean that a predicate decides is that predicate.
        var inner = whole
        if case .optionalCondition(_, let holds) = whole { inner = .condition(holds) }
        let result = try walk.convert(transform, at: 1, scope.binding(variable.key, to: inner))
        return Self.mapped(whole, result)
    }

    /// The result where there is a value; nil where there is none.
    private static func mapped(_ whole: Converted, _ result: Converted) -> Converted {
        let present = whole.isPresent
        if case .constant(let isPresent) = present { return isPresent ? result : .constant(.null) }
        switch result {
        case .value(let node):
            if case .value(let whole) = whole, node.isNil(where: whole) { return result }
            return .value(.choice(present, node, .constantValue(.null)))
        case .condition(let node): return .optionalCondition(present: present, holds: node)
        case .optionalCondition(let inner, let node):
            return .optionalCondition(present: .all([present, inner]), holds: node)
        }
    }

    func print(to printer: inout SourcePrinter) {
        printer.operand(0, of: self)
        printer.write(".flatMap ")
        printer.closure(1, of: self)
    }
}

/// `$0.age ?? 18`
extension PredicateExpressions.NilCoalesce: ConvertibleNode {
    var operands: [any PredicateExpression] { [lhs, rhs] }
    var isInfix: Bool { true }

    func converted(by walk: Walk, _ scope: Scope) throws(Refusal) -> Converted {
        guard !ValueType.isNestedOptional(LHS.Output.self) else {
            throw Refusal(.unsupported(node: "NilCoalesce", .nestedOptional(type: "\(LHS.Output.self)")))
        }
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

/// `$0.age!`: where Swift throws, the value is nil [NSP-275]
extension PredicateExpressions.ForcedUnwrap: ConvertibleNode {
    var operands: [any PredicateExpression] { [inner] }

    func converted(by walk: Walk, _ scope: Scope) throws(Refusal) -> Converted {
        try walk.convert(inner, at: 0, scope)
    }

    func print(to printer: inout SourcePrinter) {
        printer.operand(0, of: self)
        printer.write("!")
    }
}
