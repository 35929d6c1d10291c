import PredicateSyntax

/// Clauses that never hold or always hold, duplicate clauses, and a NOT that applies to less than it appears to.
enum LogicChecks {
    static func findings(in subject: CheckSubject) -> [PredicateFinding] {
        return subject.nodes.flatMap { node -> [PredicateFinding] in
            guard let predicate = node.predicate else { return [] }
            guard case .compound(let compound) = predicate else { return single(node, subject) }
            switch compound.type {
            case .and: return duplicates(node) + conflicts(node, subject) + complements(node)
            case .or:
                return duplicates(node) + tautologies(node, subject) + complements(node) + looseNegations(node, subject)
                    + splitAlternatives(node, subject)
            case .not: return []
            }
        }

        func duplicates(_ node: CheckedNode) -> [PredicateFinding] {
            var seen: Set<PredicateNode> = []
            return node.children.compactMap { child in
                guard let predicate = child.predicate, !seen.insert(predicate).inserted, !subject.isUnknown(child)
                else {
                    return nil
                }
                return PredicateFinding(.duplicateClause, child, "this clause is a duplicate", "remove one of them")
            }
        }

        /// `a == 1 OR NOT a == 1`
        func complements(_ node: CheckedNode) -> [PredicateFinding] {
            guard let (type, parts) = node.compound, !subject.isUnknown(node) else { return [] }
            let clauses = Set(parts.compactMap(\.predicate))
            return parts.compactMap { part in
                guard case let (.not, inner)? = part.compound, let negated = inner.first?.predicate,
                    clauses.contains(negated)
                else { return nil }
                return type == .and
                    ? PredicateFinding(.neverHolds, part, "this contradicts \(negated.predicateFormat)")
                    : PredicateFinding(.alwaysHolds, part, "together with \(negated.predicateFormat) this always holds")
            }
        }
    }

    /// `age BETWEEN {5, 3}`, `age > nil`, `age == age`
    private static func single(_ node: CheckedNode, _ subject: CheckSubject) -> [PredicateFinding] {
        guard let comparison = CheckedComparison(node), !subject.isUnknown(node) else { return [] }
        if comparison.left.expression == comparison.right.expression, comparison.left.expression?.isVarying == true {
            return same(comparison)
        }
        guard let constraint = Constraint(comparison), constraint.constant.elementCount != 0 else { return [] }
        guard isSearchForNil(constraint) || Candidates([constraint])?.all.contains(where: constraint.holds) == false
        else { return [] }
        return [PredicateFinding(.neverHolds, node, "this never holds", reason(constraint))]
    }

    /// `name CONTAINS nil`, `name LIKE nil`, `name IN nil`
    private static func isSearchForNil(_ constraint: Constraint) -> Bool {
        guard constraint.constant.kind == nil else { return false }
        return switch constraint.operator {
        case .string, .comparison(.in): true
        case .comparison: false
        }
    }

    private static func same(_ comparison: CheckedComparison) -> [PredicateFinding] {
        switch comparison.operator {
        case .comparison(.equalTo), .comparison(.lessThanOrEqualTo), .comparison(.greaterThanOrEqualTo):
            [PredicateFinding(.alwaysHolds, comparison.node, "both sides are the same: this always holds")]
        case .comparison(.notEqualTo), .comparison(.lessThan), .comparison(.greaterThan):
            [PredicateFinding(.neverHolds, comparison.node, "both sides are the same: this never holds")]
        case .comparison, .string: []
        }
    }

    private static func reason(_ constraint: Constraint) -> String? {
        if case .comparison(.between) = constraint.operator, let bounds = constraint.constant.elements,
            bounds.count == 2
        {
            return "the lower bound comes first: {\(bounds[1].printed), \(bounds[0].printed)}"
        }
        guard constraint.constant.kind == nil else { return nil }
        let missing = isSearchForNil(constraint) ? "is neither a string nor a collection" : "has no order"
        return "nil \(missing); compare with == nil or != nil"
    }
}

