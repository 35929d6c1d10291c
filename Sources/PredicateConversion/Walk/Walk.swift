import Foundation
import PredicateSyntax

/// The walk over one tree of Swift's.
struct Walk {
    /// The variables of the whole: `$0`.
    private let inputs: [PredicateExpressions.VariableID]
    let naming: KeyPathNaming

    /// Far above the levels that a tree may have, since a chain of keys is a level for each.
    private static let deepest = 200

    init(inputs: [PredicateExpressions.VariableID], names: KeyPathNames) {
        self.inputs = inputs
        naming = KeyPathNaming(names: names)
    }

    private var scope: Scope {
        inputs.reduce(Scope()) { $0.binding($1, to: .value(.evaluatedObject)) }
    }

    /// The whole as a predicate.
    func predicate(_ root: any PredicateExpression) throws(PredicateConversionError) -> PredicateNode {
        do throws(Refusal) {
            let node = try convert(root, scope).predicate
            guard node.isWithin(.standard) else { throw Refusal(.exceedsLimits) }
            return node
        } catch {
            throw PredicateConversionError(error, in: root, inputs)
        }
    }

    /// The whole as an expression.
    func expression(_ root: any PredicateExpression) throws(PredicateConversionError) -> ExpressionNode {
        do throws(Refusal) {
            let node = try convert(root, scope).expression
            guard node.isWithin(.standard) else { throw Refusal(.exceedsLimits) }
            return node
        } catch {
            throw PredicateConversionError(error, in: root, inputs)
        }
    }

    /// Converts a node: what depends on no variable is evaluated.
    func convert(_ node: any PredicateExpression, _ scope: Scope) throws(Refusal) -> Converted {
        guard scope.depth < Self.deepest else { throw Refusal(.nestingTooDeep(limit: Self.deepest)) }
        guard let node = node as? any ConvertibleNode else {
            throw Refusal(.unknownNode(NodeName.of(node)))
        }
        if FreeVariables.none(in: node), let constant = try Self.constant(node) { return constant }
        return try node.converted(by: self, scope.descending())
    }

    /// Converts an operand of a node.
    func convert(
        _ operand: any PredicateExpression, at index: Int, _ scope: Scope
    ) throws(Refusal) -> Converted {
        do throws(Refusal) {
            return try convert(operand, scope)
        } catch {
            throw error.below(index)
        }
    }

    /// The value of an operand.
    func value(_ operand: any PredicateExpression, at index: Int, _ scope: Scope) throws(Refusal) -> ExpressionNode {
        try convert(operand, at: index, scope).expression
    }

    /// The value of a node without variables; nil where only its parts tell whether it would trap.
    private static func constant<Node: ConvertibleNode>(_ node: Node) throws(Refusal) -> Converted? {
        switch Traps.found(in: node) {
        case .none: break
        case .unknown: return nil
        case .certain: throw Refusal(.overflow)
        }
        let value: Node.Output
        do {
            value = try node.evaluate(PredicateBindings())
        } catch {
            throw Refusal(.failing((error as? PredicateError)?.debugDescription ?? "\(error)"))
        }
        return try CapturedValue.converted(value)
    }
}

extension Refusal {
    /// The refusal of a part of a node.
    func below(_ index: Int) -> Refusal {
        var refusal = self
        refusal.path.insert(index, at: 0)
        return refusal
    }
}

/// The search for variables that a node does not bind itself.
enum FreeVariables {
    static func none(in node: any ConvertibleNode) -> Bool {
        var bound: [PredicateExpressions.VariableID] = []
        return none(in: node, &bound)
    }

    /// Ends at the first one.
    private static func none(in node: any PredicateExpression, _ bound: inout [PredicateExpressions.VariableID]) -> Bool
    {
        guard let node = node as? any ConvertibleNode else { return false }
        if let variable = node as? any VariableNode { return bound.contains(variable.key) }
        if let parameter = node.parameter { bound.append(parameter) }
        defer { if node.parameter != nil { bound.removeLast() } }
        return node.operands.allSatisfy { none(in: $0, &bound) }
    }
}

/// The search for parts that would trap, innermost first.
enum Traps {
    case none
    /// In a closure, which is not called.
    case unknown
    case certain

    static func found(in node: any PredicateExpression) -> Traps {
        guard let node = node as? any ConvertibleNode else { return .unknown }
        for (index, operand) in node.operands.enumerated() {
            let isBody = node.parameter != nil && index == node.operands.count - 1
            let found = isBody ? (mayTrap(operand) ? .unknown : .none) : found(in: operand)
            guard case .none = found else { return found }
        }
        return node.trapsWithoutObject ? .certain : .none
    }

    private static func mayTrap(_ node: any PredicateExpression) -> Bool {
        guard let node = node as? any ConvertibleNode else { return true }
        return node.mayTrap || node.operands.contains(where: mayTrap)
    }
}
