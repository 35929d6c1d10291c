import PredicateEvaluation
import PredicateSyntax

/// `predicate filter 'age >= 21' people.jsonl`: the records for which a predicate holds.
struct FilterCommand {
    private let settings: FilterSettings

    init(_ words: ArraySlice<String>) throws(CommandFailure) {
        settings = try FilterSettings(words)
    }

    func run(_ console: Console) throws(CommandFailure) -> ExitStatus {
        let predicate = try makePredicate()
        try checkVariables(of: predicate)
        var pass = FilterRun(settings, try makeEvaluator(predicate), console)
        return try pass.run()
    }

    private func makePredicate() throws(CommandFailure) -> FormatPredicate {
        let arguments = try ArgumentValue.arguments(settings.arguments, for: settings.format)
        do throws(PredicateFormatError) {
            return try FormatPredicate(format: settings.format, arguments: arguments, options: .strict)
        } catch {
            if case .missingArgument = error.code { throw .format(error, hints: ["--arg VALUE passes one"]) }
            throw .format(error)
        }
    }

    /// Every variable has a value, and every value a variable.
    private func checkVariables(of predicate: FormatPredicate) throws(CommandFailure) {
        let used = Fields(predicate.node).variables
        for name in settings.variables.keys.sorted() where !used.contains(name) {
            let hints = UsageError.suggestions(for: "$" + name, among: used.map { "$" + $0 })
            throw .usage(UsageError("--set: the predicate has no variable $\(name)", hints: hints, in: .filter))
        }
        for name in used where settings.variables[name] == nil {
            let hints = ["--set \(name)=VALUE gives it one"]
            throw .usage(UsageError("the variable $\(name) has no value", hints: hints, in: .filter))
        }
    }

    private func makeEvaluator(_ predicate: FormatPredicate) throws(CommandFailure) -> PredicateEvaluator {
        do throws(EvaluationError) {
            return try PredicateEvaluator(predicate, constants: settings.variables)
        } catch {
            throw .evaluation(error, predicate)
        }
    }
}
