import Foundation
import PredicateSyntax

/// `18..<65`
extension PredicateExpressions.Range: ConvertibleNode, RangeNode {
    var operands: [any PredicateExpression] { [lower, upper] }
    var isInfix: Bool { true }
    var includesUpper: Bool { false }

    func converted(by walk: Walk, _ scope: Scope) throws(Refusal) -> Converted {
        throw Refusal(.unsupported(node: "Range", .range))
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

    func converted(by walk: Walk, _ scope: Scope) throws(Refusal) -> Converted {
        throw Refusal(.unsupported(node: "ClosedRange", .range))
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

    func converted(by walk: Walk, _ scope: Scope) throws(Refusal) -> Converted {
        guard ValueType.isOrdered(Element.Output.self) else {
            throw Refusal(.unsupported(node: "RangeExpressionContains", .order(type: "\(Element.Output.self)")))
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

    /// nil for what is no range, and for a range of the object.
    init?(_ node: any PredicateExpression, _ walk: Walk, _ scope: Scope) throws(Refusal) {
        if let range = node as? any RangeNode {
            do throws(Refusal) {
                lower = try walk.value(range.operands[0], at: 0, scope)
                upper = try walk.value(range.operands[1], at: 1, scope)
            } catch {
                throw error.below(0)
            }
            includesUpper = range.includesUpper
            return
        }
        guard let value = node as? any CapturedNode, let range = value.captured as? any BoundedRange else { return nil }
        let bounds = range.bounds
        lower = try bounds.lower.map { (bound) throws(Refusal) in .constantValue(try CapturedValue.constant(bound)) }
        upper = try bounds.upper.map { (bound) throws(Refusal) in .constantValue(try CapturedValue.constant(bound)) }
        includesUpper = bounds.includesUpper
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

/// A value of the program.
protocol CapturedNode {
    var captured: Any { get }
}

extension PredicateExpressions.Value: CapturedNode {
    var captured: Any { value }
}
