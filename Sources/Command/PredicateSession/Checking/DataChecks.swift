import PredicateChecks
import PredicateEvaluation
import PredicateSyntax

/// The input of checks that need data: the predicate, the objects, and the facts about their keys.
struct DataSubject {
    let predicate: CheckSubject
    let objects: ObjectSource
    let data: KeyStatistics

    /// A sample of the objects, spread over those in memory.
    var sample: [KeyedValue] { objects.table.spread(2_000).map { objects.table[$0] } }

    /// Returns the facts about the key path of a node; nil if it is not a key path, or if there are too many keys.
    func facts(of node: CheckedNode) -> KeyFacts? {
        guard data.isComplete, let keys = node.keys else { return nil }
        return data[keys.joined(separator: ".")]
    }

    /// Returns an evaluator for a comparison, or by default for the whole predicate; nil if it cannot be prepared.
    func evaluator(of node: PredicateNode?) -> PredicateEvaluator? {
        try? PredicateEvaluator(
            node.map { FormatPredicate($0) } ?? predicate.predicate, context: predicate.scope.context)
    }
}

/// Checks a predicate against the loaded objects.
enum DataChecker {
    /// Returns the findings in source order. Without objects, only the checks that need no data run. `scope` replaces the
    /// schema derived from the objects.
    static func findings(
        in predicate: FormatPredicate, open: [OpenPart] = [], objects: ObjectSource, data: KeyStatistics?,
        scope: CheckScope? = nil, context: PredicateContext
    ) -> [PredicateFinding] {
        guard let data, !objects.table.isEmpty else {
            return Checker.findings(in: predicate, open: open, scope: (scope ?? CheckScope()).with(context))
        }
        let further: [Checker.Family] = families.map { family in
            { family(DataSubject(predicate: $0, objects: objects, data: data)) }
        }
        let scope = (scope ?? self.scope(objects.table, data)).with(context)
        return Checker.findings(in: predicate, open: open, scope: scope, further: further)
    }

    /// Returns the scope that is derived from the loaded objects.
    static func scope(_ table: ObjectTable, _ data: KeyStatistics) -> CheckScope {
        CheckScope(DataSchema(data: data, columns: table.columns), entity: DataSchema.root)
    }

    private static let families: [@Sendable (DataSubject) -> [PredicateFinding]] = [
        { NilChecks.findings(in: $0) }, { SpellingChecks.findings(in: $0) }, { PartialMatch.findings(in: $0) },
        { EvaluationChecks.findings(in: $0) },
    ]
}

/// Finds comparisons with `!=` that also hold for objects in which the key is nil.
enum NilChecks {
    static func findings(in subject: DataSubject) -> [PredicateFinding] {
        visit(subject.predicate.root, subject, guards: [])
    }

    /// `guards` are expressions that other clauses prevent from being nil, one set for each enclosing AND.
    private static func visit(
        _ node: CheckedNode, _ subject: DataSubject, guards: [Set<ExpressionNode>]
    ) -> [PredicateFinding] {
        guard let (type, parts) = node.compound else {
            return finding(node, subject, guards).map { [$0] } ?? []
        }
        // A reported clause holds for nil, so it does not guard itself.
        let inner =
            type == .and ? guards + [Set(parts.compactMap { guarded(by: $0, subject) })] : type == .not ? [] : guards
        return parts.flatMap { visit($0, subject, guards: inner) }
    }

    private static func finding(
        _ node: CheckedNode, _ subject: DataSubject, _ guards: [Set<ExpressionNode>]
    ) -> PredicateFinding? {
        guard let comparison = CheckedComparison(node), comparison.operator == .comparison(.notEqualTo),
            comparison.modifier == .direct, let constant = subject.predicate.constant(comparison.right),
            constant.kind != nil, let expression = comparison.left.expression,
            let facts = subject.facts(of: comparison.left), facts.nils > 0, !facts.isToMany,
            !guards.contains(where: { $0.contains(expression) })
        else { return nil }
        let left = comparison.left.text
        return PredicateFinding(
            .keepsNil, node,
            "this also holds where \(left) is nil: \(Count.share(facts.nils, of: facts.total)) of the objects",
            "write \(left) != nil AND \(node.text), to exclude these")
    }

