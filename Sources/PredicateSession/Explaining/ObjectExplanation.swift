import PredicateChecks
import PredicateEvaluation
import PredicateSyntax

/// The result of every clause of a predicate for one object, with the values of its key paths.
package struct ObjectExplanation {
    /// The result of a clause.
    package enum Result: Hashable, Sendable {
        case holds(Bool)
        case failed(EvaluationError)

        var isTrue: Bool { self == .holds(true) }
    }

    /// A part of a comparison and its value.
    package struct SeenValue {
        package let expression: ExpressionNode
        package let value: KeyedValue
        /// The depth in the comparison.
        package let depth: Int
    }

    package let clause: Clause
    package let result: Result
    /// False if a clause before it has already decided the result.
    package let isReached: Bool
    package let children: [ObjectExplanation]
    package let values: [SeenValue]

    /// Evaluates all clauses for an object.
    package init(_ clause: Clause, _ object: KeyedValue, variables: [String: PredicateValue]) {
        self.init(clause, object, variables, isReached: true)
    }

    private init(_ clause: Clause, _ object: KeyedValue, _ variables: [String: PredicateValue], isReached: Bool) {
        self.clause = clause
        self.isReached = isReached
        result = Self.result(clause, object)
        switch clause.content {
        case .comparison:
            children = []
            values = Self.values(in: .predicate(clause.node), object, variables, depth: 0)
        case .compound(let type, let clauses):
            values = []
            children = Self.explain(type, clauses, object, variables, isReached: isReached)
        }
    }

    private static func result(_ clause: Clause, _ object: KeyedValue) -> Result {
        do throws(EvaluationError) {
            return .holds(try clause.evaluator.evaluate(object))
        } catch {
            return .failed(clause.placed(error))
        }
    }

    private static func explain(
        _ type: LogicalType, _ clauses: [Clause], _ object: KeyedValue, _ variables: [String: PredicateValue],
        isReached: Bool
    ) -> [ObjectExplanation] {
        var isOpen = isReached
        return clauses.map { clause in
            let child = ObjectExplanation(clause, object, variables, isReached: isOpen)
            if type != .not, child.result != .holds(type == .and) { isOpen = false }
            return child
        }
    }

    /// Returns the values of all parts that are not constants, without those inside a SUBQUERY or a TERNARY.
    private static func values(
        in tree: TreeNode, _ object: KeyedValue, _ variables: [String: PredicateValue], depth: Int
    ) -> [SeenValue] {
        var found: [SeenValue] = []
        var childDepth = depth
        if case .expression(let node) = tree {
            guard node.isVarying, let value = value(of: node, object, variables) else { return [] }
            found.append(SeenValue(expression: node, value: value, depth: depth))
            childDepth += 1
        }
        for child in tree.children {
            guard case .expression = child else { continue }
            found += values(in: child, object, variables, depth: childDepth)
        }
        return found
    }

    private static func value(
        of node: ExpressionNode, _ object: KeyedValue, _ variables: [String: PredicateValue]
    ) -> KeyedValue? {
        guard let evaluator = try? ExpressionEvaluator(FormatExpression(node), variables: variables) else { return nil }
        return try? evaluator.value(object)
    }
}
