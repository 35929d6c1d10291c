import PredicateChecks
import PredicateEvaluation
import PredicateSyntax

/// Checks that evaluate every object of the data. They find predicates that fail, and comparisons that hold for no object only
/// because of case or accents in a string.
///
///     name.count > 3          where names are strings, which have no count
///     status == "Open"        where the data has "open"
enum EvaluationChecks {
    /// Returns the findings. A predicate with missing arguments is not evaluated, only its comparisons with constants.
    static func findings(in subject: DataSubject) -> [PredicateFinding] {
        let sample = subject.sample
        let foldings = subject.predicate.nodes.compactMap { Folding($0, subject, sample) }
        let whole = subject.predicate.isUnknown(subject.predicate.root) ? nil : subject.evaluator(of: nil)
        let evaluators = foldings.flatMap(\.evaluators) + (whole.map { [$0] } ?? [])
        guard !evaluators.isEmpty, let tally = OutcomeTally(evaluators, subject) else { return [] }
        let folded = foldings.indices.compactMap {
            foldings[$0].finding(tally.matches[2 * $0..<2 * $0 + 2], of: subject.total)
        }
        return folded + (whole == nil ? [] : failure(tally, subject))
    }

    private static func failure(_ tally: OutcomeTally, _ subject: DataSubject) -> [PredicateFinding] {
        guard let error = tally.firstFailure else { return [] }
        let node = subject.predicate.nodes.first { $0.nodeNumber == error.node } ?? subject.predicate.root
        let share = tally.failures == subject.total ? "for every object" : "for \(Count.of(tally.failures, "object"))"
        let label = error.code.label.map { " (\($0))" } ?? ""
        return [
            PredicateFinding(
                .cannotBeEvaluated, node.range, "\(share) this is an error: \(error.code.title)\(label)",
                error.hints.first)
        ]
    }
}

extension DataSubject {
    /// The number of objects, once those that are not in memory have been read.
    fileprivate var total: Int { objects.stream?.count ?? objects.table.count }
}

/// The outcomes of several predicates for all objects, including those that are not in memory.
private final class OutcomeTally {
    /// The number of objects that match, for each predicate.
    private(set) var matches: [Int] = []
    /// The number of objects for which the last predicate fails, and its first error.
    private(set) var failures = 0
    private(set) var firstFailure: EvaluationError?

    /// Evaluates the predicates; nil if they cannot be evaluated for all objects.
    init?(_ evaluators: [PredicateEvaluator], _ subject: DataSubject) {
        matches = evaluators.map { _ in 0 }
        let pass = ObjectPass(evaluators, subject.predicate.scope.context) { [self] outcomes, _ in add(outcomes) }
        guard (try? subject.objects.run(pass, task: "checking")) != nil else { return nil }
    }

    private func add(_ outcomes: [ObjectOutcome]) {
        for (place, outcome) in outcomes.enumerated() {
            if case .yes = outcome { matches[place] += 1 }
        }
        guard case .failed(let error)? = outcomes.last else { return }
        failures += 1
        firstFailure = firstFailure ?? error
    }
}

/// A comparison that holds for no object in a sample, but would hold for some if case, or case and diacritics, were ignored.
private struct Folding {
    private let node: CheckedNode
    /// The comparison with the option that makes it hold, and the letters of that option.
    private let cure: PredicateNode
    private let letters: String
    /// Evaluators for the comparison as written, except that `!=` is `==`, and for the comparison with the option.
    let evaluators: [PredicateEvaluator]

    init?(_ node: CheckedNode, _ subject: DataSubject, _ sample: [KeyedValue]) {
        guard let written = node.predicate, !written.foldings.isEmpty, !subject.predicate.isUnknown(node),
            let exact = subject.evaluator(of: written.affirmed)
        else { return nil }
        if exact.matches(anyOf: sample) { return nil }
        for (letters, cure) in written.foldings {
            guard let folded = subject.evaluator(of: cure.affirmed), folded.matches(anyOf: sample) else { continue }
            (self.node, self.letters, self.cure, evaluators) = (node, letters, cure, [exact, folded])
            return
        }
        return nil
    }

    /// The finding, if the comparison holds for no object; `matches` are the counts of the evaluators.
    func finding(_ matches: ArraySlice<Int>, of total: Int) -> PredicateFinding? {
        guard let exact = matches.first, exact == 0, let folded = matches.last else { return nil }
        let isNegative = cure != cure.affirmed
        let count = Count.grouped(isNegative ? total - folded : folded)
        return PredicateFinding(
            .caseDiffers, node,
            "this holds for \(isNegative ? "every" : "no") object; with [\(letters)] it holds for \(count) of \(Count.grouped(total))",
            "write \(FormatPredicate(cure).predicateFormat)")
    }
}

extension PredicateNode {
    /// Variants of a comparison of strings, with options that ignore case, or case and diacritics, and the letters of these
    /// options; empty for other predicates, and if the comparison already has the options.
    ///
    /// `name == "jo"`: `name ==[c] "jo"`, `name ==[cd] "jo"`
    var foldings: [(letters: String, node: PredicateNode)] {
        if options.contains(.normalized) { return [] }
        return [("c", .caseInsensitive), ("cd", [.caseInsensitive, .diacriticInsensitive])].compactMap {
            (letters: String, added: ComparisonOptions) in
            let folded = options.union(added)
            return folded == options ? nil : with(folded).map { (letters, $0) }
        }
    }

    /// `name == "jo"` for `name != "jo"`; other predicates are unchanged.
    fileprivate var affirmed: PredicateNode {
        guard case .comparison(var node) = self, node.operator == .notEqualTo else { return self }
        node.operator = .equalTo
        return .comparison(node)
    }

    private func with(_ options: ComparisonOptions) -> PredicateNode? {
        switch self {
        case .comparison(var node):
            guard node.operator.comparesStringsByOptions else { return nil }
            node.options = options
            return .comparison(node)
        case .string(var node):
            node.options = options
            return .string(node)
        case .compound, .constant, .block: return nil
        }
    }
}

extension ComparisonOperator {
    /// True for operators that test whether strings are equal.
    fileprivate var comparesStringsByOptions: Bool {
        switch self {
        case .equalTo, .notEqualTo, .in: true
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .between, .customSelector: false
        }
    }
}
