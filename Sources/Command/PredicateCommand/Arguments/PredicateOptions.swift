import Foundation
import PredicateData
import PredicateEvaluation
import PredicateSession
import PredicateSyntax

extension CommandOption {
    static let argument = CommandOption(
        "arg", "a", value: "VALUE", help: "Argument for the next specifier of FORMAT (see Values)")
    static let variable = CommandOption(
        "set", "s", value: "NAME=VALUE", help: "Value of the variable $NAME (see Values)")
    static let columnValues = CommandOption(
        "values", value: "NAME=FILE:KEY",
        help: "Value of the variable $NAME: the distinct values of KEY in FILE, for example for id IN $NAME; without"
            + " :KEY the lines of FILE. A table is FILE:TABLE.KEY, and TABLE:KEY beside a table of the same SQLite file. They are"
            + " held in memory, five million at most")
    static let zone = CommandOption(
        "zone", value: "NAME",
        help:
            "Time zone of date functions, and of dates that name no zone, in files and in comparisons with dates, such as"
            + " Europe/Rome (default: UTC). Times are printed in UTC (see help dates)")
    static let untrusted = CommandOption(
        "untrusted",
        help: "Treat FORMAT as untrusted: reject FUNCTION, classes, free variables and costly patterns, and apply tight"
            + " limits to the predicate, to its evaluation for each record, to the steps of a SQLite statement, and to"
            + " the size of the SQL that 'sql' prints, whose 'setup' then sets the database's own time limit")
}

/// The predicate of a command line: the format, `--arg`, `--set` and `--untrusted`.
struct PredicateOptions {
    let format: String
    let arguments: [String]
    /// The context of the predicate: the values of its variables, and the limits for parsing and evaluation.
    let context: PredicateContext
    /// The policy for an untrusted predicate; nil for a trusted one.
    private let policy: PredicatePolicy?
    private let command: Subcommand
    /// The names of the variables that `--values` sets.
    private let namesOfValues: Set<String>
    /// False for a subcommand whose `--set` does not set variables.
    private let takesVariables: Bool
    /// False for an additional predicate, which must contain its values itself.
    private let takesArguments: Bool

    init(
        _ format: String, _ reader: ArgumentReader, takesArguments: Bool = true, takesVariables: Bool = true
    ) throws(CommandFailure) {
        var context = reader.context
        if takesVariables { try context.setVariables(reader) }
        var lists: [String: PredicateValue] = [:]
        let columns = takesVariables ? reader.values(of: .columnValues) : []
        let store = columns.isEmpty ? nil : reader.operands.first(where: SQLiteFile.isOne)
        for setting in columns {
            let (name, value) = try OtherFile.variable(setting, beside: store, reader.context)
            lists[name] = value
        }
        namesOfValues = Set(lists.keys)
        context.variables.merge(lists) { $1 }
        self.format = format
        arguments = takesArguments ? reader.values(of: .argument) : []
        policy = reader.has(.untrusted) ? Self.policy(withVariables: !context.variables.isEmpty) : nil
        if let policy { context.limits = policy.limits }
        self.context = context
        command = reader.command
        self.takesVariables = takesVariables
        self.takesArguments = takesArguments
    }

    /// A Boolean value that indicates whether the predicate is untrusted.
    var isUntrusted: Bool { policy != nil }

    /// Returns the policy for untrusted predicates. It allows variables if the user sets any.
    private static func policy(withVariables: Bool) -> PredicatePolicy {
        var policy = PredicatePolicy.untrusted
        if withVariables { policy.features.insert(.variable) }
        return policy
    }

    /// Returns the predicate. Throws if a variable has no value.
    func predicate() throws(CommandFailure) -> FormatPredicate {
        let arguments = try ArgumentValue.arguments(arguments, for: format, in: context.zone)
        let predicate: FormatPredicate
        do throws(PredicateFormatError) {
            let options = FormatOptions(surplusArguments: .refused, limits: context.limits)
            predicate = try FormatPredicate(format: format, arguments: arguments, options: options)
        } catch {
            throw .format(error, hints: hints(for: error))
        }
        try checkPolicy(of: predicate)
        try checkVariables(of: predicate)
        return predicate
    }

