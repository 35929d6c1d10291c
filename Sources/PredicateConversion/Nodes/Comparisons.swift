import Foundation
import PredicateSyntax

/// `$0.age == 18`, `$0.boss == nil`
extension PredicateExpressions.Equal: ConvertibleNode {
    var operands: [any PredicateExpression] { [lhs, rhs] }
    var isInfix: Bool { true }

    func converted(by walk: Walk, _ scope: Scope) throws(Refusal) -> Converted {
        .condition(try Equality.predicate(lhs, rhs, LHS.Output.self, "Equal", walk, scope))
    }

    func print(to printer: inout SourcePrinter) { printer.infix("==", self) }
}

/// `$0.age != 18`
extension PredicateExpressions.NotEqual: ConvertibleNode {
    var operands: [any PredicateExpression] { [lhs, rhs] }
    var isInfix: Bool { true }

    func converted(by walk: Walk, _ scope: Scope) throws(Refusal) -> Converted {
        .condition(try Equality.predicate(lhs, rhs, LHS.Output.self, "NotEqual", walk, scope).opposite)
    }

    func print(to printer: inout SourcePrinter) { printer.infix("!=", self) }
}

/// `$0.age < 18`
extension PredicateExpressions.Comparison: ConvertibleNode {
    var operands: [any PredicateExpression] { [lhs, rhs] }
    var isInfix: Bool { true }

    func converted(by walk: Walk, _ scope: Scope) throws(Refusal) -> Converted {
        guard ValueType.isOrdered(LHS.Output.self) else {
            throw Refusal(.unsupported(node: "Comparison", .order(type: "\(LHS.Output.self)")))
        }
        let left = try walk.value(lhs, at: 0, scope)
        let right = try walk.value(rhs, at: 1, scope)
        if left.isNotANumber || right.isNotANumber { return .condition(.constant(false)) }
        return .condition(.comparing(left, op.comparison, right))
    }

    func print(to printer: inout SourcePrinter) { printer.infix(op.spelling, self) }
}

extension PredicateExpressions.ComparisonOperator {
    fileprivate var comparison: ComparisonOperator {
        switch self {
        case .lessThan: .lessThan
        case .lessThanOrEqual: .lessThanOrEqualTo
        case .greaterThan: .greaterThan
        case .greaterThanOrEqual: .greaterThanOrEqualTo
        @unknown default: .lessThan
        }
    }

    fileprivate var spelling: String {
        switch self {
        case .lessThan: "<"
        case .lessThanOrEqual: "<="
        case .greaterThan: ">"
        case .greaterThanOrEqual: ">="
        @unknown default: "?"
        }
    }
}

/// Equality as Swift has it: of Booleans that predicates decide, and of values.
enum Equality {
    static func predicate(
        _ lhs: any PredicateExpression, _ rhs: any PredicateExpression, _ type: Any.Type, _ node: String,
        _ walk: Walk, _ scope: Scope
    ) throws(Refusal) -> PredicateNode {
        guard !ValueType.isNestedOptional(type) else {
            throw Refusal(.unsupported(node: node, .nestedOptional(type: "\(type)")))
        }
        let left = try walk.convert(lhs, at: 0, scope)
        return predicate(left, try walk.convert(rhs, at: 1, scope))
    }

    static func predicate(_ left: Converted, _ right: Converted) -> PredicateNode {
        if let decided = decided(left, right) ?? decided(right, left) { return decided }
        if left.expression.isNotANumber || right.expression.isNotANumber { return .constant(false) }
        return .comparing(left.expression, .equalTo, right.expression)
    }

    /// The equality of a condition with a constant.
    private static func decided(_ left: Converted, _ right: Converted) -> PredicateNode? {
        switch (left, right) {
        case (.value, _): nil
        case (_, .value(.constantValue(.null))): left.isNil
        case (_, .condition(.constant(true))): left.predicate
        case (_, .condition(.constant(false))): left.negated
        case (.condition, _), (.optionalCondition, _): nil
        }
    }
}

extension ExpressionNode {
    /// A constant that is not a number: nothing compares with it in Swift. [NSP-273]
    fileprivate var isNotANumber: Bool {
        if case .constantValue(.double(let number)) = self { number.isNaN } else { false }
    }
}

extension PredicateNode {
    /// `age != 18` of `age == 18`; NOT of anything else.
    fileprivate var opposite: PredicateNode {
        guard case .comparison(var node) = self, node.operator == .equalTo, node.modifier == .direct else {
            return negated
        }
        node.operator = .notEqualTo
        return .comparison(node)
    }
}

extension SourcePrinter {
    /// `a == b`
    mutating func infix(_ spelling: String, _ node: any ConvertibleNode) {
        operand(0, of: node)
        write(" \(spelling) ")
        operand(1, of: node)
    }

    /// `a.contains(b)`
    mutating func call(_ name: String, _ node: any ConvertibleNode) {
        operand(0, of: node)
        write(".\(name)(")
        if node.operands.count > 1 { argument(1, of: node) }
        write(")")
    }
}
