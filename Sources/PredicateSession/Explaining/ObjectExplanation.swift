import PredicateEvaluation
import PredicateSyntax

/// What one object does to every clause of a predicate: whether it holds, and which values it saw.
package struct ObjectExplanation {
    /// How a clause answers.
    package enum Answer: Hashable, Sendable {
        case holds(Bool)
        case failed(EvaluationError)

        var isTrue: Bool { self == .holds(true) }
    }

    /// A part of a comparison and what it came to.
    package struct SeenValue {
        package let expression: ExpressionNode
        package let value: KeyedValue
        /// How deep in the comparison it stands.
        package let depth: Int
    }

    package let clause: Clause
    package let answer: Answer
    /// Whether what stands before it had not yet decided the matter.
    package let wasAsked: Bool
    package let children: [ObjectExplanation]
    package let values: [SeenValue]

    /// Asks an object.
    package init(_ clause: Clause, _ object: KeyedValue, variables: [String: PredicateValue]) {
        self.init(clause, object, variables, wasAsked: true)
    }

    private init(_ clause: Clause, _ object: KeyedValue, _ variables: [String: PredicateValue], wasAsked: Bool) {
        self.clause = clause
        self.wasAsked = wasAsked
        switch clause.content {
        case .comparison(let evaluator):
            children = []
            answer = Self.ask(evaluator, clause, object)
            values = Self.values(in: .predicate(clause.node), object, variables, depth: 0)
        case .compound(let type, let clauses):
            values = []
            children = Self.explain(type, clauses, object, variables, wasAsked: wasAsked)
            answer = Self.combine(type, children.map(\.answer))
        }
    }

    private static func ask(_ evaluator: PredicateEvaluator, _ clause: Clause, _ object: KeyedValue) -> Answer {
        do throws(EvaluationError) {
            return .holds(try evaluator.evaluate(object))
        } catch {
            return .failed(clause.placed(error))
        }
    }

    private static func explain(
        _ type: LogicalType, _ clauses: [Clause], _ object: KeyedValue, _ variables: [String: PredicateValue],
        wasAsked: Bool
    ) -> [ObjectExplanation] {
        var isOpen = wasAsked
        return clauses.map { clause in
            let child = ObjectExplanation(clause, object, variables, wasAsked: isOpen)
            if type != .not, child.answer != .holds(type == .and) { isOpen = false }
            return child
        }
    }

    private static func combine(_ type: LogicalType, _ answers: [Answer]) -> Answer {
        switch type {
        case .and: answers.first { !$0.isTrue } ?? .holds(true)
        case .or: answers.first { $0 != .holds(false) } ?? .holds(false)
        case .not:
            switch answers.first {
            case .holds(let value): .holds(!value)
            case .failed(let error): .failed(error)
            case nil: .holds(false)
            }
        }
    }

    /// The values of all parts that are no constants; what a SUBQUERY or a TERNARY asks is left out.
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

extension ExpressionNode {
    /// Whether the value is not written in the format already.
    var isVarying: Bool {
        switch self {
        case .constantValue, .symbol, .anyKey, .fetch: false
        case .evaluatedObject, .variable, .keyPath, .member, .function, .message, .cast, .aggregate, .index,
            .subquery, .conditional, .set, .assignment:
            true
        }
    }
}
