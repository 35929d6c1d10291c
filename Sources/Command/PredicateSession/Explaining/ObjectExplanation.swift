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
            let remark = holds ? nil : NearMissRemark.text(part)
            return ["\(text) is \(holds)" + (values.isEmpty ? "" : ", since \(values)"), remark].compactMap(\.self)
                .joined(separator: "; ")
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

/// A remark about a comparison that nearly holds.
///
/// `"Jo" == "jo"` is false; `==[c]` would hold.
enum NearMissRemark {
    static func text(_ part: ObjectExplanation) -> String? {
        guard let (left, right) = values(part) else { return nil }
        if let kinds = kindRemark(left, right) { return kinds }
        guard case .value(.string(let leftText)) = left, case .value(.string(let rightText)) = right else { return nil }
        let node = part.clause.node.comparing(leftText, rightText)
        if let folding = node?.foldings.first(where: holds) { return "with [\(folding.letters)] it would hold" }
        if leftText == rightText { return "the two look the same, but have different code points" }
        if isEquality(part.clause.node), trimmed(leftText) == trimmed(rightText) {
            return "they differ in white space only"
        }
        return nil
    }

    private static func holds(_ folding: (letters: String, node: PredicateNode)) -> Bool {
        (try? FormatPredicate(folding.node).evaluate(with: nil)) ?? false
    }

    private static func values(_ part: ObjectExplanation) -> (KeyedValue, KeyedValue)? {
        guard let sides = part.clause.node.sides, part.clause.node.modifier == .direct else { return nil }
        func value(_ node: ExpressionNode) -> KeyedValue? {
            if case .constantValue(let constant) = node { return .value(constant) }
            return part.values.first { $0.expression == node }?.value
        }
        guard let left = value(sides.left), let right = value(sides.right) else { return nil }
        return (left, right)
    }

    private static func kindRemark(_ left: KeyedValue, _ right: KeyedValue) -> String? {
        guard let leftKind = left.kind, let rightKind = right.kind, !leftKind.canEqual(rightKind),
            ![leftKind, rightKind].contains(.array), ![leftKind, rightKind].contains(.dictionary)
        else { return nil }
        return "\(leftKind.noun) never equals \(rightKind.noun)"
    }

    private static func isEquality(_ node: PredicateNode) -> Bool {
        if case .comparison(let comparison) = node { comparison.operator == .equalTo } else { false }
    }

    private static func trimmed(_ text: String) -> Substring {
        var rest = text[...]
        while rest.first?.isWhitespace == true { rest.removeFirst() }
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest
    }
}

extension PredicateNode {
    /// Returns the comparison of two strings; nil for other predicates.
    fileprivate func comparing(_ left: String, _ right: String) -> PredicateNode? {
        let left = ExpressionNode.constantValue(.string(left))
        let right = ExpressionNode.constantValue(.string(right))
        switch self {
        case .comparison(let node):
            guard node.operator == .equalTo || node.operator == .in else { return nil }
            return .comparison(ComparisonPredicate(left, node.operator, right, options: node.options))
        case .string(let node): return .string(StringPredicate(left, node.operator, right, options: node.options))
        case .compound, .constant, .block: return nil
        }
    }
}