    /// Returns the expression that a clause prevents from being nil.
    private static func guarded(by clause: CheckedNode, _ subject: DataSubject) -> ExpressionNode? {
        guard let comparison = CheckedComparison(clause), comparison.modifier == .direct,
            comparison.right.expression?.constant != nil,
            let constraint = Constraint(comparison),
            !constraint.holds(.null)
        else { return nil }
        return comparison.left.expression
    }
}

/// Finds comparisons by code points with strings that are decomposed in the data, as file names from macOS are.
///
///     name == "Zoë"           does not hold for an e with a combining mark
enum SpellingChecks {
    static func findings(in subject: DataSubject) -> [PredicateFinding] {
        subject.predicate.comparisons.compactMap { comparison in
            let ignored: ComparisonOptions = [.caseInsensitive, .diacriticInsensitive]
            guard comparison.options.isDisjoint(with: ignored), isOfTexts(comparison.operator),
                isDecomposed(comparison.left, subject), holdsLetters(comparison.right, subject)
            else { return nil }
            return finding(comparison)
        }
    }

    private static func finding(_ comparison: CheckedComparison) -> PredicateFinding {
        let spelling = comparison.operator.spelling
        return PredicateFinding(
            .decomposedText, comparison.node,
            "without options strings compare by code points, and \(comparison.left.text) spells é as e and a combining mark",
            "write \(spelling)[c], which treats both spellings as equal, or compose the strings in the data")
    }

    private static func isOfTexts(_ operator: CheckedComparison.Operator) -> Bool {
        switch `operator` {
        case .comparison(.customSelector): false
        case .comparison: true
        case .string(let own): own.rightSide != .typeIdentifier
        }
    }

    private static func isDecomposed(_ node: CheckedNode, _ subject: DataSubject) -> Bool {
        subject.facts(of: node)?.isDecomposed ?? false
    }

    /// Returns true if the other side is a key, or a constant that may contain a letter with two spellings.
    private static func holdsLetters(_ node: CheckedNode, _ subject: DataSubject) -> Bool {
        guard !subject.predicate.isUnknown(node) else { return false }
        guard let constant = subject.predicate.constant(node) else {
            return node.keys != nil
        }
        return holdsLetters(.value(constant))
    }

    private static func holdsLetters(_ value: KeyedValue) -> Bool {
        if case .value(.string(let text)) = value { return !text.utf8.allSatisfy { $0 < 0x80 } }
        return (value.elements ?? []).contains(where: holdsLetters)
    }
}

/// Finds patterns that match a part of a string in the data, but no whole string.
///
///     name MATCHES "o+"
enum PartialMatch {
    static func findings(in subject: DataSubject) -> [PredicateFinding] {
        subject.predicate.comparisons.compactMap { comparison in
            guard comparison.operator == .string(.matches), !subject.predicate.isUnknown(comparison.right),
                let pattern = comparison.pattern, PatternTree(pattern).hasWildcard,
                exists(pattern, comparison, subject)
            else { return nil }
            return TextChecks.wholeText(
                PatternTree(pattern), comparison, "in the data this pattern matches only parts of strings")
        }
    }

    private static func exists(_ pattern: String, _ comparison: CheckedComparison, _ subject: DataSubject) -> Bool {
        guard case .string(var inner)? = comparison.node.predicate,
            comparison.left.keys != nil,
            let whole = subject.evaluator(of: .string(inner))
        else { return false }
        inner.rightExpression = .constantValue(.string("(?s).*(?:\(pattern)).*"))
        guard let part = subject.evaluator(of: .string(inner)) else { return false }
        let sample = subject.sample
        return !whole.matches(anyOf: sample) && part.matches(anyOf: sample)
    }
}

extension PredicateEvaluator {
    /// Returns true if the predicate holds for one of the objects, without an error.
    func matches(anyOf objects: [KeyedValue]) -> Bool { objects.contains { (try? evaluate($0)) == true } }
}
