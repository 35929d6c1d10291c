/// The file `.predicate-lint`: one setting a line.
///
///     # Third-party code is not ours to mend.
///     exclude Pods/
///     exclude **/*Generated*.swift
///     call find(where:)
///     level predicate-check note
///     level predicate-dynamic warning
///     level predicate-interpolation off
///     model App/Model.xcdatamodeld
///     baseline .predicate-lint-baseline
///
/// Paths are relative to the directory of the file. A line that begins with `#` is a comment.
package struct LintConfiguration: Hashable, Sendable {
    package var settings = LintSettings()
    /// Files and directories that are left out.
    package var excludes: [PathPattern] = []
    /// Data models against which predicates are checked.
    package var models: [String] = []
    package var baseline: String?

    package init() {}

    /// Reads the text of a configuration file. Throws the first line that it does not understand.
    package init(_ text: String) throws(LintConfigurationError) {
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
            guard let verb = words.first, !verb.hasPrefix("#") else { continue }
            let value = words.count > 1 ? String(words[1]).trimmed : ""
            guard !value.isEmpty else { throw LintConfigurationError(line: index + 1, .missingValue(String(verb))) }
            try set(String(verb), value, line: index + 1)
        }
    }

    private mutating func set(_ verb: String, _ value: String, line: Int) throws(LintConfigurationError) {
        switch verb {
        case "exclude": excludes.append(PathPattern(value))
        case "model": models.append(value)
        case "baseline": baseline = value
        case "call":
            guard let call = CallName(value) else { throw LintConfigurationError(line: line, .call(value)) }
            settings.calls.append(call)
        case "level":
            let words = value.split(whereSeparator: \.isWhitespace).map(String.init)
            guard words.count == 2 else { throw LintConfigurationError(line: line, .level(value)) }
            do throws(LintConfigurationError.Problem) {
                try settings.setLevel(words[0], words[1])
            } catch {
                throw LintConfigurationError(line: line, error)
            }
        default: throw LintConfigurationError(line: line, .setting(verb))
        }
    }
}

extension LintSettings {
    /// Sets the level of a rule by names: `predicate-check`, `off`.
    package mutating func setLevel(_ rule: String, _ level: String) throws(LintConfigurationError.Problem) {
        guard let known = LintRule(name: rule) else { throw .rule(rule) }
        if level == "off" {
            levels[known] = .some(nil)
        } else if let level = LintLevel(rawValue: level) {
            levels[known] = level
        } else {
            throw .level(level)
        }
    }
}

extension String {
    fileprivate var trimmed: String {
        var text = self[...]
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text.drop(while: \.isWhitespace))
    }
}

/// A line of a configuration file that is not understood.
package struct LintConfigurationError: Error, Hashable, Sendable {
    package enum Problem: Error, Hashable, Sendable {
        /// `exlude Pods/`
        case setting(String)
        /// `exclude`
        case missingValue(String)
        /// `call 3(`
        case call(String)
        /// `level predicate-foo off`
        case rule(String)
        /// `level predicate-check loud`
        case level(String)
    }

    /// From 1.
    package var line: Int
    package var problem: Problem

    init(line: Int, _ problem: Problem) {
        self.line = line
        self.problem = problem
    }
}

extension LintConfigurationError.Problem {
    package var message: String {
        switch self {
        case .setting(let word): "expected exclude, call, level, model or baseline, found '\(word)'"
        case .missingValue(let word): "expected a value after '\(word)'"
        case .call(let text): "expected the name of a call such as find(where:), found '\(text)'"
        case .rule(let name): "expected the name of a rule such as predicate-check, found '\(name)'"
        case .level(let text): "expected a rule and error, warning, note or off, found '\(text)'"
        }
    }
}
