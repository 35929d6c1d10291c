import Foundation
import PredicateSyntax

/// The predicate of a command line: the format, `--arg` and `--set`.
struct PredicateWords {
    let format: String
    let arguments: [String]
    let variables: [String: PredicateValue]
    /// The policy for an untrusted predicate; nil for a trusted one.
    private let policy: PredicatePolicy?
    private let command: Command
    /// False for a command whose `--set` is not for variables.
    private let takesVariables: Bool

    init(
        _ format: String, arguments: [String], settings: [String]?, isUntrusted: Bool = false, in command: Command
    ) throws(CommandFailure) {
        var variables: [String: PredicateValue] = [:]
        for setting in settings ?? [] {
            let (name, value) = try ArgumentValue.variable(setting)
            variables[name] = value
        }
        self.format = format
        self.arguments = arguments
        self.variables = variables
        policy = isUntrusted ? Self.policy(withVariables: !variables.isEmpty) : nil
        self.command = command
        takesVariables = settings != nil
    }

    /// The limits for parsing and evaluation.
    var limits: PredicateLimits { policy?.limits ?? .standard }

    /// Returns the policy for untrusted predicates; variables are allowed if the user sets some.
    private static func policy(withVariables: Bool) -> PredicatePolicy {
        var policy = PredicatePolicy.untrusted
        if withVariables { policy.features.insert(.variable) }
        return policy
    }

    /// Returns the predicate; all its variables have values.
    func predicate() throws(CommandFailure) -> FormatPredicate {
        let arguments = try ArgumentValue.arguments(arguments, for: format)
        let predicate: FormatPredicate
        do throws(PredicateFormatError) {
            let options = FormatOptions(surplusArguments: .refused, limits: limits)
            predicate = try FormatPredicate(format: format, arguments: arguments, options: options)
        } catch {
            throw .format(error, hints: hints(for: error))
        }
        try checkPolicy(of: predicate)
        try checkVariables(of: predicate)
        return predicate
    }

    /// Returns hints that apply to command lines.
    private func hints(for error: PredicateFormatError) -> [String] {
        if case .missingArgument = error.code { return ["--arg VALUE passes an argument"] }
        if FileManager.default.fileExists(atPath: format) {
            return ["the predicate comes before the files: predicate \(command.rawValue) 'age >= 21' \(format)"]
        }
        guard case .expectedOperator = error.code, format.isIdentifier else { return [] }
        return ["put the whole predicate in quotes: 'age >= 21'"]
    }

    private func checkPolicy(of predicate: FormatPredicate) throws(CommandFailure) {
        do throws(PredicatePolicyError) {
            try policy?.check(predicate)
        } catch {
            throw .text(error.description)
        }
    }

    /// Throws if a variable has no value, or if a value has no variable.
    private func checkVariables(of predicate: FormatPredicate) throws(CommandFailure) {
        let used = PredicateReferences(predicate.node).variables
        for name in variables.keys.sorted() where !used.contains(name) {
            let hints = UsageError.suggestions(for: "$" + name, among: used.map { "$" + $0 })
            throw .usage(UsageError("--set: the predicate has no variable $\(name)", hints: hints, in: command))
        }
        for name in used where variables[name] == nil {
            let hints = [takesVariables ? "--set \(name)=VALUE sets it" : "write %@, and --arg VALUE for its value"]
            throw .usage(UsageError("the variable $\(name) has no value", hints: hints, in: command))
        }
    }
}