extension LogicChecks {
    /// Returns the comparisons with constants in a compound of one type, and in nested compounds of the same type.
    private static func constraints(_ node: CheckedNode, _ type: LogicalType, _ subject: CheckSubject) -> [Constraint] {
        node.children.flatMap { child -> [Constraint] in
            if let compound = child.compound, compound.type == type { return constraints(child, type, subject) }
            guard !subject.isUnknown(child), let comparison = CheckedComparison(child) else { return [] }
            return Constraint(comparison).map { [$0] } ?? []
        }
    }

    /// Groups constraints by their expressions, in source order.
    fileprivate static func groups(_ constraints: [Constraint]) -> [[Constraint]] {
        var order: [ExpressionNode] = []
        var groups: [ExpressionNode: [Constraint]] = [:]
        for constraint in constraints {
            if groups[constraint.expression] == nil { order.append(constraint.expression) }
            groups[constraint.expression, default: []].append(constraint)
        }
        return order.compactMap { groups[$0] }.filter { $0.count > 1 }
    }

    /// `age > 5 AND age < 3`
    private static func conflicts(_ node: CheckedNode, _ subject: CheckSubject) -> [PredicateFinding] {
        groups(constraints(node, .and, subject)).compactMap { group in
            let pair = pairs(of: group).first { conflicts([$0.0, $0.1]) }
            if let (first, second) = pair {
                return PredicateFinding(
                    .neverHolds, second.comparison.node,
                    "this and \(first.comparison.node.text) never hold together",
                    alternative(first, second))
            }
            guard group.count > 2, conflicts(group), let last = group.last else { return nil }
            return PredicateFinding(
                .neverHolds, last.comparison.node,
                "\(group.map(\.comparison.node.text).joined(separator: ", ")) never hold together")
        }
    }

    private static func pairs(of group: [Constraint]) -> [(Constraint, Constraint)] {
        let group = Array(group.prefix(32))
        return group.indices.flatMap { second in group[..<second].map { ($0, group[second]) } }
    }

    /// Returns true if no value satisfies all constraints, although each of them can be satisfied.
    private static func conflicts(_ group: [Constraint]) -> Bool {
        guard group.allSatisfy(isPossible) else { return false }
        if group.allSatisfy(isPrefix) { return prefixesConflict(group) }
        let values: [PredicateValue]
        if let only = group.compactMap(\.onlyValues).min(by: { $0.count < $1.count }) {
            values = only
        } else if let candidates = Candidates(group) {
            values = candidates.all
        } else {
            return false
        }
        return each(values, finds: false, in: group)
    }

    /// The maximum number of tests for a group of clauses. Beyond it nothing is reported.
    private static func mostTries(_ group: [Constraint]) -> Int { 4_000 + 20 * group.count }

    /// Returns true if, for each value, at least one of the constraints has this result.
    private static func each(_ values: [PredicateValue], finds result: Bool, in group: [Constraint]) -> Bool {
        var tries = mostTries(group)
        return values.allSatisfy { value in
            guard let found = group.firstIndex(where: { $0.holds(value) == result }) else { return false }
            tries -= found + 1
            return tries > 0
        }
    }

    /// Returns true if a constraint holds for some value.
    private static func isPossible(_ constraint: Constraint) -> Bool {
        if let only = constraint.onlyValues { return only.contains(where: constraint.holds) }
        guard let candidates = Candidates([constraint]) else { return true }
        return candidates.all.contains(where: constraint.holds)
    }

    private static func isPrefix(_ constraint: Constraint) -> Bool {
        constraint.operator == .string(.beginsWith) && constraint.comparison.options.isEmpty
    }

    /// `name BEGINSWITH "a" AND name BEGINSWITH "b"`
    private static func prefixesConflict(_ group: [Constraint]) -> Bool {
        let texts = group.compactMap(\.comparison.pattern).filter { !$0.isEmpty }
        guard texts.count == group.count, let longest = texts.max(by: { $0.utf8.count < $1.utf8.count }) else {
            return false
        }
        return !texts.allSatisfy { longest.utf8.starts(with: $0.utf8) }
    }

