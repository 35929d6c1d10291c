import PredicateSyntax

/// `FETCH(request, context, NO)`: the objects that a request selects from a context, in an array; their number for YES.
///
/// The context is asked once for each evaluated object. What it throws is an error of the host. Throws `argumentKind` for
/// arguments that are no request, no context, no truth value: nil is none of them.
final class FetchPlan: ExpressionPlan {
    let node: Int
    private let request: any ExpressionPlan
    private let context: any ExpressionPlan
    private let countOnly: (any ExpressionPlan)?

    init(
        _ request: any ExpressionPlan, _ context: any ExpressionPlan, countOnly: (any ExpressionPlan)?, node: Int
    ) {
        self.request = request
        self.context = context
        self.countOnly = countOnly
        self.node = node
    }

    func value(_ context: inout EvaluationContext) throws(EvaluationError) -> KeyedValue {
        let request: FetchRequest = try argument(self.request, "a fetch request", &context) {
            $0.hostObject as? FetchRequest
        }
        let source: any FetchContext = try argument(self.context, "a fetch context", &context) {
            $0.hostObject as? any FetchContext
        }
        let isCount = try isCount(&context)
        let result = try answer(to: request, from: source, isCount: isCount)
        try context.spend(on: result, at: node)
        return result
    }

    private func isCount(_ context: inout EvaluationContext) throws(EvaluationError) -> Bool {
        guard let countOnly else { return false }
        return try argument(countOnly, "YES or NO", &context) { value in
            switch value.number?.exactInteger {
            case 0: false
            case 1: true
            default: nil
            }
        }
    }

    private func answer(
        to request: FetchRequest, from source: any FetchContext, isCount: Bool
    ) throws(EvaluationError) -> KeyedValue {
        do {
            if isCount { return try source.count(for: request).keyedValue }
            return KeyedValue(elements: try source.objects(for: request), kind: .array)
        } catch {
            throw EvaluationError(host: error, of: "FETCH", at: node)
        }
    }

    /// The value of an argument as what it has to be.
    private func argument<Value>(
        _ plan: any ExpressionPlan, _ expected: String, _ context: inout EvaluationContext,
        _ convert: (KeyedValue) -> Value?
    ) throws(EvaluationError) -> Value {
        let value = try plan.value(&context)
        if let converted = convert(value) { return converted }
        throw EvaluationError(
            .argumentKind(function: "FETCH", expected: expected, found: value.found), node: plan.node)
    }
}
