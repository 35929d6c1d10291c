import PredicateChecks
import PredicateEvaluation
import PredicateSyntax

/// The result of every clause for one object, with the values of its key paths.
package struct ObjectExplanation {
    package enum Result: Hashable, Sendable {
        case holds(Bool)
        case failed(EvaluationError)

        var isTrue: Bool { self == .holds(true) }
    }

    /// A part of a comparison with its value.
    package struct SeenValue {
        package let expression: ExpressionNode
        package let value: KeyedValue
        /// The nesting depth in the comparison.
        package let depth: Int
    }

    package let clause: Clause
    package let result: Result
    /// False if a clause before it has already decided the result.
    package let isReached: Bool
    package let children: [ObjectExplanation]
    package let values: [SeenValue]

    /// Evaluates all clauses for an object.
    package init(_ clause: Clause, _ object: KeyedValue, context: PredicateContext) {
        self.init(clause, object, context, isReached: true)
    }

    private init(_ clause: Clause, _ object: KeyedValue, _ context: PredicateContext, isReached: Bool) {
        self.clause = clause
        self.isReached = isReached
        result = Self.result(clause, object)
        switch clause.structure {
        case .comparison:
            children = []
            values = Self.values(in: .predicate(clause.node), object, context, depth: 0)
        case .compound(let type, let clauses):
            values = []
            children = Self.explain(type, clauses, object, context, isReached: isReached)
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
        _ type: LogicalType, _ clauses: [Clause], _ object: KeyedValue, _ context: PredicateContext,
        isReached: Bool
    ) -> [ObjectExplanation] {
        var isOpen = isReached
        return clauses.map { clause in
            let child = ObjectExplanation(clause, object, context, isReached: isOpen)
            if type != .not, child.result != .holds(type == .and) { isOpen = false }
            return child
        }
    }

    /// Returns the values of all parts that are not constants, except those inside a SUBQUERY or a TERNARY.
    private static func values(
        in tree: TreeNode, _ object: KeyedValue, _ context: PredicateContext, depth: Int
    ) -> [SeenValue] {
        var found: [SeenValue] = []
        var childDepth = depth
        if case .expression(let node) = tree {
            guard node.isVarying, let value = value(of: node, object, context) else { return [] }
            found.append(SeenValue(expression: node, value: value, depth: depth))
            childDepth += 1
        }
        for child in tree.children {
            guard case .expression = child else { continue }
            found += values(in: child, object, context, depth: childDepth)
        }
        return found
    }

    private static func value(
        of node: ExpressionNode, _ object: KeyedValue, _ context: PredicateContext
    ) -> KeyedValue? {
        try? ExpressionEvaluator(FormatExpression(node), context: context).value(object)
    }
}

/// Explains in one sentence why an object matches or not.
package struct Decision {
    private let explanation: ObjectExplanation
    /// The zone of dates; nil for UTC.
    private let zone: LocalZone?

    package init(_ explanation: ObjectExplanation, in zone: LocalZone?) {
        (self.explanation, self.zone) = (explanation, zone)
    }

    /// `object 3 does not match: age > 21 is false, since age is 18`
    package func sentence(object number: Int) -> String {
        switch explanation.result {
        case .holds(true): "object \(number) matches: \(reason(explanation))"
        case .holds(false): "object \(number) does not match: \(reason(explanation))"
        case .failed: "object \(number) cannot be evaluated: \(reason(explanation))"
        }
    }

    private func reason(_ part: ObjectExplanation) -> String {
        switch (part.clause.structure, part.result) {
        case (.comparison, _): comparison(part)
        case (.compound(.not, _), _): negation(part)
        case (.compound(.and, _), .holds(true)):
            "\(part.isPair ? "both" : "all \(part.children.count)") clauses hold, since \(values(part.children))"
        case (.compound(.or, _), .holds(false)):
            "\(part.isPair ? "neither" : "none") of the \(part.children.count) alternatives holds,"
                + " since \(values(part.children))"
        case (.compound, _): decider(of: part).map(reason) ?? "it has no clauses"
        }
    }

    /// Returns the first clause that decides the result of the compound.
    private func decider(of part: ObjectExplanation) -> ObjectExplanation? {
        part.children.first { child in
            switch (child.result, part.result) {
            case (.holds(let own), .holds(let whole)): own == whole
            case (.failed, .failed): true
            case (.holds, .failed), (.failed, .holds): false
            }
        }
    }

    private func comparison(_ part: ObjectExplanation) -> String {
        let text = part.clause.node.predicateFormat
        switch part.result {
        case .holds(let holds):
            let values = values(of: part)
            return "\(text) is \(holds)" + (values.isEmpty ? "" : ", since \(values)")
        case .failed(let error):
            let label = error.code.label.map { " (\($0))" } ?? ""
            return "\(text) ends in an error, \(error.code.title)\(label)"
        }
    }

    private func negation(_ part: ObjectExplanation) -> String {
        guard let child = part.children.first else { return "NOT of nothing" }
        if case .failed = part.result { return reason(child) }
        return "\(reason(child)), and NOT inverts that"
    }

    private func values(_ parts: [ObjectExplanation]) -> String {
        var texts: [String] = []
        for part in parts {
            let text =
                part.children.isEmpty
                ? values(of: part) : part.clause.node.predicateFormat + " is \(part.result.isTrue)"
            if !text.isEmpty, !texts.contains(text) { texts.append(text) }
            // The sentence shows at most six values.
            if texts.count > 6 { break }
        }
        return texts.count > 6 ? texts.prefix(6).joined(separator: ", ") + ", …" : texts.list("and")
    }

    /// Returns the values of the sides that are not constants: `age is 18`
    private func values(of part: ObjectExplanation) -> String {
        part.values.filter { $0.depth == 0 }.map { seen in
            "\(seen.expression.expressionFormat) is \(ValueText.literal(seen.value, in: zone).cut(toColumns: 60))"
        }.joined(separator: " and ")
    }
}

extension ObjectExplanation {
    fileprivate var isPair: Bool { children.count == 2 }
}
