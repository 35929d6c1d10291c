import Foundation
import PredicateEvaluation
import PredicateSyntax

/// `$0.age == 18`, `$0.boss == nil`
extension PredicateExpressions.Equal: InfixNode {
    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        .condition(try EqualityConversion.predicate(lhs, rhs, LHS.Output.self, "Equal", walk, scope))
    }

    func print(to printer: inout SourcePrinter) { printer.infix("==", self) }
}

/// `$0.age != 18`
extension PredicateExpressions.NotEqual: InfixNode {
    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        .condition(try EqualityConversion.predicate(lhs, rhs, LHS.Output.self, "NotEqual", walk, scope).opposite)
    }

    func print(to printer: inout SourcePrinter) { printer.infix("!=", self) }
}

/// `$0.age < 18`
extension PredicateExpressions.Comparison: InfixNode {
    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        guard ValueType.isOrdered(LHS.Output.self) else {
            throw ConversionRefusal(.unsupported(node: "Comparison", .order(type: "\(LHS.Output.self)")))
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

/// Equality as Swift defines it, for Booleans that predicates decide and for values.
enum EqualityConversion {
    static func predicate(
        _ lhs: any PredicateExpression, _ rhs: any PredicateExpression, _ type: Any.Type, _ node: String,
        _ walk: Walk, _ scope: ConversionScope
    ) throws(ConversionRefusal) -> PredicateNode {
        try ValueType.refuseNestedOptional(type, node)
        let left = try walk.convert(lhs, at: 0, scope)
        return predicate(left, try walk.convert(rhs, at: 1, scope))
    }

    static func predicate(_ left: Converted, _ right: Converted) -> PredicateNode {
        if let decided = decided(left, right) ?? decided(right, left) { return decided }
        if left.expression.isNotANumber || right.expression.isNotANumber { return .constant(false) }
        return .comparing(left.expression, .equalTo, right.expression)
    }

    /// Returns the equality of a condition with a constant.
    private static func decided(_ left: Converted, _ right: Converted) -> PredicateNode? {
        switch (left, right) {
        case (.value, _): nil
        case (.order(let order), .value(.constantValue(.integer(let result)))): order.hasResult(result)
        case (_, .value(.constantValue(.null))): left.isNil
        case (_, .condition(.constant(true))): left.predicate
        case (_, .condition(.constant(false))): left.negated
        case (.condition, _), (.optionalCondition, _), (.order, _): nil
        }
    }
}

extension ExpressionNode {
    /// True for a NaN constant, to which nothing is equal in Swift. [NSP-273]
    fileprivate var isNotANumber: Bool {
        if case .constantValue(.double(let number)) = self { number.isNaN } else { false }
    }
}

extension PredicateNode {
    /// `age != 18` for `age == 18`; NOT of anything else.
    var opposite: PredicateNode {
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

    /// `a.contains { v1 in … }`
    mutating func closureCall(_ name: String, _ node: any ConvertibleNode) {
        operand(0, of: node)
        write(".\(name) ")
        closure(1, of: node)
    }
}

/// `a && b`, `a || b`
protocol JunctionNode: InfixNode {
    var isConjunction: Bool { get }
}

extension PredicateExpressions.Conjunction: JunctionNode {
    var isConjunction: Bool { true }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        .condition(.all(try walk.chain(self, scope)))
    }

    func print(to printer: inout SourcePrinter) { printer.infix("&&", self) }
}

extension PredicateExpressions.Disjunction: JunctionNode {
    var isConjunction: Bool { false }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        .condition(.any(try walk.chain(self, scope)))
    }

    func print(to printer: inout SourcePrinter) { printer.infix("||", self) }
}

extension Walk {
    /// Collects the predicates of a chain without recursion, since a loop that joins predicates can make it
    /// arbitrarily long.
    fileprivate func chain(_ root: any JunctionNode, _ scope: ConversionScope) throws(ConversionRefusal)
        -> [PredicateNode]
    {
        var waiting: [(node: any PredicateExpression, path: [Int])] = [(root, [])]
        var predicates: [PredicateNode] = []
        while let (node, path) = waiting.popLast() {
            if let junction = node as? any JunctionNode, junction.isConjunction == root.isConjunction {
                let operands = junction.operands
                waiting += operands.indices.reversed().map { (operands[$0], path + [$0]) }
                continue
            }
            do throws(ConversionRefusal) {
                predicates.append(try convert(node, scope).predicate)
            } catch {
                throw path.reversed().reduce(error) { $0.below($1) }
            }
        }
        return predicates
    }
}

/// `!a`
extension PredicateExpressions.Negation: ConvertibleNode {
    var operands: [any PredicateExpression] { [wrapped] }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        .condition(try walk.convert(wrapped, at: 0, scope).negated)
    }

