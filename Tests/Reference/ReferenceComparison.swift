import PredicateEvaluation
import PredicateSyntax

/// One predicate put to the reference and to every form in which it can be evaluated.
package struct ReferenceComparison {
    package typealias Outcome = Result<Bool, ReferenceError>

    private let node: PredicateNode
    private let variables: PredicateVariables
    private let registry: EvaluationRegistry
    private let limits: PredicateLimits
    /// Nil where it cannot be prepared.
    private let evaluator: PredicateEvaluator?
    private let refusal: ReferenceError?

    package init(
        _ node: PredicateNode, variables: PredicateVariables, registry: EvaluationRegistry = .standard,
        limits: PredicateLimits = .standard
    ) {
        self.node = node
        self.variables = variables
        self.registry = registry
        self.limits = limits
        do throws(EvaluationError) {
            evaluator = try PredicateEvaluator(FormatPredicate(node), registry: registry, limits: limits)
            refusal = nil
        } catch {
            evaluator = nil
            refusal = ReferenceError(EvaluationErrorName(error.code))
        }
    }

    /// The first difference between the forms and the reference, for objects repeated `times` times; nil if they agree.
    package func difference<Element: KeyValueCoding>(_ some: [Element], times: Int = 1) -> String? {
        let outcomes = some.map { outcome(for: $0) }
        guard let evaluator else {
            return outcomes.allSatisfy { $0 == .failure(refusal ?? ReferenceError(.host)) }
                ? nil : shown("preparation", "\(String(describing: refusal))", "\(outcomes)")
        }
        // Twice, since operators decide the first value that a plan compares, and leaves and programs all others.
        let pairs = Array(zip(some, outcomes))
        for (number, (object, expected)) in (pairs + pairs).enumerated() {
            let plan = Self.outcome { () throws(EvaluationError) in
                try evaluator.evaluate(object.keyedValue, variables: variables)
            }
            if plan != expected { return shown("plan for object \(number)", "\(plan)", "\(expected)") }
            let one = Self.outcome { () throws(EvaluationError) in
                try evaluator.evaluate(with: object, variables: variables)
            }
            if one != expected { return shown("object \(number) alone", "\(one)", "\(expected)") }
        }
        let objects = Array(repeatElement(some, count: times).joined())
        return batchDifference(evaluator, objects, Self.places(outcomes, times: times))
    }

    /// Many at once: where they stand, how many, which, the first, and on which side.
    private func batchDifference<Element: KeyValueCoding>(
        _ evaluator: PredicateEvaluator, _ objects: [Element], _ expected: Result<[Int], ReferenceError>
    ) -> String? {
        let indices = Self.outcome { () throws(EvaluationError) in
            try objects.indices(matching: evaluator, variables: variables)
        }
        if indices != expected { return shown("indices", "\(indices)", "\(expected)") }
        let counts = expected.map(\.count)
        let count = Self.outcome { () throws(EvaluationError) in
            try objects.count(matching: evaluator, variables: variables)
        }
        if count != counts { return shown("count", "\(count)", "\(counts)") }
        // A sequence that lies in no array goes another way.
        let streamed = Self.outcome { () throws(EvaluationError) in
            try AnySequence(objects).filtered(using: evaluator, variables: variables).count
        }
        if streamed != counts { return shown("filter", "\(streamed)", "\(counts)") }
        return nil
    }

    /// The first that matches ends the search, also where an error would follow.
    package func differenceOfFirst<Element: KeyValueCoding>(_ objects: [Element]) -> String? {
        guard let evaluator else { return nil }
        let outcomes = objects.map { outcome(for: $0) }
        let decisive = outcomes.first { $0 != .success(false) } ?? .success(false)
        let contains = Self.outcome { () throws(EvaluationError) in
            try objects.contains(matching: evaluator, variables: variables)
        }
        if contains != decisive { return shown("contains", "\(contains)", "\(decisive)") }
        let first = Self.outcome { () throws(EvaluationError) in
            try objects.first(matching: evaluator, variables: variables) != nil
        }
        return first == decisive ? nil : shown("first", "\(first)", "\(decisive)")
    }

    /// The first difference of evaluation on all cores, which takes some thousands of objects.
    package func concurrentDifference<Element: KeyValueCoding & Sendable>(
        _ some: [Element], times: Int
    ) -> String? {
        guard let evaluator else { return nil }
        let outcomes = some.map { outcome(for: $0) }
        let expected = Self.places(outcomes, times: times)
        let objects = Array(repeatElement(some, count: times).joined())
        let indices = Self.outcome { () throws(EvaluationError) in
            try objects.concurrentIndices(matching: evaluator, variables: variables)
        }
        if indices != expected { return shown("concurrent indices", "\(indices)", "\(expected)") }
        let count = Self.outcome { () throws(EvaluationError) in
            try objects.concurrentCount(matching: evaluator, variables: variables)
        }
        return count == expected.map(\.count) ? nil : shown("concurrent count", "\(count)", "\(expected)")
    }

    // MARK: - Outcomes

    private func outcome(for object: some KeyedValueConvertible) -> Outcome {
        ReferenceEvaluator.holds(
            node, for: object.keyedValue, variables: variables, registry: registry, limits: limits)
    }

    private static func outcome<Value>(
        _ work: () throws(EvaluationError) -> Value
    ) -> Result<Value, ReferenceError> {
        Result(catching: work).mapError { ReferenceError(EvaluationErrorName($0.code)) }
    }

    /// The indices for which the predicate holds, or the first error.
    private static func places(_ outcomes: [Outcome], times: Int) -> Result<[Int], ReferenceError> {
        Result { () throws(ReferenceError) in
            var places: [Int] = []
            for (place, outcome) in outcomes.enumerated() where try outcome.get() { places.append(place) }
            return (0..<times).flatMap { round in places.map { round * outcomes.count + $0 } }
        }
    }

    private func shown(_ form: String, _ found: String, _ expected: String) -> String {
        "\(node.predicateFormat)\n\(form): \(found.prefix(300)), by the reference \(expected.prefix(300))"
    }
}

extension TreeNode {
    /// True if it calls for a random number or the time, so that results change from call to call.
    package var changesItsMind: Bool {
        if case .expression(.function(let call)) = self, case .predefined(let function) = call.function,
            [FunctionExpression.Predefined.random, .randomn, .now].contains(function)
        {
            return true
        }
        return children.contains(where: \.changesItsMind)
    }

    /// True if it makes sets, which have no order: with values of several kinds in one, it is unspecified whether an
    /// error comes first.
    package var makesSets: Bool {
        if case .expression(.set) = self { return true }
        if case .expression(.cast(let cast)) = self, cast.type == "NSSet" { return true }
        return children.contains(where: \.makesSets)
    }
}