    /// Returns hints that make sense on a command line.
    private func hints(for error: PredicateFormatError) -> [String] {
        if case .missingArgument = error.code {
            return [takesArguments ? "--arg VALUE passes an argument" : "write the value itself"]
        }
        if FileManager.default.fileExists(atPath: format) {
            return ["the predicate comes before the files: predicate \(command.name) 'age >= 21' \(format)"]
        }
        if DataFormat(fileName: format) != nil { return ["there is no file '\(format)'"] }
        if let option = optionOfClause(error) ?? pathOfElements { return [option] }
        if format.contains(/now\(\)\s*[-+]/) { return ["ago:(7, \"days\") is a week ago: predicate help dates"] }
        if case .unterminatedString = error.code { return Self.closing(error) }
        if case .wildcardOutsideString = error.code, command.name == "filter", format.contains(/(?i)count\(\*/) {
            return ["--count prints the number of matches, --count-by KEY --having 'count > 3' groups of more than 3"]
        }
        guard case .expectedOperator = error.code, format.isIdentifier else { return [] }
        return ["put the whole predicate in quotes: 'age >= 21'"]
    }

    /// Returns the hint for an unclosed string, `close the string: "Ann"`, if a word follows the quote.
    static func closing(_ error: PredicateFormatError) -> [String] {
        let text = Array(error.text.utf8)[error.range.lowerBound...]
        let quote = text.first == UInt8(ascii: "'") ? "'" : "\""
        let word = String(decoding: text.dropFirst(), as: UTF8.self).prefix { !$0.isWhitespace && $0 != "," }
        return word.isEmpty ? [] : ["close the string: \(quote)\(word)\(quote)"]
    }

    /// Returns the option for a part of an SQL statement: `age > 3 ORDER BY age`
    private func optionOfClause(_ error: PredicateFormatError) -> String? {
        guard case .expectedLogicalOperator = error.code, command.name == "filter" else { return nil }
        let rest = String(decoding: Array(error.text.utf8)[error.range.lowerBound...], as: UTF8.self)
        let words = rest.split(separator: " ").map { $0.lowercased() }
        return switch words.first {
        case "order": "--sort KEY sorts, --sort -KEY in descending order"
        case "limit": "--first N prints the first matches"
        case "group": "--group-by KEY groups"
        default: nil
        }
    }

    /// The option that reads the elements of a list: `.items[] | select(.age > 3)`
    private var pathOfElements: String? {
        guard command.options.contains(where: { $0.name == "path" }) else { return nil }
        return format.firstMatch(of: /^\.(\w+(?:\.\w+)*)\[\]\s*(?:\||$)/).map { match in
            "--path \(match.1) reads the elements of this list as records"
        }
    }

    /// Returns notes about lists of `--values` that are compared as one value: `id == $IDS`
    func listNotes(_ predicate: FormatPredicate) -> [String] {
        TreeNode.predicate(predicate.node).nodes.compactMap { node in
            guard case .predicate(.comparison(let comparison)) = node, comparison.operator == .equalTo,
                case .variable(let name) = comparison.rightExpression,
                namesOfValues.contains(name)
            else { return nil }
            return "$\(name) is a list; write \(comparison.leftExpression.expressionFormat) IN $\(name)"
        }
    }

    private func checkPolicy(of predicate: FormatPredicate) throws(CommandFailure) {
        do throws(PredicateFormatError) {
            try policy?.check(predicate)
        } catch {
            throw .text(error.description)
        }
    }

    /// Throws if a variable has no value, or if a value was given for a variable that does not occur.
    private func checkVariables(of predicate: FormatPredicate) throws(CommandFailure) {
        let used = PredicateReferences(predicate.node).variables
        for name in context.variables.keys.sorted() where !used.contains(name) {
            let isList = namesOfValues.contains(name)
            var hints = UsageError.suggestions(for: "$" + name, among: used.map { "$" + $0 })
            if hints.isEmpty {
                hints = ["write the variable in the predicate: key \(isList ? "IN" : "==") $\(name)"]
            }
            let option = isList ? "--values" : "--set"
            throw .usage(UsageError("\(option): the predicate has no variable $\(name)", hints: hints, in: command))
        }
        for name in used where context.variables[name] == nil {
            let cure = takesArguments ? "write %@, and --arg VALUE for its value" : "write the value itself"
            let hints = [takesVariables ? "--set \(name)=VALUE sets it; a key has no $: \(name)" : cure]
            throw .usage(UsageError("the variable $\(name) has no value", hints: hints, in: command))
        }
    }
}

extension PredicateContext {
    /// Sets the variables of `--set`.
    mutating func setVariables(_ reader: ArgumentReader) throws(CommandFailure) {
        for setting in reader.values(of: .variable) {
            let (name, value) = try ArgumentValue.variable(setting, in: zone)
            variables[name] = value
        }
    }
}

extension TimeZone {
    /// Returns the zone of `--zone Europe/Rome`; UTC without the option.
    static func ofOption(_ reader: ArgumentReader) throws(CommandFailure) -> TimeZone {
        guard let name = reader.value(of: .zone) else { return .gmt }
        if let zone = TimeZone(identifier: name) { return zone }
        let places = TimeZone.knownTimeZoneIdentifiers.filter { zone in
            zone.split(separator: "/").last.map { $0.lowercased() == name.lowercased().replacing(" ", with: "_") }
                ?? false
        }
        let names =
            places.isEmpty
            ? UsageError.suggestions(for: name, among: TimeZone.knownTimeZoneIdentifiers)
            : ["did you mean \(places.sorted().joined(separator: " or "))?"]
        throw reader.failure(
            "--zone takes the name of a time zone, found '\(name)'",
            hints: names.isEmpty ? ["names are Europe/Rome, America/New_York, UTC"] : names)
    }
}

/// Reads values from words of the command line: `18`, `"text"`, `[1, 2]`, `date:2024-01-01`, `jo`
enum ArgumentValue {
    /// Returns the arguments of a format. The specifier decides how its word is read.
    static func arguments(
        _ words: [String], for format: String, in zone: LocalZone?
    ) throws(CommandFailure) -> [PredicateValue] {
        try CommandFailure.reading { () throws(ValueError) in
            try ValueWord.arguments(words, for: format, in: zone)
        }
    }

    /// Returns the name and value of `--set NAME=VALUE`.
    static func variable(
        _ setting: String, in zone: LocalZone?
    ) throws(CommandFailure) -> (name: String, value: PredicateValue) {
        let parts = setting.unicodeScalars.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map { String($0) }
        guard parts.count == 2 else { throw .message("--set takes NAME=VALUE, found '\(setting)'") }
        let name = parts[0].hasPrefix("$") ? String(parts[0].dropFirst()) : parts[0]
        guard !name.isEmpty else { throw .message("--set takes NAME=VALUE, found '\(setting)'") }
        do throws(ValueError) {
            return (name, try ValueWord.value(parts[1], in: zone))
        } catch {
            throw .message("--set \(name): \(error.message)", hints: error.hints)
        }
    }
}
