import Foundation
import PredicateSyntax

/// The file `.predicate-lint`, with one setting per line.
///
///     # Third-party code is not ours to mend.
///     exclude Vendor/
///     exclude **/*Generated*.swift
///     call find(where:)
///     function ownJoin
///     operator fuzzyEquals
///     macros library
///     host Feed
///       in FeedQuery
///       strings title author
///       source https://example.com/feed
///     level predicate-check note
///     level predicate-injection off Tests/
///     level predicate-dynamic warning
///     level predicate-interpolation off
///     level never-holds error
///     model App/Model.xcdatamodeld
///     baseline .predicate-lint-baseline
///
/// Paths are relative to the directory of the file. A line that begins with `#` is a comment. A configuration in a folder
/// applies to all files below it, in addition to those of the folders above: see ``NestedConfiguration``.
package struct LintConfiguration: Hashable, Sendable {
    package var settings = LintSettings()
    /// Files and directories to skip.
    package var excludes: [PathPattern] = []
    /// Data models against which predicates are checked.
    package var models: [String] = []
    package var baseline: String?

    package init() {}

    /// Reads a configuration file. Throws an error for the first invalid line.
    package init(_ text: String) throws(LintConfigurationError) {
        var isHost = false
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let words = line.split(maxSplits: 1, whereSeparator: \.isWhitespace)
            guard let verb = words.first, !verb.hasPrefix("#") else { continue }
            let value = words.count > 1 ? words[1].trimmingCharacters(in: .whitespaces) : ""
            if line.first?.isWhitespace == true, let last = settings.hosts.indices.last, isHost {
                guard settings.hosts[last].add(verb, value) else {
                    throw LintConfigurationError(line: index + 1, .hostPart(String(verb)))
                }
                continue
            }
            isHost = verb == "host"
            guard !value.isEmpty else { throw LintConfigurationError(line: index + 1, .missingValue(String(verb))) }
            try set(String(verb), value, line: index + 1)
        }
    }

    private mutating func set(_ verb: String, _ value: String, line: Int) throws(LintConfigurationError) {
        switch verb {
        case "exclude": excludes.append(PathPattern(value))
        case "host": settings.hosts.append(PredicateHost(value))
        case "model": models.append(value)
        case "baseline": baseline = value
        case "call":
            guard let call = CallName(value) else { throw LintConfigurationError(line: line, .call(value)) }
            settings.calls.append(call)
        case "function", "operator":
            let isFunction = verb == "function"
            guard value.utf8.first?.isNameStart == true, value.utf8.allSatisfy(\.isName) else {
                throw LintConfigurationError(line: line, isFunction ? .function(value) : .operatorName(value))
            }
            if isFunction { settings.functions.insert(value) } else { settings.operators.insert(value) }
        case "macros":
            guard let host = MacroHost(rawValue: value) else {
                throw LintConfigurationError(line: line, .macroHost(value))
            }
            settings.macroHost = host
        case "level":
            let words = value.split(maxSplits: 2, whereSeparator: \.isWhitespace).map(String.init)
            guard words.count > 1 else { throw LintConfigurationError(line: line, .level(value)) }
            do throws(LintConfigurationError.Problem) {
                let pattern = words.dropFirst(2).first?.trimmingCharacters(in: .whitespaces)
                try settings.setLevel(words[0], words[1], in: pattern.map(PathPattern.init))
            } catch {
                throw LintConfigurationError(line: line, error)
            }
        default: throw LintConfigurationError(line: line, .setting(verb))
        }
    }
}

extension LintSettings {
    /// Sets the level of a rule or check by names: `predicate-check`, `off`.
    /// With a pattern, the level applies only to matching files.
    package mutating func setLevel(
        _ rule: String, _ level: String, in pattern: PathPattern? = nil
    ) throws(LintConfigurationError.Problem) {
        guard let known = LintName(rule) else { throw .rule(rule) }
        let value = LintLevel(rawValue: level)
        guard value != nil || level == "off" else { throw .level(level) }
        if let pattern {
            pathLevels.append(PathLevel(pattern: pattern, name: known, level: value))
        } else {
            levels[known] = .some(value)
        }
    }