    private static func alternative(_ first: Constraint, _ second: Constraint) -> String? {
        guard first.operator == .comparison(.equalTo), second.operator == .comparison(.equalTo) else { return nil }
        return "write OR, or \(first.comparison.left.text) IN {\(first.constant.printed), \(second.constant.printed)}"
    }

    /// `age != 1 OR age != 2`, `age > 1 OR age <= 1`
    private static func tautologies(_ node: CheckedNode, _ subject: CheckSubject) -> [PredicateFinding] {
        groups(constraints(node, .or, subject)).compactMap { group in
            guard let candidates = Candidates(group), let last = group.last else { return nil }
            func holds(_ value: PredicateValue) -> Bool { group.contains { $0.holds(value) } }
            guard each(candidates.own, finds: true, in: group) else { return nil }
            let texts = group.map(\.comparison.node.text).joined(separator: " OR ")
            if holds(.null) && holds(candidates.foreign) {
                let isInequality = group.allSatisfy { $0.operator == .comparison(.notEqualTo) }
                return PredicateFinding(
                    .alwaysHolds, last.comparison.node, "\(texts) holds for every value",
                    isInequality ? "write AND" : nil)
            }
            guard !holds(.null), group.contains(where: { $0.comparison.operator.isOrdering }) else { return nil }
            let left = last.expression.expressionFormat
            return PredicateFinding(
                .alwaysHolds, last.comparison.node, "\(texts) holds wherever \(left) is not nil", "write \(left) != nil"
            )
        }
    }

    /// `NOT age == 1 OR age == 2`: the second clause adds nothing, so NOT was probably meant for both.
    private static func looseNegations(_ node: CheckedNode, _ subject: CheckSubject) -> [PredicateFinding] {
        let equalities = EqualitiesByExpression(constraints(node, .or, subject))
        return node.children.compactMap { child in
            guard case let (.not, inner)? = child.compound, let operand = inner.first, !subject.isUnknown(child),
                let range = child.range, let inside = operand.range,
                !subject.source(range.lowerBound..<inside.lowerBound).contains("("),
                let negated = CheckedComparison(operand).flatMap({ Constraint($0) }),
                negated.operator == .comparison(.equalTo),
                let other = equalities.first(notTo: negated.constant, of: negated.expression)
            else { return nil }
            let whole = "NOT (\(operand.text) OR \(other.comparison.node.text))"
            return PredicateFinding(
                .notBindsTightly, child,
                "NOT applies only to \(operand.text), so \(other.comparison.node.text) is redundant",
                "write \(whole)")
        }
    }
}

extension LogicChecks {
    /// `paid == 1 AND status == 1 OR status == 2`: the alternatives of one key are probably meant to be one operand of AND.
    private static func splitAlternatives(_ node: CheckedNode, _ subject: CheckSubject) -> [PredicateFinding] {
        guard node.children.count == 2, let first = node.children.first, let last = node.children.last else {
            return []
        }
        let neighbours: [CheckedNode?]
        switch (openConjunction(first, subject), openConjunction(last, subject)) {
        case (let parts?, nil): neighbours = [parts.last, last]
        case (nil, let parts?): neighbours = [first, parts.first]
        case (nil, nil), (.some, .some): return []
        }
        let both = neighbours.compactMap { $0.flatMap(CheckedComparison.init) }
        guard both.count == 2, let keys = both[0].left.keys, keys == both[1].left.keys,
            both.allSatisfy({ $0.operator == .comparison(.equalTo) && $0.right.keys == nil })
        else { return [] }
        let texts = both.map { subject.source(of: $0.node) }
        return [
            PredicateFinding(
                .andBindsTightly, node,
                "AND binds more tightly than OR, so \(texts[0]) and \(texts[1]) are not one operand of AND",
                "write (\(texts[0]) OR \(texts[1])) if both belong together, or put brackets around AND")
        ]
    }

