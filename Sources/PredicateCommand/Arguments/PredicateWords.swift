import PredicateSyntax

/// A predicate as a command line gives it: the format, `--arg` and `--set`.
struct PredicateWords {
    let format: String
    let arguments: [String]
    let variables: [String: PredicateValue]
    private let command: Command

    init(
        _ format: String, arguments: [String], settings: [String], in command: Command
    ) throws(CommandFailure) {
        var variables: [String: PredicateValue] = [:]
        for setting in settings {
            let (name, value) = try ArgumentValue.variable(setting)
            variables[name] = value
        }
        self.format = format
        self.arguments = arguments
        self.variables = variables
        self.command = command
    }

    /// The predicate, every variable of which has a value.
    func predicate() throws(CommandFailure) -> FormatPredicate {
        let arguments = try ArgumentValue.arguments(arguments, for: format)
        let predicate: FormatPredicate
        do throws(PredicateFormatError) {
            predicate = try FormatPredicate(format: format, arguments: arguments, options: .strict)
        } catch {
            if case .missingArgument = error.code { throw .format(error, hints: ["--arg VALUE passes one"]) }
            throw .format(error)
        }
        try checkVariables(of: predicate)
        return predicate
    }

    /// Every variable has a value, and every value a variable.
    private func checkVariables(of predicate: FormatPredicate) throws(CommandFailure) {
        let used = Fields(predicate.node).variables
        for name in variables.keys.sorted() where !used.contains(name) {
            let hints = UsageError.suggestions(for: "$" + name, among: used.map { "$" + $0 })
            throw .usage(UsageError("--set: the predicate has no variable $\(name)", hints: hints, in: command))
        }
        for name in used where variables[name] == nil {
            let hints = ["--set \(name)=VALUE gives it one"]
            throw .usage(UsageError("the variable $\(name) has no value", hints: hints, in: command))
        }
    }
}