    /// Adds the settings of an inner configuration that apply to the file with this path.
    mutating func add(_ inner: LintSettings, for path: String) {
        levels.merge(inner.levels) { _, inner in inner }
        for level in inner.pathLevels where level.pattern.matches(path) { levels[level.name] = .some(level.level) }
        showsNotes = showsNotes || inner.showsNotes
        macroHost = inner.macroHost ?? macroHost
        calls += inner.calls
        hosts += inner.hosts
        functions.formUnion(inner.functions)
        operators.formUnion(inner.operators)
    }
}

/// An invalid line of a configuration file.
package struct LintConfigurationError: Error, Hashable, Sendable {
    package enum Problem: Error, Hashable, Sendable {
        /// `exlude Pods/`
        case setting(String)
        /// `exclude`
        case missingValue(String)
        /// `call 3(`
        case call(String)
        /// `function 3(`
        case function(String)
        /// `operator 3(`
        case operatorName(String)
        /// `macros realm`
        case macroHost(String)
        /// `titles name` below `host Feed`
        case hostPart(String)
        /// `level predicate-foo off`
        case rule(String)
        /// `level predicate-check loud`
        case level(String)
        /// `baseline old.txt` in the file of an inner folder
        case nestedBaseline
    }

    /// The line number, from 1.
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
        case .setting(let word):
            "expected exclude, call, function, operator, macros, host, level, model or baseline, found '\(word)'"
                + Self.question(NearMiss.candidates(for: word, among: Self.settings, limit: 1).first)
        case .missingValue(let word): "expected a value after '\(word)'"
        case .call(let text): "expected the name of a call such as find(where:), found '\(text)'"
        case .function(let text): "expected the name of a function such as ownJoin, found '\(text)'"
        case .operatorName(let text): "expected the name of an operator such as fuzzyEquals, found '\(text)'"
        case .macroHost(let text): "expected swiftdata, library or memory, found '\(text)'"
        case .hostPart(let word):
            "expected words, in, of, strings, numbers, dates, booleans, lists, keys, objects, values, known, write, refuses, closed or source"
                + " with what belongs to it, found '\(word)'"
        case .rule(let name):
            "expected the name of a rule or check such as predicate-check, found '\(name)'"
                + Self.question(LintName.suggestion(for: name))
        case .level(let text): "expected a rule and error, warning, note or off, found '\(text)'"
        case .nestedBaseline: "expected the baseline in the configuration of the outermost folder"
        }
    }

    private static let settings = [
        "exclude", "call", "function", "operator", "macros", "host", "level", "model", "baseline",
    ]

    private static func question(_ name: String?) -> String { name.map { "; did you mean \($0)?" } ?? "" }
}