    func print(to printer: inout SourcePrinter) {
        printer.write("!")
        printer.operand(0, of: self)
    }
}

/// `a ? b : c`, `if a { b } else { c }`
extension PredicateExpressions.Conditional: ConvertibleNode {
    var operands: [any PredicateExpression] { [test, trueBranch, falseBranch] }
    var isInfix: Bool { true }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        let test = try walk.convert(test, at: 0, scope)
        let first = try walk.convert(trueBranch, at: 1, scope)
        let second = try walk.convert(falseBranch, at: 2, scope)
        guard Output.self == Bool.self else {
            return .value(.choice(test.predicate, first.expression, second.expression))
        }
        return .condition(.any([.all([test.predicate, first.predicate]), .all([test.negated, second.predicate])]))
    }

    func print(to printer: inout SourcePrinter) {
        printer.operand(0, of: self)
        printer.write(" ? ")
        printer.operand(1, of: self)
        printer.write(" : ")
        printer.operand(2, of: self)
    }
}

/// `18..<65`
extension PredicateExpressions.Range: ConvertibleNode, RangeNode {
    var operands: [any PredicateExpression] { [lower, upper] }
    var isInfix: Bool { true }
    var includesUpper: Bool { false }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        throw ConversionRefusal(.unsupported(node: "Range", .range))
    }

    func print(to printer: inout SourcePrinter) { printer.infix("..<", self) }
}

/// `18...65`
extension PredicateExpressions.ClosedRange: ConvertibleNode, RangeNode {
    var operands: [any PredicateExpression] { [lower, upper] }
    var isInfix: Bool { true }
    var includesUpper: Bool { true }
    var mayTrap: Bool { true }

    var trapsWithoutObject: Bool {
        guard let low = try? lower.evaluate(PredicateBindings()), let high = try? upper.evaluate(PredicateBindings())
        else { return false }
        return !(low <= high)
    }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        throw ConversionRefusal(.unsupported(node: "ClosedRange", .range))
    }

    func print(to printer: inout SourcePrinter) { printer.infix("...", self) }
}

/// `low...high`, `low..<high` with bounds that may depend on the object.
protocol RangeNode: ConvertibleNode {
    var includesUpper: Bool { get }
}

/// `(18...65).contains($0.age)`, `minors.contains($0.age)`
extension PredicateExpressions.RangeExpressionContains: ConvertibleNode {
    var operands: [any PredicateExpression] { [range, element] }

    func converted(by walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) -> Converted {
        guard ValueType.isOrdered(Element.Output.self) else {
            throw ConversionRefusal(
                .unsupported(node: "RangeExpressionContains", .order(type: "\(Element.Output.self)")))
        }
        let element = try walk.value(element, at: 1, scope)
        if let bounds = try RangeBounds(range, walk, scope) { return .condition(bounds.contains(element)) }
        return .condition(.comparing(element, .in, try walk.value(range, at: 0, scope)))
    }

    func print(to printer: inout SourcePrinter) { printer.call("contains", self) }
}

/// The bounds of a range that is written out or captured.
struct RangeBounds {
    let lower: ExpressionNode?
    let upper: ExpressionNode?
    let includesUpper: Bool

    /// Returns nil for anything but a range, and for a range stored in the object.
    init?(_ node: any PredicateExpression, _ walk: Walk, _ scope: ConversionScope) throws(ConversionRefusal) {
        if let range = node as? any RangeNode {
            do throws(ConversionRefusal) {
                lower = try walk.value(range.operands[0], at: 0, scope)
                upper = try walk.value(range.operands[1], at: 1, scope)
            } catch {
                throw error.below(0)
            }
            includesUpper = range.includesUpper
            return
        }
        guard let value = node as? any CapturedNode, value.captured is any RangeExpression,
            let range = KeyedValue(bridging: value.captured).range
        else { return nil }
        lower = range.lowerBound.map(ExpressionNode.constantValue)
        upper = range.upperBound.map(ExpressionNode.constantValue)
        includesUpper = range.includesUpperBound
    }

    /// `age BETWEEN {18, 65}`, `age >= 18 AND age < 65`
    func contains(_ element: ExpressionNode) -> PredicateNode {
        if let lower, let upper, includesUpper {
            return .comparing(element, .between, .aggregate(of: [lower, upper]))
        }
        var conditions: [PredicateNode] = []
        if let lower { conditions.append(.comparing(element, .greaterThanOrEqualTo, lower)) }
        if let upper {
            conditions.append(.comparing(element, includesUpper ? .lessThanOrEqualTo : .lessThan, upper))
        }
        return .all(conditions)
    }
}

/// A value that the program captures.
protocol CapturedNode {
    var captured: Any { get }
}

extension PredicateExpressions.Value: CapturedNode {
    var captured: Any { value }
}