    /// The operands of an AND without brackets.
    private static func openConjunction(_ node: CheckedNode, _ subject: CheckSubject) -> [CheckedNode]? {
        guard case let (.and, parts)? = node.compound, let range = node.range else { return nil }
        let after = subject.source(range.upperBound..<subject.format.utf8.count).first { $0 != " " }
        let before = subject.source(0..<range.lowerBound).last { $0 != " " }
        return before == "(" && after == ")" ? nil : parts
    }
}

/// For each expression, its first equality and the first one with a different constant.
private struct EqualitiesByExpression {
    private var found: [ExpressionNode: (first: Constraint, other: Constraint?)] = [:]

    init(_ constraints: [Constraint]) {
        for constraint in constraints where constraint.operator == .comparison(.equalTo) {
            guard let (first, other) = found[constraint.expression] else {
                found[constraint.expression] = (constraint, nil)
                continue
            }
            if other == nil, first.constant != constraint.constant {
                found[constraint.expression] = (first, constraint)
            }
        }
    }

    /// Returns the first equality of an expression with another constant.
    func first(notTo constant: PredicateValue, of expression: ExpressionNode) -> Constraint? {
        guard let (first, other) = found[expression] else { return nil }
        return first.constant != constant ? first : other
    }
}

/// Comparisons that are redundant because another comparison of the same compound implies them.
///
///     age > 5 AND age > 3    age > 5 OR age > 3    age == 1 AND age != 2
enum ImpliedChecks {
    /// The maximum number of comparisons of one expression that are compared with each other. Longer lists are
    /// generated by programs.
    private static let mostComparisons = 32

    static func findings(in subject: CheckSubject) -> [PredicateFinding] {
        subject.nodes.flatMap { node -> [PredicateFinding] in
            guard let (type, parts) = node.compound, type != .not else { return [] }
            return groups(of: parts, subject).flatMap { implied($0, type) }
        }
    }

    /// The comparisons with constants, grouped by expression. Comparisons with nil are left out: they are intentional
    /// guards.
    private static func groups(of parts: [CheckedNode], _ subject: CheckSubject) -> [[Constraint]] {
        let constraints = parts.compactMap { part -> Constraint? in
            guard !subject.isUnknown(part), let comparison = CheckedComparison(part),
                let constraint = Constraint(comparison), constraint.constant.kind != nil,
                constraint.boundaries != nil
            else { return nil }
            return constraint
        }
        return LogicChecks.groups(constraints).filter { $0.count <= mostComparisons }
    }

    private static func implied(_ group: [Constraint], _ type: LogicalType) -> [PredicateFinding] {
        guard let candidates = Candidates(group) else { return [] }
        let values = candidates.all
        let sets = group.map { values.map($0.holds) }
        return group.indices.compactMap { index in
            let other = group.indices.first { other in
                guard other != index else { return false }
                let (stronger, weaker) = type == .and ? (other, index) : (index, other)
                return follows(sets[stronger], sets[weaker], isLater: other < index)
            }
            return other.map { finding(group[index], besides: group[$0], type) }
        }
    }

    /// True if the weaker comparison holds wherever the stronger one does. If both hold for the same values, the later one is
    /// reported.
    private static func follows(_ stronger: [Bool], _ weaker: [Bool], isLater: Bool) -> Bool {
        guard stronger.contains(true), weaker.contains(false) else { return false }
        return zip(stronger, weaker).allSatisfy { !$0 || $1 } && (stronger != weaker || isLater)
    }

    private static func finding(
        _ implied: Constraint, besides other: Constraint, _ type: LogicalType
    ) -> PredicateFinding {
        let (own, text) = (implied.comparison.node.text, other.comparison.node.text)
        let reason =
            type == .and
            ? "it holds wherever \(text) does" : "\(text) holds wherever it does"
        return PredicateFinding(
            .impliedClause, implied.comparison.node, "\(own) is redundant: \(reason)", "remove one of them")
    }
}