/// The settings of a linter: the levels of rules, and the names of additional calls.
package struct LintSettings: Hashable, Sendable {
    /// Levels that differ from the standard ones; nil turns a rule or check off. The level of a check overrides that of its
    /// rule.
    package var levels: [LintName: LintLevel?] = [:]
    /// Levels for files that match a pattern, which override the other levels.
    package var pathLevels: [PathLevel] = []
    /// True to show notes of rules and checks without a configured level.
    package var showsNotes = false
    /// Additional calls that take a format: `find(where:)`.
    package var calls: [CallName] = []
    /// Functions that the host adds, which formats call without a colon: `ownJoin`.
    package var functions: Set<String> = []
    /// Operators that the host adds, which formats write without a colon: `fuzzyEquals`.
    package var operators: Set<String> = []
    /// The hosts that the configuration describes.
    package var hosts: [PredicateHost] = []
    /// What evaluates the predicates of macros; nil to determine it by the type of the objects.
    package var macroHost: MacroHost?

    package init() {}

    /// True for a rule that is not off.
    func isOn(_ rule: LintRule) -> Bool { (levels[.rule(rule)] ?? rule.standardLevel) != nil }

    /// True for a rule or check that is not off.
    func isOn(_ name: LintName) -> Bool {
        switch name {
        case .rule(let rule): isOn(rule)
        case .check: levels[name].map { $0 != nil } ?? (isOn(.rule(.check)) || isOn(.rule(.model)))
        }
    }

    func isOn(_ finding: LintFinding) -> Bool {
        finding.code.flatMap { levels[.check($0)] }.map { $0 != nil } ?? isOn(finding.rule)
    }

    /// True if findings of the checker may be reported.
    var usesChecks: Bool {
        isOn(.rule(.check)) || isOn(.rule(.model)) || levels.contains { $0.key.isCheck && $0.value != nil }
    }

    /// The level of a finding: the configured level of its check or rule or, if none is configured, its own level.
    /// Nil if the rule is off, and for a quiet finding without a configured level.
    func level(of finding: LintFinding) -> LintLevel? {
        if let level = finding.code.flatMap({ levels[.check($0)] }) ?? levels[.rule(finding.rule)] { return level }
        return finding.rule.standardLevel == nil || finding.isQuiet && !showsNotes ? nil : finding.level
    }
}

/// The level of a rule or check in files that match a pattern.
package struct PathLevel: Hashable, Sendable {
    var pattern: PathPattern
    var name: LintName
    /// Nil for off.
    var level: LintLevel?
}

/// A pattern for paths: `Pods/`, `*.generated.swift`, `Sources/**/Legacy*.m`.
///
/// `*` matches characters other than `/`, `**` any characters, `?` one character. A pattern without an inner `/` is
/// matched with each component of a path, any other with the whole path. A pattern that ends with `/` matches a
/// directory and everything in it.
package struct PathPattern: Hashable, Sendable {
    private let pattern: [UInt8]
    private let isName: Bool

    package init(_ text: String) {
        var pattern = Array(text.utf8)
        while pattern.starts(with: "./".utf8) { pattern.removeFirst(2) }
        while pattern.last == UInt8(ascii: "/") { pattern.removeLast() }
        self.pattern = pattern
        isName = !pattern.contains(UInt8(ascii: "/"))
    }

    /// True for a matching path, and for a path inside a matching directory.
    package func matches(_ path: String) -> Bool {
        let components = path.utf8.split(separator: UInt8(ascii: "/")).map(Array.init)
        if isName { return components.contains { Self.matches($0[...], pattern[...]) } }
        return components.indices.contains { end in
            let prefix = Array(components[...end].joined(separator: CollectionOfOne(UInt8(ascii: "/"))))
            return Self.matches(prefix[...], pattern[...])
        }
    }

    /// Tracks the set of offsets that the pattern can reach, so the time is at most quadratic.
    private static func matches(_ text: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
        var reachable: Set<Int> = [text.startIndex]
        var rest = pattern
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "*") else {
                reachable = Set(reachable.filter { $0 < text.endIndex && accepts(text[$0], byte) }.map { $0 + 1 })
                continue
            }
            let (before, isDouble) = (reachable, rest.first == byte)
            if isDouble { rest.removeFirst() }
            for offset in text.indices where reachable.contains(offset) && (isDouble || text[offset] != slash) {
                reachable.insert(offset + 1)
            }
            // The slash of `**/` is optional.
            guard isDouble, rest.first == slash else { continue }
            rest.removeFirst()
            reachable = before.union(reachable.filter { $0 < text.endIndex && text[$0] == slash }.map { $0 + 1 })
        }
        return reachable.contains(text.endIndex)
    }

    private static let slash = UInt8(ascii: "/")

    private static func accepts(_ byte: UInt8, _ pattern: UInt8) -> Bool {
        pattern == UInt8(ascii: "?") ? byte != slash : byte == pattern
    }
}