/// Clauses that do not depend on the object, and clauses that are opposites of each other.
///
///     TRUEPREDICATE OR age > 5    "name" == "jo"    %@ == %@    a < b AND a >= b
enum ConstantChecks {
    static func findings(in subject: CheckSubject) -> [PredicateFinding] {
        subject.nodes.flatMap { node in deciding(node, subject) + opposites(node, subject) }
            + subject.comparisons.compactMap { bothConstant($0, subject) }
    }

    /// `TRUEPREDICATE OR age > 5`, `1 == 2 AND age > 5`
    private static func deciding(_ node: CheckedNode, _ subject: CheckSubject) -> [PredicateFinding] {
        guard let (type, parts) = node.compound, type != .not else { return [] }
        return parts.compactMap { part in
            guard let result = result(of: part, subject), result == (type == .or) else { return nil }
            return result
                ? PredicateFinding(
                    .alwaysHolds, part, "this always holds, so the whole OR always holds", "remove it")
                : PredicateFinding(
                    .neverHolds, part, "this never holds, so the whole AND never holds", "remove it")
        }
    }

    /// The result of a clause that does not depend on the object; nil for other clauses.
    private static func result(of node: CheckedNode, _ subject: CheckSubject) -> Bool? {
        if case .constant(let value)? = node.predicate { return value }
        guard let comparison = CheckedComparison(node), comparison.modifier == .direct,
            let left = subject.constant(comparison.left), let right = subject.constant(comparison.right)
        else { return nil }
        return Constraint.result(left, comparison, right)
    }

    /// `%@ == %@`: compares two arguments, whatever the object is.
    private static func bothConstant(_ comparison: CheckedComparison, _ subject: CheckSubject) -> PredicateFinding? {
        guard comparison.left.expression?.constant != nil, comparison.right.expression?.constant != nil,
            subject.source(of: comparison.left) == "%@"
        else { return nil }
        // Testing whether a type conforms to another one is a valid use of two arguments.
        if case .string(let own) = comparison.operator, own.rightSide == .typeIdentifier { return nil }
        let isPair = subject.source(of: comparison.right) == "%@"
        let finding = PredicateFinding(
            .bothConstant, comparison.node,
            "this compares \(isPair ? "two arguments" : "an argument with a constant"); it uses no key of the object",
            "use %K for a key")
        return isPair ? finding.at(.warning) : finding
    }

    /// `a < b AND a >= b`, `a == b OR a != b`. Comparisons with constants are checked by trying values.
    private static func opposites(_ node: CheckedNode, _ subject: CheckSubject) -> [PredicateFinding] {
        guard let (type, parts) = node.compound, type != .not else { return [] }
        var seen: Set<ComparisonPredicate> = []
        return parts.compactMap { part in
            guard case .comparison(let comparison)? = part.predicate, comparison.modifier == .direct,
                !subject.isUnknown(part), comparison.rightExpression.constant == nil,
                comparison.leftExpression.constant == nil
            else { return nil }
            seen.insert(comparison)
            guard let opposite = comparison.opposite, seen.contains(opposite) else { return nil }
            let other = PredicateNode.comparison(opposite).predicateFormat
            return type == .and
                ? PredicateFinding(.neverHolds, part, "this contradicts \(other)")
                : PredicateFinding(.alwaysHolds, part, "together with \(other) this always holds")
        }
    }
}

extension ComparisonPredicate {
    /// `a >= b` for `a < b`; nil for operators without an opposite.
    fileprivate var opposite: ComparisonPredicate? {
        let meant: ComparisonOperator
        switch self.operator {
        case .lessThan: meant = .greaterThanOrEqualTo
        case .lessThanOrEqualTo: meant = .greaterThan
        case .greaterThan: meant = .lessThanOrEqualTo
        case .greaterThanOrEqualTo: meant = .lessThan
        case .equalTo: meant = .notEqualTo
        case .notEqualTo: meant = .equalTo
        case .between, .in, .customSelector: return nil
        }
        return ComparisonPredicate(leftExpression, meant, rightExpression, options: options)
    }
}
